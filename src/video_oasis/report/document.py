"""What a report is made from: everything one audit found, as plain frozen data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from video_oasis.analysis.summary import AuditSummary
from video_oasis.judgements.agreement import ReviewerAgreement
from video_oasis.judgements.refinement import RefinementRow
from video_oasis.judgements.rulings import JudgingRecord
from video_oasis.lazy.left_out import Saving


@dataclass(frozen=True, slots=True)
class BenchmarkRows:
    """What became of the rows of one benchmark's files.

    Attributes:
        benchmark: the benchmark.
        group: its group.
        path: where its files lie.
        n_rows: rows of the files.
        n_samples: multiple-choice questions among them.
        n_audited: samples of this audit; fewer than ``n_samples`` where it has a limit.
        n_open_questions: questions without choices.
        bad_rows: the rows left out because they cannot be read, each in one line.
    """

    benchmark: str
    group: str
    path: str
    n_rows: int
    n_samples: int
    n_audited: int
    n_open_questions: int
    bad_rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What a model is.

    Attributes:
        name: the name it is shown under.
        description: all that its id is made from, but for the samples a fitted model saw.
        ids: its ids; a fitted model has one for each benchmark and diagnostic.
    """

    name: str
    description: Mapping[str, Any]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelFinding:
    """A feature by which a fitted model tells right choices from wrong ones.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic it was fitted under.
        task: the task.
        model: the model.
        feature: the feature in words.
        effect: how far it moves the model, comparable within one model and task.
    """

    benchmark: str
    diagnostic: str
    task: str
    model: str
    feature: str
    effect: float


@dataclass(frozen=True, slots=True)
class LackingVideo:
    """A video that lacks what some diagnostic shows of it.

    Attributes:
        benchmark: the benchmark.
        path: the video as the benchmark names it.
        reason: what is lacking and a constant word for why, such as ``video_truncated``.
        message: what was found and what to do.
        sample_ids: the samples concerned.
    """

    benchmark: str
    path: str
    reason: str
    message: str
    sample_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExcludedCount:
    """Samples that one model was not asked under one diagnostic, as it says nothing about them.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        reason: a constant word for why.
        n_samples: how many.
    """

    benchmark: str
    diagnostic: str
    model: str
    reason: str
    n_samples: int


@dataclass(frozen=True, slots=True)
class CutCount:
    """Samples whose text a model is shown, or reads, only in part, because it is too long.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        n_samples: how many.
    """

    benchmark: str
    diagnostic: str
    model: str
    n_samples: int


