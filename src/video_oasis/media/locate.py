"""Finds a benchmark's videos below one folder, by the paths that the benchmark publishes.

Copies of a benchmark differ from its release: other extensions, other sub-folders, names as a
downloader made them. A video is taken where it lies as published, else where the name points to one
file and to no other video of the same benchmark; nothing outside the folder is ever opened.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process

from video_oasis.errors import MediaError, SettingsError
from video_oasis.media.frames import MediaFailure
from video_oasis.media.identity import identify_images, identify_video, list_images

_VIDEO_SUFFIXES: Final = frozenset(
    {".3gp", ".avi", ".flv", ".gif", ".m2ts", ".m4v", ".mkv", ".mov"}
    | {".mp4", ".mpeg", ".mpg", ".mts", ".ogv", ".ts", ".webm", ".wmv"}
)
_DOWNLOADED: Final = re.compile(r"\[([\w-]{11})\]$", re.ASCII)
"""The YouTube id at the end of the names that yt-dlp gives."""
_NEAR_PERCENT: Final = 80
_SHOWN: Final = 3


class Match(StrEnum):
    """How a file's name and place differ from what the benchmark publishes."""

    AS_PUBLISHED = "as_published"
    OTHER_NAME = "other_name"
    """Another extension, a folder of images for a file, or a downloader's name around the id."""
    OTHER_FOLDER = "other_folder"
    OTHER_CASE = "other_case"


@dataclass(frozen=True, slots=True)
class LocatedVideo:
    """Where a video is.

    Attributes:
        path: a file or a folder of images, inside the folder that was searched.
        match: how it was found.
    """

    path: Path
    match: Match


@dataclass(frozen=True, slots=True)
class _Name:
    """A path below the folder, in the Unicode form that names are compared in.

    Attributes:
        folders: names of the folders above.
        stem: the name without a video's extension.
        suffix: the extension, empty if it is none of a video.
    """

    folders: tuple[str, ...]
    stem: str
    suffix: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file that may be a video, or a folder that may hold images.

    Attributes:
        path: where it is.
        name: its path below the searched folder.
        real: where it is once links are followed; None if that is outside.
    """

    path: Path
    name: _Name
    real: Path | None


@dataclass(frozen=True)
class VideoFolder:
    """What lies below a folder of videos.

    Attributes:
        root: the folder, links followed.
        entries: files and folders by the name they are found under, case folded.
        unreadable: folders that could not be listed.
    """

    root: Path
    entries: Mapping[str, Sequence[_Entry]]
    unreadable: tuple[Path, ...]

    @cached_property
    def links_outside(self) -> tuple[Path, ...]:
        """Links that lead out of the folder; they are not followed."""
        every = (entry for entries in self.entries.values() for entry in entries)
        return tuple(sorted({entry.path for entry in every if entry.real is None}))


class _Rank(NamedTuple):
    """How far a file is from what is published; the smaller, the nearer."""

    is_other_case: bool
    is_moved: bool
    renaming: int
    minus_shared_folders: int

    @property
    def match(self) -> Match:
        if self.is_other_case:
            return Match.OTHER_CASE
        if self.is_moved:
            return Match.OTHER_FOLDER
        return Match.OTHER_NAME if self.renaming else Match.AS_PUBLISHED


_AS_PUBLISHED: Final = _Rank(False, False, 0, 0)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A file that a published path may mean."""

    entry: _Entry
    real: Path
    rank: _Rank


def index_folder(root: Path) -> VideoFolder:
    """List everything below a folder that may be a video, once for all look-ups.

    Raises:
        SettingsError: there is no such folder.
    """
    if not root.is_dir():
        found = "a file" if root.exists() else "nothing"
        raise SettingsError(f"{root}: {found} is there; expected the folder that holds the videos")
    root = root.resolve()
    entries: dict[str, list[_Entry]] = defaultdict(list)
    unreadable: list[Path] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as scanned:
                found_here = sorted(scanned, key=lambda each: each.name)
        except OSError:
            unreadable.append(folder)
            continue
        for each in found_here:
            path = Path(each.path)
            real = _follow(root, path) if each.is_symlink() else path
            if each.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif real is not None and not _may_be_video(each, path):
                continue
            entry = _Entry(path, _name(path.relative_to(root).parts), real)
            for key in {entry.name.stem, _downloaded_id(entry.name.stem)} - {""}:
                entries[key.casefold()].append(entry)
    return VideoFolder(root, entries, tuple(sorted(unreadable)))


