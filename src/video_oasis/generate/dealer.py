"""Draws answers, positions and all else that is random, by hash alone."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from video_oasis.hashing import order_by_hash

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals what belongs to one sort of question of one set.

    Attributes:
        seed: the set's seed.
        name: the sort of question.
    """

    seed: int
    name: str

    def deal(self, number: int, n_choices: int = 4) -> tuple[int, int]:
        """Return the right answer and its position for question ``number`` of this sort.

        Both are drawn, each as likely as any other, and apart from all other questions. Equal
        counts would give them away: the answer that is still missing in a balanced set is the one
        that is right, and a learner that is fitted to the rest of the set finds it.
        """
        return self.draw(n_choices, "answer", number), self.draw(n_choices, "position", number)

    def draw(self, n_values: int, *content: object) -> int:
        """Return a number below ``n_values`` for this content, each as likely."""
        text = "\n".join(map(str, (self.seed, self.name, *content)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % n_values

    def pick(self, values: Sequence[T], *content: object) -> T:
        """Return one of the values, each as likely."""
        return values[self.draw(len(values), *content)]

    def order(self, values: Sequence[T], *content: object) -> list[T]:
        """Return the values in a random order."""
        text = "\n".join(map(str, (self.name, *content)))
        return order_by_hash(values, seed=self.seed, content=text)
