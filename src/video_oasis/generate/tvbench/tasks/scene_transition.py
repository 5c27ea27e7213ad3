"""Scene Transition: in which order two scenes come, from descriptions of the scenes of a clip."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from video_oasis.generate.sources.movqa import SceneSequence
from video_oasis.generate.tvbench.blocks import form_single_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.transitions import form_cycles

_ARTICLES: Final = ("the ", "a ", "an ")
_BETWEEN: Final = "\n"


def _find(record: SceneSequence, _settings: TVBenchSettings, mode: Mode, _draws: Draws) -> Found:
    concepts = [_reduce(scene) for scene in record.scenes]
    for place, (before, after) in enumerate(pairwise(record.scenes)):
        pair = concepts[place : place + 2]
        if any(concepts.count(concept) > 1 for concept in pair):
            yield LeftOut("a scene that comes more than once")
            continue
        if mode is Mode.STRICT and (_has_name(before) or _has_name(after)):
            yield LeftOut("a name in the description")
            continue
        right, wrong = f"From {before} to {after}.", f"From {after} to {before}."
        choices = tuple(sorted((right, wrong)))
        yield Event(
            source="movqa",
            video=record.video,
            key=f"scene {place + 1}",
            choices=choices,
            target=choices.index(right),
            group=_BETWEEN.join(pair),
            unit=record.video,
            length_seconds=record.length_seconds,
            video_seconds=record.length_seconds,
        )


def _reduce(scene: str) -> str:
    concept = scene.lower()
    for article in _ARTICLES:
        concept = concept.removeprefix(article)
    return concept.strip()


def _has_name(scene: str) -> bool:
    return any(word[:1].isupper() for word in scene.split())


def _form(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    singles = form_single_blocks(events, draws)
    if mode is Mode.FAITHFUL:
        return singles
    kept = [event for block in singles for event in block]
    nodes = []
    for event in kept:
        before, _, after = event.group.partition(_BETWEEN)
        nodes.append((before, after))
    return form_cycles(kept, draws, nodes=nodes)


SCENE_TRANSITION: Final = Task(
    name="scene_transition",
    asks="in which order two scenes come",
    templates=("Which choice says how the scenes of the video change?",),
    find={"movqa": _find},
    form_blocks=_form,
    texts_recur=False,
)
