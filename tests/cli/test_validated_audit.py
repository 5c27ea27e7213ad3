"""Audits with models that have no vote: validators and spares."""

import json
from pathlib import Path
from typing import Any

SETTINGS = """
diagnostics = ["blind", "standard"]

[[benchmarks]]
path = "questions.jsonl"
videos = "videos"

[[models]]
model = "openai/eyes@{url}"
name = "voter"

[[models]]
model = "openai/eyes@{url}"
name = "stand-in"
role = "spare"
temperature = 0.5

[[models]]
model = "openai/eyes@{url}"
name = "witness"
role = "validator"
temperature = 1.0
"""


def test_validators_and_spares_are_asked_their_part_and_reported_apart(
    oasis: Any,
    eyes: Any,
    brightening: bytes,
    write_benchmark: Any,
    give_two_away: Any,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 4)
    give_two_away()
    (tmp_path / "roles.toml").write_text(SETTINGS.format(url=eyes.url))
    done = oasis("audit", "--settings", "roles.toml", "--out", "run", "--json")
    assert done.returncode == 0, done.stderr
    # Two models under both diagnostics, the validator under standard alone.
    assert len(eyes.shown) == 4 * 2 * 2 + 4
    summary = json.loads(done.stdout)["summary"]
    blind = [r for r in summary["consensus"] if (r["test"], r["level"]) == ("blind", "benchmark")]
    assert [(row["n_models"], row["n_shortcuts"]) for row in blind] == [(1, 2)]
    (correlation,) = [
        row
        for row in summary["correlation"]
        if (row["level"], row["test"], row["model"]) == ("benchmark", "blind", "witness")
    ]
    # Shown the clip it says B, which is right elsewhere and not on the two given away.
    assert (correlation["n_shortcuts"], correlation["n_solved"]) == (2, 0)
    assert correlation["rate_elsewhere"] == 1.0
    kept = [
        row
        for row in summary["robustness"]
        if (row["level"], row["kind"]) == ("benchmark", "distilled")
    ]
    assert [(row["models"], row["n_both"], row["jaccard"]) for row in kept] == [
        ("stand-in", 2, 1.0)
    ]
    (difficult,) = [row for row in summary["difficulty"] if row["level"] == "benchmark"]
    # Missed by voter and validator: the two whose answer is A; kept: the other two.
    assert (difficult["n_first"], difficult["n_second"], difficult["n_both"]) == (2, 2, 0)
    answered = {(row["model"], row["diagnostic"]) for row in summary["statuses"]}
    assert ("stand-in", "blind") in answered
    assert ("witness", "blind") not in answered
    assert 'role = "validator"' in (tmp_path / "run/audit.toml").read_text()
    page = (tmp_path / "run/report/report.html").read_text()
    for title in ("Shortcuts that other models solve too", "The same verdicts with other models"):
        assert title in page
    distilled = json.loads(oasis("distil", "run", "--json").stdout)
    assert (distilled["kept"], distilled["dropped"]) == (2, 2)


def test_a_role_that_cannot_be_is_refused(oasis: Any, own_file: Path, tmp_path: Path) -> None:
    server = "openai/m@http://127.0.0.1:9/v1"
    other = "openai/n@http://127.0.0.1:9/v1"
    # Other frames of the video are not enough: a validator's answers are read under standard.
    for diagnostic in ("blind", "uniform_16"):
        done = oasis("audit", own_file, "-m", server, "--validator", other, "-d", diagnostic)
        assert done.returncode == 2
        assert "so add --diagnostic standard" in done.stderr
    done = oasis("audit", own_file, "--spare", server, "--plan", "lazy")
    assert done.returncode == 2
    assert "use --plan full" in done.stderr
    (tmp_path / "none.toml").write_text(
        f'[[benchmarks]]\npath = "{own_file}"\n[[models]]\nmodel = "{server}"\nrole = "spare"\n'
    )
    assert "no model has a vote" in oasis("audit", "--settings", "none.toml").stderr
    (tmp_path / "odd.toml").write_text(
        f'[[benchmarks]]\npath = "{own_file}"\n[[models]]\nmodel = "{server}"\nrole = "judge"\n'
    )
    done = oasis("audit", "--settings", "odd.toml")
    assert "role is 'judge'; expected one of voter, spare, validator" in done.stderr
