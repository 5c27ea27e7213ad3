"""The report: right numbers in every format, and text of a benchmark never becomes markup."""

import csv
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from video_oasis.errors import RunError
from video_oasis.report.document import AuditReport, ModelRecord
from video_oasis.report.files import write_report
from video_oasis.report.headline import write_caveats, write_headlines
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_markdown
from video_oasis.report.numbers import (
    write_estimate,
    write_p,
    write_percent,
    write_points,
    write_ratio,
)
from video_oasis.report.tables import make_tables
from video_oasis.report.tables.table import Table


def table(report: AuditReport, name: str) -> Table:
    return next(table for table in make_tables(report) if table.name == name)


def test_numbers_are_written_one_way() -> None:
    assert write_percent(0.56649) == "56.6"
    assert write_percent(None) == "–"
    assert write_estimate(0.5, 0.25, 0.75) == "50.0 [25.0, 75.0]"
    assert write_estimate(0.5, None, None) == "50.0"
    assert write_points(-0.051) == "-5.1"
    assert write_p(0.0004) == "< 0.001"
    assert write_p(0.0421) == "0.042"
    assert write_ratio(0.666) == "0.67"


def test_the_headline_says_what_is_given_away(report: AuditReport) -> None:
    share, tasks, fates, best, answers, rows = write_headlines(report)["bench"]
    # Of each sample that both were read on, both picked one option: a quarter by luck. Of the two
    # others nothing that both picked is known: 78 / 80 of a quarter.
    assert share.startswith("57.5 [")
    assert "] % of 80 samples are shortcuts: under blind all 2 models are right." in share
    assert "Guessing as these models do gives 24.4 %; corrected for it, 43.8 [" in share
    assert tasks == "Of 2 tasks, 1 is given away beyond doubt: easy (blind: 92.3 against 25.0)."
    assert fates == (
        "Of 80 samples, 46 are shortcuts, 34 kept, 0 undecided and 0 outside every test."
    )
    # One: 36 + 10 of 80; two: 36 + 10 of the 78 it was read on.
    assert best.startswith("blind: the best model, two, answers 59.0 [")
    assert best.endswith("% right; chance is 25.0 %, so this is above chance.")
    assert answers == "Of 160 answers: 158 ok, 2 unparsed."
    assert rows == "1 row of the files left out as unreadable."


def test_several_benchmarks_have_a_headline_each_and_one_for_all(wide_report: AuditReport) -> None:
    headlines = write_headlines(wide_report)
    assert list(headlines) == ["all, pooled", "b1", "b2"]
    # b1: blind 0 to 7, shuffle 6 to 11: 12 of 20. b2: blind 0 to 3, shuffle 2 and 3: 4 of the 19
    # that are known. By luck: a quarter where both tests agree, a half where they do not, which is
    # on 10 samples of b1 and 2 of b2: (10 / 4 + 10 / 2) / 20, and with b2 (7.5 + 5.25) / 39.
    assert headlines["b1"][0].startswith("60.0 [")
    assert "gives 37.5 %; corrected for it, 36.0 [" in headlines["b1"][0]
    assert headlines["all, pooled"][0].startswith("41.0 [")
    assert (
        "of 39 samples are shortcuts: in at least one of 2 tests all" in headlines["all, pooled"][0]
    )
    assert "gives 32.7 %; corrected for it, 12.4 [" in headlines["all, pooled"][0]
    assert headlines["all, pooled"][1] == (
        "Shortcuts by test, and in brackets those no other finds: blind 12 (8), shuffle 8 (4)."
    )
    assert headlines["b2"][-2:] == (
        "1 video lacking something that a test shows, under 1 sample.",
        "1 row of the files left out as unreadable.",
    )


