"""Frames ranked by questions: cosines worked out by hand, kept, named, and lost."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.embeddings.embed import EmbedProgress
from video_oasis.embeddings.encoders.interface import EmbeddedTexts
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.errors import MediaError, RunError
from video_oasis.evidence.prepared import Prepared, RelevanceKey, relevance_key
from video_oasis.evidence.relevance import list_rankings, name_rankings, rank_frames
from video_oasis.evidence.relevance_file import read_relevances, write_relevances
from video_oasis.evidence.wanted import TimelineKey, timeline_key
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.schema import Frame, Sample, Video
from video_oasis.trials import DOES_NOT_APPLY, make_trials

SETTINGS = FrameSettings()
RANKING = [DIAGNOSTICS["keyframes_16"], DIAGNOSTICS["top_16"], DIAGNOSTICS["blind"]]


class AngleEncoder:
    """An encoder of the tests' own: what names an angle in degrees points there."""

    name = "angles"
    context_length = 3
    logit_scale = 1.0

    def __init__(self, version: str = "1") -> None:
        self.version = version
        self.n_pictures = 0
        self.texts: list[str] = []

    def describe(self) -> Mapping[str, Any]:
        return {"backend": "angles", "version": self.version}

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Any:
        assert batch >= 1
        self.n_pictures += len(jpegs)
        return self.point([float(jpeg) for jpeg in jpegs])

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        self.texts += texts
        angles = [float(text.split()[-1].strip("?")) for text in texts]
        return EmbeddedTexts(self.point(angles), tuple(len(text.split()) > 3 for text in texts))

    def point(self, degrees: Sequence[float]) -> Any:
        angles = np.radians(degrees)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def read_picture(digest: str) -> bytes:
    if digest == "lost":
        raise MediaError("frame_lost", "lost: it is gone")
    return digest.encode()


def look_at(samples: Sequence[Sample], *digests: str) -> dict[TimelineKey, Timeline]:
    """Say that the samples' clips show these frames, a second apart."""
    take = DIAGNOSTICS["top_16"].sampling
    assert take is not None
    timelines = {}
    for sample in samples:
        sampling = take(sample, SETTINGS)
        assert sampling is not None
        frames = tuple(Frame(digest, float(i)) for i, digest in enumerate(digests))
        key = timeline_key(sample, sampling)
        timelines[key] = Timeline("video1-a", sampling, frames, float(len(frames)), 25)
    return timelines


def rank(
    samples: Sequence[Sample],
    timelines: Mapping[TimelineKey, Timeline],
    store: EmbeddingStore,
    encoder: AngleEncoder,
) -> tuple[dict[RelevanceKey, Sequence[float] | MediaFailure], int]:
    rankings = list_rankings(samples, RANKING, timelines, SETTINGS)
    seen: list[EmbedProgress] = []
    return rank_frames(rankings, encoder, store, read_picture, listener=seen.append)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "embeddings")


def test_relevance_is_the_cosine_of_each_frame_with_the_question(
    make_sample: Callable[..., Sample], store: EmbeddingStore
) -> None:
    samples = [make_sample(id="a", question="At 0?"), make_sample(id="b", question="At 90?")]
    timelines = look_at(samples, "0", "60", "90", "180", "60")
    encoder = AngleEncoder()
    relevances, n_cut = rank(samples, timelines, store, encoder)
    (timeline,) = timelines.values()
    first, second = (relevances[relevance_key(each, timeline.sampling)] for each in samples)
    assert first == pytest.approx([1, 0.5, 0, -1, 0.5], abs=1e-6)
    assert second == pytest.approx([0, 0.866025, 1, 0, 0.866025], abs=1e-6)
    assert n_cut == 0
    # Four different pictures, two questions, each once.
    assert (encoder.n_pictures, encoder.texts) == (4, ["At 0?", "At 90?"])


def test_what_is_embedded_is_kept_and_equal_questions_share_a_ranking(
    make_sample: Callable[..., Sample], store: EmbeddingStore
) -> None:
    samples = [make_sample(id=name, question="At 0?") for name in "ab"]
    timelines = look_at(samples, "0", "60")
    encoder = AngleEncoder()
    assert len(rank(samples, timelines, store, encoder)[0]) == 1
    rank(samples, timelines, store, encoder)
    assert encoder.n_pictures == 2


def test_an_empty_question_ranks_nothing_and_a_long_one_is_counted(
    make_sample: Callable[..., Sample], store: EmbeddingStore
) -> None:
    samples = [
        make_sample(id="a", question=""),
        make_sample(id="b", question="Who is there at 0?"),
    ]
    timelines = look_at(samples, "0", "60")
    encoder = AngleEncoder()
    relevances, n_cut = rank(samples, timelines, store, encoder)
    (timeline,) = timelines.values()
    assert list(relevances[relevance_key(samples[0], timeline.sampling)]) == [0, 0]  # type: ignore[arg-type]
    assert n_cut == 1
    assert encoder.texts == ["Who is there at 0?"]


