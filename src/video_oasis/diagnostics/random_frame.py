"""Random frame: one frame of the clip, any as likely as another (arXiv 2410.07752, section 4)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials, seeding_content
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import RandomMoment, Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(RandomMoment(settings.seed, seeding_content(sample)), sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("random_frame", sample, [evidence.frames])


RANDOM_FRAME: Final = Diagnostic(
    name="random_frame",
    axis=Axis.TEMPORAL,
    evidence="one frame at a random moment of the clip",
    trials=_trials,
    sampling=_sampling,
)
