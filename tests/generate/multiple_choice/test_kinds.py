"""A question's kind follows its wording, and its reference where that is a number, yes or no."""

import pytest

from video_oasis.generate.multiple_choice.kinds import tell_kind


@pytest.mark.parametrize(
    ("question", "reference", "kind"),
    [
        ("What color is the car?", "red", "what color"),
        ("Which colour are the cars?", "red", "what color"),
        ("What is the color of the car?", "red", "what color"),
        ("what kind of animals are there?", "dog", "what animal"),
        ("What is the type of animal that runs?", "dog", "what animal"),
        ("In which room do they sit?", "kitchen", "what room"),
        ("What is a man holding?", "ball", "what"),
        ("What's the man holding?", "ball", "what"),
        ("Which of these is held?", "ball", "which"),
        ("what does a woman do?", "dance", "what do"),
        ("What is the man doing with the rope?", "pulling", "what do"),
        ("What do they hold?", "ball", "what"),
        ("After the woman left, what did the man do?", "sit", "what do"),
        ("who is the man that rides?", "father", "who"),
        ("After the man who runs falls, where is he?", "yard", "where"),
        ("how many men run?", "Two", "how many, a number"),
        ("how many men run?", "a lot", "how many"),
        ("How does it end?", "well", "how"),
        ("when does it begin?", "1:08", "when, a number"),
        ("Is it red or blue?", "red", "or"),
        ("Is it red?", "No.", "yes or no"),
        ("Tell whether it is red.", "yes", "yes or no"),
        ("Name the tool.", "saw", "no question word"),
        ("何色ですか", "赤", "no question word"),
    ],
)
def test_kind(question: str, reference: str, kind: str) -> None:
    assert tell_kind(question, reference) == kind
