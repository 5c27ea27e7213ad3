"""Planning: who is asked what, what shares an answer, what it costs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Diagnostic
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import TakeFrames, list_wanted
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import Sampling, Uniform
from video_oasis.models.interface import AskedModel, FittedAnswers, Model
from video_oasis.plan import Assignment, estimate_cost, list_skipped, make_plan
from video_oasis.schema import Answer, Form, Frame, Sample, Trial, Video
from video_oasis.store import NewAnswer, Store
from video_oasis.trials import WITHHOLDS_NOTHING, Excluded


def _store_nothing() -> Store:
    return Store.read_or_empty(Path("there/is/none.sqlite"))


BLIND = [DIAGNOSTICS["blind"]]


class FirstLetter:
    """A fitted model of the tests' own: always the first letter."""

    name = "first"
    max_frames = 0
    forms = frozenset({Form.QUESTION})

    def describe(self, trials: Sequence[Trial]) -> dict[str, Any]:
        return {"backend": "first", "samples": sorted(trial.sample.id for trial in trials)}

    def answer_all(self, trials: Sequence[Trial], _read: Any) -> FittedAnswers:
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
    assert [(a.benchmark, a.model_name, [t.sample.id for t in a.trials.asked]) for a in plan] == [
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


def test_choices_are_rotated_evenly_and_each_rotation_is_a_question(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    sample = make_sample(choices=("w", "x", "y", "z"), target=1)
    (assignment,) = make_plan([sample], BLIND, {"asked": asked}, n_rotations=2)
    published, turned = assignment.trials.asked
    assert (published.rotation, published.order) == (0, (0, 1, 2, 3))
    assert (turned.rotation, turned.order) == (2, (2, 3, 0, 1))
    assert turned.sample is sample
    assert "A. y\nB. z\nC. w\nD. x" in turned.request.text
    assert len(list(assignment.asks())) == 2


def test_no_rotation_comes_twice(make_sample: Callable[..., Sample], asked: AskedModel) -> None:
    sample = make_sample(choices=("x", "y", "z"), target=0)
    (assignment,) = make_plan([sample], BLIND, {"asked": asked}, n_rotations=9)
    assert [trial.order for trial in assignment.trials.asked] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_a_validator_is_given_reference_diagnostics_only(
    make_sample: Callable[..., Sample], scripted_model: Callable[..., AskedModel]
) -> None:
    models: dict[str, Model] = {
        name: scripted_model(lambda _request, _draw: Answer("A"), name=name) for name in "ab"
    }
    names = ("blind", "shuffle", "standard", "chunk")
    plan = make_plan([make_sample()], [DIAGNOSTICS[name] for name in names], models, validators="b")
    assert [(each.diagnostic, each.model_name) for each in plan] == [
        ("blind", "a"),
        ("shuffle", "a"),
        ("standard", "a"),
        ("standard", "b"),
        ("chunk", "a"),
    ]


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
    assert cost.n_prompt_characters == len(assignment.trials.asked[2].request.text)
    assert estimate_cost(assignment, _store_nothing()).n_left == 2


def test_nothing_is_sent_to_a_fitted_model(make_sample: Callable[..., Sample]) -> None:
    (assignment,) = make_plan([make_sample()], BLIND, {"fitted": FirstLetter()})
    cost = estimate_cost(assignment, _store_nothing())
    assert (cost.n_left, cost.n_prompt_characters) == (1, 0)


def test_an_empty_plan_is_refused(asked: AskedModel) -> None:
    with pytest.raises(SettingsError, match="0 samples, 1 diagnostics and 1 models"):
        make_plan([], BLIND, {"asked": asked})


def make_timeline(digests: str, *, window_seconds: float, n_window_frames: int = 1000) -> Timeline:
    """Make a timeline of one frame a second, one letter for each frame's digest."""
    frames = tuple(Frame(digest, float(second)) for second, digest in enumerate(digests))
    return Timeline("video1-x", Sampling(Uniform(1)), frames, window_seconds, n_window_frames)


def taker(diagnostic: Diagnostic) -> TakeFrames:
    assert diagnostic.sampling is not None
    return diagnostic.sampling


class Matcher(FirstLetter):
    """Takes bags, for planning only."""

    max_frames = None  # type: ignore[assignment]
    forms = frozenset({Form.MATCHING})


def plan_frames(
    name: str,
    sample: Sample,
    result: Timeline | MediaFailure | None,
    model: Model,
    n_rotations: int = 1,
) -> Assignment:
    """Plan one diagnostic of one sample whose video came to this; None: it was not looked at."""
    diagnostic = DIAGNOSTICS[name]
    wanted = list_wanted([sample], [taker(diagnostic)], FrameSettings())
    timelines = {} if result is None else dict.fromkeys(wanted, result)
    model = Matcher() if diagnostic.form is Form.MATCHING else model
    (assignment,) = make_plan(
        [sample],
        [diagnostic],
        {"m": model},
        prepared=Prepared(timelines),
        n_rotations=n_rotations,
    )
    return assignment


def test_every_part_is_rotated_and_shows_the_same_frames(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    timeline = make_timeline("abcdefgh", window_seconds=8.0)
    trials = plan_frames("chunk", make_sample(), timeline, asked, 2).trials.asked
    assert [(trial.part, trial.rotation) for trial in trials] == [
        *((part, 0) for part in range(8)),
        *((part, 2) for part in range(8)),
    ]
    assert [trial.request.pictures for trial in trials] == [*map(tuple, "abcdefgh" * 2)]
    assert len({trial.request.id for trial in trials}) == 16


def test_what_is_matched_choice_by_choice_is_not_rotated(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    timeline = make_timeline("abcd", window_seconds=4.0)
    (trial,) = plan_frames("bag_of_frames", make_sample(), timeline, asked, 4).trials.asked
    assert (trial.rotation, trial.order) == (0, (0, 1, 2, 3))


def test_a_rotation_of_a_test_that_withholds_nothing_is_not_asked_either(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    still = make_timeline("a", window_seconds=4.0, n_window_frames=1)
    trials = plan_frames("reverse", make_sample(), still, asked, 4).trials
    assert (trials.asked, trials.excluded) == ((), (Excluded("s1", WITHHOLDS_NOTHING),))


def test_the_bound_on_the_cost_of_a_video_counts_rotations(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    cost = estimate_cost(plan_frames("chunk", make_sample(), None, asked, 3), _store_nothing())
    assert (cost.n_trials, cost.n_left, cost.n_frames) == (3 * 8, 3 * 8, 3 * 128)


def test_frames_come_from_the_timeline(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    timeline = make_timeline("abcd", window_seconds=4.0)
    (trial,) = plan_frames("reverse", make_sample(), timeline, asked).trials.asked
    assert trial.request.pictures == ("d", "c", "b", "a")


@pytest.mark.parametrize(
    ("name", "digests", "window_seconds", "n_window_frames"),
    [
        ("center_frame", "a", 1.2, 30),  # standard would show one frame as well
        ("center_frame", "a", 60.0, 1),  # a still
        ("random_frame", "a", 60.0, 1),
        ("shuffle", "a", 5.0, 1),
        ("reverse", "a", 5.0, 1),
        ("chunk", "a", 5.0, 1),
        ("bag_of_frames", "a", 5.0, 1),
        ("reverse", "aaaa", 4.0, 4),  # looks the same backwards
        ("reverse", "abba", 4.0, 4),
    ],
)
def test_a_trial_that_withholds_nothing_is_not_asked(
    name: str,
    digests: str,
    window_seconds: float,
    n_window_frames: int,
    make_sample: Callable[..., Sample],
    asked: AskedModel,
) -> None:
    timeline = make_timeline(
        digests, window_seconds=window_seconds, n_window_frames=n_window_frames
    )
    trials = plan_frames(name, make_sample(), timeline, asked).trials
    assert (trials.asked, trials.excluded) == ((), (Excluded("s1", WITHHOLDS_NOTHING),))


@pytest.mark.parametrize(
    ("name", "digests", "window_seconds", "n_window_frames"),
    [
        ("standard", "a", 1.2, 30),
        ("center_frame", "a", 1.5, 30),  # standard would show two frames
        ("random_frame", "a", 60.0, 2),
        ("chunk", "ab", 2.0, 2),
        ("reverse", "ab", 2.0, 2),
        ("reverse", "aab", 4.0, 4),
        ("bag_of_frames", "ab", 2.0, 2),  # their order is withheld
    ],
)
def test_a_trial_that_withholds_something_is_asked(
    name: str,
    digests: str,
    window_seconds: float,
    n_window_frames: int,
    make_sample: Callable[..., Sample],
    asked: AskedModel,
) -> None:
    timeline = make_timeline(
        digests, window_seconds=window_seconds, n_window_frames=n_window_frames
    )
    trials = plan_frames(name, make_sample(), timeline, asked).trials
    assert trials.excluded == ()
    assert len(trials.asked) == (2 if name == "chunk" else 1)


def test_an_order_drawn_as_it_was_is_no_test(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    outcomes = [
        plan_frames(
            "shuffle",
            make_sample(id=f"s{number}"),
            make_timeline("ab", window_seconds=2.0, n_window_frames=2),
            asked,
        ).trials
        for number in range(40)
    ]
    in_order = [trials for trials in outcomes if trials.excluded]
    assert 8 < len(in_order) < 32
    shown = {trial.request.pictures for trials in outcomes for trial in trials.asked}
    assert shown == {("b", "a")}


def test_a_video_that_fails_leaves_its_sample_unshown(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    failure = MediaFailure("truncated", "v1.mp4: breaks off")
    assignment = plan_frames("standard", make_sample(), failure, asked)
    assert assignment.trials.asked == ()
    assert [each.failure for each in assignment.trials.unshown] == [failure]
    cost = estimate_cost(assignment, _store_nothing())
    assert (cost.n_asks, cost.n_unshown, cost.n_frames, cost.is_exact) == (0, 1, 0, True)


@pytest.mark.parametrize(
    ("name", "video", "n_requests", "n_frames"),
    [
        ("standard", Video("v"), 1, 128),
        ("standard", Video("v", duration_seconds=10.0), 1, 10),
        ("standard", Video("v", start_seconds=2.0, end_seconds=6.0), 1, 4),
        ("shuffle", Video("v", duration_seconds=10.0), 1, 128),
        ("center_frame", Video("v"), 1, 1),
        ("chunk", Video("v"), 8, 128),
    ],
)
def test_cost_is_bounded_before_a_video_is_looked_at(
    name: str,
    video: Video,
    n_requests: int,
    n_frames: int,
    make_sample: Callable[..., Sample],
    asked: AskedModel,
) -> None:
    assignment = plan_frames(name, make_sample(video=video), None, asked)
    cost = estimate_cost(assignment, _store_nothing())
    assert (cost.n_left, cost.n_frames, cost.is_exact) == (n_requests, n_frames, False)


def test_a_model_of_text_is_not_given_frames(
    make_sample: Callable[..., Sample], asked: AskedModel
) -> None:
    diagnostics = [DIAGNOSTICS["blind"], DIAGNOSTICS["shuffle"]]
    models: dict[str, Model] = {"sees": asked, "reads": FirstLetter()}
    plan = make_plan([make_sample()], diagnostics, models)
    assert [(each.diagnostic, each.model_name) for each in plan] == [
        ("blind", "sees"),
        ("blind", "reads"),
        ("shuffle", "sees"),
    ]
    assert list_skipped(diagnostics, models) == {"reads": ("shuffle",)}


def test_frames_without_any_model_that_sees_are_refused(
    make_sample: Callable[..., Sample],
) -> None:
    with pytest.raises(SettingsError, match="diagnostic shuffle: none of the models can take"):
        make_plan([make_sample()], [DIAGNOSTICS["shuffle"]], {"reads": FirstLetter()})


def test_each_model_is_shown_as_many_frames_as_it_takes(
    make_sample: Callable[..., Sample], scripted_model: Callable[..., AskedModel]
) -> None:
    sample, diagnostic = make_sample(), DIAGNOSTICS["standard"]
    timeline = make_timeline("abcdefgh", window_seconds=8.0)
    timelines = dict.fromkeys(list_wanted([sample], [taker(diagnostic)], FrameSettings()), timeline)
    models = {
        str(limit): scripted_model(lambda _request, _draw: Answer("A"), max_frames=limit)
        for limit in (None, 4)
    }
    plan = make_plan([sample], [diagnostic], models, prepared=Prepared(timelines))
    assert [each.trials.asked[0].request.pictures for each in plan] == [
        tuple("abcdefgh"),
        tuple("bdfh"),
    ]
