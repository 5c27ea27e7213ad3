"""Picks the wanted files of a data set, and puts the parts of split archives together."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from video_oasis.benchmarks.interface import Publication
from video_oasis.errors import BenchmarkError
from video_oasis.fetch.member_names import MemberNames

_ARCHIVE: Final = re.compile(
    r"(?P<stem>.+)\.(?P<form>zip|tar|tar\.gz|tgz)(?:\.(?:part[.-]?)?(?P<part>[a-z]+|[0-9]+))?"
)


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a data set.

    Attributes:
        path: its path in the data set.
        size_bytes: its size.
        blob_id: changes with its content.
    """

    path: str
    size_bytes: int
    blob_id: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a data set at one commit.

    Attributes:
        dataset: the data set's id.
        commit: the commit, 40 hexadecimal digits.
        is_gated: its files are given only to users who accepted its terms.
        files: all files.
    """

    dataset: str
    commit: str
    is_gated: bool
    files: tuple[HubFile, ...]


class ArchiveForm(StrEnum):
    """How an archive is laid out."""

    ZIP = "zip"
    TAR = "tar"
    """Compressed or not."""


_FORMS: Final = {
    "zip": ArchiveForm.ZIP,
    "tar": ArchiveForm.TAR,
    "tar.gz": ArchiveForm.TAR,
    "tgz": ArchiveForm.TAR,
}


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive of videos, in one file or split.

    Attributes:
        path: its path in the data set, without the endings of parts.
        stem: its name without endings.
        form: its layout.
        parts: the files that make it up, in order.
    """

    path: str
    stem: str
    form: ArchiveForm
    parts: tuple[HubFile, ...]

    @property
    def size_bytes(self) -> int:
        """The size of all parts."""
        return sum(part.size_bytes for part in self.parts)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is wanted of a data set.

    Attributes:
        annotations: the files the reader wants.
        archives: archives of videos.
        videos: videos that lie there as files.
    """

    annotations: tuple[HubFile, ...]
    archives: tuple[Archive, ...]
    videos: tuple[HubFile, ...]


def select_files(publication: Publication, listing: Listing) -> Selection:
    """Pick the files that a benchmark needs.

    Raises:
        BenchmarkError: what should be there is not, a part of a split archive is missing, or a
            path leads out of the folder it is downloaded to.
    """
    names = MemberNames(listing.dataset)
    annotations = _match(listing, publication.annotations, names)
    if not publication.videos:
        return Selection(annotations, archives=(), videos=())
    videos = []
    archives: dict[tuple[str, str, str], list[tuple[str, HubFile]]] = defaultdict(list)
    for file in _match(listing, publication.videos, names):
        path = PurePosixPath(file.path)
        if found := _ARCHIVE.fullmatch(path.name):
            archive = path.with_name(f"{found['stem']}.{found['form']}")
            archives[str(archive), found["stem"], found["form"]].append((found["part"] or "", file))
        else:
            videos.append(file)
    folders = MemberNames(f"{listing.dataset}: the folders of its archives")
    for _, stem, _ in archives:
        folders.add(stem, is_folder=False)
    return Selection(
        annotations,
        archives=tuple(
            Archive(path, stem, _FORMS[form], _order(path, parts))
            for (path, stem, form), parts in archives.items()
        ),
        videos=tuple(videos),
    )


def _match(listing: Listing, patterns: Sequence[str], names: MemberNames) -> tuple[HubFile, ...]:
    found = tuple(
        file
        for file in sorted(listing.files, key=lambda each: each.path)
        if any(PurePosixPath(file.path).match(pattern) for pattern in patterns)
    )
    if not found:
        raise BenchmarkError(
            f"{listing.dataset} at {listing.commit}: no file fits {' or '.join(patterns)}; its "
            f"authors may have changed it, so name an earlier commit with --revision"
        )
    for file in found:
        names.add(file.path, is_folder=False)
    return found


def _order(path: str, parts: Sequence[tuple[str, HubFile]]) -> tuple[HubFile, ...]:
    ordered = sorted(parts, key=lambda each: (len(each[0]), each[0]))
    endings = [ending for ending, _ in ordered]
    if endings == [""]:
        return (ordered[0][1],)
    is_numbered = all(ending.isdigit() for ending in endings)
    is_lettered = all(ending.isalpha() for ending in endings)
    numbers = [int(ending) if ending.isdigit() else _count_letters(ending) for ending in endings]
    first = 1 if is_numbered and numbers[0] == 1 else 0
    expected = list(range(first, first + len(endings)))
    if not (is_numbered or is_lettered) or numbers != expected:
        raise BenchmarkError(
            f"{path}: it is split, and there are only the parts {', '.join(endings)}; expected "
            f"parts without a gap, so name another --revision"
        )
    return tuple(file for _, file in ordered)


def _count_letters(ending: str) -> int:
    """Return the number of a part as ``split`` names it: 0 for "aa", 1 for "ab"."""
    number = 0
    for letter in ending:
        number = 26 * number + ord(letter) - ord("a")
    return number
