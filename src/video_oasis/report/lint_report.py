"""Renders a lint result: Markdown, plain text for a terminal, and plain data for JSON."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from video_oasis.lint.bias import BiasRow, Rule
from video_oasis.lint.checks import CHECKS
from video_oasis.lint.defects import Defect, Severity, quote
from video_oasis.lint.imbalance import ImbalanceRow
from video_oasis.lint.references import ReferenceRow
from video_oasis.lint.run import LintResult

_TEXT_WIDTH: Final = 100
SIGNIFICANT: Final = 0.05
"""Level at which corrected p-values are marked."""

_RULE_NAMES: Final = {
    Rule.TOP_ANSWER: "top answer",
    Rule.ANSWER_ELSEWHERE: "answer elsewhere",
    Rule.TOP_POSITION: "top position",
    Rule.POSITION_ELSEWHERE: "position elsewhere",
    Rule.LONGEST: "longest",
    Rule.SHORTEST: "shortest",
    Rule.QUESTION_OVERLAP: "question overlap",
}
_RULES_EXPLAINED: Final = (
    "Percent right of rules that never see the video, beside chance (mean of 1 / number of "
    "choices); where a rule ties, the fraction that is right. Top answer and top "
    "position always pick the one text or position that is right most often on these same "
    "questions; the 'elsewhere' rules pick, of the choices offered, the one most often right on "
    "other videos. Longest and shortest go by characters, question overlap by words shared with "
    "the question. Intervals are 95 %, exact, at the number of questions that counts once those "
    "on one video are taken together; for the two top rules they allow for the best having been "
    "picked. * the interval lies above chance; ** it still does so by a test corrected for all "
    "rules and tasks of the benchmark (Holm). Scores below chance mean nothing for the "
    "'elsewhere' rules: exact balance causes them."
)
_IMBALANCE_EXPLAINED: Final = (
    "Whether right answers are spread over positions and texts as chance would spread them over "
    "the choices offered: chi-square, what is expected less than 5 times merged, p corrected for "
    "all tests of the benchmark (Holm)."
)
_REFERENCES_EXPLAINED: Final = (
    "Percent of open questions that one and the same answer gets right, counted on these same "
    "questions, case, punctuation and articles aside: what a model scores that never sees the "
    "video and always says the most frequent answer. Intervals are 95 %, exact, at the number of "
    "questions that counts once those on one video are taken together, and allow for the answer "
    "having been picked."
)


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class _Items:
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Table:
    """Cells as text; the first ``n_labels`` columns are words, the rest numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_labels: int = 1


_Block = _Heading | _Paragraph | _Items | _Table


def to_markdown(result: LintResult, *, n_examples: int = 10) -> str:
    """Render a lint result in full: every defect kind, every task of the bias table.

    Args:
        result: what the lint found.
        n_examples: how many defects of each kind to show; the rest are counted.
    """
    blocks = [
        *_count_blocks(result),
        *_defect_blocks(result, n_examples),
        *_choice_blocks(result, n_rows=None),
        *_reference_blocks(result, None),
    ]
    return "\n\n".join(["# Lint", *map(_write_markdown, blocks)]) + "\n"


def to_text(result: LintResult, *, n_examples: int = 3, n_rows: int = 20) -> str:
    """Render a lint result for reading in a terminal.

    Args:
        result: what the lint found.
        n_examples: how many defects of each kind to show; the rest are counted.
        n_rows: how many rows of each table of tasks to show; the rest are counted.
    """
    blocks = [
        *_count_blocks(result),
        *_defect_blocks(result, n_examples),
        *_choice_blocks(result, n_rows),
        *_reference_blocks(result, n_rows),
    ]
    return "\n\n".join(map(_write_text, blocks)) + "\n"


def to_plain_data(result: LintResult) -> dict[str, Any]:
    """Return all of a lint result as plain data for JSON.

    Returns:
        ``counts`` (a list by benchmark, with ``n_rows``), ``checks`` (every kind looked for, with
        its meaning and the number found), ``defects``, ``bias`` (with ``excess``),
        ``imbalance`` and ``references``; the fields are those of the result's types.
    """
    found = Counter(defect.code for defect in result.defects)
    return {
        "counts": [{**asdict(counts), "n_rows": counts.n_rows} for counts in result.counts],
        "checks": [
            {
                "code": code,
                "severity": str(severity),
                "meaning": meaning,
                "n_found": found[code],
            }
            for code, severity, meaning in _kinds(result)
        ],
        "defects": [{**asdict(each), "severity": str(each.severity)} for each in result.defects],
        "bias": [
            {**asdict(row), "rule": str(row.rule), "excess": row.excess} for row in result.bias
        ],
        "imbalance": [{**asdict(row), "aspect": str(row.aspect)} for row in result.imbalance],
        "references": [asdict(row) for row in result.references],
    }


