from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION, decide_verdicts
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.validity import (
    find_difficult,
    measure_correlation,
    measure_difficulty_overlap,
    measure_robustness,
)
from video_oasis.errors import SchemaError

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)


def make_rows(answers: dict[tuple[str, str], str], **columns: Any) -> list[dict[str, Any]]:
    """Rows from one letter for each sample: right, wrong, or - for failed, a blank for no row."""
    return [
        {
            "sample_id": f"s{number}",
            "diagnostic": diagnostic,
            "model": model,
            "status": "error" if letter == "-" else "ok",
            "prediction": {"r": 0, "w": 1, "-": None}[letter],
            "correct": {"r": True, "w": False, "-": None}[letter],
            **columns,
        }
        for (diagnostic, model), letters in answers.items()
        for number, letter in enumerate(letters)
        if letter != " "
    ]


def one(frame: pl.DataFrame, **values: Any) -> dict[str, Any]:
    return frame.row(
        by_predicate=pl.all_horizontal(pl.col(k) == v for k, v in values.items()), named=True
    )


VALIDATED = {
    ("blind", "a"): "rrrrwwr",
    ("blind", "b"): "rrrrww-",
    ("shuffle", "a"): "wwwwwrw",
    ("shuffle", "b"): "wwwwwrw",
    ("standard", "a"): "rrrrrrr",
    ("standard", "x"): "rrw-rrr",
    ("standard", "y"): "wwwwrwr",
}


def test_correlation_by_hand(make_table: MakeTable) -> None:
    grid = arrange(make_table(make_rows(VALIDATED)))
    frame = measure_correlation(
        grid, tests=["blind", "shuffle"], validators=["y", "x"], resampling=QUICK
    )
    # Shortcuts in blind are 0 to 3; 4 and 5 are none; 6 is not known.
    row = one(frame, level="pooled", test="blind", model="x")
    assert (row["n_shortcuts"], row["n_read"], row["n_solved"]) == (4, 3, 2)
    assert row["rate"] == pytest.approx(2 / 3)
    assert (row["lower_bound"], row["upper_bound"]) == (0.5, 0.75)
    assert (row["chance"], row["rate_elsewhere"], row["threshold"]) == (0.25, 1, 2)
    assert row["rate_low"] < row["rate"] < row["rate_high"]
    row = one(frame, level="benchmark", test="blind", model="y")
    assert (row["rate"], row["rate_elsewhere"]) == (0, 0.5)
    # 5 comes in by shuffle.
    row = one(frame, level="pooled", test=UNION, model="x")
    assert (row["n_shortcuts"], row["n_read"], row["n_solved"]) == (5, 4, 3)
    assert row["rate_elsewhere"] == 1
    assert frame.height == 2 * 3 * 2

    lower = measure_correlation(
        grid, tests=["blind"], validators=["x"], threshold=1, resampling=QUICK
    )
    assert one(lower, level="pooled", test="blind")["n_shortcuts"] == 5


def test_validators_must_not_have_found_the_shortcuts(make_table: MakeTable) -> None:
    grid = arrange(make_table(make_rows(VALIDATED)))
    with pytest.raises(SchemaError, match="validators: a took part in finding"):
        measure_correlation(grid, tests=["blind"], validators=["x", "a"])
    with pytest.raises(SchemaError, match="validators: z not asked under standard"):
        measure_correlation(grid, tests=["blind"], validators=["z"])


def test_difficult_is_missed_by_all(make_table: MakeTable) -> None:
    rows = make_rows({("standard", "a"): "rww-w", ("standard", "b"): "rrw-w", ("blind", "c"): "r"})
    rows += make_rows({("standard", "c"): "wwww-"})
    grid = arrange(make_table(rows))
    assert find_difficult(grid)["is_difficult"].to_list() == [False, False, True, None, None]
    assert find_difficult(grid, models=["a"])["is_difficult"].to_list() == [
        *(False, True, True, None, True)
    ]
    with pytest.raises(SchemaError, match="no rows of standard and model z"):
        find_difficult(grid, models=["z"])


def test_difficulty_overlap_by_hand(make_table: MakeTable) -> None:
    rows = make_rows(
        {
            ("standard", "a"): "wwwwrrrrw",
            ("blind", "b"): "wwrrwwww-",
        }
    )
    grid = arrange(make_table(rows))
    kept = decide_verdicts(grid.only(["blind"]), 1).filter(pl.col("test") == UNION)
    frame = measure_difficulty_overlap(grid, kept.with_columns(is_kept=~pl.col("shortcut")))
    assert frame["level"].to_list() == ["benchmark", "pooled"]
    row = one(frame, level="pooled")
    # Difficult 0 to 3 and 8; distilled 0, 1, 4 to 7; of 8 it is not known.
    assert (row["first"], row["second"]) == ("difficult", "distilled")
    assert (row["n"], row["n_unknown"]) == (8, 1)
    assert (row["n_first"], row["n_second"], row["n_both"]) == (4, 6, 2)
    assert row["n_both_expected"] == pytest.approx(3)
    assert row["jaccard"] == pytest.approx(2 / 8)
    assert row["share_of_first"] == pytest.approx(2 / 4)
    assert row["share_of_second"] == pytest.approx(2 / 6)