@dataclass(frozen=True, slots=True)
class FateCount:
    """What becomes of the samples of one benchmark at the report's threshold.

    Attributes:
        benchmark: the benchmark; empty for all of several.
        n_samples: samples of the audit; the sum of all but ``n_lacking``.
        n_dropped: shortcuts in at least one test.
        n_kept: shortcuts in none.
        n_undecided: answers that could show them to be shortcuts are missing.
        n_untested: no test applies.
        n_lacking: those, of whatever fate, whose video lacks what some diagnostic shows of it.
        n_judged_defective: no known shortcuts, and dropped because people judged them defective.
    """

    benchmark: str
    n_samples: int
    n_dropped: int
    n_kept: int
    n_undecided: int
    n_untested: int
    n_lacking: int
    n_judged_defective: int = 0


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer of one model.

    Attributes:
        model: the model.
        draw: which of its independent answers to the same question.
        rotation: by how many positions the choices were shown rotated.
        status: a ``schema.Status``.
        reason: why there is no prediction; empty if there is one.
        prediction: index of the choice picked; None if none was.
        is_correct: whether it is right; None if none was picked.
    """

    model: str
    draw: int
    rotation: int
    status: str
    reason: str
    prediction: int | None
    is_correct: bool | None


@dataclass(frozen=True, slots=True)
class Showing:
    """One request about a sample: what was shown, and what the models answered.

    Attributes:
        test: the diagnostic.
        part: which of several requests that it makes of a sample; 0 for the only one.
        frames: digests of the frames in the order shown.
        text: what was shown besides question and choices, such as a transcript.
        answers: the answers of all models that were shown just this.
    """

    test: str
    part: int
    frames: tuple[str, ...]
    text: str
    answers: tuple[GivenAnswer, ...]


@dataclass(frozen=True, slots=True)
class Votes:
    """How many models of one test are right about a sample.

    Attributes:
        test: the test.
        votes: models that are right.
        n_models: models of the test.
        shortcut: whether it makes the sample a shortcut; None if that is not known.
    """

    test: str
    votes: int
    n_models: int
    shortcut: bool | None


@dataclass(frozen=True, slots=True)
class SampleView:
    """One sample in full: the question, what each test showed of its video, and the answers.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        task: its task.
        video: its video as the benchmark names it.
        question: the question.
        choices: the choices.
        target: index of the right choice.
        fate: ``dropped``, ``kept`` or ``undecided``.
        votes: the tests that apply to it.
        checks: the ambiguity checks that flag it, each with what was found.
        outside: the diagnostics that say nothing about it, each with the reason.
        showings: the requests made of it.
        judged: what people decided about it, in words; empty for nothing.
    """

    benchmark: str
    sample_id: str
    task: str
    video: str
    question: str
    choices: tuple[str, ...]
    target: int
    fate: str
    votes: tuple[Votes, ...]
    checks: Mapping[str, str]
    outside: Mapping[str, str]
    showings: tuple[Showing, ...]
    judged: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What people's judgements made of the samples.

    Attributes:
        record: which judgements these are.
        rows: the counts, check by check.
        agreement: how far reviewers agree; empty where no two judged one sample.
    """

    record: JudgingRecord
    rows: tuple[RefinementRow, ...]
    agreement: tuple[ReviewerAgreement, ...]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Everything a report shows.

    Attributes:
        version: version of this program.
        settings: the settings of the audit as resolved.
        rows: what became of the rows of each benchmark.
        models: the models.
        summary: the numbers.
        findings: what fitted models learned, strongest first within a model and task.
        samples: every sample under every diagnostic that asks once about it, with the columns of
            ``analysis.samples``.
        lacking: the videos that lack what a diagnostic shows of them.
        excluded: the samples that a diagnostic says nothing about.
        cut: the samples whose text is shown only in part.
        skipped: for each model the diagnostics it was not asked, as it cannot take what they show.
        threshold: how many models of one test must be right to make a sample a shortcut, in the
            headline, the pictures and the fates; the tables have every threshold.
        fates: what becomes of the samples of each benchmark, and last of all if there are several.
        views: the samples that are shown in full, the first to look at first.
        savings: the calls that the lazy plan left out, by test; empty under the full plan.
        refinement: what people's judgements made of the samples; None without judgements.
    """

    version: str
    settings: Mapping[str, Any]
    rows: tuple[BenchmarkRows, ...]
    models: tuple[ModelRecord, ...]
    summary: AuditSummary
    findings: tuple[ModelFinding, ...]
    samples: pl.DataFrame
    lacking: tuple[LackingVideo, ...]
    excluded: tuple[ExcludedCount, ...]
    cut: tuple[CutCount, ...]
    skipped: Mapping[str, tuple[str, ...]]
    threshold: int
    fates: tuple[FateCount, ...]
    views: tuple[SampleView, ...]
    savings: tuple[Saving, ...] = ()
    refinement: Refinement | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return all but samples and views as dicts, lists and numbers that JSON can carry."""
        return {
            "version": self.version,
            "settings": dict(self.settings),
            "rows": [asdict(rows) for rows in self.rows],
            "models": [asdict(model) for model in self.models],
            "summary": self.summary.to_plain(),
            "findings": [asdict(finding) for finding in self.findings],
            "lacking": [asdict(video) for video in self.lacking],
            "excluded": [asdict(count) for count in self.excluded],
            "cut": [asdict(count) for count in self.cut],
            "skipped": {model: list(names) for model, names in self.skipped.items()},
            "threshold": self.threshold,
            "fates": [asdict(fate) for fate in self.fates],
            "savings": [asdict(saving) for saving in self.savings],
            "refinement": None if self.refinement is None else asdict(self.refinement),
        }
