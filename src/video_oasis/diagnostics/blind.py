"""Blind: the question and its choices, nothing of the video (arXiv 2603.29616, section 3.1)."""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.prompts import blind_question, choice_letters
from video_oasis.schema import Request, Sample, Trial


def _trials(sample: Sample, _evidence: Evidence) -> Sequence[Trial]:
    order = tuple(range(len(sample.choices)))
    request = Request(
        system="",
        text=blind_question(sample.question, sample.choices),
        letters=choice_letters(len(sample.choices)),
    )
    return [Trial(sample=sample, diagnostic="blind", part=0, request=request, order=order)]


BLIND: Final = Diagnostic(name="blind", axis=Axis.VISUAL, evidence="none", trials=_trials)
