"""What temporal and oracle grounding show, and of which samples they show nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Evidence
from video_oasis.media.sampling import Sampling
from video_oasis.schema import METADATA_TIME_REFERENCES, Frame, Sample, Video

FRAMES = tuple(Frame(f"d{i}", float(i)) for i in range(40))
GROUNDED = ("top_16", "keyframes_16")


def shown(name: str, sample: Sample, **evidence: Any) -> tuple[Frame, ...]:
    (trial,) = DIAGNOSTICS[name].trials(sample, Evidence(FRAMES, **evidence))
    assert (trial.diagnostic, trial.order) == (name, (0, 1, 2, 3))
    return trial.request.frames


def take(name: str, sample: Sample, **settings: Any) -> Sampling | None:
    sampling = DIAGNOSTICS[name].sampling
    assert sampling is not None
    return sampling(sample, FrameSettings(**settings))


def test_the_most_relevant_frames_are_shown_in_order(make_sample: Callable[..., Sample]) -> None:
    relevance = [0.1] * 20 + [0.5] * 16 + [0.1] * 4
    assert shown("top_16", make_sample(), relevance=relevance) == FRAMES[20:36]


def test_keyframes_are_spread_where_nothing_stands_out(make_sample: Callable[..., Sample]) -> None:
    picked = shown("keyframes_16", make_sample(), relevance=[0.2] * 40)
    assert len(picked) == 16
    assert [frame.seconds for frame in picked[::4]] == [0, 10, 20, 30]
    assert shown("top_16", make_sample(), relevance=[0.2] * 40) == FRAMES[:16]


@pytest.mark.parametrize("name", GROUNDED)
@pytest.mark.parametrize(
    ("limits", "n"), [({}, 16), ({"max_frames": 5}, 5), ({"budget": 4, "max_frames": 9}, 4)]
)
def test_neither_the_models_nor_the_audits_limit_is_exceeded(
    make_sample: Callable[..., Sample], name: str, limits: dict[str, int], n: int
) -> None:
    relevance = [float(i) for i in range(40)]
    frames = shown(name, make_sample(), relevance=relevance, **limits)
    assert len(frames) == n
    assert FRAMES[39] in frames
    assert list(frames) == sorted(frames, key=lambda frame: frame.seconds)


@pytest.mark.parametrize("name", GROUNDED)
def test_without_a_question_nothing_can_be_relevant(
    make_sample: Callable[..., Sample], name: str
) -> None:
    evidence = Evidence(FRAMES, relevance=[0.0] * 40)
    assert list(DIAGNOSTICS[name].trials(make_sample(question=""), evidence)) == []


def test_grounding_chooses_from_the_frames_that_a_bag_is_made_of(
    make_sample: Callable[..., Sample],
) -> None:
    sample = make_sample(video=Video("v", 10.0, 50.0))
    bag = take("bag_of_frames", sample)
    assert bag is not None
    assert len(bag.times(60.0)) == 40
    for name in GROUNDED:
        assert take(name, sample) == bag
        assert DIAGNOSTICS[name].ranks_frames


def test_the_uniform_frames_are_as_many(make_sample: Callable[..., Sample]) -> None:
    sampling = take("uniform_16", make_sample())
    assert sampling is not None
    assert sampling.times(64.0)[:2] == (2, 6)
    assert len(sampling.times(64.0)) == 16
    small = take("uniform_16", make_sample(), max_frames=4)
    assert small is not None
    assert len(small.times(64.0)) == 4


def annotated(make_sample: Callable[..., Sample], references: Any, **changes: Any) -> Sample:
    return make_sample(metadata={METADATA_TIME_REFERENCES: references}, **changes)


def test_the_oracle_shows_the_annotated_spans_and_nothing_else(
    make_sample: Callable[..., Sample],
) -> None:
    sampling = take("oracle", annotated(make_sample, [[10, 12], [30, 30]]))
    assert sampling is not None
    assert sampling.times(60.0) == (10.5, 11.5, 30)
    # The budget and the rate are those of standard.
    sample = annotated(make_sample, [[0, 40]], video=Video("v", 20.0, 60.0))
    sampling = take("oracle", sample, max_frames=4, fps=2.0)
    assert sampling is not None
    assert sampling.times(60.0) == (22.5, 27.5, 32.5, 37.5)
    assert shown("oracle", sample) == FRAMES
    assert len(shown("oracle", sample, max_frames=8)) == 8


@pytest.mark.parametrize("references", [None, [], (), [[5, 3]], [[-4, -2]]])
def test_a_sample_without_a_sound_annotation_is_left_out(
    make_sample: Callable[..., Sample], references: Any
) -> None:
    assert take("oracle", annotated(make_sample, references)) is None
    assert take("oracle", make_sample()) is None


def test_of_several_annotations_the_sound_ones_count(make_sample: Callable[..., Sample]) -> None:
    sampling = take("oracle", annotated(make_sample, [[5, 3], [10, 11]]))
    assert sampling is not None
    assert sampling.times(60.0) == (10.5,)


@pytest.mark.parametrize("name", ["uniform_16", "oracle", *GROUNDED])
def test_none_of_them_is_a_test_of_the_audit(name: str) -> None:
    assert DIAGNOSTICS[name].axis is Axis.REFERENCE
    assert not DIAGNOSTICS[name].is_test
