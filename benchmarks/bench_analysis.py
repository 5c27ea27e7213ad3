"""Times the analysis of a long table and measures its peak memory.

    python benchmarks/bench_analysis.py             # 24,416 samples x 18 answers
    python benchmarks/bench_analysis.py 1000000     # a million samples x 18 answers

Prints the seconds of each step and the peak resident memory of the process, the table included.
"""

import argparse
import resource
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import polars as pl

from video_oasis.analysis.accuracy import measure_accuracy
from video_oasis.analysis.agreement import measure_agreement
from video_oasis.analysis.ambiguity import find_ambiguous, order_queue
from video_oasis.analysis.consensus import measure_consensus
from video_oasis.analysis.contribution import measure_contribution
from video_oasis.analysis.dependence import measure_dependence
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.intersections import count_intersections

T = TypeVar("T")

N_BENCHMARKS = 14
N_TASKS = 10
N_TESTS = 6
N_MODELS = 3
SAMPLES_PER_VIDEO = 3


def make_table(n_samples: int) -> pl.DataFrame:
    """Make a long table of guesses, text as Categorical, 2 percent of them failed."""
    generator = np.random.default_rng(1)
    samples = pl.DataFrame({"number": np.arange(n_samples, dtype=np.int32)}).select(
        benchmark=pl.format("benchmark-{}", pl.col("number") % N_BENCHMARKS).cast(pl.Categorical),
        sample_id=pl.format("sample-{}", "number").cast(pl.Categorical),
        video=pl.format(
            "videos/{}.mp4", pl.col("number") // N_BENCHMARKS // SAMPLES_PER_VIDEO
        ).cast(pl.Categorical),
        task=pl.format("task-{}", pl.col("number") // N_BENCHMARKS % N_TASKS).cast(pl.Categorical),
        n_choices=pl.Series(generator.integers(3, 6, n_samples), dtype=pl.Int32),
        target=pl.Series(generator.integers(0, 3, n_samples), dtype=pl.Int32),
    )
    slots = [(test, model) for test in range(N_TESTS) for model in range(N_MODELS)]
    return pl.concat([_make_answers(samples, *slot, generator) for slot in slots])


def _make_answers(
    samples: pl.DataFrame, test: int, model: int, generator: np.random.Generator
) -> pl.DataFrame:
    guess = pl.Series(generator.random(samples.height)) * samples["n_choices"]
    return (
        samples.with_columns(
            diagnostic=pl.lit(f"test-{test}").cast(pl.Categorical),
            part=pl.lit(0, pl.Int32),
            rotation=pl.lit(0, pl.Int32),
            model=pl.lit(f"model-{model}").cast(pl.Categorical),
            draw=pl.lit(0, pl.Int32),
            failed=pl.Series(generator.random(samples.height) < 0.02),
            guess=guess.cast(pl.Int32),
        )
        .with_columns(
            status=pl.when("failed")
            .then(pl.lit("unparsed"))
            .otherwise(pl.lit("ok"))
            .cast(pl.Categorical),
            reason=pl.lit("").cast(pl.Categorical),
            prediction=pl.when(~pl.col("failed")).then("guess"),
            correct=pl.when(~pl.col("failed")).then(pl.col("guess") == pl.col("target")),
            target_probability=pl.lit(None, pl.Float64),
        )
        .drop("target", "failed", "guess")
    )


def timed(step: str, function: Callable[[], T]) -> T:
    """Run a step and print its seconds by the clock and of processor time."""
    start, busy_start = time.perf_counter(), time.process_time()
    result = function()
    seconds, busy = time.perf_counter() - start, time.process_time() - busy_start
    print(f"{step:<16}{seconds:8.3f} s by the clock{busy:9.3f} s of processor time")
    return result


def analyse(table: pl.DataFrame) -> None:
    """Run every analysis of a long table."""
    grid = timed("arrange", lambda: arrange(table))
    timed("accuracy", lambda: measure_accuracy(grid))
    timed("consensus", lambda: measure_consensus(grid))
    timed("agreement", lambda: measure_agreement(grid))
    timed("contribution", lambda: measure_contribution(grid))
    timed("intersections", lambda: count_intersections(grid))
    reference, *others = grid.tests
    timed("dependence", lambda: measure_dependence(grid, reference=reference, others=others))
    timed(
        "ambiguity",
        lambda: order_queue(find_ambiguous(grid, table, reference=reference, shuffle=others[0])),
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n_samples", nargs="?", type=int, default=24_416)
    n_samples = parser.parse_args().n_samples
    table = make_table(n_samples)
    print(f"{table.height:,} rows in {table.estimated_size('mb'):,.0f} MB, 1000 resamples")
    timed("all of it", lambda: analyse(table))
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    print(f"peak memory     {peak_gib:8.2f} GiB")


if __name__ == "__main__":
    main()
