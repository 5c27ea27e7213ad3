"""Calibration and the demo as a user runs them, through real videos and a real HTTP server."""

import json
from pathlib import Path
from typing import Any

import pytest

from video_oasis.calibration import Recipe
from video_oasis.cli import calibrate as command
from video_oasis.config import AuditSettings, ModelEntry


def test_a_served_model_is_calibrated_once_and_its_answers_are_kept(
    oasis: Any, eyes: Any, tmp_path: Path
) -> None:
    arguments = ["calibrate", "--samples", 60, "--model", f"openai/eyes@{eyes.url}", "--out", "c"]
    done = oasis(*arguments)
    assert done.returncode == 0, done.stderr
    assert "SOUND: " in done.stdout
    # Eyes tell light from dark and nothing that was planted.
    assert "No power: center_frame at 1 of 1 finds " in done.stdout
    assert "Not asked, as none of the models can take it: bag_of_frames." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert (tmp_path / "c/calibration/calibration.html").is_file()
    assert (tmp_path / "c/run/report/report.html").is_file()
    plain = json.loads((tmp_path / "c/calibration/calibration.json").read_text())
    assert plain["n_samples"] == 60
    assert plain["is_sound"] is True

    n_asked = len(eyes.shown)
    again = oasis(*arguments, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == plain
    assert len(eyes.shown) == n_asked

    other = oasis(*arguments[:2], 61, *arguments[3:])
    assert other.returncode == 2
    assert "c: holds a calibration of 60 samples with seed 0" in other.stderr


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--samples", 7), "expected 60 to 5000"),
        (("--model", "learned/forst"), "did you mean forest?"),
        (("--settings", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_drawn(
    oasis: Any, tmp_path: Path, flags: tuple[object, ...], message: str
) -> None:
    done = oasis("calibrate", *flags, "--out", "c")
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "c").exists()


def test_the_demo_goes_from_clips_to_a_distilled_set(
    oasis: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = command.run_calibration

    def run_small(settings: AuditSettings, folder: Any, recipe: Recipe) -> command.Calibrated:
        assert len(settings.models) == 3
        assert recipe.n_samples > 60
        quick = AuditSettings(models=(ModelEntry("learned/neighbours"),), n_resamples=100)
        return whole(quick, folder, Recipe(n_samples=60))

    monkeypatch.setattr(command, "run_calibration", run_small)
    done = oasis("demo", "--out", "here")
    assert done.returncode == 0, done.stderr
    for line in (
        "What tests find of each kind, %.",
        "Threshold: ",
        "For a person to look at, samples by ambiguity check: ",
        "Distilled at threshold ",
        "oasis review here/run",
    ):
        assert line in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    for kind in ("blind", "audio", "summary", "center_frame", "order_free", "native", "defective"):
        assert f"{kind} " in done.stdout
    distilled = tmp_path / "here/run/distilled"
    assert (distilled / "README.md").is_file()
    assert (tmp_path / "here/calibration/calibration.html").is_file()
    assert "oasis audit YOUR_FILE" in done.stderr
