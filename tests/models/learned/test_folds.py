"""Folds keep together what belongs together."""

from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.models.learned.folds import N_FOLDS, assign_folds
from video_oasis.schema import Sample, Video

MakeSample = Callable[..., Sample]

ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=60
)


@given(ROWS)
def test_no_video_and_no_rare_question_straddles(rows: list[tuple[int, int, int]]) -> None:
    samples = [
        Sample(
            id=f"s{number}",
            benchmark="made",
            video=Video(path=f"v{video}"),
            question=f"Question {question}?",
            choices=("a", "b", "c"),
            target=target,
            task="task",
        )
        for number, (video, question, target) in enumerate(rows)
    ]
    folds = assign_folds(samples)
    videos_of_question = defaultdict(set)
    for sample in samples:
        videos_of_question[sample.question].add(sample.video.path)
    together = defaultdict(set)
    for sample, fold in zip(samples, folds.tolist(), strict=True):
        together["video", sample.video.path].add(fold)
        if len(videos_of_question[sample.question]) <= N_FOLDS:
            together["question", sample.question].add(fold)
    assert all(len(of_group) == 1 for of_group in together.values())
    assert set(folds.tolist()) == set(range(folds.max() + 1))
    assert folds.max() < N_FOLDS


def test_identical_means_same_text_and_same_set_of_choices(make_sample: MakeSample) -> None:
    samples = [make_sample(n, ["x", f"y{n}"], 0, question=f"Q{n}?") for n in range(20)]
    samples.append(make_sample(20, ["Red.", "blue"], 0, question="Which  colour?"))
    samples.append(make_sample(21, ["blue", "red"], 0, question="which colour"))
    folds = assign_folds(samples)
    assert folds[20] == folds[21]


def test_a_template_is_spread(make_sample: MakeSample) -> None:
    samples = [make_sample(n, ["2", "3"], n % 2, question="How many?") for n in range(100)]
    assert np.bincount(assign_folds(samples)).tolist() == [20] * 5


def test_every_fold_gets_its_share_of_each_task(make_sample: MakeSample) -> None:
    samples = [
        make_sample(n, ["2", "3"], 0, task=f"t{n // 75}", question=f"How many {n}?")
        for n in range(150)
    ]
    counts = Counter(
        (sample.task, fold)
        for sample, fold in zip(samples, assign_folds(samples).tolist(), strict=True)
    )
    assert counts == {(task, fold): 15 for task in ("t0", "t1") for fold in range(N_FOLDS)}


def test_targets_do_not_decide_folds(make_sample: MakeSample) -> None:
    one, other = (
        [make_sample(n, ["2", "3"], n % modulus // 2 % 2, question=f"Q{n}") for n in range(40)]
        for modulus in (3, 4)
    )
    assert assign_folds(one).tolist() == assign_folds(other).tolist()


def test_fewer_groups_than_folds(make_sample: MakeSample) -> None:
    three = [make_sample(n, ["a", "b"], 0, video=f"v{n % 3}", question=f"Q{n}") for n in range(9)]
    assert set(assign_folds(three).tolist()) == {0, 1, 2}
    one = [make_sample(n, ["a", "b"], 0, video="v", question=f"Q{n}") for n in range(4)]
    assert assign_folds(one).tolist() == [0] * 4
