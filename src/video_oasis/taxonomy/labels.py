"""Collects the task labels that benchmarks put on their own samples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from video_oasis.hashing import content_id
from video_oasis.schema import Sample

SUBTASK_COLUMNS: Final = (
    "subtask",
    "sub_task",
    "sub_type",
    "abilityType_L3",  # MMR-V
    "question_type",  # LVBench: all kinds of a question, of which its task is the first
)
"""Published columns in which benchmarks say more of a task than its name."""

_EXAMPLE_CHARACTERS: Final = 160


@dataclass(frozen=True, slots=True)
class TaskLabel:
    """One task label of one benchmark.

    Attributes:
        benchmark: the benchmark.
        task: the task.
        subtask: what a published column says besides; empty for nothing.
        n_samples: samples that carry it.
        example: the question of one of them, cut if it is long.
    """

    benchmark: str
    task: str
    subtask: str
    n_samples: int
    example: str

    @property
    def text(self) -> str:
        """The label in one line, such as ``lvbench: reasoning / summarization``."""
        return f"{self.benchmark}: {' / '.join(part for part in (self.task, self.subtask) if part)}"


def collect_labels(
    samples: Iterable[Sample], subtask_columns: Sequence[str] = SUBTASK_COLUMNS
) -> tuple[TaskLabel, ...]:
    """Collect the labels, in the order of their first appearance.

    The example is chosen by hash among the label's samples, so that it does not depend on their
    order.

    Args:
        samples: the samples.
        subtask_columns: keys of their metadata that hold sub-tasks.
    """
    by_label: dict[tuple[str, str, str], list[Sample]] = {}
    for sample in samples:
        found = (_write(sample.metadata.get(column)) for column in subtask_columns)
        parts = dict.fromkeys(part for part in found if part and part != sample.task)
        by_label.setdefault((sample.benchmark, sample.task, ", ".join(parts)), []).append(sample)
    return tuple(
        TaskLabel(benchmark, task, subtask, len(its), _choose_example(its))
        for (benchmark, task, subtask), its in by_label.items()
    )


def _write(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_write, value))
    return "" if value is None else " ".join(str(value).split())


def _choose_example(samples: Sequence[Sample]) -> str:
    chosen = min(samples, key=lambda sample: content_id("example1", sample.id))
    question = " ".join(chosen.question.split())
    if len(question) <= _EXAMPLE_CHARACTERS:
        return question
    return f"{question[:_EXAMPLE_CHARACTERS]}…"
