"""Keeps a run's timelines in one Parquet file, one row for each timeline."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.evidence.evidence_file import merge_evidence, read_evidence
from video_oasis.evidence.wanted import TimelineKey, Timelines
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Frame

_COLUMNS: Final = {
    "benchmark": pl.String(),
    "path": pl.String(),
    "sampling": pl.String(),
    "video": pl.String(),
    "window_seconds": pl.Float64(),
    "n_window_frames": pl.Int64(),
    "digests": pl.List(pl.String()),
    "seconds": pl.List(pl.Float64()),
    "failure_kind": pl.String(),
    "failure_message": pl.String(),
}


def write_timelines(timelines: Timelines, file: Path) -> None:
    """Write timelines and failures, beside the others that the file holds.

    Raises:
        RunError: the file is damaged or cannot be written.
    """
    rows = (_to_row(key, result) for key, result in timelines.items())
    merge_evidence(rows, _COLUMNS, ("benchmark", "path", "sampling"), file)


def read_timelines(
    file: Path, wanted: Mapping[TimelineKey, Sampling]
) -> dict[TimelineKey, Timeline | MediaFailure]:
    """Read those of the wanted timelines that the file holds; none if there is no file.

    Raises:
        RunError: the file is damaged.
    """
    timelines: dict[TimelineKey, Timeline | MediaFailure] = {}
    for row in read_evidence(file, _COLUMNS):
        key = TimelineKey(row["benchmark"], row["path"], row["sampling"])
        if key in wanted:
            timelines[key] = _from_row(row, wanted[key])
    return timelines


def _to_row(key: TimelineKey, result: Timeline | MediaFailure) -> dict[str, Any]:
    row = {"benchmark": key.benchmark, "path": key.path, "sampling": key.sampling}
    if isinstance(result, MediaFailure):
        return row | {"failure_kind": result.kind, "failure_message": result.message}
    return row | {
        "video": result.video,
        "window_seconds": result.window_seconds,
        "n_window_frames": result.n_window_frames,
        "digests": [frame.digest for frame in result.frames],
        "seconds": [frame.seconds for frame in result.frames],
    }


def _from_row(row: Mapping[str, Any], sampling: Sampling) -> Timeline | MediaFailure:
    if row["failure_kind"] is not None:
        return MediaFailure(row["failure_kind"], row["failure_message"])
    return Timeline(
        video=row["video"],
        sampling=sampling,
        frames=tuple(map(Frame, row["digests"], row["seconds"])),
        window_seconds=row["window_seconds"],
        n_window_frames=row["n_window_frames"],
    )
