from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chisquare

from video_oasis.lint.imbalance import Aspect, ImbalanceRow, tabulate_imbalance
from video_oasis.schema import Sample

MakeSample = Callable[..., Sample]


def row_of(samples: list[Sample], aspect: Aspect) -> ImbalanceRow:
    (row,) = [row for row in tabulate_imbalance(samples) if row.aspect is aspect]
    return row


def test_a_closed_set_of_answers_is_pearsons_test(make_sample: MakeSample) -> None:
    targets = [0] * 20 + [1] * 11 + [2] * 5
    samples = [make_sample("yes", "no", "maybe", target=target) for target in targets]
    pearson = chisquare([20, 11, 5])
    for aspect in Aspect:
        row = row_of(samples, aspect)
        assert row.chi_square == pytest.approx(pearson.statistic)
        assert row.degrees_of_freedom == 2
        assert row.p_value == pytest.approx(pearson.pvalue)
        assert row.p_holm == pytest.approx(2 * pearson.pvalue)
    first = row_of(samples, Aspect.ANSWER).categories[0]
    assert (first.label, first.n_offered, first.n_right) == ("yes", 36, 20)
    assert first.n_expected == pytest.approx(12)
    assert first.z == pytest.approx(8 / np.sqrt(36 * 2 / 9))


def test_expected_counts_follow_what_is_offered(make_sample: MakeSample) -> None:
    samples = [make_sample("yes", "no", target=0) for _ in range(20)]
    samples += [make_sample("yes", "no", "maybe", "never", target=3) for _ in range(20)]
    row = row_of(samples, Aspect.ANSWER)
    expected = {category.label: category.n_expected for category in row.categories}
    assert expected == pytest.approx({"yes": 15, "no": 15, "maybe": 5, "never": 5})
    # Two closed sets put together: at most the degrees of freedom of the texts, less their sum.
    assert row.degrees_of_freedom == 3


def test_rare_texts_are_merged(make_sample: MakeSample) -> None:
    samples = [make_sample(f"a{i}", f"b{i}", "not sure", target=0) for i in range(30)]
    row = row_of(samples, Aspect.ANSWER)
    assert {category.label for category in row.categories} == {"not sure", None}
    # One text against the rest: 0 right where 10 are expected, variance 30 · 1/3 · 2/3.
    assert row.degrees_of_freedom == 1
    assert row.chi_square == pytest.approx(10**2 / (30 * 2 / 9))


def test_open_answer_sets_and_few_samples_are_not_tested(make_sample: MakeSample) -> None:
    samples = [make_sample(f"a{i}", f"b{i}", target=i % 2) for i in range(40)]
    row = row_of(samples, Aspect.ANSWER)
    assert (row.chi_square, row.p_value, row.p_holm, row.categories) == (None, None, None, ())
    assert row.not_tested == "no answer is expected to be right 5 times"
    assert row_of(samples[:9], Aspect.POSITION).not_tested
    assert row_of(samples, Aspect.POSITION).p_value == pytest.approx(1)


def test_lone_choices_are_not_tested(make_sample: MakeSample) -> None:
    row = row_of([make_sample("yes") for _ in range(40)], Aspect.ANSWER)
    assert row.not_tested == "every sample offers a single category"


def test_random_answers_are_seldom_uneven(make_sample: MakeSample) -> None:
    random = np.random.default_rng(20_260_329)
    p_values = []
    for _ in range(200):
        samples = []
        for _ in range(60):
            n_choices = int(random.integers(2, 6))
            samples.append(
                make_sample(*"abcde"[:n_choices], target=int(random.integers(n_choices)))
            )
        p_value = row_of(samples, Aspect.ANSWER).p_value
        assert p_value is not None
        p_values.append(p_value)
    # 10 of 200 below 0.05 are expected; more than 20 has probability 0.001.
    assert sum(p_value < 0.05 for p_value in p_values) <= 20
    assert 0.4 < float(np.mean(p_values)) < 0.6
