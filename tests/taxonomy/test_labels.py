"""Task labels of benchmarks."""

from collections.abc import Callable

from video_oasis.schema import Sample
from video_oasis.taxonomy.labels import collect_labels

MakeSample = Callable[..., Sample]


def test_labels_are_counted_with_their_subtasks_and_an_example(make_sample: MakeSample) -> None:
    samples = [
        make_sample(id="1", task="order", question="What  is\nfirst?"),
        make_sample(id="2", task="reason", metadata={"question_type": ["reason", "count"]}),
        make_sample(id="3", task="order", question="What  is\nfirst?"),
        make_sample(id="4", task="order", benchmark="other"),
        make_sample(id="5", task="reason", metadata={"abilityType_L3": "Goal"}),
        make_sample(id="6", task="reason", metadata={"question_type": "reason"}),
    ]
    labels = collect_labels(samples)
    assert [(label.text, label.n_samples) for label in labels] == [
        ("bench: order", 2),
        ("bench: reason / reason, count", 1),
        ("other: order", 1),
        ("bench: reason / Goal", 1),
        ("bench: reason", 1),
    ]
    assert labels[0].example == "What is first?"


def test_the_columns_of_subtasks_can_be_named(make_sample: MakeSample) -> None:
    sample = make_sample(metadata={"mine": "  deep\nthought ", "question_type": "x"})
    (label,) = collect_labels([sample], ["mine"])
    assert (label.task, label.subtask) == ("order", "deep thought")


def test_the_example_does_not_depend_on_the_order_and_is_cut(make_sample: MakeSample) -> None:
    samples = [make_sample(id=str(n), question=f"{n} " + "long " * 100) for n in range(5)]
    (forward,) = collect_labels(samples)
    (backward,) = collect_labels(samples[::-1])
    assert forward == backward
    assert len(forward.example) == 161
