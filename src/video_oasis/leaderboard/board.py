"""Reads and writes the file of a leaderboard."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import RunError, SchemaError, SettingsError
from video_oasis.leaderboard.entry import Entry, read_entry
from video_oasis.whole_file import write_whole

_LAYOUT: Final = "video-oasis leaderboard 1"


@contextmanager
def lock_board(file: Path) -> Iterator[None]:
    """Keep other processes from adding to a leaderboard, and wait for one that does.

    The lock is the operating system's, on a file beside the leaderboard, whose own file is replaced
    whenever it is written.

    Raises:
        RunError: nothing can be written beside it.
    """
    beside = file.with_name(f".{file.name}.lock")
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise RunError(f"{beside}: cannot be written ({error.strerror})") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def read_board(file: Path) -> tuple[Entry, ...]:
    """Read the entries of a leaderboard.

    Raises:
        SettingsError: there is no such file, it is no leaderboard, an entry was changed (its id is
            not that of its content), or two are about the same.
    """
    try:
        plain = json.loads(file.read_bytes())
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise SettingsError(f"{file}: not JSON ({error}); expected a leaderboard") from error
    if not isinstance(plain, dict) or plain.get("layout") != _LAYOUT:
        raise SettingsError(f"{file}: no leaderboard of ours; expected layout {_LAYOUT!r}")
    rows = plain.get("entries")
    if not isinstance(rows, list):
        raise SettingsError(f"{file}: entries is {rows!r}; expected a list")
    entries: dict[str, Entry] = {}
    for number, row in enumerate(rows, start=1):
        entry = _read(row, f"{file} entry {number}")
        other = entries.setdefault(entry.place, entry)
        if other.id != entry.id:
            raise SettingsError(
                f"{file} entry {number} ({entry.model} on {entry.set_name}): an earlier entry is "
                f"about the same model, set and settings; leave one of them out"
            )
    return tuple(entries.values())


def _read(row: Any, where: str) -> Entry:
    try:
        entry = read_entry(row)
        found = entry.id
    except SchemaError as error:
        raise SettingsError(
            f"{where}: {error}; expected an entry as 'oasis leaderboard add' writes it"
        ) from error
    if row.get("id") != found:
        raise SettingsError(
            f"{where} ({entry.model} on {entry.set_name}): its id is not that of its content, so "
            f"it was changed by hand; add it anew from its run with 'oasis leaderboard add'"
        )
    return entry


def write_board(entries: Iterable[Entry], file: Path) -> None:
    """Write a leaderboard that ``read_board`` reads back to the same, in an order of its content.

    Raises:
        RunError: the file cannot be written.
    """
    rows = [
        {"id": entry.id, **entry.to_plain()}
        for entry in sorted(entries, key=lambda each: (each.set_name, each.set_id, each.id))
    ]
    text = json.dumps({"layout": _LAYOUT, "entries": rows}, ensure_ascii=False, indent=1) + "\n"
    write_text(text, file)


def write_text(text: str, file: Path) -> None:
    """Write a file of a leaderboard whole or not at all.

    Raises:
        RunError: it cannot be written.
    """
    try:
        write_whole(file, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{file}: cannot be written ({error.strerror})") from error


def add_entries(
    entries: Sequence[Entry], new: Sequence[Entry], *, replace: bool
) -> tuple[Entry, ...]:
    """Return a leaderboard's entries with new ones.

    Args:
        entries: the entries there are.
        new: the entries to add; one that is there already stays once.
        replace: put new ones in the place of others about the same model, set and settings.

    Raises:
        SettingsError: there is another entry about the same, and it is not to be replaced.
    """
    by_place = {entry.place: entry for entry in entries}
    for entry in new:
        before = by_place.get(entry.place)
        if before is not None and before.answers != entry.answers and not replace:
            raise SettingsError(
                f"{entry.model} on {entry.set_name}: the leaderboard has an entry with other "
                f"answers, asked in the same way; give --replace to put this one in its place"
            )
        by_place[entry.place] = entry
    return tuple(by_place.values())
