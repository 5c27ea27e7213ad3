"""Reads a reply that is meant to be text, such as a caption."""

import re
from typing import Final

from video_oasis.answers.cleaning import remove_reasoning
from video_oasis.answers.refusals import is_refusal, is_server_failure
from video_oasis.schema import Answer, FinishReason

# A description may well say that something cannot be seen; only who speaks of itself refuses.
_OF_ITSELF: Final = re.compile(r"\W*(?:i|i['’]m|sorry|as an?|unfortunately|抱歉)\b", re.IGNORECASE)


def read_free_text(answer: Answer) -> tuple[str, str]:
    """Return what a reply says outside its reasoning, or why that is nothing.

    Returns:
        The text, and an empty reason; or an empty text, and ``empty``, ``cut_off`` (it ended while
        reasoning), ``filtered``, ``refusal`` or ``server_failure``. A text that was cut off at its
        length is a text.
    """
    if answer.finish_reason is FinishReason.FILTERED:
        return "", "filtered"
    kept = remove_reasoning(answer.text)
    if kept is None:
        return "", "cut_off"
    text = kept.strip()
    if not text:
        return "", "empty"
    if is_server_failure(text):
        return "", "server_failure"
    if _OF_ITSELF.match(text) and is_refusal(text):
        return "", "refusal"
    return text, ""
