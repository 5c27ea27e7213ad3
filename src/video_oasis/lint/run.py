"""The whole lint: rows of any benchmarks in, defects and tables of what the text says out."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from video_oasis.lint.bias import BiasRow, tabulate_bias
from video_oasis.lint.checks import CHECKS
from video_oasis.lint.defects import Defect, Severity
from video_oasis.lint.imbalance import ImbalanceRow, tabulate_imbalance
from video_oasis.lint.references import ReferenceRow, tabulate_references
from video_oasis.schema import BadRow, OpenQuestion, Sample


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How many rows of one benchmark came in, by what they are.

    Attributes:
        benchmark: the benchmark.
        n_samples: multiple-choice questions.
        n_open_questions: questions without choices.
        n_bad_rows: rows that should be one or the other and cannot be.
    """

    benchmark: str
    n_samples: int
    n_open_questions: int
    n_bad_rows: int

    @property
    def n_rows(self) -> int:
        """All rows."""
        return self.n_samples + self.n_open_questions + self.n_bad_rows


@dataclass(frozen=True, slots=True)
class LintResult:
    """What a lint found; the same for the same rows in whatever order.

    Attributes:
        counts: rows of each benchmark.
        defects: in the order of ``checks.CHECKS``, bad rows first; then by benchmark and sample.
        bias: the text-bias table.
        imbalance: the tests of how right answers are spread.
        references: the most frequent references of open questions.
    """

    counts: tuple[RowCounts, ...]
    defects: tuple[Defect, ...]
    bias: tuple[BiasRow, ...]
    imbalance: tuple[ImbalanceRow, ...]
    references: tuple[ReferenceRow, ...]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of one benchmark."""

    samples: list[Sample]
    open_questions: list[OpenQuestion]
    bad_rows: list[BadRow]


def lint(
    samples: Sequence[Sample],
    open_questions: Sequence[OpenQuestion] = (),
    bad_rows: Sequence[BadRow] = (),
) -> LintResult:
    """Look for defects and text bias in the rows of one or more benchmarks.

    Every rate is taken within a benchmark, and samples are compared within one only.
    """
    benchmarks = _by_benchmark(samples, open_questions, bad_rows)
    sampled = [rows.samples for rows in benchmarks.values() if rows.samples]
    return LintResult(
        counts=tuple(
            RowCounts(name, len(rows.samples), len(rows.open_questions), len(rows.bad_rows))
            for name, rows in benchmarks.items()
        ),
        defects=tuple(_find_defects(benchmarks)),
        bias=tuple(row for rows in sampled for row in tabulate_bias(rows)),
        imbalance=tuple(row for rows in sampled for row in tabulate_imbalance(rows)),
        references=tuple(
            row
            for rows in benchmarks.values()
            if rows.open_questions
            for row in tabulate_references(rows.open_questions)
        ),
    )


def _by_benchmark(
    samples: Sequence[Sample],
    open_questions: Sequence[OpenQuestion],
    bad_rows: Sequence[BadRow],
) -> dict[str, _Rows]:
    benchmarks: dict[str, _Rows] = defaultdict(lambda: _Rows([], [], []))
    for sample in sorted(samples, key=lambda row: row.id):
        benchmarks[sample.benchmark].samples.append(sample)
    for question in sorted(open_questions, key=lambda row: row.id):
        benchmarks[question.benchmark].open_questions.append(question)
    for bad_row in sorted(bad_rows, key=lambda row: (row.file, row.row)):
        benchmarks[bad_row.benchmark].bad_rows.append(bad_row)
    return dict(sorted(benchmarks.items()))


def _find_defects(benchmarks: dict[str, _Rows]) -> Iterator[Defect]:
    for rows in benchmarks.values():
        for row in rows.bad_rows:
            yield Defect(row.code, Severity.ERROR, row.benchmark, row.id, str(row))
    for check in CHECKS:
        for name, rows in benchmarks.items():
            found = check.find(rows.samples, rows.open_questions)
            for finding in sorted(found, key=lambda each: (each.sample_id, each.message)):
                yield Defect(
                    check.code,
                    check.severity,
                    name,
                    finding.sample_id,
                    finding.message,
                    finding.related,
                )
