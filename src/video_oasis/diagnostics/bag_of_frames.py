"""Bag of frames: frames matched with question and choices, without time.

Frames at one a second, at most 2,048; a model of the CLIP family picks those nearest to the
question and answers with the choice nearest to them (arXiv 2603.29616, section 3.2).
"""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.candidates import take_candidates
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.prompts import choice_letters
from video_oasis.schema import Form, Request, Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    if not sample.question:
        return []
    request = Request(
        system="",
        text=sample.question,
        letters=choice_letters(len(sample.choices)),
        frames=evidence.thin(evidence.frames),
        choices=sample.choices,
    )
    order = tuple(range(len(sample.choices)))
    return [Trial(sample, "bag_of_frames", part=0, request=request, order=order)]


BAG_OF_FRAMES: Final = Diagnostic(
    name="bag_of_frames",
    axis=Axis.TEMPORAL,
    evidence="frames at one a second, as a set to match texts with",
    trials=_trials,
    sampling=take_candidates,
    form=Form.MATCHING,
)
