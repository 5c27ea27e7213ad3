"""Reads the votes of a plan from the store, and narrows the plan to some of its questions."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from video_oasis.analysis.consensus import choose_threshold
from video_oasis.answers import read_reply
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.lazy.rules import Mask, Tally, Vote
from video_oasis.models.interface import FittedModel, MatchingModel
from video_oasis.plan import Assignment
from video_oasis.schema import Answer, Trial
from video_oasis.store import AnswerKey, Store
from video_oasis.trials import Trials

_TURN_DIGITS: Final = 8
_WEAKEST_FIRST: Final = np.array([Vote.RIGHT, Vote.LACKING, Vote.OPEN, Vote.WRONG], np.int8)
"""Of the votes that a model casts under several rotations, the last in this list counts."""


@dataclass(frozen=True, slots=True)
class _Seat:
    """One assignment's place on the tally: its slot, and the sample, key and vote of each trial."""

    assignment: Assignment
    slot: int
    columns: NDArray[np.intp]
    keys: tuple[AnswerKey, ...]
    votes: NDArray[np.int8]

    def find_open(self, cells: Mask) -> Mask:
        """Tell which trials are open in these cells, K x S."""
        is_open: Mask = (self.votes == Vote.OPEN) & cells[self.slot, self.columns]
        return is_open


