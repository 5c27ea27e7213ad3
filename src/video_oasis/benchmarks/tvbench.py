"""TVBench (arXiv 2410.07752): ten tasks that are meant to need the order of frames."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files
from video_oasis.annotations.task_files import read_task_files
from video_oasis.benchmarks.interface import Benchmark, Publication, Row

_NAME = "tvbench"


def _read(root: Path) -> Iterator[Row]:
    paths = find_files(root, "json/*.json", "*.json")
    # Released with one folder of videos for each task; names repeat between the folders.
    return read_task_files(_NAME, paths, root=root, video_folder=lambda task: task)


TVBENCH: Final = Benchmark(
    _NAME,
    "temporal",
    "json/<task>.json",
    _read,
    published=Publication(
        "FunAILab/TVBench",
        annotations=("json/*.json",),
        videos=("video/*.zip",),
        note="The 320 clips of action_antonym may not be passed on: get NTU RGB+D's subset for "
        "TVBench from its owners (ROSE Lab) and put the clips into videos/action_antonym.",
    ),
)
