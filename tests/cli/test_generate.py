"""``oasis generate`` and ``oasis repair``: files in, a set with its proof out."""

import json
from pathlib import Path
from typing import Any

import pytest

FAST = "gate_learners = []\ngate_permutations = 10\nmin_questions = 6\n"


@pytest.fixture
def procedures(tmp_path: Path) -> Path:
    """Files of two procedures of the same steps, six videos each, and one bad line."""
    folder = tmp_path / "svip"
    folder.mkdir()
    bank = {"1": ["take", "pour", "wipe"], "2": ["pour", "take", "wipe"]}
    (folder / "label_bank.json").write_text(json.dumps(bank))
    lines = [f"cook{n}.MP4 {1 + n % 2}" for n in range(12)]
    (folder / "test_split.txt").write_text("\n".join(lines))
    (tmp_path / "fast.toml").write_text(FAST)
    return folder


def test_generates_a_set_that_our_reader_takes(
    oasis: Any, procedures: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = oasis(
        *("generate", "tvbench", "--source", f"svip={procedures}", "--seed", "3", "--out", out),
        *("--settings", tmp_path / "fast.toml"),
    )
    assert done.returncode == 0, done.stderr
    assert "egocentric_sequence" in done.stdout
    assert "passed" in done.stdout
    rows = json.loads((out / "json" / "egocentric_sequence.json").read_text())
    assert len(rows) == 12
    assert {"video", "question", "candidates", "answer"} <= rows[0].keys()
    assert len((out / "questions.jsonl").read_text().splitlines()) == 12
    card = (out / "README.md").read_text()
    assert "MIT licence" in card
    assert "sequence_min_gap_seconds" in card
    assert "text: longest" in card
    linted = oasis("lint", f"tvbench={out}")
    assert linted.returncode == 0, linted.stderr
    own = oasis("lint", out / "questions.jsonl")
    assert own.returncode == 0, own.stderr


def test_bad_rows_and_refusals_are_told(oasis: Any, procedures: Path, tmp_path: Path) -> None:
    with (procedures / "test_split.txt").open("a") as file:
        file.write("\ncook99.MP4 7\n")
    settings = tmp_path / "strict.toml"
    settings.write_text(FAST.replace("min_questions = 6", "min_questions = 50"))
    done = oasis(
        *("generate", "tvbench", "--source", f"svip={procedures}", "--out", tmp_path / "out"),
        *("--settings", settings, "--json"),
    )
    assert done.returncode == 1
    (task,) = json.loads(done.stdout)
    assert task["n_questions"] == 0
    assert "needs 50" in task["refusal"]
    assert "row 13" in (tmp_path / "out" / "bad_rows.txt").read_text()
    assert not (tmp_path / "out" / "json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to generate from"),
        (["--source", "svip"], "expected NAME=DIR"),
        (["--source", "svp=x"], "did you mean svip"),
        (["--source", "svip=FOLDER", "--mode", "hard"], "expected strict or faithful"),
        (["--source", "svip=FOLDER", "--task", "object_count"], "needs clevrer"),
        (["--source", "svip=FOLDER", "--task", "object_cuont"], "did you mean object_count"),
        (["--source", "svip=nowhere"], "no such file or folder"),
    ],
)
def test_mistakes_are_explained(
    arguments: list[str], message: str, oasis: Any, procedures: Path
) -> None:
    given = [each.replace("FOLDER", str(procedures)) for each in arguments]
    done = oasis("generate", "tvbench", *given)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moving_sped = 1.0", "did you mean moving_speed"),
        ("moving_speed = 'fast'", "expected such as 0.2"),
        ("resting_speed = 1.0", "expected below moving_speed"),
        ("localization_seconds = [25.0, 15.0]", "expected shortest, longest"),
        ("gate_learners = ['forrest']", "did you mean forest"),
    ],
)
def test_wrong_settings_are_explained(
    text: str, message: str, oasis: Any, procedures: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.toml").write_text(text)
    done = oasis(
        *("generate", "tvbench", "--source", f"svip={procedures}"),
        *("--settings", tmp_path / "wrong.toml"),
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert "wrong.toml" in done.stderr


def test_files_of_others_are_not_written_over(oasis: Any, procedures: Path, tmp_path: Path) -> None:
    fast = ("--settings", tmp_path / "fast.toml")
    arguments = ("generate", "tvbench", "--source", f"svip={procedures}", *fast)
    theirs = tmp_path / "theirs"
    (theirs / "json").mkdir(parents=True)
    (theirs / "json" / "released.json").write_text("[]")
    refused = oasis(*arguments, "--out", theirs)
    assert refused.returncode == 2
    assert "has 'json' and no audit.json" in refused.stderr
    assert [path.name for path in theirs.rglob("*.json")] == ["released.json"]
    for _ in range(2):  # an earlier set may be
        assert oasis(*arguments, "--out", tmp_path / "out").returncode == 0
    own = oasis("repair", tmp_path / "out" / "questions.jsonl", *fast, "--out", tmp_path / "out")
    assert own.returncode == 2
    assert "no repair.json" in own.stderr


def test_lists_tasks_and_sources(oasis: Any) -> None:
    listed = json.loads(oasis("generate", "tvbench", "--list", "--json").stdout)
    assert len(listed["tasks"]) == 10
    assert {"clevrer", "star", "svip"} <= {row["source"] for row in listed["sources"]}


def test_repairs_a_file(oasis: Any, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"q{n}",
            "video": f"v{n}.mp4",
            "question": "How often?",
            "choices": ["2", "3", "4"],
            "answer": "3" if n < 30 else ("2", "4")[n % 2],
            "task": "count",
            "duration": 12.5,
            "letter": "B",
        }
        for n in range(50)
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "fast.toml").write_text(FAST)
    out = tmp_path / "repaired"
    done = oasis(
        *("repair", file, "--map", "answer_form=text", "--map", "choices=choices"),
        *("--settings", tmp_path / "fast.toml", "--out", out),
    )
    assert done.returncode == 0, done.stderr
    assert "50 → 30" in done.stdout
    kept = [json.loads(line) for line in (out / "questions.jsonl").read_text().splitlines()]
    assert sorted(row["answer"] for row in kept) == ["2"] * 10 + ["3"] * 10 + ["4"] * 10
    assert {row["duration_seconds"] for row in kept} == {12.5}
    assert {row["letter"] for row in kept} == {"B"}
    assert "top answer" in (out / "README.md").read_text()
    wrong = oasis("repair", file, "--map", "answer_form=text", "--task", "order")
    assert wrong.returncode == 2
    assert "mine has count" in wrong.stderr
