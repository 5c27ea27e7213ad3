"""Uniform frames, as many as temporal grounding picks: what grounding is compared with."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.candidates import N_KEYFRAMES
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import Sampling, Uniform
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(Uniform(min(N_KEYFRAMES, settings.max_frames)), sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("uniform_16", sample, [evidence.thin(evidence.frames)])


UNIFORM_16: Final = Diagnostic(
    name="uniform_16",
    axis=Axis.REFERENCE,
    evidence=f"{N_KEYFRAMES} uniform frames in order",
    trials=_trials,
    sampling=_sampling,
)
