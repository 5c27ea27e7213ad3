from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.dependence import measure_dependence
from video_oasis.analysis.grid import arrange
from video_oasis.errors import SchemaError

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=400)

# Targets are 0. Picks of one model under each input, None where the answer failed.
ANSWERS: Mapping[str, Sequence[int | None]] = {
    #            a  b  c  d  e  f  g     h
    "standard": [0, 0, 0, 0, 0, 1, 2, None],
    "shuffle": [0, 0, 1, 2, 3, 0, 2, 0],
    "blind": [0, 1, 1, 1, None, 1, 1, 0],
}


def make_rows(
    answers: Mapping[str, Sequence[int | None]], *, model: str = "m", **columns: Any
) -> list[dict[str, Any]]:
    return [
        {
            "sample_id": f"s{number:04}",
            "diagnostic": diagnostic,
            "model": model,
            "status": "error" if pick is None else "ok",
            "prediction": pick,
            "correct": None if pick is None else pick == 0,
            **columns,
        }
        for diagnostic, picks in answers.items()
        for number, pick in enumerate(picks)
    ]


def one(frame: pl.DataFrame, **values: Any) -> dict[str, Any]:
    return frame.row(
        by_predicate=pl.all_horizontal(pl.col(k) == v for k, v in values.items()), named=True
    )


def test_by_hand(make_table: MakeTable) -> None:
    frame = measure_dependence(arrange(make_table(make_rows(ANSWERS))), resampling=QUICK)
    assert frame["level"].to_list() == ["task"] * 2 + ["benchmark"] * 2 + ["pooled"] * 2
    row = one(frame, level="pooled", other="shuffle")
    # h failed under standard: seven samples. Right: a to e against a, b, f.
    assert (row["n"], row["n_videos"], row["model"]) == (7, 7, "m")
    assert row["reference_accuracy"] == pytest.approx(5 / 7)
    assert row["other_accuracy"] == pytest.approx(3 / 7)
    assert row["difference"] == pytest.approx(2 / 7)
    assert (row["n_only_reference"], row["n_only_other"]) == (3, 1)
    # Three of four by a fair coin or more extreme, both sides: 2 (1 + 4) / 16.
    assert row["p_value"] == pytest.approx(10 / 16)
    assert row["chance"] == 0.25
    assert row["other_excess"] == pytest.approx(3 / 7 - 1 / 4)
    assert row["leak"] == pytest.approx(2 / 5)
    assert row["leak_chance"] == 0.25
    # Same: a, b, g. Indices 0, 1, 2, 3 come 5, 1, 1, 0 times and 3, 1, 2, 1 times.
    assert row["same"] == pytest.approx(3 / 7)
    assert row["same_expected"] == pytest.approx((5 * 3 + 1 * 1 + 1 * 2) / 49)
    assert row["difference_low"] <= row["difference"] <= row["difference_high"]
    assert row["is_below_chance"] is False

    row = one(frame, level="pooled", other="blind")
    # Six samples: a to d, f, g; right 4 and 1; the one right blind is right seeing.
    assert (row["n"], row["leak"]) == (6, 0.25)
    assert row["difference"] == pytest.approx(0.5)
    # b, c and d of three: 2 / 8.
    assert row["p_value"] == pytest.approx(0.25)


def test_holm_is_over_all_rows_of_a_level(make_table: MakeTable) -> None:
    frame = measure_dependence(arrange(make_table(make_rows(ANSWERS))), resampling=QUICK)
    for level in ("task", "benchmark", "pooled"):
        rows = frame.filter(pl.col("level") == level)
        assert dict(zip(rows["other"], rows["p_holm"], strict=True)) == {
            "blind": pytest.approx(0.5),
            "shuffle": pytest.approx(0.625),
        }


def test_agreement_by_chance_is_among_samples_of_equally_many_choices(
    make_table: MakeTable,
) -> None:
    few = make_rows({"standard": [0, 1], "shuffle": [1, 0]}, n_choices=2)
    many = make_rows(
        {"standard": [2, 3], "shuffle": [3, 2]}, n_choices=4, benchmark="other", task="task"
    )
    frame = measure_dependence(arrange(make_table(few + many)), resampling=QUICK)
    row = one(frame, level="pooled")
    assert row["same"] == 0
    # In each of the two kinds both indices come once: one half. All together it would be 1/4.
    assert row["same_expected"] == 0.5


