"""Choice texts that are never right, or always, and too often for chance."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from video_oasis.lint.defects import Finding, quote
from video_oasis.schema import Sample

FEWEST_OFFERS: Final = 5
"""A text is tested if at least this many questions of a task offer it."""
LEVEL: Final = 0.05
"""Chance that any text of a benchmark is reported although all answers are random."""


@dataclass(slots=True)
class _Text:
    """The questions of one task that offer one text, and the number of them it is right in."""

    task: str
    text: str
    n_right: int = 0
    offered_by: list[Sample] = field(default_factory=list)

    def log_chance(self, *, right: bool) -> float:
        """Log of the probability that it is right (or wrong) in every one of them by chance."""
        return math.fsum(
            math.log(1 / s.n_answers if right else 1 - 1 / s.n_answers) for s in self.offered_by
        )


def never_right(samples: Sequence[Sample]) -> Iterator[Finding]:
    """A text that many questions of a task offer and that is right in none of them.

    By chance a text is wrong in all of them with the product of (1 - 1/choices); that is the lower
    binomial tail where all questions have the same number of choices. It is reported if the
    product is below 5 % divided by the number of texts tested in the benchmark (Bonferroni).
    """
    tested = _often_offered(samples)
    for text in tested:
        if text.n_right == 0 and text.log_chance(right=False) < math.log(LEVEL / len(tested)):
            yield _finding(text, "right in none")


def always_right(samples: Sequence[Sample]) -> Iterator[Finding]:
    """A text that many questions of a task offer and that is right in all of them.

    The counterpart of ``never_right``, with the product of 1/choices.
    """
    tested = _often_offered(samples)
    for text in tested:
        if text.n_right == len(text.offered_by) and text.log_chance(right=True) < math.log(
            LEVEL / len(tested)
        ):
            yield _finding(text, "right in every one")


def _often_offered(samples: Sequence[Sample]) -> list[_Text]:
    found: dict[tuple[str, str], _Text] = {}
    for sample in samples:
        if sample.n_answers == 1:
            continue
        for choice in dict.fromkeys(sample.choices):
            text = found.setdefault((sample.task, choice), _Text(sample.task, choice))
            text.offered_by.append(sample)
            text.n_right += sample.is_correct(sample.choices.index(choice))
    return [text for text in found.values() if len(text.offered_by) >= FEWEST_OFFERS]


def _finding(text: _Text, result: str) -> Finding:
    n_offers = len(text.offered_by)
    of_task = f" of task {text.task!r}" if text.task else ""
    expected = math.fsum(1 / sample.n_answers for sample in text.offered_by)
    return Finding(
        "",
        f"{quote(text.text)} is a choice of {n_offers} questions{of_task} and {result} (by chance "
        f"{expected:.1f})",
        tuple(sample.id for sample in text.offered_by),
    )
