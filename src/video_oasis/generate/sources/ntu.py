"""NTU RGB+D (arXiv 1604.02808, 1905.04757): performances, told from the names of their files.

A name such as ``S010C003P021R002A020_rgb.avi`` has setup, camera, person, repetition and action.
Read from a folder of clips, or from text files with a name on each line and, after a tab, the
clip's number of frames. Names of all actions are taken from a file ``*actions*`` with lines such as
``A001<tab>name``, as the data set's README lists them, where the folder has one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.rows import RowFault
from video_oasis.errors import BenchmarkError
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import Place, name_file, read_lines, take_records
from video_oasis.schema import BadRow

FRAMES_PER_SECOND: Final = 30.0
_NAME = "ntu"
_CLIP: Final = re.compile(r"S(\d{3})C(\d{3})P(\d{3})R(\d{3})A(\d{3})(?:_rgb)?(?:\.\w+)?", re.ASCII)
_CLIP_ENDINGS: Final = (".avi", ".mp4", ".mkv")
_ACTION: Final = re.compile(r"A(\d{1,3})[\s.:]+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Performance:
    """One clip of one person doing one action.

    Attributes:
        video: file name, below the folder.
        setup: number of the setup: place and height of the cameras.
        camera: which of three views.
        person: number of the person.
        repetition: first or second time.
        action: number of the action.
        length_seconds: length of the clip; None if it is not listed.
        action_names: names of the actions by number; empty where none are listed.
    """

    video: str
    setup: int
    camera: int
    person: int
    repetition: int
    action: int
    length_seconds: float | None
    action_names: Mapping[int, str]


def _read(root: Path) -> Iterator[Performance | BadRow]:
    names = _read_action_names(root)
    return take_records(_NAME, _list_clips(root), lambda line: _take(line, names))


def _list_clips(root: Path) -> Iterator[tuple[Place, str]]:
    if root.is_file():
        files = [root]
    else:
        files = sorted(path for path in root.glob("*.txt") if "actions" not in path.name)
    for path in files:
        for place, line in read_lines(path, root):
            yield Place(place.file, place.row, line.split("\t")[0]), line
    if files:
        return
    clips = (
        sorted(path for path in root.rglob("*") if path.suffix.lower() in _CLIP_ENDINGS)
        if root.is_dir()
        else []
    )
    if not clips:
        raise BenchmarkError(
            f"{root}: no clips ({', '.join(_CLIP_ENDINGS)}) and no text file with their names; "
            f"give the folder of the clips or a file with a name on each line"
        )
    for number, path in enumerate(clips, start=1):
        name = name_file(path, root)
        yield Place(name, number, name), name


def _read_action_names(root: Path) -> dict[int, str]:
    names = {}
    for path in sorted(root.glob("*actions*")) if root.is_dir() else ():
        for _, line in read_lines(path, root):
            if found := _ACTION.fullmatch(line):
                names[int(found[1])] = found[2].strip()
    return names


def _take(line: str, names: Mapping[int, str]) -> Performance:
    video, _, n_frames = line.partition("\t")
    found = _CLIP.fullmatch(Path(video).name)
    if found is None:
        raise RowFault(
            "name", "value_unreadable", f"{video!r}; expected such as S010C003P021R002A020_rgb.avi"
        )
    if n_frames and not (n_frames.strip().isdecimal() and int(n_frames) > 0):
        raise RowFault("frames", "value_unreadable", f"{n_frames!r}; expected a number of frames")
    setup, camera, person, repetition, action = map(int, found.groups())
    return Performance(
        video=video,
        setup=setup,
        camera=camera,
        person=person,
        repetition=repetition,
        action=action,
        length_seconds=int(n_frames) / FRAMES_PER_SECOND if n_frames else None,
        action_names=names,
    )


NTU: Final = Source(
    _NAME,
    "the clips, or *.txt with a clip's name, a tab and its number of frames on each line",
    "NTU RGB+D (ROSE Lab): on request for research only; clips may not be passed on",
    _read,
)
