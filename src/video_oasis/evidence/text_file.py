"""Keeps the texts of a run's clips in one Parquet file, one row for each text."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.diagnostics.interface import Need
from video_oasis.evidence.evidence_file import merge_evidence, read_evidence
from video_oasis.evidence.prepared import ClipText, TextKey, Texts
from video_oasis.media.frames import MediaFailure

_COLUMNS: Final = {
    "benchmark": pl.String(),
    "sample_id": pl.String(),
    "need": pl.String(),
    "origin": pl.String(),
    "parts": pl.List(pl.String()),
    "outside": pl.String(),
    "is_cut": pl.Boolean(),
    "failure_kind": pl.String(),
    "failure_message": pl.String(),
}


def write_texts(texts: Texts, origins: Mapping[TextKey, str], file: Path) -> None:
    """Write texts and failures, beside the others that the file holds.

    Args:
        texts: what came of each text.
        origins: what each was made from, as an id; a text made from something else is another.
        file: the file; it need not be there.

    Raises:
        RunError: the file is damaged or cannot be written.
    """
    rows = (_to_row(key, origins[key], result) for key, result in texts.items())
    merge_evidence(rows, _COLUMNS, ("benchmark", "sample_id", "need", "origin"), file)


def read_texts(
    file: Path, origins: Mapping[TextKey, str]
) -> dict[TextKey, ClipText | MediaFailure]:
    """Read those of the wanted texts that the file holds; none if there is no file.

    Args:
        file: the file.
        origins: the wanted texts, and what each is to be made from.

    Raises:
        RunError: the file is damaged.
    """
    texts: dict[TextKey, ClipText | MediaFailure] = {}
    for row in read_evidence(file, _COLUMNS):
        key = TextKey(row["benchmark"], row["sample_id"], Need(row["need"]))
        if origins.get(key) != row["origin"]:
            continue
        texts[key] = (
            ClipText(tuple(row["parts"]), row["outside"], row["is_cut"])
            if row["failure_kind"] is None
            else MediaFailure(row["failure_kind"], row["failure_message"])
        )
    return texts


def _to_row(key: TextKey, origin: str, result: ClipText | MediaFailure) -> dict[str, Any]:
    row = {
        "benchmark": key.benchmark,
        "sample_id": key.sample_id,
        "need": key.need.value,
        "origin": origin,
    }
    if isinstance(result, MediaFailure):
        return row | {"failure_kind": result.kind, "failure_message": result.message}
    return row | {
        "parts": list(result.parts),
        "outside": result.outside,
        "is_cut": result.is_cut,
    }