def test_small_runs_say_what_their_headline_lacks(
    report: AuditReport, wide_report: AuditReport
) -> None:
    one_test, no_standard = write_caveats(report)
    assert one_test.startswith("Only one test was run, blind")
    assert no_standard.startswith("No model was shown the whole video")
    (learned,) = write_caveats(wide_report)
    assert learned.startswith("All models that decide are learned ones")
    # A model that takes no part in the tests does not make their verdicts less simple.
    witness = ModelRecord("witness", {"backend": "openai"}, ("model1-b",))
    validated = replace(wide_report, models=(*wide_report.models, witness))
    assert write_caveats(validated) == (learned,)
    luck = write_caveats(replace(wide_report, threshold=1))[0]
    assert luck.startswith("One right answer makes a shortcut here")
    out_of_reach = write_caveats(replace(wide_report, threshold=3))[0]
    assert out_of_reach.startswith("blind, shuffle, any: fewer models were asked than the 3")


def test_the_verdict_table_has_every_benchmark_and_all_pooled(wide_report: AuditReport) -> None:
    rows = table(wide_report, "verdict").rows
    assert [row[:7] for row in rows] == [
        ("all, pooled", "40", "16", "23", "1", "0", "1"),
        ("b1", "20", "12", "8", "0", "0", "0"),
        ("b2", "20", "4", "15", "1", "0", "1"),
    ]
    assert [row[8] for row in rows] == ["32.7", "37.5", "27.6"]


def test_tasks_to_fix_first_are_those_given_away(report: AuditReport) -> None:
    (row,) = table(report, "fix-first").rows
    # 36 of 40 are shortcuts; guessing gives a quarter of the 39 that both were read on, of 40.
    assert row[:6] == ("easy", "blind", "two", "40", "90.0", "24.4")


def test_the_task_table_stands_by_excess(report: AuditReport) -> None:
    rows = table(report, "tasks-blind").rows
    assert [row[2] for row in rows] == ["yes", "no"]
    assert rows[0][:2] == ("easy", "two")
    assert rows[0][5:7] == ("25.0", "+67.3")


def test_answers_that_could_not_be_read_are_shown(report: AuditReport) -> None:
    two = next(row for row in table(report, "statuses").rows if row[1] == "two")
    assert two[2:8] == ("80", "78", "2", "0", "0", "0")
    assert two[9] == "57.5 to 60.0"
    assert table(report, "reasons").rows[0][2:] == ("two", "unparsed", "several_candidates", "2")


def test_features_are_named_for_what_is_given_away_only(report: AuditReport) -> None:
    assert [row[0] for row in table(report, "features").rows] == ["easy"]


def test_markdown_keeps_benchmark_text_as_text(report: AuditReport) -> None:
    text = write_markdown(report)
    assert "<script>" not in text
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == len(make_tables(report))
    assert "**Read this with care**" in text
    for lines in tables:
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in lines}) == 1


def test_latex_escapes_every_special_character(report: AuditReport) -> None:
    text = write_latex(table(report, "tasks-blind"))
    assert r"\textless{}script\textgreater{}" in text
    assert r"a\_b \& 50\% \textbackslash{}" in text
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert all(len(re.split(r"(?<!\\)&", line)) == 10 for line in body)


def test_files_hold_every_number(report: AuditReport, tmp_path: Path) -> None:
    files = write_report(report, tmp_path / "report")
    assert files[0].name == "report.html"
    assert all(file.is_file() for file in files)
    assert not list(tmp_path.rglob("*.part"))
    plain = json.loads((tmp_path / "report/report.json").read_text())
    with (tmp_path / "report/tables/accuracy.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(plain["summary"]["accuracy"])
    for row, same in zip(rows, plain["summary"]["accuracy"], strict=True):
        assert row["task"] == same["task"]
        if same["accuracy"] is not None:
            assert math.isclose(float(row["accuracy"]), same["accuracy"])
    with (tmp_path / "report/tables/samples.csv").open(newline="") as file:
        samples = list(csv.DictReader(file))
    assert len(samples) == 80
    assert plain["threshold"] == 2
    assert plain["fates"][0]["n_kept"] == 34
    assert {sample["votes"] for sample in samples if sample["sample_id"] == "easy-0"} == {"2"}


def test_a_folder_that_cannot_be_written_is_a_clear_error(
    report: AuditReport, tmp_path: Path
) -> None:
    (tmp_path / "report").write_text("in the way")
    with pytest.raises(RunError, match="the report cannot be written there"):
        write_report(report, tmp_path / "report")
