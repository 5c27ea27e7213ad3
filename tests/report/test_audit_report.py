"""The report: right numbers in every format, and text of a benchmark never becomes markup."""

import csv
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from video_oasis.errors import RunError
from video_oasis.report.document import AuditReport
from video_oasis.report.files import write_report
from video_oasis.report.headline import write_headlines
from video_oasis.report.html import write_html
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_markdown
from video_oasis.report.numbers import (
    write_estimate,
    write_p,
    write_percent,
    write_points,
    write_ratio,
)
from video_oasis.report.tables import Table, make_tables


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
    (first, tasks, consensus) = write_headlines(report)["bench"]
    # One: 36 + 10 of 80; two: 36 + 10 of the 78 it was read on.
    assert first.startswith("blind: two answers 59.0 [")
    assert "where guessing gives 25.0 %" in first
    assert "Of 2 tasks, 1 is given away beyond doubt: easy (92.3 against 25.0)." in tasks
    # Of each sample that both were read on, both picked one option: a quarter by luck. Of the two
    # others nothing that both picked is known: 78 / 80 of a quarter.
    assert consensus == (
        "All 2 models are right on 57.5 % of the samples; guessing as they do gives 24.4 %, which "
        "leaves 43.8 % beyond chance."
    )


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


class Page(HTMLParser):
    """Collects what a page is made of, and checks that it is well formed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_but_itself_and_runs_nothing(report: AuditReport) -> None:
    page = Page()
    page.feed(write_html(report))
    assert page.open == []
    assert "script" not in page.tags
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} == {table.name for table in make_tables(report)}
    assert "<script>alert(1)</script> | a_b & 50% \\" in page.text
    assert page.tags.count("svg") == 1
    assert page.tags.count("circle") == 2


def test_markdown_keeps_benchmark_text_as_text(report: AuditReport) -> None:
    text = write_markdown(report)
    assert "<script>" not in text
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == len(make_tables(report))
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
    assert {sample["votes"] for sample in samples if sample["sample_id"] == "easy-0"} == {"2"}


def test_a_folder_that_cannot_be_written_is_a_clear_error(
    report: AuditReport, tmp_path: Path
) -> None:
    (tmp_path / "report").write_text("in the way")
    with pytest.raises(RunError, match="the report cannot be written there"):
        write_report(report, tmp_path / "report")