def test_a_lost_frame_is_the_failure_of_its_clip_alone(
    make_sample: Callable[..., Sample], store: EmbeddingStore
) -> None:
    sound = make_sample(id="a", question="At 0?")
    broken = make_sample(id="b", question="At 0?", video=Video("other.mp4"))
    timelines = look_at([sound], "0", "60") | look_at([broken], "0", "lost")
    relevances, _ = rank([sound, broken], timelines, store, AngleEncoder())
    by_path = {key.timeline.path: result for key, result in relevances.items()}
    assert by_path["v1.mp4"] == pytest.approx([1, 0.5], abs=1e-6)
    failure = by_path["other.mp4"]
    assert isinstance(failure, MediaFailure)
    assert failure.kind == "frame_lost"


def test_only_clips_that_were_looked_at_are_ranked(make_sample: Callable[..., Sample]) -> None:
    samples = [make_sample(id="a"), make_sample(id="b", video=Video("other.mp4"))]
    timelines = look_at(samples[:1], "0")
    assert len(list_rankings(samples, RANKING, timelines, SETTINGS)) == 1
    assert list_rankings(samples, [DIAGNOSTICS["standard"]], timelines, SETTINGS) == {}


def test_a_ranking_is_named_by_encoder_question_and_pictures(
    make_sample: Callable[..., Sample],
) -> None:
    def name(question: str, digests: Sequence[str], version: str = "1") -> str:
        samples = [make_sample(question=question)]
        rankings = list_rankings(samples, RANKING, look_at(samples, *digests), SETTINGS)
        (found,) = name_rankings(rankings, AngleEncoder(version)).values()
        return found

    first = name("At 0?", ["0", "60"])
    assert name("At 0?", ["0", "60"]) == first
    others = {
        name("At 1?", ["0", "60"]),
        name("At 0?", ["60", "0"]),
        name("At 0?", ["0", "60"], version="2"),
    }
    assert len(others - {first}) == 3


def test_rankings_and_failures_come_back_from_their_file(tmp_path: Path) -> None:
    keys = [RelevanceKey(TimelineKey("b", "v", "s"), question) for question in "xyz"]
    ids = {key: f"id-{key.question}" for key in keys}
    file = tmp_path / "relevances.parquet"
    assert read_relevances(file, ids) == {}
    failure = MediaFailure("frame_lost", "it is gone")
    write_relevances({keys[0]: [0.25, -1.0], keys[1]: failure}, ids, file)
    write_relevances({keys[2]: [0.5]}, ids, file)
    found = read_relevances(file, ids)
    assert {key.question: result for key, result in found.items() if key != keys[1]} == {
        "x": pytest.approx([0.25, -1.0]),
        "z": pytest.approx([0.5]),
    }
    assert found[keys[1]] == failure
    assert list(read_relevances(file, {keys[0]: "id-z"})[keys[0]]) == [0.5]  # type: ignore[arg-type]
    file.write_bytes(b"no parquet")
    with pytest.raises(RunError, match="cannot be read"):
        read_relevances(file, ids)


def test_trials_need_the_relevance_and_say_so(make_sample: Callable[..., Sample]) -> None:
    sample = make_sample(question="At 0?")
    timelines = look_at([sample], *map(str, range(0, 200, 5)))
    ((key, timeline),) = list_rankings([sample], RANKING, timelines, SETTINGS).items()
    top = DIAGNOSTICS["top_16"]

    def make(relevances: Mapping[RelevanceKey, Sequence[float] | MediaFailure]) -> Any:
        return make_trials([sample], top, Prepared(timelines, {}, relevances), SETTINGS, None)

    (waiting,) = make({}).unshown
    assert (waiting.what, waiting.failure, waiting.n_frames) == ("relevance", None, 16)
    failure = MediaFailure("frame_lost", "it is gone")
    (lacking,) = make({key: failure}).unshown
    assert (lacking.what, lacking.failure) == ("relevance", failure)
    (trial,) = make({key: [1.0 if 8 <= i < 24 else 0.0 for i in range(40)]}).asked
    assert trial.request.frames == timeline.frames[8:24]


def test_samples_that_a_diagnostic_does_not_apply_to_are_outside_it(
    make_sample: Callable[..., Sample],
) -> None:
    trials = make_trials([make_sample()], DIAGNOSTICS["oracle"], Prepared(), SETTINGS, None)
    assert [(each.sample_id, each.reason) for each in trials.excluded] == [("s1", DOES_NOT_APPLY)]
    assert (trials.asked, trials.unshown) == ((), ())
