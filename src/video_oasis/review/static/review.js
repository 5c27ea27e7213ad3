// The page on which the samples of a run are judged, and sorted into categories.

import { Desk, button } from "./desk.js";
import { explain } from "./samples.js";

// In the queue of categories there is a button for each of them in place of the decisions.
const sorters = [...document.querySelectorAll("[data-category]")];
const sorts = sorters.length > 0;

const DECISION_KEYS = {
  k: "keep", 1: "wrong_label", 2: "ambiguous", 3: "several_right", 4: "broken_video", 5: "other",
  r: "restore", c: "correct", s: "skip",
};
const DECISIONS =
  ["keep", "wrong_label", "ambiguous", "several_right", "broken_video", "other", "restore"];
const filters = document.getElementById("filters");

class Review extends Desk {
  asksNote = false; // "other" waits for its note

  get undoAddress() { return sorts ? "/categories/undo" : "/undo"; }

  placed() {
    this.asksNote = false;
    this.pick(false);
    this.page.classList.toggle("hides", this.settings.hides);
    this.closeDrops();
  }

  enabled() {
    const data = this.shown.article.dataset;
    const deciders = sorts ? sorters : [...DECISIONS, "correct", "skip"].map(button);
    for (const each of deciders) {
      each.disabled = !data.name;
      const isOwn = (each.dataset.category ?? each.dataset.command) === data.opinion;
      each.setAttribute("aria-pressed", String(isOwn));
    }
    if (!sorts) button("restore").disabled = !data.restore;
  }

  escaped() {
    this.pick(false);
    this.closeDrops();
  }

  noteLeft() { this.asksNote = false; }

  noteEntered() { if (this.asksNote) this.commands.other(); }

  takesKey(key, event) {
    const letter = key.toLowerCase();
    if (this.page.classList.contains("picking") && /^[a-z]$/.test(letter)) {
      event.preventDefault();
      if (!event.repeat) this.choose(letter.charCodeAt(0) - 97);
      return true;
    }
    const sorter = sorters.find((each) => each.dataset.key === key);
    if (sorter && !sorter.disabled && !event.repeat) this.sort(sorter.dataset.category);
    return false;
  }

  takesClick(target) {
    const picked = target.closest(".pick, .picking li[data-choice]");
    if (picked) this.choose(Number(picked.dataset.choice));
    return Boolean(picked);
  }

  decide(decision, choice = null) {
    return this.save("/judgements", { query: this.page.dataset.query, decision, choice });
  }

  sort(category) {
    return this.save("/categories", { query: this.page.dataset.query, category });
  }

  pick(on) {
    this.page.classList.toggle("picking", on);
    for (const each of this.shown?.article.querySelectorAll(".pick") ?? []) each.hidden = !on;
    if (on) this.say("Which answer is right? Press its letter; Esc leaves it as it is.");
  }

  choose(choice) {
    const { article } = this.shown;
    if (!article.querySelector(`li[data-choice="${choice}"]`)) {
      this.say("There is no such choice.", "bad");
    } else if (choice === Number(article.dataset.target)) {
      this.say("That is the published answer; to keep it press k.", "bad");
    } else {
      this.pick(false);
      this.decide("correct", choice);
    }
  }

  askNote() {
    this.asksNote = true;
    this.say("Say why, then press Enter.");
    this.note.focus();
  }

  closeDrops() {
    this.page.classList.remove("drops-open");
    document.querySelector("[data-command=drops]")?.setAttribute("aria-expanded", "false");
  }

  toggleDetails(selector) {
    const all = [...this.shown.article.querySelectorAll(selector)];
    if (!all.length) { this.say("There is nothing of the kind here."); return; }
    const open = !all.some((each) => each.open);
    for (const each of all) each.open = open;
    if (open) all[0].scrollIntoView({ block: "nearest" });
  }
}

const desk = new Review({
  ...(sorts ? {} : DECISION_KEYS), u: "undo", n: "next", p: "previous", "/": "search", 0: "home",
  g: "gold", h: "hide", t: "texts", f: "shown",
});
for (const decision of DECISIONS) desk.commands[decision] = () => desk.decide(decision);
Object.assign(desk.commands, {
  restore() {
    if (desk.shown.article.dataset.restore) desk.decide("restore");
    else desk.say("Only samples of the sensitivity queue can be restored.", "bad");
  },
  correct() {
    if (desk.shown.article.dataset.name) desk.pick(!desk.page.classList.contains("picking"));
  },
  other: () => { if (desk.note.value.trim()) desk.decide("other"); else desk.askNote(); },
  sort: (pressed) => desk.sort(pressed.dataset.category),
  skip() {
    const { opinion, upcoming, following } = desk.shown.article.dataset;
    if (opinion) desk.go(upcoming || following, "Your decision stands; there is no next one.");
    else desk.decide("skip");
  },
  search() {
    filters.hidden = false;
    filters.elements.text.select();
  },
  drops(pressed) {
    const open = desk.page.classList.toggle("drops-open");
    pressed.setAttribute("aria-expanded", String(open));
  },
  gold: () => desk.page.classList.toggle("hides"),
  hide() {
    desk.settings.hides = !desk.settings.hides;
    desk.page.classList.toggle("hides", desk.settings.hides);
    desk.store();
    desk.say(desk.settings.hides ? "Answers are hidden on every sample until g." : "Answers are shown.");
  },
  texts: () => desk.toggleDetails("details.text"),
  shown: () => desk.toggleDetails("details.shown"),
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

desk.start();
