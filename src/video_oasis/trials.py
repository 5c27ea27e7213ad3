"""Makes the trials of one diagnostic from samples and what was prepared of their videos."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.evidence.prepared import Prepared, TextKey
from video_oasis.evidence.wanted import timeline_key
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.schema import Form, Sample, Trial

WITHHOLDS_NOTHING: Final = "withholds_nothing"
"""Why a sample is outside a test: the model would see, in order, no fewer frames than under
``standard``."""
DOES_NOT_APPLY: Final = "does_not_apply"
"""Why a sample is outside a test: the diagnostic itself makes no trial of it."""


@dataclass(frozen=True, slots=True)
class Unshown:
    """A sample that a model cannot be asked about, because evidence is lacking.

    Attributes:
        sample: the sample.
        what: the evidence: ``video``, ``speech`` or ``captions``.
        failure: why there is none; None if it has not been looked at yet.
        n_requests: the most requests that would be made of the sample.
        n_frames: the most frames in all of them, as far as the video's length is published.
    """

    sample: Sample
    what: str
    failure: MediaFailure | None
    n_requests: int
    n_frames: int


@dataclass(frozen=True, slots=True)
class Excluded:
    """A sample that a test says nothing about; it is not asked and in none of the test's numbers.

    Attributes:
        sample_id: the sample.
        reason: a constant word for why.
    """

    sample_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Trials:
    """What one diagnostic makes of the samples of one benchmark.

    Attributes:
        asked: the trials to ask.
        unshown: the samples without evidence; their answers are errors or missing, never wrong.
        excluded: the samples outside the test.
        cut: ids of samples whose text is shown only in part, because it is too long.
    """

    asked: tuple[Trial, ...]
    unshown: tuple[Unshown, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    cut: tuple[str, ...] = ()


def make_trials(
    samples: Sequence[Sample],
    diagnostic: Diagnostic,
    prepared: Prepared,
    settings: FrameSettings,
    max_frames: int | None,
) -> Trials:
    """Make every trial of a diagnostic that can be asked, and say of the rest why it cannot.

    Args:
        samples: the samples.
        diagnostic: the diagnostic.
        prepared: what was made of the samples' videos.
        settings: the frame budget that the timelines were taken with.
        max_frames: the most frames that the asked model takes; None for no limit.
    """
    asked: list[Trial] = []
    unshown: list[Unshown] = []
    excluded: list[Excluded] = []
    cut: list[str] = []
    for sample in samples:
        frames: Timeline | None = None
        if diagnostic.sampling is not None:
            sampling = diagnostic.sampling(sample, settings)
            found = prepared.timelines.get(timeline_key(sample, sampling))
            if not isinstance(found, Timeline):
                n_frames = sampling.count_at_most(sample.video.duration_seconds)
                unshown.append(Unshown(sample, "video", found, diagnostic.n_requests, n_frames))
                continue
            frames = found
        texts: tuple[str, ...] = ()
        if diagnostic.need is not None:
            text = prepared.texts.get(TextKey(sample.benchmark, sample.id, diagnostic.need))
            if text is None or isinstance(text, MediaFailure):
                unshown.append(
                    Unshown(sample, diagnostic.need.value, text, diagnostic.n_requests, 0)
                )
                continue
            if text.outside:
                excluded.append(Excluded(sample.id, text.outside))
                continue
            if text.is_cut:
                cut.append(sample.id)
            texts = text.parts
        evidence = Evidence(
            frames=() if frames is None else frames.frames,
            max_frames=max_frames,
            seed=settings.seed,
            texts=texts,
        )
        trials = diagnostic.trials(sample, evidence)
        if not trials:
            excluded.append(Excluded(sample.id, DOES_NOT_APPLY))
        elif frames is not None and _withholds_nothing(
            diagnostic, trials, frames, evidence, settings
        ):
            excluded.append(Excluded(sample.id, WITHHOLDS_NOTHING))
        else:
            asked += trials
    return Trials(tuple(asked), tuple(unshown), tuple(excluded), tuple(cut))


def _withholds_nothing(
    diagnostic: Diagnostic,
    trials: Sequence[Trial],
    timeline: Timeline,
    evidence: Evidence,
    settings: FrameSettings,
) -> bool:
    """Tell whether a test shows, in order, no fewer frames than ``standard`` would.

    Digests are compared, not times: a clip whose frames all look the same is the same backwards. A
    bag of several frames always withholds their order.
    """
    if diagnostic.axis is Axis.REFERENCE or len(trials) != 1:
        return False
    shown = trials[0].request.pictures
    if diagnostic.form is Form.MATCHING and len(shown) > 1:
        return False
    if shown != tuple(frame.digest for frame in evidence.thin(evidence.frames)):
        return False
    if diagnostic.changes_order:
        return True
    n_moments = len(settings.at_fixed_rate.times(0.0, timeline.window_seconds))
    n_standard = min(n_moments, timeline.n_window_frames, evidence.max_frames or n_moments)
    return len(shown) >= n_standard
