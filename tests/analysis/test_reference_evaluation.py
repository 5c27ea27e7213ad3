"""Tables 7 to 11, S3 and S17 of arXiv 2603.29616 through our evaluation and its report.

Long tables are made from the published percentages and sizes, evaluated, and written; what our
tables then say is compared with what is printed. Overall columns are recomputed from the sizes of
the categories (Table S11), and figures that do not follow are pointed out by name.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.evaluation import Grouping, SetFindings, evaluate_set
from video_oasis.analysis.frames import read_rows
from video_oasis.analysis.gap import GapRow, measure_gap
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.reproduction import OfficialScore, compare_with_official
from video_oasis.report.evaluation.document import (
    Contender,
    EvaluationReport,
    ModelFacts,
    Reasoning,
    SetRecord,
)
from video_oasis.report.evaluation.sentences import write_verdict
from video_oasis.report.evaluation.tables import make_tables
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_table
from video_oasis.report.tables.table import Table

Tables = dict[str, Any]
MakeScores = Callable[..., pl.DataFrame]
Percents = Mapping[str, Sequence[float]]
"""Percent right of each category, by model."""
Evaluate = Callable[..., EvaluationReport]

ROUNDING = 0.1
ONCE = Resampling(n_resamples=1)
CATEGORIES = ["Fine", "Spatial", "Temporal", "Causal", "Global"]


def make_answers(sizes: Mapping[str, int], rights: Mapping[str, Any]) -> pl.DataFrame:
    """Build a long table of one benchmark from which samples each model gets right.

    Args:
        sizes: samples of each category, one after the other; ids start with their category's name.
        rights: for each model a Boolean array over all samples.
    """
    names = [f"{category}-{n:05}" for category, size in sizes.items() for n in range(size)]
    schema = {"benchmark": pl.String, "sample_id": pl.String}
    return pl.concat(
        pl.DataFrame({"benchmark": "oasis", "sample_id": names}, schema=schema).with_columns(
            video=pl.col("sample_id"),
            task=pl.lit("task"),
            diagnostic=pl.lit("standard"),
            part=pl.lit(0, pl.Int32),
            rotation=pl.lit(0, pl.Int32),
            model=pl.lit(model),
            draw=pl.lit(0, pl.Int32),
            request=pl.lit("request"),
            status=pl.lit("ok"),
            reason=pl.lit(""),
            prediction=pl.Series(np.where(right, 0, 1), dtype=pl.Int32),
            correct=pl.Series(right),
            target_probability=pl.lit(None, pl.Float64),
            n_choices=pl.lit(4, pl.Int32),
        )
        for model, right in rights.items()
    )


def mark_right(sizes: Mapping[str, int], percents: Sequence[float], *, skip: int = 0) -> Any:
    """Mark so many percent of each category as right, beginning after the first ``skip``."""
    marks = []
    for size, percent in zip(sizes.values(), percents, strict=True):
        of_category = np.zeros(size, np.bool_)
        of_category[skip : skip + round(size * percent / 100)] = True
        marks.append(of_category)
    return np.concatenate(marks)


def sort_by_category(sizes: Mapping[str, int]) -> Grouping:
    return Grouping(
        "category",
        tuple(sizes),
        {("oasis", f"{name}-{n:05}"): name for name, size in sizes.items() for n in range(size)},
    )


def make_report(
    findings: Sequence[SetFindings],
    models: Sequence[str],
    *,
    facts: Mapping[str, ModelFacts] | None = None,
    gaps: Mapping[str, tuple[GapRow, ...]] | None = None,
    official: Sequence[OfficialScore] = (),
    main_grouping: str = "category",
) -> EvaluationReport:
    return EvaluationReport(
        version="0",
        n_resamples=1,
        contenders=tuple(
            Contender(
                label=model,
                model=model,
                diagnostic="standard",
                max_frames=128,
                n_requests=1,
                n_frames=128,
                ids=(model,),
                description={},
                protocol={"n_draws": 1, "n_rotations": 1},
                runs=("run",),
            )
            for model in models
        ),
        facts=facts or {},
        sets=tuple(
            SetRecord(
                name=each.name,
                id=f"set1-{each.name}",
                source="paper",
                n_samples=each.whole.n_samples,
                n_absent=0,
                n_corrected=0,
                benchmarks={},
                voters=(),
                is_dropped=False,
            )
            for each in findings
        ),
        findings=tuple(findings),
        groupings=(main_grouping,) if main_grouping else (),
        main_grouping=main_grouping,
        gaps=gaps or {},
        reproduction=compare_with_official(findings[0].whole.accuracy, official),
    )


def find(report: EvaluationReport, name: str) -> Table:
    (table,) = [table for table in make_tables(report) if table.name == name]
    markdown, latex = write_table(table), write_latex(table)
    assert sum(line.startswith("| ") for line in markdown.splitlines()) == len(table.rows) + 2
    assert latex.count(r" \\") == len(table.rows) + 1
    return table


def read_number(cell: str) -> float:
    return float(cell.partition(" ")[0])


def read_table(table: Table) -> dict[str, list[str]]:
    return {row[0]: list(row[1:]) for row in table.rows}


@pytest.fixture(scope="module")
def category_sizes(published: Tables) -> dict[str, int]:
    counts = published["S11_stats"]["categories"].values()
    return dict(zip(CATEGORIES, [n for n, _ in counts], strict=True))


def rows_of(table: Mapping[str, Any]) -> dict[str, list[float]]:
    return {name: row for name, row in table.items() if name != "cols" and isinstance(row, list)}


def evaluate_categories(
    sizes: Mapping[str, int], rights: Mapping[str, Any], **options: Any
) -> SetFindings:
    return evaluate_set(
        "distilled",
        make_answers(sizes, rights),
        groupings=[sort_by_category(sizes)],
        resampling=ONCE,
        **options,
    )


# Overall figures that do not follow from the categories, and what would.
LEADERBOARDS = [
    (
        "T7_leaderboard",
        {
            "Gemini-2.5-Pro": 48.2,
            "Qwen3-VL-8B-inst": 33.9,
            "Qwen3-VL-8B-think": 34.7,
            "InternVL-3.5-8B": 33.8,
            "Video-R1-7B": 26.5,
            "VideoAuto-R1-8B": 36.95,
        },
    ),
    ("T8_grounding_AKS16", {}),
]


@pytest.mark.parametrize(("name", "contradictions"), LEADERBOARDS)
def test_tables_of_categories_come_out_as_printed(
    published: Tables,
    category_sizes: dict[str, int],
    name: str,
    contradictions: dict[str, float],
) -> None:
    printed = rows_of(published[name])
    rights = {model: mark_right(category_sizes, row[:5]) for model, row in printed.items()}
    report = make_report([evaluate_categories(category_sizes, rights)], list(printed))
    table = find(report, "by_category_distilled")
    assert table.head == ("model", *CATEGORIES, "overall")
    cells = read_table(table)
    assert cells["samples"] == ["1,107", "1,789", "5,631", "1,414", "1,092", "11,033"]
    for model, row in printed.items():
        assert [read_number(cell) for cell in cells[model][:5]] == pytest.approx(
            row[:5], abs=ROUNDING / 2 + 1e-6
        )
    computed = {
        row.model: 100 * row.accuracy
        for row in report.findings[0].whole.accuracy
        if row.level == "pooled" and row.accuracy is not None
    }
    assert {model: cells[model][5].partition(" ")[0] for model in printed} == {
        model: f"{computed[model]:.1f}" for model in printed
    }
    differing = {
        model: value
        for model, value in computed.items()
        if abs(value - printed[model][5]) > ROUNDING
    }
    assert differing == pytest.approx(contradictions, abs=0.05)
    # The best by its categories stands first, whatever total is printed.
    assert table.rows[0][0] == max(printed, key=lambda model: read_number(cells[model][5]))


def test_the_one_total_that_is_far_off_is_gemini(
    published: Tables, category_sizes: dict[str, int]
) -> None:
    printed = rows_of(published["T7_leaderboard"])
    rights = {model: mark_right(category_sizes, row[:5]) for model, row in printed.items()}
    report = make_report([evaluate_categories(category_sizes, rights)], list(printed))
    cells = read_table(find(report, "by_category_distilled"))
    off = {
        model: (row[5], read_number(cells[model][5]))
        for model, row in printed.items()
        if abs(read_number(cells[model][5]) - row[5]) > 0.25
    }
    assert off == {"Gemini-2.5-Pro": (46.7, 48.2)}
    assert write_verdict(report)[0].startswith("Best on distilled: Gemini-2.5-Pro with 48.2")


def test_grounding_is_a_pair_of_models(published: Tables, category_sizes: dict[str, int]) -> None:
    printed = rows_of(published["T8_grounding_AKS16"])
    rights = {model: mark_right(category_sizes, row[:5]) for model, row in printed.items()}
    models = ("Eagle2.5", "Qwen3-VL-Inst")
    views = [(f"{model}+TG", model) for model in models]
    report = make_report([evaluate_categories(category_sizes, rights, views=views)], list(printed))
    table = find(report, "views_distilled")
    assert table.head == ("model", "line", *CATEGORIES, "overall")
    lines = {(row[0], row[1]): [read_number(cell) for cell in row[2:]] for row in table.rows[:3]}
    lines |= {(row[0], row[1]): [read_number(cell) for cell in row[2:]] for row in table.rows[6:9]}
    for model in models:
        grounded = f"{model}+TG"
        for shown in (model, grounded):
            assert lines[grounded, shown] == pytest.approx(printed[shown], abs=ROUNDING)
        gains = [
            after - before for after, before in zip(printed[grounded], printed[model], strict=True)
        ]
        assert lines[grounded, "difference"] == pytest.approx(gains, abs=2 * ROUNDING)


def test_oracle_grounding_helps_distilled_samples_more(published: Tables) -> None:
    # Sizes of categories are not printed, so the overall figures are taken as they are.
    table, prose = published["T9_oracle"], published["prose"]
    columns = {
        "distilled": (prose["n_oracle_distilled"], 5),
        "shortcuts": (prose["n_oracle_shortcut"], 6),
    }
    models = list(rows_of(table))
    findings = [
        evaluate_set(
            name,
            make_answers(
                {"all": n}, {model: mark_right({"all": n}, [table[model][k]]) for model in models}
            ),
            views=[("Eagle2.5+oracle", "Eagle2.5")],
            resampling=ONCE,
        )
        for name, (n, k) in columns.items()
    ]
    report = make_report(findings, models, main_grouping="")
    overview = find(report, "overview")
    assert overview.head[2:] == (
        "n, distilled", "accuracy, distilled", "chance, distilled",
        "n, shortcuts", "accuracy, shortcuts", "chance, shortcuts",
    )  # fmt: skip
    cells = read_table(overview)
    for model in models:
        assert (cells[model][1], cells[model][4]) == ("1,060", "1,885")
        assert read_number(cells[model][2]) == pytest.approx(table[model][5], abs=ROUNDING)
        assert read_number(cells[model][5]) == pytest.approx(table[model][6], abs=ROUNDING)
    gains = {name: read_number(find(report, f"views_{name}").rows[2][2]) for name in columns}
    assert gains == {
        "distilled": pytest.approx(15.8, abs=ROUNDING),
        "shortcuts": pytest.approx(2.8, abs=ROUNDING),
    }


def test_reasoning_modes_and_their_oracle(
    published: Tables, category_sizes: dict[str, int]
) -> None:
    printed = published["T10_reasoning"]
    union = printed["voting(oracle)"]
    rights = {model: mark_right(category_sizes, printed[model][:5]) for model in ("inst", "AutoR1")}
    # The second mode is laid so that the two together cover what the oracle's row says.
    thinking = []
    for size, first, second, both in zip(
        category_sizes.values(), printed["inst"], printed["think"], union, strict=False
    ):
        n_first, n_second, n_union = (round(size * each / 100) for each in (first, second, both))
        marks = np.zeros(size, np.bool_)
        marks[n_union - n_second : n_union] = True
        assert n_union >= max(n_first, n_second)
        thinking.append(marks)
    rights["think"] = np.concatenate(thinking)
    facts = {
        "inst": ModelFacts("inst", "Qwen3-VL-8B", Reasoning.DIRECT),
        "think": ModelFacts("think", "Qwen3-VL-8B", Reasoning.THINKING),
        "AutoR1": ModelFacts("AutoR1", "VideoAuto-R1-8B", Reasoning.ADAPTIVE),
    }
    findings = evaluate_categories(category_sizes, rights, modes=[("inst", "think")])
    report = make_report([findings], list(rights), facts=facts)
    table = find(report, "reasoning_distilled")
    assert table.head[3:] == (*CATEGORIES, "overall", "guessing", "covered", "corrected")
    rows = {row[2]: row for row in table.rows}
    for model in ("inst", "think", "AutoR1"):
        assert [float(cell) for cell in rows[model][3:8]] == pytest.approx(
            printed[model][:5], abs=ROUNDING / 2 + 1e-6
        )
    oracle = rows["inst / think"]
    assert oracle[1] == "oracle of direct and thinking"
    assert [float(cell) for cell in oracle[3:8]] == pytest.approx(union[:5], abs=ROUNDING)
    # This total does follow from its categories.
    assert read_number(oracle[8]) == pytest.approx(union[5], abs=ROUNDING)
    # 46.2 of two modes is less than two guessers' 43.75 suggests beside one model's 33.8.
    assert oracle[9] == "43.8"


def test_training_is_read_against_the_untrained_base(
    published: Tables, category_sizes: dict[str, int]
) -> None:
    printed = rows_of(published["T11_training"])
    rights = {model: mark_right(category_sizes, row[2:7]) for model, row in printed.items()}
    facts = {
        model: ModelFacts(
            model,
            "Eagle2.5" if model == "Eagle2.5" else "Qwen2.5-VL",
            rewards={"QA": bool(row[0]), "grounding": bool(row[1])},
        )
        for model, row in printed.items()
    }
    report = make_report([evaluate_categories(category_sizes, rights)], list(printed), facts=facts)
    table = find(report, "training_distilled")
    assert table.head[:5] == ("base", "model", "QA reward", "grounding reward", "n")
    rows = {row[1]: row for row in table.rows}
    for model, row in printed.items():
        assert rows[model][2:4] == tuple("yes" if each else "no" for each in row[:2])
        assert [float(cell) for cell in rows[model][5:10]] == pytest.approx(
            row[2:7], abs=ROUNDING / 2 + 1e-6
        )
        assert read_number(rows[model][10]) == pytest.approx(row[7], abs=2 * ROUNDING + 1e-6)
    change = table.head.index("change")
    assert rows["Qwen2.5-VL"][change] == rows["Eagle2.5"][change] == "–"
    assert read_number(rows["Video-R1"][change]) == pytest.approx(-2.7, abs=ROUNDING + 1e-6)
    assert read_number(rows["VideoAuto-R1(Qwen2.5)"][change]) == pytest.approx(3.6, abs=ROUNDING)


def test_s3_gaps_come_out_as_printed(published: Tables, make_scores: MakeScores) -> None:
    rows = {
        name: row for name, row in rows_of(published["S3_per_benchmark"]).items() if name != "Total"
    }
    kept = {name: int(row[0]) for name, row in rows.items()}
    sizes = {name: int(row[1]) for name, row in rows.items()}
    right = {name: round(sizes[name] * row[4] / 100) for name, row in rows.items()}
    right_kept = {name: round(kept[name] * row[3] / 100) for name, row in rows.items()}
    table = make_scores(sizes, {("standard", "Qwen2.5-VL-7B"): right})
    # Right ones come first: keep so many of them, and wrong ones for the rest.
    number = pl.col("sample_id").str.slice(1).cast(pl.Int64)
    n_right = pl.col("benchmark").replace_strict(right)
    is_kept = (
        pl.when("correct")
        .then(number < pl.col("benchmark").replace_strict(right_kept))
        .otherwise(
            number - n_right
            < pl.col("benchmark").replace_strict({n: kept[n] - right_kept[n] for n in kept})
        )
    )
    distilled = table.filter(is_kept)
    gaps = read_rows(GapRow, measure_gap(arrange(table), arrange(distilled), resampling=ONCE))
    findings = [
        evaluate_set(name, each, resampling=ONCE)
        for name, each in (("original", table), ("distilled", distilled))
    ]
    report = make_report(findings, ["Qwen2.5-VL-7B"], gaps={"distilled": gaps}, main_grouping="")
    written = read_table(find(report, "gap_distilled"))
    for name, row in rows_of(published["S3_per_benchmark"]).items():
        cells = written["all, pooled" if name == "Total" else name]
        assert (cells[1], cells[2]) == (f"{int(row[1]):,}", f"{int(row[0]):,}")
        assert 100 - float(cells[3]) == pytest.approx(row[2], abs=ROUNDING / 2 + 1e-6)
        assert read_number(cells[4]) == pytest.approx(row[4], abs=ROUNDING + 1e-6)
        assert read_number(cells[6]) == pytest.approx(row[3], abs=ROUNDING + 1e-6)
        assert read_number(cells[8]) == pytest.approx(row[5], abs=2 * ROUNDING + 1e-6)
    # Each benchmark counting the same, the gap is no 22 points.
    assert read_number(written["all, mean of 14 benchmarks"][8]) == pytest.approx(22.4, abs=0.2)


def test_s17_scores_that_no_choice_of_questions_explains(
    published: Tables, make_scores: MakeScores
) -> None:
    rows = rows_of(published["S17_reproduction"])
    sizes = {"LongVideoBench": 1337, "VideoMME": 2700}
    table = make_scores(
        sizes,
        {
            ("standard", model): {
                "LongVideoBench": round(1337 * row[1] / 100),
                "VideoMME": round(2700 * row[3] / 100),
            }
            for model, row in rows.items()
        },
    )
    official = [
        OfficialScore(model, benchmark, row[k] / 100, "Table S17")
        for model, row in rows.items()
        for benchmark, k in (("LongVideoBench", 0), ("VideoMME", 2))
        if row[k] is not None
    ]
    findings = evaluate_set("original", table, resampling=Resampling(n_resamples=400))
    report = make_report([findings], list(rows), official=official, main_grouping="")
    written = {(row[0], row[1]): row for row in find(report, "reproduction").rows}
    assert len(written) == len(official) == 16
    for (model, benchmark), row in written.items():
        ours = rows[model][1 if benchmark == "LongVideoBench" else 3]
        assert read_number(row[5]) == pytest.approx(ours, abs=ROUNDING)
    outside = {pair for pair, row in written.items() if row[7] == "no"}
    # Half-widths are about 2.6 points on LongVideoBench and 1.8 on VideoMME.
    assert outside == {
        ("VideoTree(GPT-5-mini)", "VideoMME"),
        ("STAR(GPT-5-mini)", "LongVideoBench"),
        ("Qwen3-VL-8B-Think", "VideoMME"),
        ("VideoAuto-R1-Qwen3-8B", "VideoMME"),
        ("InternVL-3.5-8B", "LongVideoBench"),
        ("InternVL-3.5-8B", "VideoMME"),
    }
