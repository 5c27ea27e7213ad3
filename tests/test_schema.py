"""The types check themselves and keep the identities that the store relies on."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import SchemaError
from video_oasis.prompts import CHOICE_LETTERS
from video_oasis.schema import BadRow, Frame, Reading, Request, Sample, Status, Trial, Video


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_video_times_are_times(seconds: float) -> None:
    with pytest.raises(SchemaError, match="start_seconds"):
        Video("v.mp4", start_seconds=seconds)


def test_video_needs_a_path() -> None:
    with pytest.raises(SchemaError, match="path is empty"):
        Video("")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": ""}, "id is empty"),
        ({"benchmark": ""}, "benchmark is empty"),
        ({"choices": ()}, "no choices"),
        ({"target": 4}, "target is 4; expected an index into 4 choices"),
        ({"target": -1}, "target is -1"),
    ],
)
def test_sample_checks_itself(
    make_sample: Callable[..., Sample], changes: dict[str, object], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        make_sample(**changes)


def test_a_sample_has_no_more_choices_than_letters(make_sample: Callable[..., Sample]) -> None:
    choices = tuple(map(str, range(27)))
    assert len(make_sample(choices=choices[:26]).choices) == len(CHOICE_LETTERS)
    with pytest.raises(SchemaError, match="27 choices; at most 26"):
        make_sample(choices=choices)


def test_metadata_is_read_only_and_apart_from_the_dict_given(
    make_sample: Callable[..., Sample],
) -> None:
    given_metadata = {"level": 2}
    sample = make_sample(metadata=given_metadata)
    given_metadata["level"] = 3
    assert sample.metadata == {"level": 2}
    with pytest.raises(TypeError):
        sample.metadata["level"] = 4  # type: ignore[index]


def test_choices_of_equal_text_are_one_answer(make_sample: Callable[..., Sample]) -> None:
    sample = make_sample(choices=("red", "blue", "red", "green"), target=2)
    assert sample.n_answers == 3
    assert sample.chance == 1 / 4
    assert [sample.is_correct(choice) for choice in range(4)] == [True, False, True, False]
    assert [sample.answer(choice) for choice in range(4)] == [0, 1, 0, 3]


def test_request_id_depends_on_all_that_is_shown() -> None:
    shown = {"system": "s", "text": "t", "letters": ("A", "B")}
    same = Request("s", "t", ("A", "B"))
    assert Request(**shown).id == same.id  # type: ignore[arg-type]
    others = [Request("S", "t", ("A", "B")), Request("s", "T", ("A", "B")), Request("s", "t", ())]
    assert len({same.id, *(other.id for other in others)}) == 4


def test_request_id_depends_on_the_frames_and_their_order() -> None:
    one, two = Frame("a", 0.0), Frame("b", 1.0)
    shown = [(), (one,), (one, two), (Frame("b", 0.0), Frame("a", 1.0)), (one, Frame("b", 2.0))]
    assert len({Request("", "t", ("A", "B"), frames).id for frames in shown}) == 5


def test_a_single_frame_has_no_time() -> None:
    early, late = (Request("", "t", (), (Frame("a", seconds),)) for seconds in (1.0, 9.0))
    assert early.id == late.id


def test_request_refuses_frames_out_of_time() -> None:
    with pytest.raises(SchemaError, match="reordered frames need new times"):
        Request("", "t", (), (Frame("a", 1.0), Frame("b", 0.0)))


def test_request_refuses_repeated_letters_and_empty_text() -> None:
    with pytest.raises(SchemaError, match="letters repeat"):
        Request("", "t", ("A", "A"))
    with pytest.raises(SchemaError, match="text is empty"):
        Request("", "", ("A",))


@given(st.permutations(range(4)))
def test_trial_shows_choices_in_its_order(order: list[int]) -> None:
    choices = ("a", "b", "c", "d")
    sample = Sample("s", "b", Video("v"), "q", choices, 0, "t")
    trial = Trial(sample, "blind", 0, Request("", "q", ("A", "B", "C", "D")), tuple(order))
    assert [choices.index(shown) for shown in trial.shown_choices] == order


@pytest.mark.parametrize("order", [(0, 1), (0, 0, 1, 2), (1, 2, 3, 4)])
def test_trial_order_is_a_permutation(
    make_sample: Callable[..., Sample], order: tuple[int, ...]
) -> None:
    with pytest.raises(SchemaError, match="no permutation"):
        Trial(make_sample(), "blind", 0, Request("", "q", ("A", "B", "C", "D")), order)


def test_trial_has_a_letter_for_each_choice(make_sample: Callable[..., Sample]) -> None:
    with pytest.raises(SchemaError, match="2 letters for 4 choices"):
        Trial(make_sample(), "blind", 0, Request("", "q", ("A", "B")), (0, 1, 2, 3))


def test_reading_has_a_position_only_when_ok() -> None:
    with pytest.raises(SchemaError):
        Reading(Status.OK)
    with pytest.raises(SchemaError):
        Reading(Status.REFUSED, position=0)


def test_bad_row_says_where_and_what() -> None:
    row = BadRow(
        "bench", "qa.json", 7, "q-7", "answer", "target_out_of_range", "answer 'E', A to D"
    )
    assert str(row) == "bench qa.json row 7 (q-7), answer: answer 'E', A to D"
