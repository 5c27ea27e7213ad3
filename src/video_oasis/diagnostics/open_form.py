"""Turns a diagnostic that asks for a choice into one that asks for an answer in words."""

from collections.abc import Sequence
from dataclasses import replace

from video_oasis.diagnostics.interface import Diagnostic, Evidence, Need
from video_oasis.errors import SettingsError
from video_oasis.prompts import open_question
from video_oasis.schema import Form, Request, Sample, Trial


def ask_openly(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic that shows the same evidence and asks for words.

    It is meant for open questions as samples (``OpenQuestion.as_sample``): choices are not shown.

    Raises:
        SettingsError: the diagnostic has models match choices with pictures, or asks several
            requests of one question.
    """
    if diagnostic.form is Form.MATCHING:
        raise SettingsError(
            f"diagnostic {diagnostic.name}: matches choices with pictures, and open questions have "
            f"no choices; leave it out"
        )
    if diagnostic.n_requests > 1:
        raise SettingsError(
            f"diagnostic {diagnostic.name}: asks {diagnostic.n_requests} requests of one question, "
            f"whose answers in words cannot be put together; leave it out"
        )

    def make_trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
        return [_reword(trial, diagnostic) for trial in diagnostic.trials(sample, evidence)]

    return replace(diagnostic, form=Form.OPEN, trials=make_trials)


def _reword(trial: Trial, diagnostic: Diagnostic) -> Trial:
    text = open_question(
        trial.sample.question,
        len(trial.request.frames),
        speech=trial.context if diagnostic.need is Need.SPEECH else "",
        captions=trial.context if diagnostic.need is Need.CAPTIONS else "",
    )
    request = Request(trial.request.system, text, letters=(), frames=trial.request.frames)
    return replace(trial, request=request)
