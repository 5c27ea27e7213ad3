"""Unpacks an archive of videos into a folder of its own, whole or not at all.

Members are written below a staging folder first, each under a temporary name; what is whole there
is not written again after a kill. Once all are, the folder is renamed to where it belongs, with a
file in it that says what it holds.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

from video_oasis.errors import BenchmarkError
from video_oasis.fetch.archives import Member, explain_damage, read_members
from video_oasis.fetch.member_names import MemberNames
from video_oasis.fetch.selection import ArchiveForm
from video_oasis.hashing import content_id

MARKER_NAME: Final = ".oasis-unpacked.json"

_COPY_BYTES: Final = 1 << 20
_SPARE_DISK_BYTES: Final = 1 << 28
"""Room that unpacking leaves on the disk."""
_MOST_EXPANSION: Final = 100
"""Videos and pictures hardly compress; archives that unpack to more than this are made to harm."""
_SMALL_BYTES: Final = 1 << 24
"""No archive harms by unpacking to this much, whatever its own size."""

Listener = Callable[[int, int], None]
"""Told now and then how many files and bytes are unpacked."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a folder holds that an archive was unpacked to.

    Attributes:
        contents: paths of the archive's parts and what names their content.
        n_files: how many files are in it.
        n_bytes: their size.
    """

    contents: Mapping[str, str]
    n_files: int
    n_bytes: int


def read_marker(folder: Path) -> Unpacked | None:
    """Return what was unpacked to a folder; None if nothing was."""
    if folder.is_symlink():
        return None
    try:
        marker = json.loads((folder / MARKER_NAME).read_text(encoding="utf-8"))
        return Unpacked(dict(marker["contents"]), int(marker["n_files"]), int(marker["n_bytes"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def is_unpacked(folder: Path, contents: Mapping[str, str]) -> bool:
    """Tell whether a folder still holds all of an archive with this content."""
    marker = read_marker(folder)
    return (
        marker is not None
        and marker.contents == contents
        and (marker.n_files, marker.n_bytes) == _measure(folder)
    )


def unpack_archive(
    origin: str,
    form: ArchiveForm,
    parts: Sequence[Path],
    *,
    target: Path,
    staging: Path,
    contents: Mapping[str, str],
    listener: Listener,
) -> Unpacked:
    """Unpack an archive, and put the folder in the place of an earlier one.

    A folder that holds everything in the archive and is called like the target is not doubled.

    Args:
        origin: what to call the archive in messages.
        form: its layout.
        parts: the files that make it up, in order.
        target: the folder to unpack to; it may be there only if an archive was unpacked to it.
        staging: a folder on the same disk for what is under way.
        contents: as in ``Unpacked``.
        listener: told how far it is.

    Raises:
        BenchmarkError: the archive is refused, or the target is there and holds something else.
            Nothing is left of it, and nothing outside the staging folder is changed.
        OSError: the disk is full or fails.
    """
    if os.path.lexists(target) and read_marker(target) is None:
        raise BenchmarkError(
            f"{target}: is there already, and not from {origin}; move it away, so that nothing of "
            f"yours is overwritten"
        )
    work = staging / content_id("unpack1", contents)
    files = work / "files"
    files.mkdir(parents=True, exist_ok=True)
    unpacking = _Unpacking(origin, sum(part.stat().st_size for part in parts), files, listener)
    try:
        with explain_damage(origin):
            unpacking.write_all(read_members(origin, form, parts))
    except BenchmarkError:
        shutil.rmtree(work)
        raise
    only = files / target.name
    whole = only if list(files.iterdir()) == [only] and only.is_dir() else files
    unpacked = Unpacked(contents, unpacking.n_files, unpacking.n_bytes)
    (whole / MARKER_NAME).write_text(json.dumps(asdict(unpacked)), encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    whole.rename(target)
    shutil.rmtree(work)
    return unpacked


class _Unpacking:
    """Writes the members of one archive below a folder."""

    def __init__(self, origin: str, archive_bytes: int, folder: Path, listener: Listener) -> None:
        self.n_files = 0
        self.n_bytes = 0
        self._origin = origin
        self._most_bytes = max(_MOST_EXPANSION * archive_bytes, _SMALL_BYTES)
        self._folder = folder
        self._temporary = folder.with_name("writing")
        self._names = MemberNames(origin)
        self._made: set[tuple[str, ...]] = set()
        self._listener = listener

    def write_all(self, members: Iterable[Member]) -> None:
        """Write the members that are not there whole.

        Raises:
            BenchmarkError: a name, size or content is not to be trusted, or there is no file.
        """
        for member in members:
            self._write(member)
        if self.n_files == 0:
            raise BenchmarkError(f"{self._origin}: no file in it; expected videos")

    def _write(self, member: Member) -> None:
        parts = self._names.add(member.name, is_folder=member.is_folder)
        if parts[-1:] == (MARKER_NAME,):
            raise BenchmarkError(f"{self._origin}: {member.name!r} is a name used by this program")
        if member.is_folder:
            self._make_folder(parts)
            return
        self._make_folder(parts[:-1])
        self.n_files += 1
        self.n_bytes += member.size_bytes
        if member.size_bytes < 0 or self.n_bytes > self._most_bytes:
            raise BenchmarkError(
                f"{self._origin}: {member.name!r} is said to be {member.size_bytes} bytes long, "
                f"which makes {self.n_bytes} in all, and at most {self._most_bytes} are believed "
                f"of an archive of this size"
            )
        path = self._folder.joinpath(*parts)
        if path.is_symlink() or not path.is_file() or path.stat().st_size != member.size_bytes:
            self._write_file(member, path)
        self._listener(self.n_files, self.n_bytes)

    def _make_folder(self, parts: tuple[str, ...]) -> None:
        if parts in self._made:
            return
        path = self._folder
        for part in parts:
            path /= part
            if path.is_symlink():
                raise BenchmarkError(f"{path}: a link, made by somebody else; delete it")
            path.mkdir(exist_ok=True)
        self._made.add(parts)

    def _write_file(self, member: Member, path: Path) -> None:
        free_bytes = shutil.disk_usage(self._folder).free
        if member.size_bytes > free_bytes - _SPARE_DISK_BYTES:
            raise BenchmarkError(
                f"{self._origin}: {member.name!r} is {member.size_bytes} bytes long, and "
                f"{free_bytes} are free on the disk of {self._folder}; make room"
            )
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with (
            explain_damage(f"{self._origin}: {member.name!r}"),
            os.fdopen(os.open(self._temporary, flags, 0o666), "wb") as out,
            member.open() as content,
        ):
            n_written = _copy(content, out, most_bytes=member.size_bytes)
        if n_written != member.size_bytes:
            raise BenchmarkError(
                f"{self._origin}: {member.name!r} has another size than the {member.size_bytes} "
                f"bytes the archive says"
            )
        self._temporary.replace(path)


def _copy(content: IO[bytes], out: IO[bytes], *, most_bytes: int) -> int:
    """Copy at most so many bytes; return how many there are, or one more than that."""
    n_written = 0
    while block := content.read(min(_COPY_BYTES, most_bytes + 1 - n_written)):
        n_written += len(block)
        if n_written > most_bytes:
            break
        out.write(block)
    return n_written


def _measure(folder: Path) -> tuple[int, int]:
    """Count the files below a folder and their bytes, the marker left out."""
    n_files = n_bytes = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            if name != MARKER_NAME:
                n_files += 1
                n_bytes += os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118
    return n_files, n_bytes
