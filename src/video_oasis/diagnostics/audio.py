"""Audio: what is said in the clip, with times (arXiv 2603.29616, section 3.1)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence, Need
from video_oasis.diagnostics.text_trials import make_text_trial
from video_oasis.prompts import speech_question
from video_oasis.schema import Sample, Trial


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return [make_text_trial("audio", sample, "\n".join(evidence.texts), speech_question)]


AUDIO: Final = Diagnostic(
    name="audio",
    axis=Axis.VISUAL,
    evidence="what is said in the clip, with times",
    trials=_trials,
    need=Need.SPEECH,
)