class Poll:
    """What is known of the answers that verdicts are made from: those of the first draw."""

    def __init__(
        self, assignments: Sequence[Assignment], tests: Collection[str], threshold: int | None
    ) -> None:
        """Set a poll up in which nothing is answered.

        Args:
            assignments: the plan; assignments of other diagnostics are left out.
            tests: the diagnostics whose verdicts count.
            threshold: the number of right models that makes a sample a shortcut; None for all
                models of the test that has most.

        Raises:
            SettingsError: a test makes several requests of one sample, or no test has so many
                models.
        """
        polled = [
            each
            for each in assignments
            if each.diagnostic in tests and (each.trials.asked or each.trials.unshown)
        ]
        self.tests = _order_by_cost(polled)
        slots, test_slots = _list_slots(polled, self.tests)
        columns: dict[tuple[str, str], int] = {}
        self._seats = tuple(
            _Seat(
                assignment=each,
                slot=slots[each.diagnostic, each.model_name],
                columns=np.array(
                    [
                        columns.setdefault((each.benchmark, trial.sample.id), len(columns))
                        for trial in each.trials.asked
                    ],
                    np.intp,
                ),
                keys=tuple(each.key(trial, 0) for trial in each.trials.asked),
                # A fitted model answers all at once, and without a call: it is waited for.
                votes=np.full(
                    len(each.trials.asked),
                    Vote.LACKING if isinstance(each.model, FittedModel) else Vote.OPEN,
                    np.int8,
                ),
            )
            for each in polled
        )
        self.tally = Tally(
            votes=np.full((len(slots), len(columns)), Vote.LACKING, np.int8),
            tests=test_slots,
            threshold=choose_threshold(threshold, [*map(_size, test_slots)]),
        )
        self.turns = np.array([_draw_turn(*sample) for sample in columns], np.int64)
        for seat in self._seats:
            if any(trial.part for trial in seat.assignment.trials.asked):
                raise SettingsError(
                    f"diagnostic {seat.assignment.diagnostic}: it makes several requests of one "
                    f"sample, and a vote needs one; leave it out, or ask the full plan"
                )
            self._count(seat)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of models of each test."""
        return dict(zip(self.tests, map(_size, self.tally.tests), strict=True))

    def read(self, store: Store, model_ids: Collection[str] | None = None) -> None:
        """Enter the answers of these models, or of all, that are stored and not entered yet."""
        by_model: dict[str, list[_Seat]] = {}
        for seat in self._seats:
            by_model.setdefault(seat.assignment.model_id, []).append(seat)
        for model_id, seats in by_model.items():
            if model_ids is not None and model_id not in model_ids:
                continue
            answers = store.answers(model_id)
            for seat in seats:
                trials = seat.assignment.trials.asked
                unread = np.isin(seat.votes, (Vote.OPEN, Vote.LACKING))
                for place in np.flatnonzero(unread).tolist():
                    answer = answers.get(seat.keys[place])
                    if answer is not None:
                        seat.votes[place] = _read_vote(trials[place], answer)
                self._count(seat)

    def _count(self, seat: _Seat) -> None:
        """Enter a seat in the tally: right only if right under every rotation, wrong if in one."""
        strength = np.zeros(self.tally.votes.shape[1], np.int8)
        np.maximum.at(strength, seat.columns, np.argsort(_WEAKEST_FIRST)[seat.votes])
        self.tally.votes[seat.slot, seat.columns] = _WEAKEST_FIRST[strength[seat.columns]]

    def close(self, asked: Iterable[Assignment]) -> None:
        """Take questions that have been asked in vain as not answered.

        Samples may share a question: one that was asked for another sample is closed with it.

        Args:
            asked: what ``narrow`` gave.
        """
        tried = {
            (each.model_id, each.key(trial, 0)) for each in asked for trial in each.trials.asked
        }
        for seat in self._seats:
            in_vain = [(seat.assignment.model_id, key) in tried for key in seat.keys]
            self._close(seat, np.array(in_vain, np.bool_))

    def close_models(self, names: Collection[str]) -> None:
        """Take all open questions of these models as not answered."""
        for seat in self._seats:
            if seat.assignment.model_name in names:
                self._close(seat, np.ones(len(seat.keys), np.bool_))

    def _close(self, seat: _Seat, trials: Mask) -> None:
        seat.votes[trials & (seat.votes == Vote.OPEN)] = Vote.LACKING
        self._count(seat)

    def narrow(self, cells: Mask) -> tuple[Assignment, ...]:
        """Return the assignments with the next open question of each of these cells, K x S.

        That is one rotation of the choices in its first draw: if it is answered wrong, the others
        need not be asked.
        """
        narrowed = []
        for seat in self._seats:
            places = np.flatnonzero(seat.find_open(cells))
            if len(places):
                _, first = np.unique(seat.columns[places], return_index=True)
                trials = tuple(seat.assignment.trials.asked[place] for place in places[first])
                narrowed.append(replace(seat.assignment, trials=Trials(trials), n_draws=1))
        return tuple(narrowed)

    def count_open(self, cells: Mask) -> Counter[str]:
        """Count the open questions of each model in these cells, K x S, all rotations."""
        counts: Counter[str] = Counter()
        for seat in self._seats:
            counts[seat.assignment.model_name] += int(np.count_nonzero(seat.find_open(cells)))
        return counts


def _size(slots: slice) -> int:
    return int(slots.stop - slots.start)


def _order_by_cost(assignments: Sequence[Assignment]) -> tuple[str, ...]:
    """Order the tests by what a call costs: text, one frame, matched frames, watched frames."""
    by_test: dict[str, list[Assignment]] = {}
    for each in assignments:
        by_test.setdefault(each.diagnostic, []).append(each)

    def cost(test: str) -> tuple[int, float, float]:
        callers = [each for each in by_test[test] if not isinstance(each.model, FittedModel)]
        requests = [trial.request for each in callers for trial in each.trials.asked]
        if not requests:
            return 0, 0, 0
        n_frames = fmean(len(request.frames) for request in requests)
        n_characters = fmean(len(request.system) + len(request.text) for request in requests)
        if n_frames <= 1:
            kind = 1 if n_frames else 0
        else:
            kind = 2 if all(isinstance(each.model, MatchingModel) for each in callers) else 3
        return kind, n_frames, n_characters

    return tuple(sorted(by_test, key=cost))


def _list_slots(
    assignments: Sequence[Assignment], tests: Sequence[str]
) -> tuple[dict[tuple[str, str], int], tuple[slice, ...]]:
    """Number the slots, those of a test in one piece, and say where each test's are."""
    slots: dict[tuple[str, str], int] = {}
    test_slots = []
    for test in tests:
        start = len(slots)
        for each in assignments:
            if each.diagnostic == test:
                slots.setdefault((test, each.model_name), len(slots))
        test_slots.append(slice(start, len(slots)))
    return slots, tuple(test_slots)


def _draw_turn(benchmark: str, sample_id: str) -> int:
    return int(content_id("turn1", [benchmark, sample_id])[-_TURN_DIGITS:], 16)


def _read_vote(trial: Trial, answer: Answer) -> Vote:
    position = read_reply(answer, trial.shown_choices, trial.request.letters).position
    if position is None:
        return Vote.LACKING
    return Vote.RIGHT if trial.sample.is_correct(trial.order[position]) else Vote.WRONG
