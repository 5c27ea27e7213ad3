"""The matching model: which choice lies nearest, embedded once, and what goes wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.embeddings.aggregation import Aggregation
from video_oasis.embeddings.encoders.interface import EmbeddedTexts
from video_oasis.errors import AskError, MediaError, SettingsError
from video_oasis.models import open_model
from video_oasis.models.clip.model import ClipModel
from video_oasis.models.settings import ModelSettings
from video_oasis.plan import make_plan
from video_oasis.runner import run_plan
from video_oasis.schema import NOTE_TEXT_CUT, Answer, Form, Frame, Sample, Trial, Video
from video_oasis.store import Store
from video_oasis.trials import Trials

COLOURS = ("red", "green", "blue", "grey")


class ColourEncoder:
    """An encoder of the tests' own: a picture is the colour its bytes name, so is a text.

    A picture such as ``red2`` leans to red by 2 parts against 1 part of green.
    """

    name = "colours"
    context_length = 3
    logit_scale = 10.0

    def __init__(self) -> None:
        self.n_pictures = 0

    def describe(self) -> Mapping[str, Any]:
        return {"backend": "colours"}

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Any:
        assert batch >= 1
        self.n_pictures += len(jpegs)
        return np.stack([self.embed(jpeg.decode()) for jpeg in jpegs])

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        vectors = np.stack([self.embed(text.split()[-1].strip("?")) for text in texts])
        return EmbeddedTexts(vectors, tuple(len(text.split()) > 3 for text in texts))

    def embed(self, word: str) -> Any:
        colour, parts = (word[:-1], float(word[-1])) if word[-1:].isdigit() else (word, 0.0)
        vector = np.zeros(4, np.float32)
        vector[COLOURS.index(colour)] = parts or 1.0
        vector[COLOURS.index("green")] += 1.0 if parts else 0.0
        return vector / np.linalg.norm(vector)


@pytest.fixture
def encoder() -> ColourEncoder:
    return ColourEncoder()


def make_trial(
    make_sample: Callable[..., Sample], pictures: Sequence[str], **changes: Any
) -> Trial:
    sample = make_sample(choices=("red", "blue", "grey"), target=0, **changes)
    frames = tuple(Frame(name, float(i)) for i, name in enumerate(pictures))
    (trial,) = DIAGNOSTICS["bag_of_frames"].trials(sample, Evidence(frames))
    return trial


def match(model: ClipModel, *trials: Trial, folder: Path) -> list[Answer | AskError]:
    results = {
        trial.sample.id: outcome for trial, outcome in model.match(trials, str.encode, folder)
    }
    return [results[trial.sample.id] for trial in trials]


def test_the_choice_nearest_to_the_frames_is_picked(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    model = ClipModel(encoder, ModelSettings())
    trial = make_trial(make_sample, ["blue", "blue", "red"], question="Which is blue?")
    (answer,) = match(model, trial, folder=tmp_path)
    assert isinstance(answer, Answer)
    assert answer.text == "B"
    # Mean cosines 1/3, 2/3 and 0, times the scale of 10.
    weights = np.exp([10 / 3, 20 / 3, 0])
    assert answer.letter_probabilities == pytest.approx(weights / weights.sum(), rel=1e-5)


def test_mean_and_max_differ_where_one_frame_stands_out(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    trial = make_trial(make_sample, ["red", "blue2", "blue2"], question="Say green?")
    texts = {}
    for aggregation in Aggregation:
        model = ClipModel(encoder, ModelSettings(aggregation=aggregation))
        (answer,) = match(model, trial, folder=tmp_path)
        assert isinstance(answer, Answer)
        texts[aggregation] = answer.text
    # Blue is 0.89 in two of three frames (mean 0.6), red 1 in one (mean 0.33).
    assert texts == {Aggregation.MEAN: "B", Aggregation.MAX: "A"}


def test_each_picture_is_embedded_once_for_all_questions_and_runs(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    model = ClipModel(encoder, ModelSettings())
    trials = [
        make_trial(make_sample, ["red", "blue", "grey"], id=f"s{i}", question=f"It {i} red?")
        for i in range(5)
    ]
    match(model, *trials, folder=tmp_path)
    assert encoder.n_pictures == 3
    again = ClipModel(ColourEncoder(), ModelSettings())
    match(again, *trials, folder=tmp_path)
    assert again._encoder.n_pictures == 0  # type: ignore[attr-defined]


def test_prepared_pictures_are_not_embedded_again(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    model = ClipModel(encoder, ModelSettings())
    trials = [make_trial(make_sample, ["red", "blue"], id=f"s{i}", question="red?") for i in "ab"]
    told: list[tuple[int, int, int]] = []
    model.prepare(trials, str.encode, tmp_path, lambda *counts: told.append(counts))
    assert told[-1] == (2, 2, 0)
    assert encoder.n_pictures == 2
    match(model, *trials, folder=tmp_path)
    assert encoder.n_pictures == 2


def test_a_text_that_is_too_long_is_noted(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    short = make_trial(make_sample, ["red"], id="short", question="Is it red?")
    long = make_trial(make_sample, ["red"], id="long", question="Is it really red?")
    notes = [
        answer.note
        for answer in match(ClipModel(encoder, ModelSettings()), short, long, folder=tmp_path)
        if isinstance(answer, Answer)
    ]
    assert notes == ["", NOTE_TEXT_CUT]


def test_a_lost_picture_fails_its_videos_questions_only(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    def read(digest: str) -> bytes:
        if digest == "grey":
            raise MediaError("frame_lost", "grey.jpg: no such frame")
        return digest.encode()

    sound = make_trial(make_sample, ["red"], id="sound", question="red?", video=Video("a"))
    lost = make_trial(make_sample, ["red", "grey"], id="lost", question="red?", video=Video("b"))
    model = ClipModel(encoder, ModelSettings())
    outcomes = {
        trial.sample.id: outcome for trial, outcome in model.match([sound, lost], read, tmp_path)
    }
    assert isinstance(outcomes["sound"], Answer)
    assert isinstance(outcomes["lost"], AskError)
    assert outcomes["lost"].kind == "video_frame_lost"


def test_the_runner_stores_what_it_says_and_asks_no_more(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    model = ClipModel(encoder, ModelSettings())
    trial = make_trial(make_sample, ["blue"], question="Is it blue?")
    assert model.forms == {Form.MATCHING}
    (assignment,) = make_plan([trial.sample], [DIAGNOSTICS["bag_of_frames"]], {"clip": model})
    assignment = replace(assignment, trials=Trials((trial,)))
    with Store.create(tmp_path / "answers.sqlite") as store:
        outcome = run_plan(
            [assignment], store, read_picture=str.encode, artifacts=tmp_path / "artifacts"
        )
        assert outcome.n_answered == 1
        assert [answer.text for answer in store.answers(assignment.model_id).values()] == ["B"]
        again = run_plan(
            [assignment], store, read_picture=str.encode, artifacts=tmp_path / "artifacts"
        )
        assert again.n_answered == 0


def test_feature_files_stand_in_for_pictures(
    make_sample: Callable[..., Sample], encoder: ColourEncoder, tmp_path: Path
) -> None:
    import torch

    features = tmp_path / "features"
    features.mkdir()
    torch.save(torch.tensor([[0.0, 0.0, 5.0, 0.0]] * 2), features / "v1.pt")
    torch.save(torch.tensor([[1.0, 0.0, 0.0, 0.0]]), features / "short.pt")
    torch.save(torch.tensor([[1.0, 0.0]] * 2), features / "narrow.pt")
    model = ClipModel(encoder, ModelSettings(features=str(features)))
    trials = [
        make_trial(make_sample, ["red", "red"], id=name, question="It is?", video=Video(path))
        for name, path in (
            ("sound", "a/v1.mp4"), ("short", "short.mp4"), ("narrow", "narrow.mp4"),
            ("none", "none.mp4"),
        )
    ]  # fmt: skip
    trials = [replace(each, request=replace(each.request, text="green")) for each in trials]
    sound, *others = match(model, *trials, folder=tmp_path)
    assert isinstance(sound, Answer)
    # The pictures are red, the file says blue.
    assert sound.text == "B"
    assert encoder.n_pictures == 0
    for outcome in others:
        assert isinstance(outcome, AskError)
        assert outcome.kind == "features_unusable"
    before = dict(model.describe())
    torch.save(torch.tensor([[0.0, 5.0, 0.0, 0.0]] * 2), features / "v1.pt")
    again = ClipModel(encoder, ModelSettings(features=str(features)))
    assert again.describe() != before
    with pytest.raises(SettingsError, match="no feature files"):
        ClipModel(encoder, ModelSettings(features=str(tmp_path / "none"))).describe()


def test_names_and_identities_tell_aggregations_apart(encoder: ColourEncoder) -> None:
    mean = ClipModel(encoder, ModelSettings())
    best = ClipModel(encoder, ModelSettings(aggregation=Aggregation.MAX))
    assert (mean.name, best.name) == ("clip/colours", "clip/colours (max)")
    assert mean.describe() != best.describe()


def test_a_name_without_an_encoder_is_refused() -> None:
    with pytest.raises(SettingsError, match="expected BACKEND/NAME"):
        open_model("clip/ViT-B-32")
