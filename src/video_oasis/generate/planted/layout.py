"""Lays out a set: how many questions of each kind, about which clips."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from video_oasis.errors import SettingsError
from video_oasis.generate.planted.acts import ACT_VARIANTS, make_acts
from video_oasis.generate.planted.faults import make_label_faults, make_several_right
from video_oasis.generate.planted.foretell import foretell
from video_oasis.generate.planted.parades import make_parade
from video_oasis.generate.planted.returns import make_returns
from video_oasis.generate.planted.scene import Draft, Scene
from video_oasis.generate.planted.speech import Line, speak, word_spoken
from video_oasis.generate.planted.truth import PlantedKind, PlantedSample
from video_oasis.generate.planted.visits import make_visits
from video_oasis.generate.planted.wording import word_blind
from video_oasis.hashing import order_by_hash

MIN_SAMPLES: Final = 60
MAX_SAMPLES: Final = 5000
_NATIVE_VARIANTS: Final = ("parade", "returns", *ACT_VARIANTS)
_EVERY_CHUNK_ONE_IN: Final = 5
"""One in so many of the defective questions is one that any part of the clip answers."""


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the question file, and the truth about it.

    Attributes:
        draft: the question.
        choices: its choices in the order published.
        truth: what was planted in it.
    """

    draft: Draft
    choices: tuple[str, ...]
    truth: PlantedSample


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip of a set.

    Attributes:
        name: its file's name.
        scene: what is to be seen, and captions of it.
        lines: what is said.
        questions: what is asked about it.
    """

    name: str
    scene: Scene
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]


def count_kinds(n_samples: int) -> dict[PlantedKind, int]:
    """Share questions out among the kinds, evenly.

    Raises:
        SettingsError: there are too few or too many.
    """
    if not MIN_SAMPLES <= n_samples <= MAX_SAMPLES:
        raise SettingsError(
            f"a calibration set of {n_samples} samples; expected {MIN_SAMPLES} to {MAX_SAMPLES}"
        )
    share, left = divmod(n_samples, len(PlantedKind))
    return {kind: share + (number < left) for number, kind in enumerate(PlantedKind)}


def lay_out(n_samples: int, seed: int) -> tuple[Clip, ...]:
    """Lay out a set of so many questions.

    Raises:
        SettingsError: as for ``count_kinds``.
    """
    counts = count_kinds(n_samples)
    scenes = [
        *_lay_visits(counts, seed),
        *_lay_faults(counts, seed),
        *_lay_parades(counts, seed),
        *_lay_native(counts, seed),
    ]
    # Questions that need nothing of the picture go where there are fewest.
    by_room = sorted(range(len(scenes)), key=lambda clip: (len(scenes[clip].drafts), clip))
    spoken = {
        by_room[number]: word_spoken(seed, number) for number in range(counts[PlantedKind.AUDIO])
    }
    by_room.sort(key=lambda clip: (len(scenes[clip].drafts) + (clip in spoken), clip))
    blind: dict[int, list[Draft]] = {}
    for number in range(counts[PlantedKind.BLIND]):
        blind.setdefault(by_room[number % len(by_room)], []).append(word_blind(seed, number))
    numbers: Counter[str] = Counter()
    clips = []
    for clip, scene in enumerate(scenes):
        said, fact = spoken.get(clip, (None, ""))
        lines = speak(seed, clip, fact)
        drafts = (*scene.drafts, *((said,) if said else ()), *blind.get(clip, ()))
        questions = tuple(_number(draft, numbers, seed, has_speech=bool(lines)) for draft in drafts)
        clips.append(Clip(f"clip-{clip:04d}.mp4", scene, lines, questions))
    return tuple(clips)


def _number(draft: Draft, numbers: Counter[str], seed: int, *, has_speech: bool) -> Question:
    name = f"{draft.kind}-{draft.variant}"
    number = numbers[name]
    numbers[name] += 1
    sample_id = f"{name}-{number:04d}"
    wrong = order_by_hash(draft.wrong, seed=seed, content=sample_id)
    choices = (*wrong[: draft.position], draft.label, *wrong[draft.position :])
    foretold = foretell(
        draft.evidence,
        draft.frames,
        label=draft.label,
        acceptable=draft.acceptable,
        has_speech=has_speech,
    )
    truth = PlantedSample(
        sample_id=sample_id,
        kind=draft.kind,
        variant=draft.variant,
        evidence=draft.evidence,
        frames=draft.frames,
        acceptable=draft.acceptable,
        **foretold._asdict(),
    )
    return Question(draft, choices, truth)


def _lay_visits(counts: dict[PlantedKind, int], seed: int) -> Iterator[Scene]:
    asked = {
        PlantedKind.CENTER_FRAME: counts[PlantedKind.CENTER_FRAME],
        PlantedKind.ORDER_FREE: counts[PlantedKind.ORDER_FREE],
        PlantedKind.DEFECTIVE: _count_every_chunk(counts),
    }
    for number in range(max(asked.values())):
        yield make_visits(seed, number, {kind for kind, n in asked.items() if number < n})


def _lay_faults(counts: dict[PlantedKind, int], seed: int) -> Iterator[Scene]:
    left = counts[PlantedKind.DEFECTIVE] - _count_every_chunk(counts)
    for number in count():
        for make in (make_label_faults, make_several_right):
            if left == 0:
                return
            scene = make(seed, number, n_questions=min(2, left))
            left -= len(scene.drafts)
            yield scene


def _lay_parades(counts: dict[PlantedKind, int], seed: int) -> Iterator[Scene]:
    left = counts[PlantedKind.SUMMARY]
    for number in range((left + 1) // 2):
        yield make_parade(seed, number, is_told=True, n_questions=min(2, left - 2 * number))


def _lay_native(counts: dict[PlantedKind, int], seed: int) -> Iterator[Scene]:
    left = counts[PlantedKind.NATIVE]
    for number in count():
        for variant in _NATIVE_VARIANTS:
            if left == 0:
                return
            if variant == "parade":
                scene = make_parade(seed, number, is_told=False, n_questions=min(2, left))
            elif variant == "returns":
                scene = make_returns(seed, number)
            else:
                scene = make_acts(seed, variant, number)
            left -= len(scene.drafts)
            yield scene


def _count_every_chunk(counts: dict[PlantedKind, int]) -> int:
    return -(-counts[PlantedKind.DEFECTIVE] // _EVERY_CHUNK_ONE_IN)