def locate_videos(
    folder: VideoFolder, published: Iterable[str]
) -> dict[str, LocatedVideo | MediaFailure]:
    """Find the videos of one benchmark.

    A file that is one published video's is never taken for another's, so give all paths of the
    benchmark at once: names such as ``video_1.mp4`` stand in several folders of some.

    Args:
        folder: what lies below the folder of videos.
        published: ``Video.path`` of the benchmark's samples.

    Returns:
        For each path where the video is, or a failure of kind ``missing``, ``ambiguous``,
        ``outside``, ``unreadable`` or ``empty``.
    """
    results: dict[str, LocatedVideo | MediaFailure] = {}
    claims: dict[str, list[_Claim]] = {}
    for path in dict.fromkeys(published):
        found = _look_up(folder, path)
        if found is None:
            claims[path] = _claim(folder, path)
        else:
            results[path] = found
    owners: dict[Path, list[tuple[_Rank, str]]] = defaultdict(list)
    for path, result in results.items():
        if isinstance(result, LocatedVideo):
            owners[result.path.resolve()].append((_AS_PUBLISHED, path))
    for path, its_claims in claims.items():
        for claim in its_claims:
            owners[claim.real].append((claim.rank, path))
    for path, its_claims in claims.items():
        results[path] = _choose(folder, path, its_claims, owners)
    return results


def _look_up(folder: VideoFolder, path: str) -> LocatedVideo | MediaFailure | None:
    """Look where the benchmark says the video is; None if no video is there."""
    if _parts(folder.root, path) is None:
        return MediaFailure(
            "outside",
            f"{path!r}: leads out of {folder.root}, and nothing outside it is opened. Expected a "
            "path relative to the folder of videos; mend the row",
        )
    here = folder.root / path
    try:
        here.stat()
    except PermissionError:
        return _unreadable(path, here)
    except (OSError, ValueError):
        # Nothing is there, or no file can have such a name.
        return None
    if _follow(folder.root, here) is None:
        return _leads_outside(folder, path, here)
    if here.is_dir() and not _has_images(here):
        return None
    return _check_access(folder, path, LocatedVideo(here, Match.AS_PUBLISHED))


def _claim(folder: VideoFolder, path: str) -> list[_Claim]:
    """Return the files and folders of images that the path may mean, wherever they are."""
    parts = _parts(folder.root, path)
    if not parts:
        return []
    wanted = _name(parts)
    return [
        _Claim(entry, entry.real, _rank(wanted, entry.name))
        for entry in folder.entries.get(wanted.stem.casefold(), ())
        if entry.real is not None and (not entry.path.is_dir() or _has_images(entry.path))
    ]


def _choose(
    folder: VideoFolder,
    path: str,
    claims: Sequence[_Claim],
    owners: Mapping[Path, Sequence[tuple[_Rank, str]]],
) -> LocatedVideo | MediaFailure:
    free = [claim for claim in claims if claim.rank == min(owners[claim.real])[0]]
    if not free:
        return _missing(folder, path, claims, owners)
    rank = min(claim.rank for claim in free)
    nearest = _one_of_each_content([claim for claim in free if claim.rank == rank])
    if len(nearest) > 1:
        return MediaFailure(
            "ambiguous",
            f"{path!r}: not there, and {len(nearest)} different videos below {folder.root} fit as "
            f"well: {_list(_below(folder, claim.entry.path) for claim in nearest)}. Put the right "
            "one where the benchmark expects it",
        )
    (claim,) = nearest
    rivals = {other for its_rank, other in owners[claim.real] if its_rank == rank} - {path}
    rivals = {other for other in rivals if _names_another(folder.root, path, other, rank)}
    if rivals:
        return MediaFailure(
            "ambiguous",
            f"{path!r}: not there, and {_below(folder, claim.entry.path)} may as well be "
            f"{_list(map(repr, sorted(rivals)))}. Put it where the benchmark expects it",
        )
    return _check_access(folder, path, LocatedVideo(claim.entry.path, rank.match))


def _names_another(root: Path, path: str, other: str, rank: _Rank) -> bool:
    """Tell whether two published paths that point to one file name different videos."""
    one, two = (_name(_parts(root, each) or ()) for each in (path, other))
    is_same = (one.folders, one.stem) == (two.folders, two.stem)
    return not is_same or (rank.renaming > 0 and one.suffix != two.suffix)


def _one_of_each_content(claims: Sequence[_Claim]) -> list[_Claim]:
    by_real = {claim.real: claim for claim in claims}
    if len(by_real) < 2:
        return list(by_real.values())
    return list({_identify(claim.real): claim for claim in by_real.values()}.values())


def _identify(path: Path) -> str:
    try:
        if path.is_dir():
            return identify_images(list_images(path), Fraction(1))
        return identify_video(path)
    except (MediaError, OSError):
        return str(path)