def test_models_and_inputs_are_paired_only_where_both_were_asked(make_table: MakeTable) -> None:
    rows = [
        *make_rows({"standard": [0, 1], "blind": [0, 0], "center_frame": [1, 1]}),
        *make_rows({"standard": [0, 1], "reverse": [0, 1]}, model="video"),
        *make_rows({"blind": [0, 1], "bag_of_frames": [1, 1]}, model="text"),
    ]
    frame = measure_dependence(arrange(make_table(rows)), resampling=QUICK)
    pooled = frame.filter(pl.col("level") == "pooled")
    assert pooled.select("model", "other").rows() == [
        ("m", "blind"),
        ("m", "center_frame"),
        ("video", "reverse"),
    ]
    assert one(pooled, model="video")["same"] == 1


def test_below_chance_under_reversal(make_table: MakeTable) -> None:
    # Two choices: standard 90 % right, reversed 10 %; the other model always half.
    sees = {"standard": [0] * 90 + [1] * 10, "reverse": [1] * 90 + [0] * 10}
    guesses = {"standard": [0, 1] * 50, "reverse": [0, 0, 1, 1] * 25}
    rows = [
        *make_rows(sees, model="sees", n_choices=2),
        *make_rows(guesses, model="guesses", n_choices=2),
    ]
    frame = measure_dependence(arrange(make_table(rows)), resampling=QUICK)
    row = one(frame, level="pooled", model="sees")
    assert row["is_below_chance"] is True
    assert row["other_excess_high"] == pytest.approx(-0.4 + 1.96 * 0.03, abs=0.02)
    assert row["p_value"] < 1e-12
    row = one(frame, level="pooled", model="guesses")
    assert row["is_below_chance"] is False
    assert (row["difference"], row["p_value"]) == (0, 1)
    # 25 samples are right in one alone, 25 in the other: standard error of the difference.
    assert row["difference_high"] == pytest.approx(1.96 * (50 / 100 / 100) ** 0.5, abs=0.03)


def test_no_change_in_few_videos_is_not_certain(make_table: MakeTable) -> None:
    rows = make_rows({"standard": [0] * 5 + [1] * 5, "reverse": [0] * 5 + [1] * 5})
    row = one(measure_dependence(arrange(make_table(rows)), resampling=QUICK), level="pooled")
    assert (row["difference"], row["same"], row["p_value"]) == (0, 1, 1)
    # Ten videos without a change: up to 1 - 0.025 ** (1 / 10) = 0.31 may change either way.
    assert row["difference_low"] == pytest.approx(-0.31, abs=0.02)
    assert row["difference_high"] == pytest.approx(0.31, abs=0.02)
    assert row["same_low"] == pytest.approx(0.69, abs=0.02)
    assert row["leak_low"] == pytest.approx(0.025 ** (1 / 5), abs=0.02)


def test_one_video_has_no_interval(make_table: MakeTable) -> None:
    rows = make_rows({"standard": [0, 1], "reverse": [1, 1]}, video="v")
    row = one(measure_dependence(arrange(make_table(rows)), resampling=QUICK), level="pooled")
    assert row["difference"] == 0.5
    for name in ("difference_low", "other_excess_high", "is_below_chance", "leak_low", "same_high"):
        assert row[name] is None


def test_first_draw_counts(make_table: MakeTable) -> None:
    rows = [
        *make_rows({"standard": [0, 0], "reverse": [0, 1]}),
        *make_rows({"standard": [1, 1], "reverse": [1, 1]}, draw=1),
    ]
    row = one(measure_dependence(arrange(make_table(rows)), resampling=QUICK), level="pooled")
    assert (row["n"], row["reference_accuracy"], row["other_accuracy"]) == (2, 1, 0.5)


def test_never_right_has_no_leak(make_table: MakeTable) -> None:
    rows = make_rows({"standard": [1, 1], "blind": [0, 1]})
    row = one(measure_dependence(arrange(make_table(rows)), resampling=QUICK), level="pooled")
    assert row["leak"] is row["leak_chance"] is row["leak_low"] is None
    assert row["difference"] == -0.5


def test_nothing_to_compare_is_an_empty_frame(make_table: MakeTable) -> None:
    full = measure_dependence(arrange(make_table(make_rows(ANSWERS))), resampling=QUICK)
    for rows in ([], make_rows({"blind": [0]}), make_rows({"standard": [None], "blind": [0]})):
        empty = measure_dependence(arrange(make_table(rows)), resampling=QUICK)
        assert empty.height == 0
        assert empty.schema == full.schema


def test_refuses_diagnostics_of_several_parts(make_table: MakeTable) -> None:
    rows = make_rows({"standard": [0], "reverse": [0]})
    parts = make_table([*rows, {**rows[1], "part": 1}])
    with pytest.raises(SchemaError, match="diagnostic reverse: several requests"):
        measure_dependence(arrange(parts), resampling=QUICK)
