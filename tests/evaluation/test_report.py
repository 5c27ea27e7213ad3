"""The files of an evaluation, and what they say that numbers do not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from video_oasis.errors import RunError
from video_oasis.evaluation.contenders import gather
from video_oasis.evaluation.evaluate import evaluate
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.evaluation.sets import choose_set
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.files import write_evaluation
from video_oasis.report.evaluation.sentences import write_caveats, write_verdict
from video_oasis.schema import Sample, Video

MakeRun = Callable[..., AnsweredRun]

HOSTILE = "<script>alert(1)</script> | a_b & 50% \\"


@pytest.fixture
def report(make_run: MakeRun, make_sample: Callable[..., Sample]) -> EvaluationReport:
    """Twenty samples: one model gets all right, the hostile one none, the third half of ten."""
    samples = [make_sample(id=f"s{n:02}", video=Video(f"v{n}.mp4")) for n in range(20)]
    gathered = gather(
        [
            make_run("a", samples, {"best": [1] * 20, HOSTILE: [0] * 20}),
            make_run("b", samples[:10], {"half": [1, 0] * 5}),
        ]
    )
    return evaluate(gathered, [choose_set("original", gathered, [])], n_resamples=200)


def test_every_file_is_written_and_names_stay_names(
    report: EvaluationReport, tmp_path: Path
) -> None:
    files = write_evaluation(report, tmp_path / "evaluation")
    assert [file.name for file in files[:3]] == [
        "evaluation.html", "evaluation.md", "evaluation.json",
    ]  # fmt: skip
    assert all(file.is_file() for file in files)
    page = files[0].read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\\<script\\>alert(1)" in files[1].read_text()
    assert (
        r"\textless{}script\textgreater{}"
        in (tmp_path / "evaluation/tables/overview.tex").read_text()
    )
    plain = json.loads(files[2].read_text())
    assert plain["sets"][0]["n_samples"] == 20
    assert plain["verdict"] == write_verdict(report)


def test_the_verdict_names_the_best_and_those_who_guess(report: EvaluationReport) -> None:
    best, even, guessing = write_verdict(report)
    assert best.startswith("Best on original: best with 100.0 [")
    # Five of ten samples alone are too few: exact p 2 / 32, and three pairs.
    assert even == "Not told apart from it: half."
    assert guessing.startswith("Not above chance on original: ")
    assert HOSTILE in guessing
    assert "best" not in guessing


def test_a_model_of_a_part_is_said_to_be_one(report: EvaluationReport) -> None:
    assert write_caveats(report) == ["half was asked about 10 of the 20 samples of original."]


def test_a_folder_that_cannot_be_written_is_told(report: EvaluationReport, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="the evaluation cannot be written there"):
        write_evaluation(report, tmp_path / "file")