def _missing(
    folder: VideoFolder,
    path: str,
    claims: Sequence[_Claim],
    owners: Mapping[Path, Sequence[tuple[_Rank, str]]],
) -> MediaFailure:
    if claims:
        taken = claims[0]
        _, owner = min(owners[taken.real])
        return MediaFailure(
            "missing",
            f"{path!r}: not below {folder.root}; {_below(folder, taken.entry.path)} has the name, "
            f"but is the benchmark's {owner!r}. Put the video there, or fetch it",
        )
    wanted = _name(_parts(folder.root, path) or ("",))
    for entry in folder.entries.get(wanted.stem.casefold(), ()):
        if entry.real is None:
            return _leads_outside(folder, path, entry.path)
        if entry.name == wanted:
            return MediaFailure(
                "empty",
                f"{path!r}: a folder without images below {folder.root}. Expected one image file "
                "for each frame, or a video file of that name",
            )
    near = process.extract(
        wanted.stem.casefold(),
        folder.entries.keys(),
        scorer=fuzz.ratio,
        limit=_SHOWN,
        score_cutoff=_NEAR_PERCENT,
    )
    hint = _list(_below(folder, folder.entries[key][0].path) for key, _, _ in near)
    return MediaFailure(
        "missing",
        f"{path!r}: not below {folder.root}, under no extension and in no sub-folder"
        f"{'; nearest names: ' + hint if hint else ''}. Put the video there, or fetch it",
    )


def _check_access(
    folder: VideoFolder, path: str, located: LocatedVideo
) -> LocatedVideo | MediaFailure:
    if not os.access(located.path, os.R_OK):
        return _unreadable(path, located.path)
    if located.path.is_dir():
        for image in list_images(located.path):
            if image.is_symlink() and _follow(folder.root, image) is None:
                return _leads_outside(folder, path, image)
    return located


def _unreadable(path: str, place: Path) -> MediaFailure:
    return MediaFailure(
        "unreadable", f"{path!r}: no permission to read {place}. Check its permissions"
    )


def _leads_outside(folder: VideoFolder, path: str, link: Path) -> MediaFailure:
    return MediaFailure(
        "outside",
        f"{path!r}: {_below(folder, link)} is reached by a link that leads out of {folder.root}, "
        "and nothing outside it is opened. Give the folder that really holds the videos, or put "
        "the video itself there",
    )


def _follow(root: Path, path: Path) -> Path | None:
    """Return where a path leads once links are followed, None if that is outside the folder."""
    real = Path(os.path.realpath(path))
    return real if root in real.parents else None


def _may_be_video(listed: "os.DirEntry[str]", path: Path) -> bool:
    # A link to a folder inside adds nothing: what it holds is found where it lies.
    is_file = path.is_file() if listed.is_symlink() else listed.is_file()
    return is_file and (not path.suffix or path.suffix.lower() in _VIDEO_SUFFIXES)


def _has_images(folder: Path) -> bool:
    try:
        return bool(list_images(folder))
    except (MediaError, OSError):
        return False


def _parts(root: Path, path: str) -> tuple[str, ...] | None:
    """Split a published path into its parts below the folder; None if it leaves the folder."""
    # Tables written on Windows separate by backslashes.
    whole = Path(os.path.normpath(root / path.replace("\\", "/")))
    return whole.relative_to(root).parts if root in whole.parents else None


def _name(parts: Sequence[str]) -> _Name:
    *folders, name = (unicodedata.normalize("NFC", part) for part in parts)
    stem, suffix = os.path.splitext(name)  # noqa: PTH122 – Path drops the dot of "clip."
    if suffix.lower() not in _VIDEO_SUFFIXES:
        stem, suffix = name, ""
    return _Name(tuple(folders), stem, suffix)


def _downloaded_id(stem: str) -> str:
    found = _DOWNLOADED.search(stem)
    return found[1] if found else ""


def _rank(wanted: _Name, found: _Name) -> _Rank:
    if found.stem.casefold() != wanted.stem.casefold():
        stem, renaming = _downloaded_id(found.stem), 3
    elif not wanted.suffix or found.suffix == wanted.suffix:
        stem, renaming = found.stem, 0
    else:
        stem = found.stem
        renaming = 1 if found.suffix.lower() == wanted.suffix.lower() else 2
    folders, wanted_folders = (tuple(map(str.casefold, name.folders)) for name in (found, wanted))
    is_moved = folders != wanted_folders
    shared = 0
    for one, two in zip(reversed(folders), reversed(wanted_folders), strict=False):
        if one != two:
            break
        shared += 1
    is_other_case = stem != wanted.stem or (not is_moved and found.folders != wanted.folders)
    return _Rank(is_other_case, is_moved, renaming, -shared)


def _below(folder: VideoFolder, path: Path) -> str:
    return repr(path.relative_to(folder.root).as_posix())


def _list(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more
