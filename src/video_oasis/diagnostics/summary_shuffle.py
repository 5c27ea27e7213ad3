"""Summary with its captions in a random order: the control of arXiv 2603.29616, section 3.1.

Where models do as well as under ``summary``, the captions gave the answer without their order.
"""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_trials import seeding_content
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence, Need
from video_oasis.diagnostics.text_trials import make_text_trial
from video_oasis.hashing import order_by_hash
from video_oasis.prompts import captions_question, number_captions
from video_oasis.schema import Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    shuffled = order_by_hash(evidence.texts, seed=evidence.seed, content=seeding_content(sample))
    context = number_captions(shuffled)
    return [make_text_trial("summary_shuffle", sample, context, captions_question)]


SUMMARY_SHUFFLE: Final = Diagnostic(
    name="summary_shuffle",
    axis=Axis.CONTROL,
    evidence="captions of eight equal chunks, in a random order",
    trials=_trials,
    need=Need.CAPTIONS,
)
