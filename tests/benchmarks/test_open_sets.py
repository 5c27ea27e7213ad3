"""Readers of open-ended sets, on rows of our own in the shapes that their authors publish."""

import json
from pathlib import Path
from typing import Any

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.interface import Contents
from video_oasis.benchmarks.loading import read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow, OpenQuestion, Video

Columns = dict[str, Any]


def write_json(path: Path, rows: list[Columns]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")


def write_tabs(path: Path, *lines: str) -> None:
    """Write lines whose values are separated by ``|`` as the tab-separated text they stand for."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(line.replace("|", "\t") + "\n" for line in lines), encoding="utf-8")


def faults(contents: Contents) -> list[tuple[str, int, str, str, str]]:
    return [(bad.file, bad.row, bad.id, bad.field, bad.code) for bad in contents.bad_rows]


def caption_row(number: int, **changes: Any) -> Columns:
    row = {
        "answer": "onion",
        "id": number,
        "question": "what is a man chopping?",
        "video_id": 1301,
    }
    return {**row, **changes}


def test_msrvtt_qa(tmp_path: Path) -> None:
    write_json(
        tmp_path / "test_qa.json",
        [
            caption_row(158581, category_id=14, video_id=7010),
            caption_row(158582, category_id=14, question="is it raining?", answer="yes"),
        ],
    )
    write_json(tmp_path / "train_qa.json", [caption_row(0), caption_row(1), caption_row(2)])
    contents = read_contents(BENCHMARKS["msrvtt-qa"], tmp_path)
    assert (contents.samples, contents.bad_rows) == ((), ())
    assert contents.open_questions == (
        OpenQuestion(
            id="158581",
            benchmark="msrvtt-qa",
            video=Video("video7010.mp4"),
            question="what is a man chopping?",
            reference="onion",
            task="what",
            metadata={"category_id": 14},
        ),
        OpenQuestion(
            id="158582",
            benchmark="msrvtt-qa",
            video=Video("video1301.mp4"),
            question="is it raining?",
            reference="yes",
            task="other",
            metadata={"category_id": 14},
        ),
    )


def test_bad_rows_of_msrvtt_qa_are_named(tmp_path: Path) -> None:
    no_video = caption_row(6)
    del no_video["video_id"]
    rows = [
        caption_row(1),
        caption_row(1, answer="carrot"),
        caption_row(3, answer=" "),
        caption_row(4, question=""),
        caption_row(5, video_id=None),
        no_video,
        caption_row(7, answer=["onion"]),
    ]
    write_json(tmp_path / "test_qa.json", rows)
    contents = read_contents(BENCHMARKS["msrvtt-qa"], tmp_path)
    assert [question.id for question in contents.open_questions] == ["1"]
    assert faults(contents) == [
        ("test_qa.json", 2, "1", "id", "id_repeated"),
        ("test_qa.json", 3, "3", "answer", "reference_empty"),
        ("test_qa.json", 4, "4", "question", "value_empty"),
        ("test_qa.json", 5, "5", "video_id", "value_empty"),
        ("test_qa.json", 6, "6", "video_id", "column_missing"),
        ("test_qa.json", 7, "7", "answer", "value_unreadable"),
    ]


def test_msvd_qa_names_clips_by_number_without_a_mapping(tmp_path: Path) -> None:
    write_json(tmp_path / "test_qa.json", [caption_row(37407)])
    (question,) = read_contents(BENCHMARKS["msvd-qa"], tmp_path).open_questions
    assert (question.id, question.video, question.task) == ("37407", Video("vid1301.avi"), "what")


def test_msvd_qa_names_clips_by_the_mapping(tmp_path: Path) -> None:
    write_json(tmp_path / "test_qa.json", [caption_row(1), caption_row(2, video_id=9)])
    (tmp_path / "youtube_mapping.txt").write_text("-aZ_4_5_15 vid1\r\nQ_x-1_33_46 vid1301\n\n")
    contents = read_contents(BENCHMARKS["msvd-qa"], tmp_path)
    assert [question.video for question in contents.open_questions] == [Video("Q_x-1_33_46.avi")]
    (bad,) = contents.bad_rows
    assert (bad.row, bad.field, bad.code) == (2, "video_id", "video_unknown")
    assert bad.message == "there is no vid9 in youtube_mapping.txt"


@pytest.mark.parametrize("line", ["abc_5_15", "abc 5 vid2", "other_5_15 vid1"])
def test_a_broken_mapping_of_msvd_qa(tmp_path: Path, line: str) -> None:
    write_json(tmp_path / "test_qa.json", [caption_row(1)])
    (tmp_path / "youtube_mapping.txt").write_text(f"abc_5_15 vid1\n{line}\n")
    with pytest.raises(BenchmarkError, match=r"youtube_mapping\.txt line 2: .*expected the name"):
        read_contents(BENCHMARKS["msvd-qa"], tmp_path)


def test_another_split_is_read_by_its_path(tmp_path: Path) -> None:
    write_json(tmp_path / "val_qa.json", [caption_row(30933)])
    (question,) = read_contents(BENCHMARKS["msvd-qa"], tmp_path / "val_qa.json").open_questions
    assert question.id == "30933"


FRAMEQA = "gif_name|question|answer|type|vid_id|key|description"
COUNT = "gif_name|question|answer|vid_id|key"
CHOICES = "gif_name|question|a1|a2|a3|a4|a5|answer|vid_id|key"


def test_tgif_qa(tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    write_tabs(
        folder / "Test_frameqa_question.csv",
        FRAMEQA,
        "tumblr_a_250|what is the color of the hat ?|red|2|FRAMEQA7|90|a man , in a red hat .",
        'tumblr_b_400|how many dogs sleep ?|two|1|FRAMEQA8|91|"two ""big"" dogs sleep ."',
    )
    write_tabs(
        folder / "Test_count_question.csv",
        COUNT,
        "tumblr_c_250|How many times does the cat blink ?|10|COUNT4|26",
    )
    write_tabs(
        folder / "Test_action_question.csv",
        CHOICES,
        "tumblr_c_250|What does the cat do 10 or more than 10 times ?"
        "|jump|nod|run|sit|blink|4|ACTION4|26",
    )
    write_tabs(
        folder / "Test_transition_question.csv",
        CHOICES,
        "tumblr_d_250|What does the man do before bow ?|sing|nod|run|sit|wave|0|TRANS23|23",
    )
    write_tabs(
        folder / "Total_count_question.csv",
        COUNT,
        "tumblr_c_250|How many ?|2|COUNT4|26",
        "x|?|1|C|1",
    )
    contents = read_contents(BENCHMARKS["tgif-qa"], tmp_path)
    assert contents.bad_rows == ()
    action, transition = contents.samples
    assert (action.id, action.task, action.video) == (
        "ACTION4",
        "action",
        Video("tumblr_c_250.gif"),
    )
    assert action.choices == ("jump", "nod", "run", "sit", "blink")
    assert action.choices[action.target] == "blink"
    assert (transition.id, transition.task, transition.target) == ("TRANS23", "transition", 0)
    count, color, number = contents.open_questions
    assert (count.id, count.task, count.reference) == ("COUNT4", "count", "10")
    assert count.question == "How many times does the cat blink ?"
    assert count.metadata == {"key": "26"}
    assert (color.id, color.task, color.reference) == ("FRAMEQA7", "frameqa_color", "red")
    assert color.metadata == {"key": "90", "description": "a man , in a red hat ."}
    assert (number.task, number.video) == ("frameqa_number", Video("tumblr_b_400.gif"))
    assert number.metadata["description"] == 'two "big" dogs sleep .'


def test_one_file_of_tgif_qa(tmp_path: Path) -> None:
    path = tmp_path / "Train_count_question.csv"
    write_tabs(path, COUNT, "tumblr_c_250|How many ?|2|COUNT4|26")
    (question,) = read_contents(BENCHMARKS["tgif-qa"], path).open_questions
    assert (question.id, question.task) == ("COUNT4", "count")


def test_bad_rows_of_tgif_qa_are_named(tmp_path: Path) -> None:
    write_tabs(
        tmp_path / "Test_frameqa_question.csv",
        FRAMEQA,
        "g|what ?|red|4|FRAMEQA1|1|d",
        "g|what ?||0|FRAMEQA2|1|d",
        "|what ?|red|0|FRAMEQA3|1|d",
        "g||red|0|FRAMEQA4|1|d",
        "g|what ?|cat|0||1|d",
    )
    write_tabs(
        tmp_path / "Test_action_question.csv",
        CHOICES,
        "g|What ?|a|b|c|d|e|5|ACTION1|1",
        "g|What ?|a|b|c|d|e|1|ACTION2|1",
        "g|Why ?|a|b|c|d|e|1|ACTION2|1",
    )
    contents = read_contents(BENCHMARKS["tgif-qa"], tmp_path)
    assert [sample.id for sample in contents.samples] == ["ACTION2"]
    assert [bad.has_choices for bad in contents.bad_rows] == [True, True] + 5 * [False]
    frames, action = "Test_frameqa_question.csv", "Test_action_question.csv"
    assert faults(contents) == [
        (action, 1, "ACTION1", "answer", "target_out_of_range"),
        (action, 3, "ACTION2", "id", "id_repeated"),
        (frames, 1, "FRAMEQA1", "type", "value_unreadable"),
        (frames, 2, "FRAMEQA2", "answer", "reference_empty"),
        (frames, 3, "FRAMEQA3", "gif_name", "value_empty"),
        (frames, 4, "FRAMEQA4", "question", "value_empty"),
        (frames, 5, "", "vid_id", "value_empty"),
    ]


def test_a_file_name_that_says_no_task(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    write_tabs(path, COUNT, "g|How many ?|2|COUNT4|26")
    with pytest.raises(BenchmarkError, match="the name says no task of tgif-qa"):
        read_contents(BENCHMARKS["tgif-qa"], path)


def asked(question_id: str, **changes: Any) -> Columns:
    row = {
        "video_name": "a-Video_id1",
        "question": "is the man indoors",
        "question_id": question_id,
    }
    return {**row, **changes}


def answered(question_id: str, **changes: Any) -> Columns:
    return {"answer": "yes", "type": 3, "question_id": question_id, **changes}


def read_activitynet(folder: Path, questions: list[Columns], answers: list[Columns]) -> Contents:
    write_json(folder / "test_q.json", questions)
    write_json(folder / "test_a.json", answers)
    return read_contents(BENCHMARKS["activitynet-qa"], folder)


def test_activitynet_qa(tmp_path: Path) -> None:
    contents = read_activitynet(
        tmp_path,
        [asked("v_a-Video_id1_3"), asked("v_a-Video_id1_4", question="what happens ")],
        [answered("v_a-Video_id1_4", answer="a race", type=0), answered("v_a-Video_id1_3")],
    )
    assert contents.bad_rows == ()
    first, second = contents.open_questions
    assert first == OpenQuestion(
        id="v_a-Video_id1_3",
        benchmark="activitynet-qa",
        video=Video("v_a-Video_id1.mp4"),
        question="is the man indoors",
        reference="yes",
        task="yes/no",
    )
    assert (second.question, second.reference, second.task) == ("what happens ", "a race", "motion")


@pytest.mark.parametrize(
    ("code", "task"),
    [
        (0, "motion"),
        (1, "spatial relationship"),
        (2, "temporal relationship"),
        (3, "yes/no"),
        (4, "color"),
        (5, "object"),
        (6, "location"),
        (7, "number"),
        ("8", "other"),
    ],
)
def test_types_of_activitynet_qa(tmp_path: Path, code: int | str, task: str) -> None:
    contents = read_activitynet(tmp_path, [asked("q")], [answered("q", type=code)])
    assert [question.task for question in contents.open_questions] == [task]


def test_every_question_and_every_answer_is_accounted_for(tmp_path: Path) -> None:
    contents = read_activitynet(
        tmp_path,
        [
            asked("sound"),
            asked("unanswered"),
            asked("sound", question="again"),
            asked("no text", question=" "),
            asked("no video", video_name=""),
            asked("no reference"),
            asked("odd type"),
            asked(""),
        ],
        [
            answered("unasked"),
            answered("odd type", type=9),
            answered("no reference", answer=""),
            answered("sound"),
            answered("sound", answer="no"),
            answered("no text"),
            answered("no video"),
            answered("unasked", answer="no"),
            {"answer": "yes", "type": 3},
        ],
    )
    assert [question.id for question in contents.open_questions] == ["sound"]
    assert contents.open_questions[0].reference == "yes"
    assert faults(contents) == [
        ("test_q.json", 2, "unanswered", "question_id", "answer_missing"),
        ("test_q.json", 3, "sound", "id", "id_repeated"),
        ("test_q.json", 4, "no text", "question", "value_empty"),
        ("test_q.json", 5, "no video", "video_name", "value_empty"),
        ("test_a.json", 3, "no reference", "answer", "value_empty"),
        ("test_a.json", 2, "odd type", "type", "value_unreadable"),
        ("test_q.json", 8, "", "question_id", "value_empty"),
        ("test_a.json", 1, "unasked", "question_id", "question_missing"),
        ("test_a.json", 5, "sound", "question_id", "answer_repeated"),
        ("test_a.json", 8, "unasked", "question_id", "answer_repeated"),
        ("test_a.json", 9, "", "question_id", "column_missing"),
    ]
    assert str(contents.bad_rows[0]) == (
        "activitynet-qa test_q.json row 2 (unanswered), question_id: no answer in test_a.json"
    )


def test_another_split_of_activitynet_qa_has_its_own_answers(tmp_path: Path) -> None:
    write_json(tmp_path / "val_q.json", [asked("q")])
    write_json(tmp_path / "val_a.json", [answered("q", answer="no")])
    path = tmp_path / "val_q.json"
    (question,) = read_contents(BENCHMARKS["activitynet-qa"], path).open_questions
    assert question.reference == "no"
    with pytest.raises(BenchmarkError, match=r"val_a\.json: expected a file of questions"):
        read_contents(BENCHMARKS["activitynet-qa"], tmp_path / "val_a.json")


def test_activitynet_qa_without_answers(tmp_path: Path) -> None:
    write_json(tmp_path / "test_q.json", [asked("q")])
    with pytest.raises(BenchmarkError, match=r"test_a\.json: cannot be read"):
        read_contents(BENCHMARKS["activitynet-qa"], tmp_path)


def test_the_folder_above_is_enough(tmp_path: Path) -> None:
    write_json(tmp_path / "dataset" / "test_q.json", [asked("q"), asked("r")])
    write_json(tmp_path / "dataset" / "test_a.json", [answered("q")])
    contents = read_contents(BENCHMARKS["activitynet-qa"], tmp_path)
    assert [question.id for question in contents.open_questions] == ["q"]
    (bad,) = contents.bad_rows
    assert isinstance(bad, BadRow)
    assert (bad.file, bad.message) == ("dataset/test_q.json", "no answer in dataset/test_a.json")
