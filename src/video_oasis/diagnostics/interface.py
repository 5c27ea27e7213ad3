"""What a diagnostic is to the rest of the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.media.sampling import Sampling
from video_oasis.media.views import Frames, uniform
from video_oasis.schema import Form, Sample, Trial


class Axis(StrEnum):
    """What a diagnostic asks about a benchmark (arXiv 2603.29616, section 3)."""

    VISUAL = "visual"
    """Is the picture needed at all?"""
    TEMPORAL = "temporal"
    """Is more than one frame, or their order, needed?"""
    REFERENCE = "reference"
    """What do models answer that are shown the video as usual?"""
    CONTROL = "control"
    """Does a test find what it finds for the reason it is meant to?"""
    AMBIGUITY = "ambiguity"
    """Does the question mean one stretch of the video and no other?"""


class Need(StrEnum):
    """What a diagnostic needs of a video, besides frames."""

    SPEECH = "speech"
    """What is said in the clip; samples of clips without speech are left out."""
    CAPTIONS = "captions"
    """A caption of each eighth of the clip."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What trials are made from, besides the sample itself.

    Attributes:
        frames: what the diagnostic's sampling took, in order of presentation; empty if it names no
            sampling.
        max_frames: the most frames that one request may show; None for no limit.
        seed: the audit's seed for random orders.
        texts: what the diagnostic needs besides frames: lines of speech with times, or the captions
            of the clip's chunks, in order.
        relevance: of each frame to the question, larger for more, if the diagnostic ranks frames.
        budget: the most frames that the audit shows in one request; None for no limit.
    """

    frames: Frames = ()
    max_frames: int | None = None
    seed: int = 0
    texts: tuple[str, ...] = ()
    relevance: Sequence[float] = ()
    budget: int | None = None

    def thin(self, frames: Frames) -> Frames:
        """Return so many of these frames as one request may show, evenly chosen."""
        return frames if self.max_frames is None else uniform(frames, self.max_frames)

    def at_most(self, n: int) -> int:
        """Return n, or as many frames as one request may show if those are fewer."""
        limits = (self.max_frames, self.budget)
        return min([n, *(limit for limit in limits if limit is not None)])


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A test that withholds part of the evidence.

    Attributes:
        name: its name on the command line and in the long table.
        axis: the question it belongs to.
        evidence: what a model is shown besides question and choices, in a few words.
        trials: the trials it makes of one sample; empty where it does not apply to the sample.
        sampling: which frames of the sample's video it shows, or chooses from; it gives None for a
            sample that the diagnostic does not apply to. None if it shows none.
        need: what else it needs of the video; None for nothing.
        form: what its requests ask for.
        n_requests: the most trials it makes of one sample.
        changes_order: whether it shows its frames in another order than the video does.
        ranks_frames: whether it needs to know how relevant each frame is to the question.
        most_frames: the most frames that its requests show, if fewer than its sampling takes.
    """

    name: str
    axis: Axis
    evidence: str
    trials: Callable[[Sample, Evidence], Sequence[Trial]]
    sampling: Callable[[Sample, FrameSettings], Sampling | None] | None = None
    need: Need | None = None
    form: Form = Form.QUESTION
    n_requests: int = 1
    changes_order: bool = False
    ranks_frames: bool = False
    most_frames: int | None = None

    @property
    def is_test(self) -> bool:
        """Whether its verdicts count: those of all visual and temporal diagnostics do."""
        return self.axis in (Axis.VISUAL, Axis.TEMPORAL)
