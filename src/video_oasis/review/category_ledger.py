"""Keeps in memory which opinions about categories stand, in step with their file on disk."""

import threading
from dataclasses import replace
from datetime import UTC, datetime

from video_oasis.categorization.opinions import Opinion, OpinionFile, list_standing
from video_oasis.review.outdated import Outdated
from video_oasis.schema import SampleKey


class CategoryLedger:
    """The categories that people gave to samples of a run; safe in several threads."""

    def __init__(self, file: OpinionFile) -> None:
        """Read a file of opinions.

        Raises:
            RunError: it is damaged.
        """
        self._file = file
        self._lock = threading.RLock()
        self._stamp: tuple[int, int, int] | None = None
        self._standing: tuple[Opinion, ...] = ()
        self._by_sample: dict[SampleKey, dict[str, Opinion]] = {}
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
            self._standing = list_standing(self._file.read())
            self._by_sample = {}
            for opinion in self._standing:
                self._by_sample.setdefault(opinion.key, {})[opinion.reviewer] = opinion
            self._stamp = stamp

    @property
    def reviewers(self) -> list[str]:
        """Everyone with an opinion that stands, by name."""
        with self._lock:
            return sorted({each.reviewer for each in self._standing})

    def list_sorted(self, reviewer: str) -> frozenset[SampleKey]:
        """List the samples of which this reviewer has an opinion."""
        with self._lock:
            return frozenset(each.key for each in self._standing if each.reviewer == reviewer)

    def find(self, key: SampleKey, reviewer: str) -> Opinion | None:
        """Return a reviewer's opinion of a sample; None if there is none."""
        with self._lock:
            return self._by_sample.get(key, {}).get(reviewer)

    def list_others(self, key: SampleKey, reviewer: str) -> tuple[Opinion, ...]:
        """List the opinions of a sample of all but this reviewer."""
        with self._lock:
            its = self._by_sample.get(key, {})
            return tuple(each for name, each in its.items() if name != reviewer)

    def list_visible(self, key: SampleKey, reviewer: str) -> tuple[Opinion, ...]:
        """List the opinions of a sample that a reviewer may know of: none before an own one."""
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
            seen: id of the reviewer's standing opinion of the sample as the page showed it; empty
                for none.

        Raises:
            Outdated: another one stands by now; nothing is written.
            RunError: the file cannot be read or written.
        """

        def check(opinions: tuple[Opinion, ...]) -> tuple[Opinion, ...]:
            of_sample = [each for each in opinions if each.key == opinion.key]
            own = _find_last(list_standing(of_sample), opinion.reviewer)
            if (own.id if own else "") != seen:
                raise Outdated(
                    "You changed the category of this sample meanwhile, in another tab. Nothing "
                    "was saved now; it is shown as it stands."
                )
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
            last = _find_last(list_standing(opinions), reviewer)
            if last is None:
                raise Outdated("There is nothing to undo.")
            if last.id != expected:
                raise Outdated(
                    "Your latest category is another one by now, made in another tab. Nothing was "
                    "undone; press again to undo that one."
                )
            undone.append(last)
            return (replace(last, category=None, note="", made_at=datetime.now(UTC)),)

        undone: list[Opinion] = []
        self._file.append_after(take_back)
        self.refresh()
        return undone[0]


def _find_last(standing: tuple[Opinion, ...], reviewer: str) -> Opinion | None:
    return next((each for each in reversed(standing) if each.reviewer == reviewer), None)
