"""Tables of models that share a base: how they reason, and what they were trained for."""

from collections.abc import Sequence

from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import Findings, SetFindings
from video_oasis.analysis.mode_union import UnionRow
from video_oasis.report.evaluation.document import EvaluationReport, ModelFacts
from video_oasis.report.evaluation.lookup import (
    find_accuracy,
    find_change,
    list_places,
    name_places,
)
from video_oasis.report.evaluation.tables.overview import name_for_files
from video_oasis.report.numbers import (
    NONE,
    write_change,
    write_count,
    write_estimate,
    write_p,
    write_percent,
)
from video_oasis.report.tables.table import Section, Table


def mode_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show models by how they reason, and what an oracle that picks the better answer reaches."""
    places = list_places(report, findings)
    rows: list[tuple[str, ...]] = []
    for base, members in _sort_by_base(report).items():
        modes = [facts for facts in members if facts.reasoning is not None]
        for facts in modes:
            accuracies = [find_accuracy(each, facts.model, Level.POOLED) for each in places]
            overall = accuracies[-1]
            if overall is not None:
                rows.append(
                    (
                        base,
                        str(facts.reasoning),
                        facts.model,
                        *(write_percent(row.accuracy if row else None) for row in accuracies[:-1]),
                        write_estimate(
                            overall.accuracy, overall.accuracy_low, overall.accuracy_high
                        ),
                        write_percent(overall.chance),
                        NONE,
                        NONE,
                    )
                )
        names = {facts.model: facts for facts in modes}
        rows += [
            _write_union(base, names, row, places)
            for row in findings.whole.unions
            if row.level == Level.POOLED and {row.first, row.second} <= names.keys()
        ]
    return Table(
        section=Section.ACCURACY,
        name=f"reasoning_{name_for_files(report, findings.name)}",
        title=f"Ways to reason, {findings.name}",
        note="Oracle: right if at least one of the two is, over the samples that both answered. It "
        "gains by luck: two guessers who know nothing of each other reach 1 - (1 - 1/k)² of k "
        "choices, which stands under guessing. Covered: the share of the choices that the two "
        "answers cover, what they would reach if every choice were equally likely to be right. "
        "Corrected: what is beyond that, of what could be.",
        head=(
            "base", "reasoning", "model", *name_places(report, places), "guessing", "covered",
            "corrected",
        ),
        rows=tuple(rows),
        n_text_columns=3,
    )  # fmt: skip


def _write_union(
    base: str, names: dict[str, ModelFacts], row: UnionRow, places: Sequence[Findings]
) -> tuple[str, ...]:
    first, second = names[row.first], names[row.second]
    in_places = [
        next(
            (
                each
                for each in place.unions
                if (each.level, each.first, each.second) == (Level.POOLED, row.first, row.second)
            ),
            None,
        )
        for place in places[:-1]
    ]
    return (
        base,
        f"oracle of {first.reasoning} and {second.reasoning}",
        f"{row.first} / {row.second}",
        *(write_percent(each.union if each else None) for each in in_places),
        write_estimate(row.union, row.union_low, row.union_high),
        write_percent(row.union_chance),
        write_percent(row.null),
        write_percent(row.corrected),
    )


def training_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show models by what they were rewarded for in training, against the untrained base."""
    places = list_places(report, findings)
    rewards = list(
        dict.fromkeys(name for facts in report.facts.values() for name in facts.rewards or ())
    )
    rows: list[tuple[str, ...]] = []
    for base, members in _sort_by_base(report).items():
        trained = [facts for facts in members if facts.rewards is not None]
        untrained = [facts.model for facts in trained if not any((facts.rewards or {}).values())]
        for facts in trained:
            accuracies = [find_accuracy(each, facts.model, Level.POOLED) for each in places]
            overall = accuracies[-1]
            if overall is None:
                continue
            change = (
                find_change(findings, facts.model, untrained[0])
                if base and len(untrained) == 1 and facts.model != untrained[0]
                else None
            )
            rows.append(
                (
                    base,
                    facts.model,
                    *(_write_reward(facts, name) for name in rewards),
                    write_count(overall.n_scored),
                    *(write_percent(row.accuracy if row else None) for row in accuracies[:-1]),
                    write_estimate(overall.accuracy, overall.accuracy_low, overall.accuracy_high),
                    write_percent(overall.chance),
                    NONE if change is None else write_change(*change[:3]),
                    NONE if change is None else write_p(change[3]),
                )
            )
    return Table(
        section=Section.ACCURACY,
        name=f"training_{name_for_files(report, findings.name)}",
        title=f"What training changes, {findings.name}",
        note="Rewards as stated by the user. Change: against the one model of the same base "
        "without any, in points, over the samples that both answered; p as in the table of models "
        "against each other.",
        head=(
            "base", "model", *(f"{name} reward" for name in rewards), "n",
            *name_places(report, places), "chance", "change", "p, Holm",
        ),
        rows=tuple(rows),
        n_text_columns=2 + len(rewards),
    )  # fmt: skip


def _sort_by_base(report: EvaluationReport) -> dict[str, list[ModelFacts]]:
    by_base: dict[str, list[ModelFacts]] = {}
    for facts in report.facts.values():
        by_base.setdefault(facts.base, []).append(facts)
    return by_base


def _write_reward(facts: ModelFacts, name: str) -> str:
    value = (facts.rewards or {}).get(name)
    return NONE if value is None else ("yes" if value else "no")
