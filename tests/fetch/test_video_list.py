"""YouTube ids from the names of videos, and what yt-dlp is told."""

from pathlib import Path

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.loading import read_contents
from video_oasis.fetch.video_list import download_command, find_youtube_ids, write_video_list


def test_ids_come_once_and_in_order() -> None:
    paths = [
        "Cm73ma6Ibcs.mp4",
        "-3ab4xjUXNQ.mp4",
        "sub/folder/01GfDtSMG4s_f7d15e95-5fff-40de-96f7-b3183df21aa5.mp4",
        "Cm73ma6Ibcs.mp4",
        "8YzEce7XN_E_400bf244-8f3c-4eff-84c6-98248fc9176e.mp4",
        "86CxyhFV9MI",
    ]
    assert find_youtube_ids(paths) == (
        "Cm73ma6Ibcs",
        "-3ab4xjUXNQ",
        "01GfDtSMG4s",
        "8YzEce7XN_E",
        "86CxyhFV9MI",
    )


@pytest.mark.parametrize(
    "path",
    [
        "short.mp4",
        "Cm73ma6Ibcsx.mp4",  # twelve characters
        "Cm73ma6Ibct.mp4",  # no id ends in t
        "Cm73ma6Ib s.mp4",
        "Cm73ma6Ibc\u0441.mp4",  # a Cyrillic letter
        "--exec=reboot.mp4",
        "a\nCm73ma6Ibcs.mp4",
        "https://127.0.0.1/Cm73ma6Ib.mp4",
        "",
    ],
)
def test_other_names_are_no_ids(path: str) -> None:
    assert find_youtube_ids([path]) == ()


def test_the_list_holds_addresses(tmp_path: Path) -> None:
    file = tmp_path / "videos.txt"
    write_video_list(["-3ab4xjUXNQ", "Cm73ma6Ibcs"], file)
    write_video_list(["-3ab4xjUXNQ"], file)
    assert file.read_text(encoding="utf-8") == "https://www.youtube.com/watch?v=-3ab4xjUXNQ\n"
    assert list(tmp_path.iterdir()) == [file]


def test_no_argument_can_be_taken_for_another() -> None:
    command = download_command(Path("-x/videos.txt"), Path("-x/videos"))
    assert command[0] == "yt-dlp"
    assert all(argument.startswith("--") for argument in command[1:])
    assert "--batch-file=-x/videos.txt" in command
    assert "--paths=-x/videos" in command
    assert "--no-overwrites" in command


@pytest.mark.parametrize(("name", "n_videos"), [("lvbench", 103), ("minerva", 200)])
def test_every_video_of_the_released_files_is_listed(
    shared_data: Path, name: str, n_videos: int
) -> None:
    contents = read_contents(BENCHMARKS[name], shared_data / "annotations" / name)
    paths = {sample.video.path for sample in contents.samples}
    ids = find_youtube_ids(sorted(paths))
    assert len(ids) == n_videos == len(paths)


def test_videos_of_implicitqa_share_ids(shared_data: Path) -> None:
    contents = read_contents(BENCHMARKS["implicitqa"], shared_data / "annotations/implicitqa")
    ids = find_youtube_ids(sample.video.path for sample in contents.samples)
    urls = {
        sample.metadata["video_url"].split("v=")[1]
        for sample in contents.samples
        if len(sample.metadata["video_url"].split("v=")[1]) == 11
    }
    assert set(ids) >= urls
    assert len(ids) == 315
