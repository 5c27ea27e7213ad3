"""Puts events together in blocks in which no answer is right oftener than another."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Mode


def form_even_blocks(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    """Make blocks of one event for each choice, all of the same choices and, if strict, group."""

    def group(event: Event) -> Hashable:
        return (event.group if mode is Mode.STRICT else "", event.choices)

    return _fill(events, group, draws)


def form_even_texts(events: Sequence[Event], draws: Draws) -> list[Block]:
    """Make blocks of one event, as many for each text that is right."""
    of_text: dict[str, list[Event]] = defaultdict(list)
    for event in draws.shuffle(events, "even texts"):
        of_text[event.choices[event.target]].append(event)
    fewest = min(map(len, of_text.values()), default=0)
    # In another order on each turn: the positions of right answers take turns from block to block,
    # and a text must not meet the same one each time.
    return [
        (of_text[text][turn],)
        for turn in range(fewest)
        for text in draws.shuffle(sorted(of_text), "turn", turn)
    ]


def form_single_blocks(events: Sequence[Event], draws: Draws) -> list[Block]:
    """Make every event a block, one of each unit."""
    used: set[str] = set()
    blocks: list[Block] = []
    for event in draws.shuffle(events, "single"):
        if not event.unit or event.unit not in used:
            used.add(event.unit)
            blocks.append((event,))
    return blocks


def _fill(
    events: Sequence[Event], group_of: Callable[[Event], Hashable], draws: Draws
) -> list[Block]:
    """Fill blocks one after the other, from all groups in turn, until no group can fill another.

    Turns keep groups of about equal size where they compete for units. The choice with fewest
    events left is served first.
    """
    shuffled = draws.shuffle(events, "fill")
    groups: dict[Hashable, dict[int, list[Event]]] = defaultdict(lambda: defaultdict(list))
    for event in shuffled:
        groups[group_of(event)][event.target].append(event)
    open_groups = [
        of_target
        for of_target in groups.values()
        if len(of_target) == len(next(iter(of_target.values()))[0].choices)
    ]
    used: set[str] = set()
    blocks: list[Block] = []
    while open_groups:
        still_open = []
        for of_target in open_groups:
            block = _take_block(of_target, used)
            if block is not None:
                blocks.append(block)
                still_open.append(of_target)
        open_groups = still_open
    return blocks


def _take_block(of_target: dict[int, list[Event]], used: set[str]) -> Block | None:
    taken: dict[int, Event] = {}
    units: set[str] = set()
    for target, left in of_target.items():
        of_target[target] = [event for event in left if event.unit not in used]
    for target in sorted(of_target, key=lambda target: (len(of_target[target]), target)):
        event = next((each for each in of_target[target] if each.unit not in units), None)
        if event is None:
            return None
        taken[target] = event
        if event.unit:
            units.add(event.unit)
    used |= units
    for target, event in taken.items():
        of_target[target].remove(event)
    return tuple(taken[target] for target in sorted(taken))
