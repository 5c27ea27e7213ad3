"""Plans which category a panel is asked about each sample, and reads its votes.

A sample's categories are put to a model as the choices of a trial, so that planning, asking,
storing and reading answers are the audit's own. Each model sees them in an order of its own for
each question: where models lean to a letter, they do not lean together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from video_oasis.hashing import canonical_json, order_by_hash
from video_oasis.models.interface import AskedModel
from video_oasis.plan import Assignment, assign
from video_oasis.prompts import category_question, choice_letters
from video_oasis.schema import Request, Sample, SampleKey, Status, Trial
from video_oasis.store import Store, make_model_id
from video_oasis.table import make_long_table
from video_oasis.taxonomy.category import Taxonomy
from video_oasis.taxonomy.votes import Vote
from video_oasis.trials import Trials

CATEGORY: Final = "category"
"""The name of these trials in the place of a diagnostic's."""
_ORDER_SEED: Final = 0
_SERVER_FAILURE: Final = "server_failure"
"""Reason of a stored reply that is a server's failure text: it is not asked again."""


def plan_panel(
    samples: Sequence[Sample], taxonomy: Taxonomy, models: Mapping[str, AskedModel]
) -> tuple[Assignment, ...]:
    """Plan one question about each sample for each model.

    Args:
        samples: the samples, of one or more benchmarks.
        taxonomy: the categories.
        models: the models by the name to show them under.
    """
    by_benchmark: dict[str, list[Sample]] = {}
    for sample in samples:
        by_benchmark.setdefault(sample.benchmark, []).append(sample)
    assignments = []
    for name, model in models.items():
        model_id = make_model_id(model.describe())
        for benchmark, its_samples in by_benchmark.items():
            trials = Trials(tuple(make_trial(each, taxonomy, model_id) for each in its_samples))
            assignments.append(assign(benchmark, CATEGORY, name, model, trials))
    return tuple(assignments)


def make_trial(sample: Sample, taxonomy: Taxonomy, model_id: str) -> Trial:
    """Make the trial whose choices are the categories, in an order that its content decides."""
    content = canonical_json([sample.question, list(sample.choices), model_id])
    order = tuple(order_by_hash(range(len(taxonomy.categories)), seed=_ORDER_SEED, content=content))
    # There is no right category: the target is a place holder, and nothing reads it.
    asked = replace(sample, choices=taxonomy.names, target=0)
    text = category_question(
        [(category.name, category.definition) for category in taxonomy.categories],
        [taxonomy.names[index] for index in order],
        sample.question,
        sample.choices,
    )
    return Trial(
        sample=asked,
        diagnostic=CATEGORY,
        part=0,
        request=Request(system="", text=text, letters=choice_letters(len(order))),
        order=order,
    )


def read_votes(
    assignments: Sequence[Assignment], store: Store, taxonomy: Taxonomy
) -> dict[SampleKey, tuple[Vote, ...]]:
    """Read what each model says about each sample, in the order of the plan.

    A stored reply that is a server's failure text counts as one that cannot be read, since no other
    will come: ``Status.ERROR`` is left to questions that are asked again.
    """
    columns = ["benchmark", "sample_id", "model", "prediction", "status", "reason"]
    votes: dict[SampleKey, list[Vote]] = {}
    for benchmark, sample_id, model, prediction, status, reason in (
        make_long_table(assignments, store).select(columns).iter_rows()
    ):
        category = None if prediction is None else taxonomy.names[prediction]
        is_final = reason == _SERVER_FAILURE
        vote = Vote(model, category, Status.UNPARSED if is_final else Status(status), reason)
        votes.setdefault((benchmark, sample_id), []).append(vote)
    return {key: tuple(its_votes) for key, its_votes in votes.items()}