def _kinds(result: LintResult) -> list[tuple[str, Severity, str]]:
    """Every kind of defect with severity and meaning: those of bad rows found, then the checks."""
    checked = [(check.code, check.severity, check.meaning) for check in CHECKS]
    known = {check.code for check in CHECKS}
    of_bad_rows = sorted({defect.code for defect in result.defects} - known)
    meaning = "a row that cannot be read"
    return [(code, Severity.ERROR, meaning) for code in of_bad_rows] + checked


def _count_blocks(result: LintResult) -> list[_Block]:
    rows = [
        [
            counts.benchmark,
            f"{counts.n_samples:,}",
            f"{counts.n_open_questions:,}",
            f"{counts.n_bad_rows:,}",
            f"{counts.n_rows:,}",
        ]
        for counts in result.counts
    ]
    totals = [
        sum(counts.n_samples for counts in result.counts),
        sum(counts.n_open_questions for counts in result.counts),
        sum(counts.n_bad_rows for counts in result.counts),
        sum(counts.n_rows for counts in result.counts),
    ]
    rows.append(["all", *(f"{total:,}" for total in totals)])
    header = ["benchmark", "samples", "open questions", "bad rows", "rows in all"]
    return [_Heading("Rows"), _Table(header, rows)]


def _defect_blocks(result: LintResult, n_examples: int) -> list[_Block]:
    by_code: dict[str, list[Defect]] = defaultdict(list)
    for defect in result.defects:
        by_code[defect.code].append(defect)
    kinds = sorted(_kinds(result), key=lambda kind: list(Severity).index(kind[1]))
    found = [
        [code, str(severity), meaning, f"{len(by_code[code]):,}"]
        for code, severity, meaning in kinds
        if by_code[code]
    ]
    clean = [code for code, _, _ in kinds if not by_code[code]]
    blocks: list[_Block] = [_Heading("Defects")]
    if found:
        blocks.append(_Table(["code", "severity", "meaning", "found"], found, n_labels=3))
    if clean:
        blocks.append(_Paragraph(f"Looked for and not found: {', '.join(clean)}."))
    for code, _, _, number in found:
        lines = [_defect_line(defect) for defect in by_code[code][:n_examples]]
        blocks.append(_Paragraph(f"{code} ({number}):"))
        blocks.append(_Items(_and_more(lines, len(by_code[code]))))
    return blocks


def _defect_line(defect: Defect) -> str:
    place = f"{defect.benchmark} {defect.sample_id}".rstrip()
    return f"{place}: {defect.message}"


def _and_more(lines: list[str], n_all: int) -> list[str]:
    n_more = n_all - len(lines)
    return [*lines, f"… and {n_more:,} more"] if n_more else lines


def _choice_blocks(result: LintResult, n_rows: int | None) -> list[_Block]:
    """What the choices give away; with ``n_rows``, so many rows of each table of tasks."""
    if result.references and not result.bias:
        return []
    return [
        _Heading("Text bias: whole benchmarks"),
        _Paragraph(_RULES_EXPLAINED),
        _score_table([row for row in result.bias if row.task is None]),
        _Heading("Text bias: rules that beat chance"),
        *_excess_blocks(result, n_rows),
        *(_task_blocks(result) if n_rows is None else []),
        _Heading("Spread of right answers"),
        _Paragraph(_IMBALANCE_EXPLAINED),
        *_imbalance_blocks(result, n_rows),
    ]


def _score_table(rows: Iterable[BiasRow]) -> _Table:
    """One line for each task, one column for each rule."""
    by_task: dict[tuple[str, str], dict[Rule, BiasRow]] = defaultdict(dict)
    for row in rows:
        by_task[row.benchmark, row.task or ""][row.rule] = row
    has_tasks = any(task for _, task in by_task)
    lines = [
        [
            benchmark,
            *([task] if has_tasks else []),
            _pick(scores[Rule.TOP_ANSWER]),
            f"{scores[Rule.TOP_ANSWER].n:,}",
            _percent(scores[Rule.TOP_ANSWER].chance),
            *(f"{_percent(scores[rule].score)}{_mark(scores[rule])}" for rule in Rule),
        ]
        for (benchmark, task), scores in by_task.items()
    ]
    labels = ["benchmark", *(["task"] if has_tasks else []), "right most often"]
    header = [*labels, "n", "chance", *(_RULE_NAMES[rule] for rule in Rule)]
    return _Table(header, lines, n_labels=len(labels))


def _task_blocks(result: LintResult) -> list[_Block]:
    rows = [row for row in result.bias if row.task is not None]
    return [_Heading("Text bias: every task"), _score_table(rows)] if rows else []


