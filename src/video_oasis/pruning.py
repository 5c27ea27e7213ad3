"""Removes the samples that text gives away most, in rounds, fitting anew after each.

After the iterative bias pruning of arXiv 2511.04655. A fitted model finds the samples; the rest is
fitted again, since what gave away the removed ones may have taught the model about others. Choosing
samples by a model's own scores makes that model look worse on the rest than it is, so the fall is
also measured by another model, which chooses nothing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.errors import MediaError, SettingsError
from video_oasis.models.interface import FittedModel
from video_oasis.schema import Sample, Trial

_FEWEST: Final = 20
"""Fewer samples than this cannot be fitted, so no round goes below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneSettings:
    """When to stop, and how much to remove at a time.

    Attributes:
        share_per_round: of the samples at the start, so many are removed in each round.
        stop_excess: stop once the choosing model's accuracy is no more than this above chance.
        max_removed: stop before more than this share of the samples is removed.
    """

    share_per_round: float = 0.05
    stop_excess: float = 0.02
    max_removed: float = 0.5

    def __post_init__(self) -> None:
        """Check the shares.

        Raises:
            SettingsError: one is out of range.
        """
        for name in ("share_per_round", "max_removed"):
            if not 0 < getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; expected between 0 and 1")
        if not 0 <= self.stop_excess < 1:
            raise SettingsError(f"stop_excess is {self.stop_excess}; expected 0 to below 1")


@dataclass(frozen=True, slots=True)
class PruneRound:
    """What was measured before samples were removed in a round.

    Attributes:
        number: the round, from 0.
        n_samples: samples that were left.
        chance: their mean chance level.
        accuracy: accuracy of the choosing model.
        validator_accuracy: accuracy of the model that chooses nothing.
        removed: ids of the samples removed then, the most given away first; empty in the last.
    """

    number: int
    n_samples: int
    chance: float
    accuracy: float
    validator_accuracy: float
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pruning:
    """The rounds of one benchmark, and what is left of it.

    Attributes:
        benchmark: the benchmark.
        rounds: all rounds; the last removed nothing.
        kept: ids of the samples left, in published order.
        stopped_by: ``level_reached``, ``max_removed``, ``too_few`` or ``nothing_given_away``.
    """

    benchmark: str
    rounds: tuple[PruneRound, ...]
    kept: tuple[str, ...]
    stopped_by: str


Listener = Callable[[PruneRound], None]


def prune(
    samples: Sequence[Sample],
    model: FittedModel,
    validator: FittedModel,
    settings: PruneSettings,
    *,
    listener: Listener = lambda _: None,
) -> Pruning:
    """Remove the most given away samples of one benchmark until text says little more.

    A sample is given away by the probability that the model, fitted to the others, gives its right
    choice; ones at or below chance are never removed.

    Args:
        samples: the samples of one benchmark.
        model: what chooses.
        validator: what measures beside it.
        settings: how much to remove and when to stop.
        listener: told of each round.

    Raises:
        SettingsError: there are too few samples to fit anything.
    """
    if len(samples) < _FEWEST:
        raise SettingsError(
            f"{len(samples)} samples are too few to prune; expected at least {_FEWEST}"
        )
    per_round = max(1, round(settings.share_per_round * len(samples)))
    fewest = max(_FEWEST, math.ceil((1 - settings.max_removed) * len(samples)))
    left = list(samples)
    rounds: list[PruneRound] = []
    while True:
        chance = sum(sample.chance for sample in left) / len(left)
        scores, accuracy = _fit(left, model)
        _, validator_accuracy = _fit(left, validator)
        given_away = sorted(
            (sample for sample in left if scores[sample.id] > sample.chance),
            key=lambda sample: (sample.chance - scores[sample.id], sample.id),
        )
        removed = given_away[: min(per_round, len(left) - fewest)]
        stopped_by = ""
        if accuracy - chance <= settings.stop_excess:
            stopped_by = "level_reached"
        elif not given_away:
            stopped_by = "nothing_given_away"
        elif not removed:
            reached = len(left) <= math.ceil((1 - settings.max_removed) * len(samples))
            stopped_by = "max_removed" if reached else "too_few"
        ids = () if stopped_by else tuple(sample.id for sample in removed)
        rounds.append(PruneRound(len(rounds), len(left), chance, accuracy, validator_accuracy, ids))
        listener(rounds[-1])
        if stopped_by:
            return Pruning(
                benchmark=samples[0].benchmark,
                rounds=tuple(rounds),
                kept=tuple(sample.id for sample in left),
                stopped_by=stopped_by,
            )
        gone = set(ids)
        left = [sample for sample in left if sample.id not in gone]


def _fit(samples: Sequence[Sample], model: FittedModel) -> tuple[dict[str, float], float]:
    """Return the probability of each sample's right choice, and the share answered right."""
    blind = DIAGNOSTICS["blind"]
    trials: list[Trial] = [
        trial for sample in samples for trial in blind.trials(sample, Evidence())
    ]
    answers = model.answer_all(trials, _no_picture).answers
    scores: dict[str, float] = {}
    n_right = 0
    for trial, answer in zip(trials, answers, strict=True):
        sample = trial.sample
        n_right += sample.is_correct(trial.order[trial.request.letters.index(answer.text)])
        scores[sample.id] = sum(
            probability
            for probability, choice in zip(
                answer.letter_probabilities or (), trial.order, strict=True
            )
            if sample.is_correct(choice)
        )
    return scores, n_right / len(trials)


def _no_picture(digest: str) -> bytes:
    raise MediaError("frame_lost", f"{digest}: no frames are shown when text is pruned")
