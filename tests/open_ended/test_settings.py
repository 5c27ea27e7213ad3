"""The settings of a run of open questions."""

from pathlib import Path

import pytest

from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, Role
from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.models.settings import ModelSettings, Output
from video_oasis.open_ended.settings import (
    ANSWERER,
    JudgingSettings,
    is_rule,
    read_judge,
    read_judging,
    write_judging,
)

SERVED = "openai/big/judge@http://localhost:8000/v1"


@pytest.fixture
def own(tmp_path: Path) -> BenchmarkEntry:
    file = tmp_path / "open.jsonl"
    file.write_text("{}\n")
    return BenchmarkEntry(file)


def test_settings_are_read_back_as_written(own: BenchmarkEntry, tmp_path: Path) -> None:
    encoder = tmp_path / "encoder"
    encoder.mkdir()
    settings = JudgingSettings(
        AuditSettings(
            benchmarks=(own,), models=(ModelEntry(SERVED, name="mine"),), diagnostics=("blind",)
        ),
        judges=(
            read_judge("exact_match"),
            read_judge(f"similarity/{encoder}"),
            read_judge(SERVED),
            ModelEntry(SERVED, name="free", settings=ModelSettings(output=Output.TEXT)),
        ),
        families={"mine": "qwen", "free": ""},
        n_probes=7,
    )
    file = tmp_path / "judging.toml"
    write_judging(settings, file)
    assert read_judging(file) == settings


@pytest.mark.usefixtures("own")
def test_a_file_of_judges_alone_has_the_rest_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "judging.toml"
    file.write_text(
        '[[benchmarks]]\npath = "open.jsonl"\n\n[[judges]]\nmodel = "token_f1"\n'
        f'\n[[judges]]\nmodel = "{SERVED}"\nname = "big"\n'
    )
    settings = read_judging(file)
    assert [entry.model for entry in settings.audit.models] == [ANSWERER]
    assert settings.n_probes == 100
    rule, served = settings.judges
    assert is_rule(rule)
    # A judge behind a server is held to a schema unless its table says otherwise.
    assert served.settings.output is Output.JSON
    assert served.name == "big"


@pytest.mark.usefixtures("own")
def test_the_folder_of_an_encoder_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "encoder").mkdir()
    file = tmp_path / "judging.toml"
    file.write_text(
        '[[benchmarks]]\npath = "open.jsonl"\n[[judges]]\nmodel = "similarity/encoder"\n'
    )
    expected = f"similarity/{tmp_path / 'encoder'}"
    monkeypatch.chdir("/")
    assert read_judging(file).judges[0].model == expected
    monkeypatch.chdir(tmp_path)
    assert read_judge("similarity/encoder").model == expected
    # What is no folder is a name on the hub.
    assert read_judge("similarity/some/encoder").model == "similarity/some/encoder"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("judge = 1", "unknown key 'judge' .did you mean 'judges'"),
        ("n_probes = true", "n_probes is True; expected a whole number"),
        ("n_probes = -1", "n_probes is -1; expected 0 or more"),
        ("families = 3", "expected a table of texts"),
        ("judges = 3", r"expected tables headed \[\[judges\]\]"),
        ("judges = []", "no judge is named"),
        ("n_rotations = 2", "no choices to rotate"),
        ('plan = "lazy"', "open questions are all asked"),
        ("threshold = 1", "open questions are all asked"),
        ('[[judges]]\nmodel = "exact_match"\ntemperature = 0.5', "a rule has no settings"),
        ('[[judges]]\nmodel = "exact_match"\nrole = "spare"', "a judge has no role"),
        (f'[[judges]]\nmodel = "{SERVED}"\noutput = "choice"', "expected json or text"),
        (f'[[models]]\nmodel = "{SERVED}"\noutput = "json"', "answered in words"),
    ],
)
def test_what_does_not_suit_is_said(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "judging.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message) as raised:
        read_judging(file)
    assert str(file) in str(raised.value)


def test_a_judge_is_a_rule_or_a_model() -> None:
    with pytest.raises(UnknownNameError, match="exact_match"):
        read_judge("exact_mach")
    with pytest.raises(UnknownNameError, match="model backend"):
        read_judge("opnai/judge")
    assert read_judge(SERVED).role is Role.VOTER
