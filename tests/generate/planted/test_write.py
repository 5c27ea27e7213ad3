"""The written files are readable by the readers of the package, and their pixels show the truth."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.loading import load
from video_oasis.errors import SettingsError
from video_oasis.evidence.caption_file import read_caption_file
from video_oasis.evidence.prepared import ClipText
from video_oasis.evidence.speech import import_transcripts
from video_oasis.generate.clips.world import COLOURS
from video_oasis.generate.planted import (
    PlantedKind,
    PlantedPaths,
    PlantedSample,
    read_truth,
    write_planted,
)
from video_oasis.schema import Sample
from video_oasis.speech.noise import judge_speech
from video_oasis.speech.transcript import Transcript

Pixels = npt.NDArray[np.uint8]
SAMPLED = range(4, 64, 8)
_FOUND = 0.05
"""Share of the picture from which a colour is there; shapes cover more than twice that."""


@pytest.fixture(scope="module")
def samples(small: PlantedPaths) -> Mapping[str, Sample]:
    """Read the questions as an audit does."""
    columns = ColumnMapping(answer_form=AnswerForm.TEXT)
    own = own_benchmark(small.questions, columns)
    contents = load(own.benchmark, small.questions, skip_bad=False)
    return {sample.id: sample for sample in contents.samples}


@pytest.fixture(scope="module")
def truth(small: PlantedPaths) -> Mapping[str, PlantedSample]:
    """Read the truth."""
    return {sample.sample_id: sample for sample in read_truth(small.truth.parent)}


@pytest.fixture(scope="module")
def decode(small: PlantedPaths) -> Callable[[Sample], list[Pixels]]:
    """Give the decoder of a sample's video, which decodes each once."""
    decoded: dict[str, list[Pixels]] = {}

    def frames(sample: Sample) -> list[Pixels]:
        name = sample.video.path
        if name not in decoded:
            with av.open(str(small.videos / name)) as container:
                decoded[name] = [
                    frame.to_ndarray(format="rgb24").astype(np.uint8)
                    for frame in container.decode(video=0)
                ]
        return decoded[name]

    return frames


def share_of(colour: str, pictures: Sequence[Pixels]) -> npt.NDArray[np.float64]:
    """For each picture the share of it that is nearest to this colour among all that are used."""
    palette = np.array(list(COLOURS.values()), np.float32)
    pixels = np.stack(pictures)[:, ::3, ::3].astype(np.float32)
    # The nearest has the least |colour|² - 2 colour · pixel.
    nearest = ((palette**2).sum(axis=1) - 2 * pixels @ palette.T).argmin(axis=-1)
    shares: npt.NDArray[np.float64] = (nearest == list(COLOURS).index(colour)).mean(axis=(1, 2))
    return shares


def pick(truth: Mapping[str, PlantedSample], *variants: str) -> list[PlantedSample]:
    found = [sample for sample in truth.values() if sample.variant in variants]
    assert found
    return found


def test_questions_and_truth_are_about_the_same_samples(
    samples: Mapping[str, Sample], truth: Mapping[str, PlantedSample]
) -> None:
    assert list(samples) == list(truth)
    assert len(samples) == 60
    for name, sample in samples.items():
        if truth[name].kind is not PlantedKind.DEFECTIVE:
            assert truth[name].acceptable == (sample.choices[sample.target],)


def test_every_clip_lasts_eight_seconds(
    samples: Mapping[str, Sample], decode: Callable[[Sample], list[Pixels]]
) -> None:
    assert {len(decode(sample)) for sample in samples.values()} == {64}


def test_an_attribute_is_in_plain_sight_in_the_frames_that_are_named_and_in_no_other(
    samples: Mapping[str, Sample],
    truth: Mapping[str, PlantedSample],
    decode: Callable[[Sample], list[Pixels]],
) -> None:
    for planted in pick(truth, "colour", "visit", "glimpse", "uncovered"):
        sample = samples[planted.sample_id]
        colour = sample.choices[sample.target]
        shown = (share_of(colour, decode(sample)) > _FOUND).tolist()
        assert tuple(np.flatnonzero(shown).tolist()) == planted.frames, planted
        assert shown[32] == (planted.kind is PlantedKind.CENTER_FRAME)
        assert any(shown[frame] for frame in SAMPLED) == (planted.variant != "glimpse")


