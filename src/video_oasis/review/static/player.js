// Plays a sample's clip: its video, or, where the browser cannot play it, the frames that were
// taken of it.

const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const USUAL_FPS = 25;
const MARGIN = 0.12; // of the clip's length, shown on both sides of it
const FRAMES_PER_SECOND = 4; // of single frames, at normal speed

export function writeClock(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(2).padStart(5, "0")}`;
}

class VideoScreen {
  constructor(video, fps) {
    this.video = video;
    this.fps = fps || USUAL_FPS;
  }
  get time() { return this.video.currentTime; }
  get length() { return this.video.duration || 0; }
  get paused() { return this.video.paused; }
  play() { this.video.play().catch(() => {}); }
  pause() { this.video.pause(); }
  seek(seconds) {
    this.video.currentTime = Math.min(Math.max(seconds, 0), this.length);
  }
  // To the middle of a frame: its edges are not exact.
  step(n) {
    this.pause();
    const frame = Math.floor(this.time * this.fps + 0.01);
    this.seek((Math.max(frame + n, 0) + 0.5) / this.fps);
  }
  apply(settings) {
    this.video.playbackRate = settings.speed;
    this.video.muted = settings.muted;
  }
  release() {
    this.pause();
    this.video.removeAttribute("src");
    this.video.load();
  }
}

class FramesScreen {
  constructor(image, frames, address, changed) {
    Object.assign(this, { image, frames, address, changed, speed: 1, number: 0, timer: 0 });
    image.hidden = false;
    this.show(0);
  }
  get time() { return this.frames[this.number].seconds; }
  get length() { return this.frames.at(-1).seconds; }
  get paused() { return !this.timer; }
  show(number) {
    this.number = Math.min(Math.max(number, 0), this.frames.length - 1);
    const { digest, seconds } = this.frames[this.number];
    this.image.src = `${this.address}/${digest}`;
    this.image.alt = `frame ${this.number + 1} of ${this.frames.length}, ${writeClock(seconds)}`;
    this.changed();
  }
  play() {
    this.pause();
    this.timer = setInterval(
      () => this.show((this.number + 1) % this.frames.length),
      1000 / (FRAMES_PER_SECOND * this.speed));
    this.changed();
  }
  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.changed();
  }
  seek(seconds) {
    const distance = (frame) => Math.abs(frame.seconds - seconds);
    let nearest = 0;
    this.frames.forEach((frame, number) => {
      if (distance(frame) < distance(this.frames[nearest])) nearest = number;
    });
    this.show(nearest);
  }
  step(n) {
    this.pause();
    this.show(this.number + n);
  }
  apply(settings) {
    this.speed = settings.speed;
    if (!this.paused) this.play();
  }
  release() { clearInterval(this.timer); }
}

export class Player {
  // section: the part of the page; settings: speed, muted and loops, shared by all players.
  constructor(section, settings) {
    this.section = section;
    this.settings = settings;
    this.screen = null;
    this.wanted = false; // whether it should play as soon as it can
    this.last = 0;
    const data = section.dataset;
    this.start = Number(data.start) || 0;
    this.end = Number(data.end) || Infinity;
    this.hasClip = data.start !== "" || data.end !== "";
    this.marks = JSON.parse(data.marks);
    this.range = section.querySelector("input[type=range]");
    this.range.addEventListener("input", () => this.seek(Number(this.range.value)));
    this.video = section.querySelector("video");
    section.querySelector(".loop").hidden = !this.hasClip;
    if (this.video) this.watch();
    else this.fallBack(data.trouble);
  }

  watch() {
    const video = this.video;
    const fail = () => {
      if (this.isReleased) return;
      const why = video.error?.message || "it holds no picture that can be decoded";
      this.fallBack(`This browser cannot play the video (${why}).`);
    };
    const begin = () => {
      if (!video.videoWidth) { fail(); return; }
      this.screen = new VideoScreen(video, Number(this.section.dataset.fps));
      this.screen.apply(this.settings);
      this.screen.seek(this.start);
      this.last = this.start;
      this.drawTrack();
      this.update();
      if (this.wanted) this.screen.play();
    };
    // The video of the first sample starts loading before this script runs.
    if (video.error) fail();
    else if (video.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else video.addEventListener("loadedmetadata", begin);
    video.addEventListener("error", fail);
    for (const name of ["seeked", "timeupdate", "play", "pause"]) {
      video.addEventListener(name, () => this.update());
    }
    video.addEventListener("play", () => this.tick());
    video.addEventListener("ended", () => {
      if (this.settings.loops || !this.hasClip) { this.screen.seek(this.start); this.screen.play(); }
    });
  }

  // Follows the video closer than its own events do, so that a clip ends where it should.
  tick() {
    const video = this.video;
    if (video.paused || !video.isConnected) return;
    const passes = this.last < this.end && video.currentTime >= this.end;
    if (passes && this.settings.loops) this.screen.seek(this.start);
    this.last = video.currentTime;
    this.update();
    requestAnimationFrame(() => this.tick());
  }

  async fallBack(reason) {
    const trouble = this.section.querySelector(".trouble");
    this.screen = null;
    if (this.video) { this.video.remove(); this.video = null; }
    trouble.hidden = false;
    let frames = [];
    if (this.section.dataset.frames) {
      try {
        const response = await fetch(this.section.dataset.frames);
        if (response.ok) frames = await response.json();
      } catch { /* the message below says that there are none */ }
      reason += frames.length
        ? ` The ${frames.length} frames that were taken of it are shown instead.`
        : " No frames were taken of it either.";
    }
    trouble.textContent = reason;
    this.section.classList.add(frames.length ? "with-frames" : "without-picture");
    if (!frames.length) return;
    const address = this.section.dataset.frames.replace("/frames/", "/frame/");
    this.screen = new FramesScreen(
      this.section.querySelector(".frame"), frames, address, () => this.update());
    this.screen.apply(this.settings);
    this.fillStrip(frames, address);
    this.drawTrack();
    this.update();
    if (this.wanted) this.screen.play();
  }

  fillStrip(frames, address) {
    const strip = this.section.querySelector(".strip");
    strip.hidden = false;
    strip.replaceChildren(...frames.map(({ digest, seconds }, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "thumb";
      button.dataset.seconds = seconds;
      const image = document.createElement("img");
      image.loading = "lazy";
      image.src = `${address}/${digest}`;
      image.alt = `frame ${number + 1} of ${frames.length}, ${writeClock(seconds)}`;
      button.append(image);
      return button;
    }));
  }

  // The stretch that the timeline shows: the clip with a margin while it loops, else everything.
  get view() {
    const length = this.screen?.length || 1;
    if (!this.hasClip || !this.settings.loops || this.start >= length) return [0, length];
    const end = Math.min(this.end, length);
    const margin = MARGIN * (end - this.start);
    return [Math.max(this.start - margin, 0), Math.min(end + margin, length)];
  }

  drawTrack() {
    const [first, last] = this.view;
    const svg = this.section.querySelector("svg");
    const draw = (kind, start, length) => {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      rect.setAttribute("class", kind);
      rect.setAttribute("x", start);
      rect.setAttribute("width", Math.max(length, 0));
      rect.setAttribute("height", 1);
      return rect;
    };
    svg.setAttribute("viewBox", `${first} 0 ${last - first} 1`);
    svg.replaceChildren(
      draw("whole", first, last - first),
      ...(this.hasClip ? [draw("clip", this.start, Math.min(this.end, last) - this.start)] : []),
      ...this.marks.map(([start, length]) => draw("evidence tells", start, length)));
    this.range.min = first;
    this.range.max = last;
  }

  update() {
    if (!this.screen) return;
    const { time, paused } = this.screen;
    this.range.value = time;
    this.range.setAttribute("aria-valuetext", writeClock(time));
    this.section.querySelector(".clock").textContent =
      `${writeClock(time)} / ${writeClock(this.screen.length)}`;
    this.section.querySelector(".speed").textContent = `${this.settings.speed}×`;
    const play = this.section.querySelector("[data-command=play]");
    play.textContent = paused ? "▶" : "❚❚";
    play.setAttribute("aria-pressed", String(!paused));
    this.section.querySelector(".loop").setAttribute("aria-pressed", String(this.settings.loops));
    this.section.querySelector(".mute").setAttribute("aria-pressed", String(!this.settings.muted));
  }

  begin() {
    this.wanted = true;
    this.screen?.apply(this.settings);
    this.screen?.play();
  }
  toggle() {
    this.wanted = false;
    if (this.screen?.paused) this.screen.play(); else this.screen?.pause();
  }
  seek(seconds) {
    this.screen?.seek(seconds);
    this.last = seconds;
    this.update();
  }
  skip(seconds) { if (this.screen) this.seek(this.screen.time + seconds); }
  step(n) { this.wanted = false; this.screen?.step(n); }
  home() { this.seek(this.start); }
  change(settings) {
    Object.assign(this.settings, settings);
    this.screen?.apply(this.settings);
    this.drawTrack();
    this.update();
  }
  faster(n) {
    const place = SPEEDS.indexOf(this.settings.speed) + n;
    this.change({ speed: SPEEDS[Math.min(Math.max(place, 0), SPEEDS.length - 1)] });
  }
  release() {
    this.isReleased = true;
    this.screen?.release();
    this.screen = null;
  }
}
