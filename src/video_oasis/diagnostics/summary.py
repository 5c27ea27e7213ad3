"""Summary: captions of the clip's eighths, in order (arXiv 2603.29616, section 3.1)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence, Need
from video_oasis.diagnostics.text_trials import make_text_trial
from video_oasis.prompts import captions_question, number_captions
from video_oasis.schema import Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    context = number_captions(evidence.texts)
    return [make_text_trial("summary", sample, context, captions_question)]


SUMMARY: Final = Diagnostic(
    name="summary",
    axis=Axis.VISUAL,
    evidence="captions of eight equal chunks, in order",
    trials=_trials,
    need=Need.CAPTIONS,
)
