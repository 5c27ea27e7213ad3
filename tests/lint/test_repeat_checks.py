from collections.abc import Callable

import pytest

from video_oasis.lint import repeat_checks
from video_oasis.schema import Sample, Video

MakeSample = Callable[..., Sample]
CLIP = Video("v.mp4", 0, 10)


def test_same_question_with_the_same_answer(make_sample: MakeSample) -> None:
    samples = [
        make_sample("cat", "dog", video=CLIP, sample_id="one", question="Who is it?"),
        make_sample("fox", "cat", target=1, video=CLIP, sample_id="two", question="Who is it"),
        make_sample("cat", "dog", video=CLIP, sample_id="three", question="Who was it?"),
    ]
    found = list(repeat_checks.repeated_questions(samples))
    assert [(each.sample_id, each.related) for each in found] == [
        ("one", ("two",)),
        ("two", ("one",)),
    ]
    assert not list(repeat_checks.contradicting_answers(samples))
    assert not list(repeat_checks.other_choices(samples))


def test_same_question_with_contradicting_answers(make_sample: MakeSample) -> None:
    samples = [
        make_sample("cat", "dog", target=0, video=CLIP, sample_id="one"),
        make_sample("cat", "dog", target=1, video=CLIP, sample_id="two"),
    ]
    found = list(repeat_checks.contradicting_answers(samples))
    assert [(each.sample_id, each.related) for each in found] == [
        ("one", ("two",)),
        ("two", ("one",)),
    ]
    assert "'cat' here, and for the same clip 'dog' in two" in found[0].message
    assert not list(repeat_checks.repeated_questions(samples))
    assert not list(repeat_checks.other_choices(samples))


def test_same_question_with_choices_that_allow_both_answers(make_sample: MakeSample) -> None:
    samples = [
        make_sample("cat", "dog", video=CLIP, sample_id="one"),
        make_sample("fox", "owl", video=CLIP, sample_id="two"),
    ]
    assert {each.sample_id for each in repeat_checks.other_choices(samples)} == {"one", "two"}
    assert not list(repeat_checks.contradicting_answers(samples))


@pytest.mark.parametrize("other", [Video("v.mp4", 0, 20), Video("w.mp4", 0, 10), Video("v.mp4")])
def test_another_window_or_video_is_another_question(make_sample: MakeSample, other: Video) -> None:
    samples = [make_sample(video=CLIP), make_sample(video=other, target=1), make_sample()]
    assert not list(repeat_checks.repeated_questions(samples))
    assert not list(repeat_checks.contradicting_answers(samples))
    assert not list(repeat_checks.other_choices(samples))
    assert not list(repeat_checks.near_duplicates(samples))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Where was the fork?", "Where was the forks?"),
        ("Which sequence of events is right?", "Which sequences of events is right?"),
        ("Where is a man with the brown hat?", "Where is the man with brown hat?"),
    ],
)
def test_near_duplicates(make_sample: MakeSample, one: str, other: str) -> None:
    samples = [
        make_sample(video=CLIP, question=one, sample_id="one"),
        make_sample(video=CLIP, question=other, sample_id="two"),
    ]
    found = list(repeat_checks.near_duplicates(samples))
    assert [(each.sample_id, each.related) for each in found] == [("one", ("two",))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Where was the fork?", "Where was the fork"),
        ("How often is it done in the first set?", "How often is it done in the last set?"),
        ("Which team is on the offensive now?", "Which team is on the defensive now?"),
        ("What happens in the scene at 0:05?", "What happens in the scene at 0:06?"),
        ("Where is the man in relation to the woman?", "Where is the woman relative to the man?"),
    ],
)
def test_template_mates_and_exact_repeats_are_not_near(
    make_sample: MakeSample, one: str, other: str
) -> None:
    samples = [make_sample(video=CLIP, question=one), make_sample(video=CLIP, question=other)]
    assert not list(repeat_checks.near_duplicates(samples))
