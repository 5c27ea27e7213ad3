"""Writes a distilled set to a folder, and says how a folder differs from what a run gives."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.distil.card import Origin, write_card
from video_oasis.distil.decide import SHORTCUT, DistilledSample, Fate
from video_oasis.errors import RunError
from video_oasis.hashing import canonical_json
from video_oasis.judgements.standing import DecisionRule
from video_oasis.whole_file import write_whole

_COLUMNS: Final = {
    "benchmark": pl.String(),
    "sample_id": pl.String(),
    "task": pl.String(),
    "video": pl.String(),
    "reasons": pl.List(pl.String()),
    "votes": pl.List(pl.Struct({"test": pl.String(), "n_right": pl.Int64()})),
    "corrected_target": pl.Int64(),
}
_SHOWN: Final = 5


def write_distilled(
    samples: Sequence[DistilledSample], origin: Origin, folder: Path
) -> tuple[Path, ...]:
    """Write ``kept``, ``dropped`` and ``undecided`` as JSONL and Parquet, the card and the origin.

    Returns:
        The files.

    Raises:
        RunError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for fate in Fate:
            rows = [_to_row(sample) for sample in samples if sample.fate is fate]
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            files.append(_write(folder / f"{fate}.jsonl", lines.encode("utf-8", "surrogatepass")))
            table = folder / f"{fate}.parquet"
            pl.DataFrame(rows, schema=_COLUMNS).write_parquet(table)
            files.append(table)
        files.append(_write(folder / "README.md", write_card(samples, origin).encode()))
        text = json.dumps(_plain(origin), ensure_ascii=False, indent=1) + "\n"
        files.append(_write(folder / "origin.json", text.encode()))
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror or error})") from error
    return tuple(files)


def compare_distilled(
    samples: Sequence[DistilledSample], origin: Origin, folder: Path
) -> list[str]:
    """Return how the files of a folder differ from a set, each difference in one line.

    Args:
        samples: the set, made anew.
        origin: where it comes from now.
        folder: what was written before.

    Raises:
        RunError: the folder lacks a file, or one cannot be read.
    """
    try:
        written = json.loads((folder / "origin.json").read_bytes())
        rows = {
            fate: [json.loads(line) for line in _read_lines(folder / f"{fate}.jsonl")]
            for fate in Fate
        }
        stated = {
            key: written[key] for key in ("threshold", "tests", "models", "answers", "judged")
        }
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunError(
            f"{folder}: no distilled set that can be read is there ({error}); write one with "
            "'oasis distil RUN --out DIR'"
        ) from error
    now: dict[str, Any] = json.loads(canonical_json(_plain(origin)))
    differences = [
        f"{key}: the folder says {_short(value)}, the run gives {_short(now[key])}"
        for key, value in stated.items()
        if value != now[key]
    ]
    for fate in Fate:
        there = {canonical_json(row) for row in rows[fate]}
        made = {canonical_json(_to_row(sample)) for sample in samples if sample.fate is fate}
        only = {"only in the folder": there - made, "only in the run": made - there}
        for label, these in only.items():
            if these:
                ids = sorted(json.loads(row)["sample_id"] for row in these)
                more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
                differences.append(f"{fate}: {len(ids)} {label}: {', '.join(ids[:_SHOWN])}{more}")
    return differences


def read_threshold(folder: Path) -> int | None:
    """Return the threshold that a written set states, None if there is none to read."""
    threshold = _read_origin(folder).get("threshold")
    return threshold if isinstance(threshold, int) else None


def read_decision_rule(folder: Path) -> DecisionRule | None:
    """Return the rule that a written set's judgements decide by, None if there is none to read."""
    judged = _read_origin(folder).get("judged")
    rule = judged.get("rule") if isinstance(judged, dict) else None
    return DecisionRule(rule) if rule in list(DecisionRule) else None


def read_members(folder: Path, fate: Fate) -> dict[tuple[str, str], int | None]:
    """Return the samples of a written set that have one fate, each with its corrected target.

    Returns:
        The index of the right choice where people corrected it, else None, by benchmark and sample.

    Raises:
        RunError: there is no such set, or it cannot be read.
    """
    return _read_field(folder, fate, "corrected_target")


def read_shortcuts(folder: Path) -> frozenset[tuple[str, str]]:
    """Return the samples that a written set drops as shortcuts, by benchmark and sample.

    Raises:
        RunError: there is no such set, or it cannot be read.
    """
    return frozenset(
        key
        for key, reasons in _read_field(folder, Fate.DROPPED, "reasons").items()
        if any(reason.startswith(SHORTCUT) for reason in reasons)
    )


def read_voters(folder: Path) -> frozenset[str]:
    """Return the ids of the models whose answers chose a written set; none if it names none."""
    origin = _read_origin(folder)
    try:
        return frozenset(each for name in origin["voters"] for each in origin["models"][name])
    except (KeyError, TypeError):
        return frozenset()


def _read_field(folder: Path, fate: Fate, field: str) -> dict[tuple[str, str], Any]:
    file = folder / f"{fate}.jsonl"
    try:
        rows = [json.loads(line) for line in _read_lines(file)]
        return {(row["benchmark"], row["sample_id"]): row[field] for row in rows}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunError(
            f"{file}: no distilled set that can be read is there ({error}); write one with "
            "'oasis distil RUN'"
        ) from error


def _read_origin(folder: Path) -> dict[str, Any]:
    try:
        origin = json.loads((folder / "origin.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return origin if isinstance(origin, dict) else {}


def _read_lines(file: Path) -> list[str]:
    # Texts may hold other line ends than the one that ends a row.
    text = file.read_text(encoding="utf-8", errors="surrogatepass")
    return text.removesuffix("\n").split("\n") if text else []


def _to_row(sample: DistilledSample) -> dict[str, Any]:
    return {
        "benchmark": sample.benchmark,
        "sample_id": sample.sample_id,
        "task": sample.task,
        "video": sample.video,
        "reasons": list(sample.reasons),
        "votes": [{"test": test, "n_right": n} for test, n in sample.votes.items()],
        "corrected_target": sample.corrected_target,
    }


def _plain(origin: Origin) -> dict[str, Any]:
    return asdict(origin)


def _short(value: object) -> str:
    text = canonical_json(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _write(file: Path, data: bytes) -> Path:
    write_whole(file, data)
    return file
