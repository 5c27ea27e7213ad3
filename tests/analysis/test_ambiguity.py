from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.ambiguity import count_ambiguous, find_ambiguous, order_queue
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.label_quality import score_label_quality
from video_oasis.analysis.order_cues import find_order_cues
from video_oasis.errors import SchemaError

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]

# Picks of the models under standard, one letter each; "-" failed. All targets are 0.
PICKS = {
    "agree": "0000",
    "split": "0011",
    "pairs": "0012",
    "three": "000-",
    "apart": "012-",
    "few": "01--",
}


def make_standard(picks: dict[str, str]) -> list[dict[str, Any]]:
    return [
        answer(sample_id, "standard", f"model-{number}", None if pick == "-" else int(pick))
        for sample_id, letters in picks.items()
        for number, pick in enumerate(letters)
    ]


def answer(
    sample_id: str, diagnostic: str, model: str, pick: int | None, **columns: Any
) -> dict[str, Any]:
    return {
        "sample_id": sample_id,
        "diagnostic": diagnostic,
        "model": model,
        "status": "error" if pick is None else "ok",
        "prediction": pick,
        "correct": None if pick is None else pick == 0,
        **columns,
    }


def find(table: pl.DataFrame, check: str, **settings: Any) -> dict[str, bool | None]:
    found = find_ambiguous(arrange(table), table, **settings).filter(pl.col("check") == check)
    return dict(found.select("sample_id", "is_flagged").iter_rows())


def test_consistency_is_no_majority(make_table: MakeTable) -> None:
    table = make_table(make_standard(PICKS))
    assert find(table, "consistency") == {
        "agree": False,
        "split": True,  # two of four is no majority
        "pairs": True,
        "three": False,
        "apart": True,
        "few": None,  # two answers say nothing
    }
    assert find(table, "consistency", strict=True) == {
        "agree": False,
        "split": False,
        "pairs": False,
        "three": False,
        "apart": True,
        "few": None,
    }


def test_consistency_says_what_it_found(make_table: MakeTable) -> None:
    table = make_table(make_standard(PICKS))
    queue = order_queue(find_ambiguous(arrange(table), table))
    assert dict(queue.select("sample_id", "reason").iter_rows())["pairs"] == (
        "4 answers over 3 choices, at most 2 alike"
    )


def test_label_quality_by_hand(make_table: MakeTable) -> None:
    # Right of answered: 6/6, 4/6, 2/5, 1/3.
    scores = dict(
        score_label_quality(arrange(make_table(make_standard(PICKS))))
        .select("sample_id", "label_quality")
        .iter_rows()
    )
    weights = [1, 4 / 6, 2 / 5, 1 / 3]
    assert scores == pytest.approx(
        {
            "agree": 1,
            "split": (weights[0] + weights[1]) / sum(weights),
            "pairs": (weights[0] + weights[1]) / sum(weights),
            "three": 1,
            "apart": weights[0] / sum(weights[:3]),
            "few": weights[0] / sum(weights[:2]),
        }
    )


def test_a_better_model_against_the_label_counts_for_more(make_table: MakeTable) -> None:
    rows = make_standard(
        {"a": "00", "b": "01", "c": "01", "good-doubts": "10", "poor-doubts": "01"}
    )
    scores = dict(
        score_label_quality(arrange(make_table(rows))).select("sample_id", "label_quality").rows()
    )
    assert scores["good-doubts"] == pytest.approx(0.4 / 1.2)
    assert scores["poor-doubts"] == pytest.approx(0.8 / 1.2)


def test_label_quality_of_nothing_is_unknown(make_table: MakeTable) -> None:
    silent = score_label_quality(arrange(make_table(make_standard({"a": "--", "b": "1-"}))))
    assert silent.select("n_models", "label_quality").rows() == [(0, None), (1, None)]
    other = arrange(make_table([answer("a", "blind", "m", 0)]))
    assert score_label_quality(other).select("n_models", "label_quality").rows() == [(0, None)]


def test_redundancy_is_every_chunk_right(make_table: MakeTable) -> None:
    chunks: dict[str, list[int | None]] = {
        "all": [0, 0, 0],
        "one-wrong": [0, 0, 1],
        "unread": [0, 0, None],
        "unread-but-wrong": [1, 0, None],
        "lone": [0],
        "no-video": [None],
    }
    rows = [
        answer(sample_id, "chunk", "m", pick, part=part)
        for sample_id, picks in chunks.items()
        for part, pick in enumerate(picks)
    ]
    # A later draw changes nothing.
    rows += [answer("all", "chunk", "m", 1, part=part, draw=1) for part in range(3)]
    table = make_table(rows)
    expected = {
        "all": True,
        "one-wrong": False,
        "unread": None,
        "unread-but-wrong": False,
        "lone": None,
        "no-video": None,
    }
    assert find(table, "redundancy") == expected
    assert find(table.with_columns(pl.col(pl.String).cast(pl.Categorical)), "redundancy") == (
        expected
    )
    found = order_queue(find_ambiguous(arrange(table), table))
    assert found.select("sample_id", "reason", "priority", "label_quality").rows() == [
        ("all", "right on each of 3 chunks alone: m", 0, None)
    ]


