"""Tables of categories: hand-made ones, and those of arXiv 2603.29616, in every form."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from video_oasis.categorization.panels import Panel
from video_oasis.categorization.reporting import assign, make_report
from video_oasis.categorization.surviving import Members
from video_oasis.report.categories.document import CategoriesReport
from video_oasis.report.categories.files import write_categories, write_counts
from video_oasis.report.categories.tables import (
    benchmark_table,
    category_table,
    duration_table,
    make_tables,
    overlap_table,
    position_table,
)
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_table
from video_oasis.report.tables.table import Table
from video_oasis.schema import Sample, Status, Video
from video_oasis.taxonomy.agreement import PanelOverlap
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.taxonomy.counts import POSITIONS, CrossTable
from video_oasis.taxonomy.votes import AssignedSample, Outcome, Vote

TAXONOMY = Taxonomy((Category("X", "About X."), Category("Y", "About <Y> & more.")))
SAMPLES = {
    # id: benchmark, video, seconds, number of choices, target, votes of a, b, c and d
    "1": ("b1", "v1", 10.0, 4, 0, "XXXY"),
    "2": ("b1", "v1", 10.0, 4, 1, "XXYY"),
    "3": ("b1", "v2", 90.0, 5, 4, "YYYY"),
    "4": ("b2", "v1", None, 2, 1, "XY?X"),
    "5": ("b2", "v3", 700.0, 2, 0, "XY!Y"),
    "6": ("b2", "v4", 15.0, 4, 3, "Y?YY"),
}


def make_sample(name: str) -> Sample:
    benchmark, video, _, n_choices, target, _ = SAMPLES[name]
    choices = tuple(f"choice {number}" for number in range(n_choices))
    return Sample(name, benchmark, Video(video), "What?", choices, target, "task")


def cast(letters: str) -> tuple[Vote, ...]:
    unread = {"?": Status.UNPARSED, "!": Status.ERROR}
    return tuple(
        Vote(model, None, unread[letter], "why")
        if letter in unread
        else Vote(model, letter, Status.OK)
        for model, letter in zip("abcd", letters, strict=True)
    )


def make(
    decided: dict[tuple[str, str], str],
) -> tuple[tuple[AssignedSample, ...], CategoriesReport]:
    samples = {(SAMPLES[name][0], name): make_sample(name) for name in SAMPLES}
    votes = {key: cast(SAMPLES[key[1]][5]) for key in samples}
    durations = {key: seconds for key in samples if (seconds := SAMPLES[key[1]][2]) is not None}
    panel = Panel(("a", "b", "c"), 2, (("b", "c", "d"), ("d",)))
    assigned = assign(samples.values(), votes, panel, TAXONOMY, decided)
    report = make_report(
        assigned,
        samples,
        votes,
        panel,
        TAXONOMY,
        assignments=(),
        members=Members.KEPT,
        decided=decided,
        durations_seconds=durations,
    )
    return assigned, report


def rows_of(report: CategoriesReport, name: str) -> list[tuple[str, ...]]:
    (table,) = [table for table in make_tables(report) if table.name == name]
    return [table.head, *table.rows]


def test_hand_made_votes_become_these_assignments() -> None:
    assigned, report = make({("b2", "5"): "Y", ("b1", "1"): "gone", ("b9", "9"): "gone"})
    assert [(each.sample_id, each.category, each.outcome) for each in assigned] == [
        ("1", "X", Outcome.ACCEPTED),
        ("2", "X", Outcome.ACCEPTED),
        ("3", "Y", Outcome.ACCEPTED),
        ("4", None, Outcome.SPLIT),
        ("5", "Y", Outcome.DECIDED),
        ("6", "Y", Outcome.ACCEPTED),
    ]
    assert report.outcomes == {"accepted": 4, "decided": 1, "split": 1, "incomplete": 0}
    assert report.n_obsolete == 1  # of a sample that is none of these, nothing is said
    _, report = make({})
    assert report.outcomes == {"accepted": 4, "decided": 0, "split": 1, "incomplete": 1}


def test_hand_made_votes_give_these_tables() -> None:
    _, report = make({("b2", "5"): "Y"})
    assert rows_of(report, "categories") == [
        ("category", "samples", "share %"), ("X", "2", "40.0"), ("Y", "3", "60.0"),
        ("all", "5", "100.0"),
    ]  # fmt: skip
    assert rows_of(report, "category_by_benchmark") == [
        ("benchmark", "X", "Y", "all"), ("b1", "2", "1", "3"), ("b2", "0", "2", "2"),
        ("all", "2", "3", "5"),
    ]  # fmt: skip
    # Samples 1 and 2 are about one clip; 15 seconds are still the first group.
    assert rows_of(report, "category_by_duration") == [
        ("category", "up to 15 s", "15 s to 1 min", "1 to 10 min", "over 10 min", "all"),
        ("X", "2", "0", "0", "0", "2"),
        ("Y", "1", "0", "1", "1", "3"),
        ("all", "3", "0", "1", "1", "5"),
        ("clips", "2", "0", "1", "1", "4"),
        ("clips, %", "50.0", "0.0", "25.0", "25.0", "100.0"),
    ]
    # If even: of four choices a quarter each (three samples), of five a fifth, of two a half.
    assert rows_of(report, "category_by_answer_position") == [
        ("category", "samples", *POSITIONS),
        ("X", "2", "50.0", "50.0", "0.0", "0.0", "0.0"),
        ("Y", "3", "33.3", "0.0", "0.0", "33.3", "33.3"),
        ("all", "5", "40.0", "20.0", "0.0", "20.0", "20.0"),
        ("if even", "–", "29.0", "29.0", "19.0", "19.0", "4.0"),
    ]


def test_hand_made_votes_give_this_agreement() -> None:
    _, report = make({})
    assert report.agreement is not None
    # Pairs of a, b and c agree in samples 1 to 6: 1, 1/3, 1, 0, 0, 1; 7 of 15 votes are X.
    assert report.agreement.n_samples == 6
    assert report.agreement.same == pytest.approx(10 / 18)
    expected = (7 / 15) ** 2 + (8 / 15) ** 2
    assert report.agreement.kappa == pytest.approx((10 / 18 - expected) / (1 - expected))
    first, second = report.overlaps
    # b, c and d accept X, Y, Y, -, Y, Y; a, b and c accept X, X, Y, -, -, Y.
    assert (first.n_accepted, first.n_both, first.n_same, first.n_shared) == (5, 4, 3, 2)
    # d alone says Y, Y, Y, X, Y, Y.
    assert (second.threshold, second.n_both, second.n_same) == (1, 4, 2)
    assert rows_of(report, "votes")[1:] == [
        # Against the accepted X, X, Y and Y: a agrees in all four, b in its three, c in 1, 3, 6.
        ("a", "yes", "6", "0", "0", "0", "0", "100.0"),
        ("b", "yes", "5", "1", "0", "0", "0", "100.0"),
        ("c", "yes", "4", "1", "0", "1", "0", "75.0"),
        ("d", "no", "6", "0", "0", "0", "0", "50.0"),
    ]


def test_clips_of_unknown_length_have_a_column_of_their_own() -> None:
    _, report = make({("b2", "4"): "X"})
    assert rows_of(report, "category_by_duration")[1] == ("X", "2", "0", "0", "0", "1", "3")
    assert rows_of(report, "category_by_duration")[0][-2] == "unknown"


def test_every_form_is_written_and_holds_the_numbers(tmp_path: Path) -> None:
    _, report = make({("b2", "5"): "Y"})
    files = {file.relative_to(tmp_path).as_posix() for file in write_categories(report, tmp_path)}
    tables = {f"tables/{table.name}.tex" for table in make_tables(report)}
    assert tables < files
    page = (tmp_path / "categories.html").read_text()
    assert "About &lt;Y&gt; &amp; more." in page
    assert "<Y>" not in page
    card = (tmp_path / "README.md").read_text()
    assert card.startswith("---\ntags:")
    assert "| b1 | 2 | 1 | 3 |" in card
    assert "4 of 6 samples have a category that at least 2 of 3 models name." in card
    assert "1 sample for a person to decide" in card
    assert r"b1 & 2 & 1 & 3 \\" in (tmp_path / "tables/category_by_benchmark.tex").read_text()
    assert (tmp_path / "tables/category_by_benchmark.csv").read_text() == (
        "benchmark,X,Y\nb1,2,1\nb2,0,2\n"
    )
    with (tmp_path / "tables/panel_overlap.csv").open(newline="") as file:
        first = next(csv.DictReader(file))
    assert (first["models"], first["n_both"], first["same"]) == ("b c d", "4", "0.75")
    plain = json.loads((tmp_path / "categories.json").read_text())
    assert plain["by_benchmark"]["counts"] == [[2, 1], [0, 2]]


def test_a_run_without_any_category_has_a_report(tmp_path: Path) -> None:
    sample = make_sample("4")
    key = ("b2", "4")
    votes = {key: cast("XY!Y")[:2]}
    panel = Panel(("a", "b"), 2)
    assigned = assign([sample], votes, panel, TAXONOMY, {})
    report = make_report(
        assigned, {key: sample}, votes, panel, TAXONOMY,
        assignments=(), members=Members.ALL, decided={}, durations_seconds={},
    )  # fmt: skip
    write_categories(report, tmp_path)
    assert rows_of(report, "categories")[-1] == ("all", "0", "–")


Tables = dict[str, Any]
SHORT = {
    "Fine-Grained Perception": "Fine",
    "Spatial World Understanding": "Spatial",
    "Temporal Dynamics & Tracking": "Temporal",
    "Causality & Logical Reasoning": "Causal",
    "Global Narrative": "Global",
}


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Tables:
    file = shared_data.parent / "reference" / "video_oasis_tables.json"
    if not file.is_file():
        pytest.skip(f"{file} is absent: published figures are not part of the project")
    tables: Tables = json.loads(file.read_text())
    return tables


ESCAPED = str.maketrans({"%": r"\%", "&": r"\&", "–": "--"})


def check_forms(table: Table) -> None:
    """Every cell is in the Markdown and the LaTeX of a table."""
    markdown, latex = write_table(table), write_latex(table)
    for row in table.rows:
        assert " | ".join(row) in markdown
        assert " & ".join(cell.translate(ESCAPED) for cell in row) in latex


def test_the_published_table_of_benchmarks_adds_up(published: Tables) -> None:
    table = published["S13_bench_x_category"]
    names = [name for name in table if name not in ("cols", "Total")]
    counts = CrossTable(
        tuple(names), tuple(table["cols"][:-1]), tuple(tuple(table[n][:-1]) for n in names)
    )
    assert [sum(row) for row in counts.counts] == [table[name][-1] for name in names]
    assert [*counts.column_totals, sum(counts.column_totals)] == table["Total"]
    sizes = published["S11_stats"]["categories"]
    assert list(counts.column_totals) == [sizes[name][0] for name in SHORT]
    shown = benchmark_table(counts)
    assert shown.rows[1] == ("ImplicitQA", "17", "270", "39", "25", "5", "356")
    assert shown.rows[-1] == ("all", "1,107", "1,789", "5,631", "1,414", "1,092", "11,033")
    check_forms(shown)
    (head, *rows) = csv.reader(io.StringIO(write_counts(counts, "benchmark")))
    assert head == ["benchmark", *SHORT.values()]
    assert sum(int(cell) for row in rows for cell in row[1:]) == 11_033


def test_the_published_shares_of_categories_and_durations_follow(published: Tables) -> None:
    stats = published["S11_stats"]
    shown = category_table({name: n for name, (n, _) in stats["categories"].items()})
    assert [row[2] for row in shown.rows[:-1]] == [
        f"{p:.1f}" for _, p in stats["categories"].values()
    ]
    assert shown.rows[-1][1] == "11,033"
    check_forms(shown)
    groups = {name: row for name, row in stats["duration_videos"].items() if name != "total"}
    clips = {name: n for name, (n, _) in groups.items()}
    assert sum(clips.values()) == stats["duration_videos"]["total"]
    empty = CrossTable((), tuple(groups), ())
    durations = duration_table(empty, clips)
    assert durations.rows[-1][1:-1] == tuple(f"{p:.1f}" for _, p in groups.values())
    check_forms(durations)


def test_the_published_positions_follow_from_counts(published: Tables) -> None:
    table = published["S12_answer_dist"]
    sizes = {SHORT[name]: n for name, (n, _) in published["S11_stats"]["categories"].items()}
    counts = CrossTable(
        tuple(sizes),
        POSITIONS,
        tuple(tuple(round(n * p / 100) for p in table[name]) for name, n in sizes.items()),
    )
    # Shares of one decimal add up to a hundred, but for what rounding takes.
    for (name, n), of_category in zip(sizes.items(), counts.counts, strict=True):
        assert sum(table[name]) == pytest.approx(100, abs=0.25)
        assert sum(of_category) == pytest.approx(n, rel=2e-3)
    shown = position_table(counts)
    for row in shown.rows:
        name = "Overall" if row[0] == "all" else row[0]
        assert [float(cell) for cell in row[2:]] == pytest.approx(table[name], abs=0.11)
    check_forms(shown)


def test_the_published_overlaps_render(published: Tables) -> None:
    main = {"GPT-5-mini", "o3", "o4-mini"}
    overlaps = [
        PanelOverlap(
            models=tuple(models),
            threshold=3,
            n_shared=len(main & set(models)),
            n_samples=11_033,
            n_accepted=11_033,
            n_both=11_033,
            n_same=round(11_033 * percent / 100),
            same=round(11_033 * percent / 100) / 11_033,
            same_low=None,
            same_high=None,
            expected=None,
        )
        for *models, percent in published["S14_relabel_overlap"]
    ]
    shown = overlap_table(overlaps)
    assert [row[6] for row in shown.rows] == ["95.8", "93.7", "93.2"]
    assert shown.rows[0][:3] == (
        "GPT-5-mini, o3, o4-mini, Gemini-2.5-flash, Gemini-3-Flash", "3 of 5", "3",
    )  # fmt: skip
    check_forms(shown)
