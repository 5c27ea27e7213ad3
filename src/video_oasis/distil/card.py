"""Writes the card of a distilled set, as dataset hubs show it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from video_oasis.distil.decide import (
    JUDGED,
    JUDGED_UNDECIDED,
    RESTORED,
    SHORTCUT,
    DistilledSample,
    Fate,
)
from video_oasis.judgements.rulings import JudgingRecord


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a distilled set comes from, so that someone else can make it again.

    Attributes:
        version: version of this program.
        threshold: a sample is a shortcut in a test if at least so many of its models are right.
        tests: the tests whose verdicts count, each with its number of models; one with fewer than
            the threshold can show no shortcut.
        models: the ids of each model, by the name it is shown under.
        answers: content id of all rows of the long table that the verdicts come from.
        settings: the settings of the audit.
        judged: the judgements of people that it rests on; None for none.
        voters: the names of the models whose answers count.
    """

    version: str
    threshold: int
    tests: Mapping[str, int]
    models: Mapping[str, tuple[str, ...]]
    answers: str
    settings: Mapping[str, Any]
    judged: JudgingRecord | None = None
    voters: tuple[str, ...] = ()


def write_card(samples: Sequence[DistilledSample], origin: Origin) -> str:
    """Return the card as Markdown with a YAML header.

    Args:
        samples: every sample of the audit with its fate.
        origin: where the set comes from.
    """
    benchmarks = list(dict.fromkeys(sample.benchmark for sample in samples))
    lines = [
        "---",
        "tags:",
        "- video-question-answering",
        "- video-oasis",
        "configs:",
        "- config_name: kept",
        "  data_files: kept.parquet",
        "- config_name: dropped",
        "  data_files: dropped.parquet",
        "---",
        "",
        "# Distilled video question-answering samples",
        "",
        f"Samples of {', '.join(benchmarks)} that no test of an audit shows to be shortcuts"
        f"{', and that nobody judged defective' if origin.judged else ''}.",
        "The files hold ids, reasons and votes, and nothing of the benchmarks themselves: join",
        "them by `benchmark` and `sample_id`.",
        "",
        f"A sample is a shortcut in a test if at least {origin.threshold} of the test's models",
        "answer it. A sample that could be one, were it not for missing answers, and one that no",
        "test applies to are undecided: they stand in neither set.",
        "",
        "| test | models | can show shortcuts |",
        "|---|--:|---|",
        *(
            f"| {test} | {n} | {'yes' if n >= origin.threshold else 'no: too few models'} |"
            for test, n in origin.tests.items()
        ),
        "",
        *_counts("benchmark", _count(samples, lambda sample: sample.benchmark)),
        "",
        *_counts("task", _count(samples, lambda sample: f"{sample.benchmark}: {sample.task}")),
        "",
        "## Why samples were dropped",
        "",
        "A sample may be dropped for several reasons.",
        "",
        *_reasons(samples),
        "",
        *_judgements(samples, origin.judged),
        "## How it was made",
        "",
        f"Video-Oasis {origin.version}. Content id of the answers: `{origin.answers}`.",
        "`origin.json` has all settings and the ids of all models; `oasis distil --verify` makes",
        "the set again from the run and compares.",
        "",
        *(f"- {name}: `{'`, `'.join(ids)}`" for name, ids in origin.models.items()),
    ]
    return "\n".join(lines) + "\n"


def _count(samples: Iterable[DistilledSample], place: Any) -> dict[str, Counter[Fate]]:
    counts: dict[str, Counter[Fate]] = {}
    for sample in samples:
        counts.setdefault(place(sample), Counter())[sample.fate] += 1
    return counts


def _counts(head: str, counts: Mapping[str, Counter[Fate]]) -> list[str]:
    rows = [
        f"| {_cell(place)} | {of_place.total()} | {of_place[Fate.KEPT]} | "
        f"{of_place[Fate.DROPPED]} | {of_place[Fate.UNDECIDED]} |"
        for place, of_place in counts.items()
    ]
    return [f"| {head} | before | kept | dropped | undecided |", "|---|--:|--:|--:|--:|", *rows]


def _reasons(samples: Iterable[DistilledSample]) -> list[str]:
    counts = Counter(
        reason
        for sample in samples
        if sample.fate is Fate.DROPPED
        for reason in sample.reasons
        if reason.startswith((SHORTCUT, JUDGED)) and reason != JUDGED_UNDECIDED
    )
    rows = [f"| {reason} | {n} |" for reason, n in counts.most_common()]
    return ["| reason | samples |", "|---|--:|", *rows]


def _judgements(samples: Sequence[DistilledSample], judged: JudgingRecord | None) -> list[str]:
    if judged is None:
        return []
    n_restored = sum(RESTORED in sample.reasons for sample in samples)
    n_corrected = sum(sample.corrected_target is not None for sample in samples)
    n_undecided = sum(JUDGED_UNDECIDED in sample.reasons for sample in samples)
    reviewers = "1 reviewer" if judged.n_reviewers == 1 else f"{judged.n_reviewers} reviewers"
    return [
        "## What people judged",
        "",
        f"Judgements that stand: {judged.n_judgements}, of {reviewers}; they decide by the rule",
        f"`{judged.rule}`. Content id: `{judged.id}`.",
        "",
        "| what they came to | samples |",
        "|---|--:|",
        *(
            f"| {what} | {n} |"
            for what, n in (
                ("no shortcut in `shuffle`, as order matters (`restored`)", n_restored),
                (
                    "another choice is right (`corrected_target`), and votes count by it",
                    n_corrected,
                ),
                (
                    "opinions that decide nothing (`judged:undecided`), and change nothing",
                    n_undecided,
                ),
            )
        ),
        "",
    ]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
