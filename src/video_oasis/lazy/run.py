"""Asks a plan lazily: round by round, until no open question can change a verdict."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from video_oasis.lazy.poll import Poll
from video_oasis.lazy.rules import choose_round, find_needed
from video_oasis.media.frames import ReadPicture
from video_oasis.models.interface import FittedModel
from video_oasis.plan import Assignment, estimate_cost
from video_oasis.runner import Listener, Outcome, Progress, check_asked_models, run_plan
from video_oasis.store import Store


def run_lazily(
    assignments: Sequence[Assignment],
    store: Store,
    *,
    tests: Collection[str],
    read_picture: ReadPicture,
    artifacts: Path,
    threshold: int | None = None,
    listener: Listener = lambda _: None,
    note: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Ask what the verdicts of a plan need, and every question of its other diagnostics.

    Fitted models come first: they cost no call. Then the tests are asked in rounds, the cheapest
    first, each sample until it is a shortcut or no test can make it one; of each question only the
    first draw, as no other votes. A question that failed or whose reply cannot be read is no vote:
    it is not asked again in this run, and the rest of its test still is. Diagnostics that are no
    test are asked in full, last. What to ask is found anew from the store: a run that was stopped
    goes on where it was.

    Args:
        assignments: the full plan.
        store: where answers are and go.
        tests: the diagnostics whose verdicts count.
        read_picture: gives the frames of the requests.
        artifacts: where matching models keep embeddings.
        threshold: the number of right models that makes a sample a shortcut; None for all models of
            the test that has most.
        listener: told how far each model has come; its totals are upper bounds until the end.
        note: told of tests that can make no shortcut and so are not asked.

    Returns:
        How it ended, all rounds together.

    Raises:
        SettingsError: a test makes several requests of one sample, or no test has so many models.
        ModelUnavailable: a model that may have questions to answer cannot be asked at all; nothing
            has been asked of any model then, unless it has become unavailable between two rounds.
        RunError: the store cannot be written.
    """
    poll = Poll(assignments, tests, threshold)
    for test, n_models in poll.sizes.items():
        if n_models < poll.tally.threshold:
            note(
                f"{test} can make no shortcut and is not asked: {n_models} models answer it, and "
                f"the threshold is {poll.tally.threshold}"
            )
    lazy_run = _LazyRun(assignments, store, poll, read_picture, artifacts, listener)
    try:
        lazy_run.ask_all()
    except KeyboardInterrupt:
        lazy_run.outcome = replace(lazy_run.outcome, interrupted=True)
    return lazy_run.outcome


class _LazyRun:
    """A lazy plan on its way, and how far it has come."""

    def __init__(
        self,
        assignments: Sequence[Assignment],
        store: Store,
        poll: Poll,
        read_picture: ReadPicture,
        artifacts: Path,
        listener: Listener,
    ) -> None:
        self.outcome = Outcome((), {}, interrupted=False)
        self._store = store
        self._poll = poll
        self._fitted = [each for each in assignments if isinstance(each.model, FittedModel)]
        self._in_full = [
            each
            for each in assignments
            if each.diagnostic not in poll.sizes and not isinstance(each.model, FittedModel)
        ]
        self._read_picture = read_picture
        self._artifacts = artifacts
        self._listener = listener
        self._n_left_in_full = [estimate_cost(each, store).n_left for each in self._in_full]

    def ask_all(self) -> None:
        poll = self._poll
        poll.read(self._store)
        check_asked_models([*poll.narrow(find_needed(poll.tally)), *self._in_full], self._store)
        self._ask(self._fitted)
        poll.read(self._store, {each.model_id for each in self._fitted})
        while not self.outcome.interrupted:
            cells = choose_round(poll.tally, poll.turns)
            if not cells.any():
                break
            narrowed = poll.narrow(cells)
            self._ask(narrowed)
            poll.read(self._store, {each.model_id for each in narrowed})
            poll.close_models(self.outcome.gave_up)
            poll.close(narrowed)
        if not self.outcome.interrupted:
            self._ask([x for x in self._in_full if x.model_name not in self.outcome.gave_up])
        if not self.outcome.interrupted:
            self._close_progress()

    def _ask(self, assignments: Sequence[Assignment]) -> None:
        self.outcome = run_plan(
            assignments,
            self._store,
            read_picture=self._read_picture,
            artifacts=self._artifacts,
            listener=self._make_listener(),
            before=self.outcome,
        )

    def _make_listener(self) -> Listener:
        """Make a listener that gives as total what a model has done and may still have to do."""
        most = {each.model: each.n_answered + each.n_failed for each in self.outcome.progress}
        for model, n_open in self._poll.count_open(find_needed(self._poll.tally)).items():
            most[model] = most.get(model, 0) + n_open
        for each, n_left in zip(self._in_full, self._n_left_in_full, strict=True):
            most[each.model_name] = most.get(each.model_name, 0) + n_left

        def listen(progress: Progress) -> None:
            n_total = max(most.get(progress.model, 0), progress.n_total)
            self._listener(replace(progress, n_total=n_total))

        return listen

    def _close_progress(self) -> None:
        for each in self.outcome.progress:
            self._listener(replace(each, n_total=each.n_answered + each.n_failed))
