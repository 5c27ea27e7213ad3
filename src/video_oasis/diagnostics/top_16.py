"""The frames most like the question, in order: the plainest temporal grounding."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.candidates import N_KEYFRAMES, show_keyframes, take_candidates
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.keyframes import pick_top
from video_oasis.schema import Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return show_keyframes("top_16", sample, evidence, pick_top)


TOP_16: Final = Diagnostic(
    name="top_16",
    axis=Axis.REFERENCE,
    evidence=f"the {N_KEYFRAMES} frames most like the question, in order",
    trials=_trials,
    sampling=take_candidates,
    ranks_frames=True,
    most_frames=N_KEYFRAMES,
)
