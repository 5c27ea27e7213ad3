"""Everything known of the judges of a run, as one plain structure that its files render."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from video_oasis.analysis.grades.summary import GradeSummary
from video_oasis.report.document import BenchmarkRows, ExcludedCount, LackingVideo, ModelRecord


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """What a judge is.

    Attributes:
        name: the name it is shown under.
        given: what it is, as the settings name it.
        family: its family, if it is a model and that is known; empty otherwise.
        rule: by what rule it judges; empty for a model.
        description: of a model, all that its id is made from; empty for a rule.
        id: of a model, its id; empty for a rule.
    """

    name: str
    given: str
    family: str
    rule: str
    description: Mapping[str, Any]
    id: str

    @property
    def is_model(self) -> bool:
        """Whether it is a model."""
        return not self.rule


@dataclass(frozen=True, slots=True)
class StatusCount:
    """How many answers of a model, or grades of a judge, have one status for one reason.

    Attributes:
        who: the model or the judge.
        what: ``answers`` or ``grades``.
        status: the status.
        reason: why, in a constant word; empty where there is an answer or a grade.
        n: how many; probes are among the grades.
    """

    who: str
    what: str
    status: str
    reason: str
    n: int


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """What judges make of a run's answers, and what they are worth.

    Attributes:
        version: the version of this package.
        settings: what was asked, as plain data.
        rows: what became of the benchmarks' rows.
        models: the models that answered.
        families: their families, where known.
        judges: the judges.
        statuses: what became of answers and grades.
        summary: what the grades say.
        lacking: videos that lack what some diagnostic shows of them.
        excluded: questions that were not asked, as a diagnostic does not apply to them.
    """

    version: str
    settings: Mapping[str, Any]
    rows: tuple[BenchmarkRows, ...]
    models: tuple[ModelRecord, ...]
    families: Mapping[str, str]
    judges: tuple[JudgeRecord, ...]
    statuses: tuple[StatusCount, ...]
    summary: GradeSummary
    lacking: tuple[LackingVideo, ...]
    excluded: tuple[ExcludedCount, ...]

    @property
    def has_several_benchmarks(self) -> bool:
        """Whether results over all benchmarks are more than those of the only one."""
        return len(self.rows) > 1

    def to_plain(self) -> dict[str, Any]:
        """Return nested dicts that JSON can carry; what is undefined is None."""
        return asdict(self)
