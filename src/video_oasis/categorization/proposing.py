"""Asks a chat model for a taxonomy of the samples' own task labels: several draws, then one merge.

Every draw shows the labels in another order, so that draws differ even from a model that always
replies the same to the same. A reply of the wrong form is counted by what is wrong with it and not
used; the merge is asked for again in another order until a reply is valid.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version

from video_oasis.answers.cleaning import remove_reasoning
from video_oasis.errors import SettingsError
from video_oasis.hashing import canonical_json, order_by_hash
from video_oasis.models.interface import AskedModel
from video_oasis.prompts import merging_request, proposal_request
from video_oasis.runner import Listener, ask_requests
from video_oasis.schema import Answer, FinishReason, Request
from video_oasis.store import AnswerKey, Failure, Store, make_model_id
from video_oasis.taxonomy.category import MIN_CATEGORIES, Category, Taxonomy
from video_oasis.taxonomy.labels import TaskLabel
from video_oasis.taxonomy.proposal import (
    MAX_PROPOSED,
    Draft,
    InvalidProposal,
    read_proposal,
    trace_sources,
)


class Step(StrEnum):
    """What a request of a proposal asks for."""

    PROPOSE = "propose"
    """Categories for the labels."""
    MERGE = "merge"
    """One set of categories for those of all proposals."""


class DrawStatus(StrEnum):
    """What became of one request of a proposal."""

    VALID = "valid"
    """The reply has the form asked for."""
    INVALID = "invalid"
    """It has not, and is not used."""
    ERROR = "error"
    """Asking failed; the next run asks again."""
    MISSING = "missing"
    """It was not asked, as the run was stopped."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One request of a proposal and what came of it.

    Attributes:
        step: what it asks for.
        number: which of several it is, from 0.
        status: what became of it.
        reason: a constant word for what is wrong; empty if it is valid.
        message: what is wrong, in words.
        drafts: the categories of a valid reply, members numbered as before any reordering.
    """

    step: Step
    number: int
    status: DrawStatus
    reason: str = ""
    message: str = ""
    drafts: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a model proposes.

    Attributes:
        taxonomy: the merged categories; None if no proposal, or no merge, is valid.
        draws: all requests and what came of them.
        interrupted: whether the user stopped it.
    """

    taxonomy: Taxonomy | None
    draws: tuple[Draw, ...]
    interrupted: bool

    @property
    def n_failed(self) -> int:
        """Requests that asking failed for."""
        return sum(draw.status is DrawStatus.ERROR for draw in self.draws)

    def count(self) -> dict[str, int]:
        """Count the draws by step, status and reason."""
        return dict(Counter(_name(draw) for draw in self.draws))


def make_proposal_requests(labels: Sequence[TaskLabel], n_draws: int) -> tuple[Request, ...]:
    """Word the requests for proposals, one for each draw, but no two that are the same.

    Raises:
        SettingsError: there are too few labels to sort, or no draw.
    """
    if len(labels) < MIN_CATEGORIES:
        raise SettingsError(
            f"the samples carry {len(labels)} task label: {', '.join(each.text for each in labels)}"
            f"; expected at least {MIN_CATEGORIES} to propose categories from. Write a taxonomy "
            f"yourself, or use the built-in one"
        )
    if n_draws < 1:
        raise SettingsError(f"--draws is {n_draws}; expected 1 or more")
    return tuple(
        _ask(
            proposal_request(
                [
                    (labels[index].text, labels[index].n_samples, labels[index].example)
                    for index in order
                ],
                MIN_CATEGORIES,
                MAX_PROPOSED,
            )
        )
        for order in _list_orders([each.text for each in labels], n_draws)
    )


