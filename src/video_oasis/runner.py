"""Asks what a plan needs and the store lacks, and stores every answer the moment it comes.

An asked model's question counts as done only once its answer is committed, so a killed process
loses at most the calls in flight. A failure is recorded beside the answers and asked again by the
next run.
"""

import asyncio
import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import uvloop

from video_oasis.errors import AskError, AskInterrupted, AskRejected, MediaError, RunError
from video_oasis.media.frames import ReadPicture
from video_oasis.models.interface import AskedModel, FittedModel, MatchingModel
from video_oasis.plan import Assignment
from video_oasis.schema import Answer, Request
from video_oasis.store import AnswerKey, Failure, NewAnswer, Store, make_model_id

GIVE_UP_AFTER: Final = 20
"""Failures without any success between them after which a model is left alone for this run."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one model has come.

    Attributes:
        model: the model's name.
        n_total: questions it had to answer in this run.
        n_answered: answered and stored so far.
        n_failed: tried in vain so far.
    """

    model: str
    n_total: int
    n_answered: int = 0
    n_failed: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    Attributes:
        progress: the last word on each model that had anything to answer.
        gave_up: the models that were left alone after too many failures, and the last message.
        interrupted: whether the user stopped the run.
    """

    progress: tuple[Progress, ...]
    gave_up: dict[str, str]
    interrupted: bool

    @property
    def n_answered(self) -> int:
        """Answers stored by this run."""
        return sum(model.n_answered for model in self.progress)

    @property
    def n_failed(self) -> int:
        """Questions tried in vain by this run."""
        return sum(model.n_failed for model in self.progress)


_NOTHING_YET: Final = Outcome((), {}, interrupted=False)

Listener = Callable[[Progress], None]
"""Told of every change; called often, so it must be quick."""


def _no_pictures(digest: str) -> bytes:
    raise MediaError("frame_lost", f"{digest}: there is no folder of frames to read it from")


def run_plan(
    assignments: Sequence[Assignment],
    store: Store,
    *,
    read_picture: ReadPicture = _no_pictures,
    artifacts: Path | None = None,
    listener: Listener = lambda _: None,
    before: Outcome = _NOTHING_YET,
) -> Outcome:
    """Ask every question of the plan that is not answered yet.

    Asked models go first, all at the same time, each with its own concurrency; then matching and
    fitted models one after the other. Ctrl-C stops the run in good order.

    Args:
        assignments: the plan.
        store: where answers are and go.
        read_picture: gives the frames of the requests; not needed by a plan that shows none.
        artifacts: where matching models keep embeddings; not needed by a plan without any.
        listener: told how far each model has come.
        before: how earlier rounds of the same run ended, if it goes in rounds; counting goes on
            from there.

    Returns:
        How it ended, earlier rounds included; failures are counted there, not raised.

    Raises:
        ModelUnavailable: a model that has questions to answer cannot be used at all; nothing has
            been asked of any model then, unless it is a matching one, which is only found out when
            its turn comes.
        RunError: the store cannot be written.
    """
    for assignment in assignments:
        store.put_model(assignment.model_id, assignment.description)
    board = _Board(listener, {each.model: each for each in before.progress}, dict(before.gave_up))
    interrupted = False
    try:
        _ask_queues(_queues(assignments, store), store, board, read_picture)
        for assignment in assignments:
            if isinstance(assignment.model, MatchingModel):
                _match(assignment, assignment.model, store, board, read_picture, artifacts)
            elif isinstance(assignment.model, FittedModel):
                _fit(assignment, assignment.model, store, board, read_picture)
    except KeyboardInterrupt:
        interrupted = True
    return Outcome(tuple(board.progress.values()), board.gave_up, interrupted)


def check_asked_models(assignments: Sequence[Assignment], store: Store) -> None:
    """Find out whether every asked model that has questions left can be asked, and ask nothing.

    Raises:
        ModelUnavailable: one of them cannot.
    """
    queues = _queues(assignments, store)
    if queues:
        uvloop.run(_check_all(queues))


def ask_requests(
    name: str,
    model: AskedModel,
    requests: Iterable[Request],
    store: Store,
    *,
    read_picture: ReadPicture = _no_pictures,
    listener: Listener = lambda _: None,
) -> Outcome:
    """Ask one model requests that belong to no trial, such as those for captions.

    Args:
        name: the name to show the model under.
        model: the model.
        requests: what to ask it; what is answered already is not asked again.
        store: where answers are and go.
        read_picture: gives the frames of the requests.
        listener: told how far it has come.

    Raises:
        ModelUnavailable: the model cannot be asked at all.
        RunError: the store cannot be written.
    """
    description = model.describe()
    model_id = make_model_id(description)
    store.put_model(model_id, description)
    queue = _Queue(name, model, [])
    known = set(store.answer_keys(model_id))
    for request in requests:
        key = AnswerKey(request.id, 0)
        if key not in known:
            known.add(key)
            queue.questions.append(_Question(model_id, key, request))
    board = _Board(listener)
    interrupted = False
    try:
        _ask_queues([queue] if queue.questions else [], store, board, read_picture)
    except KeyboardInterrupt:
        interrupted = True
    return Outcome(tuple(board.progress.values()), board.gave_up, interrupted)


def _ask_queues(
    queues: Sequence["_Queue"], store: Store, board: "_Board", read_picture: ReadPicture
) -> None:
    if not queues:
        return
    try:
        # A plan is up to millions of objects that live as long as the run: nothing that the
        # garbage collector should walk again and again.
        gc.freeze()
        uvloop.run(_ask_all(queues, store, board, read_picture))
    finally:
        gc.unfreeze()


@dataclass
class _Board:
    """What has happened so far, by model name."""

    listener: Listener
    progress: dict[str, Progress] = field(default_factory=dict)
    gave_up: dict[str, str] = field(default_factory=dict)
    failures_in_a_row: dict[str, int] = field(default_factory=dict)

    def expect(self, model: str, n_questions: int) -> None:
        so_far = self.progress.get(model, Progress(model, 0))
        self._show(replace(so_far, n_total=so_far.n_total + n_questions))

    def count_answers(self, model: str, n_answers: int) -> None:
        self.failures_in_a_row[model] = 0
        so_far = self.progress[model]
        self._show(replace(so_far, n_answered=so_far.n_answered + n_answers))

    def count_failure(self, model: str, error: AskError) -> None:
        so_far = self.progress[model]
        # A server that refuses one request is alive and may take the next; only when it has never
        # answered at all do refusals mean that it never will.
        if isinstance(error, AskInterrupted) or so_far.n_answered == 0:
            self.failures_in_a_row[model] = self.failures_in_a_row.get(model, 0) + 1
        if self.failures_in_a_row.get(model, 0) >= GIVE_UP_AFTER:
            self.gave_up[model] = str(error)
        self._show(replace(so_far, n_failed=so_far.n_failed + 1))

    def _show(self, progress: Progress) -> None:
        self.progress[progress.model] = progress
        self.listener(progress)


@dataclass(frozen=True, slots=True)
class _Question:
    model_id: str
    key: AnswerKey
    request: Request


@dataclass(frozen=True, slots=True)
class _Queue:
    """All that one asked model has to answer."""

    name: str
    model: AskedModel
    questions: list[_Question]


def _queues(assignments: Sequence[Assignment], store: Store) -> list[_Queue]:
    queues: dict[str, _Queue] = {}
    queued: dict[str, set[AnswerKey]] = {}
    for assignment in assignments:
        if not isinstance(assignment.model, AskedModel):
            continue
        name = assignment.model_name
        queue = queues.setdefault(name, _Queue(name, assignment.model, []))
        known = queued.setdefault(name, set(store.answer_keys(assignment.model_id)))
        for key, trial in assignment.asks():
            if key not in known:
                known.add(key)
                queue.questions.append(_Question(assignment.model_id, key, trial.request))
    for queue in queues.values():
        failed = {
            key
            for model_id in {question.model_id for question in queue.questions}
            for key in store.failures(model_id)
        }
        # What failed before goes last: if it fails again it does not keep the rest from its turn.
        queue.questions.sort(key=lambda question: question.key in failed)
    return [queue for queue in queues.values() if queue.questions]


async def _check_all(queues: Sequence[_Queue]) -> None:
    try:
        await asyncio.gather(*(queue.model.check() for queue in queues))
    finally:
        await asyncio.gather(*(queue.model.close() for queue in queues))


async def _ask_all(
    queues: Sequence[_Queue], store: Store, board: _Board, read_picture: ReadPicture
) -> None:
    committer = _Committer(store)
    try:
        await asyncio.gather(*(queue.model.check() for queue in queues))
        async with asyncio.TaskGroup() as group:
            for queue in queues:
                board.expect(queue.name, len(queue.questions))
                waiting = iter(queue.questions)
                for _ in range(min(queue.model.concurrency, len(queue.questions))):
                    group.create_task(_work(queue, waiting, committer, board, read_picture))
    except BaseExceptionGroup as group:
        # The workers share one store, so what stopped one of them stops all in the same way.
        raise group.exceptions[0] from None
    finally:
        committer.commit_now()
        await asyncio.gather(*(queue.model.close() for queue in queues))


async def _work(
    queue: _Queue,
    waiting: Iterator[_Question],
    committer: "_Committer",
    board: _Board,
    read_picture: ReadPicture,
) -> None:
    for question in waiting:
        if queue.name in board.gave_up:
            return
        try:
            pictures = await _read_pictures(question.request, read_picture)
            answer = await queue.model.ask(question.request, question.key.draw, pictures)
        except AskError as error:
            await committer.commit_failure(question, Failure(error.kind, str(error)))
            board.count_failure(queue.name, error)
        else:
            await committer.commit_answer(question, answer)
            board.count_answers(queue.name, 1)


async def _read_pictures(request: Request, read_picture: ReadPicture) -> list[bytes]:
    """Read the frames of a request.

    Raises:
        AskRejected: one of them is not there any more.
    """
    if not request.frames:
        return []
    try:
        # Off the event loop: a hundred files for each request would hold up all other requests.
        return await asyncio.to_thread(lambda: list(map(read_picture, request.pictures)))
    except MediaError as error:
        raise AskRejected(f"video_{error.kind}", str(error)) from error


class _Committer:
    """Commits what has come in since the last turn of the event loop in one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._answers: dict[str, list[NewAnswer]] = {}
        self._failures: dict[str, list[tuple[AnswerKey, Failure]]] = {}
        self._committed: asyncio.Future[None] | None = None

    async def commit_answer(self, question: _Question, answer: Answer) -> None:
        new = NewAnswer(question.key, question.request, answer)
        self._answers.setdefault(question.model_id, []).append(new)
        await self._next_commit()

    async def commit_failure(self, question: _Question, failure: Failure) -> None:
        self._failures.setdefault(question.model_id, []).append((question.key, failure))
        await self._next_commit()

    async def _next_commit(self) -> None:
        if self._committed is None:
            loop = asyncio.get_running_loop()
            self._committed = loop.create_future()
            loop.call_soon(self.commit_now)
        # One waiter's cancellation must not cancel the future that the others wait for.
        await asyncio.shield(self._committed)

    def commit_now(self) -> None:
        """Commit all that waits; those who wait for it go on, or learn why it failed."""
        committed, self._committed = self._committed, None
        answers, self._answers = self._answers, {}
        failures, self._failures = self._failures, {}
        try:
            for model_id, new in answers.items():
                self._store.put_answers(model_id, new)
            for model_id, failed in failures.items():
                self._store.put_failures(model_id, failed)
        except Exception as error:
            if committed is None or committed.done():
                raise
            committed.set_exception(error)
        else:
            if committed is not None and not committed.done():
                committed.set_result(None)


