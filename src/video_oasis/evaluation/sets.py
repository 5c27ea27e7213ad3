"""Says which samples a model is evaluated on: all of a run, or those that were distilled."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from video_oasis.distil.decide import Fate
from video_oasis.distil.files import read_members, read_shortcuts, read_voters
from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import Gathered
from video_oasis.hashing import content_id
from video_oasis.judgements.corrections import correct_table
from video_oasis.report.evaluation.document import SetRecord
from video_oasis.schema import Sample, SampleKey

ORIGINAL: Final = "original"
"""The set of all samples, scored as published."""
DISTILLED: Final = "distilled"
"""The set of the samples that the runs' own distilled sets keep."""
DROPPED: Final = "dropped"
"""The set of the samples that they drop."""
SHORTCUTS: Final = "shortcuts"
"""The set of those that they drop as shortcuts, whatever people say of them besides."""

_FATES: Final = {DISTILLED: Fate.KEPT, DROPPED: Fate.DROPPED, SHORTCUTS: Fate.DROPPED}


@dataclass(frozen=True, slots=True)
class EvaluatedSet:
    """The samples of a set and the answers about them.

    Attributes:
        record: which samples they are.
        table: the rows of the long table about them, scored by the set's targets.
    """

    record: SetRecord
    table: pl.DataFrame


def choose_set(name: str, gathered: Gathered, folders: Sequence[Path]) -> EvaluatedSet:
    """Return the answers about the samples of a set.

    Args:
        name: ``original``, ``distilled``, ``dropped``, ``shortcuts``, or the path of a folder that
            ``oasis distil`` wrote, which stands for the samples that it keeps.
        gathered: the answers about all samples.
        folders: the distilled sets of the runs.

    Raises:
        SettingsError: there is no such set, or none of its samples is in the runs.
        RunError: a folder holds no set that can be read.
    """
    if name == ORIGINAL:
        targets = {key: sample.target for key, sample in gathered.samples.items()}
        record = _record(ORIGINAL, "all samples of the runs", targets, gathered.samples)
        return EvaluatedSet(record, gathered.table)
    if name in _FATES:
        places = [folder for folder in folders if folder.is_dir()]
        if not places:
            raise SettingsError(
                f"--on {name}: the runs have no distilled set; write one with 'oasis distil RUN', "
                f"or name the folder of another one"
            )
        return _select(name, _FATES[name], gathered, places)
    if not Path(name).is_dir():
        raise SettingsError(
            f"--on {name}: no such set or folder; expected {ORIGINAL}, {DISTILLED}, {DROPPED}, "
            f"{SHORTCUTS} or the folder of a distilled set"
        )
    return _select(name, Fate.KEPT, gathered, [Path(name)])


def _select(name: str, fate: Fate, gathered: Gathered, folders: Sequence[Path]) -> EvaluatedSet:
    members = _read_members(name, fate, folders)
    source = ", ".join(map(str, folders))
    if not members:
        raise SettingsError(f"--on {name}: {source} has no such sample")
    there = {key: target for key, target in members.items() if key in gathered.samples}
    if not there:
        raise SettingsError(
            f"--on {name}: none of the {len(members)} samples of {source} is in the runs; "
            f"evaluate runs of the benchmarks that the set was distilled from"
        )
    targets = {
        key: gathered.samples[key].target if target is None else target
        for key, target in there.items()
    }
    _check_targets(source, targets, gathered)
    corrections = {key: target for key, target in there.items() if target is not None}
    keys = pl.DataFrame(
        list(there), schema={"benchmark": pl.String, "sample_id": pl.String}, orient="row"
    )
    rows = gathered.table.join(
        keys, on=["benchmark", "sample_id"], how="semi", maintain_order="left"
    )
    if corrections:
        rows = correct_table(rows, gathered.samples, corrections)
    voters = frozenset[str]().union(*map(read_voters, folders))
    return EvaluatedSet(
        _record(
            name,
            source,
            targets,
            gathered.samples,
            n_absent=len(members) - len(there),
            n_corrected=len(corrections),
            is_dropped=fate is Fate.DROPPED,
            voters=tuple(
                contender.label
                for contender in gathered.contenders
                if voters.intersection(contender.ids)
            ),
        ),
        rows,
    )


def _read_members(name: str, fate: Fate, folders: Sequence[Path]) -> dict[SampleKey, int | None]:
    """Return the samples of a set, with their corrected targets, where the folders agree."""
    decided: dict[SampleKey, tuple[Fate, int | None]] = {}
    for folder in folders:
        for each in Fate:
            for key, target in read_members(folder, each).items():
                if decided.setdefault(key, (each, target)) != (each, target):
                    raise SettingsError(
                        f"--on {name}: the distilled sets of the runs differ about {key[0]} sample "
                        f"{key[1]!r}; name the one to use with --on FOLDER"
                    )
    members = {key: target for key, (each, target) in decided.items() if each is fate}
    if name != SHORTCUTS:
        return members
    shortcuts = frozenset[SampleKey]().union(*map(read_shortcuts, folders))
    return {key: target for key, target in members.items() if key in shortcuts}


def _check_targets(source: str, targets: Mapping[SampleKey, int], gathered: Gathered) -> None:
    for key, target in targets.items():
        n_choices = len(gathered.samples[key].choices)
        if not 0 <= target < n_choices:
            raise SettingsError(
                f"{source}: {key[0]} sample {key[1]!r} is corrected to choice {target}, and has "
                f"{n_choices}; the set was distilled from other benchmark files"
            )


def _record(
    name: str,
    source: str,
    targets: Mapping[SampleKey, int],
    samples: Mapping[SampleKey, Sample],
    *,
    n_absent: int = 0,
    n_corrected: int = 0,
    is_dropped: bool = False,
    voters: tuple[str, ...] = (),
) -> SetRecord:
    counts = Counter(
        benchmark for benchmark, sample_id in samples if (benchmark, sample_id) in targets
    )
    return SetRecord(
        name=name,
        id=make_set_id(targets, samples),
        source=source,
        n_samples=len(targets),
        n_absent=n_absent,
        n_corrected=n_corrected,
        benchmarks=dict(counts),
        voters=voters,
        is_dropped=is_dropped,
    )


def make_set_id(targets: Mapping[SampleKey, int], samples: Mapping[SampleKey, Sample]) -> str:
    """Name a set by its samples, what each asks about which clip, and its right choice.

    Args:
        targets: the index of each one's right choice.
        samples: the samples, as published.
    """
    return content_id(
        "set1", [_list_content(samples[key], targets[key]) for key in sorted(targets)]
    )


def _list_content(sample: Sample, target: int) -> list[object]:
    video = sample.video
    return [
        sample.benchmark,
        sample.id,
        video.path,
        video.start_seconds,
        video.end_seconds,
        sample.question,
        list(sample.choices),
        target,
    ]
