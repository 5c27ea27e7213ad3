"""The runner: resumes, records failures, gives up on dead servers, survives Ctrl-C and kill -9."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.errors import AskInterrupted, AskRejected, MediaError, ModelUnavailable, RunError
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import list_wanted
from video_oasis.media.frames import Timeline
from video_oasis.models.interface import Finding, FittedAnswers
from video_oasis.plan import Assignment, make_plan
from video_oasis.runner import GIVE_UP_AFTER, Progress, run_plan
from video_oasis.schema import Answer, Form, Frame, Request, Sample, Trial
from video_oasis.store import Failure, Store


@pytest.fixture
def plan_for(make_sample: Callable[..., Sample]) -> Callable[..., tuple[Assignment, ...]]:
    """Plan the blind test of so many different samples for one model."""

    def plan(model: Any, n_samples: int, **settings: Any) -> tuple[Assignment, ...]:
        samples = [
            make_sample(id=f"s{number}", question=f"Question {number}?")
            for number in range(n_samples)
        ]
        return make_plan(samples, [DIAGNOSTICS["blind"]], {model.name: model}, **settings)

    return plan


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store.create(tmp_path / "answers.sqlite") as store:
        yield store


def test_everything_is_asked_once_and_a_second_run_asks_nothing(
    plan_for: Any, scripted_model: Any, store: Store
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("B"))
    plan = plan_for(model, 30)
    seen: list[Progress] = []
    outcome = run_plan(plan, store, listener=seen.append)
    assert (outcome.n_answered, outcome.n_failed, outcome.interrupted) == (30, 0, False)
    assert len(store.answers(plan[0].model_id)) == len(model.asked) == 30
    assert seen[-1] == Progress("scripted", n_total=30, n_answered=30)
    assert model.closed
    assert run_plan(plan, store).progress == ()
    assert len(model.asked) == 30


def test_a_failure_is_recorded_and_asked_again(
    plan_for: Any, scripted_model: Any, store: Store
) -> None:
    broken = True

    def reply(request: Request, _draw: int) -> Answer:
        if broken and "Question 3?" in request.text:
            raise AskInterrupted("timeout", "no reply within 120 s")
        return Answer("B")

    plan = plan_for(scripted_model(reply), 5)
    outcome = run_plan(plan, store)
    assert (outcome.n_answered, outcome.n_failed) == (4, 1)
    assert list(store.failures(plan[0].model_id).values()) == [
        Failure("timeout", "no reply within 120 s")
    ]
    broken = False
    assert run_plan(plan, store).n_answered == 1
    assert store.failures(plan[0].model_id) == {}


def test_each_draw_is_asked(plan_for: Any, scripted_model: Any, store: Store) -> None:
    model = scripted_model(lambda _request, draw: Answer("AB"[draw]))
    plan = plan_for(model, 2, n_draws=2)
    run_plan(plan, store)
    texts = sorted((key.draw, a.text) for key, a in store.answers(plan[0].model_id).items())
    assert texts == [(0, "A"), (0, "A"), (1, "B"), (1, "B")]


def test_concurrency_is_kept_to(plan_for: Any, scripted_model: Any, store: Store) -> None:
    under_way = most = 0

    async def reply() -> Answer:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.002)
        under_way -= 1
        return Answer("A")

    model = scripted_model(lambda _request, _draw: reply(), concurrency=3)
    run_plan(plan_for(model, 20), store)
    assert most == 3


def test_a_dead_server_is_left_alone_and_the_rest_stays_to_be_asked(
    plan_for: Any, scripted_model: Any, store: Store
) -> None:
    def reply(_request: Request, _draw: int) -> Answer:
        raise AskInterrupted("connection", "nothing listens there")

    model = scripted_model(reply, concurrency=2)
    outcome = run_plan(plan_for(model, 200), store)
    assert outcome.gave_up == {"scripted": "nothing listens there"}
    assert GIVE_UP_AFTER <= len(model.asked) < GIVE_UP_AFTER + 2


def test_refusals_of_single_requests_do_not_stop_a_model_that_answers(
    plan_for: Any, scripted_model: Any, store: Store
) -> None:
    def reply(request: Request, _draw: int) -> Answer:
        if "Question 0?" in request.text:
            return Answer("A")
        raise AskRejected("context_length", "too long")

    outcome = run_plan(plan_for(scripted_model(reply, concurrency=1), 60), store)
    assert (outcome.n_failed, outcome.gave_up) == (59, {})


def test_a_model_that_refuses_everything_is_left_alone(
    plan_for: Any, scripted_model: Any, store: Store
) -> None:
    def reply(_request: Request, _draw: int) -> Answer:
        raise AskRejected("response_format", "not supported")

    outcome = run_plan(plan_for(scripted_model(reply, concurrency=1), 60), store)
    assert outcome.gave_up == {"scripted": "not supported"}


def test_what_failed_before_goes_last(plan_for: Any, scripted_model: Any, store: Store) -> None:
    def reply(request: Request, _draw: int) -> Answer:
        if "Question 0?" in request.text:
            raise AskRejected("context_length", "too long")
        return Answer("A")

    run_plan(plan_for(scripted_model(reply), 1), store)
    model = scripted_model(reply, concurrency=1)
    run_plan(plan_for(model, 3), store)
    order = [request.text.split("Question: ")[1].split("?")[0] for request, _ in model.asked]
    assert order == ["Question 1", "Question 2", "Question 0"]


def test_an_unavailable_model_stops_the_run_before_anything_is_asked(
    make_sample: Callable[..., Sample], scripted_model: Any, store: Store
) -> None:
    class Absent(scripted_model):  # type: ignore[misc]
        async def check(self) -> None:
            raise ModelUnavailable("no server at localhost:1")

    well = scripted_model(lambda _request, _draw: Answer("A"), name="well")
    absent = Absent(lambda _request, _draw: Answer("A"), name="absent")
    plan = make_plan([make_sample()], [DIAGNOSTICS["blind"]], {"well": well, "absent": absent})
    with pytest.raises(ModelUnavailable, match="no server"):
        run_plan(plan, store)
    assert well.asked == []


def test_a_store_that_cannot_be_written_is_one_clear_error(
    plan_for: Any, scripted_model: Any, store: Store, tmp_path: Path
) -> None:
    plan = plan_for(scripted_model(lambda _request, _draw: Answer("A")), 8)
    run_plan(plan, store)
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        connection.execute("DROP TABLE answers")
        connection.execute("CREATE VIEW answers AS SELECT '' key, '' model, 0 draw")
    connection.close()
    with pytest.raises(RunError, match="cannot be used as a file of answers"):
        run_plan(plan, store)


@pytest.fixture
def frames_plan(make_sample: Callable[..., Sample]) -> Callable[..., tuple[Assignment, ...]]:
    """Plan the reversed test of one sample whose video has frames a, b and c."""

    def plan(model: Any) -> tuple[Assignment, ...]:
        sample, diagnostic = make_sample(), DIAGNOSTICS["reverse"]
        assert diagnostic.sampling is not None
        wanted = list_wanted([sample], [diagnostic.sampling], FrameSettings())
        shown = tuple(Frame(digest, float(i)) for i, digest in enumerate("abc"))
        timelines = {key: Timeline("v", each, shown, 3.0, 75) for key, each in wanted.items()}
        return make_plan([sample], [diagnostic], {model.name: model}, prepared=Prepared(timelines))

    return plan


def test_a_model_is_given_the_pictures_in_the_order_shown(
    frames_plan: Any, scripted_model: Any, store: Store
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("B"))
    outcome = run_plan(frames_plan(model), store, read_picture=str.encode)
    assert outcome.n_answered == 1
    assert model.shown == [[b"c", b"b", b"a"]]


def test_a_picture_that_is_gone_is_a_recorded_failure(
    frames_plan: Any, scripted_model: Any, store: Store
) -> None:
    def read(digest: str) -> bytes:
        raise MediaError("frame_lost", f"{digest}.jpg: no such frame")

    model = scripted_model(lambda _request, _draw: Answer("B"))
    plan = frames_plan(model)
    outcome = run_plan(plan, store, read_picture=read)
    assert (outcome.n_failed, model.asked) == (1, [])
    (failure,) = store.failures(plan[0].model_id).values()
    assert failure == Failure("video_frame_lost", "c.jpg: no such frame")


class Constant:
    """A fitted model of the tests' own: the letter of each trial's number, with one finding."""

    name = "constant"
    max_frames = 0
    forms = frozenset({Form.QUESTION})

    def __init__(self) -> None:
        self.n_fits = 0

    def describe(self, trials: Sequence[Trial]) -> dict[str, Any]:
        return {"backend": "constant", "samples": [trial.sample.id for trial in trials]}

    def answer_all(self, trials: Sequence[Trial], _read: Any) -> FittedAnswers:
        self.n_fits += 1
        answers = [Answer("ABCD"[number % 4]) for number, _ in enumerate(trials)]
        return FittedAnswers(answers, [Finding("bench", "order", "position A", 0.5)])


def test_a_fitted_model_is_fitted_once_and_its_findings_kept(plan_for: Any, store: Store) -> None:
    model = Constant()
    plan = plan_for(model, 6)
    assert run_plan(plan, store).n_answered == 6
    assert run_plan(plan, store).n_answered == 0
    assert model.n_fits == 1
    by_key = store.answers(plan[0].model_id)
    texts = [by_key[plan[0].key(trial, 0)].text for trial in plan[0].trials.asked]
    assert texts == ["A", "B", "C", "D", "A", "B"]
    assert store.findings(plan[0].model_id)[0]["feature"] == "position A"


def test_a_fit_that_lost_a_picture_is_a_recorded_failure(plan_for: Any, store: Store) -> None:
    class Blinded(Constant):
        def answer_all(self, trials: Sequence[Trial], _read: Any) -> FittedAnswers:
            raise MediaError("frame_lost", f"one of {len(trials)} pictures is gone")

    plan = plan_for(Blinded(), 3)
    outcome = run_plan(plan, store)
    assert (outcome.n_answered, outcome.n_failed) == (0, 3)
    assert set(store.failures(plan[0].model_id).values()) == {
        Failure("video_frame_lost", "one of 3 pictures is gone")
    }
    assert store.findings(plan[0].model_id) == []


RUN_SLOWLY = textwrap.dedent("""
    import asyncio, sys
    from pathlib import Path
    from video_oasis.diagnostics import DIAGNOSTICS
    from video_oasis.plan import make_plan
    from video_oasis.run_folder import RunFolder
    from video_oasis.runner import run_plan
    from video_oasis.schema import Answer, Sample, Video
    from video_oasis.store import Store

    class Slow:
        name, concurrency, max_frames, forms = "slow", 4, None, {"question"}
        def describe(self): return {"backend": "slow"}
        async def check(self): pass
        async def close(self): pass
        async def ask(self, request, draw, pictures):
            print("asked", flush=True)
            await asyncio.sleep(0.02)
            print("answered", flush=True)
            return Answer("A")

    samples = [
        Sample(f"s{n}", "b", Video("v"), f"Q{n}?", ("x", "y"), 0, "t") for n in range(400)
    ]
    folder = RunFolder(Path(sys.argv[1]))
    with folder.lock(), Store.create(folder.answers) as store:
        plan = make_plan(samples, [DIAGNOSTICS["blind"]], {"slow": Slow()})
        outcome = run_plan(plan, store)
    print("interrupted" if outcome.interrupted else "finished", flush=True)
