"""Keeps the texts of a run's clips in one Parquet file, one row for each text."""

from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.diagnostics.interface import Need
from video_oasis.evidence.evidence_file import read_evidence, write_evidence
from video_oasis.evidence.prepared import ClipText, TextKey, Texts
from video_oasis.media.frames import MediaFailure

_COLUMNS: Final = {
    "benchmark": pl.String(),
    "sample_id": pl.String(),
    "need": pl.String(),
    "parts": pl.List(pl.String()),
    "outside": pl.String(),
    "is_cut": pl.Boolean(),
    "failure_kind": pl.String(),
    "failure_message": pl.String(),
}


def write_texts(texts: Texts, file: Path) -> None:
    """Write texts and failures, in place of what the file held.

    Raises:
        RunError: the file cannot be written.
    """
    write_evidence((_to_row(key, result) for key, result in texts.items()), _COLUMNS, file)


def read_texts(file: Path) -> dict[TextKey, ClipText | MediaFailure]:
    """Read the texts that the file holds; none if there is no file.

    Raises:
        RunError: the file is damaged.
    """
    texts: dict[TextKey, ClipText | MediaFailure] = {}
    for row in read_evidence(file, _COLUMNS):
        key = TextKey(row["benchmark"], row["sample_id"], Need(row["need"]))
        texts[key] = (
            ClipText(tuple(row["parts"]), row["outside"], row["is_cut"])
            if row["failure_kind"] is None
            else MediaFailure(row["failure_kind"], row["failure_message"])
        )
    return texts


def _to_row(key: TextKey, result: ClipText | MediaFailure) -> dict[str, Any]:
    row = {"benchmark": key.benchmark, "sample_id": key.sample_id, "need": key.need.value}
    if isinstance(result, MediaFailure):
        return row | {"failure_kind": result.kind, "failure_message": result.message}
    return row | {
        "parts": list(result.parts),
        "outside": result.outside,
        "is_cut": result.is_cut,
    }
