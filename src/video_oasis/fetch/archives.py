"""Reads the plain files and folders in a zip or tar archive, split or not; refuses all else."""

import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Final, Self, cast

from video_oasis.errors import BenchmarkError
from video_oasis.fetch.selection import ArchiveForm

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER_BYTES: Final = 1 << 20
_ENCRYPTED: Final = 0x1
_LONGEST_HEADER_BYTES: Final = 1 << 20
"""Real headers with long names take hundreds of bytes; the reader holds them in memory."""
_DAMAGE: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
    struct.error,
)
"""What the readers raise on archives that are damaged, cut off or of an unknown kind."""
_EXTENDED_HEADERS: Final = frozenset(
    {
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    }
)


@dataclass(frozen=True, slots=True)
class Member:
    """A file or folder in an archive.

    Attributes:
        name: its path, unchecked.
        size_bytes: the size the archive declares.
        is_folder: it is a folder.
        open: opens the content of a file; to be read before the next member is asked for.
    """

    name: str
    size_bytes: int
    is_folder: bool
    open: Callable[[], IO[bytes]]


def read_members(origin: str, form: ArchiveForm, parts: Sequence[Path]) -> Iterator[Member]:
    """Give the members of an archive in their order.

    Reading is to be done within ``explain_damage``.

    Args:
        origin: what to call the archive in messages.
        form: its layout.
        parts: the files that make it up, in order.

    Raises:
        BenchmarkError: a member is a link, a device, encrypted, or anything else than a plain
            file or folder.
    """
    with _JoinedFiles(parts) as joined, io.BufferedReader(joined, _BUFFER_BYTES) as file:
        read = _read_zip if form is ArchiveForm.ZIP else _read_tar
        yield from read(origin, file)


@contextmanager
def explain_damage(origin: str) -> Iterator[None]:
    """Turn what comes of reading a damaged archive into a message.

    Raises:
        BenchmarkError: the archive is damaged or cut off.
    """
    try:
        yield
    except _DAMAGE as error:
        raise BenchmarkError(
            f"{origin}: damaged, cut off or of an unknown kind ({error}). Delete the archive and "
            f"fetch it again; if that does not help, it is published so"
        ) from error


def _read_zip(origin: str, file: BinaryIO) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        for info in infos:
            if info.flag_bits & _ENCRYPTED:
                raise BenchmarkError(f"{origin}: {info.orig_filename!r} is encrypted")
            _require_plain(origin, info.orig_filename, _zip_mode(info))
        for info in infos:
            yield Member(
                # The name that zipfile goes by ends at a null character.
                name=info.orig_filename,
                size_bytes=info.file_size,
                is_folder=info.is_dir() or stat.S_ISDIR(_zip_mode(info)),
                open=lambda info=info: archive.open(info),  # type: ignore[misc]
            )


def _zip_mode(info: zipfile.ZipInfo) -> int:
    """Return what kind of file the archiving system took it for, 0 where it does not say."""
    return stat.S_IFMT(info.external_attr >> 16)


def _read_tar(origin: str, file: BinaryIO) -> Iterator[Member]:
    with tarfile.open(fileobj=file, mode="r|*", tarinfo=_StrictTarInfo) as archive:
        for info in archive:
            kind = stat.S_IFREG if info.isreg() and not info.issparse() else stat.S_IFIFO
            if info.isdir():
                kind = stat.S_IFDIR
            elif info.issym() or info.islnk():
                kind = stat.S_IFLNK
            _require_plain(origin, info.name, kind)
            yield Member(
                name=info.name,
                size_bytes=info.size,
                is_folder=info.isdir(),
                open=lambda info=info: cast("IO[bytes]", archive.extractfile(info)),  # type: ignore[misc]
            )


def _require_plain(origin: str, name: str, kind: int) -> None:
    if kind == stat.S_IFLNK:
        raise BenchmarkError(f"{origin}: {name!r} is a link; links are never made or followed")
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise BenchmarkError(
            f"{origin}: {name!r} is a device or another special file; expected plain files and "
            f"folders"
        )


class _StrictTarInfo(tarfile.TarInfo):
    """A header that ends an archive only by being its end mark.

    ``tarfile`` also takes a damaged header, or none at all, for the end, so that an archive that
    was cut looks whole.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if len(buf) != tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it ends without an end mark")
        if not any(buf):
            return super().frombuf(buf, encoding, errors)
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"a damaged header: {error}") from error
        if header.type in _EXTENDED_HEADERS and header.size > _LONGEST_HEADER_BYTES:
            raise tarfile.ReadError(f"a header of {header.size} bytes")
        return header


class _JoinedFiles(io.RawIOBase):
    """Several files read as one.

    Args:
        paths: the files in order.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Open the files."""
        super().__init__()
        self._files = [path.open("rb", buffering=0) for path in paths]
        sizes = (os.fstat(file.fileno()).st_size for file in self._files)
        self._ends = list(accumulate(sizes))
        self._position = 0

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()
        super().close()

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def seekable(self) -> bool:
        """Say that this can be read from anywhere."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._ends[-1]}[whence]
        if start + offset < 0:
            raise ValueError(f"no place {start + offset} in a file")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read some bytes from the file that the place is in."""
        number = bisect_right(self._ends, self._position)
        if number == len(self._files):
            return 0
        start = self._ends[number - 1] if number else 0
        file = self._files[number]
        file.seek(self._position - start)
        n_read = file.readinto(buffer) or 0
        self._position += n_read
        return n_read
