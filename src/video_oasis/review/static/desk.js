// What every page of the review does: keys and buttons to commands, what is decided to the server,
// the next sample at once.

import { Player } from "./player.js";
import { Samples, explain } from "./samples.js";

const KEYS = {
  e: "note", "?": "help", " ": "play", ",": "back", ".": "forward", "[": "slower", "]": "faster",
  l: "loop", m: "mute", ArrowLeft: "earlier", ArrowRight: "later",
};
const REPEATED = ["back", "forward", "earlier", "later", "next", "previous"];
const STORED = "oasis-review-settings";

function readStored() {
  try { return JSON.parse(localStorage.getItem(STORED)) ?? {}; } catch { return {}; }
}

function typesInto(target) {
  return target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
}

export function button(command) {
  return document.querySelector(`.bar [data-command=${command}]`);
}

export class Desk {
  // keys: from keys to names of commands, beside those that every page has.
  constructor(keys) {
    this.keys = { ...KEYS, ...keys };
    this.page = document.body;
    this.said = document.getElementById("said");
    this.note = document.getElementById("note");
    this.help = document.getElementById("help");
    this.settings = {
      speed: 1, muted: true, loops: true, hides: false, keys: true, ...readStored(),
    };
    this.shown = null; // the article and the player of the sample on the page
    this.busy = false; // something decided is on its way
    this.samples = new Samples(this.page.dataset.query, (article) => this.prepare(article));
    this.commands = {
      undo: () => { if (this.page.dataset.undo) this.undo(); else this.say("There is nothing to undo."); },
      next: () => this.go(this.shown.article.dataset.following, "This is the last one."),
      previous: () => this.go(this.shown.article.dataset.previous, "This is the first one."),
      note: () => this.note.focus(),
      help: () => this.help.showModal(),
      play: () => this.shown.player?.toggle(),
      back: () => this.shown.player?.step(-1),
      forward: () => this.shown.player?.step(1),
      home: () => this.shown.player?.home(),
      earlier: (_button, event) => this.shown.player?.skip(event?.shiftKey ? -5 : -1),
      later: (_button, event) => this.shown.player?.skip(event?.shiftKey ? 5 : 1),
      slower: () => { this.shown.player?.faster(-1); this.store(); },
      faster: () => { this.shown.player?.faster(1); this.store(); },
      loop: () => this.change({ loops: !this.settings.loops }),
      mute: () => this.change({ muted: !this.settings.muted }),
    };
  }

  // For pages to do more at these moments.
  placed() {} // a sample was put on the page
  enabled() {} // what can be pressed may have changed
  escaped() {} // escape was pressed
  noteLeft() {} // the note's field was left by escape
  noteEntered() {} // the note was entered
  takesKey(_key, _event) { return false; } // whether a key means something of its own
  takesClick(_target) { return false; } // whether a click does
  get undoAddress() { return "/undo"; }

  store() {
    try { localStorage.setItem(STORED, JSON.stringify(this.settings)); } catch { /* kept for this page */ }
  }

  say(message, kind = "") {
    this.said.className = kind;
    this.said.setAttribute("role", kind === "bad" ? "alert" : "status");
    this.said.textContent = message;
  }

  prepare(article) {
    return { article, player: new Player(article.querySelector(".player"), this.settings) };
  }

  address(name) {
    return `/?${[this.page.dataset.query, `sample=${name}`].filter(Boolean).join("&")}`;
  }

