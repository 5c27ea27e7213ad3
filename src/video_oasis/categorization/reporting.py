"""Makes assignments and their report from a panel's votes and a person's decisions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.durations import DURATION_GROUPS, name_duration
from video_oasis.categorization.decisions import list_obsolete
from video_oasis.categorization.panels import Panel
from video_oasis.categorization.surviving import Members
from video_oasis.hashing import content_id
from video_oasis.plan import Assignment
from video_oasis.report.categories.document import CategoriesReport, ModelVotes
from video_oasis.report.document import ModelRecord
from video_oasis.schema import Sample, SampleKey, Status
from video_oasis.taxonomy.agreement import measure_overlap, measure_panel
from video_oasis.taxonomy.category import Taxonomy
from video_oasis.taxonomy.counts import POSITIONS, cross, name_position, spread_evenly
from video_oasis.taxonomy.votes import (
    AssignedSample,
    Outcome,
    Vote,
    decide,
    only_of,
    scale_threshold,
)

_UNKNOWN_DURATION = "unknown"


def assign(
    samples: Iterable[Sample],
    votes: Mapping[SampleKey, Sequence[Vote]],
    panel: Panel,
    taxonomy: Taxonomy,
    decided: Mapping[SampleKey, str],
) -> tuple[AssignedSample, ...]:
    """Assign every sample, in the order given; a person's decision wins over the panel's.

    Args:
        samples: the samples.
        votes: of each, by all models asked.
        panel: whose votes count.
        taxonomy: the categories.
        decided: what people decided; a category that the taxonomy has not is left out.
    """
    known = set(taxonomy.names)
    assigned = []
    for sample in samples:
        key = (sample.benchmark, sample.id)
        of_panel = only_of(votes[key], panel.models)
        category, outcome = decide(of_panel, panel.threshold)
        if decided.get(key) in known:
            category, outcome = decided[key], Outcome.DECIDED
        assigned.append(AssignedSample(*key, sample.task, category, outcome, of_panel))
    return tuple(assigned)


def make_report(
    assigned: Sequence[AssignedSample],
    samples: Mapping[SampleKey, Sample],
    votes: Mapping[SampleKey, Sequence[Vote]],
    panel: Panel,
    taxonomy: Taxonomy,
    *,
    assignments: Sequence[Assignment],
    members: Members,
    decided: Mapping[SampleKey, str],
    durations_seconds: Mapping[SampleKey, float],
    resampling: Resampling | None = None,
) -> CategoriesReport:
    """Make the report of assigned samples.

    Args:
        assigned: the samples.
        samples: the same as their benchmarks have them, with corrected targets.
        votes: of each, by all models asked.
        panel: whose votes count.
        taxonomy: the categories.
        assignments: what the models were asked.
        members: which samples of the run they are.
        decided: what people decided.
        durations_seconds: the length of each clip, as far as it is known.
        resampling: how intervals are made.
    """
    sorted_in = {each.key: each.category for each in assigned if each.category is not None}
    groups = {key: _name_duration(durations_seconds.get(key)) for key in sorted_in}
    # Clips of unknown length have a column only where there are any.
    columns = [*DURATION_GROUPS, *{_UNKNOWN_DURATION}.intersection(groups.values())]
    names = taxonomy.names
    outcomes = Counter(each.outcome for each in assigned)
    videos = {key: f"{sample.benchmark}\n{sample.video.path}" for key, sample in samples.items()}
    clips = {(key[0], samples[key].video): group for key, group in groups.items()}
    return CategoriesReport(
        version=version("video-oasis"),
        members=members.value,
        taxonomy_id=taxonomy.id,
        categories=taxonomy.categories,
        threshold=panel.threshold,
        models=_record_models(assignments),
        outcomes={outcome.value: outcomes[outcome] for outcome in Outcome},
        n_obsolete=len(set(list_obsolete(decided, names)) & samples.keys()),
        assignments=_identify(assigned, taxonomy),
        by_benchmark=cross(
            ((key[0], category) for key, category in sorted_in.items()),
            list(dict.fromkeys(each.benchmark for each in assigned)),
            names,
        ),
        by_duration=cross(
            ((category, groups[key]) for key, category in sorted_in.items()), names, columns
        ),
        by_position=cross(
            ((category, name_position(samples[key].target)) for key, category in sorted_in.items()),
            names,
            POSITIONS,
        ),
        even_positions=spread_evenly(len(samples[key].choices) for key in sorted_in)
        if sorted_in
        else (),
        clips=dict(Counter(clips.values())),
        agreement=measure_panel(votes, panel.models, names, videos, resampling=resampling)
        if len(panel.models) > 1
        else None,
        overlaps=tuple(
            measure_overlap(
                votes,
                panel.models,
                panel.threshold,
                other,
                scale_threshold(panel.threshold, len(panel.models), len(other)),
                videos,
                resampling=resampling,
            )
            for other in panel.others
        ),
        votes=_count_votes(votes, panel),
    )


def _name_duration(seconds: float | None) -> str:
    return _UNKNOWN_DURATION if seconds is None else name_duration(seconds)


def _record_models(assignments: Iterable[Assignment]) -> tuple[ModelRecord, ...]:
    records = {
        each.model_name: ModelRecord(each.model_name, each.description, (each.model_id,))
        for each in assignments
    }
    return tuple(records.values())


def _identify(assigned: Iterable[AssignedSample], taxonomy: Taxonomy) -> str:
    rows = [
        [*each.key, each.category, [[vote.model, vote.category] for vote in each.votes]]
        for each in sorted(assigned, key=lambda each: each.key)
    ]
    return content_id("assignments1", [taxonomy.id, rows])


def _count_votes(votes: Mapping[SampleKey, Sequence[Vote]], panel: Panel) -> tuple[ModelVotes, ...]:
    accepted = {
        key: decide(only_of(each, panel.models), panel.threshold)[0] for key, each in votes.items()
    }
    by_model: dict[str, list[tuple[Vote, str | None]]] = {}
    for key, each in votes.items():
        for vote in each:
            by_model.setdefault(vote.model, []).append((vote, accepted[key]))
    rows = []
    for model, its in by_model.items():
        statuses = Counter(vote.status for vote, _ in its)
        compared = [
            vote.category == category
            for vote, category in its
            if vote.category is not None and category is not None
        ]
        rows.append(
            ModelVotes(
                model=model,
                is_in_panel=model in panel.models,
                n_ok=statuses[Status.OK],
                n_unparsed=statuses[Status.UNPARSED],
                n_refused=statuses[Status.REFUSED],
                n_error=statuses[Status.ERROR],
                n_missing=statuses[Status.MISSING],
                n_accepted=len(compared),
                n_same=sum(compared),
            )
        )
    return tuple(rows)
