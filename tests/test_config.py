"""Settings: read, completed, written back; every mistake named with where it stands."""

from pathlib import Path

import pytest

from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.config import (
    AskingPlan,
    AuditSettings,
    BenchmarkEntry,
    GrounderEntry,
    ModelEntry,
    RecogniserEntry,
    Role,
    parse_source,
    plain_settings,
    read_settings,
    write_settings,
)
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.embeddings.encoders.interface import EncoderSettings
from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.speech.recognisers.settings import RecogniserSettings


def write(folder: Path, text: str) -> Path:
    file = folder / "audit.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_settings_come_back_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").touch()
    (tmp_path / "mvbench").mkdir()
    settings = AuditSettings(
        benchmarks=(
            BenchmarkEntry(
                tmp_path / "mvbench",
                name="mvbench",
                videos=tmp_path / "videos",
                images_fps=3.5,
                transcripts=tmp_path / "srt",
                captions=tmp_path / "captions.jsonl",
            ),
            BenchmarkEntry(
                tmp_path / "mine.jsonl",
                columns=ColumnMapping(
                    question="q", choices=("a", "b"), answer_form=AnswerForm.INDEX0
                ),
            ),
        ),
        models=(
            ModelEntry("learned/logistic"),
            ModelEntry("learned/forest", role=Role.VALIDATOR),
            ModelEntry("external/./agent.py", settings=ModelSettings(arguments=("-n", "a b"))),
            ModelEntry(
                "openai/m@http://localhost:1/v1",
                name="mine",
                settings=ModelSettings(output=Output.LOGPROBS, temperature=None, concurrency=3),
            ),
            ModelEntry(
                "openai/eyes@http://localhost:1/v1",
                settings=ModelSettings(
                    max_frames=16,
                    frames_as=FramesAs.VIDEO,
                    processor={"max_pixels": 4096, "size": {"longest_edge": 9}},
                ),
            ),
        ),
        recogniser=RecogniserEntry("whisper/base", RecogniserSettings(language="en")),
        captioner=ModelEntry("openai/eyes@http://localhost:1/v1", settings=ModelSettings(seed=4)),
        grounder=GrounderEntry("open_clip/ViT-B-32:openai", EncoderSettings(dtype="float16")),
        text_characters=500,
        frames=FrameSettings(max_frames=32, fps=0.5, longest_side=512, jpeg_quality=70, seed=3),
        frames_folder=tmp_path / "frames",
        plan=AskingPlan.LAZY,
        threshold=3,
        strict_consistency=True,
        n_draws=2,
        n_rotations=4,
        limit=50,
        skip_bad=True,
        n_resamples=200,
    )
    write_settings(settings, tmp_path / "audit.toml")
    assert read_settings(tmp_path / "audit.toml") == settings


def test_defaults_are_the_embedded_models_under_blind(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, ""))
    assert [entry.model for entry in settings.models] == [
        "learned/logistic",
        "learned/forest",
        "learned/neighbours",
    ]
    assert settings.diagnostics == ("blind",)
    assert "limit" not in plain_settings(settings)


def test_paths_in_a_file_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "q.csv").touch()
    text = 'frames_folder = "kept"\n[[benchmarks]]\npath = "data/q.csv"\nvideos = "clips"'
    settings = read_settings(write(tmp_path, text))
    assert settings.benchmarks[0].path == (tmp_path / "data" / "q.csv").resolve()
    assert settings.benchmarks[0].videos == tmp_path / "clips"
    assert settings.frames_folder == tmp_path / "kept"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n_drows = 1", r"unknown key 'n_drows' \(did you mean 'n_draws'\?\)"),
        ("n_draws = 0", "n_draws is 0; expected 1 or more"),
        ("n_resamples = 1", "n_resamples is 1; expected 100 or more"),
        ('n_draws = "many"', "n_draws is 'many'"),
        ('skip_bad = "perhaps"', "skip_bad is 'perhaps'"),
        ("n_draws = ", "not TOML"),
        ("models = 3", r"models is 3; expected tables headed \[\[models\]\]"),
        ("[[models]]\nname = 'x'", "model is None; expected BACKEND/NAME"),
        ("[[models]]\nmodel = 'learned/x'\noutput = 'song'", "output is 'song'"),
        ("[[models]]\nmodel = 'learned/x'\nconcurency = 3", "did you mean 'concurrency'"),
        ("[[models]]\nmodel = 'learned/x'\nconcurrency = 0", "concurrency is 0; expected 1"),
        ("[grounder]\ndtype = 'float16'", "encoder is None; expected BACKEND/NAME"),
        ("[grounder]\nencoder = 'open_clip/x'\ndtype = 'int8'", "expected one of float32"),
        ("grounder = 'open_clip/x'", "a table headed"),
        ("[[models]]\nmodel = 'learned/x'\ntimeout_seconds = 0", "expected more than 0"),
        ("[[models]]\nmodel = 'openai/x'\nframes_as = 'film'", "frames_as is 'film'"),
        ("[[models]]\nmodel = 'openai/x'\nmax_frames = -1", "max_frames is -1; expected 0"),
        ("[recogniser]\nlanguage = 'en'", "recogniser is None; expected ENGINE/NAME"),
        ("[recogniser]\nrecogniser = 'whisper/base'\nlang = 'en'", "did you mean 'language'"),
        ("captioner = 'openai/x'", r"expected a table headed \[captioner\]"),
        ("text_characters = 3", "text_characters is 3; expected 100 or more"),
        ("frames = 3", r"frames is 3; expected a table headed \[frames\]"),
        ("frames_folder = 3", "frames_folder is 3; expected a file or folder"),
        ("[frames]\nmax_frames = 0", "max_frames is 0"),
        ("[frames]\nfsp = 2.0", "did you mean 'fps'"),
        ("[[benchmarks]]\npath = '.'\nvideos = 3", "videos is 3; expected a file or folder"),
        ("[[benchmarks]]\npath = '.'\nimages_fps = 0", "images_fps is 0.0; expected more than 0"),
        ("[[benchmarks]]\nname = 'mvbench'", "path is None; expected a file or folder"),
        ("[[benchmarks]]\npath = 'no_such.csv'", "there is no file or folder"),
        ("[[benchmarks]]\npath = '.'\n[benchmarks.columns]\nqestion = 'q'", "'question'"),
    ],
)
def test_a_mistake_is_named_with_where_it_stands(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        read_settings(write(tmp_path, text))
    assert "audit.toml" in str(caught.value) or "no_such.csv" in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read"):
        read_settings(tmp_path / "none.toml")


def test_a_source_is_a_known_benchmark_or_a_path(tmp_path: Path) -> None:
    odd = tmp_path / "a=b.csv"
    odd.touch()
    assert parse_source(f"mvbench={tmp_path}", ColumnMapping()).name == "mvbench"
    assert parse_source(str(odd), ColumnMapping()) == BenchmarkEntry(odd.resolve())
    with pytest.raises(UnknownNameError, match="did you mean mvbench"):
        parse_source(f"mv-bench={tmp_path}", ColumnMapping())
    with pytest.raises(SettingsError, match="there is no file or folder"):
        parse_source("nowhere.csv", ColumnMapping())


def test_a_known_benchmark_takes_no_mapping(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the columns of mvbench are known"):
        parse_source(f"mvbench={tmp_path}", ColumnMapping(question="q"))
