"""Checks names that come from outside before a file may be written under them."""

import re
import unicodedata
from typing import Final

from video_oasis.errors import BenchmarkError

_DRIVE: Final = re.compile(r"[A-Za-z]:")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_LONGEST_BYTES: Final = 255


class MemberNames:
    """The names in one archive or listing, none of which may stand in another's place.

    Args:
        origin: what the names are from, for messages.
    """

    def __init__(self, origin: str) -> None:
        """Start with no name taken."""
        self._origin = origin
        self._taken: dict[tuple[str, ...], tuple[tuple[str, ...], bool]] = {}

    def add(self, name: str, *, is_folder: bool) -> tuple[str, ...]:
        """Check a name and take it.

        Args:
            name: a path with ``/`` between its parts.
            is_folder: folders may come again, files may not.

        Returns:
            The parts of the path below the folder that everything is written to; none for that
            folder itself.

        Raises:
            BenchmarkError: the name leads out of the folder or is of no portable form; or it is
                taken: by itself, by one that differs in case or Unicode form only, or by a folder
                where a file is to be, or the other way round.
        """
        if fault := _find_fault(name):
            raise BenchmarkError(f"{self._origin}: {name!r} {fault}")
        parts = tuple(part for part in name.split("/") if part not in {"", "."})
        if not is_folder and not parts:
            raise BenchmarkError(f"{self._origin}: {name!r} is no name for a file")
        for length in range(1, len(parts) + 1):
            self._take(parts[:length], is_folder=is_folder or length < len(parts))
        return parts

    def _take(self, parts: tuple[str, ...], *, is_folder: bool) -> None:
        key = tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
        if key not in self._taken:
            self._taken[key] = (parts, is_folder)
            return
        earlier, was_folder = self._taken[key]
        name = "/".join(parts)
        if earlier != parts:
            raise BenchmarkError(
                f"{self._origin}: {name!r} and {'/'.join(earlier)!r} differ only in case or "
                f"Unicode form, and many file systems take them for one"
            )
        if was_folder != is_folder:
            raise BenchmarkError(f"{self._origin}: {name!r} is both a file and a folder")
        if not is_folder:
            raise BenchmarkError(f"{self._origin}: {name!r} comes twice")


def _find_fault(name: str) -> str | None:
    parts = name.split("/")
    longest = max(len(part.encode("utf-8", "surrogatepass")) for part in parts)
    faults = {
        "has a control character in its name": _CONTROL.search(name) is not None,
        "is not in UTF-8": _SURROGATE.search(name) is not None,
        "is an absolute path; only paths inside the folder are written": (
            name.startswith("/") or _DRIVE.match(name) is not None
        ),
        "has a backslash in its name, which some systems take for a folder": "\\" in name,
        "leads out of the folder with '..'": ".." in parts,
        f"has {longest} bytes between two slashes; file systems take {_LONGEST_BYTES}": (
            longest > _LONGEST_BYTES
        ),
    }
    return next((fault for fault, holds in faults.items() if holds), None)
