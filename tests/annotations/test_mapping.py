"""A mapping comes from TOML or flags, and a wrong one is told what would fit."""

from pathlib import Path

import pytest

from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.mapping import ColumnMapping, check_columns, read_mapping
from video_oasis.errors import BenchmarkError, SettingsError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_toml_file(tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.toml",
        'name = "mine"\nquestion = "q"\nchoices = ["a", "b"]\nanswer_form = "index1"\n',
    )
    assert read_mapping(path) == ColumnMapping(
        name="mine", question="q", choices=("a", "b"), answer_form=AnswerForm.INDEX1
    )


def test_one_choice_column_and_none(tmp_path: Path) -> None:
    assert read_mapping(write(tmp_path / "m.toml", 'choices = "opts"')).choices == ("opts",)
    assert read_mapping(write(tmp_path / "m.toml", "choices = []")).choices == ()
    assert read_mapping(write(tmp_path / "m.toml", 'choices = ""')).choices == ()


def test_flags_win() -> None:
    mapping = ColumnMapping(question="q", answer="a")
    assert mapping.override({"question": "other", "answer": None}) == ColumnMapping(
        question="other", answer="a"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('qestion = "q"', "unknown key 'qestion' (did you mean 'question'?)"),
        ("question = 3", "question is 3; expected a text"),
        ("choices = 3", "choices is 3; expected a column or several"),
        ('answer_form = "word"', "expected one of letter, index0, index1, text"),
        ("question", "not TOML"),
    ],
)
def test_wrong_settings(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path / "m.toml", text)
    with pytest.raises(SettingsError) as caught:
        read_mapping(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_no_such_mapping_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_mapping(tmp_path / "absent.toml")


def test_a_column_that_is_not_there() -> None:
    mapping = ColumnMapping(question="Qestion", choices=("a", "b"))
    with pytest.raises(BenchmarkError) as caught:
        check_columns(mapping, ["question", "a", "b"], where="x.csv")
    assert str(caught.value) == (
        "x.csv: no column 'Qestion' for question (did you mean 'question'?); the file has: "
        "question, a, b"
    )
