from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, arrange_grades
from video_oasis.analysis.grades.people import compare_with_people
from video_oasis.errors import SchemaError

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
VERDICTS = {"y": True, "n": False, "?": None}
EMPTY = Estimate(None, None, None)


def answers(verdicts: str, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"sample_id": f"s{n}", "pair": f"p{n}", "correct": VERDICTS[verdict]} | columns
        for n, verdict in enumerate(verdicts)
    ]


def people(opinions: dict[str, str], **columns: Any) -> pl.DataFrame:
    rows = [
        {
            "pair": pair,
            "reviewer": f"r{number}",
            "correct": VERDICTS[opinion],
            "score": None if opinion == "?" else 5.0 * VERDICTS[opinion],  # type: ignore[operator]
        }
        for pair, given in opinions.items()
        for number, opinion in enumerate(given)
    ]
    schema = {"pair": pl.String, "reviewer": pl.String, "correct": pl.Boolean, "score": pl.Float64}
    return pl.DataFrame(rows, schema=schema).with_columns(**columns)


def test_judge_beside_the_majority(make_grades: MakeGrades) -> None:
    grid = arrange_grades(make_grades(answers("yyynnn?y")))
    opinions = {
        "p0": "y",
        "p1": "yyn",
        "p2": "nnn",
        "p3": "n",
        "p4": "yy?",
        "p5": "yn",
        "p6": "y",
        "p9": "y",
    }
    found = compare_with_people(grid, people(opinions), resampling=QUICK)
    agreement = found.agreement
    assert (agreement.n_reviewers, agreement.n_pairs, agreement.n_unknown) == (3, 7, 1)
    assert (agreement.n_ties, agreement.n_shared) == (1, 4)
    # Agreeing 1/3, 1, 1, 0 of p1, p2, p4, p5; of ten opinions five are yes: expected 1/2.
    assert agreement.same.value == pytest.approx(7 / 12)
    assert agreement.kappa.value == pytest.approx(1 / 6)

    (row,) = found.judges
    # p0 to p4: the judge says y y y n n, people y y n n y.
    assert (row.judge, row.n_pairs, row.n_videos, row.n_right, row.n_wrong) == ("j", 5, 5, 3, 2)
    assert row.same.value == pytest.approx(3 / 5)
    # Expected 0.36 + 0.16.
    assert row.kappa.value == pytest.approx((0.6 - 0.52) / 0.48)
    assert row.false_accepts.value == pytest.approx(1 / 2)
    assert row.false_rejects.value == pytest.approx(1 / 3)
    assert row.judge_accuracy.value == row.people_accuracy.value == pytest.approx(3 / 5)
    assert row.difference.value == 0
    assert row.difference.low is not None
    assert row.difference.low < 0
    # The mean score of p1 is 10/3. Ranks about 0: 1 1 1 -1.5 -1.5 and 1.5 0 -1.5 -1.5 1.5, whose
    # products make 0, squares 7.5 and 9.
    assert row.score_correlation.value == pytest.approx(0)


def test_weights_stand_for_pairs_not_drawn(make_grades: MakeGrades) -> None:
    grid = arrange_grades(make_grades(answers("yyyynnnnnn")))
    weight = pl.when(pl.col("pair") == "p4").then(6.0).otherwise(2.0)
    found = compare_with_people(
        grid, people({"p0": "y", "p1": "n", "p4": "n"}, weight=weight), resampling=QUICK
    )
    (row,) = found.judges
    assert row.judge_accuracy.value == pytest.approx(4 / 10)
    assert row.people_accuracy.value == pytest.approx(2 / 10)
    assert row.difference.value == pytest.approx(2 / 10)
    assert row.same.value == pytest.approx(8 / 10)
    assert row.false_accepts.value == pytest.approx(2 / 8)
    (model,) = found.models
    assert (model.n_decided, model.n_shared) == (3, 3)
    assert model.people.value == pytest.approx(0.2)
    assert model.judged.value == pytest.approx(0.4)
    assert model.corrected.value == pytest.approx(0.4 - 0.2)


def test_answers_shared_by_models_count_for_each(make_grades: MakeGrades) -> None:
    grid = arrange_grades(
        make_grades(
            answers("yn", judge="a")
            + answers("yy", judge="a", model="k")
            + answers("??", judge="b")
            + answers("?", judge="b", model="k")
        )
    )
    found = compare_with_people(grid, people({"p0": "y", "p1": "y"}), resampling=QUICK)
    assert [row.judge for row in found.judges] == ["a"]
    # The first verdict on a pair is the judge's verdict on it.
    assert [(row.model, row.judge, row.n_decided) for row in found.models] == [
        ("m", "a", 2),
        ("k", "a", 2),
    ]
    assert found.models[0].corrected.value == pytest.approx(1)


def test_no_grades_of_people(make_grades: MakeGrades) -> None:
    grid = arrange_grades(make_grades(answers("yn")))
    found = compare_with_people(grid, people({}), resampling=QUICK)
    assert (found.judges, found.models) == ((), ())
    assert (found.agreement.n_pairs, found.agreement.same, found.agreement.kappa) == (
        0,
        EMPTY,
        EMPTY,
    )
    nothing = compare_with_people(arrange_grades(make_grades([])), people({"p0": "y"}))
    assert (nothing.agreement.n_pairs, nothing.agreement.n_unknown) == (0, 1)
    assert (nothing.judges, nothing.models) == ((), ())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reviewer": pl.lit("r0")}, "one row for each reviewer"),
        ({"weight": pl.lit(0.0)}, "one weight above 0"),
        ({"weight": pl.Series([1.0, 2.0])}, "one weight above 0"),
        ({"weight": pl.lit(None, pl.Float64)}, "one weight above 0"),
        ({"score": pl.lit(6.0)}, "a score from 0 to 5"),
    ],
)
def test_broken_grades_are_refused(
    make_grades: MakeGrades, change: dict[str, Any], message: str
) -> None:
    grid = arrange_grades(make_grades(answers("y")))
    with pytest.raises(SchemaError, match=message):
        compare_with_people(grid, people({"p0": "yy"}, **change))


def test_absent_columns_are_named(make_grades: MakeGrades) -> None:
    grid = arrange_grades(make_grades(answers("y")))
    with pytest.raises(SchemaError, match="no column reviewer"):
        compare_with_people(grid, people({"p0": "y"}).drop("reviewer"))
