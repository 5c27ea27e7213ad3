"""Real Whisper models listen to a real synthesiser."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from video_oasis.errors import ModelUnavailable, SettingsError
from video_oasis.media.audio import SAMPLE_RATE, Samples
from video_oasis.speech.recognisers import open_recogniser
from video_oasis.speech.recognisers.interface import Heard, Recogniser, recogniser_id
from video_oasis.speech.recognisers.settings import RecogniserSettings

Speak = Callable[..., Any]


def whisper(folder: Path, **settings: Any) -> Recogniser:
    return open_recogniser(f"whisper/{folder}", RecogniserSettings(**settings))


@pytest.fixture(scope="module")
def tiny(whisper_tiny: Path) -> Recogniser:
    return whisper(whisper_tiny)


def hear(recogniser: Recogniser, sound: Any) -> list[Heard]:
    return list(recogniser.transcribe(np.divide(sound, 32768, dtype=np.float32)))


def words(heard: list[Heard]) -> str:
    return " ".join(each.text.strip() for each in heard).lower()


def test_speech_is_written_down_with_its_times(tiny: Recogniser, speak: Speak) -> None:
    lines = {2.0: "The dog runs into the garden.", 10.0: "He finds three red apples."}
    heard = hear(tiny, speak(lines, 15))
    assert len(heard) == 2
    assert "dog runs into the garden" in heard[0].text
    assert "red apples" in heard[1].text
    sound = speak(lines, 15)
    for piece, start in zip(heard, lines, strict=True):
        (loud,) = np.nonzero(sound[round(start * SAMPLE_RATE) :][: 5 * SAMPLE_RATE])
        assert piece.start_seconds == pytest.approx(start, abs=0.5)
        assert piece.end_seconds == pytest.approx(start + loud[-1] / SAMPLE_RATE, abs=0.5)
    assert all(type(each.start_seconds) is float for each in heard)


def test_the_same_sound_gives_the_same_transcript(tiny: Recogniser, speak: Speak) -> None:
    # Noise over speech, which would be sampled at random were there a fallback.
    sound = speak({0.5: "Pour the milk slowly into the big blue bowl."}, 6)
    noisy = np.clip(sound + np.random.default_rng(0).normal(0, 1500, len(sound)), -32768, 32767)
    assert hear(tiny, noisy) == hear(tiny, noisy)


@pytest.mark.parametrize("kind", ["zeros", "hiss", "hum", "a moment", "nothing"])
def test_without_speech_nothing_is_heard(tiny: Recogniser, kind: str) -> None:
    t = np.arange(10 * SAMPLE_RATE) / SAMPLE_RATE
    sounds: dict[str, Samples] = {
        "zeros": np.zeros(len(t), np.float32),
        "hiss": np.random.default_rng(0).normal(0, 0.03, len(t)).astype(np.float32),
        "hum": (0.3 * np.sin(2 * np.pi * 50 * t)).astype(np.float32),
        "a moment": np.full(10, 0.1, np.float32),
        "nothing": np.zeros(0, np.float32),
    }
    assert list(tiny.transcribe(sounds[kind])) == []


def test_a_language_is_found_out_or_given(whisper_base: Path, speak: Speak) -> None:
    sound = speak({0.5: "Guten Morgen, wie geht es Ihnen heute?"}, 5, voice="de")
    assert "guten morgen" in words(hear(whisper(whisper_base, beam_size=1), sound))
    with pytest.raises(ModelUnavailable, match="does not know the language 'klingon'"):
        whisper(whisper_base, language="klingon").check()


def test_the_id_depends_on_the_weights_and_the_settings_not_on_the_place(
    whisper_tiny: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        shutil.copy(whisper_tiny / name, moved)
    (moved / "model.bin").symlink_to(whisper_tiny / "model.bin")
    key = recogniser_id(whisper(whisper_tiny))
    assert recogniser_id(whisper(moved, concurrency=2)) == key
    others = [
        recogniser_id(whisper(moved, beam_size=1)),
        recogniser_id(whisper(moved, language="en")),
        recogniser_id(whisper(moved, compute_type="float32")),
    ]
    with (moved / "vocabulary.txt").open("a", encoding="utf-8") as file:
        file.write("\n")
    others.append(recogniser_id(whisper(moved)))
    assert len({key, *others}) == 5


def test_a_model_that_is_not_there_is_explained(tmp_path: Path, whisper_tiny: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"no such folder.*large-v3"):
        whisper(tmp_path / "gone").check()
    with pytest.raises(ModelUnavailable, match=r"lacks config\.json, model\.bin, tokenizer\.json"):
        whisper(tmp_path).check()
    with pytest.raises(ModelUnavailable, match="cannot be downloaded"):
        open_recogniser("whisper/nobody/no-such-model").describe()
    with pytest.raises(SettingsError, match="a folder has no revision"):
        whisper(whisper_tiny, revision="main")


def test_without_faster_whisper_it_says_what_to_install(
    whisper_tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    for module in ("model", "weights"):
        monkeypatch.delitem(
            sys.modules, f"video_oasis.speech.recognisers.whisper.{module}", raising=False
        )
    with pytest.raises(SettingsError, match=r"pip install 'video-oasis\[speech\]'"):
        whisper(whisper_tiny)


def test_weights_that_cannot_be_run_are_explained(whisper_tiny: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        shutil.copy(whisper_tiny / name, tmp_path)
    (tmp_path / "model.bin").write_bytes(b"no weights")
    with pytest.raises(ModelUnavailable, match="CTranslate2 says"):
        whisper(tmp_path).check()
    with pytest.raises(ModelUnavailable, match=r"CTranslate2 says.*another device or compute_type"):
        whisper(whisper_tiny, compute_type="int3").check()
