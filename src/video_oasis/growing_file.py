"""A file of JSON objects that only grows: one a line, on disk before ``append`` returns."""

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from video_oasis.errors import RunError, SchemaError

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, behind some whole lines.

    Attributes:
        n_bytes: their bytes.
        n_lines: how many there are.
    """

    n_bytes: int = 0
    n_lines: int = 0


START: Final = Place()
"""The beginning of a file."""


class GrowingFile(Generic[Entry]):
    """Entries in a file; several processes may read and append at once.

    A process that is killed while it writes leaves a torn last line. It was never acknowledged,
    so reading passes it over, and the next append moves it to the file beside.
    """

    def __init__(
        self,
        path: Path,
        *,
        parse: Callable[[Any], Entry],
        to_plain: Callable[[Entry], Mapping[str, Any]],
        what: str,
    ) -> None:
        """Name the file; it need not exist yet.

        Args:
            path: the file.
            parse: makes an entry of what a line holds, or raises ``SchemaError``.
            to_plain: makes plain data of an entry.
            what: what an entry is called.
        """
        self.path: Final = path
        self._parse_plain = parse
        self._to_plain = to_plain
        self._what = what

    @property
    def torn(self) -> Path:
        """The file that torn lines are moved to."""
        return self.path.with_name(f"{self.path.name}.torn")

    def append(self, *entries: Entry) -> None:
        """Write entries at the end, all of them or, on an error, none.

        Raises:
            RunError: the file cannot be written.
        """
        with self._open_locked() as handle:
            self._write(handle, entries)

    def append_after(
        self, choose: Callable[[tuple[Entry, ...]], Sequence[Entry]]
    ) -> Sequence[Entry]:
        """Write what follows from the entries there are, with nothing written in between.

        Args:
            choose: is given all entries, and says which to write; what it raises is raised.

        Returns:
            The entries written.

        Raises:
            RunError: the file is damaged or cannot be written.
        """
        with self._open_locked() as handle:
            chosen = choose(tuple(self._parse(_read_all(handle))))
            self._write(handle, chosen)
        return chosen

    def read(self) -> tuple[Entry, ...]:
        """Read all entries in the order written; none if there is no file.

        Raises:
            RunError: the file cannot be read, or a line is no entry.
        """
        return self.read_on(START)[0]

    def read_on(self, place: Place) -> tuple[tuple[Entry, ...], Place]:
        """Read what stands behind a place, for one who follows the file as it grows.

        Args:
            place: where an earlier call ended, or ``START``.

        Returns:
            The entries, and the place behind the last whole line. An entry whose line has no end
            yet is given, and given again by the next call.

        Raises:
            RunError: the file cannot be read, or a line is no entry.
        """
        try:
            with self.path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                file.seek(place.n_bytes)
                content = file.read()
        except FileNotFoundError:
            return (), START
        except OSError as error:
            raise RunError(f"{self.path}: cannot be read ({error.strerror})") from error
        end = Place(place.n_bytes + content.rfind(b"\n") + 1, place.n_lines + content.count(b"\n"))
        return tuple(self._parse(content, place.n_lines)), end

    def _parse(self, content: bytes, n_lines_before: int = 0) -> Iterator[Entry]:
        *lines, last = content.split(b"\n")
        for number, line in enumerate(lines, start=n_lines_before + 1):
            if line.strip():
                yield self._parse_line(line, number)
        if _is_whole(last):
            yield self._parse_line(last, n_lines_before + len(lines) + 1)

    def _parse_line(self, line: bytes, number: int) -> Entry:
        try:
            return self._parse_plain(json.loads(line))
        except (ValueError, SchemaError) as error:
            raise RunError(
                f"{self.path} line {number}: {error}. Mend the line, or move it to another file"
            ) from error

    @contextmanager
    def _open_locked(self) -> Iterator[int]:
        """Open the file, keep other processes from it, and clear away a torn last line."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                self._mend_end(handle)
                yield handle
            finally:
                os.close(handle)
        except OSError as error:
            raise RunError(
                f"{self.path}: cannot be written ({error.strerror}); the {self._what} is not kept"
            ) from error

    def _mend_end(self, handle: int) -> None:
        length = os.fstat(handle).st_size
        if not length:
            _sync_folder(self.path.parent)
            return
        if os.pread(handle, 1, length - 1) == b"\n":
            return
        last = _read_all(handle).rpartition(b"\n")[2]
        if _is_whole(last):
            _write_all(handle, b"\n")
            return
        with self.torn.open("ab") as file:
            file.write(last + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.ftruncate(handle, length - len(last))

    def _write(self, handle: int, entries: Iterable[Entry]) -> None:
        lines = "".join(
            json.dumps(self._to_plain(each), ensure_ascii=False) + "\n" for each in entries
        ).encode("utf-8", "surrogatepass")
        length = os.fstat(handle).st_size
        try:
            _write_all(handle, lines)
            os.fsync(handle)
        except OSError:
            os.ftruncate(handle, length)
            raise


def _is_whole(line: bytes) -> bool:
    """Tell whether a line without an end is a whole object: no beginning of one is."""
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _read_all(handle: int) -> bytes:
    return os.pread(handle, os.fstat(handle).st_size, 0)


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _sync_folder(folder: Path) -> None:
    """Make a new file's name as lasting as its content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
