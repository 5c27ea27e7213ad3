"""Reads a reply: the ordered steps from its text to a choice or to why there is none."""

import re
from collections.abc import Sequence
from typing import Final

from video_oasis.answers.cleaning import remove_decoration, remove_reasoning
from video_oasis.answers.declarations import read_last_declaration, read_text_with_label
from video_oasis.answers.letters import letter_alone
from video_oasis.answers.mentions import read_label_lines, read_leading_label, read_mentions
from video_oasis.answers.options import Options
from video_oasis.answers.refusals import is_hesitation, is_refusal, is_server_failure
from video_oasis.schema import Answer, FinishReason, Reading, Status

_IT_IS: Final = re.compile(r"(?:it|this|that)(?:['’]s| is| was) ", re.IGNORECASE)

_EMPTY: Final = Reading(Status.UNPARSED, reason="empty")
_CUT_OFF: Final = Reading(Status.UNPARSED, reason="cut_off")
_NO_CANDIDATE: Final = Reading(Status.UNPARSED, reason="no_candidate")
_REFUSAL: Final = Reading(Status.REFUSED, reason="refusal")
_FILTERED: Final = Reading(Status.REFUSED, reason="filtered")
_SERVER_FAILURE: Final = Reading(Status.ERROR, reason="server_failure")


def read_reply(answer: Answer, shown_choices: Sequence[str], letters: Sequence[str]) -> Reading:
    """Return which choice a reply picks, or why it picks none.

    The steps, each tried only if those before it found nothing:

    1. reasoning blocks are taken off; one that never closes means the reply was cut off;
    2. the whole reply is a letter, or the text of exactly one choice ("it is the blue car");
    3. it is a server's failure text;
    4. the last declaration ("the answer is B", a box, an answer tag, a JSON field);
    5. a line that is only a letter, or a label at the head of the reply ("B. the blue car");
    6. the reply was filtered, cut off at its length, or refuses;
    7. the only letter that stands alone in it;
    8. it says that it does not know.

    Args:
        answer: the reply as it came.
        shown_choices: the choices' texts in the order shown.
        letters: their letters in the order shown, upper case.

    Returns:
        A reading whose position counts in the order shown. Reasons: ``empty``, ``cut_off``,
        ``several_candidates``, ``letter_out_of_range`` and ``no_candidate`` (unparsed),
        ``refusal`` and ``filtered`` (refused), ``server_failure`` (error).
    """
    options = Options(tuple(letters), tuple(shown_choices))
    if answer.text in options.letters:
        return options.with_letter(answer.text)
    kept = remove_reasoning(answer.text)
    if kept is None:
        return _CUT_OFF
    text = remove_decoration(kept)
    return (
        _read_whole(kept, text, options)
        or (_SERVER_FAILURE if is_server_failure(text) else None)
        or read_last_declaration(text, options)
        or (read_label_lines(text, options) if text else None)
        or read_leading_label(text, options)
        or _read_ending(answer.finish_reason)
        or (_EMPTY if not text else None)
        or (_REFUSAL if is_refusal(text) else None)
        or read_mentions(text, options)
        or (_REFUSAL if is_hesitation(text) else _NO_CANDIDATE)
    )


def _read_whole(kept: str, text: str, options: Options) -> Reading | None:
    """Read a reply that is one letter or one choice's text and nothing else."""
    by_text = (
        options.with_text(kept)
        or options.with_text(_IT_IS.sub("", text, count=1))
        or read_text_with_label(text, options)
    )
    letter = letter_alone(text)
    if letter is None:
        return by_text
    by_letter = options.with_letter(letter)
    # The prompt asks for a letter, so a reply that could be either is one; but where no choice
    # has that letter, a choice that reads "E" is what the reply names.
    return by_letter if by_letter.status is Status.OK else by_text or by_letter


def _read_ending(finish_reason: FinishReason) -> Reading | None:
    if finish_reason is FinishReason.FILTERED:
        return _FILTERED
    return _CUT_OFF if finish_reason is FinishReason.LENGTH else None
