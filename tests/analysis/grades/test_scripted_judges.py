"""What the analyses measure of judges whose bias is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, GradeGrid, arrange_grades, summarise_grades
from video_oasis.analysis.grades.accuracy import measure_grade_accuracy
from video_oasis.analysis.grades.judge_differences import compare_judges, summarise_judges
from video_oasis.analysis.grades.length import measure_length
from video_oasis.analysis.grades.people import compare_with_people
from video_oasis.analysis.grades.self_preference import measure_self_preference
from video_oasis.analysis.grades.traps import measure_traps

Bools = NDArray[np.bool_]
MakeJudged = Callable[..., tuple[pl.DataFrame, Bools]]

N_SAMPLES = 600
ABILITIES = {
    ("blind", "alpha-7b", "alpha"): 0.25,
    ("blind", "beta-7b", "beta"): 0.2,
    ("standard", "alpha-7b", "alpha"): 0.6,
    ("standard", "beta-7b", "beta"): 0.5,
}
LENIENCY, PRIDE, HARSHNESS = 0.3, 0.4, 0.15
LONG = 6
QUICK = Resampling(n_resamples=300)


def fair(right: Bools, _own: Bools, _words: NDArray[Any], _generator: np.random.Generator) -> Bools:
    return right


def lenient(
    right: Bools, _own: Bools, _words: NDArray[Any], generator: np.random.Generator
) -> Bools:
    """Also accept this share of the wrong answers, and reject some of the right ones."""
    luck = generator.random(len(right))
    return np.where(right, luck >= HARSHNESS, luck < LENIENCY)


def proud(right: Bools, own: Bools, _words: NDArray[Any], generator: np.random.Generator) -> Bools:
    """Also accept this share of the wrong answers of its own family."""
    return right | (own & (generator.random(len(right)) < PRIDE))


def wordy(right: Bools, _own: Bools, words: NDArray[Any], _generator: np.random.Generator) -> Bools:
    """Also accept whatever is long."""
    return right | (words >= LONG)


JUDGES = {
    "fair": ("delta", fair),
    "lenient": ("gamma", lenient),
    "proud": ("alpha", proud),
    "wordy": ("epsilon", wordy),
}


@pytest.fixture(scope="module")
def judged(make_judged: MakeJudged) -> tuple[pl.DataFrame, Bools]:
    return make_judged(N_SAMPLES, ABILITIES, JUDGES, seed=2)


@pytest.fixture(scope="module")
def grid(judged: tuple[pl.DataFrame, Bools]) -> GradeGrid:
    return arrange_grades(judged[0])


def holds(estimate: Estimate, value: float) -> bool:
    return (
        estimate.low is not None
        and estimate.high is not None
        and estimate.low <= value <= estimate.high
    )


def width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def test_accuracy_and_text_only(grid: GradeGrid, judged: tuple[pl.DataFrame, Bools]) -> None:
    _, right = judged
    rows = [row for row in measure_grade_accuracy(grid, resampling=QUICK) if row.level == "pooled"]
    for row in rows:
        k = next(k for k, name in enumerate(ABILITIES) if name[:2] == (row.diagnostic, row.model))
        accuracy = float(right[k].mean())
        if row.judge == "fair":
            assert row.accuracy.value == pytest.approx(accuracy)
            assert row.score.value == pytest.approx(5 * accuracy)
            if row.diagnostic == "standard":
                assert row.text_only.value == pytest.approx(right[k - 2].mean())
                assert row.above_text_only.value == pytest.approx(accuracy - right[k - 2].mean())
        if row.judge == "lenient":
            expected = accuracy * (1 - HARSHNESS) + (1 - accuracy) * LENIENCY
            assert holds(row.accuracy, expected)
        assert width(row.accuracy) < 0.1


def test_leniency_is_the_difference(grid: GradeGrid, judged: tuple[pl.DataFrame, Bools]) -> None:
    _, right = judged
    rows = compare_judges(grid, reference="fair", resampling=QUICK)
    by_cell = {
        (row.diagnostic, row.model): row
        for row in rows
        if (row.level, row.first, row.second) == ("benchmark", "fair", "lenient")
    }
    expected = [(1 - r.mean()) * LENIENCY - r.mean() * HARSHNESS for r in right]
    for name, value in zip(ABILITIES, expected, strict=True):
        assert holds(by_cell[name[:2]].difference, value)
    blind = by_cell["blind", "beta-7b"]
    assert blind.p_holm is not None
    assert blind.p_holm < 1e-6
    summary = next(
        each.summary
        for each in summarise_judges(rows)
        if (each.first, each.second) == ("fair", "lenient")
    )
    # Leniency helps those most that know least, so the judge also changes how far apart they are.
    assert summary.standard_deviation == pytest.approx(np.std(expected, ddof=1), abs=0.02)


def test_pride_is_found_in_the_proud_alone(
    grid: GradeGrid, judged: tuple[pl.DataFrame, Bools]
) -> None:
    _, right = judged
    (row,) = measure_self_preference(grid, resampling=QUICK)
    assert (row.judge, row.compared_with) == ("proud", ("fair", "lenient", "wordy"))
    assert (row.own_models, row.other_models) == (("alpha-7b",), ("beta-7b",))
    assert (row.n, row.n_videos) == (2 * N_SAMPLES, N_SAMPLES // 2)
    # Beside fair judges alone it is the pride itself.
    alone = arrange_grades(judged[0].filter(pl.col("judge").is_in(["fair", "proud"])))
    (row,) = measure_self_preference(alone, resampling=QUICK)
    expected = float(PRIDE * (1 - right[[0, 2]].mean()))
    assert holds(row.preference, expected)
    assert holds(row.score_preference, 5 * expected)
    assert row.other_difference.value == 0
    assert width(row.preference) < 0.1


def test_humble_judge_of_the_same_family_shows_no_preference(make_judged: MakeJudged) -> None:
    judges = {"fair": ("delta", fair), "humble": ("alpha", fair)}
    table, _ = make_judged(200, ABILITIES, judges)
    (row,) = measure_self_preference(arrange_grades(table), resampling=QUICK)
    assert row.preference.value == 0
    assert holds(row.preference, 0)


def test_length_bias_is_found_in_the_wordy_alone(grid: GradeGrid) -> None:
    rows = {row.judge: row for row in measure_length(grid, resampling=QUICK)}
    for judge, row in rows.items():
        assert row.n_right_padded == row.n_wrong_padded == N_SAMPLES
        low, across = row.within_correct.low, row.across_score.low
        assert low is not None
        assert across is not None
        if judge == "wordy":
            assert row.wrong_padded.value == 1
            assert row.right_padded.value == 0
            assert low > 0.2
            assert across > 0.2
        else:
            assert holds(row.wrong_padded, 0)
            assert holds(row.within_correct, 0)
            assert holds(row.across_correct, 0)


def test_traps_find_and_correct_the_lenient(
    grid: GradeGrid, judged: tuple[pl.DataFrame, Bools]
) -> None:
    _, right = judged
    traps = measure_traps(grid, resampling=QUICK)
    accepted = {
        (row.judge, row.probe): row.accepted for row in traps.probes if row.level == "pooled"
    }
    assert holds(accepted["lenient", "swapped"], LENIENCY)
    assert holds(accepted["lenient", "echo"], 1 - HARSHNESS)
    assert accepted["fair", "swapped"].value == 0
    assert accepted["wordy", "swapped_padded"].value == 1
    n_caught = sum(row.judge == "wordy" for row in traps.caught)
    assert n_caught == N_SAMPLES
    trust = {row.judge: row.youden for row in traps.trust if row.level == "pooled"}
    assert holds(trust["lenient"], 1 - HARSHNESS - LENIENCY)
    assert trust["fair"].value == trust["proud"].value == 1
    for row in traps.corrected:
        k = next(k for k, name in enumerate(ABILITIES) if name[:2] == (row.diagnostic, row.model))
        if row.judge == "lenient":
            assert holds(row.corrected, float(right[k].mean()))
            assert width(row.corrected) > width(row.accuracy)
        if row.judge == "fair":
            assert row.corrected.value == pytest.approx(right[k].mean())


def test_people_correct_even_a_judge_whom_traps_do_not_catch(
    grid: GradeGrid, judged: tuple[pl.DataFrame, Bools]
) -> None:
    table, right = judged
    truth = (
        table.filter(pl.col("judge") == "fair", pl.col("probe") == "")
        .unique("pair", keep="first", maintain_order=True)
        .select("pair", "correct", "score")
    )
    # Every second pair that the proud judge accepts, every eighth that it rejects.
    proud_says = (
        table.filter(pl.col("judge") == "proud", pl.col("probe") == "")
        .unique("pair", keep="first", maintain_order=True)
        .select("pair", accepted="correct")
    )
    generator = np.random.default_rng(5)
    rate = pl.when("accepted").then(0.5).otherwise(0.125)
    people = (
        truth.join(proud_says, on="pair", maintain_order="left")
        .with_columns(weight=1 / rate, draw=pl.Series(generator.random(truth.height)))
        .filter(pl.col("draw") * pl.col("weight") < 1)
        .select("pair", "correct", "score", "weight", reviewer=pl.lit("expert"))
    )
    # Many intervals: each is to hold the truth all but surely.
    surely = Resampling(confidence=0.999)
    found = compare_with_people(grid, people, resampling=surely)
    beside = {row.judge: row for row in found.judges}
    assert beside["fair"].same.value == beside["fair"].kappa.value == 1
    assert holds(beside["lenient"].false_accepts, LENIENCY)
    assert holds(beside["lenient"].false_rejects, HARSHNESS)
    assert beside["proud"].false_rejects.value == 0
    pairs = truth.join(proud_says, on="pair")
    difference = float(pairs["accepted"].to_numpy().mean() - pairs["correct"].to_numpy().mean())
    assert holds(beside["proud"].difference, difference)
    for row in found.models:
        k = next(k for k, name in enumerate(ABILITIES) if name[:2] == (row.diagnostic, row.model))
        assert holds(row.people, float(right[k].mean()))
        assert holds(row.corrected, float(right[k].mean()))
        if row.judge == "fair":
            assert row.corrected.value == pytest.approx(row.judged.value)
    # Without weights the pairs that the proud judge accepts count too much.
    unweighted = compare_with_people(grid, people.drop("weight"), resampling=surely)
    assert not any(
        holds(row.people, float(right[1].mean()))
        for row in unweighted.models
        if (row.diagnostic, row.model) == ("blind", "beta-7b")
    )


def test_summary_has_every_analysis(judged: tuple[pl.DataFrame, Bools]) -> None:
    summary = summarise_grades(judged[0], reference="proud", resampling=Resampling(n_resamples=20))
    assert [judge.name for judge in summary.judges] == list(JUDGES)
    assert summary.differences[0].first == "proud"
    assert len(summary.difference_summaries) == len(summary.agreement) == 6
    assert len(summary.contradictions) == len(summary.length) == 4
    assert summary.contradiction_examples == ()
    assert summary.people is None
