"""Figures of arXiv 2603.29616 and 2410.07752 that are arithmetic over others, by our functions.

Where a published figure does not follow from the others, the test says by name how it differs.
Published percentages are rounded to one decimal, so a mean of them is off by up to 0.05, and so is
the published mean: figures that differ by more than 0.1 contradict each other.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.accuracy import measure_accuracy
from video_oasis.analysis.ambiguity import count_ambiguous, find_ambiguous
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import measure_consensus
from video_oasis.analysis.contribution import measure_contribution
from video_oasis.analysis.dependence import measure_dependence
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.validity import measure_correlation, measure_difficulty_overlap

Tables = dict[str, Any]
MakeScores = Callable[..., pl.DataFrame]
MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]

ROUNDING = 0.1
ONCE = Resampling(n_resamples=1)
GROUPS = {
    **dict.fromkeys(["EgoSchema", "ImplicitQA", "VSI-Bench"], "Spatial"),
    **dict.fromkeys(["TVBench", "VCR-Bench", "RTV-Bench"], "Temporal"),
    **dict.fromkeys(["Video-Holmes", "MINERVA", "MMR-V"], "Reasoning"),
    **dict.fromkeys(["VideoMME", "MVBench", "LVBench", "LongVideoBench", "MLVU"], "General"),
}
CATEGORIES = ["Fine", "Spatial", "Temporal", "Causal", "Global"]


def rows_of(table: Mapping[str, Any]) -> dict[str, list[float]]:
    """The rows of figures of a published table, without its heads and notes."""
    return {
        name: row
        for name, row in table.items()
        if name not in ("cols", "Total", "not run") and isinstance(row, list)
    }


def average(
    make_scores: MakeScores,
    sizes: Mapping[str, int],
    percents: Mapping[str, Mapping[str, float]],
    *,
    level: str = "pooled",
) -> dict[str, float]:
    """Average percentages over sets of these sizes, by ``measure_accuracy``."""
    table = make_scores(
        sizes,
        {
            ("standard", column): {name: round(sizes[name] * p[name] / 100) for name in sizes}
            for column, p in percents.items()
        },
    )
    measured = measure_accuracy(arrange(table), resampling=ONCE).filter(pl.col("level") == level)
    return {
        model: 100 * accuracy
        for model, accuracy in measured.select("model", "accuracy").iter_rows()
    }


def find_contradictions(
    computed: Mapping[str, float], printed: Mapping[str, float]
) -> dict[str, float]:
    """What follows, where something else is printed that rounding does not explain."""
    assert computed.keys() == printed.keys()
    return {
        name: computed[name] for name in computed if abs(computed[name] - printed[name]) > ROUNDING
    }


@pytest.fixture(scope="module")
def benchmark_sizes(published: Tables) -> dict[str, int]:
    return {name: int(row[1]) for name, row in rows_of(published["S3_per_benchmark"]).items()}


@pytest.fixture(scope="module")
def category_sizes(published: Tables) -> dict[str, int]:
    counts = published["S11_stats"]["categories"].values()
    return dict(zip(CATEGORIES, [n for n, _ in counts], strict=True))


@pytest.fixture(scope="module")
def removal(published: Tables, make_scores: MakeScores) -> pl.DataFrame:
    """Table S3 through the consensus: one test, one model, right on what was removed."""
    rows = rows_of(published["S3_per_benchmark"])
    table = make_scores(
        {name: row[1] for name, row in rows.items()},
        {("removed", "audit"): {name: row[1] - row[0] for name, row in rows.items()}},
    )
    return measure_consensus(arrange(table), groups=GROUPS, resampling=ONCE).filter(
        pl.col("test") == "removed"
    )


def test_s3_shares_removed(published: Tables, removal: pl.DataFrame) -> None:
    shares = {
        row["benchmark"] or "Total": 100 * row["observed"]
        for row in removal.iter_rows(named=True)
        if row["level"] in ("benchmark", "pooled")
    }
    assert len(shares) == 15
    for name, share in shares.items():
        assert round(share, 1) == pytest.approx(published["S3_per_benchmark"][name][2], abs=1e-9)
    total = removal.row(by_predicate=pl.col("level") == "pooled", named=True)
    assert total["n"] == published["prose"]["n_total"] == 24_416
    assert total["n"] - total["n_shortcuts"] == published["prose"]["n_distilled"] == 11_033
    assert round(100 * total["observed"]) == published["prose"]["shortcut_share_pct"] == 55


def test_s3_accuracies_and_gaps(
    published: Tables, make_scores: MakeScores, benchmark_sizes: dict[str, int]
) -> None:
    table = published["S3_per_benchmark"]
    rows = rows_of(table)
    kept = {name: int(row[0]) for name, row in rows.items()}
    remaining = average(make_scores, kept, {"m": {name: row[3] for name, row in rows.items()}})
    original = average(
        make_scores, benchmark_sizes, {"m": {name: row[4] for name, row in rows.items()}}
    )
    assert remaining["m"] == pytest.approx(table["Total"][3], abs=ROUNDING)
    assert original["m"] == pytest.approx(table["Total"][4], abs=ROUNDING)
    for name in [*rows, "Total"]:
        assert table[name][4] - table[name][3] == pytest.approx(table[name][5], abs=ROUNDING)
    # The same model and samples elsewhere.
    assert table["Total"][3] == published["T7_leaderboard"]["Qwen2.5-VL-7B"][5]
    assert table["VideoMME"][4] == published["S17_reproduction"]["Qwen2.5-VL-7B"][3]
    assert table["LongVideoBench"][4] == published["S17_reproduction"]["Qwen2.5-VL-7B"][1]


# Table, its line in Table 2, and what its totals are that do not follow from its benchmarks.
ACCURACY_TABLES = [
    ("S4_blind", "blind", {"Qwen2.5-VL": 34.0, "Random": 25.7}),
    ("S6_summary", "summary", {"Random": 25.7}),
    ("S7_center", "center", {"Random": 25.75}),
    ("S8_shuffle", "shuffle", {"Random": 25.75}),
    ("S9_bof", "bof", {"Random": 25.75}),
]


@pytest.mark.parametrize(("name", "line", "contradictions"), ACCURACY_TABLES)
def test_t2_is_the_pooled_total_of_s4_to_s9(
    published: Tables,
    make_scores: MakeScores,
    benchmark_sizes: dict[str, int],
    name: str,
    line: str,
    contradictions: dict[str, float],
) -> None:
    table = published[name]
    columns = {
        column: {benchmark: row[k] for benchmark, row in rows_of(table).items()}
        for k, column in enumerate(table["cols"])
    }
    computed = average(make_scores, benchmark_sizes, columns)
    printed = dict(zip(table["cols"], table["Total"], strict=True))
    assert find_contradictions(computed, printed) == pytest.approx(contradictions, abs=0.05)
    # Nor is it the plain mean over benchmarks: chance would be 23.6.
    plain = average(make_scores, benchmark_sizes, columns, level="macro")
    assert plain["Random"] == pytest.approx(23.6, abs=ROUNDING)
    if name != "S9_bof":
        assert published["T2_aggregate"][line] | {"Random": 25.6} == printed


def test_s9_and_t2_swap_two_totals_that_the_benchmarks_cannot_tell_apart(
    published: Tables, make_scores: MakeScores, benchmark_sizes: dict[str, int]
) -> None:
    table = published["S9_bof"]
    printed = dict(zip(table["cols"], table["Total"], strict=True))
    other = published["T2_aggregate"]["bof"]
    assert (printed["Long-CLIP"], printed["EVA-CLIP"]) == (32.7, 32.8)
    assert (other["Long-CLIP"], other["EVA-CLIP"]) == (32.8, 32.7)
    assert other["CLIP"] == printed["CLIP"]
    columns = {
        column: {benchmark: row[k] for benchmark, row in rows_of(table).items()}
        for k, column in enumerate(table["cols"])
        if column in ("Long-CLIP", "EVA-CLIP")
    }
    computed = average(make_scores, benchmark_sizes, columns)
    assert {column: round(value, 1) for column, value in computed.items()} == {
        "Long-CLIP": 32.7,
        "EVA-CLIP": 32.7,
    }


def test_chance_of_two_benchmarks_differs_between_tables(published: Tables) -> None:
    chance = {
        name: {benchmark: row[3] for benchmark, row in rows_of(published[name]).items()}
        for name, _, _ in ACCURACY_TABLES
    }
    differing = {
        benchmark: {chance[name][benchmark] for name in chance}
        for benchmark in GROUPS
        if len({chance[name][benchmark] for name in chance}) > 1
    }
    assert differing == {"MVBench": {29.7, 30.3}, "TVBench": {33.7, 33.4}}


def test_audio_totals_are_not_over_whole_benchmarks(
    published: Tables, make_scores: MakeScores, benchmark_sizes: dict[str, int]
) -> None:
    # Clips without speech are left out, and how many remain is not published.
    table = published["S5_audio"]
    rows = rows_of(table)
    columns = {
        column: {benchmark: row[k] for benchmark, row in rows.items()}
        for k, column in enumerate(table["cols"])
    }
    sizes = {benchmark: benchmark_sizes[benchmark] for benchmark in rows}
    computed = average(make_scores, sizes, columns)
    printed = dict(zip(table["cols"], table["Total"], strict=True))
    follows = {
        "Eagle2.5": 43.9,
        "Qwen2.5-VL": 43.0,
        "Qwen3-VL": 42.2,
        "Random": 25.8,
    }
    assert find_contradictions(computed, printed) == pytest.approx(follows, abs=0.05)
    assert published["T2_aggregate"]["audio"] | {"Random": table["Total"][3]} == printed


@pytest.fixture(scope="module")
def group_ratios(
    published: Tables, make_scores: MakeScores, benchmark_sizes: dict[str, int]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Table 3 through the consensus, each group as one benchmark, each line as one test."""
    sizes = dict.fromkeys(published["T3_shortcut_ratio"]["cols"], 0)
    for benchmark, group in GROUPS.items():
        sizes[group] += benchmark_sizes[benchmark]
    table = make_scores(
        sizes,
        {
            (line, "audit"): {
                group: round(sizes[group] * share / 100)
                for group, share in zip(sizes, shares, strict=True)
            }
            for line, shares in rows_of(published["T3_shortcut_ratio"]).items()
        },
    )
    measured = measure_consensus(arrange(table), groups={}, resampling=ONCE)
    return {(row["level"], row["test"]): row for row in measured.iter_rows(named=True)}


