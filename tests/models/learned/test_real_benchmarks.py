"""Learned models find what the text of released benchmarks gives away.

The expected accuracies were measured on the same files by a plain conditional logit of other
making, in five folds grouped by video.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.loading import read_contents
from video_oasis.media.frames import ReadPicture
from video_oasis.models.learned import open_model
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Answer, Sample, Trial

BlindTrials = Callable[[Sequence[Sample]], list[Trial]]
IsRight = Callable[[Trial, Answer], bool]
NO_PICTURES: ReadPicture = dict[str, bytes]().__getitem__


@pytest.mark.parametrize(
    ("benchmark", "name", "percent"),
    [("egoschema", "forest", 56.6), ("implicitqa", "neighbours", 42.5)],
)
def test_level_with_a_plain_logit(
    benchmark: str,
    name: str,
    percent: float,
    shared_data: Path,
    blind_trials: BlindTrials,
    is_right: IsRight,
) -> None:
    samples = read_contents(BENCHMARKS[benchmark], shared_data / "annotations" / benchmark).samples
    trials = blind_trials(samples)
    answers = open_model(name, ModelSettings()).answer_all(trials, NO_PICTURES).answers
    assert 100 * sum(map(is_right, trials, answers)) / len(trials) >= percent


def test_tvbench_by_task(shared_data: Path, blind_trials: BlindTrials, is_right: IsRight) -> None:
    contents = read_contents(BENCHMARKS["tvbench"], shared_data / "annotations" / "tvbench")
    trials = blind_trials(contents.samples)
    fitted = open_model("logistic", ModelSettings()).answer_all(trials, NO_PICTURES)
    right = [is_right(trial, answer) for trial, answer in zip(trials, fitted.answers, strict=True)]

    def percent(task: str) -> float:
        of_task = [
            hit for trial, hit in zip(trials, right, strict=True) if trial.sample.task == task
        ]
        return 100 * sum(of_task) / len(of_task)

    assert 100 * sum(right) / len(right) >= 48.7
    assert (
        percent("egocentric_sequence") == 100
    )  # right sequences recur, wrong ones are never right
    assert percent("action_count") >= 54  # the question's text alone
    features = [finding.feature for finding in fitted.findings if finding.task == "action_count"]
    assert any("distinct" in feature and feature.endswith('"5"') for feature in features)
