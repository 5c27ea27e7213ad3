"""Chunk: each eighth of the clip alone, as a video (redundancy, arXiv 2603.29616, section 3.3)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media import views
from video_oasis.media.sampling import Sampling, Uniform
from video_oasis.schema import Sample, Trial

N_CHUNKS: Final = 8
FRAMES_PER_CHUNK: Final = 16


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    per_chunk = min(FRAMES_PER_CHUNK, settings.max_frames)
    return settings.take(Uniform(N_CHUNKS * per_chunk), sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    cut = views.chunks(evidence.frames, N_CHUNKS, FRAMES_PER_CHUNK)
    return make_trials("chunk", sample, [evidence.thin(frames) for frames in cut])


CHUNK: Final = Diagnostic(
    name="chunk",
    axis=Axis.AMBIGUITY,
    evidence=f"one of {N_CHUNKS} equal chunks, {FRAMES_PER_CHUNK} frames each",
    trials=_trials,
    sampling=_sampling,
    n_requests=N_CHUNKS,
)
