"""Keeps the relevance of frames in one Parquet file, one row for each ranking."""

from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from video_oasis.evidence.evidence_file import merge_evidence, read_evidence
from video_oasis.evidence.prepared import RelevanceKey, Relevances
from video_oasis.media.frames import MediaFailure

_COLUMNS: Final = {
    "id": pl.String(),
    "relevance": pl.Binary(),
    "failure_kind": pl.String(),
    "failure_message": pl.String(),
}
_NUMBERS: Final = "<f4"
"""A million lists of numbers as such would take many times the memory while they are read."""


def write_relevances(relevances: Relevances, ids: Mapping[RelevanceKey, str], file: Path) -> None:
    """Write rankings and failures, beside the others that the file holds.

    Args:
        relevances: what came of each ranking.
        ids: the name of each, as ``name_rankings`` gives it.
        file: the file; it need not be there.

    Raises:
        RunError: the file is damaged or cannot be written.
    """
    rows = (_to_row(ids[key], result) for key, result in relevances.items())
    merge_evidence(rows, _COLUMNS, ("id",), file)


def read_relevances(
    file: Path, ids: Mapping[RelevanceKey, str]
) -> dict[RelevanceKey, Sequence[float] | MediaFailure]:
    """Read those of the wanted rankings that the file holds; none if there is no file.

    Args:
        file: the file.
        ids: the wanted rankings, and the name of each.

    Raises:
        RunError: the file is damaged.
    """
    wanted = set(ids.values())
    found = {
        row["id"]: _from_row(row) for row in read_evidence(file, _COLUMNS) if row["id"] in wanted
    }
    return {key: found[name] for key, name in ids.items() if name in found}


def _to_row(name: str, result: Sequence[float] | MediaFailure) -> dict[str, Any]:
    if isinstance(result, MediaFailure):
        return {"id": name, "failure_kind": result.kind, "failure_message": result.message}
    return {"id": name, "relevance": np.asarray(result, _NUMBERS).tobytes()}


def _from_row(row: Mapping[str, Any]) -> Sequence[float] | MediaFailure:
    if row["failure_kind"] is not None:
        return MediaFailure(row["failure_kind"], row["failure_message"])
    return array("f", np.frombuffer(row["relevance"], _NUMBERS).tolist())
