"""Proposals are written whole, the same for the same seed, and over nothing else."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Contents
from video_oasis.benchmarks.loading import read_contents
from video_oasis.cli.multiple_choice import propose_multiple_choice
from video_oasis.errors import SettingsError
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import OpenQuestion

SETTINGS = TVBenchSettings(gate_learners=(), gate_permutations=10)


@pytest.fixture(scope="module", name="captions")
def give_few(captions: Contents) -> Contents:
    """Give fewer questions, which are written sooner."""
    return replace(captions, open_questions=captions.open_questions[:240])


def write(every: list[Contents], out: Path, *, seed: int = 0) -> dict[str, bytes]:
    propose_multiple_choice(every, out, seed=seed, settings=SETTINGS)
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def test_the_same_seed_gives_the_same_bytes(captions: Contents, tmp_path: Path) -> None:
    first = write([captions], tmp_path / "a")
    assert set(first) == {"README.md", "captions.jsonl", "proposals.json"}
    turned = replace(captions, open_questions=captions.open_questions[::-1])
    assert write([turned], tmp_path / "b") == first
    assert write([captions], tmp_path / "a") == first  # over an earlier set of its own
    assert write([captions], tmp_path / "c", seed=1)["captions.jsonl"] != first["captions.jsonl"]


def test_the_questions_can_be_read_again(
    captions: Contents, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write([captions], tmp_path / "out")
    file = tmp_path / "out" / "captions.jsonl"
    again = read_contents(own_benchmark(file).benchmark, file)
    record = json.loads((tmp_path / "out" / "proposals.json").read_text())[0]
    assert (again.benchmark, len(again.samples)) == ("captions", record["n_proposed"])
    assert (again.bad_rows, again.open_questions) == ((), ())
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [sample.choices[sample.target] for sample in again.samples] == [
        row["answer"] for row in rows
    ]
    printed = capsys.readouterr()
    assert "Proposals, to be reviewed" in printed.out
    assert "given away" not in printed.err


def test_the_card_tells_all(captions: Contents, tmp_path: Path) -> None:
    card = write([captions], tmp_path / "out")["README.md"].decode()
    assert "proposals for people to review" in card
    assert "| captions | 240 |" in card
    assert "## Given away without the video\n\nNothing that was looked for." in card
    assert "| captions | what | the same question is asked of the same clip before |" in card
    assert "| captions | all | answer elsewhere |" in card
    assert "| captions | what | what do |" in card
    assert "gate_attempts = 3" in card
    assert "moving_speed" not in card


def test_several_sets_stand_beside_each_other(captions: Contents, tmp_path: Path) -> None:
    other = replace(captions, benchmark="my set/2")
    files = write([captions, other], tmp_path / "out")
    assert {"captions.jsonl", "my_set_2.jsonl"} < set(files)
    with pytest.raises(SettingsError, match=r"has my_set_2\.jsonl, .*new folder"):
        write([captions], tmp_path / "out")
    with pytest.raises(SettingsError, match=r"two sets would be written to captions\.jsonl"):
        write([captions, captions], tmp_path / "twice")


def test_other_files_are_not_written_over(captions: Contents, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(SettingsError, match=r"has 'README\.md' and no proposals\.json"):
        write([captions], tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SettingsError, match="is a file"):
        write([captions], file)


def test_what_is_given_away_ends_in_1(
    ask: Callable[..., OpenQuestion],
    contain: Callable[..., Contents],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = ("red", "blue", "green", "pink")
    questions = [ask(n, f"why is {texts[n % 4]} {n} hit?", texts[n % 4]) for n in range(80)]
    with pytest.raises(typer.Exit) as ended:
        write([contain(*questions)], tmp_path / "out")
    assert ended.value.exit_code == 1
    assert "given away: captions, t: text: question overlap" in capsys.readouterr().err
    card = (tmp_path / "out" / "README.md").read_text()
    assert "question overlap scores 100.0 %, +75.0 points" in card
    assert "- captions, t: it stays so without the 40 questions" in card
    (record,) = json.loads((tmp_path / "out" / "proposals.json").read_text())
    assert (record["n_proposed"], record["tasks"][0]["n_pruned_in_vain"]) == (80, 40)


def test_nothing_proposed_ends_in_1(
    ask: Callable[..., OpenQuestion],
    contain: Callable[..., Contents],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(typer.Exit) as ended:
        propose_multiple_choice(
            [contain(ask(0, "who runs?", "man"))], tmp_path / "out", settings=SETTINGS, as_json=True
        )
    assert ended.value.exit_code == 1
    printed = capsys.readouterr()
    assert "captions: nothing proposed; why:" in printed.err
    (record,) = json.loads(printed.out)
    assert record["n_proposed"] == 0
    assert record["tasks"][0]["left_out"] == {
        "too few different references to questions of its kind": 1
    }
    assert (tmp_path / "out" / "captions.jsonl").read_text() == ""
