"""The most frequent reference of each task, counted by hand."""

import math
from collections.abc import Callable

import pytest

from video_oasis.lint.references import tabulate_references
from video_oasis.schema import OpenQuestion

MakeOpenQuestion = Callable[..., OpenQuestion]


def test_the_most_frequent_reference_of_every_task(make_open_question: MakeOpenQuestion) -> None:
    references = [
        ("what", "cat"),
        ("what", "a dog"),
        ("what", "A dog."),
        ("what", "the dog"),
        ("what", "the dog"),
        ("who", "man"),
        ("who", "man"),
        ("who", "woman"),
        ("who", "girl"),
    ]
    questions = [
        make_open_question("?", reference, question_id=f"o{n}", video=f"v{n // 2}", task=task)
        for n, (task, reference) in enumerate(references)
    ]
    rows = tabulate_references(questions)
    assert [
        (row.task, row.reference, row.n_right, row.n, row.n_references, row.n_videos)
        for row in rows
    ] == [
        (None, "the dog", 4, 9, 5, 5),
        ("what", "the dog", 4, 5, 2, 3),
        ("who", "man", 2, 4, 3, 3),
    ]
    assert [row.score for row in rows] == [4 / 9, 0.8, 0.5]
    assert all(row.low < row.score < row.high for row in rows)


def test_ties_go_to_the_first_in_order(make_open_question: MakeOpenQuestion) -> None:
    questions = [make_open_question("?", reference) for reference in ("dog", "cat")]
    (row,) = tabulate_references(questions)
    assert (row.reference, row.n_right, row.score) == ("cat", 1, 0.5)


@pytest.mark.parametrize(
    ("others", "n_references"), [(["no"] * 4, 2), (["no", "two", "red", "day"], 5)]
)
def test_intervals_allow_for_the_pick(
    make_open_question: MakeOpenQuestion, others: list[str], n_references: int
) -> None:
    (row,) = tabulate_references(
        [
            make_open_question("?", reference, video=f"v{n}")
            for n, reference in enumerate(["yes"] * 6 + others)
        ]
    )

    def binomial(k: int, p: float) -> float:
        return math.comb(10, k) * p**k * (1 - p) ** (10 - k)

    # Six of ten videos: the ends are where so many, or so few, have 2.5 % shared by the references.
    tail = 0.025 / n_references
    assert row.score == 0.6
    assert sum(binomial(k, row.low) for k in range(6, 11)) == pytest.approx(tail)
    assert sum(binomial(k, row.high) for k in range(7)) == pytest.approx(tail)
