"""Replies of every kind against the choice they pick, or the status they get."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from video_oasis.answers import read_reply
from video_oasis.schema import Answer, FinishReason, Reading, Status

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CARS = ("the red car", "the blue car", "a dog", "none of the above")


def read(
    text: str, choices: Sequence[str] = CARS, finish: FinishReason = FinishReason.STOP
) -> Reading:
    return read_reply(Answer(text, finish), choices, LETTERS[: len(choices)])


def picked(text: str, choices: Sequence[str] = CARS) -> str:
    """Give the letter picked, or the reason there is none."""
    reading = read(text, choices)
    return reading.reason if reading.position is None else LETTERS[reading.position]


def test_reads_the_shared_cases(shared_data: Path) -> None:
    cases = json.loads((shared_data.parent / "reference" / "answer_cases.json").read_text("utf-8"))
    assert len(cases) == 24
    for case in cases:
        letters = tuple(case["options"])
        reading = read_reply(Answer(case["response"]), tuple(case["options"].values()), letters)
        found = None if reading.position is None else letters[reading.position]
        assert found == case["expected"], case["response"]


@pytest.mark.parametrize(
    "reply",
    [
        "B",
        "b",
        "B.",
        "(b)",
        "**B**",
        "$B$",
        "[B]",
        "「B」",
        "B\n",
        "（Ｂ）",
        "Ⓑ",
        "Option B",
        "The answer: B",
        "B. the blue car",
        "B) The Blue Car.",
        "(B) the blue car",
        "B: the blue car",
        "B - the blue car",
        "**B. the blue car**",
        "B. It is clearly visible, so A is wrong.",
        "B\n\nThe blue car is seen first; A is never shown.",
        "First there is A, then a dog.\n\nB",
        "the blue car",
        "  The  blue\ncar. ",
        '"the blue car"',
        "The answer is B",
        "The answer is: **B**",
        "the answer is b.",
        "The answer is B, because A is red.",
        "The answer is B and not C.",
        "The answer is not A but B.",
        "The correct answer is option (B): the blue car.",
        "The answer is the blue car because it is blue.",
        "Answer: The blue car.",
        "Answer:\nB",
        "**Answer:** B",
        "## Answer\nB",
        "Answer B",
        "Final answer: \\boxed{B}",
        "$\\boxed{\\text{B}}$",
        "\\boxed{\\textbf{(B)} the blue car}",
        "<answer>B</answer>",
        "<answer> (B) the blue car </answer>",
        "<answer>B",
        "<|begin_of_box|>B<|end_of_box|>",
        "B<|im_end|>",
        '{"answer": "B"}',
        '```json\n{"reason": "A is red", "answer": "the blue car"}\n```',
        "{'final_answer': 'B'}",
        '{"answer": ["B"]}',
        "I would go with B.",
        "I'd choose option B.",
        "My best guess is B.",
        "B is the correct answer.",
        "Option B is correct, A is wrong.",
        "Is it A? No. I am not sure, but the answer is B.",
        "The answer is A. Wait, no: the answer is B.",
        "If the answer is A, the car is red. The answer is B.",
        "So the answer is B. It is not A.",
        "A is wrong, C is incorrect. It must be B.",
        "It isn't A, so B",
        "Definitely B!",
        "I think B",
        "B, because A is red",
        "B because A is red.",
        "The answer is C? No, B.",
        "It's the blue car.",
        "the blue car (B)",
        "The answer is the blue car (B).",
        "Options:\nA. the red car\nB. the blue car\n\nI would guess B.",
        "I cannot see the video. My best guess is B.",
        "A man gets into the car, B.",
        "正确答案是 B",
        "答案:B",
        "选择B,因为车是蓝色的。",
        "故选B。",
        "正解はBです",
        "정답은 B입니다",
        "La respuesta correcta es B.",
        "La réponse est B",
        "Die richtige Antwort ist B.",
        "Ответ: B",
        "<think>A? C? The answer is C.</think>B",
        "<think>\n\n</think>\n\nB",
        "Maybe A or C, the answer is A.</think>\nThe answer is B.",
        "[THINK]A[/THINK]B",
        "<|channel|>analysis<|message|>A?<|end|><|channel|>final<|message|>B",
        "<reasoning>not C</reasoning><answer>B</answer>",
    ],
)
def test_picks_b(reply: str) -> None:
    assert picked(reply) == "B"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>A</think>", "empty"),
        ("**", "empty"),
        ("<think>The answer is B. But", "cut_off"),
        ("<think>A</think>B <think>or", "cut_off"),
        ("A or C", "several_candidates"),
        ("A/C", "several_candidates"),
        ("The answer is A or C.", "several_candidates"),
        ("The answer is either A or C.", "several_candidates"),
        ("Answer: A, C", "several_candidates"),
        ("A or C is correct", "several_candidates"),
        ('{"answer": ["A", "C"]}', "several_candidates"),
        ("\\boxed{A, C}", "several_candidates"),
        ("A. the blue car", "several_candidates"),
        ("the blue car (A)", "several_candidates"),
        ("The answer is the blue car (A).", "several_candidates"),
        ("A: B", "several_candidates"),
        ("The answer is A. the blue car", "several_candidates"),
        ("A. the red car\nB. the blue car\nC. a dog", "several_candidates"),
        ("A\nB", "several_candidates"),
        ("It could be A. It could be D.", "several_candidates"),
        ("F", "letter_out_of_range"),
        ("The answer is F.", "letter_out_of_range"),
        ("\\boxed{F}", "letter_out_of_range"),
        ("Option 2", "no_candidate"),
        ("The answer is option 2.", "no_candidate"),
        ("I see a man and a dog.", "no_candidate"),
        ("A man walks a dog.", "no_candidate"),
        ("The answer is a matter of taste.", "no_candidate"),
        ("The answer is clear from the video.", "no_candidate"),
        ("The answer is not A.", "no_candidate"),
        ("It isn't B.", "no_candidate"),
        ("B is wrong.", "no_candidate"),
        ("The ABC of DC-10s", "no_candidate"),
        ("the car", "no_candidate"),
    ],
)
def test_picks_none(reply: str, reason: str) -> None:
    reading = read(reply)
    assert (reading.status, reading.reason) == (Status.UNPARSED, reason)


@pytest.mark.parametrize(
    "reply",
    [
        "Cannot determine the answer",
        "I cannot determine whether it is A or B.",
        "I'm sorry, but I can't help with that.",
        "As an AI, I cannot watch videos.",
        "There is not enough information in the question.",
        "Without the video it is impossible to tell.",
        "I don't know.",
        "I am not sure",
        "The answer is unclear.",
        "无法确定",
    ],
)
def test_recognises_refusals(reply: str) -> None:
    reading = read(reply)
    assert (reading.status, reading.reason) == (Status.REFUSED, "refusal")


@pytest.mark.parametrize(
    "reply",
    [
        "Failed to obtain answer via API",
        "Error: rate limited",
        "API Error: A timeout occurred",
        "openai.RateLimitError: Error code: 429",
        "Rate limit exceeded",
        "Internal Server Error",
        "502 Bad Gateway",
        "Connection refused",
        "Request timed out.",
        "Timeout",
        "<!DOCTYPE html><html><body>Option B</body></html>",
        "<html><head><title>A</title></head></html>",
        '{"error": {"message": "answer: B"}}',
        "Traceback (most recent call last):\n  A",
    ],
)
def test_recognises_server_failures(reply: str) -> None:
    reading = read(reply)
    assert (reading.status, reading.reason) == (Status.ERROR, "server_failure")


@pytest.mark.parametrize(
    "text", ["Cannot be determined", "I don't know", "Not sure", "None", "Error", "NA"]
)
def test_a_choice_may_read_like_a_refusal(text: str) -> None:
    choices = ("yes", text, "no")
    assert picked(text, choices) == "B"
    assert picked(f"{text.lower()}.", choices) == "B"
    assert picked(f"The answer is: {text}", choices) == "B"


def test_equal_choices_are_read_as_the_first() -> None:
    choices = ("left", "right", "left")
    assert picked("left", choices) == "A"
    assert picked("C. left", choices) == "C"


def test_choices_that_differ_in_case_only_need_an_exact_reply() -> None:
    choices = ("us", "US", "uk")
    assert picked("US", choices) == "B"
    assert picked("Us", choices) == "several_candidates"


def test_a_letter_is_a_label_before_it_is_a_text() -> None:
    assert picked("A", ("B", "A", "C")) == "A"
    assert picked("E", ("E", "F", "G")) == "A"


@pytest.mark.parametrize(
    ("reply", "letter"),
    [("5", "B"), ("The answer is 5.", "B"), ("Answer: 5, not 3.5", "B"), ("3.5", "C")],
)
def test_numbers_are_read_as_whole_texts(reply: str, letter: str) -> None:
    assert picked(reply, ("3", "5", "3.5", "10")) == letter


def test_the_longest_choice_that_fits_is_meant() -> None:
    choices = ("None", "None of the above", "a cat", "a cat and a dog")
    assert picked("The answer is None of the above.", choices) == "B"
    assert picked("The answer is a cat and a dog.", choices) == "D"


@pytest.mark.parametrize("reply", ["I", "(I)", "The answer is I.", "Option I"])
def test_the_ninth_letter_is_no_pronoun(reply: str) -> None:
    choices = tuple(f"text {number}" for number in range(10))
    assert picked(reply, choices) == "I"


@pytest.mark.parametrize(
    "reply", ["I think it is bright.", "The answer is I don't know", "I'm lost", "I see A man."]
)
def test_the_pronoun_is_no_letter(reply: str) -> None:
    choices = tuple(f"text {number}" for number in range(10))
    assert read(reply, choices).position is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("B", "B"),
        ("The answer is B because the", "B"),
        ("B. Because the", "B"),
        ("Looking at A and B, it seems that B", "cut_off"),
        ("Both cars are", "cut_off"),
        ("", "cut_off"),
    ],
)
def test_a_cut_reply_counts_only_if_it_declared(reply: str, expected: str) -> None:
    reading = read(reply, finish=FinishReason.LENGTH)
    assert expected == (reading.reason or LETTERS[reading.position or 0])


def test_a_filtered_reply_is_a_refusal() -> None:
    reading = read("I will not do this.", finish=FinishReason.FILTERED)
    assert (reading.status, reading.reason) == (Status.REFUSED, "filtered")


@pytest.mark.parametrize(
    "piece",
    [
        "A",
        "(",
        " ",
        "\n",
        "<think>",
        "</think>",
        "answer is ",
        "the answer is not A but ",
        "\\boxed{",
        "\\text{",
        "<answer>",
        '"answer": "',
        '"answer": [',
        "A or ",
        "A, ",
        "A is ",
        "option ",
        "not ",
        "a" * 50 + " ",
        "api request connection ",
        "error.",
        "x.y",
        "choose ",
        "B.\n",
        "选",
    ],
)
def test_long_replies_take_linear_time(piece: str) -> None:
    reply = piece * (100_000 // len(piece))
    started = time.process_time()
    read(reply)
    assert time.process_time() - started < 2
