"""Reads the votes of a plan from the store, and narrows the plan to some of its questions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
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


@dataclass(frozen=True, slots=True)
class _Seat:
    """One assignment's place on the tally: its slot, and the sample and key of each trial."""

    assignment: Assignment
    slot: int
    columns: NDArray[np.intp]
    keys: tuple[AnswerKey, ...]


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
            if len(set(seat.columns.tolist())) < len(seat.columns):
                raise SettingsError(
                    f"diagnostic {seat.assignment.diagnostic}: it makes several requests of one "
                    f"sample, and a vote needs one; leave it out, or ask the full plan"
                )
            # A fitted model answers all at once, and without a call: it is waited for, not asked.
            if not isinstance(seat.assignment.model, FittedModel):
                self.tally.votes[seat.slot, seat.columns] = Vote.OPEN

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
                votes = self.tally.votes[seat.slot]
                trials = seat.assignment.trials.asked
                unread = np.isin(votes[seat.columns], (Vote.OPEN, Vote.LACKING))
                for place in np.flatnonzero(unread).tolist():
                    answer = answers.get(seat.keys[place])
                    if answer is not None:
                        votes[seat.columns[place]] = _read_vote(trials[place], answer)

    def close(self, questions: Mask) -> None:
        """Take those of these questions, K x S, that have been asked in vain as not answered.

        Samples may share a question: one that was asked for another sample is closed with it.
        """
        tried = {
            (seat.assignment.model_id, key)
            for seat in self._seats
            for key in compress(
                seat.keys, self._find_open(seat) & questions[seat.slot, seat.columns]
            )
        }
        for seat in self._seats if tried else ():
            in_vain = [(seat.assignment.model_id, key) in tried for key in seat.keys]
            self._close(seat, np.array(in_vain, np.bool_))

    def close_models(self, names: Collection[str]) -> None:
        """Take all open questions of these models as not answered."""
        for seat in self._seats:
            if seat.assignment.model_name in names:
                self._close(seat, np.ones(len(seat.keys), np.bool_))

    def _find_open(self, seat: _Seat) -> Mask:
        is_open: Mask = self.tally.votes[seat.slot, seat.columns] == Vote.OPEN
        return is_open

    def _close(self, seat: _Seat, trials: Mask) -> None:
        self.tally.votes[seat.slot, seat.columns[trials & self._find_open(seat)]] = Vote.LACKING

    def narrow(self, questions: Mask) -> tuple[Assignment, ...]:
        """Return the assignments with these questions only, K x S, in their first draw."""
        narrowed = []
        for seat in self._seats:
            chosen = questions[seat.slot, seat.columns]
            if chosen.any():
                trials = tuple(compress(seat.assignment.trials.asked, chosen))
                narrowed.append(replace(seat.assignment, trials=Trials(trials), n_draws=1))
        return tuple(narrowed)


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
