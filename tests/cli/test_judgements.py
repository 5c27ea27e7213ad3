"""Judgements of a run, from the command line: in, out, compared, and in the set and the report."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Oasis = Callable[..., Any]
HEAD = "benchmark,sample_id,reviewer,check,decision,choice,note,made_at\n"
AT = "2026-11-30T09:00:00Z"


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 40 samples that one model read as text; "blue" gives 30 of them away."""
    folder = tmp_path_factory.mktemp("judged")
    rows = [
        {
            "qid": f"q{number}",
            "clip": f"clip{number}.mp4",
            "prompt": f"What colour is thing number {number}?",
            "options": ["red", "blue", "green", "grey"],
            "gold": "B" if number % 4 else "ACD"[number // 4 % 3],
        }
        for number in range(40)
    ]
    (folder / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = "from video_oasis.cli import main; main()"
    flags = ["--map", "video=clip", "--model", "learned/logistic"]
    subprocess.run(
        [sys.executable, "-c", command, "audit", "mine.jsonl", "--out", "run", *flags],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder / "run"


@pytest.fixture
def run(finished_run: Path, tmp_path: Path) -> Path:
    """A copy of that run, ``run`` in the folder that ``oasis`` runs in."""
    shutil.copytree(finished_run, tmp_path / "run")
    return tmp_path / "run"


def read_fates(folder: Path) -> dict[str, tuple[str, list[str], int | None]]:
    return {
        row["sample_id"]: (fate, row["reasons"], row["corrected_target"])
        for fate in ("kept", "dropped", "undecided")
        for line in (folder / f"{fate}.jsonl").read_text().splitlines()
        for row in [json.loads(line)]
    }


def write_rows(file: Path, *rows: str) -> Path:
    file.write_text(HEAD + "".join(f"mine,{row},{AT}\n" for row in rows))
    return file


def test_judgements_go_in_once_and_come_out_the_same(
    oasis: Oasis, run: Path, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "anns.csv", "q1,ann,consistency,keep,,fine", "q2,ann,,correct,2,")
    done = oasis("judgements", "import", "run", file)
    assert done.stdout == "2 judgements of 1 reviewer read, 2 of them new.\n"
    done = oasis("judgements", "import", "run", file, "--json")
    assert json.loads(done.stdout) == {"read": 2, "new": 0}
    write_rows(tmp_path / "bobs.csv", "q1,bob,,keep,,", "q2,ann,,correct,2,")
    assert "1 of them new" in oasis("judgements", "import", "run", "bobs.csv").stdout
    assert oasis("judgements", "export", "run", "--to", "all.jsonl").returncode == 0
    assert oasis("judgements", "export", "run", "--to", "all.csv").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert {(row["sample_id"], row["reviewer"], row["choice"]) for row in rows} == {
        ("q1", "ann", None), ("q2", "ann", 2), ("q1", "bob", None),
    }  # fmt: skip
    with (tmp_path / "all.csv").open(newline="") as opened:
        assert [row["note"] for row in csv.DictReader(opened)].count("fine") == 1
    held = (run / "judgements.jsonl").read_bytes()
    for name in ("all.jsonl", "all.csv"):
        assert "0 of them new" in oasis("judgements", "import", "run", name).stdout
    assert (run / "judgements.jsonl").read_bytes() == held


def test_a_bad_file_is_refused_whole(oasis: Oasis, run: Path, tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "bad.csv", "q1,ann,,keep,,", "q1,ann,,perhaps,,", "q2,ann,,correct,9,",
        "x,ann,,keep,,",
    )  # fmt: skip
    done = oasis("judgements", "import", "run", file)
    assert done.returncode == 2
    assert f"{file} row 2: decision is 'perhaps'" in done.stderr
    assert f"{file} row 3: choice is 9; sample 'q2' has 4 choices" in done.stderr
    assert f"{file} row 4: sample_id is 'x'" in done.stderr
    assert not (run / "judgements.jsonl").exists()
    assert oasis("judgements", "export", "run", "--to", "j.xlsx").returncode == 2
    assert oasis("judgements", "import", "no-run", file).returncode == 2


def test_the_set_and_the_report_follow_the_judgements(
    oasis: Oasis, run: Path, tmp_path: Path
) -> None:
    assert oasis("distil", "run").returncode == 0
    before = read_fates(run / "distilled")
    kept = [key for key, (fate, _, _) in before.items() if fate == "kept"][:2]
    shortcut = next(key for key, (fate, _, _) in before.items() if fate == "dropped")
    # The model picks "blue" there; with "red" as the right choice it is wrong.
    write_rows(
        tmp_path / "j.csv",
        f"{kept[0]},ann,,wrong_label,,", f"{kept[1]},ann,,ambiguous,,", f"{kept[1]},bob,,keep,,",
        f"{shortcut},ann,,correct,0,", f"{shortcut},bob,,correct,0,",
    )  # fmt: skip
    assert oasis("judgements", "import", "run", "j.csv").returncode == 0
    done = oasis("distil", "run", "--verify")
    assert done.returncode == 1
    assert "judged: the folder says null" in done.stdout

    done = oasis("distil", "run")
    assert "5 judgements of 2 reviewers stand; they decide by the rule any." in done.stdout
    assert "1 sample judged and undecided" in done.stderr
    after = read_fates(run / "distilled")
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {*kept, shortcut}
    assert after[kept[0]] == ("dropped", ["judged:wrong_label"], None)
    assert after[kept[1]] == ("kept", ["judged:undecided"], None)
    assert after[shortcut] == ("kept", [], 0)
    assert oasis("distil", "run", "--verify").returncode == 0

    assert oasis("report", "run").returncode == 0
    report = json.loads((run / "report/report.json").read_text())
    (fates,) = report["fates"]
    n = {fate: [each for each, _, _ in after.values()].count(fate) for fate in ("kept", "dropped")}
    assert fates["n_kept"] == n["kept"]
    assert fates["n_dropped"] + fates["n_judged_defective"] == n["dropped"]
    assert fates["n_judged_defective"] == 1
    assert report["refinement"]["record"]["n_judgements"] == 5
    with (run / "report/tables/refinement.csv").open(newline="") as opened:
        (row,) = [row for row in csv.DictReader(opened) if row["check"] == "all"]
    assert [row[f"n_{name}"] for name in ("judged", "dropped", "corrected", "undecided")] == list(
        "3111"
    )
    assert "What people made of them" in (run / "report/report.html").read_text()
    assert "How far reviewers agree" in (run / "report/report.md").read_text()
    assert (run / "report/tables/reviewers.tex").is_file()


def test_the_rule_is_a_flag_and_the_check_of_a_set_keeps_to_its_own(
    oasis: Oasis, run: Path, tmp_path: Path
) -> None:
    assert oasis("distil", "run").returncode == 0
    before = read_fates(run / "distilled")
    kept = next(key for key, (fate, _, _) in before.items() if fate == "kept")
    write_rows(tmp_path / "j.csv", f"{kept},ann,,wrong_label,,")
    assert oasis("judgements", "import", "run", "j.csv").returncode == 0
    done = oasis("distil", "run", "--decision-rule", "two", "--json")
    assert json.loads(done.stdout)["judged"]["rule"] == "two"
    assert read_fates(run / "distilled")[kept] == ("kept", ["judged:undecided"], None)
    assert oasis("distil", "run", "--verify").returncode == 0
    done = oasis("distil", "run", "--verify", "--decision-rule", "any")
    assert done.returncode == 1
    assert "kept: 1 only in the folder" in done.stdout
    done = oasis("distil", "run", "--decision-rule", "most")
    assert done.returncode == 2
    assert "--decision-rule most: expected one of any, two, majority, unanimous" in done.stderr


@pytest.mark.usefixtures("run")
def test_agreement_is_printed(oasis: Oasis, tmp_path: Path) -> None:
    done = oasis("judgements", "agreement", "run")
    assert done.returncode == 0
    assert "No sample has the opinions of two reviewers" in done.stdout
    write_rows(
        tmp_path / "j.csv", "q1,ann,,keep,,", "q1,bob,,keep,,", "q2,ann,,keep,,",
        "q2,bob,,ambiguous,,", "q3,ann,,skip,,",
    )  # fmt: skip
    assert oasis("judgements", "import", "run", "j.csv").returncode == 0
    done = oasis("judgements", "agreement", "run")
    assert "Conflicts: 1 sample." in done.stdout
    assert "ann: 3 standing judgements" in done.stdout
    plain = json.loads(oasis("judgements", "agreement", "run", "--json").stdout)
    assert [row["same"] for row in plain["agreement"]] == [0.5, 0.5]
    # Ann always keeps: by chance they agree on 1/2, just as they do.
    assert [row["kappa"] for row in plain["agreement"]] == [0, 0]
    assert plain["conflicts"] == 1


def test_a_damaged_journal_is_named(oasis: Oasis, run: Path) -> None:
    (run / "judgements.jsonl").write_text('{"benchmark": "mine"}\n')
    for command in (["distil", "run"], ["report", "run"], ["judgements", "agreement", "run"]):
        done = oasis(*command)
        assert done.returncode == 2
        assert "judgements.jsonl line 1: sample_id: the field is missing" in done.stderr