def _match(
    assignment: Assignment,
    model: MatchingModel,
    store: Store,
    board: _Board,
    read_picture: ReadPicture,
    artifacts: Path | None,
) -> None:
    answered = store.answer_keys(assignment.model_id)
    left = {trial.request.id: trial for key, trial in assignment.asks() if key not in answered}
    if not left:
        return
    if artifacts is None:
        raise RunError(f"{assignment.model_name} needs a folder to keep embeddings in")
    name = assignment.model_name
    board.expect(name, len(left))
    for trial, outcome in model.match(list(left.values()), read_picture, artifacts):
        key = assignment.key(trial, 0)
        if isinstance(outcome, AskError):
            failure = Failure(outcome.kind, str(outcome))
            store.put_failures(assignment.model_id, [(key, failure)])
            board.count_failure(name, outcome)
        else:
            new = NewAnswer(key, trial.request, outcome)
            store.put_answers(assignment.model_id, [new])
            board.count_answers(name, 1)


def _fit(
    assignment: Assignment,
    model: FittedModel,
    store: Store,
    board: _Board,
    read_picture: ReadPicture,
) -> None:
    answered = store.answer_keys(assignment.model_id)
    left = [key for key, _ in assignment.asks() if key not in answered]
    if not left:
        return
    board.expect(assignment.model_name, len(left))
    try:
        fitted = model.answer_all(assignment.trials.asked, read_picture)
    except MediaError as error:
        # Every answer depends on all trials, so a picture that is gone is the failure of all.
        failure = Failure(f"video_{error.kind}", str(error))
        store.put_failures(assignment.model_id, [(key, failure) for key in left])
        for _ in left:
            board.count_failure(assignment.model_name, AskRejected(failure.kind, failure.message))
        return
    # Findings first: once the answers are there, nothing would ever be fitted for them again.
    store.put_findings(assignment.model_id, [asdict(finding) for finding in fitted.findings])
    store.put_answers(
        assignment.model_id,
        [
            NewAnswer(assignment.key(trial, 0), trial.request, answer)
            for trial, answer in zip(assignment.trials.asked, fitted.answers, strict=True)
        ],
    )
    board.count_answers(assignment.model_name, len(left))
