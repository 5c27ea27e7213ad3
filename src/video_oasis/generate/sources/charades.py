"""Charades (arXiv 1604.01753): everyday actions with their times, from its tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.generate.sources.charades_files import (
    CharadesVideo,
    read_class_names,
    read_videos,
)
from video_oasis.generate.sources.interface import Source
from video_oasis.schema import BadRow

_NAME = "charades"


def _read(root: Path) -> Iterator[CharadesVideo | BadRow]:
    return read_videos(_NAME, root, read_class_names(root, "Charades*classes.txt"))


CHARADES: Final = Source(
    _NAME,
    "Charades_v1_*.csv and Charades_v1_classes.txt",
    "Charades (Sigurdsson et al. 2016); for non-commercial use, see the licence that comes with it",
    _read,
)
