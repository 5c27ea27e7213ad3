"""Every row becomes exactly one thing, and ids come from content."""

import datetime as dt
import random
from collections.abc import Callable
from typing import Any

import pytest

from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, RowFault, derive_ids, read_rows
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video


def row(number: int = 1, **columns: Any) -> RawRow:
    return RawRow("x.json", number, columns)


def take(raw: RawRow) -> Parts:
    return Parts(
        video=Video(raw.name("video"), start_seconds=raw.optional_seconds("start")),
        question=raw.text("question"),
        choices=None if raw.value("options") is None else raw.texts("options"),
        labelled=True,
        answer=raw.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        task="t",
        metadata=raw.without("video", "question", "options", "answer", "id"),
    )


def read_one(**changes: Any) -> Sample | OpenQuestion | BadRow:
    columns = {
        "id": "7",
        "video": "v.mp4",
        "question": "?",
        "options": ["A. x", "B. y"],
        "answer": "B",
        "extra": 5,
    }
    raw = row(3, **{name: value for name, value in {**columns, **changes}.items() if value != "-"})
    (read,) = read_rows("b", [raw], identify=lambda raw: raw.name("id"), take=take)
    return read


def test_a_sample() -> None:
    sample = read_one()
    assert isinstance(sample, Sample)
    assert (sample.id, sample.choices, sample.target) == ("7", ("x", "y"), 1)
    assert sample.metadata == {"extra": 5}


def test_an_open_question_keeps_its_answer() -> None:
    question = read_one(options=None, answer=4.5)
    assert isinstance(question, OpenQuestion)
    assert question.reference == "4.5"


@pytest.mark.parametrize(("answer", "reference"), [(True, "true"), (False, "false"), (1, "1")])
def test_truth_values_are_written_as_json_has_them(answer: object, reference: str) -> None:
    question = read_one(options=None, answer=answer)
    assert isinstance(question, OpenQuestion)
    assert question.reference == reference


def test_half_characters_are_replaced_in_all_that_is_kept() -> None:
    half, mended = "a\ud83d", "a\ufffd"
    deep = [half, {half: {"x": half}}, 4, None]
    columns = {"id": half, "video": half, "question": half, "extra": deep, "reference": half}
    kept = {"extra": [mended, {mended: {"x": mended}}, 4, None], "reference": mended}
    question = read_one(**columns, options=None, answer=half)
    assert question == OpenQuestion(mended, "b", Video(mended), mended, mended, "t", kept)
    assert question.metadata == kept
    (sample,) = read_rows(
        "b",
        [row(extra=deep)],
        identify=lambda _: half,
        take=lambda raw: Parts(
            video=None,
            question=half,
            choices=(half, "b"),
            labels=(half, "b"),
            answer=half,
            answer_column="answer",
            answer_form=AnswerForm.TEXT,
            task=half,
            metadata=raw.columns,
        ),
    )
    assert isinstance(sample, Sample)
    assert (sample.id, sample.video.path, sample.task) == (mended, mended, mended)
    assert (sample.choices, sample.target) == ((mended, "b"), 0)
    assert sample.metadata == {"extra": kept["extra"]}


def test_half_characters_are_replaced_in_bad_rows() -> None:
    bad = read_one(**{"id": "a\ud83d", "answer": "-", "note\ud83d": 1})
    assert isinstance(bad, BadRow)
    assert bad.id == "a\ufffd"
    str(bad).encode()


def test_ids_that_half_characters_alone_tell_apart_are_repeated() -> None:
    rows = [row(1, id="a\ud83d"), row(2, id="a\udc00")]
    first, second = read_rows(
        "b", rows, identify=lambda raw: raw.name("id"), take=lambda _: take_plain()
    )
    assert isinstance(first, Sample)
    assert isinstance(second, BadRow)
    assert (second.id, second.code) == ("a\ufffd", "id_repeated")


def test_bad_rows_tell_whether_they_have_choices() -> None:
    def has_choices(raw: RawRow) -> bool:
        return raw.value("options") is not None

    rows = [row(1, id=""), row(2, id="", options=None), row(3, id="", options=["x"])]
    bad_rows = list(
        read_rows(
            "b", rows, identify=lambda raw: raw.name("id"), take=take, has_choices=has_choices
        )
    )
    assert [isinstance(bad, BadRow) and bad.has_choices for bad in bad_rows] == [None, False, True]
    (untold,) = read_rows("b", rows[:1], identify=lambda raw: raw.name("id"), take=take)
    assert isinstance(untold, BadRow)
    assert untold.has_choices is None


def test_an_empty_question_stays_a_sample() -> None:
    assert isinstance(read_one(question=""), Sample)
    assert isinstance(read_one(question=None), Sample)


def test_one_choice_stays_a_sample() -> None:
    assert isinstance(read_one(options=["x"], answer="A"), Sample)


@pytest.mark.parametrize(
    ("changes", "column", "code", "sample_id"),
    [
        ({"options": None, "answer": " "}, "answer", "reference_empty", "7"),
        ({"options": None, "answer": None}, "answer", "reference_empty", "7"),
        ({"answer": "C"}, "answer", "target_out_of_range", "7"),
        ({"answer": ""}, "answer", "target_empty", "7"),
        ({"answer": "yes"}, "answer", "target_not_found", "7"),
        ({"options": ["A. x", "C. y", "B. z"]}, "answer", "target_ambiguous", "7"),
        ({"answer": "-"}, "answer", "column_missing", "7"),
        ({"options": []}, "options", "value_empty", "7"),
        ({"options": "x"}, "options", "value_unreadable", "7"),
        ({"options": [["x"]]}, "options", "value_unreadable", "7"),
        ({"question": {"text": "?"}}, "question", "value_unreadable", "7"),
        ({"video": " "}, "video", "value_empty", "7"),
        ({"start": -1}, "start", "value_unreadable", "7"),
        ({"start": "soon"}, "start", "value_unreadable", "7"),
        ({"id": "-"}, "id", "column_missing", ""),
        ({"id": ""}, "id", "value_empty", ""),
    ],
)
def test_bad_rows(changes: dict[str, Any], column: str, code: str, sample_id: str) -> None:
    bad = read_one(**changes)
    assert isinstance(bad, BadRow)
    assert (bad.file, bad.row) == ("x.json", 3)
    assert (bad.id, bad.field, bad.code) == (sample_id, column, code)
    assert bad.message


