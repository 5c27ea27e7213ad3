"""Entries of a leaderboard, from the answers about a set."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import Gathered, gather
from video_oasis.evaluation.entries import make_entries
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.evaluation.sets import choose_set
from video_oasis.leaderboard.entry import Entry
from video_oasis.schema import Sample

MakeRun = Callable[..., AnsweredRun]


@pytest.fixture
def gathered(make_run: MakeRun, four: list[Sample]) -> Gathered:
    return gather([make_run("run", four, {"m": [1, 1, 2, 0], "n": [1, 1, 1, 1]})])


def make_entry(gathered: Gathered) -> Entry:
    (entry,) = make_entries(gathered, choose_set("original", gathered, []), models=["m"])
    return entry


def change(gathered: Gathered, **values: pl.Expr) -> Gathered:
    """Change columns of one answer of m."""
    is_changed = (pl.col("model") == "m") & (pl.col("sample_id") == "s2")
    columns = {
        name: pl.when(is_changed).then(value).otherwise(name) for name, value in values.items()
    }
    return replace(gathered, table=gathered.table.with_columns(**columns))


def test_an_entry_says_how_a_model_did(gathered: Gathered) -> None:
    entry = make_entry(gathered)
    assert (entry.model, entry.max_frames, entry.set_name) == ("m", 128, "original")
    assert (entry.overall.n, entry.overall.n_scored, entry.overall.accuracy) == (4, 4, 0.5)
    assert entry.benchmarks == {"bench": entry.overall}
    assert entry.mean_of_benchmarks == 0.5


@pytest.mark.parametrize(
    "values",
    [
        {"prediction": pl.lit(3)},  # as wrong as before
        {"request": pl.lit("another")},  # as answered as before
        {"status": pl.lit("refused"), "prediction": pl.lit(None), "correct": pl.lit(None)},
    ],
)
def test_other_answers_have_another_id(gathered: Gathered, values: dict[str, pl.Expr]) -> None:
    entry, other = make_entry(gathered), make_entry(change(gathered, **values))
    assert entry.answers != other.answers
    assert entry.place == other.place


def test_answers_that_are_missing_make_no_entry(gathered: Gathered) -> None:
    nothing = pl.lit(None)
    lacking = change(gathered, status=pl.lit("missing"), prediction=nothing, correct=nothing)
    with pytest.raises(SettingsError, match=r"m: .* original, with 1 answer missing; an entry"):
        make_entry(lacking)
    original = choose_set("original", lacking, [])
    assert [each.model for each in make_entries(lacking, original, models=["n"])] == ["n"]


def test_a_folder_gives_its_own_name_from_wherever_it_is_named(
    gathered: Gathered, write_set: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_set("kept by us", {"s0": None}, {})
    monkeypatch.chdir(folder)
    for name in (".", str(folder)):
        (entry,) = make_entries(gathered, choose_set(name, gathered, []), models=["m"])
        assert entry.set_name == "kept by us"
