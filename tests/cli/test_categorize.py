"""``oasis categorize`` through servers of the tests' own and a real llama.cpp server."""

import csv
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from video_oasis.categorization.files import read_categorized
from video_oasis.categorization.opinions import Opinion, OpinionFile
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, write_settings
from video_oasis.evaluation.group_file import read_grouping
from video_oasis.taxonomy.toml_form import read_taxonomy

N = 12
KINDS = ("order", "place", "reason")
QUESTION = re.compile(r"Question: What of thing (\d+)")
LETTERED = re.compile(r"^([A-Z])\. (.*)$", re.MULTILINE)
NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
NAMES = (
    "Fine-Grained Perception",
    "Spatial World Understanding",
    "Temporal Dynamics & Tracking",
    "Causality & Logical Reasoning",
    "Global Narrative",
)


@dataclass
class Panel:
    """A server with several models; ``says`` decides what each one replies.

    Attributes:
        says: gives the status and the reply from the model's name and the prompt.
        asked: how many prompts came, by model.
        url: where it is.
    """

    says: Callable[[str, str], tuple[int, str]] = lambda _model, _text: (200, "A")
    asked: Counter[str] = field(default_factory=Counter)
    url: str = ""

    def answer(self, body: Any) -> tuple[int, str]:
        self.asked[body["model"]] += 1
        return self.says(body["model"], body["messages"][-1]["content"])

    def flags(self, *models: str) -> list[str]:
        return [word for name in models for word in ("--model", f"openai/{name}@{self.url}")]


@pytest.fixture
def panel(serve_chat: Callable[..., str]) -> Panel:
    made = Panel()
    made.url = serve_chat(["m1", "m2", "m3", "m4", "m5", "m6"], made.answer)
    return made


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of twelve questions that was planned, and a distilled set that keeps all but two."""
    file = tmp_path / "mine.jsonl"
    rows = [
        {
            "id": f"q{number}",
            "video": f"v{number // 2}.mp4",
            "duration": 30 * number,
            "question": f"What of thing {number}?",
            "options": ["red", "blue", "green", "grey"],
            "answer": "ABCD"[number % 4],
            "task": KINDS[number % 3],
        }
        for number in range(N)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = tmp_path / "run"
    settings = AuditSettings(
        benchmarks=(BenchmarkEntry(file),), models=(ModelEntry("learned/logistic"),)
    )
    folder.mkdir()
    write_settings(settings, folder / "audit.toml")
    (folder / "distilled").mkdir()
    for fate, numbers in (("kept", range(2, N)), ("dropped", range(2)), ("undecided", ())):
        lines = [
            {
                "benchmark": "mine",
                "sample_id": f"q{n}",
                "corrected_target": 0 if n == 5 else None,
            }
            for n in numbers
        ]
        (folder / f"distilled/{fate}.jsonl").write_text(
            "".join(json.dumps(x) + "\n" for x in lines)
        )
    return folder


def pick(text: str, number: int) -> str:
    """Reply with the letter before a built-in category."""
    (letter,) = [letter for letter, name in LETTERED.findall(text) if name == NAMES[number]]
    return str(letter)


def number_of(text: str) -> int:
    found = QUESTION.search(text)
    assert found
    return int(found[1])


def read_rows(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "categories/assignments.jsonl").read_text().splitlines()
    return {row["sample_id"]: row for row in map(json.loads, lines)}


def sort_by_votes(model: str, text: str) -> tuple[int, str]:
    """Everyone names the question's kind, but for questions 3 (two, two and one) and 7 (4 to 1)."""
    number = number_of(text)
    if number == 3:
        return 200, pick(text, {"m1": 0, "m2": 0, "m3": 1, "m4": 1, "m5": 2}[model])
    if number == 7 and model == "m5":
        return 200, "A and B."
    return 200, pick(text, number % 5)


FIVE = ("m1", "m2", "m3", "m4", "m5")


