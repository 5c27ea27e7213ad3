"""Canonical JSON, content ids and orders by hash."""

import hashlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import SchemaError
from video_oasis.hashing import canonical_json, content_id, order_by_hash

plain_data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_canonical_json_is_one_form() -> None:
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'


@given(st.dictionaries(st.text(), plain_data, max_size=5))
def test_key_order_does_not_matter(data: dict[str, Any]) -> None:
    backwards = dict(reversed(list(data.items())))
    assert content_id("x1", data) == content_id("x1", backwards)


@pytest.mark.parametrize("value", [math.nan, {1, 2}, object(), math.inf])
def test_values_without_a_json_form_are_refused(value: object) -> None:
    with pytest.raises(SchemaError, match="no canonical JSON"):
        canonical_json(value)


def test_content_id_is_sha256_of_kind_and_canonical_json() -> None:
    expected = hashlib.sha256(b'request1\n{"a":1}').hexdigest()[:40]
    assert content_id("request1", {"a": 1}) == f"request1-{expected}"


def test_kinds_never_share_an_id() -> None:
    assert content_id("a1", 1).split("-")[1] != content_id("b1", 1).split("-")[1]


def test_lone_surrogates_from_broken_files_hash_apart() -> None:
    assert content_id("x1", "\ud800") != content_id("x1", "\udfff")


def test_order_by_hash_sorts_by_the_documented_digest() -> None:
    items = ["p", "q", "r"]

    def digest(position: int) -> str:
        return hashlib.sha256(f"7\nvideo\n{position}".encode()).hexdigest()

    by_hand = [items[i] for i in sorted(range(3), key=digest)]
    assert order_by_hash(items, seed=7, content="video") == by_hand


@given(st.lists(st.integers()), st.integers(), st.text(alphabet=st.characters(codec="utf-8")))
def test_order_by_hash_is_a_permutation(items: list[int], seed: int, content: str) -> None:
    ordered = order_by_hash(items, seed=seed, content=content)
    assert sorted(ordered) == sorted(items)
    assert ordered == order_by_hash(items, seed=seed, content=content)
