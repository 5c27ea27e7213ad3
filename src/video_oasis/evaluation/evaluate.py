"""Makes the report of an evaluation from the answers about each set."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from itertools import combinations
from typing import Final

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.durations import DURATION_GROUPS, name_duration
from video_oasis.analysis.evaluation import Grouping, evaluate_set
from video_oasis.analysis.frames import read_rows
from video_oasis.analysis.gap import GapRow, measure_gap
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.reproduction import OfficialScore, compare_with_official
from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import Gathered
from video_oasis.evaluation.sets import ORIGINAL, EvaluatedSet
from video_oasis.hashing import content_id
from video_oasis.report.evaluation.document import Contender, EvaluationReport, ModelFacts
from video_oasis.schema import SampleKey

STANDARD: Final = "standard"
"""The diagnostic that shows the whole video in the usual way."""
DURATION: Final = "duration"
"""The grouping by the length of a sample's clip."""
_OF_DIAGNOSTIC: Final = ("diagnostic", "grounder")
"""What of a protocol differs between diagnostics, however alike they are asked."""


def evaluate(
    gathered: Gathered,
    sets: Sequence[EvaluatedSet],
    *,
    groupings: Sequence[Grouping] = (),
    facts: Mapping[str, ModelFacts] | None = None,
    official: Sequence[OfficialScore] = (),
    baseline: str = STANDARD,
    n_resamples: int = 1000,
) -> EvaluationReport:
    """Evaluate every contender on every set.

    Args:
        gathered: the answers and who gave them.
        sets: the sets; each that is not the original one is compared with that, if it is there.
        groupings: how to sort the samples, the most important first; by the length of their clips
            they are sorted besides, unless one of these is called ``duration``.
        facts: what is known of the models besides, by label.
        official: published scores to compare with ours on the original set.
        baseline: the diagnostic that each model's other diagnostics are compared with.
        n_resamples: bootstrap resamples behind each interval.

    Raises:
        SettingsError: there are published scores, and the original set is not among the sets.
    """
    facts = facts or {}
    resampling = Resampling(n_resamples=n_resamples)
    names = [each.record.name for each in sets]
    if official and ORIGINAL not in names:
        raise SettingsError(
            f"--official: published scores are about {ORIGINAL}, and this is about "
            f"{', '.join(names)}; add --on {ORIGINAL}"
        )
    all_groupings = tuple(groupings)
    if all(grouping.name != DURATION for grouping in groupings):
        all_groupings += _group_by_duration(gathered.durations_seconds)
    modes = _pair_modes(facts)
    views = _pair_views(gathered.contenders, baseline)
    findings = tuple(
        evaluate_set(
            each.record.name,
            each.table,
            groupings=all_groupings,
            modes=modes,
            views=views,
            benchmark_groups=gathered.benchmark_groups,
            resampling=resampling,
        )
        for each in sets
    )
    return EvaluationReport(
        version=version("video-oasis"),
        n_resamples=n_resamples,
        contenders=gathered.contenders,
        facts=facts,
        sets=tuple(each.record for each in sets),
        findings=findings,
        groupings=tuple(grouping.name for grouping in all_groupings),
        main_grouping=groupings[0].name if groupings else "",
        gaps=_measure_gaps(sets, resampling),
        reproduction=compare_with_official(findings[names.index(ORIGINAL)].whole.accuracy, official)
        if official
        else (),
    )


def _group_by_duration(durations_seconds: Mapping[SampleKey, float]) -> tuple[Grouping, ...]:
    if not durations_seconds:
        return ()
    groups = {key: name_duration(seconds) for key, seconds in durations_seconds.items()}
    return (Grouping(DURATION, DURATION_GROUPS, groups),)


def _pair_modes(facts: Mapping[str, ModelFacts]) -> list[tuple[str, str]]:
    """Pair the models that share a base and reason in different ways."""
    return [
        (first, second)
        for first, second in combinations(facts, 2)
        if facts[first].base
        and facts[first].base == facts[second].base
        and None not in (facts[first].reasoning, facts[second].reasoning)
        and facts[first].reasoning != facts[second].reasoning
    ]


def _pair_views(contenders: Sequence[Contender], baseline: str) -> list[tuple[str, str]]:
    """Pair each contender with the same model, asked in the same way, under the baseline."""

    def identify(contender: Contender) -> str:
        settings = {k: v for k, v in contender.protocol.items() if k not in _OF_DIAGNOSTIC}
        return content_id("view1", [contender.model, dict(contender.description), settings])

    return [
        (each.label, other.label)
        for each in contenders
        for other in contenders
        if each.diagnostic != baseline == other.diagnostic and identify(each) == identify(other)
    ]


def _measure_gaps(
    sets: Sequence[EvaluatedSet], resampling: Resampling
) -> dict[str, tuple[GapRow, ...]]:
    originals = [each for each in sets if each.record.name == ORIGINAL]
    if not originals:
        return {}
    original = arrange(originals[0].table)
    return {
        each.record.name: read_rows(
            GapRow, measure_gap(original, arrange(each.table), resampling=resampling)
        )
        for each in sets
        if each.record.name != ORIGINAL
    }