def test_a_panel_of_five_sorts_the_distilled_set(oasis: Any, run: Path, panel: Panel) -> None:
    panel.says = sort_by_votes
    planned = oasis("categorize", "run", *panel.flags(*FIVE), "--dry-run", "--json")
    assert [row["to ask"] for row in json.loads(planned.stdout)] == [10] * 5
    assert not panel.asked

    done = oasis("categorize", "run", *panel.flags(*FIVE))
    assert done.returncode == 0, done.stderr
    assert "9 of 10 samples have a category that at least 3 of 5 models name." in done.stdout
    assert panel.asked == dict.fromkeys(FIVE, 10)
    rows = read_rows(run)
    assert list(rows) == [f"q{n}" for n in range(2, N)]
    for name, row in rows.items():
        expected = None if name == "q3" else NAMES[int(name[1:]) % 5]
        assert row["category"] == expected
        assert row["outcome"] == ("split" if name == "q3" else "accepted")
    assert rows["q7"]["votes"][4] == {
        "model": "openai/m5",
        "category": None,
        "status": "unparsed",
        "reason": "several_candidates",
    }
    table = pl.read_parquet(run / "categories/assignments.parquet")
    assert table["category"].to_list() == [row["category"] for row in rows.values()]
    # What 'oasis evaluate --by category=FILE' makes of it.
    keys = {("mine", f"q{number}") for number in range(N)}
    grouping = read_grouping("category", run / "categories/assignments.jsonl", keys)
    assert len(grouping.of_sample) == 9
    assert grouping.of_sample["mine", "q4"] == NAMES[4]
    # The corrected answer of q5 is the first choice, not the second.
    positions = (run / "categories/tables/category_by_answer_position.csv").read_text()
    assert positions.splitlines()[1] == f"{NAMES[0]},1,0,1,0,0"

    again = oasis("categorize", "run", *panel.flags(*FIVE), "--json")
    assert json.loads(again.stdout)["outcomes"]["accepted"] == 9
    assert panel.asked == dict.fromkeys(FIVE, 10)


def test_what_a_person_fills_in_is_taken_over_and_stays(
    oasis: Any, run: Path, panel: Panel
) -> None:
    panel.says = sort_by_votes
    oasis("categorize", "run", *panel.flags(*FIVE))
    review = run / "categories/review.csv"
    with review.open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["sample_id"], row["category"]) == ("q3", "")
    text = review.read_text()
    review.write_text(text.replace("mine,q3,,", "mine,q3,global narrative,"))
    for _ in range(2):
        done = oasis("categorize", "run", *panel.flags(*FIVE))
        assert done.returncode == 0
        assert read_rows(run)["q3"]["category"] == "Global Narrative"
        assert read_rows(run)["q3"]["outcome"] == "decided"
        assert len(review.read_text().splitlines()) == 1
    assert panel.asked == dict.fromkeys(FIVE, 10)


def test_what_people_say_in_the_page_counts_once_they_agree(
    oasis: Any, run: Path, panel: Panel
) -> None:
    panel.says = sort_by_votes
    opinions = OpinionFile(run / "categories/decided.jsonl")
    for category, note, outcome in (
        (NAMES[1], "", "decided"),
        (NAMES[2], "1 sample: people named different categories", "split"),
    ):
        opinions.append(Opinion("mine", "q3", category, category, "", datetime.now(UTC)))
        done = oasis("categorize", "run", *panel.flags(*FIVE))
        assert done.returncode == 0
        assert note in done.stderr
        assert read_rows(run)["q3"]["outcome"] == outcome
    # It is in the page's queue for as long as it is split.
    categorized = read_categorized(run / "categories")
    assert categorized
    assert categorized.taxonomy.names == tuple(NAMES)
    q3 = categorized.assigned["mine", "q3"]
    assert [vote.model for vote in q3.votes] == [f"openai/{name}" for name in FIVE]
    assert len(categorized.opinions.read()) == 2


def test_failures_are_no_votes_and_are_asked_again(oasis: Any, run: Path, panel: Panel) -> None:
    def fail(model: str, text: str) -> tuple[int, str]:
        number = number_of(text)
        if number == 4 and model != "m1":
            return 400, "the prompt is not to my liking"
        return 200, pick(text, number % 5)

    panel.says = fail
    done = oasis("categorize", "run", *panel.flags("m1", "m2", "m3"), "--on", "all")
    assert done.returncode == 1
    assert "2 answers are missing" in done.stderr
    assert "1 sample open" in done.stdout
    rows = read_rows(run)
    assert len(rows) == N
    assert (rows["q4"]["category"], rows["q4"]["outcome"]) == (None, "incomplete")
    assert [vote["status"] for vote in rows["q4"]["votes"]] == ["ok", "error", "error"]
    assert len((run / "categories/review.csv").read_text().splitlines()) == 1

    panel.says = sort_by_votes
    panel.asked.clear()
    done = oasis("categorize", "run", *panel.flags("m1", "m2", "m3"), "--on", "all")
    assert done.returncode == 0
    assert panel.asked == {"m2": 1, "m3": 1}
    assert read_rows(run)["q4"]["category"] == NAMES[4]


