"""Checks what every set must be like, whatever its videos show: sound questions, exact balance."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from video_oasis.schema import Sample


def find_faults(samples: Sequence[Sample]) -> list[str]:
    """Return what is wrong with the questions of one task, in words; nothing if they are sound."""
    faults = []
    ids = Counter(sample.id for sample in samples)
    faults += [f"id {each} is given to {n} questions" for each, n in ids.items() if n > 1]
    asked = Counter(
        (
            sample.video.path,
            sample.video.start_seconds,
            sample.video.end_seconds,
            sample.question,
            frozenset(sample.choices),
        )
        for sample in samples
    )
    faults += [
        f"{video}: {question!r} is asked {n} times of the same clip"
        for (video, _, _, question, _), n in asked.items()
        if n > 1
    ]
    faults += [
        f"{sample.id}: two choices are the same"
        for sample in samples
        if sample.n_answers < len(sample.choices)
    ]
    return faults


def find_imbalances(samples: Sequence[Sample], *, texts_recur: bool = True) -> list[str]:
    """Return where answers or positions of one task are not even, in words; nothing if they are.

    Among the questions that offer as many choices, a text must be right in exactly its share of the
    questions that offer it, and the positions must be right equally often, give or take one.

    Args:
        samples: the questions of one task.
        texts_recur: whether texts are compared at all.
    """
    found = []
    by_size: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_size[len(sample.choices)].append(sample)
    for n_choices, of_size in sorted(by_size.items()):
        offered = Counter(choice for sample in of_size for choice in sample.choices)
        right = Counter(sample.choices[sample.target] for sample in of_size)
        found += [
            f"{text!r} is offered {n} times and right {right[text]} times"
            for text, n in sorted(offered.items())
            if texts_recur and right[text] * n_choices != n
        ]
        positions = Counter(sample.target for sample in of_size)
        counts = [positions[place] for place in range(n_choices)]
        if max(counts) - min(counts) > 1:
            found.append(f"positions are right {counts} times")
    return found
