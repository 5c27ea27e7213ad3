"""Which answers people grade: strata, shares, weights, and that what is chosen stays chosen."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final

import polars as pl
import pytest

from video_oasis.errors import SchemaError, SettingsError
from video_oasis.open_ended.people.sampling import ChosenPair, Stratum, choose_pairs
from video_oasis.schema import OpenQuestion, SampleKey

YES = [("one", True, 5.0), ("two", True, 4.0)]
NO = [("one", False, 0.0), ("two", False, 1.0)]
SPLIT = [("one", True, 5.0), ("two", False, 1.0)]

_N_SEEDS: Final = 100

Table = Callable[..., pl.DataFrame]
Questions = Mapping[SampleKey, OpenQuestion]


def make_answers(n_yes: int, n_no: int, n_split: int) -> dict[str, list[tuple[str, bool, float]]]:
    return {
        **{f"yes{number:03}": YES for number in range(n_yes)},
        **{f"no{number:03}": NO for number in range(n_no)},
        **{f"split{number:03}": SPLIT for number in range(n_split)},
    }


def count(chosen: list[ChosenPair]) -> dict[str, int]:
    return dict(Counter(each.stratum.value for each in chosen))


@pytest.mark.parametrize(
    ("verdicts", "stratum"),
    [
        (YES, Stratum.YES),
        (NO, Stratum.NO),
        (SPLIT, Stratum.UNSETTLED),
        ([("one", True, 1.0)], Stratum.UNSETTLED),
        ([("one", True, 2.0)], Stratum.YES),
        ([("one", False, 4.0)], Stratum.UNSETTLED),
        ([("one", False, 3.0)], Stratum.NO),
        ([], Stratum.UNSETTLED),
        # Rules refuse every other wording; beside models they do not count.
        ([*YES, ("rule", False, 0.0)], Stratum.YES),
        ([("rule", True, 5.0), ("rule2", False, 0.0)], Stratum.UNSETTLED),
        ([("odd", True, 5.0), ("rule", False, 0.0)], Stratum.YES),
        ([("odd", False, 5.0)], Stratum.UNSETTLED),
        # A rule's score is what its verdict is made of.
        ([("rule", False, 4.0)], Stratum.NO),
    ],
)
def test_strata_are_how_the_verdicts_stand(
    make_table: Table, questions: Questions, verdicts: Any, stratum: Stratum
) -> None:
    (chosen,) = choose_pairs(make_table({"p": verdicts}), 5, 0, questions)
    assert chosen.stratum is stratum


@pytest.mark.parametrize(
    ("sizes", "n", "expected"),
    [
        # Half for what is unsettled, though it is a tenth.
        ((80, 10, 10), 16, {"unsettled": 8, "yes": 4, "no": 4}),
        # Too few of one: the others fill up, two to one.
        ((80, 10, 3), 15, {"unsettled": 3, "yes": 6, "no": 6}),
        ((80, 0, 40), 9, {"unsettled": 6, "yes": 3}),
        # More than half: its own share.
        ((10, 10, 80), 10, {"unsettled": 8, "yes": 1, "no": 1}),
        ((2, 1, 1), 100, {"unsettled": 1, "yes": 2, "no": 1}),
        # None is left out, even if that makes more than were asked for.
        ((80, 10, 10), 1, {"unsettled": 1, "yes": 1, "no": 1}),
        ((500, 3, 500), 3, {"unsettled": 1, "yes": 1, "no": 1}),
        ((0, 9, 9), 1, {"unsettled": 1, "no": 1}),
        ((0, 0, 0), 3, {}),
    ],
)
def test_what_is_unsettled_is_chosen_more_often(
    make_table: Table,
    questions: Questions,
    sizes: tuple[int, int, int],
    n: int,
    expected: dict[str, int],
) -> None:
    chosen = choose_pairs(make_table(make_answers(*sizes)), n, 0, questions)
    assert count(chosen) == expected
    # The weights of a stratum sum up to the answers that it stands for.
    for stratum, size in zip((Stratum.YES, Stratum.NO, Stratum.UNSETTLED), sizes, strict=True):
        weights = [each.weight for each in chosen if each.stratum is stratum]
        assert sum(weights) == pytest.approx(size if weights else 0)
        assert len(set(weights)) <= 1


@pytest.mark.parametrize("n", [0, -3])
def test_fewer_than_one_is_refused(make_table: Table, questions: Questions, n: int) -> None:
    with pytest.raises(SettingsError, match=f"--people {n}: expected .* 1 or more"):
        choose_pairs(make_table({"p": YES}), n, 0, questions)


def test_only_answers_of_models_are_chosen_each_once(
    make_table: Table, questions: Questions
) -> None:
    table = pl.concat(
        [
            make_table({"p": YES}),
            make_table({"p": YES}, model="bee", sample_id="a-first"),
            make_table({"trap": NO}, probe="swapped"),
            make_table({"none": []}, answer_status="error", status="missing"),
        ]
    )
    files = {("open", "a.mp4"): Path("/videos/a.mp4")}
    (chosen,) = choose_pairs(table, 10, 0, questions, files=files)
    assert (chosen.pair, chosen.sample_id, chosen.weight) == ("p", "a-first", 1)
    assert (chosen.question, chosen.reference) == ("What is a-first?", "a cat")
    assert chosen.answer == "says p"
    assert chosen.file == Path("/videos/a.mp4")
    assert (chosen.video.start_seconds, chosen.video.end_seconds) == (1.0, 2.5)


def test_the_seed_decides_and_the_order_of_rows_does_not(
    make_table: Table, questions: Questions
) -> None:
    table = make_table(make_answers(60, 60, 60))
    first = choose_pairs(table, 20, 0, questions)
    assert choose_pairs(table.reverse(), 20, 0, questions) == first
    other = choose_pairs(table, 20, 1, questions)
    assert {each.pair for each in other} != {each.pair for each in first}
    assert [each.pair for each in first] == sorted(each.pair for each in first)


def test_a_larger_choice_holds_the_smaller_one(make_table: Table, questions: Questions) -> None:
    table = make_table(make_answers(40, 20, 30))
    smaller: set[str] = set()
    for n in range(6, 91, 7):
        larger = {each.pair for each in choose_pairs(table, n, 0, questions)}
        assert len(larger) == n
        assert smaller < larger or not smaller
        smaller = larger


def test_what_was_chosen_stays_chosen_beside_a_choice_of_all_there_is(
    make_table: Table, questions: Questions
) -> None:
    before = make_answers(400, 0, 0)
    after = before | {f"later{number:03}": YES for number in range(400)}
    kept = choose_pairs(make_table(before), 100, 0, questions)
    assert choose_pairs(make_table(before), 100, 0, questions, kept=kept) == kept
    fresh = choose_pairs(make_table(after), 100, 0, questions)
    chosen = choose_pairs(make_table(after), 100, 0, questions, kept=kept)
    pairs = {each.pair for each in chosen}
    assert pairs == {each.pair for each in kept} | {each.pair for each in fresh}
    assert any(pair.startswith("later") for pair in pairs)
    # Those of before had twice the chance, and so count half as much.
    old, new = ({e.weight for e in chosen if (e.pair[0] == "l") is late} for late in (False, True))
    assert max(old) - min(old) == 0 == max(new) - min(new)
    assert max(new) / max(old) == pytest.approx(2, rel=0.3)
    assert sum(each.weight for each in chosen) == pytest.approx(800)
    # A larger number takes those that stay anyway first.
    assert len(choose_pairs(make_table(after), 300, 0, questions, kept=chosen)) == 300
    # A smaller one gives nothing up.
    smaller = choose_pairs(make_table(after), 10, 0, questions, kept=chosen)
    assert {each.pair for each in smaller} == pairs


def test_a_pair_stays_chosen_with_its_chance_when_its_verdicts_change(
    make_table: Table, questions: Questions
) -> None:
    answers = make_answers(100, 100, 20)
    kept = choose_pairs(make_table(answers), 40, 0, questions)
    assert count(kept) == {"unsettled": 20, "yes": 10, "no": 10}
    changed = answers | {"split000": NO, "split001": NO}
    chosen = {
        each.pair: each for each in choose_pairs(make_table(changed), 40, 0, questions, kept=kept)
    }
    assert chosen.keys() >= {each.pair for each in kept}
    # All unsettled ones were chosen: it was certain, and is where the pair counts now.
    moved, other = chosen["split000"], next(e for e in chosen.values() if e.pair[:2] == "no")
    assert (moved.stratum, moved.chance) == (Stratum.NO, 1)
    assert other.chance < 0.2
    assert moved.weight / other.weight == pytest.approx(other.chance)
    refused = [each.weight for each in chosen.values() if each.stratum is Stratum.NO]
    assert sum(refused) == pytest.approx(102)
    assert chosen["split002"].weight == 1
    # What the run has no more is not chosen any more.
    del changed["split000"]
    less = choose_pairs(make_table(changed), 40, 0, questions, kept=list(chosen.values()))
    assert "split000" not in {each.pair for each in less}


def answer_at_random() -> dict[str, tuple[bool, bool, bool, bool, bool]]:
    """Say of each answer if it is right, what two models and a rule say, and if one fails."""
    dice = random.Random(1)
    answers = {}
    for number in range(240):
        right = dice.random() < 0.5
        one = right if dice.random() < 0.85 else not right
        two = right if dice.random() < 0.7 else not right
        rule = right and dice.random() < 0.4
        # Failures that tell of the truth are the worst: the right ones alone are unsettled.
        answers[f"p{number:03}"] = (right, one, two, rule, right and dice.random() < 0.5)
    return answers


History = tuple[tuple[str, int], ...]


@pytest.mark.parametrize(
    "history",
    [
        (("one two", 30),),
        (("one two", 30), ("one two", 30)),
        (("one", 30), ("one two", 30)),
        (("one two", 30), ("one", 30)),
        (("rule rule2", 30), ("rule rule2 one", 30)),
        (("fails", 30), ("one", 30)),
        (("one", 30), ("fails", 30), ("one", 30)),
        (("few", 30), ("one two", 30)),
        (("one two", 20), ("one two", 50)),
        (("one two", 50), ("one", 20)),
        (("fails", 20), ("few", 10), ("rule rule2", 30), ("one two", 25)),
    ],
    ids=lambda history: " > ".join(f"{judges} {n}" for judges, n in history),
)
def test_weighted_estimates_are_right_whatever_happened_in_between(
    make_table: Table, questions: Questions, history: History
) -> None:
    answers = answer_at_random()

    def lay_out(name: str) -> pl.DataFrame:
        rows: dict[str, Any] = {}
        for pair, (_, one, two, rule, fails) in answers.items():
            verdicts = {"one": one, "two": two, "rule": rule, "rule2": two}
            judges = {"few": "one two", "fails": "one"}.get(name, name).split()
            # Long questions come first, and are answered first.
            if name != "few" or pair < "p080":
                rows[pair] = [(judge, verdicts[judge], 3.0) for judge in judges]
            if name == "fails" and fails:
                rows[pair] = []
        return make_table(rows)

    tables = {name: lay_out(name) for name, _ in history}
    share = sum(right for right, *_ in answers.values()) / len(answers)
    counted, weighted, certain = [], [], []
    for seed in range(_N_SEEDS):
        chosen: list[ChosenPair] = []
        for name, n in history:
            chosen = choose_pairs(tables[name], n, seed, questions, kept=chosen)
        right = [each for each in chosen if answers[each.pair][0]]
        counted.append(sum(1 / each.chance for each in chosen) / len(answers))
        certain.append(sum(1 / each.chance for each in right) / len(answers))
        weighted.append(sum(each.weight for each in right) / sum(each.weight for each in chosen))
    for estimates, truth in ((counted, 1), (certain, share), (weighted, share)):
        error = stdev(estimates) / len(estimates) ** 0.5
        assert abs(mean(estimates) - truth) < 3.5 * error
        assert error < 0.02


@pytest.mark.parametrize(
    ("changes", "words"), [({"weight": 0}, "weight is 0"), ({"chance": 1.5}, "chance is 1.5")]
)
def test_numbers_that_make_no_sense_are_refused(
    make_table: Table, questions: Questions, changes: dict[str, Any], words: str
) -> None:
    (chosen,) = choose_pairs(make_table({"p": YES}), 1, 0, questions)
    with pytest.raises(SchemaError, match=words):
        replace(chosen, **changes)