@pytest.mark.usefixtures("run")
def test_other_panels_are_compared_and_share_answers(oasis: Any, panel: Panel) -> None:
    def say(model: str, text: str) -> tuple[int, str]:
        number = number_of(text)
        # The two outsiders differ from the panel about questions 4, 5 and 6.
        moved = model in ("m4", "m5") and number in (4, 5, 6)
        return 200, pick(text, (number + moved) % 5)

    panel.says = say
    specs = {name: f"openai/{name}@{panel.url}" for name in FIVE}
    done = oasis(
        "categorize", "run", *panel.flags("m1", "m2", "m3"),
        "--other-panel", " ".join(specs[name] for name in ("m3", "m4", "m5")),
        "--other-panel", " ".join(specs[name] for name in ("m1", "m2")), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    first, second = report["overlaps"]
    assert first["models"] == ["openai/m3", "openai/m4", "openai/m5"]
    assert (first["n_both"], first["n_same"], first["n_shared"]) == (10, 7, 1)
    assert (second["threshold"], second["n_both"], second["same"]) == (2, 10, 1.0)
    assert report["agreement"]["kappa"] == 1.0
    assert panel.asked == dict.fromkeys(FIVE, 10)


def test_a_taxonomy_of_ones_own(oasis: Any, run: Path, panel: Panel, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        '[[categories]]\nname = "Warm"\ndefinition = "About warm colours."\n'
        '[[categories]]\nname = "Cold"\ndefinition = "About cold ones."\n'
    )
    panel.says = lambda _model, _text: (200, "Cold")
    done = oasis("categorize", "run", *panel.flags("m1"), "--taxonomy", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert {row["category"] for row in read_rows(run).values()} == {"Cold"}
    assert read_taxonomy(run / "categories/taxonomy.toml").names == ("Warm", "Cold")


def propose_by_kind(_model: str, text: str) -> tuple[int, str]:
    groups: dict[str, list[int]]
    if "Proposed categories:" in text:
        groups = {name.partition(":")[0]: [] for _, name in NUMBERED.findall(text)}
        for number, name in NUMBERED.findall(text):
            groups[name.partition(":")[0]].append(int(number))
    else:
        groups = {"When": [], "Other": []}
        for number, label in NUMBERED.findall(text):
            groups["When" if "order" in label else "Other"].append(int(number))
    entries = [{"name": n, "definition": f"{n}!", "members": m} for n, m in groups.items()]
    return 200, f"<think>hm</think>```json\n{json.dumps({'categories': entries})}\n```"


def test_a_proposal_becomes_a_file_that_a_panel_can_use(
    oasis: Any, run: Path, panel: Panel, tmp_path: Path
) -> None:
    panel.says = propose_by_kind
    done = oasis("categorize", "run", *panel.flags("m1"), "--propose", "--out", "new.toml")
    assert done.returncode == 0, done.stderr
    taxonomy = read_taxonomy(tmp_path / "new.toml")
    assert {(each.name, each.sources) for each in taxonomy.categories} == {
        ("When", ("mine: order (3 of 3 proposals)",)),
        ("Other", ("mine: reason (3 of 3 proposals)", "mine: place (3 of 3 proposals)")),
    }
    assert taxonomy.origin["replies"] == {"propose_valid": 3, "merge_valid": 1}
    assert panel.asked == {"m1": 4}
    assert not (run / "categories").exists()

    refused = oasis("categorize", "run", *panel.flags("m1"), "--propose", "--out", "new.toml")
    assert refused.returncode == 2
    assert "is there already" in refused.stderr
    again = oasis(
        "categorize", "run", *panel.flags("m1"), "--propose", "--out", "again.toml", "--json"
    )
    assert json.loads(again.stdout)["replies"] == {"propose_valid": 3, "merge_valid": 1}
    assert (tmp_path / "again.toml").read_text() == (tmp_path / "new.toml").read_text()
    assert panel.asked == {"m1": 4}

    panel.says = lambda _model, _text: (200, "When")
    done = oasis("categorize", "run", *panel.flags("m1"), "--taxonomy", "new.toml")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no model to ask"),
        (["--model", "learned/logistic"], "learned/logistic: cannot say what category"),
        (["--model", "learned/logistic", "--propose"], "learned/logistic: cannot say what"),
        (["--model", "openai/a", "--threshold", "2"], "threshold is 2 of 1 models; expected 1"),
        (["--model", "openai/a", "--on", "some"], "--on some: expected one of kept, all"),
        (["--model", "openai/a", "--taxonomy", "no.toml"], "no.toml: cannot be read"),
        (["--model", "openai/a", "--model", "openai/b", "--propose"], "asks one model, and 2 are"),
        (["--model", "openai/a", "--propose", "--threshold", "0"], "leave --threshold out"),
        (["--model", "openai/a", "--draws", "5", "--out", "x"], "leave --out, --draws out"),
        (["--settings", "empty.toml"], "with [[models]] in the file that --settings names"),
        (["--model", "openai/a", "--other-panel", "openai/a"], "the models of the panel itself"),
        (["--model", "openai/a", "--other-panel", "openai/b openai/b"], "expected different mod"),
    ],
)
def test_mistakes_are_explained(oasis: Any, run: Path, arguments: list[str], message: str) -> None:
    run.with_name("empty.toml").write_text("")
    done = oasis("categorize", run.name, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (run / "answers.sqlite").exists()


def test_without_a_distilled_set_all_samples_must_be_asked_for(oasis: Any, run: Path) -> None:
    for file in (run / "distilled").iterdir():
        file.unlink()
    (run / "distilled").rmdir()
    done = oasis("categorize", "run", "--model", "openai/a")
    assert done.returncode == 2
    assert "no distilled set is there; write it with 'oasis distil RUN', or" in done.stderr
    done = oasis("categorize", "absent", "--model", "openai/a")
    assert done.returncode == 2
    assert "no run is there" in done.stderr


SHORT = """
[[categories]]
name = "Time"
definition = "When."

[[categories]]
name = "Space"
definition = "Where."
"""


def test_a_real_model_votes_and_every_reply_is_counted(
    oasis: Any, run: Path, llama_url: str, tmp_path: Path
) -> None:
    kept = run / "distilled/kept.jsonl"
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[:2]))
    (tmp_path / "short.toml").write_text(SHORT)
    flags = ["--model", f"openai/gemma@{llama_url}", "--taxonomy", "short.toml"]
    done = oasis("categorize", "run", *flags, "--output", "logprobs", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    (votes,) = report["votes"]
    # A base model mostly names a letter when only letters count; what it does not is unparsed.
    assert votes["n_ok"] + votes["n_unparsed"] == 2
    assert votes["n_ok"] > 0
    assert votes["n_error"] == votes["n_missing"] == 0
    assert report["outcomes"]["accepted"] == votes["n_ok"]
    assert report["outcomes"]["split"] == votes["n_unparsed"]
    named = [row["category"] for row in read_rows(run).values()]
    assert sum(map(sum, report["by_benchmark"]["counts"])) == 2 - named.count(None)


def test_a_real_models_proposal_is_valid_or_counted_as_not(
    oasis: Any, run: Path, llama_url: str, tmp_path: Path
) -> None:
    done = oasis(
        "categorize", "run", "--model", f"openai/gemma@{llama_url}", "--propose",
        "--draws", "1", "--max-tokens", "12", "--json",
    )  # fmt: skip
    replies = json.loads(done.stdout)["replies"]
    n_proposed = sum(n for name, n in replies.items() if name.startswith("propose_"))
    assert n_proposed == 1
    assert all(name.split("_")[1] in ("valid", "invalid") for name in replies)
    is_written = (tmp_path / "taxonomy.toml").exists()
    assert done.returncode == (0 if is_written else 1)
    assert is_written == ("merge_valid" in replies)
    with sqlite3.connect(run / "answers.sqlite") as store:
        (n_answers,) = store.execute("SELECT count(*) FROM answers").fetchone()
    assert n_answers == sum(replies.values())