def test_what_breaks_a_type_is_a_bad_row() -> None:
    (bad,) = read_rows(
        "b", [row(video="v.mp4")], identify=lambda _: "", take=lambda _: take_plain()
    )
    assert isinstance(bad, BadRow)
    assert bad.code == "row_invalid"


def take_plain(video: Video | None = None) -> Parts:
    return Parts(
        video=video,
        question="?",
        choices=("x", "y"),
        answer="A",
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        task="t",
    )


def test_without_a_video_a_question_is_its_own_cluster() -> None:
    read = read_rows(
        "b", [row(1), row(2)], identify=lambda raw: f"id{raw.number}", take=lambda _: take_plain()
    )
    assert [one.video.path for one in read if isinstance(one, Sample)] == ["id1", "id2"]


def test_a_repeated_id_is_a_bad_row() -> None:
    first, second = read_rows(
        "b", [row(1), row(2)], identify=lambda _: "same", take=lambda _: take_plain(Video("v"))
    )
    assert isinstance(first, Sample)
    assert isinstance(second, BadRow)
    assert (second.code, second.message) == ("id_repeated", "the same id as x.json row 1")


@pytest.fixture
def identify() -> Callable[[RawRow], str]:
    return derive_ids(lambda raw: str(raw.columns.get("task", "")))


def test_derived_ids_do_not_depend_on_order_or_place() -> None:
    rows = [row(number, q=f"question {number}") for number in range(50)]
    shuffled = random.Random(1).sample(rows, k=len(rows))
    moved = [RawRow("other.json", 9, raw.columns) for raw in shuffled]
    ids = {raw.columns["q"]: derive_ids(lambda _: "t")(raw) for raw in rows}
    assert {raw.columns["q"]: derive_ids(lambda _: "t")(raw) for raw in moved} == ids
    assert len(set(ids.values())) == 50


def test_derived_ids_tell_tasks_apart(identify: Callable[[RawRow], str]) -> None:
    one, other = identify(row(task="count", q="?")), identify(row(task="order", q="?"))
    assert one.startswith("count-")
    assert one.partition("-")[2] != other.partition("-")[2]
    assert "-" not in identify(row(q="?"))


def test_equal_rows_are_counted(identify: Callable[[RawRow], str]) -> None:
    first, second, third = (identify(row(number, q="?")) for number in range(3))
    assert (second, third) == (f"{first}-2", f"{first}-3")


def test_derived_ids_take_what_json_cannot_write(identify: Callable[[RawRow], str]) -> None:
    values = [dt.date(2026, 1, 2), b"\x00", float("inf"), "\ud800", [{"a": None}]]
    assert len({identify(row(value=value)) for value in values}) == len(values)


def test_a_fault_may_be_of_another_row() -> None:
    def refuse(_: RawRow) -> Parts:
        fault = RowFault("answer", "value_empty", "nothing here")
        fault.row = RawRow("answers.json", 8, {})
        raise fault

    (bad,) = read_rows("b", [row(3)], identify=lambda _: "q", take=refuse)
    assert isinstance(bad, BadRow)
    assert (bad.id, bad.file, bad.row, bad.field) == ("q", "answers.json", 8, "answer")


def test_a_required_text() -> None:
    raw = row(question=" Who? ", count=3, blank=" ", null=None)
    assert (raw.required_text("question"), raw.required_text("count")) == (" Who? ", "3")
    for column in ("blank", "null"):
        with pytest.raises(RowFault, match="nothing here; expected an answer"):
            raw.required_text(column, expected="an answer")


def test_labelled_texts_leave_out_nulls() -> None:
    raw = row(options={"A": "x", "B": None, "C": "NA"}, empty={"A": None}, text="x")
    assert raw.labelled_texts("options") == (("A", "C"), ("x", "NA"))
    for column, code in (("empty", "value_empty"), ("text", "value_unreadable")):
        with pytest.raises(RowFault) as caught:
            raw.labelled_texts(column)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("value", "spans"),
    [
        ([[3.5, 8], ["1:00", "61"]], [[3.5, 8], [60, 61]]),
        ("0:15-0:19, 1:02:03-1:02:10", [[15, 19], [3723, 3730]]),
        ([[9, 9]], [[9, 9]]),
        (None, []),
        ("", []),
        ([], []),
    ],
)
def test_spans(value: object, spans: list[list[float]]) -> None:
    assert row(times=value).spans("times") == spans


@pytest.mark.parametrize(
    "value", ["soon", 4, [3, 5], [[3]], [[3, "x"]], [[-3, 4]], [[1, float("inf")]], {"a": 1}]
)
def test_what_are_no_spans(value: object) -> None:
    with pytest.raises(RowFault, match="expected spans of time"):
        row(times=value).spans("times")


def test_ranges_need_both_ends() -> None:
    raw = row(start=1, end="0:02", null=None)
    assert raw.ranges("start", "end") == [[1, 2]]
    assert raw.ranges("start", "null") == []
    assert raw.ranges("start", "absent") == []
