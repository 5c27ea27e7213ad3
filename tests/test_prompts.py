"""Wording: letters follow the choices shown, and a video is never claimed to be there."""

import pytest

from video_oasis.errors import SchemaError
from video_oasis.prompts import blind_question, choice_letters


def test_every_choice_has_its_letter_in_order() -> None:
    text = blind_question("What is done?", ["he runs", "he sits"])
    assert "Question: What is done?\nOptions:\nA. he runs\nB. he sits\n" in text


def test_the_fixed_part_comes_first_so_that_servers_can_reuse_it() -> None:
    one, other = blind_question("Who?", ["a", "b"]), blind_question("Why?", ["c", "d"])
    assert one.split("Question:")[0] == other.split("Question:")[0]


def test_letters_go_as_far_as_the_alphabet() -> None:
    assert choice_letters(13)[-1] == "M"
    assert choice_letters(26)[-1] == "Z"
    with pytest.raises(SchemaError, match="27 choices; at most 26"):
        choice_letters(27)
