"""What is foretold follows from what each test shows, worked out by hand."""

import pytest

from video_oasis.generate.planted.foretell import Foretold, foretell
from video_oasis.generate.planted.truth import Evidence

FRAME = Evidence.FRAME


def foretell_sound(*evidence: Evidence, frames: tuple[int, ...] = ()) -> Foretold:
    return foretell(evidence, frames, label="red", acceptable=("red",), has_speech=True)


def test_wording_solves_every_test_and_every_part() -> None:
    foretold = foretell_sound(Evidence.TEXT)
    assert set(foretold.solved_by) == {
        "blind", "audio", "summary", "center_frame", "random_frame", "shuffle", "reverse",
        "bag_of_frames", "standard",
    }  # fmt: skip
    assert (foretold.may_solve, foretold.flagged_by) == ((), ("redundancy",))


def test_without_speech_there_is_no_audio_test() -> None:
    foretold = foretell((Evidence.TEXT,), (), label="red", acceptable=("red",), has_speech=False)
    assert "audio" not in foretold.solved_by


@pytest.mark.parametrize(
    ("evidence", "solved_by"),
    [
        ((Evidence.SPEECH,), ("audio",)),
        ((Evidence.CAPTIONS, Evidence.ORDER), ("summary", "standard")),
        ((Evidence.ORDER,), ("standard",)),
        ((Evidence.ORDER, Evidence.ORDER_EITHER_WAY), ("reverse", "standard")),
    ],
)
def test_what_frames_alone_do_not_show(
    evidence: tuple[Evidence, ...], solved_by: tuple[str, ...]
) -> None:
    assert foretell_sound(*evidence) == (solved_by, (), ())


@pytest.mark.parametrize(
    ("frames", "solved_by", "flagged_by"),
    [
        # Frame 32 is at the middle; one frame a second shows 4, 12, …, 36, ….
        (range(24, 40), ("center_frame", "shuffle", "reverse", "bag_of_frames", "standard"), ()),
        (range(8, 16), ("shuffle", "reverse", "bag_of_frames", "standard"), ()),
        (range(8, 11), ("shuffle", "reverse"), ("sensitivity",)),
        ((32,), ("center_frame", "shuffle", "reverse"), ()),
    ],
)
def test_frames_solve_the_tests_that_show_them(
    frames: tuple[int, ...], solved_by: tuple[str, ...], flagged_by: tuple[str, ...]
) -> None:
    foretold = foretell_sound(FRAME, frames=tuple(frames))
    assert foretold == (solved_by, ("random_frame",), flagged_by)


def test_what_all_frames_show_any_part_shows() -> None:
    foretold = foretell_sound(FRAME, frames=tuple(range(64)))
    assert "random_frame" in foretold.solved_by
    assert foretold.flagged_by == ("redundancy",)


def test_a_wrong_label_is_never_hit_and_never_scatters() -> None:
    foretold = foretell((FRAME,), range(8, 16), label="red", acceptable=("blue",), has_speech=True)
    assert foretold == ((), (), ())


@pytest.mark.parametrize("acceptable", [("red", "blue"), ()])
def test_several_right_choices_or_none_scatter(acceptable: tuple[str, ...]) -> None:
    foretold = foretell((FRAME,), range(8, 16), label="red", acceptable=acceptable, has_speech=True)
    assert foretold.solved_by == ()
    assert set(foretold.may_solve) == {
        "random_frame", "shuffle", "reverse", "bag_of_frames", "standard",
    }  # fmt: skip
    assert foretold.flagged_by == ("consistency",)
