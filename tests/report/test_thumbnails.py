"""Thumbnails: evenly chosen, in the order shown, once per frame, bounded, honest about loss."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.report.document import SampleView
from video_oasis.report.thumbnails import pick_frames, spread, write_thumbnails


def test_positions_are_spread_evenly_with_both_ends() -> None:
    assert spread(3, 8) == (0, 1, 2)
    assert spread(9, 5) == (0, 2, 4, 6, 8)
    assert spread(128, 8) == (0, 18, 36, 54, 73, 91, 109, 127)
    assert spread(0, 8) == ()


def test_a_request_gets_at_most_eight_and_many_parts_share(view: SampleView) -> None:
    blind, shuffle, first, second = pick_frames(view)
    assert blind == ()
    assert len(shuffle) == 8
    assert first == second == (0, 1, 3, 4)
    part = view.showings[2]
    parts = tuple(replace(part, part=number) for number in range(8))
    assert pick_frames(replace(view, showings=parts)) == ((0, 4),) * 8


def test_each_frame_is_read_once_and_kept_small(
    view: SampleView, tmp_path: Path, make_jpeg: Callable[[], bytes]
) -> None:
    read: list[str] = []

    def read_picture(digest: str) -> bytes:
        read.append(digest)
        return make_jpeg()

    first = write_thumbnails([view, view], tmp_path, read_picture)
    # Those of chunk are among those of shuffle.
    frames = view.showings[1].frames
    assert read == [frames[position] for position in (0, 1, 3, 4, 5, 6, 8, 9)]
    assert first.digests == set(read)
    with Image.open(tmp_path / f"{read[0]}.jpg") as image:
        assert image.size == (160, 120)
    again = write_thumbnails([view], tmp_path, read_picture)
    assert again.digests == first.digests
    assert len(read) == 8


def test_there_is_a_most_and_lost_frames_are_counted(
    view: SampleView, tmp_path: Path, make_jpeg: Callable[[], bytes]
) -> None:
    lost = view.showings[1].frames[1]

    def read_picture(digest: str) -> bytes:
        if digest == lost:
            raise MediaError("frame_lost", "gone")
        return make_jpeg()

    made = write_thumbnails([view], tmp_path, read_picture, limit=3)
    frames = view.showings[1].frames
    assert made.digests == {frames[0], frames[3]}
    assert (made.n_left_out, made.n_lost) == (5, 1)


def test_without_a_store_nothing_is_made(view: SampleView, tmp_path: Path) -> None:
    made = write_thumbnails([view], tmp_path / "thumbnails", None)
    assert made.digests == frozenset()
    assert not made.has_store
    assert not (tmp_path / "thumbnails").exists()


def test_a_thumbnail_shows_its_frame(view: SampleView, tmp_path: Path) -> None:
    red = io.BytesIO()
    Image.new("RGB", (640, 480), (220, 20, 20)).save(red, "JPEG")
    made = write_thumbnails([view], tmp_path, lambda _digest: red.getvalue(), limit=1)
    (digest,) = made.digests
    with Image.open(tmp_path / f"{digest}.jpg") as image:
        pixel = image.convert("RGB").getpixel((80, 60))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 200
    assert max(pixel[1:]) < 40