  // Puts a sample on the page.
  place(part) {
    this.shown?.player?.release();
    this.shown?.article.replaceWith(part.article);
    this.shown = part;
    this.note.value = "";
    this.placed();
    this.enable();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) part.player.begin();
    const { following, upcoming, previous } = part.article.dataset;
    this.samples.expect([upcoming, following, previous]);
  }

  async show(name, { remember = true } = {}) {
    const part = await this.samples.take(name);
    this.place(part);
    if (remember) history.pushState(null, "", this.address(name));
    else history.replaceState(null, "", this.address(name));
    scrollTo(0, 0);
    part.article.querySelector("h1").focus({ preventScroll: true });
  }

  enable() {
    const data = this.shown.article.dataset;
    button("next").disabled = !data.following;
    button("previous").disabled = !data.previous;
    button("undo").disabled = !this.page.dataset.undo;
    this.enabled();
  }

  async post(address, body) {
    let response;
    try {
      response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...body, reviewer: this.page.dataset.reviewer }),
      });
    } catch {
      throw new Error("Not saved: the server does not answer. Start it again, and open its new link.");
    }
    if (response.ok) return response.json();
    const error = new Error(await explain(response));
    error.isOutdated = response.status === 409;
    throw error;
  }

  takeUp(reply) {
    this.page.dataset.undo = reply.undo;
    for (const { queue, n_judged: judged, n } of reply.progress) {
      const link = document.querySelector(`[data-queue=${queue}]`);
      link.querySelector(".judged").textContent = judged;
      link.querySelector(".n").textContent = n;
      const bar = link.querySelector("progress");
      bar.max = n || 1;
      bar.value = judged;
    }
  }

  // Runs one change at a time: keys pressed meanwhile would mean a sample that is not seen yet.
  async alone(change) {
    if (this.busy) return;
    this.busy = true;
    this.page.classList.add("busy");
    try {
      await change();
    } catch (error) {
      this.say(error.message, "bad");
      if (error.isOutdated) await this.show(error.sample, { remember: false }).catch(() => {});
    } finally {
      this.busy = false;
      this.page.classList.remove("busy");
    }
  }

  // Saves what was decided of the sample on the page, and goes on.
  save(address, decided) {
    const { name, seen } = this.shown.article.dataset;
    if (!name) return undefined;
    return this.alone(async () => {
      let reply;
      try {
        reply = await this.post(address, { sample: name, seen, note: this.note.value, ...decided });
      } catch (error) {
        error.sample = name;
        throw error;
      }
      this.takeUp(reply);
      if (reply.next) {
        await this.show(reply.next);
        // It was fetched when this sample was not judged yet.
        this.shown.article.querySelector(".place").textContent = reply.place;
        this.say(reply.message);
      } else {
        await this.show(name, { remember: false });
        this.say(`${reply.message} Nothing is left to judge here.`);
      }
    });
  }

  undo() {
    return this.alone(async () => {
      let reply;
      try {
        reply = await this.post(this.undoAddress, { expected: this.page.dataset.undo });
      } catch (error) {
        if (error.isOutdated) { location.reload(); return; }
        throw error;
      }
      this.takeUp(reply);
      this.samples.forget(reply.sample);
      if (reply.sample) await this.show(reply.sample);
      this.enable();
      this.say(reply.message);
    });
  }

  go(name, otherwise) {
    if (!name) { this.say(otherwise); return; }
    this.say("");
    this.alone(() => this.show(name));
  }

  change(changes) {
    this.shown.player?.change(changes);
    this.store();
  }

  // Takes up the page as it came from the server.
  start() {
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("click", (event) => this.onClick(event));
    addEventListener("popstate", () => {
      const name = new URLSearchParams(location.search).get("sample");
      if (name && !this.busy) this.alone(() => this.show(name, { remember: false }));
      else location.reload();
    });
    const keysOn = document.getElementById("keys-on");
    keysOn.checked = this.settings.keys;
    keysOn.addEventListener("change", () => { this.settings.keys = keysOn.checked; this.store(); });
    document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
    const first = document.getElementById("sample");
    if (first.dataset.name) {
      this.place(this.prepare(first));
      history.replaceState(null, "", this.address(first.dataset.name));
    } else {
      this.shown = { article: first, player: null };
      this.enable();
    }
  }

  onKey(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.help.open) return;
    if (typesInto(target)) {
      if (key === "Escape") { this.noteLeft(); target.blur(); this.say(""); }
      if (key === "Enter" && target === this.note) {
        event.preventDefault();
        target.blur();
        this.noteEntered();
      }
      return;
    }
    if (key === "Escape") { this.escaped(); this.say(""); return; }
    if (!this.settings.keys && key !== "?") return;
    // The keys that move a slider or press a button are theirs.
    if (key === " " && target.matches("button, summary, a")) return;
    if ((key.startsWith("Arrow") || key === "Home") && target.matches("input")) return;
    if (this.takesKey(key, event)) return;
    const command = this.keys[key] ?? this.keys[key.toLowerCase()];
    if (!command) return;
    event.preventDefault();
    if (!event.repeat || REPEATED.includes(command)) this.commands[command](null, event);
  }

  onClick(event) {
    // After a click, the space key plays the video; whoever came by keyboard stays where they are.
    if (event.detail) event.target.closest("button, summary")?.blur();
    if (this.takesClick(event.target)) return;
    const pressed = event.target.closest("button[data-command], .thumb");
    if (!pressed) return;
    if (pressed.dataset.command) this.commands[pressed.dataset.command](pressed);
    else if (pressed.dataset.seconds) this.shown.player?.seek(Number(pressed.dataset.seconds));
  }
}
