"""Evaluations, their files, and leaderboards, from runs of a served model."""

import csv
import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from video_oasis.leaderboard.board import read_board, write_board

SETTINGS = """
diagnostics = ["blind", "standard"]

[frames]
max_frames = {max_frames}

[[benchmarks]]
path = "questions.jsonl"
videos = "videos"

[[models]]
model = "openai/eyes@{url}"
name = "cool"

[[models]]
model = "openai/eyes@{url}"
name = "warm"
role = "validator"
temperature = 1.0
"""


@pytest.fixture
def audited(
    oasis: Any, eyes: Any, brightening: bytes, write_benchmark: Any, tmp_path: Path
) -> Path:
    """A distilled run: ten questions on clips that brighten, four of which are about darkening.

    Shown several frames, both models say B, "brighten"; shown nothing, A. So blind gets the four
    right and standard the other six, which are what is kept.
    """
    write_benchmark(brightening, 10)
    file = tmp_path / "questions.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows[:4]:
        row["answer"] = "A"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "roles.toml").write_text(SETTINGS.format(url=eyes.url, max_frames=4))
    done = oasis("audit", "--settings", "roles.toml", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert oasis("distil", "run").returncode == 0
    return tmp_path


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_run_is_evaluated_on_what_it_keeps(oasis: Any, audited: Path) -> None:
    (audited / "categories.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "benchmark": "questions",
                    "sample_id": f"q{n}",
                    "category": "odd" if n % 2 else "even",
                }
            )
            + "\n"
            for n in range(10)
        )
    )
    (audited / "models.toml").write_text(
        '[[models]]\nmodel = "cool"\nbase = "eyes"\nreasoning = "direct"\n'
        "rewards = { answer = false }\n"
        '[[models]]\nmodel = "warm"\nbase = "eyes"\nreasoning = "thinking"\n'
        "rewards = { answer = true }\n"
    )
    (audited / "official.csv").write_text(
        "model,benchmark,score,source\ncool,questions,62.5,the paper\ncool,other,50,the paper\n"
    )
    done = oasis(
        "evaluate", "run", "--by", "category=categories.jsonl", "--models", "models.toml",
        "--official", "official.csv", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "cool: helped to choose the set distilled" in done.stderr
    report = json.loads(done.stdout)
    assert [(each["name"], each["n_samples"]) for each in report["sets"]] == [
        ("original", 10),
        ("distilled", 6),
    ]
    # The validator had no part in choosing.
    assert report["sets"][1]["voters"] == ["cool"]
    folder = audited / "run/evaluation"
    gaps = read_csv(folder / "tables/gaps.csv")
    assert {
        (row["model"], float(row["original"]), float(row["distilled"]), float(row["gap"]))
        for row in gaps
        if row["level"] == "pooled"
    } == {("cool", 0.6, 1, -0.4), ("warm", 0.6, 1, -0.4)}
    accuracy = {
        (row["grouping"], row["sample_group"]): (int(row["n_scored"]), float(row["accuracy"]))
        for row in read_csv(folder / "tables/accuracy.csv")
        if (row["set"], row["level"], row["model"]) == ("original", "pooled", "cool")
    }
    # Of q0 to q9 the first four are about darkening.
    assert accuracy == {
        ("", ""): (10, 0.6),
        ("category", "even"): (5, 0.6),
        ("category", "odd"): (5, 0.6),
        ("duration", "up to 15 s"): (10, 0.6),
    }
    (union,) = [
        row
        for row in read_csv(folder / "tables/unions.csv")
        if (row["set"], row["level"], row["grouping"]) == ("original", "pooled", "")
    ]
    # They always say the same, so two guesses are one.
    assert (float(union["union"]), float(union["union_chance"])) == (0.6, 0.75)
    assert float(union["null"]) == 0.5
    (near, lacking) = read_csv(folder / "tables/reproduction.csv")
    assert float(near["difference"]) == pytest.approx(-0.025)
    assert near["is_inside"] == "true"
    assert (lacking["n"], lacking["ours"]) == ("0", "")
    markdown = (folder / "evaluation.md").read_text()
    assert "| eyes | warm | yes |" in markdown
    assert "oracle of direct and thinking" in markdown
    page = (folder / "evaluation.html").read_text()
    assert "From original to distilled" in page
    assert "<svg" in page


def test_frame_budgets_are_swept_over_runs(oasis: Any, eyes: Any, audited: Path) -> None:
    # One frame neither brightens nor darkens, so the model says A.
    (audited / "few.toml").write_text(SETTINGS.format(url=eyes.url, max_frames=1))
    assert oasis("audit", "--settings", "few.toml", "--out", "few").returncode == 0
    done = oasis("evaluate", "run", "few", "--on", "original", "--out", "swept", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert {(each["label"], each["n_frames"]) for each in report["contenders"]} == {
        ("cool, 4 frames", 40),
        ("cool, 1 frame", 10),
        ("warm, 4 frames", 40),
        ("warm, 1 frame", 10),
    }
    table = (audited / "swept/tables/frames_original.tex").read_text()
    first, second = [line for line in table.splitlines() if line.startswith("cool")]
    assert first.startswith("cool & standard & 1 & 1.0 & 10 & 40.0 [")
    assert second.startswith("cool & standard & 4 & 4.0 & 10 & 60.0 [")
    # Six samples won, four lost: +20 points.
    assert " & +20.0 [" in second


def test_the_annotated_clip_is_compared_on_shortcuts_and_on_the_rest(
    oasis: Any, audited: Path
) -> None:
    # Two kept samples and one shortcut are annotated, each with one moment: of one frame, the
    # models say A.
    file = audited / "questions.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for number, row in enumerate(rows):
        row["time_references_seconds"] = [[1, 1]] if number in (0, 4, 5) else []
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = audited / "run/audit.toml"
    settings.write_text(settings.read_text().replace('"standard",', '"standard", "oracle",'))
    assert oasis("run", "run").returncode == 0
    assert oasis("distil", "run").returncode == 0
    (audited / "categories.csv").write_text(
        "benchmark,sample_id,category\n"
        + "".join(f"questions,q{n},{'odd' if n % 2 else 'even'}\n" for n in range(10))
    )
    done = oasis(
        "evaluate", "run", "--on", "shortcuts", "--on", "distilled", "-d", "standard", "-d",
        "oracle", "--by", "category=categories.csv",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {
        (row["set"], row["sample_group"]): (
            int(row["n"]), float(row["first_accuracy"]), float(row["second_accuracy"])
        )
        for row in read_csv(audited / "run/evaluation/tables/views.csv")
        if row["level"] == "pooled" and row["grouping"] != "duration"
        and (row["first"], row["second"]) == ("cool, oracle", "cool, standard")
    }  # fmt: skip
    # The shortcut is about darkening, so that A is right.
    assert found == {
        ("shortcuts", ""): (1, 1, 0),
        ("shortcuts", "even"): (1, 1, 0),
        ("distilled", ""): (2, 0, 1),
        ("distilled", "even"): (1, 0, 1),
        ("distilled", "odd"): (1, 0, 1),
    }
    latex = (audited / "run/evaluation/tables/views_distilled.tex").read_text()
    assert r"cool, oracle & difference & -100.0" in latex


def test_what_is_missing_is_asked_or_said(oasis: Any, eyes: Any, audited: Path) -> None:
    (audited / "run/answers.sqlite").unlink()
    settings = audited / "run/audit.toml"
    settings.write_text(settings.read_text().replace('"blind",', ""))
    n_asked = len(eyes.shown)
    assert oasis("prepare", "run").returncode == 0
    done = oasis("evaluate", "run", "--on", "original")
    assert done.returncode == 1
    assert "cool: 10 answers missing on original." in done.stderr
    assert len(eyes.shown) == n_asked
    done = oasis("leaderboard", "add", "run", "--to", "board.json", "--on", "original")
    assert done.returncode == 2
    assert "with 10 answers missing" in done.stderr
    done = oasis("evaluate", "run", "--on", "original", "--ask")
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == n_asked + 20
    assert "cool" in done.stdout
    # A set that keeps nothing is nothing to evaluate on, unless it is asked for.
    (audited / "run/distilled/kept.jsonl").write_text("")
    done = oasis("evaluate", "run")
    assert done.returncode == 0, done.stderr
    assert "run/distilled: keeps no sample; evaluated on original" in done.stderr
    assert oasis("evaluate", "run", "--on", "distilled").returncode == 2


def test_a_leaderboard_is_added_to_and_checked(oasis: Any, audited: Path) -> None:
    add = ("leaderboard", "add", "run", "--to", "board.json", "--on", "distilled")
    assert oasis(*add, "--model", "warm").returncode == 0
    # A run that lacks answers of a model that is not on the board can still be checked.
    shutil.copytree(audited / "run", audited / "lacking")
    with sqlite3.connect(audited / "lacking/answers.sqlite") as store:
        store.execute(
            "DELETE FROM answers WHERE model IN "
            "(SELECT id FROM models WHERE description LIKE '%\"temperature\":0.0%')"
        )
    store.close()
    done = oasis("leaderboard", "verify", "board.json", "lacking")
    assert done.returncode == 0, done.stderr
    assert oasis("leaderboard", "verify", "board.json", "lacking", "--on", "x").returncode == 2
    done = oasis("leaderboard", "add", "lacking", "--to", "other.json", "--on", "distilled")
    assert (
        "cool: asked about 6 of the 6 samples of distilled, with 6 answers missing" in done.stderr
    )

    done = oasis(*add)
    assert done.returncode == 0, done.stderr
    assert "2 lines of run there, 2 lines in all" in done.stdout
    markdown = (audited / "board.md").read_text()
    assert "| warm | standard |" in markdown
    assert oasis("leaderboard", "verify", "board.json", "run").returncode == 0
    done = oasis("leaderboard", "verify", "board.json", "run", "--on", "original")
    assert done.returncode == 1
    assert "2 of 2 entries are about models or sets of other runs" in done.stderr

    # A forger makes the ids anew: the run tells. Changed by hand, the file itself does.
    board = read_board(audited / "board.json")
    assert [(each.overall.n_scored, each.overall.accuracy) for each in board] == [(6, 1), (6, 1)]
    forged = [replace(each, overall=replace(each.overall, accuracy=0.9)) for each in board]
    write_board(forged, audited / "board.json")
    done = oasis("leaderboard", "verify", "board.json", "run")
    assert done.returncode == 1
    assert "overall, accuracy: the entry says 0.9, the run gives 1.0" in done.stdout
    text = (audited / "board.json").read_text()
    (audited / "board.json").write_text(text.replace("0.9", "0.95", 1))
    done = oasis("leaderboard", "verify", "board.json", "run")
    assert done.returncode == 2
    assert "changed by hand" in done.stderr


def test_mistakes_are_told(oasis: Any, audited: Path) -> None:
    (audited / "official.csv").write_text("model,benchmark,score,source\ncool,questions,60,x\n")
    (audited / "boards/board.md").mkdir(parents=True)
    done = oasis("leaderboard", "add", "run", "--to", "boards/board.json")
    assert done.returncode == 2
    assert "boards/board.md: cannot be written (Is a directory)" in done.stderr
    for arguments, message in {
        ("--on", "nowhere"): "--on nowhere: no such set or folder",
        ("--diagnostic", "blind"): "diagnostic blind: withholds something of the video",
        ("--by", "category"): "--by category: expected NAME=FILE",
        ("--by", "category=none.csv"): "none.csv: cannot be read",
        ("--official", "roles.toml"): "roles.toml: no scores",
        ("--models", "none.toml"): "none.toml: cannot be read",
        ("--on", "distilled", "--official", "official.csv"): "add --on original",
        ("--diagnostic", "oracle"): "under oracle there, only under blind, standard; start a run",
        ("run",): "both asked it about",
    }.items():
        done = oasis("evaluate", "run", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
    assert not (audited / "run/evaluation").exists()
