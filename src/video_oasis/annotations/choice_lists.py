"""Choices that one column holds: as a list, as a mapping, or written as one text."""

import ast
import json
from typing import Any

from video_oasis.annotations.inline import split_choices
from video_oasis.annotations.rows import RowFault


def parse_choices(value: Any, *, separator: str | None, column: str) -> Any:
    """Turn choices that are written as one text into a list or a mapping.

    Args:
        value: what stands in the column.
        separator: what separates the choices in a text; None for JSON, for what ``str()`` makes of
            a list in Python, or for labelled lines.
        column: the column, for faults.

    Returns:
        The value itself where it is no text; None for an empty text.

    Raises:
        RowFault: the text is nothing of the kind.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text:
        return None
    if separator is not None:
        return [part.strip() for part in text.split(separator)]
    if text[0] in "[{":
        # What str() makes of a list in Python ends up in many CSV files.
        for parse in (json.loads, ast.literal_eval):
            try:
                return parse(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
    if lines := split_choices(text):
        return list(lines.choices)
    raise RowFault(
        column,
        "choices_unreadable",
        f"{text[:80]!r}; expected a list in JSON, or one labelled choice on each line, or a "
        f"separator named in the mapping (choices_separator)",
    )
