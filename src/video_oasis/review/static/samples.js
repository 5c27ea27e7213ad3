// Fetches the part of the page about one sample, ahead of time where it can be foreseen.

export class Samples {
  // query: the filters of the page; prepare: called with each part once it is there.
  constructor(query, prepare) {
    this.query = query;
    this.prepare = prepare;
    this.waiting = new Map();
  }

  // Fetches what may come next, and forgets what will not.
  expect(names) {
    const wanted = new Set(names.filter(Boolean));
    for (const name of this.waiting.keys()) if (!wanted.has(name)) this.forget(name);
    for (const name of wanted) {
      if (!this.waiting.has(name)) {
        const part = this.fetch(name);
        part.catch(() => this.waiting.delete(name));
        this.waiting.set(name, part);
      }
    }
  }

  // Forgets what was fetched of a sample that has changed.
  forget(name) {
    this.waiting.get(name)?.then((found) => found.player.release(), () => {});
    this.waiting.delete(name);
  }

  // Gives a part to show, each only once: what is shown later is fetched anew.
  take(name) {
    const part = this.waiting.get(name) ?? this.fetch(name);
    this.waiting.delete(name);
    return part;
  }

  async fetch(name) {
    const response = await fetch(`/sample/${name}?${this.query}`);
    if (!response.ok) throw new Error(await explain(response));
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    // Elements of the page's own document load their video before they are shown.
    const article = document.importNode(template.content, true).firstElementChild;
    return this.prepare(article);
  }
}

// Says what a server's refusal says.
export async function explain(response) {
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    const reply = await response.json();
    return reply.message ?? reply.detail ?? `HTTP ${response.status}`;
  }
  return response.status === 403
    ? "The server was started again, or refuses this page. Open the link that it printed."
    : `The server answers with HTTP ${response.status}.`;
}
