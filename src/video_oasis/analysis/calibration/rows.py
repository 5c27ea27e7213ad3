"""What was planted in samples, and the rows that say what an audit found of it."""

from dataclasses import dataclass

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION


@dataclass(frozen=True, slots=True)
class Planted:
    """What was planted in one sample.

    Attributes:
        kind: the kind of question.
        variant: which of the kind's forms it has.
        is_defective: whether the question itself is broken; such samples say nothing of tests.
        solved_by: the diagnostics whose evidence holds the answer.
        may_solve: those whose evidence holds it by chance, so that nothing follows from it.
        flagged_by: the ambiguity checks that should point at it.
    """

    kind: str
    variant: str
    is_defective: bool
    solved_by: frozenset[str]
    may_solve: frozenset[str]
    flagged_by: frozenset[str]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """What one detector finds of one set of planted samples.

    Attributes:
        kind: the kind of the samples; empty for all that the detector is judged by.
        variant: their variant; empty for all of the kind.
        detector: a test, ``any`` for the union of tests, or an ambiguity check.
        threshold: the right models that make a sample a shortcut; 0 for a check.
        n_models: models of the test, of the largest for the union; 0 for a check.
        should_find: whether the detector should find these samples: then the rate is a detection
            rate, and else one of false alarms.
        n: samples that the detector applies to.
        n_known: those with a known verdict.
        n_found: those found.
        rate: share found of the known; null if none is known.
        rate_low: lower end of its video-clustered bootstrap interval (exact where the rate is 0 or
            1); null with fewer than two videos, as are the other ends.
        rate_high: its upper end.
        null: mean share that guessing finds of the same samples; null for checks without one.
        excess: rate - null.
        excess_low: lower end of its interval, rate and null resampled together.
        excess_high: its upper end.
        p_value: chance that guessing finds so many or more.
    """

    kind: str
    variant: str
    detector: str
    threshold: int
    n_models: int
    should_find: bool
    n: int
    n_known: int
    n_found: int
    rate: float | None
    rate_low: float | None
    rate_high: float | None
    null: float | None
    excess: float | None
    excess_low: float | None
    excess_high: float | None
    p_value: float | None


@dataclass(frozen=True, slots=True)
class DetectorRow:
    """What one detector comes to over all samples that it is judged by.

    A test is judged by all samples but the defective: those that it should find are planted for it,
    those that it should not are clean. What the wording gives away counts for ``blind`` and the
    union alone, since it says nothing of what another test shows besides; what a test may solve
    counts for neither side. A check is judged by all that it should point at, and by the clean ones
    of the union, which are sound and have no shortcut.

    Attributes:
        detector: a test, ``any`` for the union of tests, or an ambiguity check.
        threshold: the right models that make a sample a shortcut; 0 for a check.
        n_models: models of the test, of the largest for the union; 0 for a check.
        planted: what it finds of what it should; None if there are no such samples.
        clean: what it finds of what it should not; None likewise.
        youden: detection rate less false-alarm rate; None without both.
        youden_low: lower end of its interval, both resampled together.
        youden_high: its upper end.
        is_powered: whether it finds what it should beyond guessing; for a check without a null,
            more often than what it should not. None where that cannot be told.
        worst_kind: the kind that most of its false alarms beyond guessing are of; None without a
            null or without such samples.
        is_best: whether this is the detector's best threshold; a check's only one if it tells what
            it should point at from the native at all.
        is_chosen: whether this is its threshold if the union's best one is chosen; of a check
            always.
        p_leak: the false alarms' p value, corrected by Holm over all detectors as chosen; None for
            other thresholds.
        leaks: whether that is below 1 - confidence; None where there is none.
    """

    detector: str
    threshold: int
    n_models: int
    planted: FindingRow | None
    clean: FindingRow | None
    youden: float | None
    youden_low: float | None
    youden_high: float | None
    is_powered: bool | None
    worst_kind: str | None
    is_best: bool
    is_chosen: bool
    p_leak: float | None
    leaks: bool | None

    @property
    def is_check(self) -> bool:
        """Whether the detector is an ambiguity check."""
        return self.threshold == 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far an audit by these models can be trusted.

    Attributes:
        resampling: how the intervals were made.
        detectors: every test at every threshold, their union, and every check.
        findings: the same for each kind, and each variant of a kind.
        accuracy: each model under each diagnostic on each kind; the kind is the row's task.
    """

    resampling: Resampling
    detectors: tuple[DetectorRow, ...]
    findings: tuple[FindingRow, ...]
    accuracy: tuple[AccuracyRow, ...]

    @property
    def threshold(self) -> int | None:
        """The best threshold of the union; None where none tells shortcuts from native samples."""
        return next(
            (row.threshold for row in self.detectors if row.detector == UNION and row.is_best), None
        )

    @property
    def leaking(self) -> tuple[DetectorRow, ...]:
        """The detectors that find what they should not beyond guessing."""
        return tuple(row for row in self.detectors if row.leaks)
