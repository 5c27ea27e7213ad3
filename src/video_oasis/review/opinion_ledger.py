"""Keeps in memory which of people's opinions stand, in step with their file on disk."""

import threading
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from video_oasis.growing_file import GrowingFile
from video_oasis.review.outdated import Outdated


class PersonalOpinion(Protocol):
    """What one person says of one thing."""

    @property
    def key(self) -> Any:
        """What it is about."""

    @property
    def reviewer(self) -> str:
        """Who says so."""

    @property
    def id(self) -> str:
        """Content id over all fields."""


Opinion = TypeVar("Opinion", bound=PersonalOpinion)
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Refusals:
    """What a page that was overtaken by another tab is told.

    Attributes:
        record: where it would replace what it does not show.
        undo: where it would undo what it does not know of.
    """

    record: str
    undo: str


class OpinionLedger(Generic[Key, Opinion]):
    """The opinions of people about the things of a run; safe in several threads."""

    def __init__(
        self,
        file: GrowingFile[Opinion],
        *,
        list_standing: Callable[[Iterable[Opinion]], tuple[Opinion, ...]],
        take_back: Callable[[Opinion], Opinion],
        refusals: Refusals,
    ) -> None:
        """Read a file of opinions.

        Args:
            file: the file.
            list_standing: lists those that stand, in the order in which they were made.
            take_back: makes the entry that takes an opinion back.
            refusals: what pages that were overtaken are told.

        Raises:
            RunError: the file is damaged.
        """
        self._file: Final = file
        self._list_standing: Final = list_standing
        self._take_back: Final = take_back
        self._refusals: Final = refusals
        self._lock = threading.RLock()
        self._stamp: tuple[int, int, int] | None = None
        self._standing: tuple[Opinion, ...] = ()
        self._by_key: dict[Hashable, dict[str, Opinion]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take up what other processes wrote meanwhile.

        Raises:
            RunError: the file is damaged.
        """
        with self._lock:
            try:
                found = self._file.path.stat()
                stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
            except FileNotFoundError:
                stamp = None
            if stamp == self._stamp:
                return
            self._standing = self._list_standing(self._file.read())
            self._by_key = {}
            for opinion in self._standing:
                self._by_key.setdefault(opinion.key, {})[opinion.reviewer] = opinion
            self._stamp = stamp

    @property
    def reviewers(self) -> list[str]:
        """Everyone with an opinion that stands, by name."""
        with self._lock:
            return sorted({each.reviewer for each in self._standing})

    def list_done(self, reviewer: str) -> frozenset[Key]:
        """List what this reviewer has an opinion of."""
        with self._lock:
            return frozenset(each.key for each in self._standing if each.reviewer == reviewer)

    def find(self, key: Key, reviewer: str) -> Opinion | None:
        """Return a reviewer's opinion of something; None if there is none."""
        with self._lock:
            return self._by_key.get(key, {}).get(reviewer)

    def list_others(self, key: Key, reviewer: str) -> tuple[Opinion, ...]:
        """List the opinions of something of all but this reviewer."""
        with self._lock:
            its = self._by_key.get(key, {})
            return tuple(each for name, each in its.items() if name != reviewer)

    def list_visible(self, key: Key, reviewer: str) -> tuple[Opinion, ...]:
        """List the opinions of something that a reviewer may know of: none before an own one."""
        own = self.find(key, reviewer)
        return () if own is None else (own, *self.list_others(key, reviewer))

    def find_last(self, reviewer: str) -> Opinion | None:
        """Return the reviewer's latest opinion that stands; None if there is none."""
        with self._lock:
            return _find_last(self._standing, reviewer)

    def record(self, opinion: Opinion, *, seen: str) -> None:
        """Write an opinion; it is on disk when this returns.

        Args:
            opinion: the opinion.
            seen: id of the reviewer's standing opinion of the same as the page showed it; empty
                for none.

        Raises:
            Outdated: another one stands by now; nothing is written.
            RunError: the file cannot be read or written.
        """

        def check(opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
            of_same = [each for each in opinions if each.key == opinion.key]
            own = _find_last(self._list_standing(of_same), opinion.reviewer)
            if (own.id if own else "") != seen:
                raise Outdated(self._refusals.record)
            return (opinion,)

        self._file.append_after(check)
        self.refresh()

    def undo(self, reviewer: str, *, expected: str) -> Opinion:
        """Take back the reviewer's latest opinion that stands.

        Args:
            reviewer: the reviewer.
            expected: id of that opinion as the page knows it.

        Returns:
            The opinion taken back.

        Raises:
            Outdated: another one is the latest by now, or there is none; nothing is written.
            RunError: the file cannot be read or written.
        """

        def take_back(opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
            last = _find_last(self._list_standing(opinions), reviewer)
            if last is None:
                raise Outdated("There is nothing to undo.")
            if last.id != expected:
                raise Outdated(self._refusals.undo)
            undone.append(last)
            return (self._take_back(last),)

        undone: list[Opinion] = []
        self._file.append_after(take_back)
        self.refresh()
        return undone[0]


def _find_last(standing: tuple[Opinion, ...], reviewer: str) -> Opinion | None:
    return next((each for each in reversed(standing) if each.reviewer == reviewer), None)
