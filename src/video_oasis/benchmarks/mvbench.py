"""MVBench (arXiv 2311.17005): twenty tasks of 200 questions over clips of other data sets."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, derive_ids, read_rows
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.errors import BenchmarkError
from video_oasis.schema import METADATA_SUBTITLES_TEXT, METADATA_TIME_REFERENCES, Video

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
"""Where the released videos of a task lie; names such as ``video_1.mp4`` occur in several folders.

The entries of ``tvqa/frames_fps3_hq`` are folders of frames, three for each second.
"""


def _read(root: Path) -> Iterator[Row]:
    paths = find_files(root, "json/*.json", "*.json")
    for path in paths:
        if path.stem not in _VIDEO_FOLDERS:
            raise BenchmarkError(
                f"{path}: {path.stem!r} is no task of {_NAME}; its files are named after "
                f"{', '.join(_VIDEO_FOLDERS)}"
            )
    rows = read_files(paths, root=root)
    return read_rows(_NAME, rows, identify=derive_ids(_task), take=_take)


def _task(row: RawRow) -> str:
    return PurePosixPath(row.file).stem


def _take(row: RawRow) -> Parts:
    task = _task(row)
    metadata = row.without(
        "video",
        "question",
        "candidates",
        "answer",
        "start",
        "end",
        "accurate_start",
        "accurate_end",
        "subtitle",
    )
    if references := row.ranges("accurate_start", "accurate_end"):
        metadata[METADATA_TIME_REFERENCES] = references
    if "subtitle" in row.columns:
        metadata[METADATA_SUBTITLES_TEXT] = row.text("subtitle")
    return Parts(
        video=Video(
            f"{_VIDEO_FOLDERS[task]}/{row.name('video')}",
            start_seconds=row.optional_seconds("start"),
            end_seconds=row.optional_seconds("end"),
        ),
        question=row.text("question"),
        choices=row.texts("candidates"),
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.TEXT,
        task=task,
        metadata=metadata,
    )


MVBENCH: Final = Benchmark(_NAME, "general", "json/<task>.json", _read)
