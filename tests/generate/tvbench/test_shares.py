"""Parts of a clip, and windows in which an event lies elsewhere."""

import pytest

from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.shares import Part, cut_window, step_lengths, tell_part

SETTINGS = TVBenchSettings()


@pytest.mark.parametrize(
    ("start", "end", "part"),
    [
        (0, 35, Part.BEGINNING),
        (0, 36, None),
        (32, 68, Part.MIDDLE),
        (31, 60, None),
        (40, 69, None),
        (65, 100, Part.END),
        (64, 100, None),
        (7, 93, Part.THROUGHOUT),
        (10, 94, None),
        (33, 34, None),  # at the beginning and in the middle: no one answer
        (-5, 105, Part.THROUGHOUT),
    ],
)
def test_parts_have_gaps_between_them(start: float, end: float, part: Part | None) -> None:
    assert tell_part(start, end, 100, SETTINGS) is part


@pytest.mark.parametrize(
    ("part", "first", "last"),
    [
        # An event from 20 to 24 of 60 seconds, in windows of 15 seconds.
        (Part.BEGINNING, 24 - 0.35 * 15, 20),
        (Part.MIDDLE, 24 - 0.68 * 15, 20 - 0.32 * 15),
        (Part.END, 9, 20 - 0.65 * 15),
    ],
)
def test_windows_range_over_all_that_fit(part: Part, first: float, last: float) -> None:
    assert cut_window(20, 24, 60, part, 15, 0.0, SETTINGS) == pytest.approx((first, first + 15))
    middle = cut_window(20, 24, 60, part, 15, 0.5, SETTINGS)
    assert middle == pytest.approx(((first + last) / 2, (first + last) / 2 + 15), abs=1e-3)


def test_windows_stay_inside_the_video() -> None:
    assert cut_window(2, 6, 60, Part.END, 15, 0.0, SETTINGS) is None
    assert cut_window(50, 54, 60, Part.BEGINNING, 15, 0.0, SETTINGS) is None
    assert cut_window(20, 24, 60, Part.THROUGHOUT, 15, 0.0, SETTINGS) is None
    # A window a little longer than the event covers it; a shorter one lies within it.
    assert cut_window(20, 35, 60, Part.THROUGHOUT, 16, 0.0, SETTINGS) == (19, 35)
    assert cut_window(20, 35, 60, Part.THROUGHOUT, 10, 0.0, SETTINGS) == (20, 30)


def test_steps_of_lengths() -> None:
    assert step_lengths((15.0, 17.0), 1.0) == (15.0, 16.0, 17.0)
    assert step_lengths((2.0, 3.1), 0.5) == (2.0, 2.5, 3.0)
