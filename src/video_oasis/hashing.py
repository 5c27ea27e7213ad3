"""Content ids and orders that depend on content alone, the same in every process and language."""

import hashlib
import json
from collections.abc import Iterable
from typing import TypeVar

from video_oasis.errors import SchemaError

T = TypeVar("T")

ID_HEX_DIGITS = 40


def canonical_json(value: object) -> str:
    """Write plain data as JSON in the one form that ids are computed from.

    Keys are sorted, nothing is escaped that need not be, and there is no white space, so equal
    data gives equal text.

    Raises:
        SchemaError: the value holds something JSON has no form for (NaN, a set, an object).
    """
    try:
        return json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
    except (TypeError, ValueError) as error:
        raise SchemaError(f"no canonical JSON for {value!r}: {error}") from error


def content_id(kind: str, value: object) -> str:
    """Name plain data by its content.

    Args:
        kind: a tag with the version of the layout that is hashed, such as ``request1``; two kinds
            never share an id even for equal data.
        value: anything ``canonical_json`` takes.

    Returns:
        ``kind-`` and 40 hexadecimal digits (160 bits of SHA-256).
    """
    text = f"{kind}\n{canonical_json(value)}"
    # Lone surrogates come in from broken files; they must still hash, and hash apart.
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:ID_HEX_DIGITS]}"


def order_by_hash(items: Iterable[T], *, seed: int, content: str) -> list[T]:
    """Return the items in a random order fixed by the seed, the content and their positions.

    The order comes from sorting by SHA-256, not from a generator, so it never changes between
    versions or languages.
    """

    def key(numbered: tuple[int, T]) -> bytes:
        return hashlib.sha256(f"{seed}\n{content}\n{numbered[0]}".encode()).digest()

    return [item for _, item in sorted(enumerate(items), key=key)]
