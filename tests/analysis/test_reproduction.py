"""Published scores beside ours."""

from collections.abc import Callable

import polars as pl
import pytest

from video_oasis.analysis.accuracy import AccuracyRow, measure_accuracy
from video_oasis.analysis.frames import read_rows
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.reproduction import OfficialScore, compare_with_official

MakeScores = Callable[..., pl.DataFrame]


def test_a_score_is_inside_or_outside_our_interval(make_scores: MakeScores) -> None:
    table = make_scores(
        {"big": 400, "small": 400},
        {("standard", "m"): {"big": 200, "small": 200}},
    )
    accuracy = read_rows(AccuracyRow, measure_accuracy(arrange(table)))
    scores = [
        OfficialScore("m", "small", 0.52, "paper, table 3"),
        OfficialScore("m", "big", 0.58, "paper, table 3"),
        OfficialScore("m", "other", 0.5, "card"),
        OfficialScore("n", "big", 0.5, "card"),
    ]
    rows = compare_with_official(accuracy, scores)
    assert [row.source for row in rows] == [score.source for score in scores]
    # Of 400 answers half right: about 0.5 ± 0.049.
    assert [row.is_inside for row in rows] == [True, False, None, None]
    assert [row.n for row in rows] == [400, 400, 0, 0]
    near, far = rows[:2]
    assert near.difference == pytest.approx(-0.02)
    assert far.difference == pytest.approx(-0.08)
    assert far.difference_low is not None
    assert far.difference_high is not None
    assert (far.difference_low, far.difference_high) == pytest.approx((-0.129, -0.031), abs=0.01)
    assert (rows[2].ours, rows[2].difference, rows[2].official) == (None, None, 0.5)
