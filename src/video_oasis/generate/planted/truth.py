"""What was planted in each sample of a calibration set, and the file that says so."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import BenchmarkError
from video_oasis.whole_file import write_whole

TRUTH_FILE: Final = "truth.jsonl"
"""Name of the file of truth in the folder of a set."""

TESTS: Final = (
    *("blind", "audio", "summary", "center_frame", "random_frame"),
    *("shuffle", "reverse", "bag_of_frames"),
)
"""The diagnostics whose verdicts a sample's truth foretells."""
PAPER_TESTS: Final = ("blind", "audio", "summary", "center_frame", "shuffle", "bag_of_frames")
"""The six of them that arXiv 2603.29616 has."""
REFERENCE: Final = "standard"
"""The diagnostic that shows the video as it is; the truth foretells it too."""
CHECKS: Final = ("consistency", "redundancy", "sensitivity")
"""The ambiguity checks whose flags a sample's truth foretells."""


class PlantedKind(StrEnum):
    """What gives a sample's answer away, or that nothing does, or what is wrong with it."""

    BLIND = "blind"
    """The wording: a text prior, or a label that is always right."""
    AUDIO = "audio"
    """It is said in the clip."""
    SUMMARY = "summary"
    """Captions of the clip's eighths, in order, say it."""
    CENTER_FRAME = "center_frame"
    """A static attribute in plain sight of the middle frame, and of few others."""
    ORDER_FREE = "order_free"
    """A static attribute in sight of some frames, the middle one not among them."""
    NATIVE = "native"
    """Nothing but the frames in their order."""
    DEFECTIVE = "defective"
    """The question, its choices or its label are wrong, or any part of the clip answers it."""


class Evidence(StrEnum):
    """Something that a viewer who misses nothing could answer a sample from."""

    TEXT = "text"
    """Question and choices."""
    SPEECH = "speech"
    """The transcript."""
    CAPTIONS = "captions"
    """The captions of the eighths, in order."""
    FRAME = "frame"
    """Any one of the sample's ``frames``."""
    ORDER = "order"
    """Frames of all eighths, in order."""
    ORDER_EITHER_WAY = "order_either_way"
    """Frames of all eighths, in order or backwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedSample:
    """The truth about one sample.

    Attributes:
        sample_id: the sample.
        kind: what was planted.
        variant: the sort of question within the kind, such as ``direction`` or ``wrong_label``.
        evidence: what the answer can be had from; any one suffices.
        frames: numbers of the frames that show it, counted from 0; empty unless ``evidence`` has
            ``frame``.
        acceptable: the choices that someone who saw and heard the whole clip would pick; not the
            published answer alone where the sample is defective, and empty where none fits.
        solved_by: the diagnostics of ``TESTS``, and ``REFERENCE``, under which a perfect answerer
            gets the published answer.
        may_solve: those under which it depends on the frame that is drawn, or on the answerer's
            pick among several acceptable choices.
        flagged_by: the checks that flag the sample if enough perfect answerers are asked, which
            spread their picks evenly over the acceptable choices, or over all where none is, and
            if the six tests of arXiv 2603.29616 count as tests.
    """

    sample_id: str
    kind: PlantedKind
    variant: str
    evidence: tuple[Evidence, ...]
    frames: tuple[int, ...]
    acceptable: tuple[str, ...]
    solved_by: tuple[str, ...]
    may_solve: tuple[str, ...]
    flagged_by: tuple[str, ...]


def write_truth(samples: Iterable[PlantedSample], folder: Path) -> Path:
    """Write the truth as JSON Lines into the folder of a set.

    Raises:
        OSError: the file cannot be written.
    """
    file = folder / TRUTH_FILE
    lines = [json.dumps(asdict(sample), ensure_ascii=False) for sample in samples]
    write_whole(file, "".join(f"{line}\n" for line in lines).encode())
    return file


def read_truth(folder: Path) -> tuple[PlantedSample, ...]:
    """Read what was planted in each sample of a set.

    Raises:
        BenchmarkError: there is no such file, a row is not one of truth, or two rows are about the
            same sample.
    """
    file = folder / TRUTH_FILE
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(
            f"{file}: cannot be read ({error}); expected the truth of a calibration set. Make one "
            "with 'oasis calibrate', or name the folder that holds it"
        ) from error
    samples: dict[str, PlantedSample] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{file} line {number}"
        sample = _read_row(line, where)
        if sample.sample_id in samples:
            raise BenchmarkError(
                f"{where}: sample {sample.sample_id!r} stands in an earlier line; keep one"
            )
        samples[sample.sample_id] = sample
    if not samples:
        raise BenchmarkError(f"{file}: it is empty; expected one line for each sample of the set")
    return tuple(samples.values())


def _read_row(line: str, where: str) -> PlantedSample:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BenchmarkError(f"{where}: no JSON ({error}); write the set again") from error
    if not isinstance(row, dict):
        raise BenchmarkError(f"{where}: {line[:60]!r}; expected an object; write the set again")
    tests = (*TESTS, REFERENCE)
    return PlantedSample(
        sample_id=_read_text(row, "sample_id", where),
        kind=PlantedKind(_read_one(row, "kind", tuple(PlantedKind), where)),
        variant=_read_text(row, "variant", where),
        evidence=tuple(map(Evidence, _read_some(row, "evidence", tuple(Evidence), where))),
        frames=_read_numbers(row, "frames", where),
        acceptable=_read_some(row, "acceptable", None, where),
        solved_by=_read_some(row, "solved_by", tests, where),
        may_solve=_read_some(row, "may_solve", tests, where),
        flagged_by=_read_some(row, "flagged_by", CHECKS, where),
    )


def _read_text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value:
        raise BenchmarkError(
            f"{where}: {name} is {value!r}; expected a text that is not empty. Write the set again"
        )
    return value


def _read_one(row: Mapping[str, Any], name: str, known: tuple[str, ...], where: str) -> str:
    value = _read_text(row, name, where)
    _check_known([value], name, known, where)
    return value


def _read_some(
    row: Mapping[str, Any], name: str, known: tuple[str, ...] | None, where: str
) -> tuple[str, ...]:
    values = row.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BenchmarkError(
            f"{where}: {name} is {values!r}; expected a list of texts. Write the set again"
        )
    if known is not None:
        _check_known(values, name, known, where)
    return tuple(values)


def _read_numbers(row: Mapping[str, Any], name: str, where: str) -> tuple[int, ...]:
    values = row.get(name)
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise BenchmarkError(
            f"{where}: {name} is {values!r}; expected a list of whole numbers. Write the set again"
        )
    return tuple(values)


def _check_known(values: Iterable[str], name: str, known: tuple[str, ...], where: str) -> None:
    for value in values:
        if value not in known:
            raise BenchmarkError(
                f"{where}: {name} has {value!r}; expected {', '.join(known)}. Is the set from "
                "another version of this program? Write it again"
            )
