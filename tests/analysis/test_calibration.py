"""Detection, false alarms and what follows from them, on answers written by hand."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.calibration import Calibration, DetectorRow, Planted, calibrate
from video_oasis.analysis.consensus import UNION
from video_oasis.errors import SchemaError

MakeVotes = Callable[..., pl.DataFrame]
MakeTable = Callable[..., pl.DataFrame]
QUICK = Resampling(n_resamples=200)
N_EACH = 8
RIGHT, WRONG, OTHER, FAILED = 0, 1, 2, -1


def plant(kind: str, *solved_by: str, flagged_by: tuple[str, ...] = (), **changes: Any) -> Planted:
    fields: dict[str, Any] = {"variant": "", "is_defective": False, "may_solve": frozenset()}
    return Planted(
        kind=kind,
        solved_by=frozenset(solved_by),
        flagged_by=frozenset(flagged_by),
        **fields | changes,
    )


def key_truth(*planted: Planted) -> dict[tuple[str, str], Planted]:
    return {("bench", f"s{number:05}"): each for number, each in enumerate(planted)}


TRUTH = key_truth(
    *[plant("told", "test-0")] * N_EACH, *[plant("native")] * N_EACH
)  # fmt: skip


def build(make_votes: MakeVotes, *tests: list[list[int]]) -> pl.DataFrame:
    """Build the table of tests x models x samples; the target is the first of four choices."""
    picks = np.array(tests)
    return make_votes(picks, np.zeros(picks.shape[2], int))


def find(calibration: Calibration, detector: str, threshold: int = 0) -> DetectorRow:
    (row,) = [
        row
        for row in calibration.detectors
        if (row.detector, row.threshold) == (detector, threshold)
    ]
    return row


@pytest.fixture
def calibration(make_votes: MakeVotes) -> Calibration:
    """Two models under two tests.

    Under test-0 both are right on 7 of the 8 samples planted for it and the first alone on the
    last; of the 8 native ones both are right on 3, both pick one wrong choice on 1, and they differ
    on 4. Under test-1 they differ everywhere, the second model being wrong.
    """
    first = [RIGHT] * 8 + [RIGHT] * 3 + [WRONG] * 5
    second = [RIGHT] * 7 + [WRONG] + [RIGHT] * 3 + [WRONG] + [OTHER] * 4
    table = build(make_votes, [first, second], [[RIGHT] * 16, [WRONG] * 16])
    return calibrate(table, TRUTH, tests=["test-0", "test-1"], resampling=QUICK)


def test_detection_and_false_alarms_are_shares_of_what_should_and_should_not_be_found(
    calibration: Calibration,
) -> None:
    both = find(calibration, "test-0", 2)
    assert both.planted is not None
    assert both.clean is not None
    assert (both.planted.n, both.planted.n_found, both.planted.rate) == (8, 7, 7 / 8)
    assert (both.clean.n, both.clean.n_found, both.clean.rate) == (8, 3, 3 / 8)
    assert both.youden == 7 / 8 - 3 / 8
    one = find(calibration, "test-0", 1)
    assert one.planted is not None
    assert one.clean is not None
    assert (one.planted.rate, one.clean.rate) == (1, 3 / 8)


def test_luck_is_the_exact_chance_of_so_many(calibration: Calibration) -> None:
    both = find(calibration, "test-0", 2)
    assert both.clean is not None
    # The models agree on 4 samples, on each with the target in one case of four: 3 hits or 4.
    assert both.clean.null == pytest.approx(4 / 8 / 4)
    assert both.clean.p_value == pytest.approx(13 / 256)
    assert both.leaks is False
    assert both.p_leak is not None
    assert both.p_leak > 13 / 256


def test_a_test_that_nothing_was_planted_for_has_only_false_alarms(
    calibration: Calibration,
) -> None:
    row = find(calibration, "test-1", 2)
    assert row.planted is None
    assert row.clean is not None
    assert (row.clean.n, row.clean.rate) == (16, 0)
    assert (row.youden, row.is_powered, row.is_best) == (None, None, False)


def test_the_union_should_find_what_any_test_should(calibration: Calibration) -> None:
    row = find(calibration, UNION, 2)
    assert row.planted is not None
    assert row.clean is not None
    assert (row.planted.n_found, row.clean.n_found) == (7, 3)
    # At 1 the second test has every sample; at 2 it has none.
    lone = find(calibration, UNION, 1)
    assert lone.clean is not None
    assert lone.clean.rate == 1
    assert calibration.threshold == 2


def test_powered_is_what_finds_beyond_guessing(make_votes: MakeVotes) -> None:
    blank = [[WRONG] * 16, [OTHER] * 16]
    knows = [[RIGHT] * 8 + [WRONG] * 8, [RIGHT] * 8 + [OTHER] * 8]
    powered = calibrate(build(make_votes, knows), TRUTH, tests=["test-0"], resampling=QUICK)
    assert find(powered, "test-0", 2).is_powered is True
    assert find(powered, "test-0", 2).youden == 1
    powerless = calibrate(build(make_votes, blank), TRUTH, tests=["test-0"], resampling=QUICK)
    assert find(powerless, "test-0", 2).is_powered is False
    assert powerless.leaking == powered.leaking == ()


def test_what_is_found_among_the_native_beyond_luck_leaks(make_votes: MakeVotes) -> None:
    leaky = [[RIGHT] * 16, [RIGHT] * 16]
    calibration = calibrate(build(make_votes, leaky), TRUTH, tests=["test-0"], resampling=QUICK)
    row = find(calibration, "test-0", 2)
    assert row.clean is not None
    assert row.clean.p_value == pytest.approx(0.25**8)
    assert row in calibration.leaking


def test_most_false_alarms_are_of_the_kind_with_the_largest_number_beyond_luck(
    make_votes: MakeVotes,
) -> None:
    # Of the many half are found, of the few all: 4 of 8 and 1 of 1, by luck 1 and 0.25. What is
    # found of the broken does not count.
    truth = key_truth(
        *[plant("told", "test-0")] * 2,
        *[plant("many")] * 8,
        plant("few"),
        *[plant("broken", is_defective=True)] * 9,
    )
    picks = [[RIGHT] * 2 + [RIGHT] * 4 + [WRONG] * 4 + [RIGHT] * 10] * 2
    calibration = calibrate(build(make_votes, picks), truth, tests=["test-0"], resampling=QUICK)
    assert find(calibration, "test-0", 2).worst_kind == "many"
    assert find(calibration, UNION, 2).worst_kind == "many"


def test_equal_thresholds_give_the_higher(make_votes: MakeVotes) -> None:
    knows = [[RIGHT] * 8 + [WRONG] * 8] * 3
    calibration = calibrate(build(make_votes, knows), TRUTH, tests=["test-0"], resampling=QUICK)
    assert [row.is_best for row in calibration.detectors if row.detector == "test-0"] == [
        False, False, True,
    ]  # fmt: skip


def test_no_threshold_is_best_that_tells_nothing_apart(make_votes: MakeVotes) -> None:
    # One more of the planted than of the native: that can be luck.
    alike = [[RIGHT] * 4 + [WRONG] * 4 + [RIGHT] * 3 + [WRONG] * 5] * 2
    calibration = calibrate(build(make_votes, alike), TRUTH, tests=["test-0"], resampling=QUICK)
    row = find(calibration, UNION, 2)
    assert row.youden == 1 / 8
    assert row.youden_low is not None
    assert row.youden_low < 0
    assert calibration.threshold is None
    assert [each.is_chosen for each in calibration.detectors if each.detector == UNION] == [
        False, True,
    ]  # fmt: skip


def test_a_failed_answer_leaves_a_sample_out(make_votes: MakeVotes) -> None:
    picks = [[RIGHT] * 7 + [FAILED] + [WRONG] * 8] * 2
    calibration = calibrate(build(make_votes, picks), TRUTH, tests=["test-0"], resampling=QUICK)
    row = find(calibration, "test-0", 2)
    assert row.planted is not None
    assert (row.planted.n, row.planted.n_known, row.planted.rate) == (8, 7, 1)


def test_defective_samples_say_nothing_of_tests(make_votes: MakeVotes) -> None:
    truth = dict(TRUTH) | key_truth(*[plant("broken", "test-0", is_defective=True)] * 4)
    picks = [[WRONG] * 4 + [RIGHT] * 4 + [WRONG] * 8] * 2
    calibration = calibrate(build(make_votes, picks), truth, tests=["test-0"], resampling=QUICK)
    row = find(calibration, "test-0", 2)
    assert row.planted is not None
    assert (row.planted.n, row.planted.rate) == (4, 1)
    (broken,) = [
        each for each in calibration.findings if each.kind == "broken" and each.threshold == 2
        if each.detector == "test-0"
    ]  # fmt: skip
    assert (broken.n, broken.n_found, broken.should_find) == (4, 0, True)


def test_what_a_test_may_solve_counts_for_nothing(make_votes: MakeVotes) -> None:
    truth = dict(TRUTH) | key_truth(*[plant("drawn", may_solve=frozenset({"test-0"}))] * 4)
    picks = [[RIGHT] * 8 + [WRONG] * 8] * 2
    calibration = calibrate(build(make_votes, picks), truth, tests=["test-0"], resampling=QUICK)
    for detector in ("test-0", UNION):
        row = find(calibration, detector, 2)
        assert row.planted is not None
        assert row.clean is not None
        assert (row.planted.n, row.clean.n) == (4, 8)
    assert not [row for row in calibration.findings if row.kind == "drawn"]


def test_what_the_wording_gives_away_is_no_power_of_another_test(make_votes: MakeVotes) -> None:
    truth = dict(TRUTH) | key_truth(*[plant("worded", "blind", "test-0")] * 4)
    picks = [[RIGHT] * 4 + [WRONG] * 12, [RIGHT] * 4 + [OTHER] * 12]
    calibration = calibrate(build(make_votes, picks), truth, tests=["test-0"], resampling=QUICK)
    own, union = find(calibration, "test-0", 2).planted, find(calibration, UNION, 2).planted
    assert own is not None
    assert union is not None
    assert (own.n, own.n_found) == (4, 0)
    assert (union.n, union.n_found) == (8, 4)


def test_kinds_and_variants_are_counted_apart(make_votes: MakeVotes) -> None:
    truth = key_truth(
        *[plant("told", "test-0", variant="loud")] * 4,
        *[plant("told", "test-0", variant="low")] * 4,
        *[plant("native")] * 8,
    )
    picks = [[RIGHT] * 4 + [WRONG] * 12]
    calibration = calibrate(build(make_votes, picks), truth, tests=["test-0"], resampling=QUICK)
    found = {
        (row.kind, row.variant): (row.n_found, row.n)
        for row in calibration.findings
        if row.detector == "test-0"
    }
    assert found == {
        ("native", ""): (0, 8),
        ("told", ""): (4, 8),
        ("told", "loud"): (4, 4),
        ("told", "low"): (0, 4),
    }


def test_samples_of_one_video_count_as_one_for_the_interval(make_votes: MakeVotes) -> None:
    picks = np.array([[[RIGHT] * 8 + [WRONG] * 8]])

    def interval(videos: list[str]) -> float:
        table = make_votes(picks, np.zeros(16, int), video=videos)
        row = find(calibrate(table, TRUTH, tests=["test-0"], resampling=QUICK), "test-0", 1)
        assert row.planted is not None
        assert row.planted.rate_low is not None
        return row.planted.rate_low

    # The exact bound for g clusters that all agree is the 2.5th percentile of Beta(g, 1).
    assert interval([f"v{n}" for n in range(16)]) == pytest.approx(0.025 ** (1 / 8), abs=0.02)
    assert interval([f"v{n // 4}" for n in range(16)]) == pytest.approx(0.025**0.5, abs=0.02)


def test_models_are_read_kind_by_kind(calibration: Calibration) -> None:
    read = {
        (row.task, row.model): row.accuracy
        for row in calibration.accuracy
        if row.diagnostic == "test-0"
    }
    assert read == {
        ("told", "model-0"): 1,
        ("told", "model-1"): 7 / 8,
        ("native", "model-0"): 3 / 8,
        ("native", "model-1"): 3 / 8,
    }


CHUNKED: Mapping[str, Planted] = {
    "told": plant("told", "blind", flagged_by=("redundancy",)),
    "steady": plant("native"),
    "sound": plant("native"),
}


def chunk_rows(sample: str, model: str, picks: list[int]) -> list[dict[str, Any]]:
    return [
        {
            "sample_id": sample,
            "diagnostic": "chunk",
            "part": part,
            "model": model,
            "prediction": pick,
            "correct": pick == RIGHT,
        }
        for part, pick in enumerate(picks)
    ]


def test_redundancy_by_luck_is_what_models_pick_on_every_chunk(make_table: MakeTable) -> None:
    # Two models pick another choice each on every chunk of one sample: two of its four choices
    # would make it redundant. On another, one model is steady.
    rows = [
        *chunk_rows("told", "one", [RIGHT] * 3),
        *chunk_rows("told", "two", [WRONG] * 3),
        *chunk_rows("steady", "one", [WRONG] * 3),
        *chunk_rows("steady", "two", [RIGHT, WRONG, RIGHT]),
        *chunk_rows("sound", "one", [RIGHT, WRONG, RIGHT]),
        *chunk_rows("sound", "two", [OTHER, WRONG, RIGHT]),
    ]
    rows += [
        {
            "sample_id": sample,
            "diagnostic": "blind",
            "model": model,
            "prediction": WRONG,
            "correct": False,
        }
        for sample in CHUNKED
        for model in ("one", "two")
    ]
    truth = {("bench", sample): planted for sample, planted in CHUNKED.items()}
    calibration = calibrate(make_table(rows), truth, tests=["blind"], resampling=QUICK)
    row = find(calibration, "redundancy")
    assert row.is_check
    assert row.planted is not None
    assert row.clean is not None
    assert (row.planted.n_found, row.planted.n, row.planted.null) == (1, 1, 0.5)
    assert (row.clean.n_found, row.clean.n, row.clean.null) == (0, 2, 0.125)


def test_sensitivity_is_read_at_the_threshold_to_choose(make_table: MakeTable) -> None:
    # Of three models the third never answers, so that two of them tell best what was planted.
    rows = [
        {
            "sample_id": f"s{number:05}",
            "diagnostic": diagnostic,
            "model": model,
            "prediction": pick,
            "correct": pick == RIGHT,
        }
        for diagnostic in ("shuffle", "blind")
        for model, pick_of_planted in (("one", RIGHT), ("two", RIGHT), ("three", OTHER))
        for number in range(16)
        for pick in [pick_of_planted if number < 8 and diagnostic == "shuffle" else WRONG]
    ]
    truth = key_truth(
        *[plant("seen", "shuffle", flagged_by=("sensitivity",))] * 8, *[plant("native")] * 8
    )
    calibration = calibrate(make_table(rows), truth, tests=["blind", "shuffle"], resampling=QUICK)
    assert calibration.threshold == 2
    row = find(calibration, "sensitivity")
    assert row.planted is not None
    assert row.clean is not None
    assert (row.planted.rate, row.clean.rate) == (1, 0)


@pytest.mark.parametrize(("is_strict", "n_found"), [(False, 8), (True, 0)])
def test_consistency_is_read_as_the_audit_reads_it(
    make_table: MakeTable, is_strict: bool, n_found: int
) -> None:
    # Two of four models agree on each of the planted: no majority, and yet not all differ.
    rows = [
        {
            "sample_id": f"s{number:05}",
            "diagnostic": diagnostic,
            "model": f"model-{model}",
            "prediction": pick,
            "correct": pick == RIGHT,
        }
        for diagnostic in ("standard", "blind")
        for number in range(16)
        for model, pick in enumerate([RIGHT, RIGHT, WRONG, OTHER] if number < 8 else [RIGHT] * 4)
    ]
    truth = key_truth(
        *[plant("broken", is_defective=True, flagged_by=("consistency",))] * 8,
        *[plant("native")] * 8,
    )
    calibration = calibrate(
        make_table(rows),
        truth,
        tests=["blind"],
        strict_consistency=is_strict,
        resampling=QUICK,
    )
    row = find(calibration, "consistency")
    assert row.planted is not None
    assert (row.planted.n_found, row.planted.n) == (n_found, 8)


def test_a_sample_without_truth_is_an_error(make_votes: MakeVotes) -> None:
    truth = key_truth(plant("native"))
    with pytest.raises(SchemaError, match="'s00001': nothing is known"):
        calibrate(build(make_votes, [[RIGHT, RIGHT]]), truth, tests=["test-0"])


@pytest.mark.parametrize(("found", "alarmed"), [(RIGHT, WRONG), (RIGHT, RIGHT), (WRONG, WRONG)])
def test_rates_of_all_or_none_spread_apart_from_each_other(
    make_votes: MakeVotes, found: int, alarmed: int
) -> None:
    # Two videos on either side, all alike: the chance x that one differs has density 2 (1 - x), so
    # the sum or difference of two such is within these bounds in 95 of 100 cases.
    picks = np.array([[[found] * 8 + [alarmed] * 8]])
    table = make_votes(picks, np.zeros(16, int), video=[f"v{number // 4}" for number in range(16)])
    calibration = calibrate(table, TRUTH, tests=["test-0"], resampling=Resampling(n_resamples=4000))
    row = find(calibration, "test-0", 1)
    draws = np.random.default_rng(5).beta(1, 2, (2, 200_000))
    expected = (
        (np.quantile(1 - draws.sum(axis=0), 0.025), 1)
        if found != alarmed
        else np.quantile(draws[0] - draws[1], [0.025, 0.975])
    )
    assert (row.youden_low, row.youden_high) == pytest.approx(tuple(expected), abs=0.03)
