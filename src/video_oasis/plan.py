"""Samples × diagnostics × models to what has to be asked; nothing is asked here."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Diagnostic
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import Prepared
from video_oasis.hashing import content_id
from video_oasis.models.interface import AskedModel, FittedModel, Model
from video_oasis.schema import Form, Sample, Trial
from video_oasis.store import AnswerKey, Store, make_model_id
from video_oasis.trials import Trials, make_trials

_CHAT_EXAMPLE: Final = "openai/MODEL@http://localhost:8000/v1"
_SUITED: Final = {
    Form.QUESTION: ("sees", _CHAT_EXAMPLE),
    Form.MATCHING: ("matches texts with pictures", "clip/open_clip/ViT-B-32:openai"),
    Form.OPEN: ("answers in words and takes what is shown", _CHAT_EXAMPLE),
}
"""What can take each form of question, in words and by an example."""


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
    trials: Trials
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
            for trial in self.trials.asked:
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
        n_unshown: samples without the evidence, as is known already.
        n_excluded: samples that the test says nothing about.
        n_prompt_characters: length of the prompts that are still to be sent, as far as their
            videos have been looked at; none are to a fitted model.
        n_frames: frames that are still to be sent.
        is_exact: whether every video has been looked at; otherwise the counts are upper bounds.
    """

    benchmark: str
    diagnostic: str
    model: str
    n_trials: int
    n_asks: int
    n_stored: int
    n_unshown: int
    n_excluded: int
    n_prompt_characters: int
    n_frames: int
    is_exact: bool

    @property
    def n_left(self) -> int:
        """Questions still to ask."""
        return self.n_asks - self.n_stored


def make_plan(
    samples: Sequence[Sample],
    diagnostics: Sequence[Diagnostic],
    models: Mapping[str, Model],
    *,
    prepared: Prepared | None = None,
    frames: FrameSettings | None = None,
    validators: Collection[str] = (),
    n_draws: int = 1,
    n_rotations: int = 1,
) -> tuple[Assignment, ...]:
    """Assign every trial of every diagnostic on every sample to every model that can take it.

    A model is given no diagnostic that shows what it cannot take (see ``list_skipped``).

    Args:
        samples: the samples, of one or more benchmarks.
        diagnostics: the diagnostics.
        models: the models by the name to show them under.
        prepared: what was made of the samples' videos; None if nothing has been yet.
        frames: the frame budget it was made with; None for the default.
        validators: models that are given reference diagnostics only.
        n_draws: independent answers per trial; fitted and matching models always give one.
        n_rotations: in how many rotations of its choices each sample is shown; matching models are
            shown one, as they look at each choice by itself.

    Returns:
        The assignments: benchmark by benchmark in order of appearance, then diagnostics, then
        models in the order given.

    Raises:
        SettingsError: there is nothing to plan, or no model can take one of the diagnostics.
    """
    if not samples or not diagnostics or not models:
        raise SettingsError(
            f"nothing to ask: {len(samples)} samples, {len(diagnostics)} diagnostics and "
            f"{len(models)} models; each needs at least one"
        )
    check_models(diagnostics, models)
    frames = frames or FrameSettings()
    prepared = prepared or Prepared()
    by_benchmark: dict[str, list[Sample]] = {}
    for sample in samples:
        by_benchmark.setdefault(sample.benchmark, []).append(sample)
    assignments = []
    for benchmark, its_samples in by_benchmark.items():
        for diagnostic in diagnostics:
            by_budget: dict[int | None, Trials] = {}
            for name, model in models.items():
                if not _can_take(model, diagnostic):
                    continue
                if name in validators and diagnostic.axis is not Axis.REFERENCE:
                    continue
                budget = model.max_frames
                if budget not in by_budget:
                    by_budget[budget] = make_trials(
                        its_samples, diagnostic, prepared, frames, budget, n_rotations
                    )
                assignments.append(
                    assign(benchmark, diagnostic.name, name, model, by_budget[budget], n_draws)
                )
    return tuple(assignments)


def list_skipped(
    diagnostics: Sequence[Diagnostic], models: Mapping[str, Model]
) -> dict[str, tuple[str, ...]]:
    """Return for each model the diagnostics it is not asked, as it cannot take what they show."""
    skipped = {
        name: tuple(each.name for each in diagnostics if not _can_take(model, each))
        for name, model in models.items()
    }
    return {name: diagnostics for name, diagnostics in skipped.items() if diagnostics}


def _can_take(model: Model, diagnostic: Diagnostic) -> bool:
    sees = diagnostic.sampling is None or model.max_frames != 0
    return sees and diagnostic.form in model.forms


def check_models(diagnostics: Sequence[Diagnostic], models: Mapping[str, Model]) -> None:
    """Check that every diagnostic has a model that can take what it shows.

    Raises:
        SettingsError: one has none.
    """
    for diagnostic in diagnostics:
        if not any(_can_take(model, diagnostic) for model in models.values()):
            needed, example = _SUITED[diagnostic.form]
            raise SettingsError(
                f"diagnostic {diagnostic.name}: none of the models can take what it shows "
                f"({diagnostic.evidence}): {', '.join(models)}. Add a model that {needed}, such as "
                f"--model {example}, or leave the diagnostic out"
            )


def assign(
    benchmark: str,
    diagnostic: str,
    name: str,
    model: Model,
    trials: Trials,
    n_draws: int = 1,
) -> Assignment:
    """Give trials to a model.

    Args:
        benchmark: the benchmark that they are about.
        diagnostic: name of the diagnostic, or what stands in its place.
        name: the name to show the model under.
        model: the model.
        trials: the trials.
        n_draws: independent answers per trial; fitted and matching models always give one.
    """
    is_deterministic = not isinstance(model, AskedModel)
    description = (
        model.describe(trials.asked) if isinstance(model, FittedModel) else model.describe()
    )
    return Assignment(
        benchmark=benchmark,
        diagnostic=diagnostic,
        model=model,
        model_name=name,
        model_id=make_model_id(description),
        description=description,
        trials=trials,
        n_draws=1 if is_deterministic else n_draws,
    )


def estimate_cost(assignment: Assignment, store: Store) -> Cost:
    """Count what an assignment would ask, and what of it is stored already.

    Args:
        assignment: the assignment.
        store: the answers of earlier runs.
    """
    stored = store.answer_keys(assignment.model_id)
    asks = list(assignment.asks())
    left = [trial for key, trial in asks if key not in stored]
    sent = [] if isinstance(assignment.model, FittedModel) else left
    waiting = [each for each in assignment.trials.unshown if each.failure is None]
    n_waiting = assignment.n_draws * sum(each.n_requests for each in waiting)
    return Cost(
        benchmark=assignment.benchmark,
        diagnostic=assignment.diagnostic,
        model=assignment.model_name,
        n_trials=len(assignment.trials.asked) * assignment.n_draws + n_waiting,
        n_asks=len(asks) + n_waiting,
        n_stored=len(asks) - len(left),
        n_unshown=len(assignment.trials.unshown) - len(waiting),
        n_excluded=len(assignment.trials.excluded),
        n_prompt_characters=sum(
            len(trial.request.system) + len(trial.request.text) for trial in sent
        ),
        n_frames=sum(len(trial.request.frames) for trial in sent)
        + assignment.n_draws * sum(each.n_frames for each in waiting),
        is_exact=not waiting,
    )
