// The page on which answers are graded: right, wrong or neither, and a score for those who like.

import { Desk, button } from "./desk.js";

const VERDICTS = { right: true, wrong: false, unsure: null };
const scores = [...document.querySelectorAll("[data-score]")];

class Grading extends Desk {
  score = null; // what goes with the verdict

  placed() {
    const { ownScore } = this.shown.article.dataset;
    this.setScore(ownScore ? Number(ownScore) : null);
  }

  enabled() {
    const { name, opinion } = this.shown.article.dataset;
    for (const verdict of Object.keys(VERDICTS)) {
      button(verdict).disabled = !name;
      button(verdict).setAttribute("aria-pressed", String(verdict === opinion));
    }
    for (const each of scores) each.disabled = !name;
  }

  setScore(score) {
    this.score = score;
    for (const each of scores) {
      each.setAttribute("aria-pressed", String(Number(each.dataset.score) === score));
    }
  }

  toggleScore(score) {
    if (!this.shown.article.dataset.name) return;
    this.setScore(score === this.score ? null : score);
    this.say(this.score === null ? "No score." : `Score ${score}; now right or wrong.`);
  }

  grade(verdict) {
    const correct = VERDICTS[verdict];
    this.save("/grades", { correct, score: correct === null ? null : this.score });
  }

  takesKey(key, event) {
    const pressed = scores.find((each) => each.dataset.score === key);
    if (pressed && !event.repeat) this.toggleScore(Number(key));
    return Boolean(pressed);
  }
}

const desk = new Grading({
  y: "right", n: "wrong", u: "unsure", z: "undo", j: "next", k: "previous", Home: "home",
});
for (const verdict of Object.keys(VERDICTS)) desk.commands[verdict] = () => desk.grade(verdict);
desk.commands.score = (pressed) => desk.toggleScore(Number(pressed.dataset.score));
desk.start();
