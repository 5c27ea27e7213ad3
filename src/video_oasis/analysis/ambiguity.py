"""Which samples a person should look at because the question may not mean one answer.

Three checks (arXiv 2603.29616, section 3.3, with a rule for consistency that four choices can
break):

- *consistency*: shown the whole video, models scatter: no choice gets a majority of their answers.
- *redundancy*: a model is right on every chunk of the video alone, so none of them is the evidence.
- *sensitivity*: frames out of order suffice, a shortcut; a person may find that order matters and
  restore the sample.

The machine only fills queues; what to do with a sample is the person's judgement.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import UNION, decide_verdicts
from video_oasis.analysis.dependence import REFERENCE
from video_oasis.analysis.frames import row_schema
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid
from video_oasis.analysis.label_quality import score_label_quality
from video_oasis.analysis.order_cues import find_order_cues
from video_oasis.errors import SchemaError
from video_oasis.schema import Status

Texts = Mapping[tuple[str, str], tuple[str, Sequence[str]]]
"""Question and choices of each sample, by benchmark and sample id."""

CONSISTENCY: Final = "consistency"
REDUNDANCY: Final = "redundancy"
SENSITIVITY: Final = "sensitivity"

MIN_ANSWERS: Final = 3
"""Fewer answers than this scatter too easily to say anything."""

_MIN_CHUNKS = 2


@dataclass(frozen=True, slots=True)
class AmbiguityRow:
    """What one check says about one sample.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        task: its task.
        video: its video.
        check: ``consistency``, ``redundancy`` or ``sensitivity``.
        is_flagged: whether a person should look; null while answers that decide it are missing.
        reason: what was found; empty unless flagged.
        priority: 0 to 1, the first to look at have the highest; 0 unless flagged. For consistency
            and redundancy 1 - label_quality (0 where there is none); for sensitivity n / (n + 1)
            with n different words of order in question and choices.
        label_quality: as ``score_label_quality`` has it.
    """

    benchmark: str
    sample_id: str
    task: str
    video: str
    check: str
    is_flagged: bool | None
    reason: str
    priority: float
    label_quality: float | None


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One sample for a person to look at; the fields are those of ``AmbiguityRow``."""

    benchmark: str
    sample_id: str
    task: str
    video: str
    check: str
    reason: str
    priority: float
    label_quality: float | None


@dataclass(frozen=True, slots=True)
class AmbiguityCountRow:
    """How many samples of one set a check flags.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        check: the check.
        n: samples it applies to.
        n_known: those it could decide.
        n_unknown: the others.
        n_flagged: those flagged.
    """

    level: str
    benchmark: str
    check: str
    n: int
    n_known: int
    n_unknown: int
    n_flagged: int


def find_ambiguous(
    grid: AnswerGrid,
    table: pl.DataFrame,
    *,
    threshold: int | None = None,
    tests: Collection[str] = (),
    strict: bool = False,
    texts: Texts | None = None,
    reference: str = REFERENCE,
    shuffle: str = "shuffle",
    chunk: str = "chunk",
) -> pl.DataFrame:
    """Check every sample for ambiguity, with the checks whose diagnostics were asked.

    All answers are those of the first draw.

    Args:
        grid: the answers.
        table: the long table they come from; it has each chunk's answer apart.
        threshold: the right models that make a sample a shortcut in the shuffle test; by default
            all of its models.
        tests: the tests whose shortcuts are dropped; a shuffle shortcut that another of them drops
            anyway is not flagged, since restoring it would not bring it back. By default all are.
        strict: flag for consistency only if all answers differ, instead of where the largest vote
            of m answers is at most max(1, m // 2).
        texts: question and choices of the samples; None leaves the words of order out.
        reference: the diagnostic of the consistency check and of the label quality.
        shuffle: the diagnostic of the sensitivity check.
        chunk: the diagnostic of the redundancy check.

    Returns:
        A frame with the columns of ``AmbiguityRow``, one row for each check and sample with a row
        of its diagnostic, in the order of the grid.

    Raises:
        SchemaError: a test makes several requests of one sample or was not asked, the threshold is
            below 1, or texts lack a flagged sample.
    """
    checks = [
        _check_consistency(grid, reference, strict=strict),
        _check_redundancy(table, chunk),
    ]
    if shuffle in grid.tests:
        verdicts = _find_order_free(grid, shuffle, threshold, set(tests) - {shuffle})
        checks.append(_check_sensitivity(verdicts, texts))
    quality = score_label_quality(grid, diagnostic=reference).select(*SAMPLE_KEY, "label_quality")
    samples = grid.samples.select(*SAMPLE_KEY, "task", "video").join(
        quality, on=SAMPLE_KEY, maintain_order="left"
    )
    flagged = pl.col("is_flagged").fill_null(value=False)
    doubt = (1 - pl.col("label_quality")).fill_null(0.0)
    return (
        pl.concat(
            samples.join(check, on=SAMPLE_KEY, maintain_order="left").with_columns(
                priority=pl.col("priority").fill_null(doubt)
            )
            for check in checks
        )
        .with_columns(
            reason=pl.when(flagged).then("reason").otherwise(pl.lit("")),
            priority=pl.when(flagged).then("priority").otherwise(0.0),
        )
        .select(row_schema(AmbiguityRow).keys())
    )