def test_t3_pooled_is_the_union_and_t4_leads_from_it_to_s3(
    published: Tables,
    group_ratios: dict[tuple[str, str], dict[str, Any]],
    removal: pl.DataFrame,
) -> None:
    manual = published["T4_manual"]
    removed = removal.row(by_predicate=pl.col("level") == "pooled", named=True)["n_shortcuts"]
    restored = manual["Sensitivity"][1]
    defective = manual["Consistency"][1] + manual["Redundancy"][1]
    union = removed + restored - defective
    assert (removed, union) == (13_383, 13_777)
    # Four shares rounded to 0.1 % leave 12 of 24,416 samples open.
    assert group_ratios["pooled", "c=3"]["n_shortcuts"] == pytest.approx(union, abs=12)


def test_t3_average_of_the_prose_is_the_mean_of_groups_not_the_pool(
    published: Tables, group_ratios: dict[tuple[str, str], dict[str, Any]]
) -> None:
    printed = published["prose"]["any_test_c1_average_pct"]
    assert 100 * group_ratios["macro", "c>=1"]["observed"] == pytest.approx(printed, abs=ROUNDING)
    assert 100 * group_ratios["pooled", "c>=1"]["observed"] == pytest.approx(93.3, abs=ROUNDING)


def test_t3_groups_differ_from_s3_by_what_was_restored_and_removed_by_hand(
    group_ratios: dict[tuple[str, str], dict[str, Any]],
    published: Tables,
    removal: pl.DataFrame,
    benchmark_sizes: dict[str, int],
) -> None:
    # Pooled, three groups lose shortcuts by hand and one gains. Possible within the totals of
    # Table 4, but then two thirds of what was restored lies in the smallest group.
    after = {
        row["group"]: row["n_shortcuts"]
        for row in removal.iter_rows(named=True)
        if row["level"] == "group_pooled"
    }
    cols = published["T3_shortcut_ratio"]["cols"]
    sizes = {g: sum(n for b, n in benchmark_sizes.items() if GROUPS[b] == g) for g in cols}
    before = {
        group: sizes[group] * share / 100
        for group, share in zip(cols, published["T3_shortcut_ratio"]["c=3"], strict=True)
    }
    change = {group: after[group] - before[group] for group in cols}
    assert {group: round(value) for group, value in change.items()} == {
        "Spatial": -477,
        "Temporal": -9,
        "Reasoning": -51,
        "General": 144,
    }
    assert sum(before.values()) == pytest.approx(
        group_ratios["pooled", "c=3"]["n_shortcuts"], abs=2
    )
    # Read as plain means over the benchmarks of a group, every group loses alike.
    means = {
        row["group"]: 100 * row["observed"]
        for row in removal.iter_rows(named=True)
        if row["level"] == "group_macro"
    }
    lost = [
        share - means[group]
        for group, share in zip(cols, published["T3_shortcut_ratio"]["c=3"], strict=True)
    ]
    assert lost == pytest.approx([2.9, 2.7, 1.5, 2.7], abs=0.1)


