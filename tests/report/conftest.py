"""A small audit report whose numbers are known by hand, with names that try to break out."""

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from PIL import Image

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.report.document import (
    AuditReport,
    BenchmarkRows,
    FateCount,
    GivenAnswer,
    LackingVideo,
    ModelFinding,
    ModelRecord,
    SampleView,
    Showing,
    Votes,
)
from video_oasis.schema import LONG_TABLE_COLUMNS

HOSTILE = "<script>alert(1)</script> | a_b & 50% \\"


def make_row(
    benchmark: str, task: str, number: int, diagnostic: str, model: str, *, right: bool | None
) -> dict[str, Any]:
    """Return a row of the long table; ``right`` is None for an answer that cannot be read."""
    return {
        "benchmark": benchmark,
        "sample_id": f"{task}-{number}",
        "video": f"{task}-{number}.mp4",
        "task": task,
        "diagnostic": diagnostic,
        "part": 0,
        "rotation": 0,
        "model": model,
        "draw": 0,
        "request": f"request1-{task}-{number}",
        "status": "unparsed" if right is None else "ok",
        "reason": "several_candidates" if right is None else "",
        "prediction": None if right is None else int(not right),
        "correct": right,
        "target_probability": 0.5 if model == "one" and diagnostic == "blind" else None,
        "n_choices": 4,
    }


def make_report(
    rows: Iterable[Mapping[str, Any]],
    *,
    tests: list[str],
    fates: tuple[FateCount, ...],
    views: tuple[SampleView, ...] = (),
    lacking: tuple[LackingVideo, ...] = (),
    backend: str = "test",
) -> AuditReport:
    """Report an audit of two models with these answers."""
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    table = pl.DataFrame(list(rows), schema=schema)
    benchmarks = table["benchmark"].unique().sort().to_list()
    tasks = table["task"].unique(maintain_order=True).to_list()
    return AuditReport(
        version="9.9",
        settings={"diagnostics": ["blind"]},
        rows=tuple(
            BenchmarkRows(name, "custom", "/data/q", 42, 41, 40, 0, (f"row 7: {HOSTILE}",))
            for name in benchmarks
        ),
        models=(ModelRecord("one", {"backend": backend}, ("model1-a",)),),
        summary=summarise(
            table,
            groups=dict.fromkeys(benchmarks, "custom"),
            tests=tests,
            resampling=Resampling(n_resamples=200),
        ),
        findings=tuple(
            ModelFinding(name, "blind", task, "one", f"option is {HOSTILE}", 0.5)
            for name in benchmarks
            for task in tasks
        ),
        samples=list_samples(arrange(table)),
        lacking=lacking,
        excluded=(),
        cut=(),
        skipped={},
        threshold=2,
        fates=fates,
        views=views,
    )


@pytest.fixture
def view() -> SampleView:
    """A sample of hostile text under three diagnostics; ``chunk`` asks one model twice."""
    right = GivenAnswer("one", 0, 0, "ok", "", 1, is_correct=True)
    wrong = GivenAnswer("two", 0, 0, "ok", "", 0, is_correct=False)
    also_wrong = GivenAnswer("one", 0, 0, "ok", "", 0, is_correct=False)
    unread = GivenAnswer("two", 0, 0, "unparsed", "several_candidates", None, None)
    frames = tuple(f"{number:064x}" for number in (7, 3, 5, 1, 9, 8, 2, 6, 4, 0))
    return SampleView(
        benchmark="bench",
        sample_id=f"id {HOSTILE}",
        task=HOSTILE,
        video=f"{HOSTILE}.mp4",
        question=f"Who? {HOSTILE}",
        choices=(f"he {HOSTILE}", "she"),
        target=1,
        fate="dropped",
        votes=(Votes("blind", 2, 2, True), Votes("shuffle", 1, 2, False)),
        checks={"consistency": f"found {HOSTILE}"},
        outside={"audio": "no_speech"},
        showings=(
            Showing("blind", 0, (), "", (right, unread)),
            Showing("shuffle", 0, frames, f"said {HOSTILE}", (right, wrong)),
            Showing("chunk", 0, frames[:5], "", (right,)),
            Showing("chunk", 1, frames[5:], "", (also_wrong,)),
        ),
    )


@pytest.fixture
def report(view: SampleView) -> AuditReport:
    """One test, two tasks of 40 samples: one right on 90 %, one at chance whose name is hostile."""
    rows = [
        make_row("bench", task, number, "blind", model, right=None if unread else number < right)
        for task, right in (("easy", 36), (HOSTILE, 10))
        for number in range(40)
        for model in ("one", "two")
        for unread in [model == "two" and number == 39]
    ]
    return make_report(
        rows, tests=["blind"], fates=(FateCount("bench", 80, 46, 34, 0, 0, 0),), views=(view,)
    )


@pytest.fixture
def wide_report() -> AuditReport:
    """Two benchmarks of 20 samples, tests ``blind`` and ``shuffle``, and ``standard``.

    Both models give the same answers. Samples by number: blind is right on the first 8 of ``b1``
    and 4 of ``b2``; shuffle on numbers 6 to 11 of ``b1`` and 2 to 3 of ``b2``; standard on the
    first 16. In ``b2``, number 19 has no readable answer under shuffle.
    """
    spans = {
        ("b1", "blind"): range(8),
        ("b1", "shuffle"): range(6, 12),
        ("b2", "blind"): range(4),
        ("b2", "shuffle"): range(2, 4),
        ("b1", "standard"): range(16),
        ("b2", "standard"): range(16),
    }
    rows = [
        make_row(
            benchmark,
            "task",
            number,
            diagnostic,
            model,
            right=None
            if (benchmark, diagnostic, number) == ("b2", "shuffle", 19)
            else number in span,
        )
        for (benchmark, diagnostic), span in spans.items()
        for number in range(20)
        for model in ("one", "two")
    ]
    return make_report(
        rows,
        tests=["blind", "shuffle"],
        fates=(
            FateCount("b1", 20, 12, 8, 0, 0, 0),
            FateCount("b2", 20, 4, 15, 1, 0, 1),
            FateCount("", 40, 16, 23, 1, 0, 1),
        ),
        lacking=(LackingVideo("b2", "task-19.mp4", "video_truncated", "breaks off", ("s1",)),),
        backend="learned",
    )


@pytest.fixture
def make_jpeg() -> Callable[[], bytes]:
    """Make a grey picture of 640 x 480."""

    def make() -> bytes:
        buffer = io.BytesIO()
        Image.new("RGB", (640, 480), (128, 128, 128)).save(buffer, "JPEG")
        return buffer.getvalue()

    return make


@pytest.fixture
def make_small_report() -> Callable[..., AuditReport]:
    """Make a report of one benchmark from the answers of each diagnostic and model."""

    def make(
        answers: Mapping[tuple[str, str], str], *, tests: list[str], threshold: int
    ) -> AuditReport:
        """``answers``: one sign a sample; + right, - wrong, ? not read, a space for no row."""
        rows = [
            make_row(
                "b", "task", number, diagnostic, model, right={"+": True, "-": False}.get(sign)
            )
            for (diagnostic, model), signs in answers.items()
            for number, sign in enumerate(signs)
            if sign != " "
        ]
        n_samples = max(map(len, answers.values()))
        report = make_report(
            rows, tests=tests, fates=(FateCount("b", n_samples, 0, n_samples, 0, 0, 0),)
        )
        return replace(report, threshold=threshold)

    return make
