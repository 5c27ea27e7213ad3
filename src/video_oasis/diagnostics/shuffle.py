"""Shuffle: the clip's frames in a random order with new times (arXiv 2603.29616, section 3.2)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials, seeding_content
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media import views
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling:
    return settings.take(settings.at_full_budget, sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    frames = evidence.thin(evidence.frames)
    shuffled = views.shuffle(frames, seed=evidence.seed, content=seeding_content(sample))
    return make_trials("shuffle", sample, [shuffled])


SHUFFLE: Final = Diagnostic(
    name="shuffle",
    axis=Axis.TEMPORAL,
    evidence="uniform frames up to the budget, in a random order",
    trials=_trials,
    sampling=_sampling,
    changes_order=True,
)
