"""A leaderboard as Markdown: one table for each set of samples, the best model first."""

from collections.abc import Iterable
from typing import Final

from video_oasis.leaderboard.entry import Entry
from video_oasis.report.markdown import write_table
from video_oasis.report.numbers import NONE, write_count, write_estimate, write_percent
from video_oasis.report.tables.table import Section, Table

_ID_CHARACTERS: Final = 20


def write_leaderboard(entries: Iterable[Entry]) -> str:
    """Write all entries as one Markdown text."""
    by_set: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda each: (each.set_name, each.set_id)):
        by_set.setdefault(entry.set_id, []).append(entry)
    parts = ["# Leaderboard", *map(write_table, make_tables(by_set.values()))]
    parts.append(
        "The file beside this one has the settings and the counts of every entry; "
        "`oasis leaderboard verify FILE RUN` recomputes an entry from its run."
    )
    return "\n\n".join(parts) + "\n"


def make_tables(sets: Iterable[list[Entry]]) -> tuple[Table, ...]:
    """Make one table of each list of entries about one set."""
    return tuple(_make(number, entries) for number, entries in enumerate(sets, start=1))


def _make(number: int, entries: list[Entry]) -> Table:
    ordered = sorted(entries, key=lambda each: (-(each.overall.accuracy or 0.0), each.model))
    first = ordered[0]
    benchmarks = list(dict.fromkeys(name for each in ordered for name in each.benchmarks))
    return Table(
        section=Section.ACCURACY,
        name=f"leaderboard_{number}",
        title=f"{first.set_name}, {write_count(first.overall.n_samples)} samples",
        note=f"Set {first.set_id}. Percent right of the answers that could be read, with "
        f"the 95 % interval of a bootstrap over whole videos. Lowest: if every other answer were "
        f"wrong. Chance: {write_percent(first.overall.chance)}.",
        head=(
            "model", "under", "answers id", "at most, frames", "scored", "accuracy", "lowest",
            "mean of benchmarks", *benchmarks,
        ),
        rows=tuple(
            (
                each.model,
                str(each.protocol.get("diagnostic", NONE)),
                each.answers[:_ID_CHARACTERS],
                write_count(each.max_frames),
                f"{write_count(each.overall.n_scored)} of {write_count(each.overall.n)}",
                write_estimate(
                    each.overall.accuracy, each.overall.accuracy_low, each.overall.accuracy_high
                ),
                write_percent(each.overall.lower_bound),
                write_percent(each.mean_of_benchmarks),
                *(
                    write_percent(each.benchmarks[name].accuracy)
                    if name in each.benchmarks
                    else NONE
                    for name in benchmarks
                ),
            )
            for each in ordered
        ),
        n_text_columns=3,
    )  # fmt: skip
