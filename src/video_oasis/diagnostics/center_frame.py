"""Center frame: the middle of the clip as one image (arXiv 2603.29616, section 3.2)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import CENTRE, Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(CENTRE, sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("center_frame", sample, [evidence.frames])


CENTER_FRAME: Final = Diagnostic(
    name="center_frame",
    axis=Axis.TEMPORAL,
    evidence="the frame at the middle of the clip",
    trials=_trials,
    sampling=_sampling,
)
