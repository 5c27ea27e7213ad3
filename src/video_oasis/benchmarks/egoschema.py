"""EgoSchema (arXiv 2308.09126): three-minute first-person clips, the subset with public answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "egoschema"


def _read(root: Path) -> Iterator[Row]:
    rows = read_files(find_files(root, "test-*.parquet"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("question_idx"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(f"{row.name('video_idx')}.mp4"),
        question=row.text("question"),
        choices=row.texts("option"),
        labelled=True,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.INDEX0,
        task=_NAME,
        metadata=row.without("question_idx", "video_idx", "question", "option", "answer"),
    )


EGOSCHEMA: Final = Benchmark(
    _NAME,
    "spatial",
    "test-*.parquet of the Subset folder",
    _read,
    published=Publication(
        "lmms-lab/egoschema",
        annotations=("Subset/test-*.parquet",),
        videos=("videos_chunked_*.zip",),
    ),
)
