"""Random draws that are fixed by a seed and by what they are drawn for."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from video_oasis.hashing import order_by_hash

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws for one task.

    Attributes:
        seed: the seed of the whole set.
        task: the task.
        attempt: number of the attempt at a set that nothing gives away, from 0.
    """

    seed: int
    task: str
    attempt: int = 0

    def share(self, *content: object) -> float:
        """Draw a number from 0 to below 1."""
        text = "\n".join(map(str, (self.seed, self.task, self.attempt, *content)))
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    def pick(self, items: Sequence[T], *content: object) -> T:
        """Draw one of the items."""
        return items[int(self.share(*content) * len(items))]

    def shuffle(self, items: Iterable[T], *content: object) -> list[T]:
        """Return the items in a random order."""
        text = "\n".join(map(str, (self.task, self.attempt, *content)))
        return order_by_hash(items, seed=self.seed, content=text)
