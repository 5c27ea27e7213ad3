"""A user's own file in every format and form, with and without a mapping."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Contents
from video_oasis.benchmarks.loading import load, read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import METADATA_TIME_REFERENCES, Video

COLOURS = ["red", "blue", "green"]


def write_json(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def read(path: Path, mapping: ColumnMapping | None = None) -> Contents:
    return read_contents(own_benchmark(path, mapping).benchmark, path)


def targets(contents: Contents) -> list[int]:
    return [sample.target for sample in contents.samples]


def questions(*answers: object, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"question": f"Question {number}?", "options": COLOURS, "answer": answer, **columns}
        for number, answer in enumerate(answers)
    ]


def test_all_columns_are_guessed(tmp_path: Path) -> None:
    rows = questions("B", "c", start=1, end="0:05", duration=9.5, category="colour", extra=7)
    rows = [{**row, "ID": f"q{n}", "Video Path": "a/v.mp4"} for n, row in enumerate(rows)]
    path = write_json(tmp_path / "mine.json", rows)
    own = own_benchmark(path)
    assert own.guessed == {
        "name": "mine",
        "question": "question",
        "choices": "options",
        "answer": "answer",
        "answer_form": "letter",
        "id": "ID",
        "video": "Video Path",
        "start_seconds": "start",
        "end_seconds": "end",
        "duration_seconds": "duration",
        "task": "category",
    }
    first, second = read_contents(own.benchmark, path).samples
    assert (first.id, first.benchmark, first.task) == ("q0", "mine", "colour")
    assert first.video == Video("a/v.mp4", 1, 5, 9.5)
    assert (first.target, second.target) == (1, 2)
    assert first.metadata == {"extra": 7}
    assert (own.benchmark.group, own.mapping.answer_form) == ("custom", AnswerForm.LETTER)


def test_spans_of_time_in_the_column_for_them_are_read(tmp_path: Path) -> None:
    column = METADATA_TIME_REFERENCES
    rows = questions("B", **{column: [[3.5, 8]]}) + questions("B", **{column: "0:15-0:19"})
    rows += questions("B", **{column: "soon"})
    rows = [{**row, "id": f"q{n}"} for n, row in enumerate(rows)]
    contents = read(write_json(tmp_path / "mine.json", rows))
    assert [sample.metadata[column] for sample in contents.samples] == [[[3.5, 8]], [[15, 19]]]
    assert [(bad.id, bad.field) for bad in contents.bad_rows] == [("q2", column)]
    (sample,) = read(write_json(tmp_path / "other.json", questions("B"))).samples
    assert column not in sample.metadata


def test_what_is_given_is_not_guessed(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions("B", "C", query="no"))
    mapping = ColumnMapping(name="n", group="spatial", question="query")
    own = own_benchmark(path, mapping)
    assert set(own.guessed) == {"choices", "answer", "answer_form"}
    contents = read_contents(own.benchmark, path)
    assert (contents.benchmark, contents.group) == ("n", "spatial")
    assert contents.samples[0].question == "no"


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "tsv", "parquet", "arrow"])
def test_every_format(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.{ending}"
    rows = [
        {"question": "1?", "option_a": "None", "option_b": "NA", "answer": "B", "video": "v 1.mp4"},
        {"question": "2?", "option_a": "null", "option_b": "no", "answer": "A", "video": "-v.mp4"},
    ]
    table = pl.DataFrame(rows)
    match ending:
        case "json":
            write_json(path, rows)
        case "jsonl":
            table.write_ndjson(path)
        case "parquet":
            table.write_parquet(path)
        case "arrow":
            table.write_ipc_stream(path)
        case _:
            table.write_csv(path, separator="," if ending == "csv" else "\t")
    samples = read(path).samples
    assert [sample.choices for sample in samples] == [("None", "NA"), ("null", "no")]
    assert [sample.target for sample in samples] == [1, 0]
    assert [sample.video.path for sample in samples] == ["v 1.mp4", "-v.mp4"]


def test_a_hugging_face_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for shard in range(2):
        rows = questions("B", "C", shard=shard)
        pl.DataFrame(rows).write_parquet(tmp_path / f"data/test-0000{shard}-of-00002.parquet")
        pl.DataFrame(rows[:1]).write_parquet(tmp_path / f"data/dev-0000{shard}-of-00002.parquet")
    contents = read(tmp_path, ColumnMapping(split="test"))
    assert [sample.metadata["shard"] for sample in contents.samples] == [0, 0, 1, 1]
    with pytest.raises(BenchmarkError, match="several splits"):
        own_benchmark(tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        COLOURS,
        ["A. red", "B. blue", "C. green"],
        {"A": "red", "B": "blue", "C": "green"},
        {"A": "red", "B": "blue", "C": "green", "D": None},
        '["red", "blue", "green"]',
        "['red', 'blue', 'green']",
        '{"A": "red", "B": "blue", "C": "green"}',
        "A. red\nB. blue\nC. green",
        "(A) red\n(B) blue\n(C) green",
    ],
)
def test_every_form_of_choices_in_one_column(tmp_path: Path, options: object) -> None:
    path = write_json(tmp_path / "x.json", questions("C", "B", options=options))
    contents = read(path)
    assert [sample.choices for sample in contents.samples] == [tuple(COLOURS)] * 2
    assert targets(contents) == [2, 1]


def test_choices_with_a_separator(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv", questions("green", "red", options="red | blue|green"))
    assert targets(read(path, ColumnMapping(choices_separator="|"))) == [2, 0]


def test_choices_as_text_without_a_separator(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv", questions("green", options="red | blue|green"))
    with pytest.raises(BenchmarkError, match="choices_separator"):
        own_benchmark(path)


@pytest.mark.parametrize(
    "names",
    [("a", "b", "c"), ("A", "B", "C"), ("option_0", "option_1", "option_2"), ("a1", "a2", "a3")],
)
def test_a_column_for_each_choice(tmp_path: Path, names: tuple[str, ...]) -> None:
    row = dict(zip(names, COLOURS, strict=True))
    short = {**row, names[2]: ""}
    rows = [{"q": "1?", **row, "gt": "C"}, {"q": "2?", **short, "gt": "B"}]
    own = own_benchmark(write_csv(tmp_path / "x.csv", rows))
    assert own.mapping.choices == names
    contents = read(tmp_path / "x.csv")
    assert [sample.choices for sample in contents.samples] == [tuple(COLOURS), ("red", "blue")]


def test_choices_inside_the_question(tmp_path: Path) -> None:
    rows = [
        {"question": "Which?\n(A) one\n(B) two", "answer": "B"},
        {"question": "How many?", "answer": "three"},
    ]
    own = own_benchmark(write_json(tmp_path / "x.json", rows))
    assert own.guessed["choices"] == "inside the question"
    contents = read(tmp_path / "x.json")
    assert (contents.samples[0].question, contents.samples[0].choices) == ("Which?", ("one", "two"))
    assert [question.reference for question in contents.open_questions] == ["three"]


@pytest.mark.parametrize(
    ("answers", "form", "expected"),
    [
        (["A", "(C)"], AnswerForm.LETTER, [0, 2]),
        (["green", "red"], AnswerForm.TEXT, [2, 0]),
        (["Green ", "B. blue"], AnswerForm.TEXT, [2, 1]),
        ([0, 2], AnswerForm.INDEX0, [0, 2]),
        (["0", "1"], AnswerForm.INDEX0, [0, 1]),
        ([0.0, 1.0], AnswerForm.INDEX0, [0, 1]),
        ([1, 3], AnswerForm.INDEX1, [0, 2]),
        (["3", "1"], AnswerForm.INDEX1, [2, 0]),
    ],
)
def test_the_data_decide_how_answers_are_read(
    tmp_path: Path, answers: list[object], form: AnswerForm, expected: list[int]
) -> None:
    path = write_json(tmp_path / "x.json", questions(*answers))
    assert own_benchmark(path).mapping.answer_form is form
    assert targets(read(path)) == expected


def test_numbers_that_could_count_from_0_or_1(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions(1, 2, 1))
    with pytest.raises(BenchmarkError, match=r"as index0 or as index1.*set answer_form"):
        own_benchmark(path)
    assert targets(read(path, ColumnMapping(answer_form=AnswerForm.INDEX0))) == [1, 2, 1]
    assert targets(read(path, ColumnMapping(answer_form=AnswerForm.INDEX1))) == [0, 1, 0]


def test_numbers_that_are_also_choices(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions(2, 1, options=["2", "1", "0"]))
    with pytest.raises(BenchmarkError, match="set answer_form"):
        own_benchmark(path)
    path = write_json(tmp_path / "x.json", questions(7, 9, options=["7", "8", "9"]))
    assert targets(read(path)) == [0, 2]


def test_one_wrong_answer_is_a_bad_row_not_another_reading(tmp_path: Path) -> None:
    contents = read(write_json(tmp_path / "x.json", questions("A", "B", "C", "K")))
    assert targets(contents) == [0, 1, 2]
    (bad,) = contents.bad_rows
    assert (bad.row, bad.field, bad.code) == (4, "answer", "target_out_of_range")


def test_answers_that_are_nothing_of_the_kind(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions("because", "perhaps"))
    with pytest.raises(BenchmarkError, match="such as 'because', are neither letters"):
        own_benchmark(path)


def test_without_ids_they_come_from_content(tmp_path: Path) -> None:
    rows = questions("A", "B", "C")
    first = read(write_json(tmp_path / "x.json", rows))
    second = read(write_json(tmp_path / "x.json", rows[::-1]))
    ids = [sample.id for sample in first.samples]
    assert [sample.id for sample in second.samples] == ids[::-1]
    assert len(set(ids)) == 3


def test_a_column_that_repeats_is_no_id(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions("A", "B", id="same"))
    assert own_benchmark(path).mapping.id is None
    contents = read(path, ColumnMapping(id="id"))
    assert [bad.code for bad in contents.bad_rows] == ["id_repeated"]


def test_without_a_video_column_each_question_is_its_own_cluster(tmp_path: Path) -> None:
    contents = read(write_json(tmp_path / "x.json", questions("A", "B")))
    assert [sample.video.path for sample in contents.samples] == [
        sample.id for sample in contents.samples
    ]


def test_times_need_a_video(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions("A", "B", begin=1))
    with pytest.raises(BenchmarkError, match="none for the video"):
        own_benchmark(path, ColumnMapping(start_seconds="begin"))


def test_a_duration_in_words_is_no_time(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", questions("A", "B", video="v", duration="short"))
    assert own_benchmark(path).mapping.duration_seconds is None


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (ColumnMapping(question="Qestion"), "no column 'Qestion' for question (did you mean"),
        (ColumnMapping(choices=("options", "optons")), "no column 'optons' for choices"),
        (ColumnMapping(video="clip"), "the file has: question, options, answer"),
    ],
)
def test_a_wrong_mapping_names_the_columns(
    tmp_path: Path, mapping: ColumnMapping, said: str
) -> None:
    path = write_json(tmp_path / "x.json", questions("A", "B"))
    with pytest.raises(BenchmarkError) as caught:
        own_benchmark(path, mapping)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "?", "options": COLOURS, "answer": "A"}, "no column looks like the question"),
        ({"question": "?", "options": COLOURS, "reply": "A"}, "no column looks like the answer"),
        ({"question": "?", "colours": COLOURS, "answer": "A"}, "no row has choices"),
    ],
)
def test_a_needed_column_that_cannot_be_guessed(
    tmp_path: Path, row: dict[str, Any], said: str
) -> None:
    path = write_json(tmp_path / "x.json", [row])
    with pytest.raises(BenchmarkError, match=said) as caught:
        own_benchmark(path)
    assert ", ".join(row) in str(caught.value)


def test_half_a_character_is_replaced_in_all_that_is_stored(tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(
        '{"id": "a\\ud800", "question": "W\\udc00hy?", "options": ["x\\ud800", "y"], '
        '"answer": "A", "video": "v\\ud800.mp4", "task": "t\\ud800"}\n'
    )
    (sample,) = load(own_benchmark(file, ColumnMapping()).benchmark, file, skip_bad=False).samples
    for text in (sample.id, sample.question, *sample.choices, sample.video.path, sample.task):
        text.encode()
    assert sample.question == "W\ufffdhy?"
