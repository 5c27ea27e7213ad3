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
from video_oasis.benchmarks.loading import load, load_open, read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import METADATA_TIME_REFERENCES, OpenQuestion, Video

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


def test_half_a_character_in_a_reference_is_replaced(tmp_path: Path) -> None:
    path = write_json(tmp_path / "x.json", open_rows("a \ud83d", "a man"))
    assert [question.reference for question in read(path).open_questions] == ["a \ufffd", "a man"]


def open_rows(*references: object, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"question": f"Question {number}?", "reference": reference, **columns}
        for number, reference in enumerate(references)
    ]


def test_a_file_of_open_questions(tmp_path: Path) -> None:
    rows = open_rows("a red cup", 4, video="a.mp4", category="object", source="web")
    path = write_json(tmp_path / "x.json", [{"id": f"q{n}", **row} for n, row in enumerate(rows)])
    own = own_benchmark(path)
    assert own.guessed == {
        "name": "x",
        "question": "question",
        "choices": "none, the questions are open",
        "answer": "reference",
        "id": "id",
        "video": "video",
        "task": "category",
    }
    contents = load_open(own.benchmark, path, skip_bad=False)
    assert contents.samples == ()
    assert contents.open_questions == (
        OpenQuestion(
            "q0", "x", Video("a.mp4"), "Question 0?", "a red cup", "object", {"source": "web"}
        ),
        OpenQuestion("q1", "x", Video("a.mp4"), "Question 1?", "4", "object", {"source": "web"}),
    )


@pytest.mark.parametrize("name", ["answer", "gold", "Gold answer", "reference_answer", "gt"])
def test_names_of_reference_columns(tmp_path: Path, name: str) -> None:
    path = write_csv(tmp_path / "x.csv", [{"question": "Who?", name: "Ann"}])
    assert [question.reference for question in read(path).open_questions] == ["Ann"]


@pytest.mark.parametrize("empty", [None, "", []])
def test_a_column_of_choices_that_is_empty_throughout(tmp_path: Path, empty: object) -> None:
    rows = [*open_rows("a cup", options=empty), *open_rows("a bowl", options=None)]
    path = write_json(tmp_path / "x.json", rows)
    for given in (ColumnMapping(), ColumnMapping(choices=("options",))):
        with pytest.raises(
            BenchmarkError, match=r"no row has choices in options; .*choices = \[\]"
        ):
            own_benchmark(path, given)
    contents = read(path, ColumnMapping(choices=()))
    assert [question.reference for question in contents.open_questions] == ["a cup", "a bowl"]


@pytest.mark.parametrize("rows", [
    [
        {"answer": "someone", "id": 30933, "question": "who sings?", "video_id": 1301},
        {"answer": "onion", "id": 30934, "question": "what is cut?", "video_id": 1301},
    ],
    [
        {"id": "a_1", "video": "a.mp4", "question": "is it dark", "answer": "yes", "type": 3},
        {"id": "a_2", "video": "a.mp4", "question": "are they outside", "answer": "no", "type": 3},
    ],
    [
        {"gif": "g1", "question": "How many times ?", "answer": 2, "key": 26, "fps": 12},
        {"gif": "g2", "question": "How many times ?", "answer": 10, "key": 27, "fps": 10},
        {"gif": "g3", "question": "How many times ?", "answer": 3, "key": 28, "fps": 12},
    ],
    [
        {
            "qid": "vid|q1",
            "video": "a.mp4",
            "task": "count",
            "question": "How many cups; where?",
            "answer": "3; on the table",
            METADATA_TIME_REFERENCES: [[3.5, 8], [20, 20]],
            "caption": "Two people\nin a kitchen",
        },
    ],
    [{"question": "Is it raining?", "answer": True}, {"question": "Is it?", "answer": False}],
])  # fmt: skip
def test_files_of_open_questions_in_published_shapes(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    contents = read(path)
    assert (contents.samples, contents.bad_rows) == ((), ())
    assert len(contents.open_questions) == len(rows)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (open_rows("A", "(b)"), "no row has choices below the question in 'question'"),
        (open_rows("red", colours=COLOURS), "no row has choices below the question in 'question'"),
        (open_rows("red", options="red|blue"), "choices_separator"),
        (open_rows("", None), "no row has choices below the question in 'question'"),
        (open_rows("red", wrong_1="blue", wrong_2="green", wrong_3="grey"), "'wrong_1', 'wrong_2'"),
    ],
)
def test_what_may_have_choices_is_open_only_if_said(
    tmp_path: Path, rows: list[dict[str, Any]], said: str
) -> None:
    path = write_json(tmp_path / "x.json", rows)
    with pytest.raises(BenchmarkError, match=said) as caught:
        own_benchmark(path)
    assert "choices = []" in str(caught.value)
    own = own_benchmark(path, ColumnMapping(choices=()))
    assert "choices" not in own.guessed
    assert not read_contents(own.benchmark, path).samples


