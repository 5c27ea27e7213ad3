"""What cannot even be planned."""

from pathlib import Path

import pytest

from video_oasis.benchmarks.interface import Benchmark
from video_oasis.errors import BenchmarkError
from video_oasis.fetch.run import plan_fetch


def test_a_benchmark_that_is_published_nowhere_we_know(tmp_path: Path) -> None:
    benchmark = Benchmark("mine", "custom", "x.json", lambda _: iter(()))
    with pytest.raises(BenchmarkError, match="mine: not known where its files are published"):
        plan_fetch(benchmark, tmp_path, revision=None, annotations_only=False)