def test_t5_totals_uniques_and_shares_fit_the_union(
    published: Tables, make_votes: MakeVotes
) -> None:
    # One of the many ways to lay the totals over the union: unique ones first, the rest in a round
    # over the samples that two tests or more share.
    tests = rows_of(published["T5_tests_c3"])
    n_union, n_samples = 13_777, 24_416
    n_unique = sum(int(unique) for _, unique in tests.values())
    n_shared = n_union - n_unique
    right = np.zeros((len(tests), 1, n_samples), bool)
    start, turn = 0, 0
    for number, (total, unique) in enumerate(tests.values()):
        right[number, 0, start : start + int(unique)] = True
        start += int(unique)
        others = int(total) - int(unique)
        right[number, 0, n_unique + (turn + np.arange(others)) % n_shared] = True
        turn += others
    assert (right.sum(axis=0)[0, n_unique:n_union] >= 2).all()

    table = make_votes(np.where(right, 0, 1), np.zeros(n_samples, int))
    measured = measure_contribution(arrange(table)).filter(pl.col("level") == "pooled")
    assert measured["n_union"].unique().to_list() == [n_union]
    assert measured["n_shortcuts"].to_list() == [total for total, _ in tests.values()]
    assert measured["n_unique"].to_list() == [unique for _, unique in tests.values()]
    assert (
        dict(zip(tests, measured["n_unique"], strict=True))["Frame Shuffling"]
        == (published["T4_manual"]["Sensitivity"][0])
    )

    share = dict(zip(tests, (100 * measured["share_of_unique"]).to_list(), strict=True))
    strong = share["Summary"] + share["Center-Frame"] + share["Frame Shuffling"]
    weak = share["Blind"] + share["Audio"] + share["Bag-of-Frames"]
    # Printed as 65 and 35: the one is cut, the other rounded up or made its complement.
    assert (round(strong, 1), round(weak, 1)) == (65.5, 34.5)
    prose = published["prose"]
    assert int(strong) == prose["unique_share_summary_center_shuffle_pct"] == 65
    assert 100 - int(strong) == prose["unique_share_blind_audio_bof_pct"] == 35
    # They are shares of all unique shortcuts, not of all shortcuts.
    of_union = dict(zip(tests, (100 * measured["unique_share_of_union"]).to_list(), strict=True))
    assert sum(of_union.values()) == pytest.approx(43.3, abs=ROUNDING)


