"""MVBench (arXiv 2311.17005): twenty tasks of 200 questions over clips of other data sets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files
from video_oasis.annotations.task_files import read_task_files
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.errors import BenchmarkError

_NAME = "mvbench"
_VIDEO_FOLDERS: Final = {
    "action_antonym": "ssv2_video",
    "action_count": "perception/videos",
    "action_localization": "sta/sta_video",
    "action_prediction": "star/Charades_v1_480",
    "action_sequence": "star/Charades_v1_480",
    "character_order": "perception/videos",
    "counterfactual_inference": "clevrer/video_validation",
    "egocentric_navigation": "vlnqa",
    "episodic_reasoning": "tvqa/frames_fps3_hq",
    "fine_grained_action": "Moments_in_Time_Raw/videos",
    "fine_grained_pose": "nturgbd",
    "moving_attribute": "clevrer/video_validation",
    "moving_count": "clevrer/video_validation",
    "moving_direction": "clevrer/video_validation",
    "object_existence": "clevrer/video_validation",
    "object_interaction": "star/Charades_v1_480",
    "object_shuffle": "perception/videos",
    "scene_transition": "scene_qa/video",
    "state_change": "perception/videos",
    "unexpected_action": "FunQA_test/test",
}
"""Where the released videos of a task lie; several folders have a ``video_1.mp4``."""

_IMAGES_FPS: Final = 3.0
"""The entries of ``tvqa/frames_fps3_hq`` are folders of frames, three for each second."""


def _read(root: Path) -> Iterator[Row]:
    paths = find_files(root, "json/*.json", "*.json")
    for path in paths:
        if path.stem not in _VIDEO_FOLDERS:
            raise BenchmarkError(
                f"{path}: {path.stem!r} is no task of {_NAME}; its files are named after "
                f"{', '.join(_VIDEO_FOLDERS)}"
            )
    return read_task_files(_NAME, paths, root=root, video_folder=_VIDEO_FOLDERS.__getitem__)


MVBENCH: Final = Benchmark(
    _NAME,
    "general",
    "json/<task>.json",
    _read,
    _IMAGES_FPS,
    published=Publication(
        "OpenGVLab/MVBench",
        annotations=("json/*.json",),
        videos=("video/*.zip",),
        note="The 200 clips of fine_grained_pose may not be passed on: get NTU RGB+D from its "
        "owners (ROSE Lab) and put the clips into videos/nturgbd.",
    ),
)
