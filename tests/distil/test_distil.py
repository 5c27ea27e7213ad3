"""The distilled set: who is kept and why not, written down, read back and compared."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.distil.card import Origin, write_card
from video_oasis.distil.decide import DistilledSample, Fate, distil
from video_oasis.distil.files import (
    compare_distilled,
    read_decision_rule,
    read_threshold,
    write_distilled,
)
from video_oasis.errors import RunError
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.judgements.rulings import JudgingRecord, make_rulings
from video_oasis.judgements.standing import DecisionRule
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
            "rotation": 0,
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


def judge(sample_id: str, decision: Decision, reviewer: str = "ann") -> Judgement:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    choice = 0 if decision is Decision.CORRECT else None
    return Judgement("bench", sample_id, reviewer, "", decision, choice, "why", at)


@pytest.fixture
def judged(make_sample: MakeSample) -> Callable[..., dict[str, DistilledSample]]:
    """Distil ``VOTES`` with judgements, by sample."""

    def make(*made: Judgement, rule: DecisionRule = DecisionRule.ANY) -> dict[str, DistilledSample]:
        samples = [make_sample(id=name) for name in (*VOTES, "none applies")]
        rulings = make_rulings(made, rule, samples)
        distilled = distil(samples, make_grid(VOTES), 2, rulings)
        return {sample.sample_id: sample for sample in distilled}

    return make


Judged = Callable[..., dict[str, DistilledSample]]


@pytest.mark.parametrize(
    ("sample_id", "reasons"),
    [
        ("kept", ("judged:wrong_label",)),
        ("one test", ("shortcut:blind", "judged:wrong_label")),
        ("unknown", ("unknown:blind", "judged:wrong_label")),
        ("none applies", ("untested", "judged:wrong_label")),
    ],
)
def test_a_defective_sample_is_dropped_with_every_reason(
    judged: Judged, sample_id: str, reasons: tuple[str, ...]
) -> None:
    sample = judged(judge(sample_id, Decision.WRONG_LABEL))[sample_id]
    assert (sample.fate, sample.reasons) == (Fate.DROPPED, reasons)


def test_reviewers_reasons_are_all_kept(judged: Judged) -> None:
    made = [judge("kept", Decision.OTHER), judge("kept", Decision.AMBIGUOUS, "bob")]
    assert judged(*made)["kept"].reasons == ("judged:ambiguous", "judged:other")


@pytest.mark.parametrize(
    ("sample_id", "fate", "reasons"),
    [
        # Only the verdict under shuffle is taken back.
        ("two tests", Fate.DROPPED, ("shortcut:blind", "restored")),
        ("shortcut anyway", Fate.UNDECIDED, ("unknown:blind", "restored")),
        ("one test", Fate.DROPPED, ("shortcut:blind",)),
        ("kept", Fate.KEPT, ()),
    ],
)
def test_a_restored_sample_is_no_shortcut_under_shuffle(
    judged: Judged, sample_id: str, fate: Fate, reasons: tuple[str, ...]
) -> None:
    sample = judged(judge(sample_id, Decision.RESTORE))[sample_id]
    assert (sample.fate, sample.reasons) == (fate, reasons)
    assert sample.votes == judged()[sample_id].votes


@pytest.mark.parametrize("marks", ["++", "+?"])
def test_a_sample_that_only_shuffle_doubts_is_kept_when_restored(
    make_sample: MakeSample, marks: str
) -> None:
    samples = [make_sample()]
    grid = make_grid({"s1": {"blind": "--", "shuffle": marks}})
    rulings = make_rulings([judge("s1", Decision.RESTORE)], DecisionRule.ANY, samples)
    (sample,) = distil(samples, grid, 2, rulings)
    assert (sample.fate, sample.reasons) == (Fate.KEPT, ("restored",))


def test_keeping_skipping_and_disagreeing_change_no_fate(judged: Judged) -> None:
    before = judged()
    made = [judge("one test", Decision.KEEP), judge("kept", Decision.SKIP)]
    assert judged(*made) == before
    conflict = [judge("kept", Decision.AMBIGUOUS), judge("kept", Decision.KEEP, "bob")]
    assert judged(*conflict)["kept"].fate is Fate.KEPT
    assert judged(*conflict)["kept"].reasons == ("judged:undecided",)
    alone = judged(judge("kept", Decision.AMBIGUOUS), rule=DecisionRule.TWO)
    assert alone["kept"].reasons == ("judged:undecided",)


def test_a_corrected_target_is_written_down(
    judged: Judged, make_sample: MakeSample, tmp_path: Path
) -> None:
    made = [judge("kept", Decision.CORRECT)]
    distilled = list(judged(*made).values())
    rulings = make_rulings(made, DecisionRule.ANY, [make_sample(id="kept")])
    origin = replace(ORIGIN, judged=rulings.record)
    write_distilled(distilled, origin, tmp_path)
    kept = pl.read_parquet(tmp_path / "kept.parquet")
    assert dict(zip(kept["sample_id"], kept["corrected_target"], strict=True)) == {
        "kept": 0, "beyond doubt": None, "one applies": None,
    }  # fmt: skip
    assert compare_distilled(distilled, origin, tmp_path) == []
    (difference,) = compare_distilled(list(judged().values()), origin, tmp_path)[:1]
    assert difference == "kept: 1 only in the folder: kept"


def test_other_judgements_are_a_difference(
    decided: Sequence[DistilledSample], tmp_path: Path
) -> None:
    record = JudgingRecord("two", 3, 2, "judgements1-x")
    write_distilled(decided, replace(ORIGIN, judged=record), tmp_path)
    assert read_threshold(tmp_path) == 2
    assert read_decision_rule(tmp_path) is DecisionRule.TWO
    differences = compare_distilled(decided, ORIGIN, tmp_path)
    assert len(differences) == 1
    assert differences[0].endswith("the run gives null")
    write_distilled(decided, ORIGIN, tmp_path)
    assert read_decision_rule(tmp_path) is None
    assert read_decision_rule(tmp_path / "none") is None


def test_the_card_tells_of_judgements(judged: Judged) -> None:
    made = [
        judge("kept", Decision.WRONG_LABEL),
        judge("two tests", Decision.RESTORE),
        judge("unknown", Decision.CORRECT),
        judge("one applies", Decision.AMBIGUOUS),
        judge("one applies", Decision.KEEP, "bob"),
    ]
    distilled = list(judged(*made).values())
    record = JudgingRecord("any", 5, 2, "judgements1-x")
    card = write_card(distilled, replace(ORIGIN, judged=record))
    assert "nobody judged defective" in card
    assert "| bench | 8 | 2 | 4 | 2 |" in card
    assert "| judged:wrong_label | 1 |" in card
    assert "judged:undecided | " not in card
    assert "Judgements that stand: 5, of 2 reviewers" in card
    for what, n in (("restored", 1), ("corrected_target", 1), ("judged:undecided", 1)):
        (line,) = [line for line in card.splitlines() if f"(`{what}`)" in line]
        assert line.endswith(f"| {n} |")
    assert "judged" not in write_card(distilled, ORIGIN).partition("## Why")[0]