def test_t6_average_is_the_plain_mean_of_its_cells(
    published: Tables, make_scores: MakeScores
) -> None:
    table = published["T6_correlation_rate"]
    sizes = dict.fromkeys(table["cols"], 1000)
    found = {(test, "finder"): {other: 1000 * (other == test) for other in sizes} for test in sizes}
    solved = {
        ("standard", model): {
            test: round(10 * rate) for test, rate in zip(sizes, rates, strict=True)
        }
        for model, rates in rows_of(table).items()
    }
    measured = measure_correlation(
        arrange(make_scores(sizes, found | solved)),
        tests=table["cols"],
        validators=rows_of(table),
        resampling=ONCE,
    ).filter(pl.col("level") == "pooled")
    for row in measured.filter(pl.col("test") != "any").iter_rows(named=True):
        printed = table[row["model"]][table["cols"].index(row["test"])]
        assert 100 * row["rate"] == pytest.approx(printed)
    mean = measured.filter(pl.col("test") != "any").select(pl.col("rate").mean()).item()
    assert round(100 * mean) == published["prose"]["correlation_rate_average_pct"] == 76
    # Weighted by the shortcuts of each test it would be 77.
    totals = {
        "Blind": published["T5_tests_c3"]["Blind"][0],
        "Audio": published["T5_tests_c3"]["Audio"][0],
        "Summary": published["T5_tests_c3"]["Summary"][0],
        "Center": published["T5_tests_c3"]["Center-Frame"][0],
        "BoF": published["T5_tests_c3"]["Bag-of-Frames"][0],
        "Shuffle": published["T5_tests_c3"]["Frame Shuffling"][0],
    }
    columns = {
        model: dict(zip(table["cols"], rates, strict=True))
        for model, rates in rows_of(table).items()
    }
    weighted = average(make_scores, totals, columns)
    assert round(sum(weighted.values()) / 3) == 77


