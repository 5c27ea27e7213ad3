"""The lazy driver with a real store and runner: the full plan's verdicts with fewer questions."""

import random
import re
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from video_oasis.analysis.consensus import UNION, decide_verdicts
from video_oasis.analysis.grid import arrange
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.errors import AskInterrupted, AskRejected, ModelUnavailable, SettingsError
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import list_wanted
from video_oasis.lazy.poll import Poll
from video_oasis.lazy.run import run_lazily
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.models.interface import FittedAnswers
from video_oasis.plan import Assignment, make_plan
from video_oasis.runner import GIVE_UP_AFTER, Outcome, Progress, run_plan
from video_oasis.schema import Answer, Form, Frame, Request, Sample, Trial, Video
from video_oasis.store import Store
from video_oasis.table import make_long_table

TESTS = ("blind", "center_frame", "reverse")
TARGET = "B"
RIGHT_CHOICE, WRONG_CHOICE = "lights the stove", "cuts an onion"

Asked = set[tuple[str, str, str]]
"""Model, question and test of every call."""


def name_test(request: Request) -> str:
    return {0: "blind", 1: "center_frame"}.get(len(request.frames), "reverse")


@dataclass
class World:
    """Models whose every answer is fixed, and the calls they got."""

    outcomes: Callable[[str, str, str], str]
    asked: Asked = field(default_factory=set)
    n_calls: int = 0
    stop_after: int | None = None

    def reply_as(self, model: str) -> Callable[[Request, int], Answer]:
        def reply(request: Request, _draw: int) -> Answer:
            if self.n_calls == self.stop_after:
                raise Crash
            self.n_calls += 1
            (question,) = re.findall(r"Question \d+", request.text)
            letters = {
                text: letter for letter, text in re.findall(r"(?m)^(\w)\. (.+)$", request.text)
            }
            if letters[RIGHT_CHOICE] != TARGET:
                question += f" with {letters[RIGHT_CHOICE]} right"
            self.asked.add((model, question, name_test(request)))
            outcome = self.outcomes(model, question, name_test(request))
            if outcome == "error":
                raise AskRejected("context_length", "too long")
            says = {"right": letters[RIGHT_CHOICE], "wrong": letters[WRONG_CHOICE]}
            return Answer({**says, "unparsed": "B or C", "refused": ""}[outcome])

        return reply


class Crash(Exception):
    """The process dies."""


class Fitted:
    """A fitted model of the tests' own: right on every other sample, without a call."""

    name = "fitted"
    max_frames = 0
    forms = frozenset({Form.QUESTION})

    def describe(self, trials: Sequence[Trial]) -> dict[str, Any]:
        return {"backend": "fitted", "samples": [trial.sample.id for trial in trials]}

    def answer_all(self, trials: Sequence[Trial], _read: Any) -> FittedAnswers:
        return FittedAnswers([Answer("BC"[n % 2]) for n, _ in enumerate(trials)], [])


class Matching:
    """A matching model of the tests' own: always right."""

    name = "matching"
    max_frames = None
    forms = frozenset({Form.MATCHING})

    def describe(self) -> dict[str, Any]:
        return {"backend": "matching"}

    def prepare(self, *_: Any) -> None:
        pass

    def match(
        self, trials: Sequence[Trial], _read: Any, _artifacts: Path
    ) -> Iterator[tuple[Trial, Answer]]:
        for trial in trials:
            yield trial, Answer(TARGET)


