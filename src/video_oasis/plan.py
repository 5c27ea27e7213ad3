"""Samples × diagnostics × models to what has to be asked; nothing is asked here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from video_oasis.diagnostics.interface import Diagnostic
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.models.interface import FittedModel, Model
from video_oasis.schema import Sample, Trial
from video_oasis.store import AnswerKey, Store, make_model_id


@dataclass(frozen=True, slots=True)
class Assignment:
    """The trials of one benchmark under one diagnostic, given to one model.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        model_name: the name it is shown under.
        model_id: its content id; a fitted model's covers these very trials.
        description: the plain data that the id is made from.
        trials: the trials.
        n_draws: how many independent answers each trial gets.
    """

    benchmark: str
    diagnostic: str
    model: Model
    model_name: str
    model_id: str
    description: Mapping[str, Any]
    trials: tuple[Trial, ...]
    n_draws: int

    def key(self, trial: Trial, draw: int) -> AnswerKey:
        """Return what the answer to this trial is stored under.

        An asked model's answer depends on the request alone, so equal requests share one answer. A
        fitted model's depends on which samples its fit saw as well: equal requests of two samples
        in different folds have different answers, and neither may be given to the other.
        """
        if isinstance(self.model, FittedModel):
            fitted = {"request": trial.request.id, "sample": trial.sample.id}
            return AnswerKey(content_id("fitted1", fitted), draw)
        return AnswerKey(trial.request.id, draw)

    def asks(self) -> Iterator[tuple[AnswerKey, Trial]]:
        """Give every key once with a trial that it answers, in the order to ask."""
        seen: set[AnswerKey] = set()
        for draw in range(self.n_draws):
            for trial in self.trials:
                key = self.key(trial, draw)
                if key not in seen:
                    seen.add(key)
                    yield key, trial


@dataclass(frozen=True, slots=True)
class Cost:
    """What one assignment takes.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model's name.
        n_trials: answers that the table needs.
        n_asks: different questions among them.
        n_stored: questions answered already.
        n_prompt_characters: length of the prompts that are still to be sent; none are to a fitted
            model.
    """

    benchmark: str
    diagnostic: str
    model: str
    n_trials: int
    n_asks: int
    n_stored: int
    n_prompt_characters: int

    @property
    def n_left(self) -> int:
        """Questions still to ask."""
        return self.n_asks - self.n_stored


def make_plan(
    samples: Sequence[Sample],
    diagnostics: Sequence[Diagnostic],
    models: Mapping[str, Model],
    *,
    n_draws: int = 1,
) -> tuple[Assignment, ...]:
    """Assign every trial of every diagnostic on every sample to every model.

    Args:
        samples: the samples, of one or more benchmarks.
        diagnostics: the diagnostics.
        models: the models by the name to show them under.
        n_draws: independent answers per trial; fitted models, being deterministic, give one.

    Returns:
        The assignments: benchmark by benchmark in order of appearance, then diagnostics, then
        models in the order given.

    Raises:
        SettingsError: there is nothing to plan.
    """
    if not samples or not diagnostics or not models:
        raise SettingsError(
            f"nothing to ask: {len(samples)} samples, {len(diagnostics)} diagnostics and "
            f"{len(models)} models; each needs at least one"
        )
    by_benchmark: dict[str, list[Sample]] = {}
    for sample in samples:
        by_benchmark.setdefault(sample.benchmark, []).append(sample)
    assignments = []
    for benchmark, its_samples in by_benchmark.items():
        for diagnostic in diagnostics:
            trials = tuple(trial for sample in its_samples for trial in diagnostic.trials(sample))
            for name, model in models.items():
                fitted = isinstance(model, FittedModel)
                description = (
                    model.describe(trials) if isinstance(model, FittedModel) else model.describe()
                )
                assignments.append(
                    Assignment(
                        benchmark=benchmark,
                        diagnostic=diagnostic.name,
                        model=model,
                        model_name=name,
                        model_id=make_model_id(description),
                        description=description,
                        trials=trials,
                        n_draws=1 if fitted else n_draws,
                    )
                )
    return tuple(assignments)


def estimate_cost(assignment: Assignment, store: Store | None) -> Cost:
    """Count what an assignment would ask, and what of it is stored already.

    Args:
        assignment: the assignment.
        store: the answers of earlier runs, None if there are none.
    """
    stored = frozenset() if store is None else store.answer_keys(assignment.model_id)
    asks = list(assignment.asks())
    left = [trial for key, trial in asks if key not in stored]
    sent = [] if isinstance(assignment.model, FittedModel) else left
    return Cost(
        benchmark=assignment.benchmark,
        diagnostic=assignment.diagnostic,
        model=assignment.model_name,
        n_trials=len(assignment.trials) * assignment.n_draws,
        n_asks=len(asks),
        n_stored=len(asks) - len(left),
        n_prompt_characters=sum(
            len(trial.request.system) + len(trial.request.text) for trial in sent
        ),
    )