def test_without_columns_of_choices_those_below_a_question_still_count(tmp_path: Path) -> None:
    rows = [
        {"question": "Which?\n(A) one\n(B) two", "answer": "B"},
        {"question": "How many?", "answer": "three"},
    ]
    contents = read(write_json(tmp_path / "x.json", rows), ColumnMapping(choices=()))
    assert [sample.choices for sample in contents.samples] == [("one", "two")]
    assert [question.reference for question in contents.open_questions] == ["three"]


def test_rows_with_and_without_choices(tmp_path: Path) -> None:
    rows = questions("B", "C")
    rows[0]["options"] = None
    contents = read(write_json(tmp_path / "x.json", rows))
    assert targets(contents) == [2]
    assert [question.reference for question in contents.open_questions] == ["B"]


def test_bad_rows_of_open_questions(tmp_path: Path) -> None:
    good: dict[str, Any] = {"id": "1", "prompt": "Who?", "gold": "Ann", "clip": "v.mp4"}
    rows = [
        good,
        {**good, "id": "2", "gold": ""},
        {**good, "id": "3", "prompt": ""},
        {**good, "id": "4", "clip": ""},
        {**good, "id": "5", "prompt": {"text": "Who?"}},
        good,
    ]
    path = write_json(tmp_path / "x.json", rows)
    contents = read(path, ColumnMapping(id="id"))
    assert [question.id for question in contents.open_questions] == ["1"]
    assert [bad.has_choices for bad in contents.bad_rows] == [False, False, False, None, False]
    assert [(bad.row, bad.field, bad.code) for bad in contents.bad_rows] == [
        (2, "gold", "reference_empty"),
        (3, "prompt", "value_empty"),
        (4, "clip", "value_empty"),
        (5, "prompt", "value_unreadable"),
        (6, "id", "id_repeated"),
    ]


@pytest.mark.parametrize("fault", [{"answer": ""}, {"question": ""}, {"video": ""}])
def test_an_audit_goes_on_without_faulty_open_questions(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    rows = questions("B", "C", "A", "B", video="v.mp4")
    rows[3] |= {"options": None, **fault}
    path = write_json(tmp_path / "x.json", rows)
    own = own_benchmark(path)
    contents = load(own.benchmark, path, skip_bad=False)
    assert len(contents.samples) == 3
    (bad,) = contents.bad_rows
    assert (bad.row, bad.has_choices) == (4, False)
    with pytest.raises(BenchmarkError, match="1 of 4 rows cannot be read"):
        load_open(own.benchmark, path, skip_bad=False)


def test_open_questions_go_on_without_faulty_rows_with_choices(tmp_path: Path) -> None:
    rows = questions("B", "K", "red", "A")
    rows[2]["options"] = None
    path = write_json(tmp_path / "x.json", rows)
    own = own_benchmark(path)
    contents = load_open(own.benchmark, path, skip_bad=False)
    assert [question.reference for question in contents.open_questions] == ["red"]
    assert [(bad.row, bad.has_choices) for bad in contents.bad_rows] == [(2, True)]
    with pytest.raises(BenchmarkError, match="1 of 4 rows cannot be read"):
        load(own.benchmark, path, skip_bad=False)


def test_choices_that_cannot_be_read_stop_both(tmp_path: Path) -> None:
    rows = [*questions("B"), *questions("A", options="red|blue"), *questions("4", options=None)]
    path = write_json(tmp_path / "x.json", rows)
    own = own_benchmark(path)
    for read_soundly in (load, load_open):
        with pytest.raises(BenchmarkError, match=r"1 of 3 rows cannot be read:\n.*'red\|blue'"):
            read_soundly(own.benchmark, path, skip_bad=False)
