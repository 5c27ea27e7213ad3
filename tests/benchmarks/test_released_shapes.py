"""Each reader on rows of its own making, in the shape that its benchmark is released in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.interface import Contents
from video_oasis.benchmarks.loading import read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import (
    METADATA_REFERENCE,
    METADATA_SUBTITLES_PATH,
    METADATA_SUBTITLES_START,
    METADATA_SUBTITLES_TEXT,
    METADATA_TIME_REFERENCES,
    Video,
)

Read = Callable[..., Contents]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write rows to a file of the released name and read the folder."""

    def write_and_read(name: str, file: str, *rows: dict[str, Any]) -> Contents:
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        if path.suffix == ".parquet":
            pl.DataFrame(list(rows)).write_parquet(path)
        elif path.suffix == ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        elif path.suffix == ".tsv":
            pl.DataFrame(list(rows)).write_csv(path, separator="\t")
        else:
            path.write_text(json.dumps(rows), encoding="utf-8")
        return read_contents(BENCHMARKS[name], tmp_path)

    return write_and_read


def test_egoschema(read: Read) -> None:
    (sample,) = read(
        "egoschema",
        "test-00000-of-00001.parquet",
        {
            "question_idx": "00007",
            "question": "What is c doing?",
            "video_idx": "aa-bb",
            "option": ["A. Sewing.", "B. Knitting.", "C. Weaving."],
            "answer": "2",
        },
    ).samples
    assert (sample.id, sample.video) == ("00007", Video("aa-bb.mp4"))
    assert (sample.choices, sample.target) == (("Sewing.", "Knitting.", "Weaving."), 2)
    assert sample.task == "egoschema"
    assert sample.metadata == {}


def test_implicitqa(read: Read) -> None:
    (sample,) = read(
        "implicitqa",
        "ImplicitQAv0.1.2.jsonl",
        {
            "video_id": "yt_1",
            "video_url": "https://example.org/1",
            "question_id": "q-1",
            "question_start_time": 3,
            "question_stop_time": 4.5,
            "question_text": "Who left first?",
            "options": {"A": "Ann", "B": "Bob"},
            "answer_text": "Bob",
            "answer_choice": "B",
            "category": "Order",
            "category_id": 1,
        },
    ).samples
    assert (sample.id, sample.video, sample.task) == ("q-1", Video("yt_1.mp4"), "Order")
    assert (sample.choices, sample.target) == (("Ann", "Bob"), 1)
    assert sample.metadata[METADATA_TIME_REFERENCES] == [[3, 4.5]]
    assert sample.metadata["answer_text"] == "Bob"


def test_longvideobench(read: Read) -> None:
    (sample,) = read(
        "longvideobench",
        "lvb_val.json",
        {
            "id": "v_0",
            "video_id": "v",
            "video_path": "v.mp4",
            "question": "When he bows, who claps?",
            "question_wo_referring_query": "Who claps?",
            "candidates": ["Ann", "Bob", "None"],
            "correct_choice": 0,
            "position": [10],
            "question_category": "S2A",
            "subtitle_path": "v_en.json",
            "starting_timestamp_for_subtitles": 75,
            "duration": 60.5,
        },
    ).samples
    assert sample.video == Video("v.mp4", duration_seconds=60.5)
    assert (sample.choices, sample.target) == (("Ann", "Bob", "None"), 0)
    assert sample.metadata[METADATA_SUBTITLES_PATH] == "v_en.json"
    assert sample.metadata[METADATA_SUBTITLES_START] == 75
    assert sample.metadata["position"] == [10]


def lvbench_video(*questions: dict[str, Any]) -> dict[str, Any]:
    return {
        "key": "yt",
        "type": "live",
        "qa": list(questions),
        "video_info": {"duration_minutes": 90.5, "fps": 25.0},
    }


def test_lvbench(read: Read) -> None:
    question = {
        "uid": "5",
        "question": "Who sings?\n(A) Ann (alto)\n(B) Bob",
        "answer": "A",
        "question_type": ["reasoning", "summarization"],
        "time_reference": "101:21-101:25",
    }
    unsplit = {**question, "uid": "6", "question": "Who sings?"}
    contents = read("lvbench", "video_info.meta.jsonl", lvbench_video(question, unsplit))
    (sample,) = contents.samples
    assert sample.video == Video("yt.mp4", duration_seconds=5430)
    assert (sample.question, sample.choices) == ("Who sings?", ("Ann (alto)", "Bob"))
    assert sample.task == "reasoning"
    assert sample.metadata["question_type"] == ["reasoning", "summarization"]
    assert sample.metadata["time_reference"] == "101:21-101:25"
    assert sample.metadata[METADATA_TIME_REFERENCES] == [[6081, 6085]]
    (bad,) = contents.bad_rows
    assert (bad.id, bad.row, bad.code) == ("6", 1, "choices_missing")


