"""Likeness worked out by hand, and what must hold for any embeddings."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.embeddings.aggregation import Aggregation
from video_oasis.embeddings.bag import (
    TOP_FRAMES,
    EmbeddedQuestion,
    letter_probabilities,
    pick_choice,
    score_choices,
)
from video_oasis.errors import SchemaError

Floats = npt.NDArray[Any]

# Cosines with the question (1, 0): 1, 0.6, 0. With the choices below: see each test.
FRAMES = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]])
ACROSS, ASIDE, AWAY = [0.0, 1.0], [0.8, 0.6], [-1.0, 0.0]


def ask(*choices: list[float]) -> EmbeddedQuestion:
    return EmbeddedQuestion(np.array([1.0, 0.0]), np.array(choices))


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        # The two frames most like the question are (1, 0) and (0.6, 0.8). Cosines with ACROSS are
        # 0 and 0.8, with ASIDE 0.8 and 0.48 + 0.48, with AWAY −1 and −0.6.
        (Aggregation.MEAN, [0.4, 0.88, -0.8]),
        (Aggregation.MAX, [0.8, 0.96, -0.6]),
    ],
)
def test_scores_of_the_frames_most_like_the_question(
    aggregation: Aggregation, expected: list[float]
) -> None:
    (scores,) = score_choices(FRAMES, [ask(ACROSS, ASIDE, AWAY)], aggregation, top_frames=2)
    assert scores.tolist() == pytest.approx(expected)


def test_a_video_of_fewer_frames_shows_all() -> None:
    (scores,) = score_choices(FRAMES, [ask(ACROSS)], Aggregation.MEAN)
    assert scores.tolist() == pytest.approx([(1 + 0 + 0.8) / 3])


def test_32_frames_are_looked_at() -> None:
    # Frame i stands i degrees from the question, so the 32 nearest are 0 to 31 degrees away.
    degrees = np.radians(np.arange(90))
    frames = np.stack([np.cos(degrees), np.sin(degrees)], axis=1)[::-1]
    (scores,) = score_choices(frames, [ask([0.0, 1.0])], Aggregation.MAX)
    assert TOP_FRAMES == 32
    assert scores.tolist() == pytest.approx([np.sin(np.radians(31))])


def test_of_frames_as_like_the_question_the_earlier_is_taken() -> None:
    up, down = [0.6, 0.8], [0.6, -0.8]
    for frames, expected in (([up, down], 0.8), ([down, up], -0.8)):
        (scores,) = score_choices(
            np.array(frames, np.float32), [ask(ACROSS)], Aggregation.MEAN, top_frames=1
        )
        assert scores.tolist() == pytest.approx([expected])


def test_every_question_has_its_own_frames_and_number_of_choices() -> None:
    other = EmbeddedQuestion(np.array([0.0, 1.0]), np.array([AWAY]))
    first, second = score_choices(FRAMES, [ask(ACROSS, AWAY), other], Aggregation.MEAN, 1)
    assert first.tolist() == pytest.approx([0, -1])
    assert second.tolist() == pytest.approx([0])


@pytest.mark.parametrize("broken", [[np.nan, 1.0], [0.0, 0.0], [3.0, 4.0], [np.inf, 0.0]])
def test_vectors_that_are_no_directions_are_refused(broken: list[float]) -> None:
    with pytest.raises(SchemaError, match=r"frames: 1 of 2 .* the first is number 2"):
        score_choices(np.array([[1.0, 0.0], broken]), [ask(ACROSS)], Aggregation.MEAN)
    with pytest.raises(SchemaError, match="questions and choices: 1 of 3"):
        score_choices(FRAMES, [ask(ACROSS, broken)], Aggregation.MEAN)


def test_vectors_of_different_spaces_are_refused() -> None:
    with pytest.raises(SchemaError, match="one space"):
        score_choices(np.eye(3), [ask(ACROSS)], Aggregation.MEAN)


def test_probabilities_are_the_softmax_at_the_models_own_scale() -> None:
    # e^(10 × 0.0693…) is 2, so the choices are as 1 to 2.
    scores = np.array([0.1, 0.1 + np.log(2) / 10])
    assert letter_probabilities(scores, 10.0) == pytest.approx((1 / 3, 2 / 3))
    assert letter_probabilities(np.array([-1.0, 1.0]), 1e4) == (0.0, 1.0)


def test_the_highest_score_is_picked() -> None:
    assert pick_choice(np.array([0.1, 0.3, 0.2]), "s1") == 1


def test_a_tie_is_broken_by_the_content_alone() -> None:
    tie = np.array([0.5, 0.2, 0.5 + 1e-12])
    picked = [pick_choice(tie, f"sample {i}") for i in range(40)]
    assert set(picked) == {0, 2}
    assert picked == [pick_choice(tie, f"sample {i}") for i in range(40)]


def draw_unit(rng: np.random.Generator, n: int, size: int) -> Floats:
    rows = rng.standard_normal((n, size))
    unit: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@st.composite
def bags(draw: st.DrawFn) -> tuple[Floats, list[EmbeddedQuestion], int]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    size = draw(st.integers(2, 12))
    frames = draw_unit(rng, draw(st.integers(1, 60)), size)
    questions = [
        EmbeddedQuestion(draw_unit(rng, 1, size)[0], draw_unit(rng, n, size))
        for n in draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    ]
    return frames, questions, draw(st.integers(1, 70))


AGGREGATIONS = st.sampled_from(Aggregation)


@given(bags(), AGGREGATIONS)
def test_questions_together_score_as_each_alone(
    bag: tuple[Floats, list[EmbeddedQuestion], int], aggregation: Aggregation
) -> None:
    frames, questions, top = bag
    together = score_choices(frames, questions, aggregation, top)
    for question, scores in zip(questions, together, strict=True):
        (alone,) = score_choices(frames, [question], aggregation, top)
        assert scores.tolist() == pytest.approx(alone.tolist(), abs=1e-8)


@given(bags(), AGGREGATIONS, st.randoms(use_true_random=False))
def test_the_order_of_frames_changes_nothing(
    bag: tuple[Floats, list[EmbeddedQuestion], int], aggregation: Aggregation, random: Any
) -> None:
    frames, questions, top = bag
    order = list(range(len(frames)))
    random.shuffle(order)
    in_order = score_choices(frames, questions, aggregation, top)
    shuffled = score_choices(frames[order], questions, aggregation, top)
    for first, second in zip(in_order, shuffled, strict=True):
        assert first.tolist() == pytest.approx(second.tolist(), abs=1e-8)


@given(bags())
def test_scores_are_those_of_a_plain_loop(
    bag: tuple[Floats, list[EmbeddedQuestion], int],
) -> None:
    frames, questions, top = bag
    for aggregation in Aggregation:
        scores = score_choices(frames, questions, aggregation, top)
        for question, of_choices in zip(questions, scores, strict=True):
            likeness = [float(frame @ question.question) for frame in frames.astype(np.float64)]
            best = sorted(range(len(frames)), key=lambda i: (-round(likeness[i], 9), i))[:top]
            for choice, score in zip(question.choices, of_choices, strict=True):
                cosines = [float(frames[i].astype(np.float64) @ choice) for i in best]
                expected = max(cosines)
                if aggregation is Aggregation.MEAN:
                    expected = sum(cosines) / len(cosines)
                assert score == pytest.approx(expected, abs=1e-8)
