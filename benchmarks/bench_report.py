"""Times all that `oasis report` does once answers are read: the analysis and every file.

    python -m benchmarks.bench_report             # 24,416 samples x 6 tests x 3 models

Prints the seconds of each step, the size of what is written, and the peak resident memory of the
process. Frames are not pictured: that time goes by the pictures, of which a report has a most.
"""

import argparse
import resource
import tempfile
from pathlib import Path

import polars as pl
from benchmarks.bench_analysis import N_MODELS, make_table, timed

from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.distil.decide import distil
from video_oasis.report.document import AuditReport
from video_oasis.report.files import write_report
from video_oasis.sample_views import count_fates, view_samples
from video_oasis.schema import Sample, Video


def make_samples(grid: AnswerGrid) -> dict[tuple[str, str], Sample]:
    """Make the samples that the table is about, with a question of common length."""
    rows = grid.samples.iter_rows(named=True)
    return {
        (row["benchmark"], row["sample_id"]): Sample(
            id=row["sample_id"],
            benchmark=row["benchmark"],
            video=Video(row["video"]),
            question=f"What does the person do right after picking up object {row['sample_id']}?",
            choices=tuple(f"They put it on shelf number {n}." for n in range(row["n_choices"])),
            target=0,
            task=row["task"],
        )
        for row in rows
    }


def report_on(table: pl.DataFrame, folder: Path) -> list[Path]:
    """Analyse a long table and write the report."""
    grid = timed("arrange", lambda: arrange(table))
    samples = make_samples(grid)
    groups = {name: f"group-{number % 3}" for number, name in enumerate(grid.benchmarks)}
    texts = {key: (sample.question, sample.choices) for key, sample in samples.items()}
    summary = timed("summarise", lambda: summarise(table, groups=groups, texts=texts))
    decided = timed("distil", lambda: distil(samples.values(), grid, N_MODELS))
    views = timed("views", lambda: view_samples(samples, decided, summary.queue, (), table))
    report = AuditReport(
        version="",
        settings={},
        rows=(),
        models=(),
        summary=summary,
        findings=(),
        samples=list_samples(grid),
        lacking=(),
        excluded=(),
        cut=(),
        skipped={},
        threshold=N_MODELS,
        fates=count_fates(decided, ()),
        views=views,
    )
    return timed("files", lambda: write_report(report, folder))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n_samples", nargs="?", type=int, default=24_416)
    table = make_table(parser.parse_args().n_samples)
    table = table.with_columns(pl.selectors.categorical().cast(pl.String), request=pl.lit("r"))
    with tempfile.TemporaryDirectory() as folder:
        files = timed("all of it", lambda: report_on(table, Path(folder)))
        size_mb = sum(file.stat().st_size for file in files) / 1e6
        page_mb = files[0].stat().st_size / 1e6
    print(f"{len(files)} files, {size_mb:.0f} MB; the page for people {page_mb:.1f} MB")
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    print(f"peak memory     {peak_gib:8.2f} GiB")


if __name__ == "__main__":
    main()
