import io
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from video_oasis.media.pictures import frame_to_jpeg, image_to_jpeg, upright_step
from video_oasis.media.sampling import PictureSettings

Picture = npt.NDArray[np.uint8]
SETTINGS = PictureSettings()


def _open(jpeg: bytes) -> Picture:
    return np.asarray(Image.open(io.BytesIO(jpeg)))


def _shown(frame: av.VideoFrame, settings: PictureSettings = SETTINGS) -> bytes:
    return frame_to_jpeg(frame, settings, upright_step(frame))


def _first_frame(path: Path) -> av.VideoFrame:
    with av.open(str(path)) as container:
        return next(container.decode(container.streams.video[0]))


@pytest.mark.parametrize(("turn_degrees", "quarters"), [(90, 1), (180, 2), (-90, 3), (0, 0)])
def test_turned_video_is_shown_upright(
    make_clip: Callable[..., Path],
    paint: Callable[[int, int, int], Picture],
    turn_degrees: int,
    quarters: int,
) -> None:
    frame = _first_frame(make_clip(f"turn{turn_degrees}.mp4", turn_degrees=turn_degrees, first=9))
    expected = np.rot90(paint(9, 64, 48), quarters)
    shown = _open(_shown(frame))
    assert shown.shape == expected.shape
    assert np.abs(shown.astype(int) - expected).mean() < 6


def test_pictures_are_scaled_to_the_longest_side(make_clip: Callable[..., Path]) -> None:
    frame = _first_frame(make_clip("large.mp4", n=1, size=(320, 240)))
    assert _open(_shown(frame, PictureSettings(longest_side=80))).shape == (60, 80, 3)
    assert _open(_shown(frame)).shape == (240, 320, 3)


@pytest.mark.parametrize("pixel_format", ["yuv420p", "yuvj420p", "yuv420p10le", "yuv444p"])
def test_colours_survive_every_pixel_format(pixel_format: str) -> None:
    colours = np.array([[200, 30, 30], [30, 160, 60], [40, 60, 210], [128, 128, 128]], np.uint8)
    picture = np.kron(colours.reshape(2, 2, 3), np.ones((32, 32, 1), np.uint8))
    frame = av.VideoFrame.from_ndarray(picture).reformat(format=pixel_format)
    shown = _open(_shown(frame)).astype(int)
    assert shown[16, 16] == pytest.approx(colours[0], abs=5)
    assert shown[16, 48] == pytest.approx(colours[1], abs=5)
    assert shown[48, 16] == pytest.approx(colours[2], abs=5)
    assert shown[48, 48] == pytest.approx(colours[3], abs=5)


def test_colours_follow_the_streams_matrix_and_range(shared_data: Path) -> None:
    # BT.709 in full range; taken for BT.601 or limited range it would be off by 9 and more.
    frame = _first_frame(shared_data / "videos" / "bt709_full_range.mp4")
    luma, cb, cr = (
        np.frombuffer(memoryview(plane), np.uint8)
        .reshape(plane.height, plane.line_size)[:, : plane.width]
        .astype(float)
        for plane in frame.planes
    )
    cb, cr = (np.kron(plane - 128, np.ones((2, 2))) for plane in (cb, cr))
    red = luma + 1.5748 * cr
    blue = luma + 1.8556 * cb
    green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
    expected = np.clip(np.stack([red, green, blue], axis=-1), 0, 255)
    shown = _open(_shown(frame, PictureSettings(1280, 95)))
    assert np.abs(shown - expected).mean() < 3


def test_quality_decides_the_size_in_bytes(make_clip: Callable[..., Path]) -> None:
    frame = _first_frame(make_clip("large.mp4", n=1, size=(320, 240)))
    low, high = (len(_shown(frame, PictureSettings(jpeg_quality=quality))) for quality in (30, 95))
    assert low < high


def test_images_follow_their_own_orientation() -> None:
    image = Image.new("RGBA", (40, 20), (255, 0, 0, 255))
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "JPEG", exif=exif)
    shown = _open(image_to_jpeg(Image.open(buffer), PictureSettings(longest_side=20)))
    assert shown.shape == (20, 10, 3)
    assert _open(image_to_jpeg(image, SETTINGS)).shape == (20, 40, 3)
