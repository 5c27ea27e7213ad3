"""Standard: the video as models are evaluated on it (arXiv 2603.29616, section 4).

Uniform frames in order, one a second up to the budget. The other diagnostics are read against it.
"""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(settings.at_fixed_rate, sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("standard", sample, [evidence.thin(evidence.frames)])


STANDARD: Final = Diagnostic(
    name="standard",
    axis=Axis.REFERENCE,
    evidence="uniform frames in order, one a second up to the budget",
    trials=_trials,
    sampling=_sampling,
)