# Overall figures of models that do not follow from their categories, and what would.
CATEGORY_TABLES = [
    (
        "T7_leaderboard",
        0,
        {
            "Gemini-2.5-Pro": 48.2,
            "Qwen3-VL-8B-inst": 33.9,
            "Qwen3-VL-8B-think": 34.7,
            "InternVL-3.5-8B": 33.8,
            "Video-R1-7B": 26.5,
            "VideoAuto-R1-8B": 36.95,
        },
    ),
    ("T8_grounding_AKS16", 0, {}),
    (
        "T10_reasoning",
        0,
        {
            "inst": 33.9,
            "think": 34.7,
            "AutoR1": 36.95,
            "Gemini-2.5-Pro": 48.2,
        },
    ),
    (
        "T11_training",
        2,
        {"Video-R1": 26.5, "VideoAuto-R1(Qwen2.5)": 32.8},
    ),
]


@pytest.mark.parametrize(("name", "first", "contradictions"), CATEGORY_TABLES)
def test_overall_figures_are_pooled_over_categories(
    published: Tables,
    make_scores: MakeScores,
    category_sizes: dict[str, int],
    name: str,
    first: int,
    contradictions: dict[str, float],
) -> None:
    rows = rows_of(published[name])
    columns = {
        model: dict(zip(CATEGORIES, row[first : first + 5], strict=True))
        for model, row in rows.items()
    }
    computed = average(make_scores, category_sizes, columns)
    printed = {model: row[first + 5] for model, row in rows.items()}
    assert find_contradictions(computed, printed) == pytest.approx(contradictions, abs=0.05)


def test_answer_distribution_is_pooled_over_categories(
    published: Tables, make_scores: MakeScores, category_sizes: dict[str, int]
) -> None:
    table = published["S12_answer_dist"]
    columns = {
        letter: {category: table[category][k] for category in CATEGORIES}
        for k, letter in enumerate(table["cols"])
    }
    computed = average(make_scores, category_sizes, columns)
    printed = dict(zip(table["cols"], table["Overall"], strict=True))
    assert find_contradictions(computed, printed) == {}


def test_distilled_counts_agree_between_tables(
    published: Tables, category_sizes: dict[str, int]
) -> None:
    table = published["S13_bench_x_category"]
    counts = np.array(list(rows_of(table).values()))
    assert counts.sum(axis=0).tolist() == table["Total"]
    assert counts[:, :5].sum(axis=1).tolist() == counts[:, 5].tolist()
    assert dict(zip(CATEGORIES, table["Total"], strict=False)) == category_sizes
    for name, row in rows_of(table).items():
        assert row[5] == published["S3_per_benchmark"][name][0]
    for n, percent in published["S11_stats"]["categories"].values():
        assert 100 * n / published["prose"]["n_distilled"] == pytest.approx(percent, abs=0.05)
    videos = rows_of(published["S11_stats"]["duration_videos"])
    n_videos = published["prose"]["n_videos_distilled"]
    assert sum(n for n, _ in videos.values()) == n_videos == 4938
    for n, percent in videos.values():
        assert 100 * n / n_videos == pytest.approx(percent, abs=0.05)
    prose = published["prose"]
    assert prose["n_oracle_distilled"] + prose["n_oracle_shortcut"] == prose["n_oracle"]


# The sets of 6,609 and 11,033 samples would have so many in common under each definition.
OVERLAPS = [("share_of_first", 2948), ("share_of_second", 4921), ("jaccard", 5441)]


