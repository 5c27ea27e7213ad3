"""The tables of the categories of a run, as texts in cells."""

from collections.abc import Mapping, Sequence

from video_oasis.report.categories.document import CategoriesReport, ModelVotes
from video_oasis.report.numbers import (
    NONE,
    write_count,
    write_estimate,
    write_percent,
    write_ratio,
)
from video_oasis.report.tables.table import Section, Table
from video_oasis.taxonomy.agreement import PanelAgreement, PanelOverlap
from video_oasis.taxonomy.counts import CrossTable

_ALL = "all"


def make_tables(report: CategoriesReport) -> tuple[Table, ...]:
    """Make every table that there is something to show in."""
    tables = [
        category_table(
            dict(zip(report.by_benchmark.columns, report.by_benchmark.column_totals, strict=True))
        ),
        benchmark_table(report.by_benchmark),
        duration_table(report.by_duration, report.clips),
        position_table(report.by_position, report.even_positions),
        vote_table(report.votes),
    ]
    if report.agreement is not None:
        tables.append(agreement_table(report.agreement))
    if report.overlaps:
        tables.append(overlap_table(report.overlaps))
    return tuple(tables)


def category_table(counts: Mapping[str, int]) -> Table:
    """Make the table of how many samples each category has.

    Args:
        counts: samples by category.
    """
    total = sum(counts.values())
    return Table(
        section=Section.TASKS,
        name="categories",
        title="Samples by category",
        note="Samples with a category only.",
        head=("category", "samples", "share %"),
        rows=tuple(
            (name, write_count(n), _share(n, total)) for name, n in (*counts.items(), (_ALL, total))
        ),
    )


def benchmark_table(counts: CrossTable) -> Table:
    """Make the table of benchmarks against categories."""
    return Table(
        section=Section.TASKS,
        name="category_by_benchmark",
        title="Categories of each benchmark",
        note="Samples with a category.",
        head=("benchmark", *counts.columns, _ALL),
        rows=tuple(
            (name, *map(write_count, row), write_count(sum(row))) for name, row in _with_all(counts)
        ),
    )


def duration_table(counts: CrossTable, clips: Mapping[str, int]) -> Table:
    """Make the table of categories against the length of the clips.

    Args:
        counts: samples, category by group of lengths.
        clips: different clips by group of lengths.
    """
    n_clips = sum(clips.values())
    shares = (_share(clips.get(name, 0), n_clips) for name in counts.columns)
    return Table(
        section=Section.TASKS,
        name="category_by_duration",
        title="Categories by length of the clip",
        note="Samples with a category; a group of lengths includes its upper end. Below, the "
        "different clips that these samples are about.",
        head=("category", *counts.columns, _ALL),
        rows=(
            *(
                (name, *map(write_count, row), write_count(sum(row)))
                for name, row in _with_all(counts)
            ),
            (
                "clips",
                *(write_count(clips.get(name, 0)) for name in counts.columns),
                write_count(n_clips),
            ),
            ("clips, %", *shares, _share(n_clips, n_clips)),
        ),
    )


def position_table(counts: CrossTable, even: Sequence[float] = ()) -> Table:
    """Make the table of where the right choice stands.

    Args:
        counts: samples, category by position.
        even: the share of each position if every choice were right equally often; empty if the
            numbers of choices are not known.
    """
    rows = [
        (name, write_count(sum(row)), *(_share(n, sum(row)) for n in row))
        for name, row in _with_all(counts)
    ]
    if even:
        rows.append(("if even", NONE, *map(write_percent, even)))
    return Table(
        section=Section.TASKS,
        name="category_by_answer_position",
        title="Position of the right choice by category, %",
        note="As published, in percent of the category's samples. If even: what the numbers of "
        "choices give where every choice is right equally often.",
        head=("category", "samples", *counts.columns),
        rows=tuple(rows),
    )


def agreement_table(agreement: PanelAgreement) -> Table:
    """Make the table of how far the panel's models agree."""
    return Table(
        section=Section.ACCURACY,
        name="panel_agreement",
        title="Agreement within the panel",
        note="Over samples that at least two models name a category for. Same: share of pairs of "
        "models that agree, %. By luck: what the frequencies of the categories make likely. Kappa "
        "is Fleiss'. Intervals resample whole videos.",
        head=("models", "samples", "same", "by luck", "kappa"),
        rows=(
            (
                str(agreement.n_models),
                write_count(agreement.n_samples),
                write_estimate(agreement.same, agreement.same_low, agreement.same_high),
                write_percent(agreement.expected),
                _write_kappa(agreement),
            ),
        ),
        n_text_columns=0,
    )


def overlap_table(overlaps: Sequence[PanelOverlap]) -> Table:
    """Make the table of what other panels make of the same samples."""
    return Table(
        section=Section.ACCURACY,
        name="panel_overlap",
        title="Overlap with the assignments of other panels",
        note="Shared: models of the other panel that are in the panel too; their votes count in "
        "both, so overlap is high by construction where they are many. Same: share of the samples "
        "that both accept, %. By luck: what the frequencies of the categories make likely. "
        "Intervals resample whole videos.",
        head=(
            "other panel", "needed", "shared", "samples", "it accepts", "both accept", "same",
            "by luck",
        ),
        rows=tuple(
            (
                ", ".join(each.models),
                f"{each.threshold} of {len(each.models)}",
                str(each.n_shared),
                write_count(each.n_samples),
                write_count(each.n_accepted),
                write_count(each.n_both),
                write_estimate(each.same, each.same_low, each.same_high),
                write_percent(each.expected),
            )
            for each in overlaps
        ),
        n_text_columns=2,
    )  # fmt: skip


def vote_table(votes: Sequence[ModelVotes]) -> Table:
    """Make the table of what became of the questions to each model."""
    return Table(
        section=Section.ACCURACY,
        name="votes",
        title="Votes of each model",
        note="A reply that names no category is no vote. With the panel: share of the samples the "
        "panel accepts, and the model votes on, for which it names the accepted category; a model "
        "of the panel has helped to choose that.",
        head=(
            "model", "in the panel", "votes", "unparsed", "refused", "errors", "missing",
            "with the panel %",
        ),
        rows=tuple(
            (
                each.model,
                "yes" if each.is_in_panel else "no",
                *map(
                    write_count,
                    (each.n_ok, each.n_unparsed, each.n_refused, each.n_error, each.n_missing),
                ),
                _share(each.n_same, each.n_accepted),
            )
            for each in votes
        ),
        n_text_columns=2,
    )  # fmt: skip


def _with_all(counts: CrossTable) -> list[tuple[str, tuple[int, ...]]]:
    """Return the rows with their names, and the sum of all below."""
    return [*zip(counts.rows, counts.counts, strict=True), (_ALL, counts.column_totals)]


def _share(n: int, total: int) -> str:
    return write_percent(n / total if total else None)


def _write_kappa(agreement: PanelAgreement) -> str:
    kappa = write_ratio(agreement.kappa)
    if agreement.kappa_low is None or agreement.kappa_high is None:
        return kappa
    return f"{kappa} [{write_ratio(agreement.kappa_low)}, {write_ratio(agreement.kappa_high)}]"
