import numpy as np
import pytest

from video_oasis.media.audio import SAMPLE_RATE
from video_oasis.speech.cuts import cut_where_quiet

RNG = np.random.default_rng(1)


def noise(n_seconds: float) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    return RNG.integers(-5000, 5000, round(n_seconds * SAMPLE_RATE)).astype(np.int16)


def test_sound_that_is_short_enough_stays_whole() -> None:
    assert list(cut_where_quiet(noise(10), 10 * SAMPLE_RATE)) == [(0, 10 * SAMPLE_RATE)]
    assert list(cut_where_quiet(noise(0), 10 * SAMPLE_RATE)) == []


def test_cuts_lie_in_pauses() -> None:
    sound = noise(250)
    for pause in (90, 175.5):
        first = round(pause * SAMPLE_RATE)
        sound[first : first + SAMPLE_RATE // 2] //= 50
    parts = list(cut_where_quiet(sound, 100 * SAMPLE_RATE))
    assert [start for start, _ in parts] == [0, *(end for _, end in parts[:-1])]
    ends = [end / SAMPLE_RATE for _, end in parts]
    assert ends == pytest.approx([90.25, 175.75, 250], abs=0.1)


@pytest.mark.parametrize("longest", [3, 7.77, 60])
def test_parts_cover_sound_without_pauses_and_are_short_enough(longest: float) -> None:
    sound = noise(100)
    n_longest = round(longest * SAMPLE_RATE)
    parts = list(cut_where_quiet(sound, n_longest))
    assert np.array_equal(np.concatenate([sound[start:end] for start, end in parts]), sound)
    lengths = [end - start for start, end in parts]
    assert max(lengths) <= n_longest
    assert min(lengths[:-1]) >= n_longest * 0.6
