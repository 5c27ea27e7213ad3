"""Turns the plain rows of files into judgements."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from video_oasis.errors import SchemaError
from video_oasis.judgements.judgement import Decision, Judgement

FIELDS: Final = tuple(each.name for each in fields(Judgement))
"""The fields of a row, in the order they are written in."""

_MAY_BE_LEFT_OUT: Final[Mapping[str, Any]] = {"check": "", "choice": None, "note": ""}


def parse_judgement(row: Any) -> Judgement:
    """Make a judgement of a row as ``Judgement.plain`` gives it.

    Raises:
        SchemaError: a field is missing, unknown, or not what it should be; the message begins with
            its name.
    """
    if not isinstance(row, dict):
        raise SchemaError(f"found {row!r}; expected an object with the fields {', '.join(FIELDS)}")
    values: dict[str, Any] = {**_MAY_BE_LEFT_OUT, **row}
    for name in values:
        if name not in FIELDS:
            raise SchemaError(f"{name}: no such field; expected {', '.join(FIELDS)}")
    for name in FIELDS:
        if name not in values:
            raise SchemaError(f"{name}: the field is missing")
        if name != "choice" and not isinstance(values[name], str):
            raise SchemaError(f"{name} is {values[name]!r}; expected text")
    choice = values["choice"]
    if isinstance(choice, float) and choice.is_integer():
        choice = int(choice)  # a table with gaps makes 2.0 of 2
    if choice is not None and (isinstance(choice, bool) or not isinstance(choice, int)):
        raise SchemaError(f"choice is {choice!r}; expected an index, 0 for the first choice")
    return Judgement(
        **values
        | {
            "choice": choice,
            "decision": _parse_decision(values["decision"]),
            "made_at": _parse_time(values["made_at"]),
        }
    )


def _parse_decision(text: str) -> Decision:
    try:
        return Decision(text)
    except ValueError:
        raise SchemaError(f"decision is {text!r}; expected {', '.join(Decision)}") from None


def _parse_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise SchemaError(
            f"made_at is {text!r}; expected a time such as 2026-11-30T09:00:00Z"
        ) from None
