"""Frames at one a second: those that are matched with texts, or ranked by them."""

from collections.abc import Callable, Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Evidence
from video_oasis.media.sampling import PerSecond, Sampling
from video_oasis.schema import Sample, Trial

N_KEYFRAMES: Final = 16
"""How many frames temporal grounding picks (arXiv 2603.29616, section 4)."""

_CANDIDATES: Final = PerSecond(fps=1.0, cap=2048)


def take_candidates(sample: Sample, settings: FrameSettings) -> Sampling:
    """Return the sampling that holds all candidates of a sample's clip."""
    return settings.take(_CANDIDATES, sample.video)


def show_keyframes(
    diagnostic: str,
    sample: Sample,
    evidence: Evidence,
    pick: Callable[[Sequence[float], int], tuple[int, ...]],
) -> Sequence[Trial]:
    """Make the trial that shows the candidates picked by their relevance, in order of time.

    Args:
        diagnostic: name of the diagnostic.
        sample: the sample; without a question nothing is relevant, and there is no trial.
        evidence: the candidates and their relevance.
        pick: picks so many of the candidates by their relevance: their positions, ascending.
    """
    if not sample.question:
        return []
    picked = pick(evidence.relevance, evidence.at_most(N_KEYFRAMES))
    frames = tuple(evidence.frames[position] for position in picked)
    return make_trials(diagnostic, sample, [frames])
