"""Adaptive keyframes: frames like the question and spread over the clip (arXiv 2502.21271)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.candidates import N_KEYFRAMES, show_keyframes, take_candidates
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.keyframes import pick_adaptively
from video_oasis.schema import Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return show_keyframes("keyframes_16", sample, evidence, pick_adaptively)


KEYFRAMES_16: Final = Diagnostic(
    name="keyframes_16",
    axis=Axis.REFERENCE,
    evidence=f"{N_KEYFRAMES} frames like the question and spread over the clip, in order",
    trials=_trials,
    sampling=take_candidates,
    ranks_frames=True,
    most_frames=N_KEYFRAMES,
)
