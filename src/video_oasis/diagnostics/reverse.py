"""Reverse: the clip's frames backwards with new times (arXiv 2410.07752, section 4)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media import views
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(settings.at_full_budget, sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    backwards = views.reverse(evidence.thin(evidence.frames))
    return make_trials("reverse", sample, [backwards])


REVERSE: Final = Diagnostic(
    name="reverse",
    axis=Axis.TEMPORAL,
    evidence="uniform frames up to the budget, last to first",
    trials=_trials,
    sampling=_sampling,
    changes_order=True,
)
