"""Pruning: what text gives away goes first, what it does not stays, and it ends when told."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from video_oasis.errors import SettingsError
from video_oasis.models import open_model
from video_oasis.models.interface import FittedAnswers, FittedModel
from video_oasis.pruning import PruneSettings, prune
from video_oasis.schema import Answer, Form, Sample, Trial, Video

MakeSample = Callable[..., Sample]


class Scripted:
    """A fitted model of the tests' own that gives each right choice a known probability."""

    name = "scripted"
    max_frames = 0
    forms = frozenset({Form.QUESTION})

    def __init__(self, probabilities: dict[str, float]) -> None:
        self.probabilities = probabilities
        self.seen: list[int] = []

    def describe(self, trials: Sequence[Trial]) -> dict[str, Any]:
        return {"n": len(trials)}

    def answer_all(self, trials: Sequence[Trial], _read: Any) -> FittedAnswers:
        self.seen.append(len(trials))
        answers = []
        for trial in trials:
            right = self.probabilities[trial.sample.id]
            of_choices = [(1 - right) / 3] * 4
            of_choices[trial.sample.target] = right
            letter = trial.request.letters[of_choices.index(max(of_choices))]
            answers.append(Answer(letter, letter_probabilities=tuple(of_choices)))
        return FittedAnswers(answers, [])


def make_samples(make_sample: MakeSample, n: int) -> list[Sample]:
    return [make_sample(id=f"s{number:03}", video=Video(f"v{number}")) for number in range(n)]


def test_the_most_given_away_go_first(make_sample: MakeSample) -> None:
    samples = make_samples(make_sample, 40)
    # Twelve are given away, more and more so; the others are answered wrong.
    scores = {sample.id: 0.5 + 0.04 * i if i < 12 else 0.1 for i, sample in enumerate(samples)}
    validator = Scripted(dict.fromkeys(scores, 0.1))
    pruning = prune(
        samples, Scripted(scores), validator, PruneSettings(share_per_round=0.1, stop_excess=0.0)
    )
    # 12 of 40 right is above chance, 8 of 36 is not.
    assert [each.removed for each in pruning.rounds] == [("s011", "s010", "s009", "s008"), ()]
    assert [each.accuracy for each in pruning.rounds] == [12 / 40, 8 / 36]
    assert [each.validator_accuracy for each in pruning.rounds] == [0.0, 0.0]
    assert pruning.stopped_by == "level_reached"


def test_it_stops_at_the_level(make_sample: MakeSample) -> None:
    samples = make_samples(make_sample, 100)
    scores = {sample.id: 0.9 if i < 60 else 0.1 for i, sample in enumerate(samples)}
    model = Scripted(scores)
    settings = PruneSettings(share_per_round=0.1, stop_excess=0.15, max_removed=0.9)
    pruning = prune(samples, model, Scripted(scores), settings)
    # Right: 60/100, 50/90, 40/80 and 30/70 = 0.43, 20/60 = 0.33, no more than 0.15 above 0.25.
    assert [round_.n_samples for round_ in pruning.rounds] == [100, 90, 80, 70, 60]
    assert [round(round_.accuracy, 2) for round_ in pruning.rounds] == [0.6, 0.56, 0.5, 0.43, 0.33]
    assert pruning.stopped_by == "level_reached"
    assert len(pruning.kept) == 60
    assert model.seen == [100, 90, 80, 70, 60]


def test_it_removes_no_more_than_it_may(make_sample: MakeSample) -> None:
    samples = make_samples(make_sample, 100)
    model = Scripted({sample.id: 0.9 for sample in samples})
    settings = PruneSettings(share_per_round=0.2, max_removed=0.5)
    pruning = prune(samples, model, model, settings)
    assert [len(round_.removed) for round_ in pruning.rounds] == [20, 20, 10, 0]
    assert pruning.stopped_by == "max_removed"
    assert len(pruning.kept) == 50


def test_what_is_at_or_below_chance_is_never_removed(make_sample: MakeSample) -> None:
    samples = make_samples(make_sample, 40)
    scores = {sample.id: 0.9 if i < 20 else 0.25 for i, sample in enumerate(samples)}
    settings = PruneSettings(share_per_round=0.9, max_removed=0.9, stop_excess=0.0)
    pruning = prune(samples, Scripted(scores), Scripted(scores), settings)
    assert pruning.kept == tuple(sample.id for sample in samples[20:])


def test_too_few_samples_are_refused(make_sample: MakeSample) -> None:
    model = Scripted({})
    with pytest.raises(SettingsError, match="19 samples are too few"):
        prune(make_samples(make_sample, 19), model, model, PruneSettings())


@pytest.mark.parametrize(
    "wrong", [{"share_per_round": 0.0}, {"max_removed": 1.0}, {"stop_excess": -0.1}]
)
def test_shares_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        PruneSettings(**wrong)


def test_a_learned_model_prunes_what_a_word_gives_away(make_sample: MakeSample) -> None:
    samples = []
    for number in range(80):
        choices = ["red", "green", "grey", "white"]
        target = hashlib.sha256(f"{number}".encode()).digest()[0] % 4
        if number % 2:
            choices[target] = "blue"
        samples.append(
            make_sample(
                id=f"s{number:03}",
                video=Video(f"v{number}"),
                question=f"What colour is thing {number}?",
                choices=tuple(choices),
                target=target,
            )
        )
    model, validator = open_model("learned/logistic"), open_model("learned/neighbours")
    assert isinstance(model, FittedModel)
    assert isinstance(validator, FittedModel)
    settings = PruneSettings(share_per_round=0.25, max_removed=0.5)
    pruning = prune(samples, model, validator, settings)
    removed = [each for round_ in pruning.rounds for each in round_.removed]
    given_away = {sample.id for sample in samples if "blue" in sample.choices}
    assert len(set(removed) & given_away) >= 36
    assert pruning.rounds[-1].validator_accuracy < pruning.rounds[0].validator_accuracy - 0.2
