"""A small audit report whose numbers are known by hand, with names that try to break out."""

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.report.document import (
    AuditReport,
    BenchmarkRows,
    ModelFinding,
    ModelRecord,
)
from video_oasis.schema import LONG_TABLE_COLUMNS

HOSTILE = "<script>alert(1)</script> | a_b & 50% \\"


def make_report(tasks: dict[str, float], *, benchmark: str = "bench") -> AuditReport:
    """Report an audit of 40 samples a task; two models are right on that share of each task."""
    rows = []
    for task, share in tasks.items():
        for number in range(40):
            for model in ("one", "two"):
                unread = model == "two" and number == 39
                right = number < 40 * share
                rows.append(
                    {
                        "benchmark": benchmark,
                        "sample_id": f"{task}-{number}",
                        "video": f"{task}-{number}.mp4",
                        "task": task,
                        "diagnostic": "blind",
                        "part": 0,
                        "model": model,
                        "draw": 0,
                        "request": f"request1-{task}-{number}",
                        "status": "unparsed" if unread else "ok",
                        "reason": "several_candidates" if unread else "",
                        "prediction": None if unread else int(not right),
                        "correct": None if unread else right,
                        "target_probability": 0.5 if model == "one" else None,
                        "n_choices": 4,
                    }
                )
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    table = pl.DataFrame(rows, schema=schema)
    return AuditReport(
        version="9.9",
        settings={"diagnostics": ["blind"]},
        rows=(
            BenchmarkRows(benchmark, "custom", "/data/q", 42, 41, 40, 0, (f"row 7: {HOSTILE}",)),
        ),
        models=(ModelRecord("one", {"backend": "test"}, ("model1-a",)),),
        summary=summarise(
            table,
            groups={benchmark: "custom"},
            resampling=Resampling(n_resamples=200),
        ),
        findings=tuple(
            ModelFinding(benchmark, "blind", task, "one", f"option is {HOSTILE}", 0.5)
            for task in tasks
        ),
        samples=list_samples(arrange(table)),
        lacking=(),
        excluded=(),
        cut=(),
        skipped={},
    )


@pytest.fixture
def report() -> AuditReport:
    """One task given away on 90 %, one at chance whose name is hostile."""
    return make_report({"easy": 0.9, HOSTILE: 0.25})
