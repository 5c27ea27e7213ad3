"""Audits on captions: made by a model that sees, asked of a model, gone on with, or imported."""

import json
from pathlib import Path
from typing import Any


def accuracies(done: Any) -> dict[str, float]:
    return {
        row["diagnostic"]: row["accuracy"]
        for row in json.loads(done.stdout)["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }


def test_captions_are_made_once_and_give_the_order_away(
    oasis: Any, eyes: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 4)
    captioner = ("--captioner", f"openai/eyes@{eyes.url}")
    done = oasis(*frames_arguments("summary", "summary_shuffle"), *captioner, "--json")
    assert done.returncode == 0, done.stderr
    assert accuracies(done) == {"summary": 1.0, "summary_shuffle": 0.0}
    # All four clips show the same pictures: one set of eight captions, then eight questions.
    assert len(eyes.shown) == 8 + 8
    report = json.loads(done.stdout)
    # The shuffled captions are a control, no test of their own.
    assert report["summary"]["tests"] == ["summary"]
    again = oasis("report", "run", "--json")
    assert json.loads(again.stdout)["summary"] == report["summary"]
    assert oasis("run", "run").returncode == 0
    assert len(eyes.shown) == 8 + 8


def test_a_dry_run_counts_captions(
    oasis: Any, eyes: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 2)
    arguments = [*frames_arguments("summary"), "--captioner", f"openai/eyes@{eyes.url}"]
    first = json.loads(oasis(*arguments, "--dry-run", "--json").stdout)
    assert [(row["diagnostic"], row["to ask"], row["frames"]) for row in first] == [
        ("captions", 2 * 8, 2 * 128),
        ("summary", 2, 0),
    ]
    assert oasis(*arguments).returncode == 0
    then = json.loads(oasis(*arguments, "--dry-run", "--json").stdout)
    assert [(row["diagnostic"], row["stored"], row["to ask"]) for row in then] == [
        ("captions", 8, 0),
        ("summary", 2, 0),
    ]


def test_a_captioner_is_made_to_describe(
    oasis: Any, eyes: Any, write_benchmark: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 1)
    model = f'model = "openai/eyes@{eyes.url}"'
    (tmp_path / "audit.toml").write_text(
        f'diagnostics = ["summary"]\n[[benchmarks]]\npath = "questions.jsonl"\nvideos = "videos"\n'
        f'[[models]]\n{model}\n[captioner]\n{model}\noutput = "json"\n'
    )
    done = oasis("audit", "--settings", "audit.toml")
    assert done.returncode == 2
    assert "a description is text, so leave output out" in done.stderr


def test_preparing_makes_captions_and_asks_no_question(
    oasis: Any, eyes: Any, write_benchmark: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 3)
    (tmp_path / "videos/clip2.mp4").unlink()
    model = f"openai/eyes@{eyes.url}"
    (tmp_path / "audit.toml").write_text(
        f'diagnostics = ["summary"]\n[[benchmarks]]\npath = "questions.jsonl"\nvideos = "videos"\n'
        f'[[models]]\nmodel = "{model}"\n[captioner]\nmodel = "{model}"\nmax_tokens = 64\n'
    )
    done = oasis("prepare", "run", "--settings", "audit.toml")
    assert done.returncode == 1
    assert "questions clip2.mp4 (captions_missing)" in done.stderr
    assert "Ask the questions with: oasis run run" in done.stderr
    assert len(eyes.shown) == 8
    done = oasis("run", "run", "--json")
    assert done.returncode == 1
    # Two samples share one question's text but not its words; the third has no captions.
    assert len(eyes.shown) == 8 + 2
    (row,) = [
        each
        for each in json.loads(done.stdout)["summary"]["accuracy"]
        if each["level"] == "benchmark"
    ]
    assert (row["n"], row["n_scored"], row["n_error"]) == (3, 2, 1)


def test_imported_captions_need_no_videos(
    oasis: Any, eyes: Any, write_benchmark: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 2)
    rows = [
        {"video": f"clip{number}.mp4", "captions": [f"The light is at {level} now." for level in s]}
        for number, s in enumerate(((1, 2, 3), (3, 2, 1)))
    ]
    (tmp_path / "captions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = oasis(
        "audit", "questions.jsonl", "-d", "summary", "--captions", "captions.jsonl",
        "-m", f"openai/eyes@{eyes.url}", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert accuracies(done) == {"summary": 0.5}


def test_captions_without_a_source_are_a_clear_error(
    oasis: Any, eyes: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 1)
    done = oasis(*frames_arguments("summary"))
    assert done.returncode == 2
    assert "diagnostic summary needs captions; name a model that makes them with" in done.stderr
    done = oasis(*frames_arguments("summary"), "--captioner", "learned/logistic")
    assert done.returncode == 2
    assert "captioner learned/logistic: expected a chat model that sees" in done.stderr
    assert eyes.shown == []


def test_speech_without_a_source_is_a_clear_error(
    oasis: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 1)
    done = oasis(*frames_arguments("audio"))
    assert done.returncode == 2
    assert "needs to know what is said; give a folder of transcripts" in done.stderr
