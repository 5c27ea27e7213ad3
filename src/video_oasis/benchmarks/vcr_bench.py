"""VCR-Bench (arXiv 2504.07956): video reasoning step by step, partly with choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.inline import split_choices
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import METADATA_REFERENCE, Video

_NAME = "vcr-bench"
# Ends every question; it asks for a way of answering and is no part of question or last choice.
_INSTRUCTION = "Please provide a step-by-step solution to the given question."


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "VCR-Bench.tsv"), root=root)
    return read_rows(
        _NAME,
        rows,
        identify=lambda row: row.name("id"),
        take=_take,
        has_choices=lambda row: split_choices(_ask(row)) is not None,
    )


def _ask(row: RawRow) -> str:
    return row.text("question").strip().removesuffix(_INSTRUCTION).strip()


def _take(row: RawRow) -> Parts:
    text = _ask(row)
    # Choices alone tell the kind: the text answer of one open question happens to be "E".
    inline = split_choices(text)
    return Parts(
        video=Video(row.name("video_path"), duration_seconds=row.seconds("duration")),
        question=inline.question if inline else text,
        choices=inline.choices if inline else None,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        task=row.text("dimension"),
        metadata={
            **row.without(
                "id", "video_path", "duration", "question", "answer", "dimension", "reasoning"
            ),
            METADATA_REFERENCE: row.text("reasoning"),
        },
    )


VCR_BENCH: Final = Benchmark(
    _NAME,
    "temporal",
    "VCR-Bench.tsv",
    _read,
    published=Publication(
        "VLM-Reasoning/VCR-Bench", annotations=("VCR-Bench.tsv",), videos=("v1/videos/*.zip",)
    ),
)
