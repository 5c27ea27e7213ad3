"""A run to review: real clips, decoded for real, with answers as written here."""

import http.client
import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import av
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from starlette.types import ASGIApp

from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.audit import OpenAudit, open_audit, plan_audit
from video_oasis.categorization.files import read_categorized, write_assignments
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, write_settings
from video_oasis.evidence.prepared import Prepared
from video_oasis.growing_file import GrowingFile
from video_oasis.judgements.journal import Journal
from video_oasis.media.store import FrameStore
from video_oasis.open_ended.people.files import PeopleFiles, read_chosen, write_chosen
from video_oasis.open_ended.people.grades import GradeFile
from video_oasis.open_ended.people.sampling import ChosenPair, Stratum
from video_oasis.preparation import prepare_evidence
from video_oasis.review.app import Review, make_app
from video_oasis.review.contents import RunContents, collect_contents
from video_oasis.review.grading.app import Grading, make_grading_app
from video_oasis.review.grading.contents import collect_answers
from video_oasis.review.guard import Access
from video_oasis.review.server import listen, make_server, write_link
from video_oasis.run_folder import RunFolder
from video_oasis.schema import Answer, Status, Trial, Video
from video_oasis.store import NewAnswer, Store
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.taxonomy.votes import AssignedSample, Outcome, Vote

CHROMIUM_FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SCRIPT: Final = "<script>document.title = 'owned'; window.owned = 1</script>"
MARKUP: Final = "<img src=x onerror=\"window.owned = 1\">' onfocus='window.owned = 1' x='"
MODELS: Final = ("ant", "bee", "cat")
LETTERS: Final = "ABCD"


@dataclass(frozen=True)
class MadeRun:
    """A run and what is in it.

    Attributes:
        folder: the run.
        contents: what the page shows of it.
    """

    folder: RunFolder
    contents: RunContents

    def name(self, sample_id: str) -> str:
        """Return the name of a sample in addresses."""
        return next(
            name for name, each in self.contents.samples.items() if each.sample.id == sample_id
        )


def write_clip(path: Path, *, codec: str = "libx264", seconds: int = 4) -> None:
    """Write a clip in which a bar moves from left to right, one step each frame."""
    n_frames = 25 * seconds
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream(codec, rate=25, options={"g": "10"})
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for number in range(n_frames):
            picture = np.full((180, 320, 3), (30, 60, 90), np.uint8)
            left = 300 * number // n_frames
            picture[60:120, left : left + 20] = (240, 200, 80)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        out.mux(stream.encode(None))


def write_images(folder: Path) -> None:
    """Write a video as a folder of eight images."""
    folder.mkdir()
    for number in range(8):
        Image.new("RGB", (320, 180), (25 * number, 80, 120)).save(folder / f"{number:03}.jpg")


def describe_row(number: int) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": f"q{number:02}",
        "video": f"clip{number % 4}.mp4",
        "question": f"What does the bar do first, before it reaches place {number}?",
        "choices": ["it rests", "it moves to the right", "it moves to the left", "it turns"],
        "answer": LETTERS[number % 4],
        "task": "order" if number % 2 else "motion",
        "start": None,
        "end": None,
    }
    special: dict[int, dict[str, Any]] = {
        1: {"start": 1.0, "end": 2.0},
        2: {"video": "container.mkv"},
        20: {"video": "old.mp4"},
        21: {"video": "images"},
        22: {"video": "nowhere.mp4"},
        23: {
            "id": SCRIPT,
            "video": "../../etc/passwd",
            "question": SCRIPT,
            "choices": [MARKUP, SCRIPT, "c", "d"],
            "task": MARKUP,
        },
    }
    return row | special.get(number, {})


def choose_letter(model: str, diagnostic: str, trial: Trial) -> str:
    """Answer so that q00 to q09 scatter, q10 to q19 need no order, and any chunk tells q20."""
    id_ = trial.sample.id
    number = int(id_[1:]) if id_[1:].isdecimal() else 99
    right = trial.sample.target
    wrong = (right + 1 + MODELS.index(model)) % 4
    if diagnostic == "standard":
        return LETTERS[wrong if number < 10 else right]
    if diagnostic == "shuffle":
        return LETTERS[right if 10 <= number < 20 else (right + 1) % 4]
    return LETTERS[right if number == 20 else (right + 1) % 4]


