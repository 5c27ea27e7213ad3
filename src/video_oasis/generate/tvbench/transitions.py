"""Chooses ordered pairs so that every text comes first as often as it comes second."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy import optimize, sparse

from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event


def form_cycles(
    events: Sequence[Event], draws: Draws, *, nodes: Sequence[tuple[str, str]]
) -> list[Block]:
    """Keep as many events as can be, and split them into cycles of texts.

    Each event is an arrow from one text to another. The most arrows that leave every text as often
    as they reach it are a maximum circulation: a linear programme whose corners are whole numbers,
    so that it is found at once. Such arrows fall apart into cycles.

    Args:
        events: the events.
        draws: the order in which arrows are walked.
        nodes: for each event, the text it leads from and the text it leads to.
    """
    if not events:
        return []
    order = draws.shuffle(range(len(events)), "cycles")
    kept = _circulate([nodes[index] for index in order])
    leaving: dict[str, list[int]] = defaultdict(list)
    for place in kept:
        leaving[nodes[order[place]][0]].append(order[place])
    blocks: list[Block] = []
    for start in sorted(leaving):
        while leaving[start]:
            blocks.append(tuple(events[index] for index in _take_cycle(start, leaving, nodes)))
    return draws.shuffle(blocks, "blocks")


def _circulate(arrows: Sequence[tuple[str, str]]) -> list[int]:
    numbers = {text: row for row, text in enumerate(sorted({t for pair in arrows for t in pair}))}
    columns = np.tile(np.arange(len(arrows)), 2)
    rows = [numbers[source] for source, _ in arrows] + [numbers[sink] for _, sink in arrows]
    signs = np.repeat([1.0, -1.0], len(arrows))
    balance = sparse.csr_array((signs, (rows, columns)), shape=(len(numbers), len(arrows)))
    found = optimize.milp(
        -np.ones(len(arrows)),
        constraints=optimize.LinearConstraint(balance, 0, 0),
        bounds=optimize.Bounds(0, 1),
        integrality=np.ones(len(arrows), dtype=np.int64),
    )
    chosen = np.asarray(found.x, dtype=np.float64) > 0.5
    return [int(index) for index in np.flatnonzero(chosen)]


def _take_cycle(
    start: str, leaving: dict[str, list[int]], nodes: Sequence[tuple[str, str]]
) -> list[int]:
    """Take one cycle out of what is left: walk until a text comes again, and put back the rest."""
    path: list[int] = []
    reached_at = {start: 0}
    here = start
    while True:
        path.append(leaving[here].pop())
        here = nodes[path[-1]][1]
        if here in reached_at:
            for arrow in reversed(path[: reached_at[here]]):
                leaving[nodes[arrow][0]].append(arrow)
            return path[reached_at[here] :]
        reached_at[here] = len(path)
