"""Tasks: the ten kinds of question of TVBench (arXiv 2410.07752), each from annotated sources.

A task (``interface.Task``) says how events are found in the records of its sources, how they are
worded, and how they are put together in blocks whose answers are even. Each is one file in this
folder. Another package adds one by an entry point in the group ``video_oasis.tvbench_tasks``.
"""

from typing import Final

from video_oasis.generate.tvbench.interface import Task
from video_oasis.registry import Registry

TASKS: Final[Registry[Task]] = Registry(
    "task",
    {
        name: f"video_oasis.generate.tvbench.tasks.{name}:{name.upper()}"
        for name in (
            "action_antonym",
            "action_count",
            "action_localization",
            "action_sequence",
            "egocentric_sequence",
            "moving_direction",
            "object_count",
            "object_shuffle",
            "scene_transition",
            "unexpected_action",
        )
    },
    group="video_oasis.tvbench_tasks",
)
