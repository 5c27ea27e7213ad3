"""Discs roll, slow down and bounce as the laws of momentum say."""

import pytest

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.physics import Disc, roll

# A disc goes this far, in pixels, in the step in which a touch is found.
STEP = 10 / (10 * 16)


def test_equal_discs_exchange_their_speeds() -> None:
    # They are 20 pixels apart and close in at 10 a second: they touch after 2 seconds, frame 20.
    discs = [Disc(0.0, 50.0, 10.0, 0.0, 5.0), Disc(30.0, 50.0, 0.0, 0.0, 5.0)]
    positions, collisions = roll(discs, 31, 10, slowing=0.0)
    (met,) = collisions
    assert met.things == (0, 1)
    assert met.frame in (20, 21)
    assert (met.x, met.y) == pytest.approx((25.0, 50.0), abs=STEP)
    assert positions[10][0] == pytest.approx((10.0, 50.0))
    assert positions[10][1] == (30.0, 50.0)
    assert positions[30][0][0] == pytest.approx(20.0, abs=STEP)
    assert positions[30][1][0] == pytest.approx(40.0, abs=STEP)


def test_a_heavy_disc_goes_on_behind_a_light_one() -> None:
    # Masses 4 to 1: of 10 pixels a second the heavy one keeps 6 and the light one takes 16.
    discs = [Disc(0.0, 50.0, 10.0, 0.0, 10.0), Disc(25.0, 50.0, 0.0, 0.0, 5.0)]
    positions, _ = roll(discs, 21, 10, slowing=0.0)
    assert positions[20][0][0] - positions[10][0][0] == pytest.approx(6.0)
    assert positions[20][1][0] - positions[10][1][0] == pytest.approx(16.0)


def test_a_glancing_blow_parts_them_at_right_angles() -> None:
    # The line between their centres at the touch is at 45 degrees: each takes half the momentum.
    offset = 10 / 2**0.5
    discs = [Disc(0.0, 50.0, 10.0, 0.0, 5.0), Disc(20.0 + offset, 50.0 + offset, 0.0, 0.0, 5.0)]
    positions, _ = roll(discs, 41, 10, slowing=0.0)
    moves = [
        (positions[40][which][0] - positions[30][which][0],
         positions[40][which][1] - positions[30][which][1])
        for which in range(2)
    ]  # fmt: skip
    assert moves[0] == pytest.approx((5.0, -5.0), abs=0.1)
    assert moves[1] == pytest.approx((5.0, 5.0), abs=0.1)


def test_a_disc_slows_down_and_rests() -> None:
    # From 10 pixels a second, 5 less each second: at rest after 2 seconds and 10 pixels.
    positions, _ = roll([Disc(0.0, 0.0, 0.0, 10.0, 5.0)], 41, 10, slowing=5.0)
    assert positions[10][0][1] == pytest.approx(7.5, abs=STEP)
    assert positions[20][0][1] == pytest.approx(10.0, abs=STEP)
    assert positions[25] == positions[40]


def test_discs_that_overlap_are_refused() -> None:
    with pytest.raises(SchemaError, match="overlap at the start"):
        roll([Disc(0, 0, 0, 0, 5), Disc(9, 0, 0, 0, 5)], 2, 10, slowing=0.0)
