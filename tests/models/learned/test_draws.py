"""Several splits into folds: small benchmarks get more, and their probabilities are averaged."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from video_oasis.media.frames import ReadPicture
from video_oasis.models.learned import LEARNERS, open_model
from video_oasis.models.learned.choice_table import lay_out
from video_oasis.models.learned.folds import assign_folds
from video_oasis.models.learned.model import count_draws, cross_validate
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Sample, Trial

NO_PICTURES: ReadPicture = dict[str, bytes]().__getitem__


def test_small_benchmarks_are_split_oftener() -> None:
    assert [count_draws(n) for n in (0, 1, 300, 1500, 2500, 4500, 100_000)] == [6, 6, 6, 6, 4, 2, 2]


def test_draws_differ_and_each_comes_out_the_same_again(
    make_sample: Callable[..., Sample],
) -> None:
    samples = [make_sample(number, ["a", "b", "c"], number % 3) for number in range(60)]
    first, second = assign_folds(samples, draw=0), assign_folds(samples, draw=1)
    assert (first != second).any()
    assert (second == assign_folds(samples, draw=1)).all()


def test_probabilities_are_the_mean_over_the_draws(
    make_sample: Callable[..., Sample], blind_trials: Callable[[Sequence[Sample]], list[Trial]]
) -> None:
    choices = (["red", "blue", "green"], ["blue", "green", "grey"])
    samples = [
        make_sample(number, choices[number % 2], number * 7 % 3, question=f"Which of {number}?")
        for number in range(60)
    ]
    trials = blind_trials(samples)
    answers = open_model("neighbours", ModelSettings()).answer_all(trials, NO_PICTURES).answers
    table = lay_out(trials, NO_PICTURES)
    by_hand = np.mean(
        [
            cross_validate(table, assign_folds(samples, draw=draw), LEARNERS["neighbours"])[0]
            for draw in range(6)
        ],
        axis=0,
    )
    given = [p for answer in answers for p in answer.letter_probabilities or ()]
    assert given == pytest.approx(by_hand.tolist())
