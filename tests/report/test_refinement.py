"""What people judged, in every format of the report."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from video_oasis.judgements.agreement import ReviewerAgreement
from video_oasis.judgements.refinement import RefinementRow
from video_oasis.judgements.rulings import JudgingRecord
from video_oasis.report.document import AuditReport, FateCount, Refinement
from video_oasis.report.files import write_report
from video_oasis.report.headline import write_caveats, write_headlines
from video_oasis.report.tables import make_tables
from video_oasis.report.tables.table import Table


@pytest.fixture
def judged_report(report: AuditReport) -> AuditReport:
    """The small report, with counts that tell every column from the others."""
    row = RefinementRow(
        benchmark="bench",
        check="redundancy",
        n_queued=1204,
        n_open=2,
        n_judged=1203,
        n_dropped=15,
        n_wrong_label=1,
        n_ambiguous=2,
        n_several_right=3,
        n_broken_video=4,
        n_other=5,
        n_restored=6,
        n_corrected=7,
        n_kept=1175,
        n_undecided=8,
        n_skipped=9,
        n_conflicts=10,
    )
    agreement = ReviewerAgreement(
        "decision", 40, 2, 0.9, 0.8, 0.95, "cohen", 0.75, 0.6, 0.9, 1.0, None, None
    )
    return replace(
        report,
        fates=(FateCount("bench", 80, 43, 34, 0, 0, 0, n_judged_defective=3),),
        views=tuple(replace(view, judged="dropped: wrong label") for view in report.views),
        refinement=Refinement(JudgingRecord("two", 1300, 1, "judgements1-x"), (row,), (agreement,)),
    )


def table(report: AuditReport, name: str) -> Table:
    return next(table for table in make_tables(report) if table.name == name)


def test_the_refinement_table_has_each_check(judged_report: AuditReport) -> None:
    shown = table(judged_report, "refinement")
    (row,) = shown.rows
    assert dict(zip(shown.head, row, strict=True)) == {
        "samples of": "bench", "check": "redundancy", "in queue": "1,204", "open": "2",
        "judged": "1,203", "dropped": "15", "wrong label": "1", "ambiguous": "2",
        "several right": "3", "broken video": "4", "other": "5", "restored": "6", "corrected": "7",
        "kept": "1,175", "undecided": "8", "no opinion": "9", "conflicts": "10",
    }  # fmt: skip
    assert shown.note.startswith("1,300 standing judgements of 1 reviewer, put together by the")


def test_coefficients_have_their_intervals_where_there_are_some(
    judged_report: AuditReport,
) -> None:
    (row,) = table(judged_report, "reviewers").rows
    assert row == ("decision", "40", "2", "90.0 [80.0, 95.0]", "0.75 [0.60, 0.90]", "1.00")


def test_those_judged_defective_are_counted_apart_from_shortcuts(
    judged_report: AuditReport, report: AuditReport
) -> None:
    shown = table(judged_report, "verdict")
    cells = dict(zip(shown.head, shown.rows[0], strict=True))
    assert (cells["shortcuts"], cells["judged defective"], cells["kept"]) == ("43", "3", "34")
    assert "judged defective" not in table(report, "verdict").head
    assert any("as published" in caveat for caveat in write_caveats(judged_report))
    assert not any("as published" in caveat for caveat in write_caveats(report))
    assert (
        "Of 80 samples, 43 are shortcuts, 3 judged defective by people, 34 kept, 0 undecided and "
        "0 outside every test."
    ) in write_headlines(judged_report)["bench"]


def test_every_format_has_it(
    judged_report: AuditReport, report: AuditReport, tmp_path: Path
) -> None:
    write_report(judged_report, tmp_path)
    assert "3 judged defective by people" in (tmp_path / "report.html").read_text()
    assert "## What people made of them" in (tmp_path / "report.md").read_text()
    assert r"\label{tab:refinement}" in (tmp_path / "tables/refinement.tex").read_text()
    assert "bench,redundancy,1204,2," in (tmp_path / "tables/refinement.csv").read_text()
    assert "decision,40,2,0.9," in (tmp_path / "tables/reviewers.csv").read_text()
    assert "Judged by people: dropped: wrong label" in (
        (tmp_path / "samples/page-1.html").read_text()
    )
    plain = json.loads((tmp_path / "report.json").read_text())
    assert plain["refinement"]["record"]["rule"] == "two"
    write_report(report, tmp_path)
    assert (tmp_path / "tables/refinement.csv").read_text().strip() == ""
    assert "judged" not in (tmp_path / "report.md").read_text()
