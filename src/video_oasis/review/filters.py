"""Says which samples a reviewer looks at, in which order, and which one comes next."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Final
from urllib.parse import urlencode

from video_oasis.categorization.assigning import CATEGORY
from video_oasis.judgements.judgement import CHECKS, DROPS, Decision, Judgement
from video_oasis.review.contents import ReviewSample, RunContents
from video_oasis.review.ledger import Ledger
from video_oasis.review.places import Place, make_place
from video_oasis.schema import SampleKey

CONFLICTS: Final = "conflicts"
ALL: Final = "all"
QUEUES: Final = (*CHECKS, CATEGORY, CONFLICTS, ALL)
"""What may stand for ``queue`` in an address; ``category`` where the run has categories."""

OPEN: Final = "open"
"""The filter for samples without a judgement."""
JUDGED: Final = "judged"
"""The filter for samples with one."""
DROPPED: Final = "drop"
"""The filter for any of the decisions that drop a sample."""

_STATES: Final[Mapping[str, Callable[[Judgement | None], bool]]] = {
    "": lambda _found: True,
    OPEN: lambda found: found is None,
    JUDGED: lambda found: found is not None,
    DROPPED: lambda found: found is not None and found.decision in DROPS,
} | {
    decision.value: lambda found, decision=decision: (
        found is not None and found.decision is decision
    )
    for decision in Decision
    if decision is not Decision.WITHDRAW
}
STATES: Final = tuple(_STATES)
"""What may stand for ``decision`` in an address."""
SORTING_STATES: Final = ("", OPEN, JUDGED)
"""What may in the queue of categories, where ``judged`` is to have one."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What of a run is looked at; as in the address of the page, empty for everything.

    Attributes:
        queue: one of ``QUEUES``; empty for the first with something in it.
        benchmark: the benchmark.
        task: the task.
        reviewer: whose judgement ``decision`` means; empty for one's own.
        decision: one of ``STATES``.
        text: words that question, choices, ids or names must all have.
    """

    queue: str = ""
    benchmark: str = ""
    task: str = ""
    reviewer: str = ""
    decision: str = ""
    text: str = ""

    def query(self, *, sample: str = "") -> str:
        """Write the filters, and a sample by name, as the query of an address."""
        given = {**asdict(self), "sample": sample}
        return urlencode({name: value for name, value in given.items() if value})


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is in one queue.

    Attributes:
        queue: the queue.
        n_judged: samples with a judgement of the reviewer, or in their queue with a category.
        n: samples.
    """

    queue: str
    n_judged: int
    n: int


class Selection:
    """What one reviewer sees of a run: the queues, and what filters leave of them."""

    def __init__(self, contents: RunContents, ledger: Ledger, reviewer: str) -> None:
        """Look at the run as this reviewer, with the judgements that stand now."""
        self._contents = contents
        self._ledger = ledger
        self._reviewer = reviewer
        self._judged = self._name(ledger.list_judged(reviewer))
        self._conflicts = self._name(ledger.conflicts)
        self._sorted = self._name(
            ledger.categories.list_done(reviewer) if ledger.categories else ()
        )

    @property
    def queues(self) -> list[str]:
        """The queues of the run."""
        return [
            queue for queue in QUEUES if queue in self._contents.queues or queue in (CONFLICTS, ALL)
        ]

    def measure_progress(self) -> list[Progress]:
        """Return how far the reviewer is in every queue."""
        names: dict[str, Collection[str]] = {
            **self._contents.queues,
            CONFLICTS: self._conflicts,
            ALL: self._contents.samples.keys(),
        }
        return [
            Progress(
                queue,
                sum(name in self._list_done(queue) for name in names[queue]),
                len(names[queue]),
            )
            for queue in self.queues
        ]

    def complete(self, filters: Filters) -> Filters:
        """Choose a queue where none of the run's is named: the first with something to do, or all.

        Filters that the queue does not know are left out.
        """
        if filters.queue not in self.queues:
            flagged = [
                each
                for each in self.measure_progress()
                if each.queue in (*CHECKS, CATEGORY) and each.n
            ]
            unfinished = [each for each in flagged if each.n_judged < each.n]
            chosen = [each.queue for each in (*unfinished, *flagged)]
            filters = replace(filters, queue=(chosen or [ALL])[0])
        if filters.queue == CATEGORY and filters.decision not in SORTING_STATES:
            filters = replace(filters, decision="")
        return filters

    def find_start(self, filters: Filters) -> str:
        """Return the first sample without a judgement, else the first; empty if there is none."""
        names = self._keep_fitting(filters, self._list_order(filters.queue))
        done = self._list_done(filters.queue)
        return next((name for name in names if name not in done), names[0] if names else "")

    def find_place(self, filters: Filters, current: str) -> Place:
        """Find a sample's place, and its neighbours.

        Args:
            filters: the filters, with a queue.
            current: the sample's name. Its neighbours are found even if the filters leave it out,
                as a list of samples without a judgement does with the one just judged.
        """
        order = self._list_order(filters.queue)
        here = order.index(current) if current in order else len(order)
        before = self._keep_fitting(filters, order[:here])
        after = self._keep_fitting(filters, order[here + 1 :])
        is_listed = here < len(order) and self._fits(filters, current)
        done = self._list_done(filters.queue)
        candidates: Iterator[str]
        if filters.queue == CONFLICTS:
            candidates = chain(after, before)
        elif filters.decision not in ("", OPEN):
            candidates = chain(after)
        else:
            candidates = (name for name in chain(after, before) if name not in done)
        return make_place(before, after, candidates, is_listed=is_listed)

    def _name(self, keys: Iterable[SampleKey]) -> frozenset[str]:
        names = self._contents.names
        return frozenset(names[key] for key in keys if key in names)

    def _keep_fitting(self, filters: Filters, names: Sequence[str]) -> Sequence[str]:
        if filters.queue != CONFLICTS and filters == Filters(filters.queue):
            return names
        return [name for name in names if self._fits(filters, name)]

    def _list_order(self, queue: str) -> Sequence[str]:
        """List at least the samples of a queue, in its order.

        What is settled is no conflict any more, and yet has its place among those that are.
        """
        if queue in (ALL, CONFLICTS):
            return tuple(self._contents.samples)
        return self._contents.queues[queue]

    def _list_done(self, queue: str) -> frozenset[str]:
        return self._sorted if queue == CATEGORY else self._judged

    def _fits(self, filters: Filters, name: str) -> bool:
        each = self._contents.samples[name]
        return (
            (filters.queue != CONFLICTS or name in self._conflicts)
            and filters.benchmark in ("", each.sample.benchmark)
            and filters.task in ("", each.sample.task)
            and all(word in each.search_text for word in filters.text.casefold().split())
            and (not (filters.decision or filters.reviewer) or self._fits_decision(filters, each))
        )

    def _fits_decision(self, filters: Filters, each: ReviewSample) -> bool:
        who = filters.reviewer or self._reviewer
        state = filters.decision or (JUDGED if filters.reviewer else "")
        if filters.queue == CATEGORY and self._ledger.categories:
            opinions = self._ledger.categories.list_visible(each.key, self._reviewer)
            return (state == JUDGED) == any(opinion.reviewer == who for opinion in opinions)
        visible = self._ledger.list_visible(each.key, self._reviewer)
        found = next((judgement for judgement in visible if judgement.reviewer == who), None)
        return _STATES[state](found)
