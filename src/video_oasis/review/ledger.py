"""Keeps in memory which judgements stand, in step with the journal on disk."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from video_oasis.categorization.opinions import OpinionFile
from video_oasis.growing_file import START, Place
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.judgements.standing import list_conflicts, list_standing
from video_oasis.review.category_ledger import CategoryLedger
from video_oasis.review.outdated import Outdated
from video_oasis.schema import SampleKey


class Ledger:
    """The judgements of a run, for the many requests of a page; safe in several threads.

    Attributes:
        categories: the categories that people gave to samples; None if the run has none.
    """

    _place: Place
    _stamp: tuple[int, int, int] | None
    _made: dict[SampleKey, list[Judgement]]
    _standing: dict[SampleKey, dict[str, Judgement]]
    _judged: dict[str, set[SampleKey]]
    _conflicts: set[SampleKey]

    def __init__(self, journal: Journal, opinions: OpinionFile | None = None) -> None:
        """Read a journal, and opinions about categories if the run has any.

        Raises:
            RunError: one of them is damaged.
        """
        self._journal = journal
        self.categories = None if opinions is None else CategoryLedger(opinions)
        self._lock = threading.RLock()
        self._forget()
        self.refresh()

    def refresh(self) -> None:
        """Take up what other processes wrote meanwhile.

        The journal only grows; if it was edited by hand it is read anew where that shows.

        Raises:
            RunError: the journal, or the file of opinions, is damaged.
        """
        with self._lock:
            if self.categories:
                self.categories.refresh()
            try:
                found = self._journal.path.stat()
            except FileNotFoundError:
                self._forget()
                return
            stamp = (found.st_ino, found.st_size, found.st_mtime_ns)
            if stamp == self._stamp:
                return
            if self._stamp and (found.st_ino != self._stamp[0] or found.st_size < self._stamp[1]):
                self._forget()
            added, self._place = self._journal.read_on(self._place)
            for judgement in added:
                self._made.setdefault(judgement.key, []).append(judgement)
            for key in {judgement.key for judgement in added}:
                self._weigh(key)
            self._stamp = stamp

    @property
    def reviewers(self) -> list[str]:
        """Everyone whose judgement of some sample stands, by name."""
        with self._lock:
            return sorted(name for name, judged in self._judged.items() if judged)

    @property
    def conflicts(self) -> frozenset[SampleKey]:
        """The samples about which opinions differ."""
        with self._lock:
            return frozenset(self._conflicts)

    def list_judged(self, reviewer: str) -> frozenset[SampleKey]:
        """List the samples on which a judgement of this reviewer stands."""
        with self._lock:
            return frozenset(self._judged.get(reviewer, ()))

    def find(self, key: SampleKey, reviewer: str) -> Judgement | None:
        """Return a reviewer's standing judgement of a sample; None if there is none."""
        with self._lock:
            return self._standing.get(key, {}).get(reviewer)

    def list_others(self, key: SampleKey, reviewer: str) -> tuple[Judgement, ...]:
        """List the standing judgements of a sample by all but this reviewer."""
        with self._lock:
            standing = self._standing.get(key, {})
            return tuple(each for name, each in standing.items() if name != reviewer)

    def list_visible(self, key: SampleKey, reviewer: str) -> tuple[Judgement, ...]:
        """List the standing judgements of a sample that a reviewer may know of.

        Others' are hidden until the reviewer has an opinion; to skip is to have none.
        """
        own = self.find(key, reviewer)
        if own is None:
            return ()
        if own.decision is Decision.SKIP:
            return (own,)
        return (own, *self.list_others(key, reviewer))

    def find_last(self, reviewer: str) -> Judgement | None:
        """Return the reviewer's latest judgement that stands; None if there is none."""
        with self._lock:
            own = (self._standing[key][reviewer] for key in self._judged.get(reviewer, ()))
            return max(own, key=lambda each: (each.made_at, each.key), default=None)

    def record(self, judgement: Judgement, *, seen: str) -> Judgement:
        """Write a judgement to the journal; it is on disk when this returns.

        Args:
            judgement: the judgement; its time is moved on where the clock went backwards, so that
                it stands.
            seen: id of the reviewer's standing judgement of the sample as the page showed it;
                empty for none.

        Returns:
            The judgement as written.

        Raises:
            Outdated: another one stands by now; nothing is written.
            RunError: the journal cannot be written.
        """
        with self._lock:
            self.refresh()
            own = self.find(judgement.key, judgement.reviewer)
            if (own.id if own else "") != seen:
                raise Outdated(
                    "You judged this sample meanwhile, in another tab. Nothing was saved now; it "
                    "is shown as it stands."
                    if own
                    else "Your judgement of this sample was taken back meanwhile, in another tab. "
                    "Nothing was saved now."
                )
            return self._append(judgement)

    def undo(self, reviewer: str, *, expected: str) -> Judgement:
        """Take back the reviewer's latest judgement that stands.

        Args:
            reviewer: the reviewer.
            expected: id of that judgement as the page knows it.

        Returns:
            The judgement taken back.

        Raises:
            Outdated: another one is the latest by now, or there is none; nothing is written.
            RunError: the journal cannot be written.
        """
        with self._lock:
            self.refresh()
            last = self.find_last(reviewer)
            if last is None:
                raise Outdated("There is nothing to undo.")
            if last.id != expected:
                raise Outdated(
                    "Your latest judgement is another one by now, made in another tab. Nothing was "
                    "undone; press again to undo that one."
                )
            self._append(
                replace(
                    last,
                    decision=Decision.WITHDRAW,
                    choice=None,
                    note="",
                    made_at=datetime.now(UTC),
                )
            )
            return last

    def _append(self, judgement: Judgement) -> Judgement:
        earlier = [
            each.made_at
            for each in self._made.get(judgement.key, ())
            if each.reviewer == judgement.reviewer
        ]
        if earlier and judgement.made_at <= max(earlier):
            judgement = replace(judgement, made_at=max(earlier) + timedelta(microseconds=1))
        self._journal.append(judgement)
        self.refresh()
        return judgement

    def _forget(self) -> None:
        self._place, self._stamp = START, None
        self._made, self._standing = {}, {}
        self._judged, self._conflicts = {}, set()

    def _weigh(self, key: SampleKey) -> None:
        """Find what stands of a sample, after its judgements changed."""
        judgements = self._made[key]
        standing = {each.reviewer: each for each in list_standing(judgements)}
        self._standing[key] = standing
        for reviewer in {each.reviewer for each in judgements}:
            judged = self._judged.setdefault(reviewer, set())
            if reviewer in standing:
                judged.add(key)
            else:
                judged.discard(key)
        if list_conflicts(standing.values()):
            self._conflicts.add(key)
        else:
            self._conflicts.discard(key)