""")


def run_until(folder: Path, n_answered: int, stop: signal.Signals) -> str:
    """Run the slow script, signal it after so many answers, and return all it printed."""
    script = [sys.executable, "-c", RUN_SLOWLY, str(folder)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if printed.count("answered") >= n_answered:
                os.kill(process.pid, stop)
                break
        return printed + process.stdout.read()


def count_stored(folder: Path) -> int:
    with sqlite3.connect(folder / "answers.sqlite") as connection:
        (n,) = connection.execute("SELECT count(*) FROM answers").fetchone()
    connection.close()
    return int(n)


def test_kill_9_loses_at_most_the_calls_in_flight(tmp_path: Path) -> None:
    for attempt in range(1, 4):
        printed = run_until(tmp_path, 40, signal.SIGKILL)
        n_stored = count_stored(tmp_path)
        if attempt == 1:
            assert printed.count("answered") - n_stored <= 4
            assert n_stored <= printed.count("asked")
        assert n_stored >= attempt * 36
    with Store.read(tmp_path / "answers.sqlite") as store:
        assert store.verify() == []


def test_ctrl_c_ends_in_good_order(tmp_path: Path) -> None:
    printed = run_until(tmp_path, 40, signal.SIGINT)
    assert printed.rstrip().endswith("interrupted")
    assert count_stored(tmp_path) >= 36


def test_a_second_process_on_the_same_run_is_refused(tmp_path: Path) -> None:
    script = [sys.executable, "-c", RUN_SLOWLY, str(tmp_path)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        first.stdout.readline()
        second = subprocess.run(script, capture_output=True, text=True, check=False)
        assert "RunError" in second.stderr
        assert f"pid {first.pid}" in second.stderr
        first.kill()
    assert run_until(tmp_path, 1, signal.SIGINT).rstrip().endswith("interrupted")
