"""Chunk: each eighth of the clip alone, as a video (redundancy, arXiv 2603.29616, section 3.3)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.eighths import FRAMES_PER_CHUNK, N_CHUNKS, cut_eighths, take_eighths
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return take_eighths(sample.video, settings)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("chunk", sample, [*map(evidence.thin, cut_eighths(evidence.frames))])


CHUNK: Final = Diagnostic(
    name="chunk",
    axis=Axis.AMBIGUITY,
    evidence=f"one of {N_CHUNKS} equal chunks, {FRAMES_PER_CHUNK} frames each",
    trials=_trials,
    sampling=_sampling,
    n_requests=N_CHUNKS,
)
