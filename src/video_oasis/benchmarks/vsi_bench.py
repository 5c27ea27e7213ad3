"""VSI-Bench (arXiv 2412.14171): room scans; numbers are asked openly, the rest with choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "vsi-bench"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "test.jsonl"), root=root)
    return read_rows(
        _NAME, rows, identify=lambda row: row.name("id"), take=_take, has_choices=_has_choices
    )


def _has_choices(row: RawRow) -> bool:
    return row.value("options") is not None


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(f"{row.name('dataset')}/{row.name('scene_name')}.mp4"),
        question=row.text("question"),
        choices=row.texts("options") if _has_choices(row) else None,
        labelled=True,
        answer=row.value("ground_truth"),
        answer_column="ground_truth",
        answer_form=AnswerForm.LETTER,
        task=row.text("question_type"),
        metadata=row.without(
            "id", "dataset", "scene_name", "question", "options", "ground_truth", "question_type"
        ),
    )


VSI_BENCH: Final = Benchmark(
    _NAME,
    "spatial",
    "test.jsonl",
    _read,
    published=Publication(
        "nyu-visionx/VSI-Bench",
        annotations=("test.jsonl",),
        videos=("arkitscenes.zip", "scannet.zip", "scannetpp.zip"),
    ),
)