@pytest.mark.parametrize(("definition", "n_both"), OVERLAPS)
def test_difficulty_overlap_is_possible_in_size_under_every_definition(
    published: Tables, make_scores: MakeScores, definition: str, n_both: int
) -> None:
    prose = published["prose"]
    n_difficult, n_distilled = prose["difficulty_baseline_n"], prose["n_distilled"]
    n_shortcuts = prose["n_total"] - n_distilled
    table = make_scores(
        {"distilled": n_distilled, "shortcut": n_shortcuts},
        {
            ("standard", "m"): {
                "distilled": n_distilled - n_both,
                "shortcut": n_shortcuts - (n_difficult - n_both),
            }
        },
    )
    grid = arrange(table)
    kept = grid.samples.select("benchmark", "sample_id", is_kept=pl.col("benchmark") == "distilled")
    row = measure_difficulty_overlap(grid, kept).row(
        by_predicate=pl.col("level") == "pooled", named=True
    )
    assert (row["n_first"], row["n_second"], row["n_both"]) == (6609, 11_033, n_both)
    assert round(100 * row[definition], 1) == prose["difficulty_overlap_pct"] == 44.6
    assert row["n_both_expected"] == pytest.approx(2986.4, abs=0.1)
    # As a share of the difficult samples the distilled set would have fewer of them than a set
    # drawn by lot, though every model misses more there: of the three the least likely meaning.
    assert (row["n_both"] < row["n_both_expected"]) == (definition == "share_of_first")


def test_five_models_cannot_all_differ_on_four_choices(
    published: Tables, make_table: MakeTable
) -> None:
    table = make_table(
        {
            "sample_id": f"s{number:04}",
            "diagnostic": "standard",
            "model": f"model-{model}",
            "prediction": pick,
            "correct": pick == 0,
            "n_choices": 4,
        }
        for number, picks in enumerate(product(range(4), repeat=5))
        for model, pick in enumerate(picks)
    )
    grid = arrange(table)
    flagged = [
        count_ambiguous(find_ambiguous(grid, table, strict=strict)).row(
            by_predicate=pl.col("level") == "pooled", named=True
        )
        for strict in (True, False)
    ]
    # Votes 2, 2, 1 come in 12 x 30 ways, votes 2, 1, 1, 1 in 4 x 60; the rest have a majority.
    assert [row["n_flagged"] for row in flagged] == [0, 600]
    assert [row["n_known"] for row in flagged] == [1024, 1024]
    assert published["T4_manual"]["Consistency"][0] == 666


def test_tvbench_average_is_the_plain_mean_over_tasks(
    published_tvbench: Tables, make_scores: MakeScores
) -> None:
    table = published_tvbench["T4"]
    tasks = table["cols"][2:]
    columns = {
        model: dict(zip(tasks, row[2:], strict=True)) for model, row in rows_of(table).items()
    }
    computed = average(make_scores, dict.fromkeys(tasks, 1000), columns, level="macro")
    printed = {model: row[1] for model, row in rows_of(table).items()}
    assert find_contradictions(computed, printed) == {}


def test_tvbench_reversal_brings_the_model_that_sees_order_below_chance(
    published_tvbench: Tables, make_scores: MakeScores
) -> None:
    table = published_tvbench["T4"]
    n = published_tvbench["tvbench_n_paper"]
    answers = make_scores(
        {"tvbench": n},
        {
            (diagnostic, model): {"tvbench": round(n * table[f"{model}|{published_as}"][1] / 100)}
            for model in ("Tarsier-34B", "VideoChat2")
            for diagnostic, published_as in (
                ("standard", "video"),
                ("reverse", "reverse"),
                ("shuffle", "shuffle"),
            )
        },
        n_choices=3,  # the mean chance of TVBench
    )
    measured = measure_dependence(arrange(answers)).filter(pl.col("level") == "pooled")
    rows = {(row["model"], row["other"]): row for row in measured.iter_rows(named=True)}
    assert rows.keys() == set(product(("Tarsier-34B", "VideoChat2"), ("reverse", "shuffle")))
    below = {pair for pair, row in rows.items() if row["is_below_chance"]}
    assert below == {("Tarsier-34B", "reverse")}
    assert 100 * rows["Tarsier-34B", "reverse"]["difference"] == pytest.approx(26.6, abs=ROUNDING)
