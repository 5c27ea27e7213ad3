"""The type of question is its first word."""

import pytest

from video_oasis.annotations.caption_questions import name_question_type


@pytest.mark.parametrize(
    ("question", "question_type"),
    [
        ("what is a man doing?", "what"),
        ("Who sings?", "who"),
        ("how many dogs bark?", "how"),
        ("when does it rain?", "when"),
        ("where are they?", "where"),
        ("  what's that?", "what"),
        ("whatever happens?", "other"),
        ("in what does he sit?", "other"),
        ("?", "other"),
    ],
)
def test_types(question: str, question_type: str) -> None:
    assert name_question_type(question) == question_type
