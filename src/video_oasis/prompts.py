"""All wording that models are shown, in one place."""

import string
from collections.abc import Sequence
from typing import Final

from video_oasis.errors import SchemaError

CHOICE_LETTERS: Final = string.ascii_uppercase
"""Letters that label the choices, in order; a sample can show as many choices as there are."""

_TEXT_ONLY = (
    "Answer the multiple-choice question below about a video. You are not shown the video: "
    "answer from the question and the options alone, with your best guess if need be."
)
_VIDEO = "Answer the multiple-choice question below about the video that you are shown."
_ONE_FRAME = (
    "Answer the multiple-choice question below about a video. You are shown one frame of it: "
    "answer from that frame, with your best guess if need be."
)
_REPLY_WITH_LETTER = "Reply with the letter of the right option only."


def choice_letters(n_choices: int) -> tuple[str, ...]:
    """Return the letters that label this many choices.

    Raises:
        SchemaError: there are more choices than letters.
    """
    if n_choices > len(CHOICE_LETTERS):
        raise SchemaError(
            f"{n_choices} choices; at most {len(CHOICE_LETTERS)} can be shown with one letter each"
        )
    return tuple(CHOICE_LETTERS[:n_choices])


def _choice_lines(choices: Sequence[str]) -> str:
    labelled = zip(choice_letters(len(choices)), choices, strict=True)
    return "\n".join(f"{letter}. {choice}" for letter, choice in labelled)


def blind_question(question: str, choices: Sequence[str]) -> str:
    """Word a question for a model that sees nothing of the video.

    The fixed instruction comes first, so that servers can reuse its cached prefix.

    Args:
        question: the question.
        choices: the choices in the order to show them.
    """
    return _word_question(_TEXT_ONLY, question, choices)


def video_question(question: str, choices: Sequence[str], n_frames: int) -> str:
    """Word a question for a model that is shown frames of the video.

    Only the number of frames decides the wording, so that two tests of as many frames differ in
    nothing but the frames.

    Args:
        question: the question.
        choices: the choices in the order to show them.
        n_frames: how many frames are shown; a single one is called what it is.
    """
    return _word_question(_ONE_FRAME if n_frames == 1 else _VIDEO, question, choices)


def _word_question(instruction: str, question: str, choices: Sequence[str]) -> str:
    return (
        f"{instruction}\n\nQuestion: {question}\nOptions:\n{_choice_lines(choices)}\n\n"
        f"{_REPLY_WITH_LETTER}"
    )
