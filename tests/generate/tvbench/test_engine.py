"""What is given away is drawn anew, pruned, or refused, and told about."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import SchemaError, SettingsError, UnknownNameError
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.engine import GeneratedSet, generate, order_events
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings

SETTINGS = TVBenchSettings(gate_learners=("neighbours",), gate_permutations=15, gate_attempts=2)
ANSWERS = ("left", "right")


def find(record: Any, *_: object) -> Found:
    """Ask about the thing that the first scene names; the second is the answer."""
    thing, answer = record.scenes
    if answer not in ANSWERS:
        yield LeftOut("neither left nor right")
        return
    yield Event(
        source="movqa",
        video=record.video,
        key="",
        choices=ANSWERS,
        target=ANSWERS.index(answer),
        slots=(thing,),
    )


TASK = Task(
    name="side",
    asks="which side",
    templates=("Where does the {} go?",),
    find={"movqa": find},
    form_blocks=form_even_blocks,
)


def make(folder: Path, pairs: list[tuple[str, str]], **settings: Any) -> GeneratedSet:
    rows = [{"video": f"v{n}.mp4", "scenes": list(pair)} for n, pair in enumerate(pairs)]
    (folder / "scenes.json").write_text(json.dumps(rows))
    return generate({"movqa": folder}, [TASK], Mode.STRICT, 0, replace(SETTINGS, **settings))


def test_what_tells_nothing_passes_at_once(tmp_path: Path) -> None:
    pairs = [("cup", ANSWERS[n % 2]) for n in range(60)] + [("cup", "up"), ("cup", "left")]
    (made,) = make(tmp_path, pairs).tasks
    assert (len(made.questions), made.refusal, made.n_attempts) == (60, "", 1)
    assert made.left_out == {"neither left nor right": 1}
    assert made.removed == {"no other events to stand beside it evenly": 1}


def test_what_always_tells_is_refused(tmp_path: Path) -> None:
    pairs = [(("cup", "jug")[n % 2], ANSWERS[n % 2]) for n in range(60)]
    (made,) = make(tmp_path, pairs).tasks
    assert made.questions == ()
    assert "still given away after pruning by text: learned/neighbours" in made.refusal
    assert made.gate is not None
    assert not made.gate.is_open


def test_what_tells_in_part_is_pruned(tmp_path: Path) -> None:
    # The cup and the jug tell, the pan does not.
    telling = [(("cup", "jug")[n % 2], ANSWERS[n % 2]) for n in range(40)]
    neutral = [("pan", ANSWERS[n % 2]) for n in range(60)]
    (made,) = make(tmp_path, telling + neutral).tasks
    assert made.refusal == ""
    assert made.n_attempts == 2
    assert made.gate is not None
    assert made.gate.is_open
    n_pruned = made.removed["given away by text or length"]
    assert len(made.questions) == 100 - n_pruned >= 50
    left = [question.event.slots[0] for question in made.questions]
    assert left.count("pan") / len(left) > 60 / 100  # more of what tells is gone


def test_too_few_questions_are_no_set(tmp_path: Path) -> None:
    (made,) = make(tmp_path, [("cup", ANSWERS[n % 2]) for n in range(10)]).tasks
    assert made.questions == ()
    assert "10 questions; a set needs 20" in made.refusal


def test_most_questions(tmp_path: Path) -> None:
    pairs = [("cup", ANSWERS[n % 2]) for n in range(60)]
    (made,) = make(tmp_path, pairs, max_questions=31).tasks
    assert len(made.questions) == 30
    assert made.removed == {"more than max_questions": 30}


def test_events_that_differ_need_keys_that_differ() -> None:
    event = Event(source="s", video="v", key="1", choices=ANSWERS, target=0)
    other = replace(event, key="0")
    assert order_events([event, other, event]) == [other, event]
    with pytest.raises(SchemaError, match="two different events have the key '1'"):
        order_events([event, replace(event, target=1)])


def test_a_source_must_fit(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="task side: needs movqa"):
        generate({"star": tmp_path}, [TASK], Mode.STRICT, 0, SETTINGS)
    with pytest.raises(UnknownNameError, match="movqa"):
        generate({"movqa": tmp_path, "movq": tmp_path}, [TASK], Mode.STRICT, 0, SETTINGS)
