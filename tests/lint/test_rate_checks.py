from collections.abc import Callable

from video_oasis.lint.rate_checks import always_right, never_right
from video_oasis.schema import Sample

MakeSample = Callable[..., Sample]


def test_never_right(make_sample: MakeSample) -> None:
    # 'not sure' is wrong in 30 of 30 by (2/3)^30 = 5e-6, below 0.05 / 3 texts.
    samples = [make_sample("yes", "no", "not sure", target=i % 2) for i in range(30)]
    (found,) = never_right(samples)
    assert found.sample_id == ""
    assert found.message == (
        "'not sure' is a choice of 30 questions of task 'task' and right in none (by chance 10.0)"
    )
    assert len(found.related) == 30


def test_never_right_in_few_questions_is_chance(make_sample: MakeSample) -> None:
    # (2/3)^10 = 0.017 is no longer below 0.05 / 3, (2/3)^11 = 0.0116 is.
    few = [make_sample("yes", "no", "not sure", target=i % 2) for i in range(10)]
    assert not list(never_right(few))
    more = [make_sample("yes", "no", "not sure", target=i % 2) for i in range(11)]
    assert len(list(never_right(more))) == 1


def test_right_once_is_not_never(make_sample: MakeSample) -> None:
    samples = [make_sample("yes", "no", "not sure", target=i % 2) for i in range(30)]
    assert not list(never_right([*samples, make_sample("yes", "no", "not sure", target=2)]))


def test_always_right(make_sample: MakeSample) -> None:
    # Right in 8 of 8 by (1/4)^8 = 1.5e-5; its distractors are offered once each.
    samples = [make_sample("win", f"a{i}", f"b{i}", f"c{i}", target=0) for i in range(8)]
    (found,) = always_right(samples)
    assert found.message.startswith("'win' is a choice of 8 questions of task 'task' and right in")


def test_texts_of_other_tasks_and_lone_choices_do_not_count(make_sample: MakeSample) -> None:
    samples = [make_sample("win", f"a{i}", f"b{i}", f"c{i}", task=f"task{i}") for i in range(8)]
    assert not list(always_right(samples))
    assert not list(always_right([make_sample("win") for _ in range(50)]))
