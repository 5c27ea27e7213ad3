// The review page: keys and buttons to commands, decisions to the server, the next sample at once.

import { Player } from "./player.js";
import { Samples, explain } from "./samples.js";

// In the queue of categories there is a button for each of them in place of the decisions.
const sorters = [...document.querySelectorAll("[data-category]")];
const sorts = sorters.length > 0;

const DECISION_KEYS = {
  k: "keep", 1: "wrong_label", 2: "ambiguous", 3: "several_right", 4: "broken_video", 5: "other",
  r: "restore", c: "correct", s: "skip",
};
const KEYS = {
  ...(sorts ? {} : DECISION_KEYS), u: "undo", n: "next", p: "previous", e: "note",
  "/": "search", "?": "help", " ": "play", ",": "back", ".": "forward", 0: "home", "[": "slower",
  "]": "faster", l: "loop", m: "mute", g: "gold", h: "hide", t: "texts", f: "shown",
  ArrowLeft: "earlier", ArrowRight: "later",
};
const DECISIONS =
  ["keep", "wrong_label", "ambiguous", "several_right", "broken_video", "other", "restore"];
const STORED = "oasis-review-settings";

const page = document.body;
const said = document.getElementById("said");
const note = document.getElementById("note");
const help = document.getElementById("help");
const filters = document.getElementById("filters");
const main = document.getElementById("main");

const settings = {
  speed: 1, muted: true, loops: true, hides: false, keys: true, ...readStored(),
};
let shown = null; // the article and the player of the sample on the page
let busy = false; // a decision is on its way
let asksNote = false; // "other" waits for its note

function readStored() {
  try { return JSON.parse(localStorage.getItem(STORED)) ?? {}; } catch { return {}; }
}

function store() {
  try { localStorage.setItem(STORED, JSON.stringify(settings)); } catch { /* kept for this page */ }
}

function say(message, kind = "") {
  said.className = kind;
  said.setAttribute("role", kind === "bad" ? "alert" : "status");
  said.textContent = message;
}

function prepare(article) {
  return { article, player: new Player(article.querySelector(".player"), settings) };
}

const samples = new Samples(page.dataset.query, prepare);

// Puts a sample on the page.
function place(part) {
  shown?.player?.release();
  shown?.article.replaceWith(part.article);
  shown = part;
  note.value = "";
  asksNote = false;
  pick(false);
  page.classList.toggle("hides", settings.hides);
  closeDrops();
  enable();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) part.player.begin();
  const { following, upcoming, previous } = part.article.dataset;
  samples.expect([upcoming, following, previous]);
}

async function show(name, { remember = true } = {}) {
  const part = await samples.take(name);
  place(part);
  const address = `/?${page.dataset.query}&sample=${name}`;
  if (remember) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  scrollTo(0, 0);
  part.article.querySelector("h1").focus({ preventScroll: true });
}

function enable() {
  const data = shown.article.dataset;
  const button = (command) => document.querySelector(`.bar [data-command=${command}]`);
  const deciders = sorts ? sorters : [...DECISIONS, "correct", "skip"].map(button);
  for (const each of deciders) {
    each.disabled = !data.name;
    const isOwn = (each.dataset.category ?? each.dataset.command) === data.opinion;
    each.setAttribute("aria-pressed", String(isOwn));
  }
  if (!sorts) button("restore").disabled = !data.restore;
  button("next").disabled = !data.following;
  button("previous").disabled = !data.previous;
  button("undo").disabled = !page.dataset.undo;
}

async function post(address, body) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, reviewer: page.dataset.reviewer }),
    });
  } catch {
    throw new Error("Not saved: the server does not answer. Start it again, and open its new link.");
  }
  if (response.ok) return response.json();
  const error = new Error(await explain(response));
  error.isOutdated = response.status === 409;
  throw error;
}

