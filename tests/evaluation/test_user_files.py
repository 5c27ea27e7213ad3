"""The files that a user may add to an evaluation."""

from pathlib import Path

import polars as pl
import pytest

from video_oasis.errors import SettingsError
from video_oasis.evaluation.group_file import read_grouping
from video_oasis.evaluation.model_facts import read_facts
from video_oasis.evaluation.official_scores import read_official_scores
from video_oasis.report.evaluation.document import ModelFacts, Reasoning

SAMPLES = {("a", "1"), ("a", "2"), ("b", "1")}
ROWS = [("a", "2", "late"), ("a", "1", "early"), ("b", "1", None), ("c", "9", "late")]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_groups_are_read_from_any_kind_of_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"categories.{suffix}"
    frame = pl.DataFrame(ROWS, schema=["benchmark", "sample_id", "category"], orient="row")
    if suffix == "csv":
        frame.write_csv(file)
    elif suffix == "jsonl":
        frame.write_ndjson(file)
    else:
        frame.write_parquet(file)
    grouping = read_grouping("category", file, SAMPLES)
    assert (grouping.name, grouping.groups) == ("category", ("late", "early"))
    assert grouping.of_sample == {("a", "2"): "late", ("a", "1"): "early"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "x.csv",
            "benchmark,sample_id\na,1\n",
            "row 1: no category among benchmark, sample_id; exp",
        ),
        (
            "x.csv",
            "benchmark,sample_id,category\nz,1,q\n",
            "gives no sample of the runs a category",
        ),
        ("x.csv", "benchmark,sample_id,category\na,1,q\na,1,r\n", "row 2: a sample '1' is 'r'"),
        ("x.jsonl", "{\n", "line 1: not JSON"),
        ("x.jsonl", "[1]\n", "expected an object"),
        ("x.parquet", "no", "cannot be read"),
        ("x.txt", "", "ends in '.txt'; expected .csv, .jsonl, .parquet"),
    ],
)
def test_files_of_groups_that_are_wrong(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        read_grouping("category", file, SAMPLES)


def test_facts_are_read_for_the_models_there_are(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text(
        '[[models]]\nmodel = "m"\nbase = "b"\nreasoning = "adaptive"\nrewards = { QA = true }\n'
        '[[models]]\nmodel = "elsewhere"\n'
    )
    assert read_facts(file, ["m", "n"]) == {
        "m": ModelFacts("m", "b", Reasoning.ADAPTIVE, {"QA": True})
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[model]]\nx = 1\n", "found model; expected tables headed"),
        ("[[models]]\nbase = 'b'\n", "expected a table with model = NAME"),
        ("[[models]]\nmodel = 'm'\nmode = 'b'\n", "m: no key mode"),
        ("[[models]]\nmodel = 'm'\nreasoning = 'deep'\n", "expected one of direct, thinking"),
        ("[[models]]\nmodel = 'm'\nrewards = { QA = 1 }\n", "names that are true or false"),
        ("[[models]]\nmodel = 'm'\nbase = 1\n", "base is 1"),
        ("[[models]]\nmodel = 'm'\n[[models]]\nmodel = 'm'\n", "m stands there twice"),
        ("[[models]]\nmodel = 'z'\n", "is about z; expected one of those evaluated: m"),
    ],
)
def test_facts_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "models.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        read_facts(file, ["m"])


def test_official_scores_are_percent(tmp_path: Path) -> None:
    as_csv, as_toml = tmp_path / "scores.csv", tmp_path / "scores.toml"
    as_csv.write_text("\ufeffmodel,benchmark,score,source\nm,b,65.1,card\nn, b ,7,paper\n")
    as_toml.write_text(
        '[[scores]]\nmodel = "m"\nbenchmark = "b"\nscore = 65.1\nsource = "card"\n'
        '[[scores]]\nmodel = "n"\nbenchmark = "b"\nscore = 7\nsource = "paper"\n'
    )
    scores = read_official_scores(as_csv)
    assert scores == read_official_scores(as_toml)
    assert [(each.model, each.benchmark, each.source) for each in scores] == [
        ("m", "b", "card"),
        ("n", "b", "paper"),
    ]
    assert [each.score for each in scores] == pytest.approx([0.651, 0.07])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "model,benchmark,score,source\nm,b,0.651,card\n", "score 1: score is '0.651'"),
        ("x.csv", "model,benchmark,score,source\nm,b,many,card\n", "expected percent"),
        ("x.csv", "model,benchmark,score,source\nm,b,65\n", "source is None; expected text"),
        ("x.csv", "model,benchmark,score\nm,b,65\n", "found model, benchmark, score; expected"),
        ("x.csv", "model,benchmark,score,source\n", "no scores"),
        ("x.toml", "scores = [1]\n", "score 1: found 1; expected model"),
        ("x.json", "", "expected .toml or .csv"),
    ],
)
def test_official_scores_that_are_wrong(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        read_official_scores(file)
