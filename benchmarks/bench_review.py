"""How long the review page takes with a thousand queued samples, measured in Chromium.

The samples are those of a run with real clips; every model's answers scatter, so that all of them
are queued for consistency. Times are from the key press, or the start of the navigation, to the
picture on the screen.
"""

import json
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from playwright.sync_api import Page, sync_playwright

from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.audit import open_audit, plan_audit
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry
from video_oasis.judgements.journal import Journal
from video_oasis.media.store import FrameStore
from video_oasis.preparation import prepare_evidence
from video_oasis.review.app import Review, make_app
from video_oasis.review.contents import RunContents, collect_contents
from video_oasis.review.guard import Access
from video_oasis.review.server import listen, make_server, write_link
from video_oasis.run_folder import RunFolder
from video_oasis.schema import Answer
from video_oasis.store import NewAnswer, Store

N_SAMPLES: Final = 1000
N_VIDEOS: Final = 50
N_FIRST: Final = 5
N_STEPS: Final = 40
MODELS: Final = ("ant", "bee", "cat", "dog", "eel")
CHROMIUM_FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PRESS_AND_WAIT: Final = """(key) => new Promise((resolve) => {
  const name = () => document.getElementById("sample").dataset.name;
  const [before, start] = [name(), performance.now()];
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const look = () => requestAnimationFrame(() => {
    // The frame after the one in which the page changed is the one that shows it.
    if (name() === before) look();
    else requestAnimationFrame(() => resolve(performance.now() - start));
  });
  look();
})"""


def write_benchmark(folder: Path) -> Path:
    videos = folder / "videos"
    videos.mkdir()
    for video in range(N_VIDEOS):
        with av.open(str(videos / f"{video}.mp4"), "w") as out:
            stream: Any = out.add_stream("libx264", rate=25)
            stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
            for number in range(100):
                picture = np.full((360, 640, 3), (video * 4, number * 2, 90), np.uint8)
                out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
            out.mux(stream.encode(None))
    rows = [
        {
            "id": f"q{number}", "video": f"{number % N_VIDEOS}.mp4", "answer": "A",
            "task": "colour", "question": f"How does the colour change in scene {number}?",
            "options": ["not at all", "to green", "to blue", "to red", "to black", "to white"],
        }
        for number in range(N_SAMPLES)
    ]  # fmt: skip
    questions = folder / "questions.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return questions


def make_run(folder: Path) -> RunContents:
    """Make a run in which no two models agree."""
    settings = AuditSettings(
        benchmarks=(
            BenchmarkEntry(
                write_benchmark(folder),
                columns=ColumnMapping(name="colours"),
                videos=folder / "videos",
            ),
        ),
        models=tuple(
            ModelEntry(f"openai/{name}@http://127.0.0.1:9/v1", name=name) for name in MODELS
        ),
        diagnostics=("standard", "shuffle", "chunk"),
    )
    audit, run = open_audit(settings), RunFolder(folder / "run")
    with run.lock(), Store.create(run.answers) as store:
        evidence = prepare_evidence(
            audit, run, store, FrameStore(run.frames), listener=lambda _: None, note=lambda _: None
        )
        for assignment in plan_audit(audit, evidence).assignments:
            letter = "ABCDE"[MODELS.index(assignment.model_name)]
            store.put_model(assignment.model_id, assignment.description)
            store.put_answers(
                assignment.model_id,
                [NewAnswer(key, trial.request, Answer(letter)) for key, trial in assignment.asks()],
            )
        started = time.perf_counter()
        contents = collect_contents(plan_audit(audit, evidence), evidence, store)
        print(f"run read in {time.perf_counter() - started:.1f} s")
    return contents


@contextmanager
def serve(contents: RunContents, folder: Path) -> Iterator[str]:
    access = Access("127.0.0.1")
    frames = FrameStore(folder / "run/frames")
    journal = Journal(folder / "judgements.jsonl")
    app = make_app(Review(contents, journal, frames.read_picture, "ann"), access)
    server = make_server(app)
    with listen("127.0.0.1", 0, 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield write_link(access, listener)
        server.should_exit = True
        thread.join()


def measure_first(tab: Page, link: str) -> list[float]:
    """Return the milliseconds to the first picture of the page, and to its largest element."""
    tab.goto(link)
    tab.wait_for_url("**/?*sample=*")
    times = []
    for _ in range(N_FIRST):
        tab.reload()
        tab.wait_for_function("() => document.querySelector('video')?.readyState >= 2")
        times.append(
            float(
                tab.evaluate(
                    "() => Math.max(performance.getEntriesByType('navigation')[0].loadEventEnd,"
                    " performance.getEntriesByName('first-contentful-paint')[0].startTime)"
                )
            )
        )
    return times


def measure_steps(tab: Page, keys: str) -> list[float]:
    """Return the milliseconds from each key press to the next sample, at a reviewer's pace."""
    times = []
    for number in range(N_STEPS):
        tab.wait_for_timeout(300)
        times.append(float(tab.evaluate(PRESS_AND_WAIT, keys[number % len(keys)])))
    return times


def describe(what: str, times: list[float], required: float) -> None:
    ordered = sorted(times)
    print(
        f"{what}: median {statistics.median(ordered):.0f} ms, 95 % within "
        f"{ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms, longest {ordered[-1]:.0f} ms "
        f"(required: {required:.0f})"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        contents = make_run(folder)
        print(f"{len(contents.queues['consistency'])} samples queued")
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(CHROMIUM_FLAGS)
        )
        with serve(contents, folder) as link:
            tab = chromium.new_page()
            describe("first page", measure_first(tab, link), 1000)
            describe("next sample after a decision", measure_steps(tab, "k12"), 100)
            describe("next sample without one", measure_steps(tab, "n"), 100)
            tab.context.close()
        chromium.close()


if __name__ == "__main__":
    main()