function takeUp(reply) {
  page.dataset.undo = reply.undo;
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
async function alone(change) {
  if (busy) return;
  busy = true;
  page.classList.add("busy");
  try {
    await change();
  } catch (error) {
    say(error.message, "bad");
    if (error.isOutdated) await show(error.sample, { remember: false }).catch(() => {});
  } finally {
    busy = false;
    page.classList.remove("busy");
  }
}

function decide(decision, choice = null) {
  return save("/judgements", { decision, choice });
}

function sort(category) {
  return save("/categories", { category });
}

function save(address, decided) {
  const { name, seen } = shown.article.dataset;
  if (!name) return undefined;
  return alone(async () => {
    let reply;
    try {
      reply = await post(address, {
        sample: name, seen, query: page.dataset.query, note: note.value, ...decided,
      });
    } catch (error) {
      error.sample = name;
      throw error;
    }
    takeUp(reply);
    if (reply.next) {
      await show(reply.next);
      // It was fetched when this sample was not judged yet.
      shown.article.querySelector(".place").textContent = reply.place;
      say(reply.message);
    } else {
      await show(name, { remember: false });
      say(`${reply.message} Nothing is left to judge here.`);
    }
  });
}

function undo() {
  return alone(async () => {
    let reply;
    try {
      reply = await post(sorts ? "/categories/undo" : "/undo", { expected: page.dataset.undo });
    } catch (error) {
      if (error.isOutdated) { location.reload(); return; }
      throw error;
    }
    takeUp(reply);
    samples.forget(reply.sample);
    if (reply.sample) await show(reply.sample);
    enable();
    say(reply.message);
  });
}

function go(name, otherwise) {
  if (!name) { say(otherwise); return; }
  say("");
  alone(() => show(name));
}

function pick(on) {
  page.classList.toggle("picking", on);
  for (const button of shown?.article.querySelectorAll(".pick") ?? []) button.hidden = !on;
  if (on) say("Which answer is right? Press its letter; Esc leaves it as it is.");
}

function choose(choice) {
  const { article } = shown;
  if (!article.querySelector(`li[data-choice="${choice}"]`)) {
    say("There is no such choice.", "bad");
  } else if (choice === Number(article.dataset.target)) {
    say("That is the published answer; to keep it press k.", "bad");
  } else {
    pick(false);
    decide("correct", choice);
  }
}

function askNote() {
  asksNote = true;
  say("Say why, then press Enter.");
  note.focus();
}

function closeDrops() {
  page.classList.remove("drops-open");
  document.querySelector("[data-command=drops]")?.setAttribute("aria-expanded", "false");
}

function toggleDetails(selector) {
  const all = [...shown.article.querySelectorAll(selector)];
  if (!all.length) { say("There is nothing of the kind here."); return; }
  const open = !all.some((each) => each.open);
  for (const each of all) each.open = open;
  if (open) all[0].scrollIntoView({ block: "nearest" });
}

function change(changes) {
  shown.player?.change(changes);
  store();
}

const COMMANDS = {
  restore() {
    if (shown.article.dataset.restore) decide("restore");
    else say("Only samples of the sensitivity queue can be restored.", "bad");
  },
  correct: () => { if (shown.article.dataset.name) pick(!page.classList.contains("picking")); },
  other: () => { if (note.value.trim()) decide("other"); else askNote(); },
  sort: (button) => sort(button.dataset.category),
  skip() {
    const { opinion, upcoming, following } = shown.article.dataset;
    if (opinion) go(upcoming || following, "Your decision stands; there is no next one.");
    else decide("skip");
  },
  undo: () => { if (page.dataset.undo) undo(); else say("There is nothing to undo."); },
  next: () => go(shown.article.dataset.following, "This is the last one."),
  previous: () => go(shown.article.dataset.previous, "This is the first one."),
  note: () => note.focus(),
  search() {
    filters.hidden = false;
    filters.elements.text.select();
  },
  help: () => help.showModal(),
  drops(button) {
    const open = page.classList.toggle("drops-open");
    button.setAttribute("aria-expanded", String(open));
  },
  play: () => shown.player?.toggle(),
  back: () => shown.player?.step(-1),
  forward: () => shown.player?.step(1),
  home: () => shown.player?.home(),
  earlier: (_button, event) => shown.player?.skip(event?.shiftKey ? -5 : -1),
  later: (_button, event) => shown.player?.skip(event?.shiftKey ? 5 : 1),
  slower() { shown.player?.faster(-1); store(); },
  faster() { shown.player?.faster(1); store(); },
  loop: () => change({ loops: !settings.loops }),
  mute: () => change({ muted: !settings.muted }),
  gold: () => page.classList.toggle("hides"),
  hide() {
    settings.hides = !settings.hides;
    page.classList.toggle("hides", settings.hides);
    store();
    say(settings.hides ? "Answers are hidden on every sample until g." : "Answers are shown.");
  },
  texts: () => toggleDetails("details.text"),
  shown: () => toggleDetails("details.shown"),
};
for (const decision of DECISIONS) COMMANDS[decision] ??= () => decide(decision);

function typesInto(target) {
  return target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open) return;
  if (typesInto(target)) {
    if (key === "Escape") { asksNote = false; target.blur(); say(""); }
    if (key === "Enter" && target === note) {
      event.preventDefault();
      target.blur();
      if (asksNote) COMMANDS.other();
    }
    return;
  }
  if (key === "Escape") { pick(false); closeDrops(); say(""); return; }
  if (!settings.keys && key !== "?") return;
  // The keys that move a slider or press a button are theirs.
  if (key === " " && target.matches("button, summary, a")) return;
  if (key.startsWith("Arrow") && target.matches("input")) return;
  const letter = key.toLowerCase();
  if (page.classList.contains("picking") && /^[a-z]$/.test(letter)) {
    event.preventDefault();
    if (!event.repeat) choose(letter.charCodeAt(0) - 97);
    return;
  }
  const sorter = sorters.find((each) => each.dataset.key === key);
  if (sorter && !sorter.disabled && !event.repeat) sort(sorter.dataset.category);
  const command = KEYS[key] ?? KEYS[letter];
  if (!command) return;
  event.preventDefault();
  const repeats = ["back", "forward", "earlier", "later", "next", "previous"].includes(command);
  if (!event.repeat || repeats) COMMANDS[command](null, event);
});