def propose(
    name: str,
    model: AskedModel,
    labels: Sequence[TaskLabel],
    store: Store,
    *,
    n_draws: int = 3,
    listener: Listener = lambda _: None,
) -> Proposed:
    """Have a model propose a taxonomy; what it answered already is not asked again.

    Args:
        name: the name to show the model under.
        model: the model; it must be made to answer in free text.
        labels: the labels.
        store: where answers are and go.
        n_draws: how many proposals to ask for, and how often at most for a merge.
        listener: told how far it has come.

    Raises:
        SettingsError: there are too few labels to sort, or no draw.
        ModelUnavailable: the model cannot be asked at all.
        RunError: the store cannot be written.
    """
    requests = make_proposal_requests(labels, n_draws)
    outcome = ask_requests(name, model, requests, store, listener=listener)
    orders = _list_orders([label.text for label in labels], n_draws)
    draws = [
        _read(Step.PROPOSE, number, request, model, store, order)
        for number, (request, order) in enumerate(zip(requests, orders, strict=True))
    ]
    proposals = [draw.drafts for draw in draws if draw.status is DrawStatus.VALID]
    if outcome.interrupted or not proposals:
        return Proposed(None, tuple(draws), outcome.interrupted)
    proposed = [draft for drafts in proposals for draft in drafts]
    names = [draft.name for draft in proposed]
    for number, order in enumerate(_list_orders(names, n_draws)):
        request = _ask(
            merging_request(
                [(proposed[index].name, proposed[index].definition) for index in order],
                MIN_CATEGORIES,
                MAX_PROPOSED,
            )
        )
        outcome = ask_requests(name, model, [request], store, listener=listener)
        draws.append(_read(Step.MERGE, number, request, model, store, order))
        if draws[-1].status is DrawStatus.VALID or outcome.interrupted:
            break
    if draws[-1].status is not DrawStatus.VALID:
        return Proposed(None, tuple(draws), outcome.interrupted)
    categories, unplaced = trace_sources(labels, proposals, draws[-1].drafts)
    taxonomy = _describe(categories, unplaced, labels, draws, name, model)
    return Proposed(taxonomy, tuple(draws), outcome.interrupted)


def _describe(
    categories: tuple[Category, ...],
    unplaced: Sequence[str],
    labels: Sequence[TaskLabel],
    draws: Sequence[Draw],
    name: str,
    model: AskedModel,
) -> Taxonomy:
    return Taxonomy(
        categories,
        {
            "proposed_by": name,
            "model_id": make_model_id(model.describe()),
            "version": version("video-oasis"),
            "n_labels": len(labels),
            "n_samples": sum(label.n_samples for label in labels),
            "replies": dict(Counter(map(_name, draws))),
            "unplaced_labels": list(unplaced),
        },
    )


def _ask(text: str) -> Request:
    return Request(system="", text=text, letters=())


def _list_orders(texts: Sequence[str], n_draws: int) -> list[tuple[int, ...]]:
    """List different orders to show texts in, as they come first and then random.

    A few texts have fewer orders than there are draws; then there are so many.
    """
    content = canonical_json(list(texts))
    orders = {tuple(range(len(texts))): None}
    seed = 1
    while len(orders) < n_draws and len(orders) < math.factorial(len(texts)):
        orders[tuple(order_by_hash(range(len(texts)), seed=seed, content=content))] = None
        seed += 1
    return list(orders)


def _read(
    step: Step,
    number: int,
    request: Request,
    model: AskedModel,
    store: Store,
    order: Sequence[int],
) -> Draw:
    key, model_id = AnswerKey(request.id, 0), make_model_id(model.describe())
    answer = store.answers(model_id).get(key)
    if answer is None:
        return _fail(step, number, store.failures(model_id).get(key))
    try:
        drafts = read_proposal(_clean(answer), len(order), needs_all=step is Step.MERGE)
    except InvalidProposal as error:
        is_cut = answer.finish_reason is FinishReason.LENGTH and error.reason == "not_json"
        reason = "cut_off" if is_cut else error.reason
        return Draw(step, number, DrawStatus.INVALID, reason, str(error))
    return Draw(
        step,
        number,
        DrawStatus.VALID,
        drafts=tuple(
            Draft(draft.name, draft.definition, tuple(order[member] for member in draft.members))
            for draft in drafts
        ),
    )


def _fail(step: Step, number: int, failure: Failure | None) -> Draw:
    if failure is None:
        return Draw(step, number, DrawStatus.MISSING, "not_asked", "it was not asked")
    return Draw(step, number, DrawStatus.ERROR, failure.kind, failure.message)


def _clean(answer: Answer) -> str:
    # A reasoning block that never closes leaves nothing of the reply.
    return remove_reasoning(answer.text) or ""


def _name(draw: Draw) -> str:
    return "_".join(part for part in (draw.step, draw.status, draw.reason) if part)
