"""Samples × diagnostics × models to what has to be asked; nothing is asked here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.errors import SettingsError
from video_oasis.evidence.wanted import Timelines, timeline_key
from video_oasis.hashing import content_id
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.models.interface import FittedModel, Model
from video_oasis.schema import Sample, Trial
from video_oasis.store import AnswerKey, Store, make_model_id


@dataclass(frozen=True, slots=True)
class Unshown:
    """A sample that a model cannot be asked about, because there are no frames to show.

    Attributes:
        sample: the sample.
        failure: why its video cannot be shown; None if the video has not been looked at yet.
        n_requests: the most requests that would be made of it.
        n_frames: the most frames in all of them, as far as the video's length is published.
    """

    sample: Sample
    failure: MediaFailure | None
    n_requests: int
    n_frames: int


@dataclass(frozen=True, slots=True)
class Trials:
    """What one diagnostic makes of the samples of one benchmark.

    Attributes:
        asked: the trials to ask.
        unshown: the samples without frames; their answers are errors or missing, never wrong.
        degenerate: ids of samples of which nothing would be withheld: the model would see, in
            order, no fewer frames than ``standard`` shows. They are not asked and say nothing.
    """

    asked: tuple[Trial, ...]
    unshown: tuple[Unshown, ...] = ()
    degenerate: tuple[str, ...] = ()


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
        n_unshown: samples whose video is known not to be usable.
        n_degenerate: samples of which the diagnostic withholds nothing.
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
    n_degenerate: int
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
    timelines: Timelines = MappingProxyType({}),
    frames: FrameSettings | None = None,
    n_draws: int = 1,
) -> tuple[Assignment, ...]:
    """Assign every trial of every diagnostic on every sample to every model that can take it.

    A model of text is given no diagnostic that shows frames (see ``list_skipped``).

    Args:
        samples: the samples, of one or more benchmarks.
        diagnostics: the diagnostics.
        models: the models by the name to show them under.
        timelines: what came of the samples' videos, as far as they have been looked at.
        frames: the frame budget that the timelines were taken with; None for the default.
        n_draws: independent answers per trial; fitted models, being deterministic, give one.

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
                budget = model.max_frames
                if budget not in by_budget:
                    by_budget[budget] = _make_trials(
                        its_samples, diagnostic, timelines, frames, budget
                    )
                assignments.append(
                    _assign(benchmark, diagnostic, name, model, by_budget[budget], n_draws)
                )
    return tuple(assignments)


def list_skipped(
    diagnostics: Sequence[Diagnostic], models: Mapping[str, Model]
) -> dict[str, tuple[str, ...]]:
    """Return for each model of text the diagnostics it is not asked, because they show frames."""
    skipped = {
        name: tuple(each.name for each in diagnostics if not _can_take(model, each))
        for name, model in models.items()
    }
    return {name: diagnostics for name, diagnostics in skipped.items() if diagnostics}


def _can_take(model: Model, diagnostic: Diagnostic) -> bool:
    return diagnostic.sampling is None or model.max_frames != 0


def check_models(diagnostics: Sequence[Diagnostic], models: Mapping[str, Model]) -> None:
    """Check that every diagnostic has a model that can take what it shows.

    Raises:
        SettingsError: one has none.
    """
    for diagnostic in diagnostics:
        if not any(_can_take(model, diagnostic) for model in models.values()):
            raise SettingsError(
                f"diagnostic {diagnostic.name} shows frames, and none of the models takes any: "
                f"{', '.join(models)}. Add a model that sees, such as --model "
                f"openai/MODEL@http://localhost:8000/v1, or leave the diagnostic out"
            )


def _assign(
    benchmark: str,
    diagnostic: Diagnostic,
    name: str,
    model: Model,
    trials: Trials,
    n_draws: int,
) -> Assignment:
    is_fitted = isinstance(model, FittedModel)
    description = (
        model.describe(trials.asked) if isinstance(model, FittedModel) else model.describe()
    )
    return Assignment(
        benchmark=benchmark,
        diagnostic=diagnostic.name,
        model=model,
        model_name=name,
        model_id=make_model_id(description),
        description=description,
        trials=trials,
        n_draws=1 if is_fitted else n_draws,
    )


def _make_trials(
    samples: Sequence[Sample],
    diagnostic: Diagnostic,
    timelines: Timelines,
    settings: FrameSettings,
    max_frames: int | None,
) -> Trials:
    asked: list[Trial] = []
    unshown: list[Unshown] = []
    degenerate: list[str] = []
    for sample in samples:
        if diagnostic.sampling is None:
            asked += diagnostic.trials(sample, Evidence())
            continue
        sampling = diagnostic.sampling(sample, settings)
        timeline = timelines.get(timeline_key(sample, sampling))
        if not isinstance(timeline, Timeline):
            n_frames = sampling.count_at_most(sample.video.duration_seconds)
            unshown.append(Unshown(sample, timeline, diagnostic.n_requests, n_frames))
            continue
        evidence = Evidence(timeline.frames, max_frames, settings.seed)
        trials = diagnostic.trials(sample, evidence)
        if _withholds_nothing(diagnostic, trials, timeline, evidence, settings):
            degenerate.append(sample.id)
        else:
            asked += trials
    return Trials(tuple(asked), tuple(unshown), tuple(degenerate))


def _withholds_nothing(
    diagnostic: Diagnostic,
    trials: Sequence[Trial],
    timeline: Timeline,
    evidence: Evidence,
    settings: FrameSettings,
) -> bool:
    """Tell whether a test shows, in order, no fewer frames than ``standard`` would.

    Digests are compared, not times: a clip whose frames all look the same is the same backwards.
    """
    if diagnostic.axis is Axis.REFERENCE or len(trials) != 1:
        return False
    shown = trials[0].request.pictures
    if shown != tuple(frame.digest for frame in evidence.thin(evidence.frames)):
        return False
    if diagnostic.changes_order:
        return True
    n_moments = len(settings.at_fixed_rate.times(0.0, timeline.window_seconds))
    n_standard = min(n_moments, timeline.n_window_frames, evidence.max_frames or n_moments)
    return len(shown) >= n_standard


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
        n_degenerate=len(assignment.trials.degenerate),
        n_prompt_characters=sum(
            len(trial.request.system) + len(trial.request.text) for trial in sent
        ),
        n_frames=sum(len(trial.request.frames) for trial in sent)
        + assignment.n_draws * sum(each.n_frames for each in waiting),
        is_exact=not waiting,
    )
