"""Blocks of even answers, cycles of transitions, and the order of choices."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from video_oasis.generate.tvbench.blocks import form_even_blocks, form_even_texts
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Mode, Task
from video_oasis.generate.tvbench.questions import word_questions
from video_oasis.generate.tvbench.transitions import form_cycles

DRAWS = Draws(0, "test")
ABC = ("a", "b", "c")


def event(number: int, target: int, choices: tuple[str, ...] = ABC, **fields: Any) -> Event:
    return Event(
        source="s", video=f"v{number}", key=str(number), choices=choices, target=target, **fields
    )


def make_task(**fields: Any) -> Task:
    return Task(
        name="t",
        asks="",
        templates=("One?", "Two?"),
        find={},
        form_blocks=form_even_blocks,
        **fields,
    )


def test_blocks_have_every_answer_once_and_stay_within_groups() -> None:
    events = [event(n, n % 3, group="x") for n in range(10)]  # a four times
    events += [event(10 + n, n, group="y") for n in range(2)]  # no c
    blocks = form_even_blocks(events, Mode.STRICT, DRAWS)
    assert len(blocks) == 3
    assert all([e.target for e in block] == [0, 1, 2] for block in blocks)
    assert {e.group for block in blocks for e in block} == {"x"}
    # Groups are of no account in the faithful mode: y's events may fill a block.
    assert len(form_even_blocks(events, Mode.FAITHFUL, DRAWS)) == 3


def test_a_unit_is_used_once() -> None:
    events = [event(n, n % 2, ("a", "b"), unit=f"u{n // 2}") for n in range(8)]
    blocks = form_even_blocks(events, Mode.STRICT, DRAWS)
    units = [e.unit for block in blocks for e in block]
    assert len(units) == len(set(units)) == 4  # four videos that could each give either answer


def test_even_texts() -> None:
    events = [event(n, 0 if n < 5 else 1) for n in range(7)]
    blocks = form_even_texts(events, DRAWS)
    assert Counter(block[0].target for block in blocks) == {0: 2, 1: 2}


def transitions(*pairs: str) -> tuple[list[Event], list[tuple[str, str]]]:
    nodes = [(pair[0], pair[1]) for pair in pairs]
    events = [event(n, 0, ("x", "y")) for n in range(len(pairs))]
    return events, nodes


def count_ends(blocks: Sequence[tuple[Event, ...]], nodes: Sequence[tuple[str, str]]) -> None:
    for block in blocks:
        kept = [nodes[int(e.key)] for e in block]
        assert Counter(first for first, _ in kept) == Counter(second for _, second in kept)


def test_cycles_keep_the_most_transitions() -> None:
    # AB and BA; AB, BC and CA; DA leads back to nothing.
    events, nodes = transitions("AB", "BA", "AB", "BC", "CA", "DA")
    blocks = form_cycles(events, DRAWS, nodes=nodes)
    assert sorted(int(e.key) for block in blocks for e in block) == [0, 1, 2, 3, 4]
    assert sorted(map(len, blocks)) == [2, 3]
    count_ends(blocks, nodes)


def test_no_cycle_no_block() -> None:
    events, nodes = transitions("AB", "BC", "AC")
    assert form_cycles(events, DRAWS, nodes=nodes) == []
    assert form_cycles([], DRAWS, nodes=[]) == []


def test_positions_are_even_and_wording_is_the_blocks() -> None:
    blocks = [tuple(event(3 * n + t, t) for t in range(3)) for n in range(7)]
    questions = word_questions(make_task(), blocks, Mode.STRICT, DRAWS)
    assert Counter(q.sample.target for q in questions) == {0: 7, 1: 7, 2: 7}
    for number in range(7):
        of_block = [q.sample for q in questions if q.block == number]
        assert len({s.question for s in of_block}) == 1
        assert len({s.choices for s in of_block}) == 1  # what is right cannot be told from it
        assert [s.choices[s.target] for s in of_block] == list(ABC)
    # Every answer goes through all positions.
    places = Counter((q.sample.choices[q.sample.target], q.sample.target) for q in questions)
    assert set(places.values()) == {2, 3}


def test_positions_take_turns_where_blocks_are_no_sets_of_answers() -> None:
    blocks = [(event(n, 0, (f"a{n}", f"b{n}")),) for n in range(9)]
    questions = word_questions(make_task(), blocks, Mode.STRICT, DRAWS)
    assert Counter(q.sample.target for q in questions) == {0: 5, 1: 4}


def test_a_text_does_not_keep_its_position() -> None:
    events = [event(n, n % 2, ("a", "b")) for n in range(40)]
    questions = word_questions(make_task(), form_even_texts(events, DRAWS), Mode.FAITHFUL, DRAWS)
    # Two texts and two positions, each taking turns.
    places = {(q.sample.choices[q.sample.target], q.sample.target) for q in questions}
    assert len(places) == 4


def test_a_fixed_order_is_for_as_many_choices() -> None:
    blocks = [tuple(event(t, t) for t in range(3))]
    questions = word_questions(make_task(fixed_order=(1, 0)), blocks, Mode.FAITHFUL, DRAWS)
    assert sorted(q.sample.target for q in questions) == [0, 1, 2]
    assert {q.sample.choices[q.sample.target] for q in questions} == set(ABC)


def test_a_fixed_order_is_for_the_faithful_mode() -> None:
    blocks = [tuple(event(t, t) for t in range(3))]
    task = make_task(fixed_order=(2, 0, 1))
    questions = word_questions(task, blocks, Mode.FAITHFUL, DRAWS)
    assert {q.sample.choices for q in questions} == {("c", "a", "b")}
    assert [q.sample.target for q in questions] == [1, 2, 0]