def order_queue(found: pl.DataFrame) -> pl.DataFrame:
    """Order what ``find_ambiguous`` flagged as a person should look at it.

    Returns:
        A frame with the columns of ``QueueRow``, check by check, the highest priority first, and
        among equals the lowest label quality.
    """
    return (
        found.filter("is_flagged")
        .sort(
            "check",
            -pl.col("priority"),
            "label_quality",
            *SAMPLE_KEY,
            nulls_last=True,
        )
        .select(row_schema(QueueRow).keys())
    )


def count_ambiguous(found: pl.DataFrame) -> pl.DataFrame:
    """Count what ``find_ambiguous`` found, for each benchmark and pooled.

    Returns:
        A frame with the columns of ``AmbiguityCountRow``.
    """
    counts = [
        pl.len().cast(pl.Int64).alias("n"),
        pl.col("is_flagged").is_not_null().sum().cast(pl.Int64).alias("n_known"),
        pl.col("is_flagged").is_null().sum().cast(pl.Int64).alias("n_unknown"),
        pl.col("is_flagged").sum().cast(pl.Int64).alias("n_flagged"),
    ]
    by_benchmark = found.group_by("benchmark", "check").agg(counts).sort("benchmark", "check")
    pooled = found.group_by("check").agg(counts).sort("check")
    columns = row_schema(AmbiguityCountRow).keys()
    return pl.concat(
        [
            by_benchmark.with_columns(level=pl.lit(Level.BENCHMARK.value)).select(columns),
            pooled.with_columns(level=pl.lit(Level.POOLED.value), benchmark=pl.lit("")).select(
                columns
            ),
        ]
    )


# Each check returns the sample's key, check, is_flagged, reason, and a priority where it has one.


