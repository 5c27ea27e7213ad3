"""Makes 300 text questions whose biases are known, because they were planted.

There are no videos behind them: the set shows what a text-only audit finds and what it leaves
alone. Four tasks give their answers away in four ways; in two, the answer is drawn at random, so
nothing but chance can find it. Everything is drawn by hash: the same questions every time.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Final

from video_oasis.hashing import order_by_hash

N_PER_TASK: Final = 50
_N_VIDEOS: Final = 100

_OBJECTS: Final = (
    "kettle", "ladder", "basket", "lamp", "bucket", "drawer",
    "umbrella", "bicycle", "suitcase", "curtain", "rope", "mirror",
)  # fmt: skip
_ACTS: Final = ("lift", "turn", "push", "shake", "wipe", "drop")
_STEPS: Final = ("fill the jug", "light the lamp", "fold the cloth", "close the box")
_MISHAPS: Final = (
    "the rope slipped", "the lid was loose", "the floor was wet", "the door was shut",
    "the light failed", "the wheel broke",
)  # fmt: skip
_DETAILS: Final = (
    "while nobody was looking that way", "just as the others came in",
    "after it had been moved twice", "before anyone could reach it",
)  # fmt: skip
_DIRECTIONS: Final = ("to the left", "to the right", "toward the camera", "away from the camera")


@dataclass(frozen=True, slots=True)
class _Draft:
    question: str
    right: str
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlantedTask:
    """One task of the set.

    Attributes:
        name: its name.
        bias: what gives its answers away, in words; empty if nothing does.
        draft: the question, right choice and wrong choices of its question number n.
    """

    name: str
    bias: str
    draft: Callable[[int], _Draft]


def _draw(n_values: int, *content: object) -> int:
    digest = hashlib.sha256("\n".join(map(str, content)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % n_values


def _pick(values: Sequence[str], *content: object) -> str:
    return values[_draw(len(values), *content)]


def _draft_count(n: int) -> _Draft:
    right = "3" if _draw(100, "count", n) < 65 else _pick(("1", "2", "4"), "count other", n)
    question = f"How often does the person {_pick(_ACTS, 'act', n)} the {_pick(_OBJECTS, 'o', n)}?"
    return _Draft(question, right, tuple(text for text in "1234" if text != right))


def _draft_cause(n: int) -> _Draft:
    causes = order_by_hash(_MISHAPS, seed=n, content="cause")[:4]
    lengthened = 0 if _draw(100, "long", n) < 75 else 1 + _draw(3, "long other", n)
    causes[lengthened] += f" {_pick(_DETAILS, 'detail', n)}"
    question = f"Why does the {_pick(_OBJECTS, 'cause object', n)} fall over?"
    return _Draft(question, causes[0], tuple(causes[1:]))


def _draft_order(n: int) -> _Draft:
    sequences = order_by_hash(
        [", then ".join(steps) for steps in permutations(_STEPS)], seed=0, content="sequences"
    )
    ever_right, never_right = sequences[:6], sequences[6:]
    wrong = order_by_hash(never_right, seed=n, content="order")[:3]
    return _Draft("In which order are the steps done?", _pick(ever_right, "right", n), tuple(wrong))


def _draft_state(n: int) -> _Draft:
    states = order_by_hash(["open", "closed"], seed=n, content="state")
    question = f"Is the {_pick(_OBJECTS, 'state object', n)} open or closed when the clip ends?"
    return _Draft(question, states[0], (states[1], "not sure"))


def _draft_direction(n: int) -> _Draft:
    directions = order_by_hash(_DIRECTIONS, seed=n, content="direction")
    question = f"Where does the {_pick(_OBJECTS, 'moving object', n)} move?"
    return _Draft(question, directions[0], tuple(directions[1:]))


def _draft_first(n: int) -> _Draft:
    objects = order_by_hash(_OBJECTS, seed=n, content="first")[:4]
    return _Draft("Which object comes into view first?", objects[0], tuple(objects[1:]))


PLANTED_TASKS: Final = (
    PlantedTask("action_count", 'the answer "3" is right in about two of three', _draft_count),
    PlantedTask("cause", "the right option is the longest in about three of four", _draft_cause),
    PlantedTask("step_order", "right sequences recur, wrong ones are never right", _draft_order),
    PlantedTask("object_state", '"not sure" is always offered and never right', _draft_state),
    PlantedTask("moving_direction", "", _draft_direction),
    PlantedTask("first_object", "", _draft_first),
)


def plant_rows() -> list[dict[str, object]]:
    """Return the questions as plain rows: id, task, video, question, choices, answer (a text)."""
    rows: list[dict[str, object]] = []
    for task in PLANTED_TASKS:
        for n in range(N_PER_TASK):
            draft = task.draft(n)
            choices = order_by_hash([draft.right, *draft.wrong], seed=n, content=task.name)
            rows.append(
                {
                    "id": f"{task.name}-{n:02d}",
                    "task": task.name,
                    "video": f"clip_{_draw(_N_VIDEOS, 'video', task.name, n):03d}.mp4",
                    "question": draft.question,
                    "choices": choices,
                    "answer": draft.right,
                }
            )
    return rows


def write_planted_text(file: Path) -> None:
    """Write the questions as JSON Lines, one a row."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) for row in plant_rows())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
