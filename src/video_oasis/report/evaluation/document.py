"""Everything an evaluation found, as one plain structure that its files render."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from video_oasis.analysis.evaluation import SetFindings
from video_oasis.analysis.gap import GapRow
from video_oasis.analysis.reproduction import ReproductionRow


@dataclass(frozen=True, slots=True)
class Contender:
    """One model as it was shown the videos: under one diagnostic, with one frame budget.

    Attributes:
        label: its name in every table, unique within an evaluation.
        model: the name that its runs show the model under.
        diagnostic: the diagnostic.
        max_frames: the most frames that one request shows it.
        n_requests: requests that it is asked, whatever the draws.
        n_frames: the frames in all of them.
        ids: the model's ids.
        description: all that the ids are made from, but for the samples a fitted model saw.
        protocol: the other settings that change what it is shown or how its answers count.
        runs: the runs that its answers come from.
    """

    label: str
    model: str
    diagnostic: str
    max_frames: int
    n_requests: int
    n_frames: int
    ids: tuple[str, ...]
    description: Mapping[str, Any]
    protocol: Mapping[str, Any]
    runs: tuple[str, ...]

    @property
    def mean_frames(self) -> float | None:
        """Frames that a request shows on average; None if there is no request."""
        return self.n_frames / self.n_requests if self.n_requests else None


class Reasoning(StrEnum):
    """How a model comes to its answer."""

    DIRECT = "direct"
    """It answers at once."""
    THINKING = "thinking"
    """It always reasons first."""
    ADAPTIVE = "adaptive"
    """It decides for itself whether to."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model that no run records.

    Attributes:
        model: the contender's label.
        base: the model that it shares its beginnings with; empty if not stated.
        reasoning: how it comes to its answers; None if not stated.
        rewards: the rewards it was or was not trained with, by name.
    """

    model: str
    base: str = ""
    reasoning: Reasoning | None = None
    rewards: Mapping[str, bool] | None = None


@dataclass(frozen=True, slots=True)
class SetRecord:
    """Which samples a set has.

    Attributes:
        name: its name in every table.
        id: content id over its samples and their targets.
        source: where the list of its samples comes from.
        n_samples: its samples.
        n_absent: samples of the source that none of the runs has.
        n_corrected: samples scored by a corrected target.
        benchmarks: samples by benchmark.
        voters: labels of the contenders whose answers helped to choose the set.
        is_dropped: whether it has what a distilled set drops, not what it keeps.
    """

    name: str
    id: str
    source: str
    n_samples: int
    n_absent: int
    n_corrected: int
    benchmarks: Mapping[str, int]
    voters: tuple[str, ...]
    is_dropped: bool


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What an evaluation found.

    Attributes:
        version: the version of this package.
        n_resamples: bootstrap resamples behind each interval.
        contenders: what was evaluated.
        facts: what is known of the models besides, by label.
        sets: the sets of samples.
        findings: what was found of each, in the same order.
        groupings: the groupings.
        main_grouping: the one whose groups stand beside the whole in the tables of views, reasoning
            and training; empty for none.
        gaps: the original set against each other one, by the other's name; empty unless the
            original set is among them.
        reproduction: official scores against ours; empty without official scores.
    """

    version: str
    n_resamples: int
    contenders: tuple[Contender, ...]
    facts: Mapping[str, ModelFacts]
    sets: tuple[SetRecord, ...]
    findings: tuple[SetFindings, ...]
    groupings: tuple[str, ...]
    main_grouping: str
    gaps: Mapping[str, tuple[GapRow, ...]]
    reproduction: tuple[ReproductionRow, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return nested dicts that JSON can carry; what is undefined is None."""
        return asdict(self)
