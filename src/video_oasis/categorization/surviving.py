"""Says which samples of a run are categorised: those that its distilled set keeps, or all."""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from video_oasis.distil.decide import Fate
from video_oasis.distil.files import read_members
from video_oasis.errors import RunError, SettingsError
from video_oasis.schema import Sample


class Members(StrEnum):
    """Which samples."""

    KEPT = "kept"
    """Those of the distilled set."""
    ALL = "all"
    """All of the run."""


def choose_samples(samples: Iterable[Sample], members: Members, distilled: Path) -> list[Sample]:
    """Return the samples to categorise, with corrected targets where people corrected them.

    Args:
        samples: all samples of the run.
        members: which of them.
        distilled: the folder of the run's distilled set; not read for all samples.

    Raises:
        SettingsError: there is no distilled set, or none of its samples is in the run.
        RunError: the set cannot be read, or was made from other benchmark files.
    """
    if members is Members.ALL:
        return list(samples)
    if not distilled.is_dir():
        raise SettingsError(
            f"{distilled}: no distilled set is there; write it with 'oasis distil RUN', or "
            f"categorise all samples with --on all"
        )
    kept = read_members(distilled, Fate.KEPT)
    chosen = [
        _correct(sample, kept[sample.benchmark, sample.id], distilled)
        for sample in samples
        if (sample.benchmark, sample.id) in kept
    ]
    if len(chosen) < len(kept):
        raise RunError(
            f"{distilled}: {len(kept) - len(chosen)} of its {len(kept)} samples are not in the "
            f"run; write the set again with 'oasis distil RUN'"
        )
    if not chosen:
        raise SettingsError(
            f"{distilled}: the distilled set keeps no sample; categorise all with --on all"
        )
    return chosen


def _correct(sample: Sample, target: int | None, distilled: Path) -> Sample:
    if target is None:
        return sample
    if not 0 <= target < len(sample.choices):
        raise RunError(
            f"{distilled}: {sample.benchmark} sample {sample.id!r} is corrected to choice "
            f"{target}, and has {len(sample.choices)}; write the set again with 'oasis distil RUN'"
        )
    return replace(sample, target=target)