def test_lvbench_without_questions_is_another_file(read: Read) -> None:
    with pytest.raises(BenchmarkError, match="column 'qa' is no list"):
        read("lvbench", "video_info.meta.jsonl", {"key": "yt"})


def test_minerva(read: Read) -> None:
    choices = {f"answer_choice_{index}": f"choice {index}" for index in range(5)}
    (sample,) = read(
        "minerva",
        "minerva.json",
        {
            "key": "yt:1f",
            "video_id": "yt",
            "question": "Why?",
            **choices,
            "answer_id": 3,
            "answer": "choice 3",
            "question_type": "Counting",
            "split": "Films",
            "reasoning": "Because.",
        },
    ).samples
    assert (sample.id, sample.target, sample.choices[3]) == ("yt:1f", 3, "choice 3")
    assert sample.metadata == {
        "answer": "choice 3",
        "split": "Films",
        METADATA_REFERENCE: "Because.",
    }


def test_mlvu_answers_may_be_numbers(read: Read) -> None:
    (sample,) = read(
        "mlvu",
        "test_mcq_gt.json",
        {
            "video": "t.mp4",
            "duration": 7,
            "question": "How many?",
            "candidates": [1, 4, 2],
            "answer": 4,
            "question_type": "count",
            "question_id": "C_1",
        },
    ).samples
    assert (sample.choices, sample.target) == (("1", "4", "2"), 1)
    assert sample.video == Video("t.mp4", duration_seconds=7)


def test_mmr_v(read: Read) -> None:
    row = {
        "video": "a b.mp4",
        "videoType": "TV",
        "question": "What is meant?",
        "options": ["(A) joy", "(B) A) grief"],
        "correctAnswer": "(B)",
        "abilityType_L2": "Theme Understanding",
        "abilityType_L3": "Social Issues",
        "question_idx": 1,
    }
    beyond = {**row, "question_idx": 2, "correctAnswer": "(K)"}
    disordered = {**row, "question_idx": 3, "options": ["(A) joy", "(K) woe"], "correctAnswer": "K"}
    unfilled = {**row, "question_idx": 4, "options": ["(A) joy", "(B) woe", ""]}
    contents = read("mmr-v", "test-00000-of-00001.parquet", row, beyond, disordered, unfilled)
    assert [sample.id for sample in contents.samples] == ["1", "4"]
    assert contents.samples[0].choices == ("joy", "A) grief")
    assert contents.samples[1].choices == ("joy", "woe", "")
    assert contents.samples[0].metadata["abilityType_L3"] == "Social Issues"
    assert [bad.code for bad in contents.bad_rows] == ["target_out_of_range"] * 2
    assert "labelled A K" in contents.bad_rows[1].message


def mvbench_row(**changes: Any) -> dict[str, Any]:
    row = {"video": "v.mp4", "question": "?", "candidates": ["yes", "no"], "answer": "no"}
    return {**row, **changes}


def test_mvbench(read: Read) -> None:
    read("mvbench", "json/moving_count.json", mvbench_row(candidates=["no"]))
    read(
        "mvbench",
        "json/action_localization.json",
        mvbench_row(start=1, end=9.5, accurate_start=2, accurate_end=3),
    )
    contents = read(
        "mvbench",
        "json/episodic_reasoning.json",
        mvbench_row(video="castle_1", subtitle="Hi.", show_name="Castle", start=0, end=4, fps=3),
    )
    localization, episode, count = contents.samples
    assert localization.task == "action_localization"
    assert localization.video == Video("sta/sta_video/v.mp4", 1, 9.5)
    assert localization.metadata == {METADATA_TIME_REFERENCES: [[2, 3]]}
    assert episode.video == Video("tvqa/frames_fps3_hq/castle_1", 0, 4)
    assert episode.metadata == {METADATA_SUBTITLES_TEXT: "Hi.", "show_name": "Castle", "fps": 3}
    assert (count.video, count.choices) == (Video("clevrer/video_validation/v.mp4"), ("no",))
    assert count.id.startswith("moving_count-")


def test_mvbench_refuses_a_file_that_is_no_task(read: Read) -> None:
    with pytest.raises(BenchmarkError, match="'notes' is no task of mvbench"):
        read("mvbench", "json/notes.json", mvbench_row())


def test_tvbench_keeps_tasks_apart(read: Read) -> None:
    read("tvbench", "json/object_count.json", mvbench_row())
    contents = read("tvbench", "json/action_count.json", mvbench_row(video_length=90))
    assert [sample.video.path for sample in contents.samples] == [
        "action_count/v.mp4",
        "object_count/v.mp4",
    ]
    assert contents.samples[0].metadata == {"video_length": 90}