def answer_all(audit: OpenAudit, evidence: Prepared, store: Store) -> None:
    for assignment in plan_audit(audit, evidence).assignments:
        store.put_model(assignment.model_id, assignment.description)
        answers = [
            NewAnswer(
                key,
                trial.request,
                Answer(choose_letter(assignment.model_name, assignment.diagnostic, trial)),
            )
            for key, trial in assignment.asks()
        ]
        store.put_answers(assignment.model_id, answers)


def write_benchmark(folder: Path) -> Path:
    videos = folder / "videos"
    videos.mkdir(parents=True)
    for number in range(4):
        write_clip(videos / f"clip{number}.mp4")
    write_clip(videos / "container.mkv")
    write_clip(videos / "old.mp4", codec="mpeg4")
    write_images(videos / "images")
    questions = folder / "questions.jsonl"
    rows = [describe_row(number) for number in range(24)]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return questions


@pytest.fixture(scope="session")
def made_run(tmp_path_factory: pytest.TempPathFactory) -> MadeRun:
    """Make the run once; judgements belong elsewhere."""
    root = tmp_path_factory.mktemp("review")
    questions = write_benchmark(root)
    settings = AuditSettings(
        benchmarks=(
            BenchmarkEntry(
                questions,
                columns=ColumnMapping(name="bars"),
                videos=root / "videos",
                images_fps=2.0,
            ),
        ),
        models=tuple(
            ModelEntry(f"openai/{name}@http://127.0.0.1:9/v1", name=name) for name in MODELS
        ),
        diagnostics=("standard", "shuffle", "chunk"),
    )
    folder = RunFolder(root / "run")
    audit = open_audit(settings)
    frames = FrameStore(folder.frames)
    with folder.lock(), Store.create(folder.answers) as store:
        write_settings(settings, folder.settings)
        evidence = prepare_evidence(
            audit, folder, store, frames, listener=lambda _done: None, note=lambda _text: None
        )
        answer_all(audit, evidence, store)
        contents = collect_contents(plan_audit(audit, evidence), evidence, store)
    return MadeRun(folder, contents)


@pytest.fixture
def sorted_contents(made_run: MadeRun, tmp_path: Path) -> RunContents:
    """Give the run categories: the panel agrees on q00 and is split on q01 to q04 and the last."""
    taxonomy = Taxonomy(
        (
            Category("Order", "What comes before what."),
            Category(f"Place {MARKUP}", f"Where it is. {SCRIPT}"),
            *(Category(f"Kind {number}", "More.") for number in range(3, 11)),
        )
    )
    split = (
        Vote("ant", "Order", Status.OK),
        Vote("bee", "Kind 3", Status.OK),
        Vote("cat", None, Status.UNPARSED, "empty"),
    )
    samples = made_run.contents.audit.samples
    by_key = {(each.benchmark, each.id): each for each in samples}
    assigned = [AssignedSample("bars", "q00", "motion", "Order", Outcome.ACCEPTED, split[:1])]
    assigned += [
        AssignedSample("bars", name, "motion", None, Outcome.SPLIT, split)
        for name in ("q01", "q02", "q03", "q04", SCRIPT)
    ]
    write_assignments(assigned, by_key, taxonomy, tmp_path / "categories")
    contents = made_run.contents
    with Store.read(made_run.folder.answers) as store:
        return collect_contents(
            contents.audit, contents.evidence, store, read_categorized(tmp_path / "categories")
        )


@dataclass
class Served:
    """A review page that is being served.

    Attributes:
        link: the link that lets in.
        journal: where its judgements go.
        access: who may come in.
    """

    link: str
    journal: GrowingFile[Any]
    access: Access

    @property
    def port(self) -> int:
        port = urlsplit(self.link).port
        assert port
        return port

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def judgements(self) -> tuple[Any, ...]:
        return self.journal.read()

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        with_cookie: bool = True,
    ) -> "Reply":
        """Send one plain request, with the cookies and the origin of a page unless told not to."""
        sent = {"Origin": self.root, "Content-Type": "application/json"}
        if with_cookie:
            sent["Cookie"] = f"{self.access.cookie}={self.access.session}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            content = None if body is None else json.dumps(body)
            sent |= headers or {}
            connection.request(method, path, content, {k: v for k, v in sent.items() if v})
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.headers.items()), answer.read())
        finally:
            connection.close()


