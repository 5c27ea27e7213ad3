"""What a calibration says in words, tables and files, from answers written by hand."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.calibration import Planted, calibrate
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.calibration.files import to_plain_data, write_calibration
from video_oasis.report.calibration.sentences import write_verdict
from video_oasis.report.calibration.tables import make_tables
from video_oasis.report.document import ModelRecord
from video_oasis.schema import LONG_TABLE_COLUMNS

HOSTILE = "<script>alert(1)</script> | a_b"
RIGHT, WRONG, OTHER = 0, 1, 2
KINDS = {"told": "it is said", "native": "only the video tells"}
Picks = Sequence[Sequence[int]]
MakeReport = Callable[..., CalibrationReport]


@pytest.fixture
def make_report() -> MakeReport:
    """Report on 8 samples planted for ``audio`` and then 8 native ones, two models each."""

    def make(audio: Picks, shuffle: Picks, *, name: str = "one") -> CalibrationReport:
        schema = {name: getattr(pl, kind) for name, kind in LONG_TABLE_COLUMNS.items()}
        rows = [
            {
                "benchmark": "planted",
                "sample_id": f"s{number:02}",
                "video": f"v{number}.mp4",
                "task": "task",
                "diagnostic": diagnostic,
                "part": 0,
                "rotation": 0,
                "model": (name, "two")[model],
                "draw": 0,
                "request": "",
                "status": "ok",
                "reason": "",
                "prediction": pick,
                "correct": pick == RIGHT,
                "n_choices": 4,
            }
            for diagnostic, models in (("audio", audio), ("shuffle", shuffle))
            for model, picks in enumerate(models)
            for number, pick in enumerate(picks)
        ]
        truth = {
            ("planted", f"s{number:02}"): Planted(
                kind="told" if number < 8 else "native",
                variant="",
                is_defective=False,
                solved_by=frozenset({"audio", "shuffle"} if number < 8 else ()),
                may_solve=frozenset(),
                flagged_by=frozenset(),
            )
            for number in range(16)
        }
        return CalibrationReport(
            version="9.9",
            n_samples=16,
            n_videos=16,
            seed=0,
            kinds=KINDS,
            plain_sight="told",
            faulty="",
            models=(ModelRecord(name, {"backend": "test"}, ("model1-a",)),),
            not_asked=("bag_of_frames",),
            idle=(),
            n_lacking=0,
            calibration=calibrate(
                pl.DataFrame(rows, schema=schema),
                truth,
                tests=["audio", "shuffle"],
                resampling=Resampling(n_resamples=200),
            ),
        )

    return make


KNOWS = [[RIGHT] * 8 + [WRONG] * 8, [RIGHT] * 8 + [OTHER] * 8]
GUESSES = [[WRONG] * 16, [OTHER] * 16]
KNOWS_ALL = [[RIGHT] * 16] * 2


def test_a_sound_calibration_says_so_and_which_threshold_to_take(make_report: MakeReport) -> None:
    report = make_report(KNOWS, KNOWS)
    verdict = write_verdict(report)
    assert verdict[0].startswith("SOUND: ")
    assert verdict[1].startswith("Threshold: 2 of 2 models. Any test then finds 100.0 [")
    # What differing wrong picks find by luck at 2 of 2 is nothing.
    assert "0.0 [0.0, " in verdict[1]
    assert verdict[2] == "Power: audio, shuffle."
    assert verdict[-1] == "Not asked, as none of the models can take it: bag_of_frames."


def test_a_leak_is_named_with_where_it_shows(make_report: MakeReport) -> None:
    report = make_report(KNOWS, KNOWS_ALL)
    first, second, *_ = write_verdict(report)
    assert first.startswith("NOT SOUND: shuffle at 2 of 2 finds 100.0 [")
    assert second.startswith("NOT SOUND: any test at 2 of 2 finds 100.0 [")
    assert "most of it among native samples" in first
    assert to_plain_data(report)["is_sound"] is False


def test_a_test_that_applies_to_nothing_is_no_sound_one(make_report: MakeReport) -> None:
    report = replace(make_report(KNOWS, KNOWS), idle=("reverse",))
    assert not report.is_sound
    first = "NOT SOUND: reverse withholds nothing of any sample, so that it could not be asked."
    assert write_verdict(report)[0] == first


def test_a_test_without_power_is_named(make_report: MakeReport) -> None:
    verdict = write_verdict(make_report(KNOWS, GUESSES))
    (line,) = [sentence for sentence in verdict if sentence.startswith("No power: ")]
    assert line.startswith("No power: shuffle at 2 of 2 finds 0.0 [0.0, ")
    assert "Power: audio." in verdict


def test_models_that_miss_what_is_in_plain_sight_are_named(make_report: MakeReport) -> None:
    report = make_report(KNOWS, GUESSES)
    heard = [row for row in report.calibration.accuracy if row.diagnostic == "audio"]
    seen = tuple(replace(row, diagnostic="center_frame") for row in heard)
    missed = tuple(
        replace(row, diagnostic="standard", above_chance=False)
        for row in report.calibration.accuracy
        if row.diagnostic == "shuffle"
    )
    sighted = replace(report, calibration=replace(report.calibration, accuracy=seen + missed))
    assert not [line for line in write_verdict(sighted) if "one look" in line]
    sightless = replace(report, calibration=replace(report.calibration, accuracy=missed))
    lines = [line for line in write_verdict(sightless) if "one look" in line]
    assert [line.split()[0] for line in lines] == ["one", "two"]
    assert "0.0 [0.0, " in lines[0]
    assert lines[0].endswith("under standard, where chance is 25.0 %.")


def test_the_overviews_mark_what_should_be_found(make_report: MakeReport) -> None:
    tests, checks, *_ = make_tables(make_report(KNOWS, GUESSES))
    assert tests.head == ("test", "told", "native", "by luck")
    assert tests.rows == (
        ("audio", "100*", "0", "0"),
        ("shuffle", "0*", "0", "0"),
        ("any test", "100*", "0", "0"),
    )
    assert (checks.head, checks.rows) == (("check", "told", "native"), (("sensitivity", "0", "0"),))


def test_faulty_questions_stand_among_the_checks_alone(make_report: MakeReport) -> None:
    tests, checks, *_ = make_tables(replace(make_report(KNOWS, KNOWS), faulty="told"))
    assert tests.head == ("test", "native", "by luck")
    assert checks.head == ("check", "told", "native")


def test_nothing_read_is_not_sound(make_report: MakeReport) -> None:
    report = make_report(KNOWS, KNOWS)
    unread = tuple(replace(row, p_leak=None, leaks=None) for row in report.calibration.detectors)
    report = replace(report, calibration=replace(report.calibration, detectors=unread))
    assert write_verdict(report)[0].startswith("UNDECIDED: ")
    assert not report.is_sound


def test_the_files_hold_every_number_and_no_markup_of_others(
    make_report: MakeReport, tmp_path: Path
) -> None:
    report = make_report(KNOWS, KNOWS_ALL, name=HOSTILE)
    written = write_calibration(report, tmp_path / "calibration")
    assert written[0].name == "calibration.html"
    page = written[0].read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "http-equiv" in page
    assert "src=" not in page
    plain = json.loads((tmp_path / "calibration/calibration.json").read_text())
    assert plain["verdict"] == write_verdict(report)
    assert plain["calibration"]["findings"][0]["kind"] == "native"
    findings = pl.read_csv(tmp_path / "calibration/tables/findings.csv")
    # Two kinds; two tests and their union at two thresholds, and the check of shuffle.
    assert findings.height == 2 * (3 * 2 + 1)
    assert findings.filter(kind="native", detector="shuffle")["rate"].to_list() == [1, 1]
    markdown = (tmp_path / "calibration/calibration.md").read_text()
    assert "| shuffle | 100\\* | 100 | 25 |" in markdown
    assert (tmp_path / "calibration/tables/overview_tests.tex").is_file()