document.addEventListener("click", (event) => {
  // After a click, the space key plays the video; whoever came by keyboard stays where they are.
  if (event.detail) event.target.closest("button, summary")?.blur();
  const button = event.target.closest("button[data-command], .thumb, .pick, .picking li[data-choice]");
  if (!button) return;
  if (button.dataset.choice) choose(Number(button.dataset.choice));
  else if (button.dataset.command) COMMANDS[button.dataset.command](button);
  else if (button.dataset.seconds) shown.player?.seek(Number(button.dataset.seconds));
});

// What a test showed is fetched when it is opened: it may be a hundred pictures.
document.addEventListener("toggle", async (event) => {
  const details = event.target;
  if (!details.open || !details.dataset?.load || details.dataset.loaded) return;
  details.dataset.loaded = "yes";
  const room = details.querySelector(".loaded");
  try {
    const response = await fetch(details.dataset.load);
    if (!response.ok) throw new Error(await explain(response));
    room.innerHTML = await response.text();
  } catch (error) {
    room.textContent = error.message;
    delete details.dataset.loaded;
  }
}, true);

filters.addEventListener("change", (event) => {
  if (event.target.matches("select")) filters.requestSubmit();
});
filters.addEventListener("submit", () => {
  // What is not set stays out of the address.
  for (const field of filters.elements) if (field.name && !field.value) field.disabled = true;
});
addEventListener("pageshow", () => {
  for (const field of filters.elements) field.disabled = false;
});

addEventListener("popstate", () => {
  const name = new URLSearchParams(location.search).get("sample");
  if (name && !busy) alone(() => show(name, { remember: false }));
  else location.reload();
});

const keysOn = document.getElementById("keys-on");
keysOn.checked = settings.keys;
keysOn.addEventListener("change", () => { settings.keys = keysOn.checked; store(); });

document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
const first = document.getElementById("sample");
if (first.dataset.name) {
  place(prepare(first));
  history.replaceState(null, "", `/?${page.dataset.query}&sample=${first.dataset.name}`);
} else {
  shown = { article: first, player: null };
  enable();
}