@dataclass(frozen=True)
class Reply:
    """A response."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Serve = Callable[..., Any]


@contextmanager
def run_server(
    make: Callable[[Access], ASGIApp], journal: GrowingFile[Any], host: str = "127.0.0.1"
) -> Iterator[Served]:
    access = Access(host)
    server = make_server(make(access))
    with listen("127.0.0.1", 0, 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Served(write_link(Access("127.0.0.1", access.token), listener), journal, access)
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def serve(made_run: MadeRun, tmp_path: Path) -> Serve:
    """Serve the run's page, with a journal of the test's own, while a block runs."""

    def start(*, reviewer: str = "", journal: Path | None = None, **changes: Any) -> Any:
        review = Review(
            contents=changes.get("contents", made_run.contents),
            journal=Journal(journal or tmp_path / "judgements.jsonl"),
            read_picture=FrameStore(made_run.folder.frames).read_picture,
            default_reviewer=reviewer,
        )
        return run_server(
            lambda access: make_app(review, access),
            review.journal,
            changes.get("host", "127.0.0.1"),
        )

    return start


@pytest.fixture
def served(serve: Serve) -> Iterator[Served]:
    """Serve the run's page for the reviewer ann."""
    with serve(reviewer="ann") as page:
        yield page


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> PeopleFiles:
    """Write by hand a run of open questions with five chosen answers."""
    run = tmp_path_factory.mktemp("grading") / "run"
    run.mkdir()
    (run / "judging.toml").write_text("# what the run judges stands here\n", encoding="utf-8")
    clip = run.parent / "clip.mp4"
    write_clip(clip)
    described: list[tuple[str, str, Path | None]] = [
        ("What does the bar do?", "it moves to the right", clip),
        ("What colour is it?", "golden", clip),
        ("What stands behind it?", "nothing that the clip would show", run.parent / "gone.mp4"),
        (SCRIPT, MARKUP, None),
        ("", "", run.parent),
    ]
    chosen = [
        ChosenPair(
            pair=f"pair1-{number}",
            benchmark="open",
            sample_id=f"q{number}",
            video=Video("clip.mp4", 1.0, 2.0) if number == 1 else Video(f"../{number}.mp4"),
            file=file,
            question=question,
            reference="yellow" if number == 1 else answer,
            answer=answer,
            stratum=Stratum.UNSETTLED,
            chance=0.0129,
            weight=77.5,
        )
        for number, (question, answer, file) in enumerate(described)
    ]
    write_chosen(PeopleFiles(run).sample, chosen)
    return PeopleFiles(run)


@pytest.fixture
def serve_answers(people: PeopleFiles, tmp_path: Path) -> Serve:
    """Serve the page of those answers, with a file of grades of the test's own."""

    def start(reviewer: str = "ann") -> Any:
        grading = Grading(
            collect_answers(read_chosen(people.sample)),
            GradeFile(tmp_path / "grades.jsonl"),
            reviewer,
        )
        return run_server(lambda access: make_grading_app(grading, access), grading.file)

    return start


# While it is open an event loop runs in this thread, and tests elsewhere run loops of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(CHROMIUM_FLAGS)
        )
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """Open a tab of a new browser profile; a fault in a script of the page fails the test."""
    context = browser.new_context()
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.on(
        "console",
        lambda message: faults.append(message.text) if "Content Security" in message.text else None,
    )
    yield page
    context.close()
    assert not faults


@pytest.fixture
def press(tab: Page) -> Callable[..., None]:
    """Press keys that decide, and wait until the page, the tab's unless told, has moved on."""

    def press(*keys: str, on: Page = tab) -> None:
        before = on.locator("#sample").get_attribute("data-name")
        for key in keys:
            on.keyboard.press(key)
        on.wait_for_function(
            "name => document.getElementById('sample').dataset.name !== name", arg=before
        )

    return press


@pytest.fixture
def list_nameless() -> Callable[[Page], list[str]]:
    """List what can be used on a page and has no name that could be read out."""

    def find(tab: Page) -> list[str]:
        found: list[str] = tab.evaluate(
            """() => [...document.querySelectorAll('button, input, select, a, summary')]
              .filter((each) => each.checkVisibility() && !each.ariaLabel &&
                !each.textContent.trim() && !each.labels?.length)
              .map((each) => each.outerHTML)"""
        )
        return found

    return find
