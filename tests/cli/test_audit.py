"""``oasis audit``, ``run`` and ``report`` as a user runs them, and each mistake's message."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

MAP = (
    "--map", "id=qid", "--map", "video=clip", "--map", "question=prompt", "--map",
    "choices=options", "--map", "answer=gold", "--map", "task=kind",
)  # fmt: skip


def test_an_audit_of_ones_own_file_finds_what_gives_it_away(
    oasis: Any, own_file: Path, tmp_path: Path
) -> None:
    done = oasis("audit", own_file, *MAP, "--out", "run", "-m", "learned/logistic", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    (task,) = report["summary"]["tasks"]
    assert task["best"]["task"] == "colour"
    assert task["best"]["n_scored"] == 60
    # 45 of 60 are "blue": a model that only learns this is right on 75 %.
    assert task["best"]["accuracy"] == pytest.approx(0.75)
    assert task["best"]["chance"] == 0.25
    assert task["is_given_away"] is True
    assert any("blue" in finding["feature"] for finding in report["findings"])
    assert json.loads((tmp_path / "run/report/report.json").read_text()) == report
    names = {file.name for file in (tmp_path / "run/report").rglob("*") if file.is_file()}
    assert {"report.html", "report.md", "accuracy.csv", "tasks-blind.tex"} <= names


def test_a_second_run_asks_nothing_and_says_the_same(
    oasis: Any, own_file: Path, tmp_path: Path
) -> None:
    first = oasis("audit", own_file, *MAP, "--out", "run", "-m", "learned/logistic")
    assert first.returncode == 0, first.stderr
    before = (tmp_path / "run/report/report.json").read_bytes()
    for command in ("run", "report"):
        again = oasis(command, "run")
        assert again.returncode == 0, again.stderr
        assert again.stdout == first.stdout
        assert (tmp_path / "run/report/report.json").read_bytes() == before


def test_a_report_of_a_run_without_answers_says_so(
    oasis: Any, own_file: Path, tmp_path: Path
) -> None:
    assert oasis("audit", own_file, *MAP, "--out", "run", "-m", "learned/logistic").returncode == 0
    with sqlite3.connect(tmp_path / "run/answers.sqlite") as connection:
        connection.execute("DELETE FROM answers")
    connection.close()
    done = oasis("report", "run")
    assert done.returncode == 0, done.stderr
    assert "no answer was read" in done.stdout
    assert "60 answers are missing; ask for them with: oasis run run" in done.stderr


def test_dry_run_counts_and_writes_nothing(oasis: Any, own_file: Path, tmp_path: Path) -> None:
    server = "openai/m@http://127.0.0.1:9/v1"
    done = oasis("audit", own_file, *MAP, "--out", "run", "-m", server, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["answers"], row["questions"], row["stored"], row["to ask"]) == (60, 60, 0, 60)
    assert not (tmp_path / "run").exists()


def test_limit_takes_the_same_samples_whatever_their_order(
    oasis: Any, own_file: Path, tmp_path: Path
) -> None:
    backwards = tmp_path / "backwards" / "mine.jsonl"
    backwards.parent.mkdir()
    backwards.write_text("".join(reversed(own_file.read_text().splitlines(keepends=True))))
    stored = []
    for number, file in enumerate((own_file, backwards)):
        done = oasis(
            "audit", file, *MAP, "--out", f"run{number}", "-m", "learned/neighbours", "--limit", 20
        )
        assert done.returncode == 0, done.stderr
        with sqlite3.connect(tmp_path / f"run{number}/answers.sqlite") as connection:
            stored.append(set(connection.execute("SELECT id FROM requests")))
        connection.close()
    assert len(stored[0]) == 20
    assert stored[0] == stored[1]


def test_bad_rows_stop_an_audit_unless_they_may_be_skipped(
    oasis: Any, own_file: Path, tmp_path: Path
) -> None:
    with own_file.open("a") as file:
        row = {"qid": "odd", "clip": "c", "prompt": "?", "options": ["a", "b"], "gold": "E"}
        file.write(json.dumps(row | {"kind": "colour"}) + "\n")
    stopped = oasis("audit", own_file, *MAP, "--out", "run")
    assert stopped.returncode == 2
    assert "1 of 61 rows cannot be read" in stopped.stderr
    assert "row 61 (odd), gold: answer 'E', but 2 options (A–B)" in stopped.stderr
    skipped = oasis("audit", own_file, *MAP, "--out", "run", "-m", "learned/logistic", "--skip-bad")
    assert skipped.returncode == 0, skipped.stderr
    report = json.loads((tmp_path / "run/report/report.json").read_text())
    assert report["rows"][0]["n_audited"] == 60
    assert len(report["rows"][0]["bad_rows"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no benchmark to audit"),
        (("nowhere.jsonl",), "there is no file or folder 'nowhere.jsonl'"),
        (("mvbnch=.",), "did you mean mvbench"),
        (("OWN", "--model", "logistic"), "expected BACKEND/NAME"),
        (("OWN", "--model", "lerned/logistic"), "did you mean learned"),
        (("OWN", "--model", "learned/logistics"), "did you mean logistic"),
        (("OWN", "--diagnostic", "blnd"), "did you mean blind"),
        (("OWN", "--draws", "0"), "n_draws is 0"),
        (("OWN", "--output", "song"), "--output song"),
        (("OWN", "--map", "question"), "expected PART=COLUMN"),
        (("OWN", "--map", "question=promt"), "did you mean 'prompt'"),
        (("OWN", "--map", "qestion=prompt"), "did you mean 'question'"),
        (("OWN", "--settings", "none.toml"), "none.toml: cannot be read"),
        (("OWN", "-m", "learned/logistic", "-m", "learned/logistic"), "two models are called"),
        (("OWN", "OWN"), "two benchmarks are called"),
        (("OWN", "-m", "openai/m@http://127.0.0.1:9/v1"), "127.0.0.1:9"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_2(
    oasis: Any, own_file: Path, arguments: tuple[str, ...], message: str
) -> None:
    given = [own_file if argument == "OWN" else argument for argument in arguments]
    mapped = MAP if "--map" not in arguments else ()
    done = oasis("audit", *given, *mapped, "--out", "run")
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_going_on_where_no_run_is_is_a_clear_error(oasis: Any) -> None:
    for command in ("run", "report"):
        done = oasis(command, "nowhere")
        assert done.returncode == 2
        assert "no run is there" in done.stderr
