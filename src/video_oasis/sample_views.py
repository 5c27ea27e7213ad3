"""Collects all that a run knows of single samples, for those that matter most to a reader."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from video_oasis.analysis.ambiguity import QueueRow
from video_oasis.distil.decide import (
    JUDGED,
    JUDGED_UNDECIDED,
    RESTORED,
    SHORTCUT,
    UNTESTED,
    DistilledSample,
    Fate,
)
from video_oasis.plan import Assignment
from video_oasis.prompts import choice_letters
from video_oasis.report.document import FateCount, GivenAnswer, SampleView, Showing, Votes
from video_oasis.schema import Sample, SampleKey, Trial

MAX_VIEWS: Final = 500
"""How many samples a report shows in full."""

_ShowingKey = tuple[str, int, str]
"""Diagnostic, part and request id; the id is empty where nothing could be shown."""


def count_fates(
    decided: Sequence[DistilledSample], assignments: Iterable[Assignment]
) -> tuple[FateCount, ...]:
    """Count fates by benchmark, and over all benchmarks if there are several.

    Args:
        decided: what was decided about every sample.
        assignments: the plan, which knows the samples whose videos lack something.
    """
    lacking = {
        (assignment.benchmark, unshown.sample.id)
        for assignment in assignments
        for unshown in assignment.trials.unshown
        if unshown.failure is not None
    }
    by_benchmark: dict[str, list[DistilledSample]] = defaultdict(list)
    for sample in decided:
        by_benchmark[sample.benchmark].append(sample)
    if len(by_benchmark) > 1:
        by_benchmark[""] = list(decided)
    return tuple(_count(name, samples, lacking) for name, samples in by_benchmark.items())


def _count(
    benchmark: str, decided: Sequence[DistilledSample], lacking: Collection[SampleKey]
) -> FateCount:
    fates = Counter(sample.fate for sample in decided)
    n_untested = sum(
        sample.fate is Fate.UNDECIDED and UNTESTED in sample.reasons for sample in decided
    )
    n_judged_defective = sum(
        sample.fate is Fate.DROPPED and not _list_shortcuts(sample) for sample in decided
    )
    return FateCount(
        benchmark=benchmark,
        n_samples=len(decided),
        n_dropped=fates[Fate.DROPPED] - n_judged_defective,
        n_kept=fates[Fate.KEPT],
        n_undecided=fates[Fate.UNDECIDED] - n_untested,
        n_untested=n_untested,
        n_lacking=sum((sample.benchmark, sample.sample_id) in lacking for sample in decided),
        n_judged_defective=n_judged_defective,
    )


def _list_shortcuts(sample: DistilledSample) -> list[str]:
    """List the tests that show a sample to be a shortcut."""
    return [
        reason.removeprefix(SHORTCUT) for reason in sample.reasons if reason.startswith(SHORTCUT)
    ]


def view_samples(
    samples: Mapping[SampleKey, Sample],
    decided: Sequence[DistilledSample],
    queue: Sequence[QueueRow],
    assignments: Sequence[Assignment],
    table: pl.DataFrame,
    *,
    limit: int = MAX_VIEWS,
) -> tuple[SampleView, ...]:
    """Collect the samples to show in full.

    First come shortcuts, those in most tests first; then samples that a person should look at, in
    the order of the queue; then others. The first may take half of the places, the others a quarter
    each, and what one leaves goes to the first that has more. Among equals the benchmarks take
    turns.

    Args:
        samples: the samples by benchmark and id.
        decided: what was decided about every sample.
        queue: the samples to look at, the first first.
        assignments: the plan.
        table: its long table.
        limit: the most samples to show.
    """
    chosen = _choose(decided, queue, limit)
    keys = {(each.benchmark, each.sample_id) for each in chosen}
    checks: dict[SampleKey, dict[str, str]] = defaultdict(dict)
    for row in queue:
        checks[row.benchmark, row.sample_id][row.check] = row.reason
    answers = _collect_answers(table, keys)
    trials, outside = _collect_trials(assignments, keys)
    views = []
    for each in chosen:
        key = (each.benchmark, each.sample_id)
        sample, n_models = samples[key], _count_models(answers[key])
        views.append(
            SampleView(
                benchmark=sample.benchmark,
                sample_id=sample.id,
                task=sample.task,
                video=sample.video.path,
                question=sample.question,
                choices=sample.choices,
                target=sample.target,
                fate=each.fate.value,
                votes=tuple(
                    Votes(
                        test=test,
                        votes=votes,
                        n_models=n_models[test],
                        shortcut=_find_shortcut(each, test),
                    )
                    for test, votes in each.votes.items()
                ),
                checks=checks.get(key, {}),
                outside=outside[key],
                showings=_list_showings(trials[key], answers[key]),
                judged=_write_judged(each),
            )
        )
    return tuple(views)


def _choose(
    decided: Sequence[DistilledSample], queue: Sequence[QueueRow], limit: int
) -> list[DistilledSample]:
    place: dict[SampleKey, int] = {}
    for number, row in enumerate(queue):
        place.setdefault((row.benchmark, row.sample_id), number)
    shortcuts: list[tuple[int, int, DistilledSample]] = []
    queued: list[tuple[int, int, DistilledSample]] = []
    others: list[tuple[int, int, DistilledSample]] = []
    turns: Counter[tuple[str, int]] = Counter()
    for sample in decided:
        n_tests = len(_list_shortcuts(sample))
        turn = turns[sample.benchmark, n_tests]
        turns[sample.benchmark, n_tests] += 1
        in_queue = place.get((sample.benchmark, sample.sample_id))
        if n_tests:
            shortcuts.append((-n_tests, turn, sample))
        elif in_queue is not None:
            queued.append((in_queue, turn, sample))
        else:
            others.append((0, turn, sample))
    piles = [
        [sample for *_, sample in sorted(pile, key=lambda entry: entry[:2])]
        for pile in (shortcuts, queued, others)
    ]
    sizes = [
        min(len(pile), quota)
        for pile, quota in zip(piles, (limit // 2, limit // 4, limit // 4), strict=True)
    ]
    for number, pile in enumerate(piles):
        sizes[number] += min(len(pile) - sizes[number], limit - sum(sizes))
    return [sample for pile, size in zip(piles, sizes, strict=True) for sample in pile[:size]]


def _find_shortcut(decided: DistilledSample, test: str) -> bool | None:
    if test in _list_shortcuts(decided):
        return True
    return None if f"unknown:{test}" in decided.reasons else False


def _write_judged(decided: DistilledSample) -> str:
    """Say what people decided about a sample."""
    parts = []
    dropped = [
        reason.removeprefix(JUDGED).replace("_", " ")
        for reason in decided.reasons
        if reason.startswith(JUDGED) and reason != JUDGED_UNDECIDED
    ]
    if dropped:
        parts.append(f"dropped: {', '.join(dropped)}")
    if RESTORED in decided.reasons:
        parts.append("restored, as the order of events matters")
    if decided.corrected_target is not None:
        letter = choice_letters(decided.corrected_target + 1)[-1]
        parts.append(f"the right answer is {letter}, and votes count by it")
    if JUDGED_UNDECIDED in decided.reasons:
        parts.append("undecided, which changes nothing")
    return "; ".join(parts)


def _count_models(answers: Mapping[_ShowingKey, Sequence[GivenAnswer]]) -> dict[str, int]:
    models: dict[str, set[str]] = defaultdict(set)
    for (test, _, _), given in answers.items():
        models[test] |= {answer.model for answer in given}
    return {test: len(names) for test, names in models.items()}


def _collect_answers(
    table: pl.DataFrame, keys: Collection[SampleKey]
) -> dict[SampleKey, dict[_ShowingKey, list[GivenAnswer]]]:
    """Sort the answers about some samples by what was shown, in the order of the table."""
    answers: dict[SampleKey, dict[_ShowingKey, list[GivenAnswer]]] = {key: {} for key in keys}
    wanted = pl.DataFrame(
        list(keys), schema={"benchmark": pl.String, "sample_id": pl.String}, orient="row"
    )
    rows = table.join(wanted, on=["benchmark", "sample_id"], how="semi", maintain_order="left")
    for row in rows.iter_rows(named=True):
        showing = (row["diagnostic"], row["part"], row["request"])
        answers[row["benchmark"], row["sample_id"]].setdefault(showing, []).append(
            GivenAnswer(
                model=row["model"],
                draw=row["draw"],
                rotation=row["rotation"],
                status=row["status"],
                reason=row["reason"],
                prediction=row["prediction"],
                is_correct=row["correct"],
            )
        )
    return answers


def _collect_trials(
    assignments: Sequence[Assignment], keys: Collection[SampleKey]
) -> tuple[dict[SampleKey, dict[_ShowingKey, Trial]], dict[SampleKey, dict[str, str]]]:
    """Find the trials of some samples, and the diagnostics that say nothing about them."""
    trials: dict[SampleKey, dict[_ShowingKey, Trial]] = {key: {} for key in keys}
    outside: dict[SampleKey, dict[str, str]] = {key: {} for key in keys}
    for assignment in assignments:
        for trial in assignment.trials.asked:
            key = (assignment.benchmark, trial.sample.id)
            if key in keys:
                showing = (assignment.diagnostic, trial.part, trial.request.id)
                trials[key][showing] = trial
        for excluded in assignment.trials.excluded:
            key = (assignment.benchmark, excluded.sample_id)
            if key in keys:
                outside[key][assignment.diagnostic] = excluded.reason
    # Of models with unequal frame budgets a test may exclude a sample for some only.
    for key, reasons in outside.items():
        for diagnostic, _, _ in trials[key]:
            reasons.pop(diagnostic, None)
    return trials, outside


def _list_showings(
    trials: Mapping[_ShowingKey, Trial], answers: Mapping[_ShowingKey, Sequence[GivenAnswer]]
) -> tuple[Showing, ...]:
    """List what was shown; rotations of the choices are answers about one showing."""
    given: dict[Showing, list[GivenAnswer]] = defaultdict(list)
    for (test, part, request), its_answers in answers.items():
        trial = trials.get((test, part, request))
        frames = () if trial is None else trial.request.pictures
        given[Showing(test, part, frames, "" if trial is None else trial.context, ())] += (
            its_answers
        )
    return tuple(replace(shown, answers=tuple(its)) for shown, its in given.items())
