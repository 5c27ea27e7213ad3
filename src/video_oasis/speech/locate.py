"""Finds the transcript file of each video below one folder, by the names they are published under.

A file belongs to a video if a sample names it, or by its own name: the video file's name or stem,
or a YouTube id that is the video's stem in the brackets of a downloader, each perhaps with a
language and the ending of the sound file between (``a.mp4.mp3.json``, ``a.srt``, ``a.en.vtt``,
``Title [id].vtt``). A nearer name wins, and a file in the folder the video is published in. Files
that fit as well as each other and differ are a failure, not a guess.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from video_oasis.errors import SettingsError
from video_oasis.media.frames import MediaFailure
from video_oasis.schema import METADATA_SUBTITLES_PATH, METADATA_SUBTITLES_START, Sample
from video_oasis.speech.files import TRANSCRIPT_SUFFIXES

TRANSCRIPT_MISSING: Final = "transcript_missing"
"""Kind of the failure of a video that has no transcript file."""

_SOUND_SUFFIXES: Final = (".mp3", ".wav", ".m4a", ".aac", ".flac", ".opus", ".ogg")
_LANGUAGE: Final = re.compile(r"\.[a-z]{2,3}(?:-[a-z]{2,8})*$", re.ASCII)
_DOWNLOADED: Final = re.compile(r"\[([\w-]{11})\]$", re.ASCII)


@dataclass(frozen=True, slots=True)
class LocatedTranscript:
    """Where a video's transcript is.

    Attributes:
        path: a file inside the folder that was searched.
        start_seconds: the moment of the transcript at which the video begins; more than 0 only for
            published subtitles of a longer video.
    """

    path: Path
    start_seconds: float = 0.0


@dataclass(frozen=True)
class TranscriptFolder:
    """What lies below a folder of transcripts.

    Attributes:
        root: the folder, links followed.
        files: the transcript files by each name that they may mean, case folded.
    """

    root: Path
    files: Mapping[str, Sequence[Path]]


class _Claim(NamedTuple):
    """How far a file's name is from a video's, the smaller the nearer; and the file."""

    renaming: int
    is_moved: bool
    path: Path


def index_transcripts(root: Path) -> TranscriptFolder:
    """List the transcript files below a folder, once for all look-ups.

    Links that lead out of the folder are left out, and folders behind links are not entered.

    Raises:
        SettingsError: there is no such folder.
    """
    if not root.is_dir():
        found = "a file" if root.exists() else "nothing"
        raise SettingsError(
            f"{root}: {found} is there; expected the folder that holds the transcripts"
        )
    root = root.resolve()
    files: dict[str, list[Path]] = defaultdict(list)
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if path.suffix.lower() in TRANSCRIPT_SUFFIXES and root in path.resolve().parents:
                for meant in _meant_names(_spell(name)):
                    files[meant].append(path)
    return TranscriptFolder(root, {name: sorted(paths) for name, paths in files.items()})


def locate_transcripts(
    folder: TranscriptFolder, samples: Iterable[Sample]
) -> dict[str, LocatedTranscript | MediaFailure]:
    """Find the transcripts of one benchmark's videos.

    A file that fits several videos belongs to the one it is nearest to, and to none if that is no
    single one, so give all samples of the benchmark at once.

    Args:
        folder: what lies below the folder of transcripts.
        samples: the benchmark's samples.

    Returns:
        For each ``Video.path`` where its transcript is, or a failure of kind
        ``transcript_missing``, ``transcript_ambiguous`` or ``transcript_outside``.
    """
    located: dict[str, LocatedTranscript | MediaFailure] = {}
    claims: dict[str, list[_Claim]] = {}
    for video, named in _named_files(samples).items():
        if not named:
            claims[video] = _claim(folder, video)
        elif len(named) > 1:
            located[video] = MediaFailure(
                "transcript_ambiguous",
                f"{video!r}: its samples name different subtitles: {_list(sorted(named))}. "
                "Expected one file, and one start in it, for each video; mend the rows",
            )
        else:
            located[video] = _look_up(folder, video, *next(iter(named)))
    nearest_of: dict[Path, list[tuple[int, bool, str]]] = defaultdict(list)
    for video, its_claims in claims.items():
        for claim in its_claims:
            nearest_of[claim.path].append((claim.renaming, claim.is_moved, video))
    for video, its_claims in claims.items():
        own = [claim for claim in its_claims if claim[:2] == min(nearest_of[claim.path])[:2]]
        located[video] = _choose(folder, video, own, nearest_of)
    return located


def _named_files(samples: Iterable[Sample]) -> dict[str, set[tuple[str, float]]]:
    """Return for each video the subtitle files its samples name, with the start in them."""
    named: dict[str, set[tuple[str, float]]] = {}
    for sample in samples:
        its_files = named.setdefault(sample.video.path, set())
        if path := sample.metadata.get(METADATA_SUBTITLES_PATH):
            start = sample.metadata.get(METADATA_SUBTITLES_START) or 0.0
            its_files.add((str(path), float(start)))
    return named


def _look_up(
    folder: TranscriptFolder, video: str, named: str, start_seconds: float
) -> LocatedTranscript | MediaFailure:
    """Find the file a sample names: where it says, else a single one of that name."""
    here = Path(os.path.normpath(folder.root / named.replace("\\", "/")))
    if folder.root not in here.parents or folder.root not in here.resolve().parents:
        return MediaFailure(
            "transcript_outside",
            f"{video!r}: its subtitles {named!r} lie outside {folder.root}, and nothing outside it "
            "is opened. Mend the row, or put the file itself there",
        )
    if here.is_file():
        return LocatedTranscript(here, start_seconds)
    name = _spell(here.name)
    same = [path for path in folder.files.get(name, ()) if _spell(path.name) == name]
    if not same:
        # A transcript of the video file itself starts where the video does.
        return _choose(folder, video, _claim(folder, video), {})
    found = _choose(folder, video, [_Claim(0, True, path) for path in same], {})
    if isinstance(found, LocatedTranscript):
        return LocatedTranscript(found.path, start_seconds)
    return found


def _claim(folder: TranscriptFolder, video: str) -> list[_Claim]:
    """Return the files whose names may mean a video."""
    published = PurePosixPath(video.replace("\\", "/"))
    full, stem = _spell(published.name), _spell(published.stem)
    claims = []
    for path in dict.fromkeys((*folder.files.get(full, ()), *folder.files.get(stem, ()))):
        name = _spell(path.name)
        renaming = 2 if not name.startswith(stem) else 0 if name.startswith(full) else 1
        above = path.relative_to(folder.root).parent.as_posix().casefold()
        claims.append(_Claim(renaming, above != published.parent.as_posix().casefold(), path))
    return claims


def _choose(
    folder: TranscriptFolder,
    video: str,
    claims: Sequence[_Claim],
    nearest_of: Mapping[Path, Sequence[tuple[int, bool, str]]],
) -> LocatedTranscript | MediaFailure:
    if not claims:
        return MediaFailure(
            TRANSCRIPT_MISSING,
            f"{video!r}: no transcript of it below {folder.root}; expected a name such as "
            f"{PurePosixPath(video).name + '.json'!r} or {PurePosixPath(video).stem + '.srt'!r}",
        )
    best = min(claims)[:2]
    nearest = [claim.path for claim in claims if claim[:2] == best]
    by_content = {_content(path): path for path in reversed(nearest)}
    if len(by_content) > 1:
        return MediaFailure(
            "transcript_ambiguous",
            f"{video!r}: {len(by_content)} different transcripts below {folder.root} fit as well: "
            f"{_list(_below(folder, path) for path in nearest)}. Keep the right one",
        )
    (path,) = by_content.values()
    rivals = [other for *rank, other in nearest_of.get(path, ()) if tuple(rank) == best]
    if len(rivals) > 1:
        return MediaFailure(
            "transcript_ambiguous",
            f"{video!r}: {_below(folder, path)} may as well belong to "
            f"{_list(repr(other) for other in sorted(rivals) if other != video)}. Put it in a "
            "folder as the video is",
        )
    return LocatedTranscript(path)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        # Reading it will say why; here it only counts as unlike any other.
        return bytes(path)


def _meant_names(name: str) -> set[str]:
    """Return the names that a transcript file's name may mean, from its own to the bare stem."""
    stem = name.rpartition(".")[0]
    sounding = next((stem.removesuffix(end) for end in _SOUND_SUFFIXES if stem.endswith(end)), stem)
    meant = {name, stem, sounding, _LANGUAGE.sub("", sounding)}
    return meant | {found[1] for each in meant if (found := _DOWNLOADED.search(each))}


def _spell(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _below(folder: TranscriptFolder, path: Path) -> str:
    return repr(path.relative_to(folder.root).as_posix())


def _list(items: Iterable[object], *, most: int = 3) -> str:
    every = list(items)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(map(str, every[:most])) + more
