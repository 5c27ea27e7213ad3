"""Planning: who is asked what, what shares an answer, what it costs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.errors import SettingsError
from video_oasis.models.interface import AskedModel, FittedAnswers
from video_oasis.plan import estimate_cost, make_plan
from video_oasis.schema import Answer, Sample, Trial
from video_oasis.store import NewAnswer, Store

BLIND = [DIAGNOSTICS["blind"]]


class FirstLetter:
    """A fitted model of the tests' own: always the first letter."""

    name = "first"

    def describe(self, trials: Sequence[Trial]) -> dict[str, Any]:
        return {"backend": "first", "samples": sorted(trial.sample.id for trial in trials)}

    def answer_all(self, trials: Sequence[Trial]) -> FittedAnswers:
        return FittedAnswers([Answer("A") for _ in trials], [])


@pytest.fixture
def asked(scripted_model: Callable[..., AskedModel]) -> AskedModel:
    return scripted_model(lambda _request, _draw: Answer("A"))


def test_every_sample_meets_every_diagnostic_and_model(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    samples = [
        make_sample(id="a", benchmark="x"),
        make_sample(id="b", benchmark="y"),
        make_sample(id="c", benchmark="x"),
    ]
    plan = make_plan(samples, BLIND, {"one": asked, "two": FirstLetter()})
    assert [(a.benchmark, a.model_name, [t.sample.id for t in a.trials]) for a in plan] == [
        ("x", "one", ["a", "c"]),
        ("x", "two", ["a", "c"]),
        ("y", "one", ["b"]),
        ("y", "two", ["b"]),
    ]


def test_equal_requests_share_an_asked_models_answer_but_not_a_fitted_ones(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    samples = [make_sample(id="a"), make_sample(id="b", target=2)]
    one, two = make_plan(samples, BLIND, {"asked": asked, "fitted": FirstLetter()})
    assert len(list(one.asks())) == 1
    assert len(list(two.asks())) == 2


def test_a_fitted_models_id_follows_its_samples_and_an_asked_models_does_not(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    few = make_plan([make_sample(id="a")], BLIND, {"asked": asked, "fitted": FirstLetter()})
    more = make_plan(
        [make_sample(id="a"), make_sample(id="b")], BLIND, {"asked": asked, "fitted": FirstLetter()}
    )
    assert few[0].model_id == more[0].model_id
    assert few[1].model_id != more[1].model_id


def test_draws_are_asked_apart_and_only_of_asked_models(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    one, two = make_plan(
        [make_sample()], BLIND, {"asked": asked, "fitted": FirstLetter()}, n_draws=3
    )
    assert [key.draw for key, _ in one.asks()] == [0, 1, 2]
    assert [key.draw for key, _ in two.asks()] == [0]


def test_cost_counts_shared_and_stored_questions(
    make_sample: Callable[..., Sample], asked: AskedModel, tmp_path: Path
) -> None:
    samples = [make_sample(id="a"), make_sample(id="b"), make_sample(id="c", question="Why?")]
    (assignment,) = make_plan(samples, BLIND, {"asked": asked})
    with Store.create(tmp_path / "answers.sqlite") as store:
        key, trial = next(assignment.asks())
        store.put_answers(assignment.model_id, [NewAnswer(key, trial.request, Answer("A"))])
        cost = estimate_cost(assignment, store)
    assert (cost.n_trials, cost.n_asks, cost.n_stored, cost.n_left) == (3, 2, 1, 1)
    assert cost.n_prompt_characters == len(assignment.trials[2].request.text)
    assert estimate_cost(assignment, None).n_left == 2


def test_nothing_is_sent_to_a_fitted_model(make_sample: Callable[..., Sample]) -> None:
    (assignment,) = make_plan([make_sample()], BLIND, {"fitted": FirstLetter()})
    cost = estimate_cost(assignment, None)
    assert (cost.n_left, cost.n_prompt_characters) == (1, 0)


def test_an_empty_plan_is_refused(asked: AskedModel) -> None:
    with pytest.raises(SettingsError, match="0 samples, 1 diagnostics and 1 models"):
        make_plan([], BLIND, {"asked": asked})
