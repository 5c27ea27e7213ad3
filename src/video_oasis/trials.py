"""Makes the trials of one diagnostic from samples and what was prepared of their videos."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.evidence.prepared import Prepared, TextKey, relevance_key
from video_oasis.evidence.wanted import timeline_key
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import Sampling
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
        what: the evidence: ``video``, ``relevance``, ``speech`` or ``captions``.
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
    n_rotations: int = 1,
) -> Trials:
    """Make every trial of a diagnostic that can be asked, and say of the rest why it cannot.

    Args:
        samples: the samples.
        diagnostic: the diagnostic.
        prepared: what was made of the samples' videos.
        settings: the frame budget that the timelines were taken with.
        max_frames: the most frames that the asked model takes; None for no limit.
        n_rotations: in how many rotations of its choices each sample is shown, at most one for each
            choice. Choices to be matched one by one have no order, and are shown in one.
    """
    if diagnostic.form is Form.MATCHING:
        n_rotations = 1
    asked: list[Trial] = []
    unshown: list[Unshown] = []
    excluded: list[Excluded] = []
    cut: list[str] = []
    for sample in samples:
        shifts = _list_shifts(len(sample.choices), n_rotations)
        found = _find_evidence(sample, diagnostic, prepared, settings, max_frames, len(shifts))
        if isinstance(found, Unshown):
            unshown.append(found)
            continue
        if isinstance(found, Excluded):
            excluded.append(found)
            continue
        if found.is_cut:
            cut.append(sample.id)
        evidence, frames = found.evidence, found.frames
        trials = diagnostic.trials(sample, evidence)
        if not trials:
            excluded.append(Excluded(sample.id, DOES_NOT_APPLY))
        elif frames is not None and _withholds_nothing(
            diagnostic, trials, frames, evidence, settings
        ):
            excluded.append(Excluded(sample.id, WITHHOLDS_NOTHING))
        else:
            asked += trials
            for shift in shifts[1:]:
                rotated = diagnostic.trials(_rotate(sample, shift), evidence)
                asked += (_turn_back(trial, sample, shift) for trial in rotated)
    return Trials(tuple(asked), tuple(unshown), tuple(excluded), tuple(cut))


@dataclass(frozen=True, slots=True)
class _Found:
    evidence: Evidence
    frames: Timeline | None
    is_cut: bool


def _find_evidence(
    sample: Sample,
    diagnostic: Diagnostic,
    prepared: Prepared,
    settings: FrameSettings,
    max_frames: int | None,
    n_shifts: int,
) -> _Found | Unshown | Excluded:
    n_requests = diagnostic.n_requests * n_shifts
    frames: Timeline | None = None
    relevance: Sequence[float] = ()
    if diagnostic.sampling is not None:
        sampling = diagnostic.sampling(sample, settings)
        if sampling is None:
            return Excluded(sample.id, DOES_NOT_APPLY)
        n_frames = n_shifts * _count_frames(diagnostic, sampling, sample)
        found = prepared.timelines.get(timeline_key(sample, sampling))
        if not isinstance(found, Timeline):
            return Unshown(sample, "video", found, n_requests, n_frames)
        frames = found
        if diagnostic.ranks_frames:
            ranked = prepared.relevances.get(relevance_key(sample, sampling))
            if ranked is None or isinstance(ranked, MediaFailure):
                return Unshown(sample, "relevance", ranked, n_requests, n_frames)
            relevance = ranked
    texts: tuple[str, ...] = ()
    is_cut = False
    if diagnostic.need is not None:
        text = prepared.texts.get(TextKey(sample.benchmark, sample.id, diagnostic.need))
        if text is None or isinstance(text, MediaFailure):
            return Unshown(sample, diagnostic.need.value, text, n_requests, 0)
        if text.outside:
            return Excluded(sample.id, text.outside)
        texts, is_cut = text.parts, text.is_cut
    evidence = Evidence(
        frames=() if frames is None else frames.frames,
        max_frames=max_frames,
        seed=settings.seed,
        texts=texts,
        relevance=relevance,
        budget=settings.max_frames,
    )
    return _Found(evidence, frames, is_cut)


def _count_frames(diagnostic: Diagnostic, sampling: Sampling, sample: Sample) -> int:
    n_taken = sampling.count_at_most(sample.video.duration_seconds)
    return n_taken if diagnostic.most_frames is None else min(n_taken, diagnostic.most_frames)


def _list_shifts(n_choices: int, n_rotations: int) -> tuple[int, ...]:
    """Spread the rotations evenly: of four choices, two are the published order and a half turn."""
    n_shown = min(n_choices, n_rotations)
    return tuple(number * n_choices // n_shown for number in range(n_shown))


def _rotate(sample: Sample, shift: int) -> Sample:
    return replace(
        sample,
        choices=sample.choices[shift:] + sample.choices[:shift],
        target=(sample.target - shift) % len(sample.choices),
    )


def _turn_back(trial: Trial, sample: Sample, shift: int) -> Trial:
    """Make a trial of a rotated sample one of the sample itself, in another order."""
    order = tuple((choice + shift) % len(sample.choices) for choice in trial.order)
    return replace(trial, sample=sample, order=order, rotation=shift)


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
