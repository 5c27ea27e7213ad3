"""What holds for every reply: declared letters are read, and nothing is made up."""

from hypothesis import given
from hypothesis import strategies as st

from video_oasis.answers import read_reply
from video_oasis.schema import Answer, FinishReason, Status

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

DECLARATIONS = (
    "The answer is {}.",
    "The correct answer is {}",
    "the answer is: {}",
    "Answer: {}",
    "ANSWER: {}",
    "Final answer: {}",
    "So the final answer would be {}.",
    "Therefore, the correct option is {}.",
    "The best choice is option {}.",
    "I choose {}.",
    "I would go with {}.",
    "My answer is {}.",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
    '{{"answer": "{}"}}',
    "答案是{}。",
    "正确答案:{}",
    "The answer is not clear at first, but the answer is {}.",
)
DECORATIONS = ("{}", "({})", "[{}]", "**{}**", "{}.", "`{}`", "option {}", '"{}"')
PREFACES = (
    "",
    "{} is wrong. ",
    "I considered ({}), but it is incorrect. ",
    "Both {} and this one are plausible.\n\n",
    "If the answer is {}, the man left. ",
    "The answer is {}? Wait.\n",
    "<think>The answer is {}.</think>",
    "Option {}: no.\n",
    "{}\n",
)


@st.composite
def declared(draw: st.DrawFn) -> tuple[str, int, int]:
    """Draw a reply that declares a letter, the letter's position, and the number of choices."""
    n_choices = draw(st.integers(2, 26))
    position = draw(st.integers(0, n_choices - 1))
    other = draw(st.integers(0, n_choices - 1).filter(lambda index: index != position))
    wording = draw(st.sampled_from(DECLARATIONS))
    decoration = draw(st.sampled_from(DECORATIONS))
    if wording.startswith("{{") and '"' in decoration:
        decoration = "{}"
    preface = draw(st.sampled_from(PREFACES)).format(LETTERS[other])
    return preface + wording.format(decoration.format(LETTERS[position])), position, n_choices


@given(declared(), st.sampled_from((FinishReason.STOP, FinishReason.LENGTH)))
def test_a_declared_letter_is_read(case: tuple[str, int, int], finish: FinishReason) -> None:
    reply, position, n_choices = case
    choices = tuple(f"the text numbered {index}" for index in range(n_choices))
    reading = read_reply(Answer(reply, finish), choices, LETTERS[:n_choices])
    assert (reading.status, reading.position) == (Status.OK, position)


WORDS = st.sampled_from(
    [
        *(
            "A",
            "B",
            "(C)",
            "I",
            "a",
            "answer",
            "is",
            "the",
            "not",
            "or",
            "and",
            ":",
            ",",
            ".",
            "\n",
        ),
        *("\\boxed{", "}", "<answer>", "</answer>", "<think>", "</think>", '"answer":', "red", "Z"),
        *("**", "$", "{", "[", "option", "choose", "答案", "选", "\\text{", "cannot", "Error:"),
    ]
)
ANY_TEXT = st.text() | st.lists(WORDS).map(" ".join) | st.lists(WORDS).map("".join)


@given(ANY_TEXT, st.lists(st.text(), min_size=1, max_size=26), st.sampled_from(FinishReason))
def test_any_reply_is_read_without_a_fault(
    text: str, choices: list[str], finish: FinishReason
) -> None:
    reading = read_reply(Answer(text, finish), choices, LETTERS[: len(choices)])
    if reading.status is Status.OK:
        assert reading.position in range(len(choices))
    else:
        assert reading.reason


@given(
    st.lists(
        st.sampled_from(["the", "answer", "is", ":", "1", "2.", "zoo", "not", "so", "\n", "I'm"])
    ).map(" ".join)
)
def test_nothing_is_read_from_a_reply_that_names_no_choice(text: str) -> None:
    choices = ("red car", "blue car", "green car")
    assert read_reply(Answer(text), choices, "ABC").position is None


@given(st.integers(1, 26), st.data())
def test_a_choice_is_read_by_its_text(n_choices: int, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, n_choices - 1))
    choices = tuple(f"The man number {index} left" for index in range(n_choices))
    wording = data.draw(st.sampled_from(("{}", "{}.", " {}\n", "The answer is: {}", '"{}"')))
    for text in (choices[position], choices[position].upper(), choices[position].lower()):
        reading = read_reply(Answer(wording.format(text)), choices, LETTERS[:n_choices])
        assert reading.position == position
