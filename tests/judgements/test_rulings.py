"""What judgements come to for a run's samples: rulings, corrected tables and counts."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from video_oasis.errors import JudgementsError
from video_oasis.judgements.corrections import correct_table
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.refinement import count_refinement
from video_oasis.judgements.rulings import Rulings, make_rulings
from video_oasis.judgements.standing import DecisionRule
from video_oasis.schema import LONG_TABLE_COLUMNS, Sample

Judge = Callable[..., Judgement]
MakeSample = Callable[..., Sample]


def make_table(rows: list[dict[str, Any]]) -> pl.DataFrame:
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    blank: dict[str, Any] = dict.fromkeys(schema)
    return pl.DataFrame([blank | {"benchmark": "bench"} | row for row in rows], schema=schema)


def test_choices_of_equal_text_are_one_correction(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample(choices=("left", "right", "left", "up"), target=1)
    made = [judge("correct", choice=0), judge("correct", choice=2, reviewer="bob")]
    rulings = make_rulings(made, DecisionRule.TWO, [sample])
    assert rulings.corrections == {("bench", "s1"): 0}


def test_a_correction_to_the_published_answer_corrects_nothing(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(choices=("left", "right", "left"), target=0)
    rulings = make_rulings([judge("correct", choice=2)], DecisionRule.ANY, [sample])
    assert rulings.corrections == {}
    assert len(rulings.by_sample) == 1


def test_judgements_of_other_samples_are_passed_over_and_unfit_ones_refused(
    judge: Judge, make_sample: MakeSample
) -> None:
    made = [judge(), judge(sample="elsewhere")]
    rulings = make_rulings(made, DecisionRule.ANY, [make_sample()])
    assert rulings.standing == (judge(),)
    with pytest.raises(JudgementsError, match="choice is 7; sample 's1' has 4 choices"):
        make_rulings([judge("correct", choice=7)], DecisionRule.ANY, [make_sample()])


def test_the_record_names_the_standing_judgements(judge: Judge, make_sample: MakeSample) -> None:
    samples = [make_sample(), make_sample(id="s2")]
    made = [judge(), judge(reviewer="bob"), judge(sample="s2")]
    record = make_rulings(made, DecisionRule.TWO, samples).record
    assert record is not None
    assert (record.rule, record.n_judgements, record.n_reviewers) == ("two", 3, 2)
    shuffled = make_rulings([*made[::-1], made[0]], DecisionRule.TWO, samples).record
    assert shuffled == record
    changed = make_rulings([*made, judge("skip", minute=1)], DecisionRule.TWO, samples).record
    assert changed is not None
    assert changed.n_judgements == 3
    assert changed.id != record.id
    taken_back = [judge(), judge("withdraw", minute=1)]
    assert make_rulings(taken_back, DecisionRule.ANY, samples).record is None
    assert Rulings().record is None


def test_a_corrected_table_scores_by_the_corrected_text(make_sample: MakeSample) -> None:
    sample = make_sample(choices=("left", "right", "left", "up"), target=1)
    table = make_table(
        [
            {"sample_id": "s1", "prediction": 0, "correct": False, "target_probability": 0.2},
            {"sample_id": "s1", "prediction": 1, "correct": True, "target_probability": 0.9},
            {"sample_id": "s1", "prediction": 2, "correct": False},
            {"sample_id": "s1", "prediction": None, "correct": None, "target_probability": 0.1},
            {"sample_id": "s2", "prediction": 0, "correct": True, "target_probability": 0.7},
            {"sample_id": "s1", "benchmark": "other", "prediction": 1, "correct": True},
        ]
    )
    corrected = correct_table(table, {("bench", "s1"): sample}, {("bench", "s1"): 2})
    assert corrected["correct"].to_list() == [True, False, True, None, True, True]
    assert corrected["target_probability"].to_list() == [None, None, None, None, 0.7, None]
    changed = ["correct", "target_probability"]
    assert_frame_equal(corrected.drop(changed), table.drop(changed))
    assert corrected.schema == table.schema


def test_nothing_to_correct_changes_nothing() -> None:
    table = make_table([{"sample_id": "s1", "prediction": 0, "correct": False}])
    assert_frame_equal(correct_table(table, {}, {}), table)


def test_what_people_made_of_each_queue_is_counted(judge: Judge, make_sample: MakeSample) -> None:
    samples = [make_sample(id=f"s{number}") for number in range(8)]
    samples.append(make_sample(id="t", benchmark="other"))
    made = [
        judge("wrong_label", sample="s0", check="consistency"),
        judge("ambiguous", sample="s0", check="consistency", reviewer="bob"),
        judge("keep", sample="s1", check="consistency"),
        judge("restore", sample="s1", check="sensitivity", reviewer="bob"),
        judge("restore", sample="s2", check="sensitivity"),
        judge("skip", sample="s3", check="sensitivity"),
        judge("correct", sample="s4", choice=0),
        judge("other", note="x", sample="t", benchmark="other", check="redundancy"),
    ]
    queue = {
        "consistency": [("bench", "s0"), ("bench", "s1"), ("bench", "s2"), ("bench", "s5")],
        "sensitivity": [("bench", "s1"), ("bench", "s2"), ("bench", "s3")],
        "redundancy": [("other", "t")],
    }
    rows = count_refinement(queue, make_rulings(made, DecisionRule.ANY, samples))
    counted = {
        (row.benchmark, row.check): {
            name.removeprefix("n_"): getattr(row, name)
            for name in row.__slots__
            if name.startswith("n_") and getattr(row, name)
        }
        for row in rows
    }
    consistency = {
        "queued": 4, "open": 1, "judged": 2, "dropped": 1, "wrong_label": 1, "undecided": 1,
        "conflicts": 1,
    }  # fmt: skip
    sensitivity = {
        "queued": 3, "judged": 3, "restored": 1, "undecided": 1, "skipped": 1, "conflicts": 1,
    }  # fmt: skip
    redundancy = {"queued": 1, "judged": 1, "dropped": 1, "other": 1}
    outside = {"judged": 1, "corrected": 1}
    of_bench = {
        "queued": 5, "open": 1, "judged": 5, "dropped": 1, "wrong_label": 1, "restored": 1,
        "corrected": 1, "undecided": 1, "skipped": 1, "conflicts": 1,
    }  # fmt: skip
    assert counted == {
        ("bench", "consistency"): consistency,
        ("bench", "sensitivity"): sensitivity,
        ("bench", "outside"): outside,
        ("bench", "all"): of_bench,
        ("other", "redundancy"): redundancy,
        ("other", "all"): redundancy,
        ("", "consistency"): consistency,
        ("", "redundancy"): redundancy,
        ("", "sensitivity"): sensitivity,
        ("", "outside"): outside,
        ("", "all"): of_bench | {"queued": 6, "judged": 6, "dropped": 2, "other": 1},
    }


def test_without_judgements_nothing_is_counted() -> None:
    assert count_refinement({"redundancy": [("bench", "s1")]}, Rulings()) == ()