def test_robustness_by_hand(make_table: MakeTable) -> None:
    grid = arrange(
        make_table(
            make_rows(
                {
                    ("blind", "llm"): "rwwwww",
                    ("center_frame", "a"): "rrrrww",
                    ("center_frame", "b"): "wrrrww",
                    ("center_frame", "c"): "wwrr-w",
                    ("shuffle", "a"): "wwwwww",
                    ("shuffle", "b"): "wwwwww",
                }
            )
        )
    )
    used = {"blind": ["llm"], "center_frame": ["a", "b"], "shuffle": ["a", "b"]}
    frame = measure_robustness(grid, used=used, threshold=2).filter(pl.col("level") == "pooled")
    # With a and b: 1, 2, 3. With c for either: 2, 3; 4 is known since the other model is wrong.
    assert frame.select("models", "tests", "kind").rows() == [
        ("a & c", "center_frame", "shortcut"),
        ("a & c", "center_frame", "distilled"),
        ("b & c", "center_frame", "shortcut"),
        ("b & c", "center_frame", "distilled"),
    ]
    row = one(frame, models="b & c", kind="shortcut")
    assert (row["n"], row["n_first"], row["n_second"], row["n_both"]) == (6, 3, 2, 2)
    assert (row["jaccard"], row["share_of_first"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert row["share_of_second"] == 1
    row = one(frame, models="b & c", kind="distilled")
    assert (row["n_first"], row["n_second"], row["n_both"]) == (3, 4, 3)
    assert row["jaccard"] == pytest.approx(3 / 4)


def test_robustness_at_one_right_model_counts_unknown_verdicts(make_table: MakeTable) -> None:
    grid = arrange(make_table(make_rows({("blind", "a"): "rww", ("blind", "b"): "r-w"})))
    frame = measure_robustness(grid, used={"blind": ["a"]})
    row = one(frame, level="pooled", kind="distilled")
    assert (row["models"], row["threshold"]) == ("b", 1)
    assert (row["n"], row["n_unknown"], row["n_both"], row["jaccard"]) == (2, 1, 1, 1)


def test_robustness_replaces_models_in_every_test_that_has_them(make_table: MakeTable) -> None:
    letters = {(test, model): "rw" for test in ("center_frame", "shuffle") for model in "abcdef"}
    grid = arrange(make_table(make_rows(letters)))
    used = dict.fromkeys(("center_frame", "shuffle"), ("a", "b", "c"))
    frame = measure_robustness(grid, used=used).filter(pl.col("level") == "pooled")
    # All triples of six but the one used, and both kinds.
    assert frame.height == 2 * 19
    assert set(frame["tests"]) == {"center_frame & shuffle"}
    assert set(frame["jaccard"]) == {1.0}


def test_nothing_to_spare_is_an_empty_frame(make_table: MakeTable) -> None:
    grid = arrange(make_table(make_rows({("blind", "a"): "rw", ("blind", "b"): "rw"})))
    assert measure_robustness(grid, used={"blind": ["a", "b"]}).height == 0
    with pytest.raises(SchemaError, match="no rows of blind and model z"):
        measure_robustness(grid, used={"blind": ["z"]})


def test_thresholds_start_at_one(make_table: MakeTable) -> None:
    grid = arrange(make_table(make_rows(VALIDATED)))
    with pytest.raises(SchemaError, match="threshold is 0"):
        measure_correlation(grid, tests=["blind"], validators=["x"], threshold=0)
    with pytest.raises(SchemaError, match="threshold is 0"):
        measure_robustness(grid, used={"blind": ["a"]}, threshold=0)


def test_benchmarks_are_apart(make_table: MakeTable) -> None:
    rows = make_rows({("standard", "a"): "wr", ("blind", "b"): "wr"})
    rows += make_rows({("standard", "a"): "w", ("blind", "b"): "r"}, benchmark="other")
    grid = arrange(make_table(rows))
    kept = grid.samples.select("benchmark", "sample_id", is_kept=pl.Series([True, False, False]))
    frame = measure_difficulty_overlap(grid, kept)
    assert frame.select("benchmark", "n", "n_both").rows() == [
        ("bench", 2, 1),
        ("other", 1, 0),
        ("", 3, 1),
    ]
    assert frame["jaccard"].to_list() == pytest.approx([1, 0, 0.5])
    assert one(frame, benchmark="other")["share_of_second"] is None