def test_redundancy_takes_any_model(make_table: MakeTable) -> None:
    picks: dict[str, list[list[int | None]]] = {
        "yes": [[0, 0], [1, 0]],
        "open": [[None, 0], [1, 0]],
        "no": [[0, 1], [1, 0]],
    }
    table = make_table(
        answer(sample_id, "chunk", model, pick, part=part)
        for sample_id, models in picks.items()
        for model, parts in zip("ab", models, strict=True)
        for part, pick in enumerate(parts)
    )
    assert find(table, "redundancy") == {"yes": True, "open": None, "no": False}


@pytest.fixture
def shuffled(make_table: MakeTable) -> pl.DataFrame:
    picks = {"order": "00", "plain": "00", "blind-too": "00", "not": "01", "open": "0-"}
    rows = [{**row, "diagnostic": "shuffle"} for row in make_standard(picks)]
    blind = {**dict.fromkeys(picks, "11"), "blind-too": "00"}
    rows += [{**row, "diagnostic": "blind"} for row in make_standard(blind)]
    return make_table(rows)


TEXTS = {
    ("bench", "order"): ("What does he do first, before he leaves?", ["Sits", "Then sits"]),
    ("bench", "plain"): ("What colour is the mug?", ["Red", "Blue"]),
    ("bench", "blind-too"): ("What happens next?", ["Nothing", "Rain"]),
}


def test_sensitivity_is_a_shuffle_shortcut(shuffled: pl.DataFrame) -> None:
    assert find(shuffled, "sensitivity") == {
        "order": True,
        "plain": True,
        "blind-too": True,
        "not": False,
        "open": None,
    }
    assert find(shuffled, "sensitivity", threshold=1) == dict.fromkeys(
        ["order", "plain", "blind-too", "not", "open"], True
    )


def test_sensitivity_leaves_out_what_another_test_drops(shuffled: pl.DataFrame) -> None:
    found = find(shuffled, "sensitivity", tests=["blind", "shuffle"])
    assert found == {"order": True, "plain": True, "blind-too": False, "not": False, "open": None}


def test_sensitivity_is_ordered_by_words_of_order(shuffled: pl.DataFrame) -> None:
    found = find_ambiguous(arrange(shuffled), shuffled, texts=TEXTS)
    queue = order_queue(found).select("sample_id", "priority", "reason")
    assert queue.rows() == [
        ("order", 0.75, "2 of 2 models right on shuffle; words of order: first, before, then"),
        ("blind-too", 0.5, "2 of 2 models right on shuffle; words of order: next"),
        ("plain", 0, "2 of 2 models right on shuffle"),
    ]


def test_texts_must_have_every_flagged_sample(shuffled: pl.DataFrame) -> None:
    texts = {key: text for key, text in TEXTS.items() if key[1] != "plain"}
    with pytest.raises(SchemaError, match="no question of bench sample 'plain'"):
        find_ambiguous(arrange(shuffled), shuffled, texts=texts)


def test_queue_starts_with_the_worst_label(make_table: MakeTable) -> None:
    picks = {"x": "000", "y": "000", "good": "012", "bad": "123", "worst-known": "120"}
    table = make_table(make_standard(picks))
    queue = order_queue(find_ambiguous(arrange(table), table))
    # Accuracies 3/5, 2/5, 3/5.
    assert queue.select("sample_id", "priority").rows() == [
        ("bad", 1),
        ("good", pytest.approx(1 - 3 / 8)),
        ("worst-known", pytest.approx(1 - 3 / 8)),
    ]


def test_counts(make_table: MakeTable, shuffled: pl.DataFrame) -> None:
    table = pl.concat([make_table(make_standard(PICKS)), shuffled])
    counts = count_ambiguous(find_ambiguous(arrange(table), table))
    pooled = counts.filter(pl.col("level") == "pooled")
    assert pooled.select("check", "n", "n_known", "n_unknown", "n_flagged").rows() == [
        ("consistency", 6, 5, 1, 3),
        ("sensitivity", 5, 4, 1, 3),
    ]
    assert (
        counts.filter(pl.col("level") == "benchmark")
        .drop("level", "benchmark")
        .equals(pooled.drop("level", "benchmark"))
    )


def test_empty_table_has_the_columns(make_table: MakeTable, shuffled: pl.DataFrame) -> None:
    nothing = make_table([])
    empty = find_ambiguous(arrange(nothing), nothing)
    full = find_ambiguous(arrange(shuffled), shuffled)
    assert empty.height == 0
    for function in (lambda found: found, order_queue, count_ambiguous):
        assert function(empty).schema == function(full).schema


CUES = [
    ("In which ORDER do they appear?", ["order", "appear"]),
    ("He nods in order to agree.", []),
    ("Seen from the first-person view", []),
    ("A border, a thenar, an aftermath", []),
    ("from left to right, then clockwise", ["left to right", "then", "clockwise"]),
    ("counter-clockwise", ["counter-clockwise"]),
    ("before and Before", ["before"]),
    ("ｂｅｆｏｒｅ", ["before"]),
    ("男人开门之前做了什么？最后呢？", ["之前", "最后"]),
    ("¿Qué hace después?", ["después"]),
    ("D’abord il mange", ["d'abord"]),
    ("Что он делает?", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "cues"), CUES)
def test_words_of_order(text: str, cues: list[str]) -> None:
    assert find_order_cues(pl.Series([text])).to_list() == [cues]
