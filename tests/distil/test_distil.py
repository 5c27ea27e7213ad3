"""The distilled set: who is kept and why not, written down, read back and compared."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl
import pytest

from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.distil.card import Origin, write_card
from video_oasis.distil.decide import DistilledSample, Fate, distil
from video_oasis.distil.files import compare_distilled, write_distilled
from video_oasis.errors import RunError
from video_oasis.schema import LONG_TABLE_COLUMNS, Sample

MakeSample = Callable[..., Sample]
ORIGIN = Origin("9.9", 2, {"blind": 2, "shuffle": 2}, {"one": ("model1-a",)}, "answers1-x", {})


def make_grid(votes: Mapping[str, Mapping[str, str]]) -> AnswerGrid:
    """Make a grid from marks such as ``"+-?"``: right, wrong and unread, one for each model."""
    rows = [
        {
            "benchmark": "bench",
            "sample_id": sample_id,
            "video": "v1.mp4",
            "task": "order",
            "diagnostic": test,
            "part": 0,
            "model": f"m{number}",
            "draw": 0,
            "request": "r",
            "status": "unparsed" if mark == "?" else "ok",
            "reason": "",
            "prediction": {"+": 1, "-": 0, "?": None}[mark],
            "correct": {"+": True, "-": False, "?": None}[mark],
            "target_probability": None,
            "n_choices": 4,
        }
        for sample_id, of_tests in votes.items()
        for test, marks in of_tests.items()
        for number, mark in enumerate(marks)
    ]
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    return arrange(pl.DataFrame(rows, schema=schema))


VOTES = {
    "kept": {"blind": "+-", "shuffle": "--"},
    "one test": {"blind": "++", "shuffle": "-+"},
    "two tests": {"blind": "++", "shuffle": "++"},
    "unknown": {"blind": "+?", "shuffle": "--"},
    "beyond doubt": {"blind": "?-", "shuffle": "--"},
    "shortcut anyway": {"blind": "+?", "shuffle": "++"},
    "one applies": {"blind": "--"},
}


@pytest.fixture
def decided(make_sample: MakeSample) -> Sequence[DistilledSample]:
    samples = [make_sample(id=name) for name in (*VOTES, "none applies")]
    return distil(samples, make_grid(VOTES), 2)


def test_a_shortcut_in_any_test_is_dropped_and_doubt_is_undecided(
    decided: Sequence[DistilledSample],
) -> None:
    assert {sample.sample_id: (sample.fate.value, sample.reasons) for sample in decided} == {
        "kept": ("kept", ()),
        "one test": ("dropped", ("shortcut:blind",)),
        "two tests": ("dropped", ("shortcut:blind", "shortcut:shuffle")),
        "unknown": ("undecided", ("unknown:blind",)),
        "beyond doubt": ("kept", ()),
        "shortcut anyway": ("dropped", ("unknown:blind", "shortcut:shuffle")),
        "one applies": ("kept", ()),
        "none applies": ("undecided", ("untested",)),
    }
    votes = {sample.sample_id: dict(sample.votes) for sample in decided}
    assert votes["one test"] == {"blind": 2, "shuffle": 1}
    assert votes["one applies"] == {"blind": 0}


def test_a_lower_threshold_drops_more(make_sample: MakeSample) -> None:
    samples = [make_sample(id=name) for name in VOTES]
    fates = {sample.sample_id: sample.fate for sample in distil(samples, make_grid(VOTES), 1)}
    assert fates["kept"] is Fate.DROPPED
    assert fates["beyond doubt"] is Fate.UNDECIDED
    assert fates["one applies"] is Fate.KEPT


def test_the_files_hold_every_sample_once(
    decided: Sequence[DistilledSample], tmp_path: Path
) -> None:
    files = write_distilled(decided, ORIGIN, tmp_path)
    assert {file.name for file in files} == {
        "kept.jsonl", "kept.parquet", "dropped.jsonl", "dropped.parquet",
        "undecided.jsonl", "undecided.parquet", "README.md", "origin.json",
    }  # fmt: skip
    ids = [
        json.loads(line)["sample_id"]
        for fate in Fate
        for line in (tmp_path / f"{fate}.jsonl").read_text().splitlines()
    ]
    assert sorted(ids) == sorted(sample.sample_id for sample in decided)
    dropped = pl.read_parquet(tmp_path / "dropped.parquet")
    assert dropped["sample_id"].to_list() == ["one test", "two tests", "shortcut anyway"]
    assert dropped["reasons"].to_list()[0] == ["shortcut:blind"]
    assert dropped["votes"].to_list()[0][0] == {"test": "blind", "n_right": 2}


def test_an_untouched_folder_does_not_differ_and_an_edited_one_does(
    decided: Sequence[DistilledSample], tmp_path: Path
) -> None:
    write_distilled(decided, ORIGIN, tmp_path)
    assert compare_distilled(decided, ORIGIN, tmp_path) == []
    kept = tmp_path / "kept.jsonl"
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[1:]))
    assert compare_distilled(decided, ORIGIN, tmp_path) == ["kept: 1 only in the run: kept"]
    other = Origin("9.9", 1, ORIGIN.tests, ORIGIN.models, "answers1-y", {})
    differences = compare_distilled(decided, other, tmp_path)
    assert "threshold: the folder says 2, the run gives 1" in differences
    assert any(line.startswith("answers: the folder says") for line in differences)


def test_a_folder_without_a_set_is_a_clear_error(
    decided: Sequence[DistilledSample], tmp_path: Path
) -> None:
    with pytest.raises(RunError, match="no distilled set that can be read"):
        compare_distilled(decided, ORIGIN, tmp_path)


def test_the_card_counts_before_and_after(decided: Sequence[DistilledSample]) -> None:
    card = write_card(decided, ORIGIN)
    assert card.startswith("---\n")
    header, _, body = card[4:].partition("---\n")
    assert "data_files: kept.parquet" in header
    assert "| bench | 8 | 3 | 3 | 2 |" in body
    assert "| shortcut:blind | 2 |" in body
    assert "| shortcut:shuffle | 2 |" in body
    assert "| shuffle | 2 | yes |" in body


def test_benchmark_text_stays_text_in_the_card() -> None:
    sample = DistilledSample("b", "s", "a|b\n<script>", "v", Fate.KEPT, (), {})
    assert "a\\|b &lt;script>" in write_card([sample], ORIGIN)