def _check_consistency(grid: AnswerGrid, diagnostic: str, *, strict: bool) -> pl.DataFrame:
    slots = grid.tests.get(diagnostic, slice(0, 0))
    prediction = grid.prediction[slots]
    n_answers = np.count_nonzero(grid.is_settled[slots], axis=0)
    largest, n_picked = np.zeros_like(n_answers), np.zeros_like(n_answers)
    for choice in range(int(prediction.max(initial=-1)) + 1):
        votes = np.count_nonzero(prediction == choice, axis=0)
        largest = np.maximum(largest, votes)
        n_picked += votes > 0
    most = 1 if strict else np.maximum(1, n_answers // 2)
    return (
        grid.samples.select(SAMPLE_KEY)
        .with_columns(
            n_answers=pl.Series(n_answers),
            n_picked=pl.Series(n_picked),
            largest=pl.Series(largest),
            scatters=pl.Series(largest <= most),
        )
        .filter(pl.Series(grid.n_rows[slots].any(axis=0)))
        .select(
            *SAMPLE_KEY,
            check=pl.lit(CONSISTENCY),
            is_flagged=pl.when(pl.col("n_answers") >= MIN_ANSWERS).then("scatters"),
            reason=pl.format(
                "{} answers over {} choices, at most {} alike", "n_answers", "n_picked", "largest"
            ),
            priority=pl.lit(None, pl.Float64),
        )
    )


def _check_redundancy(table: pl.DataFrame, diagnostic: str) -> pl.DataFrame:
    right = pl.col("correct")
    by_model = (
        table.lazy()
        .filter(pl.col("diagnostic") == diagnostic, pl.col("draw") == 0)
        .group_by(*SAMPLE_KEY, "model")
        .agg(
            n_chunks=pl.col("part").n_unique(),
            is_right=pl.when((~right).any())
            .then(pl.lit(value=False))
            .when(
                (pl.col("status") == Status.OK.value).all()
                & (pl.col("part").n_unique() >= _MIN_CHUNKS)
            )
            .then(pl.lit(value=True)),
        )
    )
    return (
        by_model.sort(pl.col("model").cast(pl.String))
        .group_by(SAMPLE_KEY)
        .agg(
            n_chunks=pl.col("n_chunks").max(),
            models=pl.col("model").filter("is_right").cast(pl.String).str.join(", "),
            is_flagged=pl.col("is_right").any(ignore_nulls=False),
        )
        .select(
            *(pl.col(name).cast(pl.String) for name in SAMPLE_KEY),
            check=pl.lit(REDUNDANCY),
            is_flagged="is_flagged",
            reason=pl.format("right on each of {} chunks alone: {}", "n_chunks", "models"),
            priority=pl.lit(None, pl.Float64),
        )
        .collect()
    )


def _find_order_free(
    grid: AnswerGrid, shuffle: str, threshold: int | None, others: Collection[str]
) -> pl.DataFrame:
    """Return the verdicts of the shuffle test; False where another test drops the sample anyway."""
    slots = grid.tests[shuffle]
    threshold = slots.stop - slots.start if threshold is None else threshold
    verdicts = decide_verdicts(grid.only([shuffle]), threshold).filter(pl.col("test") == shuffle)
    dropped = (
        decide_verdicts(grid.only(others), threshold)
        .filter(pl.col("test") == UNION, "shortcut")
        .select(*SAMPLE_KEY, is_dropped=pl.lit(value=True))
    )
    return verdicts.join(dropped, on=SAMPLE_KEY, how="left", maintain_order="left").with_columns(
        shortcut=pl.col("shortcut") & pl.col("is_dropped").is_null()
    )


def _check_sensitivity(verdicts: pl.DataFrame, texts: Texts | None) -> pl.DataFrame:
    shortcuts = verdicts.filter("shortcut").select(SAMPLE_KEY)
    cues = find_order_cues(_read_texts(shortcuts.iter_rows(), texts))
    listed = pl.format("; words of order: {}", cues.list.join(", "))
    shortcuts = shortcuts.with_columns(
        n_cues=cues.list.len(),
        cues=pl.when(cues.list.len() > 0).then(listed).otherwise(pl.lit("")),
    )
    return verdicts.join(shortcuts, on=SAMPLE_KEY, how="left", maintain_order="left").select(
        *SAMPLE_KEY,
        check=pl.lit(SENSITIVITY),
        is_flagged="shortcut",
        reason=pl.format("{} of {} models right on {}{}", "votes", "n_models", "test", "cues"),
        priority=(pl.col("n_cues") / (pl.col("n_cues") + 1)).fill_null(0.0),
    )


def _read_texts(keys: Iterable[tuple[str, ...]], texts: Texts | None) -> pl.Series:
    if texts is None:
        return pl.Series(["" for _ in keys], dtype=pl.String)
    read = []
    for benchmark, sample_id in keys:
        found = texts.get((benchmark, sample_id))
        if found is None:
            raise SchemaError(
                f"texts: no question of {benchmark} sample {sample_id!r}; expected those of every "
                f"sample of the long table"
            )
        question, choices = found
        read.append("\n".join([question, *choices]))
    return pl.Series(read, dtype=pl.String)
