"""Lists the videos of a benchmark that are on YouTube, for yt-dlp."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

_ID: Final = re.compile(r"([\w-]{10}[AEIMQUYcgkosw048])(?:[._]|$)", re.ASCII)
"""A name that begins with a YouTube id: 64 bits in base 64, so that few letters can end it."""
_LINES: Final = 720


def find_youtube_ids(video_paths: Iterable[str]) -> tuple[str, ...]:
    """Read the YouTube ids off the file names of videos.

    Args:
        video_paths: paths of videos as their benchmark publishes them; names that begin with no
            id are passed over.

    Returns:
        Each id once, in the order of the paths.
    """
    found = (_ID.match(PurePosixPath(path).name) for path in video_paths)
    return tuple(dict.fromkeys(match[1] for match in found if match))


def write_video_list(ids: Sequence[str], path: Path) -> None:
    """Write the addresses of YouTube videos, one a line, in the place of an earlier list."""
    lines = (f"https://www.youtube.com/watch?v={each}\n" for each in ids)
    temporary = path.with_name(f"{path.name}.writing")
    temporary.write_text("".join(lines), encoding="utf-8")
    temporary.replace(path)


def download_command(video_list: Path, folder: Path) -> tuple[str, ...]:
    """Return the yt-dlp command that downloads listed videos to a folder, named by their ids.

    It takes no more than 720 lines, leaves what is there, waits between videos and reads no
    settings of the user's that may say otherwise.
    """
    video = f"bv*[ext=mp4][height<={_LINES}]+ba[ext=m4a]"
    return (
        "yt-dlp",
        "--ignore-config",
        f"--batch-file={video_list}",
        f"--paths={folder}",
        "--output=%(id)s.%(ext)s",
        f"--format={video}/b[ext=mp4][height<={_LINES}]",
        "--merge-output-format=mp4",
        "--no-playlist",
        "--no-overwrites",
        "--sleep-interval=2",
        "--max-sleep-interval=6",
    )