@pytest.fixture
def plan_world(
    make_sample: Callable[..., Sample], scripted_model: Any
) -> Callable[..., tuple[Assignment, ...]]:
    """Plan tests of so many questions, each of one or more samples; every fifth video is lost."""

    def plan(
        world: World,
        *,
        n_samples: int,
        sees: Mapping[str, bool],
        fitted: bool = False,
        matching: bool = False,
        diagnostics: Sequence[str] = TESTS,
        shared: int = 1,
        n_draws: int = 1,
        n_rotations: int = 1,
    ) -> tuple[Assignment, ...]:
        samples = [
            make_sample(
                id=f"s{number}",
                question=f"Question {number // shared}",
                video=Video(f"v{number // shared}.mp4"),
            )
            for number in range(n_samples * shared)
        ]
        models: dict[str, Any] = {
            name: scripted_model(world.reply_as(name), name=name, max_frames=None if can else 0)
            for name, can in sees.items()
        }
        if fitted:
            models["fitted"] = Fitted()
        if matching:
            models["matching"] = Matching()
        wanted = [DIAGNOSTICS[name] for name in diagnostics]
        timelines: dict[Any, Timeline | MediaFailure] = {}
        for diagnostic in wanted:
            if diagnostic.sampling is None:
                continue
            n_frames = 1 if diagnostic.name == "center_frame" else 24
            for number, sample in enumerate(samples[::shared]):
                ((key, sampling),) = list_wanted(
                    [sample], [diagnostic.sampling], FrameSettings()
                ).items()
                shown = tuple(Frame(f"{number}-{i}", float(i)) for i in range(n_frames))
                lost = MediaFailure("missing", "no such file")
                timelines[key] = (
                    lost if number % 5 == 4 else Timeline("v", sampling, shown, 30.0, 750)
                )
        return make_plan(
            samples,
            wanted,
            models,
            prepared=Prepared(timelines),
            n_draws=n_draws,
            n_rotations=n_rotations,
        )

    return plan


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Open new stores, closed at the end."""
    opened: list[Store] = []

    def open_store() -> Store:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        opened.append(Store.create(folder / "answers.sqlite"))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


def ask_lazily(plan: Sequence[Assignment], store: Store, **settings: Any) -> Outcome:
    defaults: dict[str, Any] = {
        "tests": TESTS,
        "read_picture": str.encode,
        "artifacts": Path(),
    }
    return run_lazily(plan, store, **defaults | settings)


def ask_fully(plan: Sequence[Assignment], store: Store) -> Outcome:
    return run_plan(plan, store, read_picture=str.encode)


def judge(plan: Sequence[Assignment], store: Store, threshold: int) -> pl.DataFrame:
    verdicts = decide_verdicts(arrange(make_long_table(plan, store)), threshold)
    return verdicts.filter(pl.col("test") == UNION).select("benchmark", "sample_id", "shortcut")


STATUSES = ("right", "wrong", "unparsed", "refused", "error")


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 2**32),
    sees=st.lists(st.booleans(), min_size=1, max_size=4).filter(any),
    fitted=st.booleans(),
    threshold=st.integers(1, 4),
    shared=st.integers(1, 2),
    n_rotations=st.integers(1, 3),
)
def test_lazy_gives_the_full_plans_verdicts_and_completing_it_asks_exactly_the_rest(
    plan_world: Any,
    stores: Any,
    seed: int,
    sees: Any,
    fitted: bool,
    threshold: int,
    shared: int,
    n_rotations: int,
) -> None:
    chance = random.Random(seed)
    threshold = min(threshold, len(sees) + fitted)
    weights = [chance.random() + 0.3, chance.random() + 0.3, *(chance.random() / 4,) * 3]
    drawn: dict[tuple[str, str, str], str] = {}

    def draw(model: str, question: str, test: str) -> str:
        return drawn.setdefault((model, question, test), chance.choices(STATUSES, weights)[0])

    def open_world(stop_after: int | None = None) -> tuple[World, tuple[Assignment, ...]]:
        world = World(draw, stop_after=stop_after)
        models = {f"m{number}": can for number, can in enumerate(sees)}
        # Fewer questions to a model than failures after which it is given up.
        plan = plan_world(
            world,
            n_samples=6 if n_rotations == 1 else 2,
            sees=models,
            fitted=fitted,
            shared=shared,
            n_rotations=n_rotations,
        )
        return world, plan

    full, plan = open_world()
    full_store = stores()
    ask_fully(plan, full_store)

    lazy, plan = open_world()
    lazy_store = stores()
    ask_lazily(plan, lazy_store, threshold=threshold)
    assert lazy.asked <= full.asked
    expected = judge(plan, full_store, threshold)
    assert judge(plan, lazy_store, threshold).equals(expected)

    again, plan = open_world()
    in_vain = {call for call in lazy.asked if drawn[call] == "error"}
    ask_lazily(plan, lazy_store, threshold=threshold)
    assert again.asked <= in_vain

    rest, plan = open_world()
    ask_fully(plan, lazy_store)
    assert rest.asked == (full.asked - lazy.asked) | in_vain
    assert make_long_table(plan, lazy_store).equals(make_long_table(plan, full_store))

    if lazy.n_calls and shared == 1:
        broken, plan = open_world(stop_after=chance.randrange(lazy.n_calls))
        store = stores()
        with pytest.raises(Crash):
            ask_lazily(plan, store, threshold=threshold)
        resumed, plan = open_world()
        ask_lazily(plan, store, threshold=threshold)
        assert broken.asked | resumed.asked == lazy.asked
        answered = {call for call in broken.asked if drawn[call] != "error"}
        assert not answered & resumed.asked
        assert judge(plan, store, threshold).equals(expected)


THREE = {"m0": True, "m1": True, "m2": True}


@pytest.mark.parametrize("end", ["unparsed", "refused", "error"])
def test_an_answer_that_says_nothing_is_not_wrong(plan_world: Any, stores: Any, end: str) -> None:
    world = World(lambda model, *_: end if model == "m0" else "wrong")
    plan = plan_world(world, n_samples=12, sees=THREE, diagnostics=["blind"])
    store = stores()
    ask_lazily(plan, store)
    # Whether or not a sample begins with the first model, one wrong answer has to be had.
    assert len({question for model, question, _ in world.asked if model != "m0"}) == 12
    assert {model for model, _, _ in world.asked} == set(THREE)
    assert judge(plan, store, 3)["shortcut"].to_list() == [False] * 12


def test_the_threshold_is_all_models_of_the_largest_test_unless_given(
    plan_world: Any, stores: Any
) -> None:
    world = World(lambda *_: "wrong")
    plan = plan_world(world, n_samples=4, sees={**THREE, "m2": False})
    notes: list[str] = []
    ask_lazily(plan, stores(), note=notes.append)
    # The other tests have two models, so three can never be right.
    assert {test for _, _, test in world.asked} == {"blind"}
    assert len(world.asked) == 4
    assert notes == [
        f"{test} can make no shortcut and is not asked: 2 models answer it, and the threshold is 3"
        for test in ("center_frame", "reverse")
    ]
    ask_lazily(plan, stores(), threshold=2, note=notes.append)
    assert len(notes) == 2
    with pytest.raises(SettingsError, match="threshold is 4, and the largest test has 3 models"):
        ask_lazily(plan, stores(), threshold=4)


def test_tests_are_asked_from_text_to_one_frame_to_matched_to_watched_frames(
    plan_world: Any, stores: Any
) -> None:
    order = ("reverse", "bag_of_frames", "center_frame", "blind")
    plan = plan_world(
        World(lambda *_: "wrong"), n_samples=2, sees=THREE, diagnostics=order, matching=True
    )
    assert Poll(plan, order, 1).tests == ("blind", "center_frame", "bag_of_frames", "reverse")
    store = stores()
    ask_lazily(plan, store, tests=order, threshold=1)
    # The matching model is asked too, and right: the most costly test is never needed.
    n_answers = {each.diagnostic: len(store.answers(each.model_id)) for each in plan}
    assert n_answers["bag_of_frames"] == 2
    verdicts = judge(plan, store, 1)
    assert verdicts["shortcut"].to_list() == [True, True]
    assert not any(len(request.frames) > 1 for request, _ in plan[0].model.asked)


def test_what_is_no_test_is_asked_in_full_and_last(plan_world: Any, stores: Any) -> None:
    calls: list[str] = []

    def note(_model: str, _question: str, test: str) -> str:
        calls.append(test)
        return "right"

    diagnostics = ("reverse", "blind")
    plan = plan_world(World(note), n_samples=4, sees=THREE, diagnostics=diagnostics, n_draws=2)
    outcome = ask_lazily(plan, stores(), tests=["blind"])
    # Right three times in blind, in the first draw; both draws of the other, of all three models.
    assert calls == ["blind"] * 12 + ["reverse"] * 24
    assert outcome.n_answered == 36


def test_one_outcome_and_one_progress_over_all_rounds(plan_world: Any, stores: Any) -> None:
    seen: list[Progress] = []
    plan = plan_world(
        World(lambda *_: "right"), n_samples=4, sees=THREE, fitted=True, diagnostics=["blind"]
    )
    outcome = ask_lazily(plan, stores(), threshold=3, listener=seen.append)
    # Two of the samples have a right answer of the fitted model already.
    assert outcome.n_answered == 4 + 2 * 2 + 2 * 3
    assert outcome == Outcome(outcome.progress, {}, interrupted=False)
    last = {each.model: each for each in seen}
    assert {each.n_total == each.n_answered for each in last.values()} == {True}
    assert sum(each.n_answered for each in last.values()) == outcome.n_answered
    totals = [each.n_total for each in seen if each.model == "m0"]
    assert totals == sorted(totals, reverse=True)
    assert max(totals) <= 4


def test_a_model_that_is_given_up_is_left_alone_in_later_rounds(
    make_sample: Callable[..., Sample], scripted_model: Any, stores: Any
) -> None:
    def fail(_request: Request, _draw: int) -> Answer:
        raise AskInterrupted("connection", "nothing listens there")

    class Dead(scripted_model):  # type: ignore[misc]
        async def check(self) -> None:
            if self.asked:
                raise ModelUnavailable("nothing listens there")

    dead = Dead(fail, name="dead", concurrency=1)
    well = scripted_model(lambda _request, _draw: Answer(TARGET), name="well")
    samples = [make_sample(id=f"s{n}", question=f"Question {n}") for n in range(90)]
    models = {"dead": dead, "well": well}
    plan = make_plan(samples, [DIAGNOSTICS["blind"]], models)
    store = stores()
    outcome = ask_lazily(plan, store, threshold=2)
    assert outcome.gave_up == {"dead": "nothing listens there"}
    assert len(dead.asked) == outcome.n_failed == GIVE_UP_AFTER
    assert len(well.asked) == 90

    dead.asked.clear()
    samples = [make_sample(id=f"t{n}", question=f"Question t{n}") for n in range(90)]
    plan = make_plan(samples, [DIAGNOSTICS["blind"]], models)
    in_full = [replace(each, diagnostic="standard") for each in plan]
    assert ask_lazily([*plan, *in_full], store, threshold=2).gave_up == outcome.gave_up
    assert len(dead.asked) == GIVE_UP_AFTER


def test_refusals_in_a_later_round_do_not_stop_a_model_that_answered_before(
    plan_world: Any, stores: Any
) -> None:
    def draw(_model: str, _question: str, test: str) -> str:
        return "wrong" if test == "blind" else "error"

    world = World(draw)
    plan = plan_world(world, n_samples=50, sees={"m0": True}, diagnostics=["blind", "reverse"])
    outcome = ask_lazily(plan, stores())
    assert (outcome.gave_up, outcome.n_answered, outcome.n_failed) == ({}, 50, 40)


def test_a_model_that_cannot_be_asked_is_found_out_before_the_first_round(
    make_sample: Callable[..., Sample], scripted_model: Any, stores: Any
) -> None:
    class Absent(scripted_model):  # type: ignore[misc]
        async def check(self) -> None:
            raise ModelUnavailable("no server at localhost:1")

    well = scripted_model(lambda _request, _draw: Answer("A"), name="well")
    absent = Absent(lambda _request, _draw: Answer("A"), name="absent")
    # One sample: in one of the two orders it would begin with the model that can be asked.
    for models in ({"well": well, "absent": absent}, {"absent": absent, "well": well}):
        plan = make_plan([make_sample()], [DIAGNOSTICS["blind"]], models)
        with pytest.raises(ModelUnavailable, match="no server"):
            ask_lazily(plan, stores())
        assert well.asked == []


def test_ctrl_c_ends_in_good_order(plan_world: Any, stores: Any) -> None:
    world = World(lambda *_: "right")

    def stop(*_: str) -> str:
        if world.n_calls == 20:
            signal.raise_signal(signal.SIGINT)
        return "right"

    world.outcomes = stop
    plan = plan_world(world, n_samples=30, sees=THREE, diagnostics=["blind"])
    store = stores()
    outcome = ask_lazily(plan, store)
    assert outcome.interrupted
    # Three models with four calls under way each: at most twelve answers are not counted yet.
    assert 20 - 12 <= outcome.n_answered < 90
    ask_lazily(plan, store)
    assert sum(len(store.answers(each.model_id)) for each in plan) == 90
    assert world.n_calls <= 90 + 12


def test_several_requests_of_one_sample_are_no_test(plan_world: Any, stores: Any) -> None:
    world = World(lambda *_: "right")
    plan = plan_world(world, n_samples=2, sees=THREE, diagnostics=["chunk"])
    with pytest.raises(SettingsError, match="chunk: it makes several requests"):
        ask_lazily(plan, stores(), tests=["chunk"])
