import os
import shutil
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from video_oasis.errors import MediaError
from video_oasis.media.identity import identify_images, identify_video, list_images


def test_a_moved_copy_is_the_same_video(clips: Mapping[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "Kopie – 复制.MP4"
    shutil.copy(clips["h264"], copy)
    assert identify_video(copy) == identify_video(clips["h264"])
    assert identify_video(clips["h264"]) != identify_video(clips["hevc"])


@pytest.mark.parametrize("at", [0, 2_500_000, 4_999_999])
def test_first_middle_and_last_bytes_count(tmp_path: Path, at: int) -> None:
    content = bytearray(5_000_000)
    path = tmp_path / "a.mp4"
    path.write_bytes(content)
    before = identify_video(path)
    content[at] = 1
    path.write_bytes(content)
    assert identify_video(path) != before


def test_size_counts(tmp_path: Path) -> None:
    ids = set()
    for size in (3_000_000, 3_000_001):
        path = tmp_path / "a.mp4"
        path.write_bytes(bytes(size))
        ids.add(identify_video(path))
    assert len(ids) == 2


def test_images_are_listed_in_natural_order(tmp_path: Path) -> None:
    for name in ("10.jpg", "2.JPG", "1.png", "notes.txt", ".hidden.jpg", "b3.jpeg"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "folder.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    assert [path.name for path in list_images(tmp_path)] == ["1.png", "2.JPG", "10.jpg", "b3.jpeg"]


def test_names_of_mixed_scripts_and_digits_have_an_order(tmp_path: Path) -> None:
    for name in ("٣.png", "3.png", "²1.png", "-1.png", "é1.png"):
        (tmp_path / name).write_bytes(b"x")
    assert len(list_images(tmp_path)) == 5


def test_images_are_identified_by_content_order_and_rate(tmp_path: Path) -> None:
    paths = [tmp_path / "1.png", tmp_path / "2.png"]
    for path in paths:
        path.write_bytes(path.name.encode())
    whole = identify_images(paths, Fraction(3))
    moved = [path.rename(path.with_stem(f"frame{path.stem}")) for path in paths]
    assert identify_images(moved, Fraction(3)) == whole
    assert identify_images(moved[::-1], Fraction(3)) != whole
    assert identify_images(moved, Fraction(2)) != whole


def test_a_folder_without_images_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="a folder without images") as caught:
        list_images(tmp_path)
    assert caught.value.kind == "empty"
