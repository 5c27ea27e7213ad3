"""One person's judgement of one sample."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from video_oasis.errors import SchemaError
from video_oasis.hashing import content_id
from video_oasis.schema import SampleKey

CHECKS: Final = ("consistency", "redundancy", "sensitivity")
"""The checks that put samples before a person, as ``analysis.ambiguity`` names them."""


class Decision(StrEnum):
    """What a person decides about a sample."""

    KEEP = "keep"
    """Nothing is wrong with it; what the tests say of it holds."""
    WRONG_LABEL = "wrong_label"
    """Drop it: the published answer is wrong."""
    AMBIGUOUS = "ambiguous"
    """Drop it: the question or the choices do not mean one answer."""
    SEVERAL_RIGHT = "several_right"
    """Drop it: more than one choice is right."""
    BROKEN_VIDEO = "broken_video"
    """Drop it: the video cannot be watched, or is another one."""
    OTHER = "other"
    """Drop it for the reason that the note gives."""
    RESTORE = "restore"
    """The order of events matters after all; it is no shortcut that shuffled frames suffice."""
    CORRECT = "correct"
    """The right answer is another choice."""
    SKIP = "skip"
    """Looked at, without an opinion."""
    WITHDRAW = "withdraw"
    """Take back the reviewer's latest standing judgement of the sample under the same check."""


DROPS: Final = frozenset(
    {
        Decision.WRONG_LABEL,
        Decision.AMBIGUOUS,
        Decision.SEVERAL_RIGHT,
        Decision.BROKEN_VIDEO,
        Decision.OTHER,
    }
)
"""The decisions that drop a sample."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision of one reviewer about one sample; never changed, only followed by others.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        reviewer: who decided.
        check: the check whose queue the sample was looked at in; empty outside any queue.
        decision: what was decided.
        choice: index of the choice that is right; None unless the decision is to correct.
        note: what the reviewer adds; needed where the decision is ``other``.
        made_at: when; any time zone is turned into UTC.
    """

    benchmark: str
    sample_id: str
    reviewer: str
    check: str
    decision: Decision
    choice: int | None
    note: str
    made_at: datetime

    def __post_init__(self) -> None:
        """Check the fields and turn the time into UTC.

        Raises:
            SchemaError: one breaks its rule; the message begins with the field's name.
        """
        for name in ("benchmark", "sample_id", "reviewer"):
            if not getattr(self, name).strip():
                raise SchemaError(f"{name} is empty")
        if self.reviewer != self.reviewer.strip():
            raise SchemaError(
                f"reviewer is {self.reviewer!r}; expected no white space around the name, which "
                f"would make two reviewers of one"
            )
        if self.check and self.check not in CHECKS:
            raise SchemaError(
                f"check is {self.check!r}; expected {', '.join(CHECKS)}, or nothing outside them"
            )
        if (self.choice is not None) != (self.decision is Decision.CORRECT):
            raise SchemaError(
                f"choice is {self.choice!r} and the decision {self.decision.value!r}; expected a "
                f"choice with 'correct', and none otherwise"
            )
        if self.choice is not None and self.choice < 0:
            raise SchemaError(f"choice is {self.choice}; expected an index, 0 for the first choice")
        if self.decision is Decision.OTHER and not self.note.strip():
            raise SchemaError("note is empty; expected the reason, as the decision is 'other'")
        if self.made_at.tzinfo is None:
            raise SchemaError(
                f"made_at is {self.made_at.isoformat()!r}, without a time zone; expected one, such "
                f"as {self.made_at.isoformat()}Z for UTC"
            )
        try:
            object.__setattr__(self, "made_at", self.made_at.astimezone(UTC))
        except OverflowError:
            raise SchemaError(f"made_at is {self.made_at.isoformat()!r}; expected a time") from None

    @property
    def key(self) -> SampleKey:
        """The sample that is judged."""
        return self.benchmark, self.sample_id

    @property
    def id(self) -> str:
        """Content id over all fields: the same judgement in two files is one."""
        return content_id("judgement1", self.plain())

    def plain(self) -> dict[str, str | int | None]:
        """Return the fields as plain data, in the one form that files and ids have them in."""
        return {
            "benchmark": self.benchmark,
            "sample_id": self.sample_id,
            "reviewer": self.reviewer,
            "check": self.check,
            "decision": self.decision.value,
            "choice": self.choice,
            "note": self.note,
            "made_at": self.made_at.isoformat(timespec="microseconds"),
        }
