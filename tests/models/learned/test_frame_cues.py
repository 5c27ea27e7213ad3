"""Pictures are measured and named as a viewer would name them."""

import io
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from video_oasis.errors import MediaError
from video_oasis.models.learned.cues import Family
from video_oasis.models.learned.frame_cues import MAX_PICTURES, cross_tokens, list_tokens
from video_oasis.models.learned.frame_descriptors import COLOURS, describe_pictures, measure_picture
from video_oasis.schema import Sample, Trial

MakeSample = Callable[..., Sample]
Show = Callable[..., Trial]
Album = Any

SIZE = (192, 128)
GREY = (120, 120, 120)


def to_jpeg(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90)
    return file.getvalue()


def plain(colour: tuple[int, int, int] = GREY) -> Image.Image:
    return Image.new("RGB", SIZE, colour)


def with_box(
    x: int, y: int, colour: tuple[int, int, int], ground: tuple[int, int, int] = GREY
) -> Image.Image:
    image = plain(ground)
    ImageDraw.Draw(image).rectangle((x, y, x + 31, y + 31), fill=colour)
    return image


@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("black", (8, 8, 8)),
        ("grey", (128, 128, 128)),
        ("white", (245, 245, 245)),
        ("red", (205, 25, 25)),
        ("orange", (250, 140, 10)),
        ("brown", (120, 70, 20)),
        ("yellow", (240, 225, 40)),
        ("green", (30, 150, 50)),
        ("cyan", (20, 210, 220)),
        ("blue", (30, 60, 200)),
        ("purple", (130, 30, 180)),
        ("pink", (250, 140, 190)),
    ],
)
def test_colours_by_name(name: str, colour: tuple[int, int, int]) -> None:
    shares = measure_picture(to_jpeg(plain(colour)))["colours"]
    assert dict(zip(COLOURS, shares.tolist(), strict=True))[name] > 0.98


def test_light_edges_and_places() -> None:
    left_half_white = plain((0, 0, 0))
    ImageDraw.Draw(left_half_white).rectangle((0, 0, 95, 127), fill=(255, 255, 255))
    measured = measure_picture(to_jpeg(left_half_white))
    light = measured["light"].astype(float)
    assert light.shape == (12, 16)
    assert light[:, :7].min() > 245
    assert light[:, 9:].max() < 10
    assert float(measured["contrast"]) == pytest.approx(127.5, abs=3)  # half 0 and half 255
    assert float(measured["upright"]) > 0.95
    # One step from column to column, of 63.
    assert float(measured["edges"]) == pytest.approx(1 / 63, abs=0.01)
    box = measure_picture(to_jpeg(with_box(144, 80, (220, 20, 20))))
    assert box["colour_centre"].tolist() == pytest.approx([160 / 192, 96 / 128], abs=0.03)


def test_one_picture(album: Album, make_sample: MakeSample, show: Show) -> None:
    sample = make_sample(0, ["Red.", "the blue box"], 0)
    frames = album.film([with_box(150, 90, (220, 20, 20), (30, 60, 200))])
    tokens = list_tokens(show(sample, frames).request, album.read)
    assert set(tokens) == {Family.SEEN_COLOURS, Family.SEEN_LIGHT, Family.SEEN_LAYOUT}
    assert tokens[Family.SEEN_COLOURS] == ["mostly blue", "some blue"]  # 1,024 of 24,576 are red
    red, blue = cross_tokens(tokens, show(sample, frames))
    assert red[Family.SEEN_COLOURS] == ['mostly blue → "red"', 'some blue → "red"']
    assert 'mostly blue → option contains "box"' in blue[Family.SEEN_COLOURS_WORDS]


def test_a_video_in_order_backwards_and_as_a_bag(
    album: Album, make_sample: MakeSample, show: Show
) -> None:
    sample = make_sample(0, ["left", "right"], 0)
    going_right = album.film([with_box(x, 48, (240, 240, 240)) for x in range(0, 161, 20)])
    backwards = tuple(
        type(frame)(other.digest, frame.seconds)
        for frame, other in zip(going_right, going_right[::-1], strict=True)
    )
    forward, reverse, bag = (
        list_tokens(trial.request, album.read)
        for trial in (
            show(sample, going_right),
            show(sample, backwards),
            show(sample, going_right, as_bag=True),
        )
    )
    assert "what moves goes right" in forward[Family.SHOWN_MOTION]
    assert "what moves goes left" in reverse[Family.SHOWN_MOTION]
    assert "no cuts" in forward[Family.SHOWN_MOTION]
    assert set(forward) - set(bag) == {Family.SHOWN_TREND, Family.SHOWN_MOTION}
    assert all(forward[family] == bag[family] == reverse[family] for family in bag)


def test_trends_and_cuts(album: Album, make_sample: MakeSample, show: Show) -> None:
    def tokens(colours: Sequence[tuple[int, int, int]]) -> list[str]:
        frames = album.film([plain(colour) for colour in colours])
        found = list_tokens(show(make_sample(0, ["a", "b"], 0), frames).request, album.read)
        return [*found[Family.SHOWN_TREND], *found[Family.SHOWN_MOTION]]

    dawn = tokens([(level, level, level) for level in range(60, 181, 10)])
    assert {"gets brighter", "no cuts"} <= set(dawn)
    scenes = tokens([(200, 30, 30)] * 3 + [(30, 60, 200)] * 3)
    assert {"from red to blue", "red shrinks", "blue grows", "1 cut"} <= set(scenes)
    still = tokens([(90, 90, 90)] * 4)
    assert {"light stays", "no motion", "no cuts"} <= set(still)
    assert not any(word in token for token in still for word in ("goes", "from", "grows"))


def test_of_many_pictures_some_are_read_and_each_once(
    album: Album, make_sample: MakeSample, show: Show
) -> None:
    frames = album.film([plain((200, 30, 30))] * 300, noise=3)
    request = show(make_sample(0, ["a", "b"], 0), frames, as_bag=True).request
    before = album.n_read
    first = list_tokens(request, album.read)
    assert album.n_read - before == MAX_PICTURES
    assert list_tokens(request, album.read) == first
    assert album.n_read - before == MAX_PICTURES


def test_a_picture_that_is_gone_or_broken_stops_the_fit() -> None:
    def gone(digest: str) -> bytes:
        raise MediaError("frame_lost", f"{digest}: no such frame")

    with pytest.raises(MediaError, match="no such frame"):
        describe_pictures(["gone"], gone)
    with pytest.raises(MediaError, match="frame broken: no readable JPEG"):
        describe_pictures(["broken"], {"broken": b"GIF8 and so on"}.__getitem__)


def test_a_picture_takes_milliseconds() -> None:
    grain = np.random.default_rng(0).integers(0, 256, (54, 96, 3), dtype=np.uint8)
    jpeg = to_jpeg(Image.fromarray(grain).resize((768, 432), Image.Resampling.BICUBIC))
    started = time.perf_counter()
    for _ in range(50):
        measure_picture(jpeg)
    # Two milliseconds here: four to five minutes for 128 frames of 1,000 videos.
    assert time.perf_counter() - started < 50 * 0.02
