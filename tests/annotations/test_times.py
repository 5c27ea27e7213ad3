"""Clock times become seconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.annotations.times import read_clock, read_ranges


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:15", 15),
        ("101:21", 6081),
        ("1:02:03", 3723),
        ("85", 85),
        (" 85.5 ", 85.5),
        ("1e2", 100),
    ],
)
def test_clock(text: str, seconds: float) -> None:
    assert read_clock(text) == seconds


@pytest.mark.parametrize("text", ["", "None", "-3", "1:", ":20", "1:2:3:4", "nan", "inf", "soon"])
def test_no_clock(text: str) -> None:
    assert read_clock(text) is None


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("00:15-00:19", [[15, 19]]),
        ("101:21-101:21", [[6081, 6081]]),
        ("1:02:03-1:02:10", [[3723, 3730]]),
        ("00:01-00:02, 00:04 - 00:05", [[1, 2], [4, 5]]),
        ("00:01–00:02", [[1, 2]]),
        ("116:50-108:00", [[7010, 6480]]),
        ("08:17-None", []),
        ("None-None, 00:04-00:05", [[4, 5]]),
        ("", []),
    ],
)
def test_ranges(text: str, ranges: list[list[float]]) -> None:
    assert read_ranges(text) == ranges


@given(st.integers(0, 500), st.integers(0, 59), st.integers(0, 59))
def test_hours_minutes_and_seconds_add_up(hours: int, minutes: int, seconds: int) -> None:
    total = 3600 * hours + 60 * minutes + seconds
    assert read_clock(f"{hours}:{minutes:02}:{seconds:02}") == total
    assert read_clock(f"{60 * hours + minutes}:{seconds:02}") == total
    assert read_clock(str(total)) == total


@given(st.text())
def test_any_text_gives_a_time_or_none(text: str) -> None:
    seconds = read_clock(text)
    assert seconds is None or seconds >= 0
    assert all(len(ends) == 2 for ends in read_ranges(text))
