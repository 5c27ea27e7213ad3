"""Puts the models of several runs side by side in one long table, each under a name of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import polars as pl

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.errors import SettingsError
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.hashing import content_id
from video_oasis.plan import Assignment
from video_oasis.report.evaluation.document import Contender
from video_oasis.report.numbers import write_several
from video_oasis.schema import LONG_TABLE_COLUMNS, Sample, SampleKey

_TRIALS: Final = "trials"
"""What a fitted model's description says of the samples it saw."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The answers of several runs in one table.

    Attributes:
        table: the long table; its ``model`` is the contender's label.
        contenders: the contenders.
        samples: the samples of all runs.
        durations_seconds: the length of each sample's clip, as far as it is known.
        benchmark_groups: the group of each benchmark.
    """

    table: pl.DataFrame
    contenders: tuple[Contender, ...]
    samples: Mapping[SampleKey, Sample]
    durations_seconds: Mapping[SampleKey, float]
    benchmark_groups: Mapping[str, str]


def gather(runs: Sequence[AnsweredRun]) -> Gathered:
    """Gather the answers of runs.

    A model asked in several runs in the same way is one contender there, and its answers are put
    together. Asked in other ways (another diagnostic, frame budget or setting), it is several.

    Raises:
        SettingsError: two runs differ in what a sample is, or both asked one contender about it.
    """
    samples = _merge_samples(runs)
    found: dict[str, Contender] = {}
    pieces: list[tuple[str, pl.DataFrame]] = []
    for run in runs:
        by_slot: dict[tuple[str, str], list[Assignment]] = {}
        for assignment in run.assignments:
            slot = (assignment.model_name, assignment.diagnostic)
            by_slot.setdefault(slot, []).append(assignment)
        for (model, diagnostic), assignments in by_slot.items():
            contender = _describe(run, assignments)
            same = content_id(
                "contender1", [model, dict(contender.description), dict(contender.protocol)]
            )
            found[same] = _unite(found[same], contender) if same in found else contender
            rows = run.table.filter(pl.col("model") == model, pl.col("diagnostic") == diagnostic)
            pieces.append((same, rows))
    labels = dict(zip(found, _name(list(found.values())), strict=True))
    contenders = {same: replace(contender, label=labels[same]) for same, contender in found.items()}
    _check_apart(pieces, contenders)
    return Gathered(
        table=pl.concat(
            rows.with_columns(model=pl.lit(labels[same])).select(LONG_TABLE_COLUMNS.keys())
            for same, rows in pieces
        ),
        contenders=tuple(contenders.values()),
        samples=samples,
        durations_seconds={
            key: seconds for run in runs for key, seconds in run.durations_seconds.items()
        },
        benchmark_groups={
            loaded.contents.benchmark: loaded.contents.group
            for run in runs
            for loaded in run.audit.benchmarks
        },
    )


def _merge_samples(runs: Iterable[AnsweredRun]) -> dict[SampleKey, Sample]:
    samples: dict[SampleKey, Sample] = {}
    for run in runs:
        for sample in run.audit.samples:
            key = (sample.benchmark, sample.id)
            before = samples.setdefault(key, sample)
            differing = [
                name
                for name in ("video", "question", "choices", "target", "task")
                if getattr(before, name) != getattr(sample, name)
            ]
            if differing:
                raise SettingsError(
                    f"{run.name}: {sample.benchmark} sample {sample.id!r} has another "
                    f"{', '.join(differing)} than in an earlier run; evaluate runs of the same "
                    f"benchmark files"
                )
    return samples


def _describe(run: AnsweredRun, assignments: Sequence[Assignment]) -> Contender:
    """Describe one model of a run under one diagnostic; the label is made later."""
    first = assignments[0]
    settings, diagnostic = run.audit.settings, DIAGNOSTICS[first.diagnostic]
    max_frames = first.model.max_frames
    protocol: dict[str, Any] = {
        "diagnostic": diagnostic.name,
        "n_draws": first.n_draws,
        "n_rotations": settings.n_rotations,
    }
    if diagnostic.sampling is not None:
        protocol |= {"frames": asdict(settings.frames), "max_frames": max_frames}
    if diagnostic.need is not None:
        protocol["text_characters"] = settings.text_characters
    if diagnostic.ranks_frames and settings.grounder is not None:
        encoder = settings.grounder.settings
        protocol["grounder"] = {
            "encoder": settings.grounder.encoder,
            "dtype": encoder.dtype,
            "revision": encoder.revision,
        }
    limits = (settings.frames.max_frames, max_frames, diagnostic.most_frames)
    shown = [len(trial.request.frames) for each in assignments for trial in each.trials.asked]
    return Contender(
        label="",
        model=first.model_name,
        diagnostic=diagnostic.name,
        max_frames=min(limit for limit in limits if limit is not None),
        n_requests=len(shown),
        n_frames=sum(shown),
        ids=tuple(dict.fromkeys(each.model_id for each in assignments)),
        description={key: value for key, value in first.description.items() if key != _TRIALS},
        protocol=protocol,
        runs=(run.name,),
    )


def _unite(first: Contender, second: Contender) -> Contender:
    return replace(
        first,
        n_requests=first.n_requests + second.n_requests,
        n_frames=first.n_frames + second.n_frames,
        ids=tuple(dict.fromkeys((*first.ids, *second.ids))),
        runs=(*first.runs, *second.runs),
    )


_TELLING: Final[tuple[Callable[[Contender], str], ...]] = (
    lambda contender: contender.diagnostic,
    lambda contender: write_several(contender.max_frames, "frame"),
    lambda contender: contender.runs[0],
)
"""What may tell contenders of one name apart, the first that does so being used."""


def _name(contenders: Sequence[Contender]) -> list[str]:
    """Name contenders by their model, and where several share it by what tells them apart."""
    by_model: dict[str, list[int]] = {}
    for number, contender in enumerate(contenders):
        by_model.setdefault(contender.model, []).append(number)
    labels = [contender.model for contender in contenders]
    for numbers in by_model.values():
        for tell in _TELLING:
            told = {number: tell(contenders[number]) for number in numbers}
            if len({labels[number] for number in numbers}) == len(numbers):
                break
            if len(set(told.values())) > 1:
                for number in numbers:
                    labels[number] += f", {told[number]}"
    repeated = sorted({label for label in labels if labels.count(label) > 1})
    if repeated:
        raise SettingsError(
            f"{', '.join(repeated)}: two models end up under this name; give one of them another "
            f'with name = "..." under [[models]] in the audit.toml of its run'
        )
    return labels


def _check_apart(
    pieces: Iterable[tuple[str, pl.DataFrame]], contenders: Mapping[str, Contender]
) -> None:
    """Check that no two runs asked one contender about one sample."""
    asked: dict[str, set[SampleKey]] = {}
    for same, rows in pieces:
        keys = set(rows.select("benchmark", "sample_id").unique().iter_rows())
        repeated = asked.setdefault(same, set()) & keys
        if repeated:
            contender = contenders[same]
            benchmark, sample_id = min(repeated)
            raise SettingsError(
                f"{contender.model}: runs {' and '.join(contender.runs)} both asked it about "
                f"{benchmark} sample {sample_id!r}, in the same way; leave one of the runs out"
            )
        asked[same] |= keys