def test_tvbench_reads_the_folder_above_the_inner_folder_and_one_file_alike(
    read: Read, tmp_path: Path
) -> None:
    above = read("tvbench", "json/object_count.json", mvbench_row())
    for path in (tmp_path / "json", tmp_path / "json" / "object_count.json"):
        assert read_contents(BENCHMARKS["tvbench"], path).samples == above.samples


def test_rtv_bench_keeps_the_window(read: Read) -> None:
    row = {
        "video": "v.mp4",
        "questionID": "q-0",
        "type": "Event-VP",
        "field": "sports_cam",
        "start_time": 0,
        "end_time": 12.5,
        "question": "Who leads?",
        "options": {"A": "red", "B": "blue"},
        "answer": "B",
    }
    later = {**row, "questionID": "q-1", "end_time": 30.0, "answer": "A"}
    alone = {**row, "questionID": "q-2", "options": {"A": "red"}, "answer": "A"}
    none = {**row, "questionID": "q-3", "options": {}}
    contents = read("rtv-bench", "QA.json", row, later, alone, none)
    assert [(sample.video.end_seconds, sample.target) for sample in contents.samples] == [
        (12.5, 1),
        (30, 0),
        (12.5, 0),
    ]
    assert [bad.code for bad in contents.bad_rows] == ["value_empty"]


def test_vcr_bench(read: Read) -> None:
    please = " Please provide a step-by-step solution to the given question."
    row = {
        "id": "0",
        "video": "v/1",
        "video_path": "v/1.mp4",
        "duration": "30",
        "dimension": "Counting",
        "question": f"Who?\nA. Ann\nB. Bob\n{please}",
        "answer": "B",
        "reasoning": "1. Bob.",
    }
    letter = {**row, "id": "1", "question": f"Which vitamin is _____?{please}", "answer": "E"}
    bad_rows = ({**row, "id": "2", "answer": ""}, {**letter, "id": "3", "answer": ""})
    contents = read("vcr-bench", "VCR-Bench.tsv", row, letter, *bad_rows)
    assert [bad.has_choices for bad in contents.bad_rows] == [True, False]
    (sample,) = contents.samples
    assert (sample.question, sample.choices, sample.target) == ("Who?", ("Ann", "Bob"), 1)
    assert sample.video == Video("v/1.mp4", duration_seconds=30)
    assert sample.metadata == {"video": "v/1", METADATA_REFERENCE: "1. Bob."}
    (question,) = contents.open_questions
    assert (question.question, question.reference) == ("Which vitamin is _____?", "E")


def test_video_holmes_ids_join_video_and_number(read: Read) -> None:
    row = {
        "video ID": "yt",
        "Question ID": 1,
        "Question Type": "SR",
        "Question": "Who?",
        "Options": {"A": "Ann", "B": "Bob"},
        "Answer": "A",
        "Explanation": "She hid.",
    }
    contents = read("video-holmes", "test_Video-Holmes.json", row, {**row, "video ID": "yt2"})
    assert [sample.id for sample in contents.samples] == ["yt/1", "yt2/1"]
    assert contents.samples[0].metadata == {METADATA_REFERENCE: "She hid."}


def test_video_mme_strips_only_the_outer_labels(read: Read) -> None:
    (sample,) = read(
        "video-mme",
        "test-00000-of-00001.parquet",
        {
            "video_id": "001",
            "duration": "short",
            "videoID": "yt",
            "question_id": "001-1",
            "task_type": "OCR Problems",
            "question": "Which letter?",
            "options": ["A. B.", "B. A.", "C. D.", "D. C."],
            "answer": "C",
        },
    ).samples
    assert (sample.choices, sample.target) == (("B.", "A.", "D.", "C."), 2)
    assert sample.metadata == {"video_id": "001", "duration": "short"}


def test_vsi_bench(read: Read) -> None:
    row = {
        "id": 0,
        "dataset": "scannet",
        "scene_name": "s1",
        "question_type": "room_size",
        "question": "How large?",
        "ground_truth": "4",
        "options": None,
    }
    choice = {**row, "id": 1, "options": ["A. 3", "B. 4"], "ground_truth": "B"}
    bad_rows = ({**row, "id": 2, "scene_name": ""}, {**choice, "id": 3, "scene_name": ""})
    contents = read("vsi-bench", "test.jsonl", row, choice, *bad_rows)
    assert [bad.has_choices for bad in contents.bad_rows] == [False, True]
    assert contents.open_questions[0].reference == "4"
    assert contents.samples[0].choices == ("3", "4")
    assert contents.samples[0].video == Video("scannet/s1.mp4")


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_a_folder_without_the_files_names_what_is_wanted(name: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(BenchmarkError, match=r"it holds README\.md"):
        read_contents(BENCHMARKS[name], tmp_path)


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_registered_names_are_the_benchmarks_own(name: str) -> None:
    assert BENCHMARKS[name].name == name