def test_the_middle_frame_shows_where_the_shape_is(
    samples: Mapping[str, Sample],
    truth: Mapping[str, PlantedSample],
    decode: Callable[[Sample], list[Pixels]],
) -> None:
    for planted in pick(truth, "place"):
        sample = samples[planted.sample_id]
        empty, full = (decode(sample)[frame].astype(int) for frame in (20, 32))
        rows, columns = np.nonzero(abs(full - empty).sum(axis=-1) > 60)
        across, down = columns.mean() - 71.5, rows.mean() - 47.5
        if abs(across) > 10:
            place = "on the right" if across > 0 else "on the left"
        else:
            place = "at the bottom" if down > 0 else "at the top"
        assert sample.choices[sample.target] == place


def test_the_floor_is_in_sight_in_every_part(
    samples: Mapping[str, Sample],
    truth: Mapping[str, PlantedSample],
    decode: Callable[[Sample], list[Pixels]],
) -> None:
    for planted in pick(truth, "every_chunk"):
        sample = samples[planted.sample_id]
        colour = sample.choices[sample.target]
        assert (share_of(colour, decode(sample)) > 0.5).all()


def test_faulty_questions_are_about_what_is_to_be_seen(
    samples: Mapping[str, Sample],
    truth: Mapping[str, PlantedSample],
    decode: Callable[[Sample], list[Pixels]],
) -> None:
    for planted in pick(truth, "wrong_label", "no_right_choice", "two_right"):
        sample = samples[planted.sample_id]
        frames = [decode(sample)[frame] for frame in planted.frames]
        seen = {choice for choice in sample.choices if (share_of(choice, frames) > _FOUND).any()}
        assert seen == set(planted.acceptable)


def test_transcripts_are_found_and_say_the_answers(
    small: PlantedPaths, samples: Mapping[str, Sample], truth: Mapping[str, PlantedSample]
) -> None:
    imported = import_transcripts(small.transcripts, list(samples.values()))
    assert imported.n_repaired == 0
    for name, planted in truth.items():
        sample = samples[name]
        transcript = imported.transcripts[sample.video.path]
        assert isinstance(transcript, Transcript)
        said = " ".join(segment.text for segment in transcript.segments)
        assert judge_speech(transcript, 8.0).is_speech == bool(said)
        if planted.kind is PlantedKind.AUDIO:
            assert sample.choices[sample.target] in said


def test_captions_give_away_summary_questions_only(
    small: PlantedPaths, samples: Mapping[str, Sample], truth: Mapping[str, PlantedSample]
) -> None:
    captions = read_caption_file(small.captions, samples.values())
    for key, text in captions.items():
        assert isinstance(text, ClipText)
        assert len(text.parts) == 8
        sample, planted = samples[key.sample_id], truth[key.sample_id]
        mentions = [choice for part in text.parts for choice in sample.choices if choice in part]
        if planted.kind is PlantedKind.SUMMARY:
            asked_last = "last" in sample.question
            assert mentions[-1 if asked_last else 0] == sample.choices[sample.target]
            assert len(set(mentions)) == 4
        else:
            assert mentions == []


def test_the_same_seed_gives_the_same_files(small: PlantedPaths, tmp_path: Path) -> None:
    write_planted(tmp_path, 60, 7)
    folder = small.questions.parent
    names = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert len(names) > 40
    for name in names:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name


def test_the_card_says_what_it_is(small: PlantedPaths) -> None:
    card = small.card.read_text()
    assert "60 questions about" in card
    assert "seed 7" in card
    assert "| native | direction |" in card


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_planted(tmp_path / "file" / "set", 60)
