import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.lint.bias import RULES, BiasRow, Rule, share_if_best, tabulate_bias
from video_oasis.schema import Sample, Video

MakeSample = Callable[..., Sample]


def row_of(samples: list[Sample], rule: Rule, task: str | None = None) -> BiasRow:
    (row,) = [row for row in tabulate_bias(samples) if row.rule is rule and row.task == task]
    return row


def test_longest_and_shortest_count_ties_as_fractions(make_sample: MakeSample) -> None:
    samples = [
        make_sample("aaaa", "bb", "c", target=0),
        make_sample("aaa", "bbb", "c", target=1),
        make_sample("aa", "b", "c", target=2),
        make_sample("a", "b", "c", target=2),
    ]
    assert RULES[Rule.LONGEST](samples).by_sample == [1, 1 / 2, 0, 1 / 3]
    assert RULES[Rule.SHORTEST](samples).by_sample == [0, 0, 1 / 2, 1 / 3]
    row = row_of(samples, Rule.LONGEST)
    assert row.n_right == pytest.approx(11 / 6)
    assert row.score == pytest.approx(11 / 24)
    assert row.chance == pytest.approx(1 / 3)


def test_duplicates_are_one_answer(make_sample: MakeSample) -> None:
    sample = make_sample("aaa", "aaa", "bbb", "c", target=1)
    assert RULES[Rule.LONGEST]([sample]).by_sample == [1 / 2]
    assert row_of([sample], Rule.LONGEST).chance == pytest.approx(1 / 4)


def test_question_overlap_counts_different_words(make_sample: MakeSample) -> None:
    question = "Where is the red car?"
    samples = [
        make_sample("the red bus", "red red red", question=question, target=0),
        make_sample("the red bus", "red red red", question=question, target=1),
        make_sample("here", "there", question=question, target=1),
    ]
    assert RULES[Rule.QUESTION_OVERLAP](samples).by_sample == [1, 0, 1 / 2]


def test_top_answer_is_right_where_it_is_the_answer(make_sample: MakeSample) -> None:
    samples = [
        make_sample("2", "3", target=1),
        make_sample("3", "4", target=0),
        make_sample("3", "4", target=1),
        make_sample("5", "6", target=0),
    ]
    row = row_of(samples, Rule.TOP_ANSWER)
    assert (row.pick, row.n_right, row.n, row.score) == ("3", 2, 4, 0.5)


def test_answer_elsewhere_never_counts_the_same_video(make_sample: MakeSample) -> None:
    samples = [
        make_sample("cat", "dog", target=0, video="a"),
        make_sample("cat", "fox", target=0, video="a"),
        make_sample("cat", "owl", target=0, video="b"),
        make_sample("owl", "dog", target=1, video="c"),
    ]
    # a: cat is right once elsewhere (b), dog once (c): a tie; fox never.
    # b: cat is right twice in a. c: neither owl nor dog is ever right elsewhere.
    assert RULES[Rule.ANSWER_ELSEWHERE](samples).by_sample == [1 / 2, 1, 1, 1 / 2]


def test_answers_that_recur_give_a_task_away(make_sample: MakeSample) -> None:
    samples = [make_sample(f"right {i % 2}", f"wrong {i}", f"bad {i}", f"no {i}") for i in range(8)]
    row = row_of(samples, Rule.ANSWER_ELSEWHERE)
    assert row.score == 1.0
    assert row.exceeds_chance
    assert row.p_holm < 0.05


def test_positions(make_sample: MakeSample) -> None:
    samples = [
        make_sample("a", "b", target=0, video="1"),
        make_sample("a", "b", target=1, video="2"),
        make_sample("a", "b", target=1, video="3"),
        make_sample("a", "b", "c", target=2, video="4"),
    ]
    top = row_of(samples, Rule.TOP_POSITION)
    assert (top.pick, top.n_right) == ("position 2", 2)
    # Elsewhere: 1 sees counts (0, 2), 2 and 3 see (1, 1), 4 sees (1, 2, 0).
    assert RULES[Rule.POSITION_ELSEWHERE](samples).by_sample == [0, 1 / 2, 1 / 2, 0]


def test_a_position_that_reads_like_the_right_one_is_right(make_sample: MakeSample) -> None:
    samples = [make_sample("a", "b", target=0), make_sample("c", "c", "d", target=1)]
    assert row_of(samples, Rule.TOP_POSITION).n_right == 2


def test_whole_benchmark_and_every_task(make_sample: MakeSample) -> None:
    samples = [
        make_sample("aa", "b", target=0, task="one"),
        make_sample("aa", "b", target=1, task="two"),
    ]
    rows = tabulate_bias(samples)
    assert [row.task for row in rows] == [None] * 7 + ["one"] * 7 + ["two"] * 7
    assert row_of(samples, Rule.LONGEST).score == 0.5
    assert row_of(samples, Rule.LONGEST, "one").score == 1.0
    assert {row.task for row in tabulate_bias(samples[:1])} == {None}


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 3), min_size=1, max_size=6))
def test_shares_over_all_answers_sum_to_one(values: dict[str, int]) -> None:
    assert math.fsum(share_if_best(values, answer) for answer in values) == pytest.approx(1)


@st.composite
def samples_of_one_benchmark(draw: st.DrawFn) -> list[Sample]:
    texts = st.sampled_from(["yes", "no", "not sure", "2", "red car", "a red car"])
    samples = []
    for number in range(draw(st.integers(1, 12))):
        choices = draw(st.lists(texts, min_size=1, max_size=5))
        samples.append(
            Sample(
                id=f"s{number}",
                benchmark="bench",
                video=Video(draw(st.sampled_from("abc"))),
                question="Is the red car here?",
                choices=tuple(choices),
                target=draw(st.integers(0, len(choices) - 1)),
                task=draw(st.sampled_from(["one", "two"])),
            )
        )
    return samples


@given(samples_of_one_benchmark())
def test_rows_are_consistent(samples: list[Sample]) -> None:
    for row in tabulate_bias(samples):
        assert 0 <= row.low <= row.score <= row.high <= 1
        assert row.p_value <= row.p_holm <= 1
        assert row.n_right == pytest.approx(row.score * row.n)
        assert row.exceeds_chance == (row.low > row.chance)


@given(samples_of_one_benchmark())
def test_a_choice_by_value_scores_one_over_all_possible_targets(samples: list[Sample]) -> None:
    sample = samples[0]
    answers = {sample.answer(i) for i in range(len(sample.choices))}
    for rule in (Rule.LONGEST, Rule.SHORTEST, Rule.QUESTION_OVERLAP):
        total = math.fsum(
            RULES[rule](
                [
                    Sample(
                        id=sample.id,
                        benchmark="bench",
                        video=sample.video,
                        question=sample.question,
                        choices=sample.choices,
                        target=target,
                        task=sample.task,
                    )
                ]
            ).by_sample[0]
            for target in answers
        )
        assert total == pytest.approx(1)
