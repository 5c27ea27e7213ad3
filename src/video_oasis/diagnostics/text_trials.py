"""Turns text made of a sample's video into a trial."""

from collections.abc import Callable, Sequence

from video_oasis.prompts import choice_letters
from video_oasis.schema import Request, Sample, Trial

WordQuestion = Callable[[str, str, Sequence[str]], str]
"""Words a request from the text, the question and the choices."""


def make_text_trial(
    diagnostic: str, sample: Sample, context: str, word_question: WordQuestion
) -> Trial:
    """Make the trial that shows a text instead of the video, choices in published order.

    Args:
        diagnostic: name of the diagnostic.
        sample: the sample.
        context: the text.
        word_question: how it is worded.
    """
    return Trial(
        sample=sample,
        diagnostic=diagnostic,
        part=0,
        request=Request(
            system="",
            text=word_question(context, sample.question, sample.choices),
            letters=choice_letters(len(sample.choices)),
        ),
        order=tuple(range(len(sample.choices))),
        context=context,
    )
