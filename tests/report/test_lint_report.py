import json

import pytest

from video_oasis.lint.checks import CHECKS
from video_oasis.lint.run import LintResult, lint
from video_oasis.report.lint_report import to_markdown, to_plain_data, to_text
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video


def sample(number: int, choices: tuple[str, ...], target: int, task: str) -> Sample:
    return Sample(
        id=f"s{number:02}",
        benchmark="bench",
        video=Video(f"{number}.mp4"),
        question="How many?",
        choices=choices,
        target=target,
        task=task,
    )


@pytest.fixture(scope="module")
def result() -> LintResult:
    counting = [sample(i, ("2", "3", "4"), 1, "count|ing") for i in range(30)]
    twice = [sample(i, ("a_b", "a_b", "cat"), i % 2, "twice") for i in range(30, 45)]
    return lint(
        [*counting, *twice],
        [OpenQuestion("o1", "bench", Video("o.mp4"), "What?", "a dog", "open")],
        [BadRow("bench", "f.json", 3, "b3", "answer", "target_not_found", "answer 'zebra'")],
    )


def test_counts_come_first_and_add_up(result: LintResult) -> None:
    text = to_text(result)
    assert text.startswith("Rows\n====\n")
    assert ["all", "45", "1", "1", "47"] in [line.split() for line in text.splitlines()]


def test_kinds_are_counted_and_examples_cut(result: LintResult) -> None:
    text = to_text(result, n_examples=2)
    assert "duplicate_choices_with_answer (15):" in text
    assert "  bench s30: choices 1, 2 read 'a_b'\n" in text
    assert "  … and 13 more\n" in text
    assert "bench s32" not in text
    assert "target_not_found (1):" in text
    assert "answer 'zebra'" in text


def test_the_top_answer_shows_its_count(result: LintResult) -> None:
    row = next(line for line in to_markdown(result).splitlines() if "'3', 30 of 30" in line)
    assert "count\\|ing" in row
    assert "100.0\\*\\*" in row
    assert "33.3" in row


def test_rules_that_beat_chance_are_sorted_by_excess(result: LintResult) -> None:
    lines = to_text(result).splitlines()
    start = lines.index("Text bias: rules that beat chance")
    excesses = [
        float(line.split()[-1]) for line in lines[start:] if line.split()[-1:] and "+" in line
    ]
    assert excesses
    assert excesses == sorted(excesses, reverse=True)


def test_markdown_keeps_published_signs_from_being_read_as_markup(result: LintResult) -> None:
    markdown = to_markdown(result)
    assert "read 'a\\_b'" in markdown
    header = next(line for line in markdown.splitlines() if line.startswith("| benchmark | task"))
    in_table = [line for line in markdown.splitlines() if "count\\|ing" in line]
    assert any(line.replace("\\|", "").count("|") == header.count("|") for line in in_table)


def test_plain_data_is_json_and_complete(result: LintResult) -> None:
    data = json.loads(json.dumps(to_plain_data(result), allow_nan=False))
    assert data["counts"] == [
        {
            "benchmark": "bench",
            "n_samples": 45,
            "n_open_questions": 1,
            "n_bad_rows": 1,
            "n_rows": 47,
        }
    ]
    assert len(data["checks"]) == len(CHECKS) + 1
    assert {each["code"]: each["n_found"] for each in data["checks"]}["target_not_found"] == 1
    assert len(data["defects"]) == len(result.defects)
    assert len(data["bias"]) == len(result.bias)
    assert len(data["imbalance"]) == len(result.imbalance)
    assert data["bias"][0]["excess"] == pytest.approx(
        data["bias"][0]["score"] - data["bias"][0]["chance"]
    )


def test_the_most_frequent_answer_to_open_questions_is_shown(result: LintResult) -> None:
    line = next(each for each in to_text(result).splitlines() if "'a dog', 1 of 1" in each)
    assert line.split()[:2] == ["bench", "(all)"]
    data = to_plain_data(result)["references"]
    assert [(row["task"], row["reference"], row["n_right"]) for row in data] == [(None, "a dog", 1)]


def test_open_questions_alone_have_no_tables_of_choices() -> None:
    questions = [
        OpenQuestion(f"o{n}", "bench", Video(f"{n}.mp4"), "What?", reference, task)
        for n, (task, reference) in enumerate(
            [("colour", "red"), ("colour", "red"), ("colour", "blue"), ("place", "lake")]
        )
    ]
    open_alone = lint([], questions)
    for rendered in (to_text(open_alone), to_markdown(open_alone)):
        assert "Text bias" not in rendered
        assert "Spread of right answers" not in rendered
        lines = [line.replace("|", " ") for line in rendered.splitlines() if " of " in line]
        scores = [line.split()[-2] for line in lines if "'red'" in line or "'lake'" in line]
        assert scores == ["50.0", "100.0", "66.7"]
    assert "… and 2 more" in to_text(open_alone, n_rows=1)


def test_an_empty_result_renders() -> None:
    empty = lint([])
    assert "None." in to_text(empty)
    assert "Looked for and not found" in to_markdown(empty)
    assert to_plain_data(empty)["defects"] == []