def _excess_blocks(result: LintResult, n_rows: int | None) -> list[_Block]:
    rows = sorted((row for row in result.bias if row.exceeds_chance), key=lambda row: -row.excess)
    if not rows:
        return [_Paragraph("None.")]
    lines = [
        [
            row.benchmark,
            row.task or "(all)",
            _RULE_NAMES[row.rule],
            _pick(row),
            f"{row.n:,}",
            f"{_percent(row.score)}{_mark(row)}",
            f"{_percent(row.low)}–{_percent(row.high)}",
            _percent(row.chance),
            f"{100 * row.excess:+.1f}",
        ]
        for row in rows[:n_rows]
    ]
    header = ["benchmark", "task", "rule", "pick", "n", "score", "interval", "chance", "excess"]
    return [_Table(header, lines, n_labels=4), *_more_rows(len(rows), len(lines))]


def _pick(row: BiasRow) -> str:
    if not row.pick:
        return ""
    pick = quote(row.pick, width=30) if row.rule is Rule.TOP_ANSWER else row.pick
    return f"{pick}, {row.n_right:.0f} of {row.n:,}"


def _imbalance_blocks(result: LintResult, n_rows: int | None) -> list[_Block]:
    uneven = sorted(
        (row for row in result.imbalance if row.p_holm is not None and row.p_holm < SIGNIFICANT),
        key=lambda row: (row.p_holm, -(row.chi_square or 0.0)),
    )
    n_tested = sum(row.p_holm is not None for row in result.imbalance)
    n_all = len(result.imbalance)
    summary = _Paragraph(
        f"{len(uneven):,} of {n_tested:,} tests find an uneven spread; {n_all - n_tested:,} more "
        f"do not apply, for no position or text is expected to be right often enough."
    )
    if not uneven:
        return [summary]
    lines = [
        [
            row.benchmark,
            row.task or "(all)",
            str(row.aspect),
            _deviation(row),
            f"{row.n:,}",
            f"{row.chi_square:.1f}",
            str(row.degrees_of_freedom),
            f"{row.p_holm:.1g}",
        ]
        for row in uneven[:n_rows]
    ]
    header = ["benchmark", "task", "by", "largest deviation", "n", "chi-square", "df", "p"]
    return [summary, _Table(header, lines, n_labels=4), *_more_rows(len(uneven), len(lines))]


def _deviation(row: ImbalanceRow) -> str:
    largest = next(category for category in row.categories if category.label is not None)
    return (
        f"{quote(largest.label or '', width=30)} {largest.n_right:,} right, "
        f"{largest.n_expected:,.1f} expected"
    )


def _reference_blocks(result: LintResult, n_rows: int | None) -> list[_Block]:
    rows = sorted(result.references, key=lambda row: (row.task is not None, -row.score))
    if not rows:
        return []
    lines = [_reference_line(row) for row in rows[:n_rows]]
    header = ["benchmark", "task", "most frequent answer", "n", "answers", "score", "interval"]
    return [
        _Heading("Open questions: the most frequent answer"),
        _Paragraph(_REFERENCES_EXPLAINED),
        _Table(header, lines, n_labels=3),
        *_more_rows(len(rows), len(lines)),
    ]


def _reference_line(row: ReferenceRow) -> list[str]:
    return [
        row.benchmark,
        row.task or "(all)",
        f"{quote(row.reference, width=30)}, {row.n_right:,} of {row.n:,}",
        f"{row.n:,}",
        f"{row.n_references:,}",
        _percent(row.score),
        f"{_percent(row.low)}–{_percent(row.high)}",
    ]


def _more_rows(n_all: int, n_shown: int) -> list[_Block]:
    return [_Paragraph(f"… and {n_all - n_shown:,} more")] if n_all > n_shown else []


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _mark(row: BiasRow) -> str:
    if not row.exceeds_chance:
        return ""
    return "**" if row.p_holm < SIGNIFICANT else "*"


def _write_markdown(block: _Block) -> str:
    match block:
        case _Heading(text):
            return f"## {text}"
        case _Paragraph(text):
            return _escape(text)
        case _Items(items):
            return "\n".join(f"- {_escape(item)}" for item in items)
        case _Table(header, rows, n_labels):
            rule = ["---"] * n_labels + ["---:"] * (len(header) - n_labels)
            cells = [[_escape(cell) for cell in row] for row in rows]
            lines: list[Sequence[str]] = [header, rule, *cells]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escape(text: str) -> str:
    """Keep Markdown from reading a published text as its own signs."""
    for sign in ("\\", "|", "*", "_", "`", "<", "[", "$", "~"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _write_text(block: _Block) -> str:
    match block:
        case _Heading(text):
            return f"{text}\n{'=' * len(text)}"
        case _Paragraph(text):
            return textwrap.fill(text, _TEXT_WIDTH)
        case _Items(items):
            return "\n".join(f"  {item}" for item in items)
        case _Table(header, rows, n_labels):
            widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
            return "\n".join(
                "  ".join(
                    cell.ljust(width) if i < n_labels else cell.rjust(width)
                    for i, (cell, width) in enumerate(zip(line, widths, strict=True))
                ).rstrip()
                for line in (header, *rows)
            )
