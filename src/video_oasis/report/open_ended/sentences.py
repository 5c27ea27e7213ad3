"""What the report on judges comes to, in words."""

from collections.abc import Iterator

from video_oasis.analysis.cells import Level
from video_oasis.analysis.grades.accuracy import GradeAccuracyRow
from video_oasis.analysis.grades.grid import BLIND
from video_oasis.analysis.grades.judge_differences import JudgeDifferenceRow
from video_oasis.analysis.grades.traps import TrustRow
from video_oasis.report.numbers import write_count, write_percent, write_points, write_several
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.estimates import write_difference, write_share, write_value
from video_oasis.schema import MAX_GRADE, GradeStatus

_FEWEST_RESULTS = 3
"""Over fewer results, how far two judges are apart is told by each of them."""
_HARDLY = 0.5
"""A judge whose Youden's J is below this errs more than half as often as one that tosses a coin."""


def write_verdict(report: JudgeReport) -> list[str]:
    """Say what judges differ by, what text alone gets, and which judges fall for what."""
    return [
        *_say_extent(report),
        *_say_text_only(report),
        *_say_differences(report),
        *_say_probes(report),
        *_say_contradictions(report),
        *_say_preferences(report),
        *_say_people(report),
    ]


def write_caveats(report: JudgeReport) -> list[str]:
    """Say what to bear in mind."""
    caveats = []
    n_lacking = sum(each.n for each in report.statuses if each.status != GradeStatus.OK.value)
    if n_lacking:
        caveats.append(
            f"{write_count(n_lacking)} answers and grades of status other than ok: in no accuracy, "
            f"and counted by reason below."
        )
    n_excluded = sum(each.n_samples for each in report.excluded)
    if n_excluded:
        caveats.append(
            f"{write_several(n_excluded, 'answer')} not asked for, as what would be shown says "
            f"nothing about the question; counted by model and diagnostic below."
        )
    if not any(row.diagnostic == BLIND for row in report.summary.accuracy):
        caveats.append(
            "Nothing was asked without the video, so that no result has its text-only level beside "
            "it: add --diagnostic blind."
        )
    if not any(judge.is_model for judge in report.judges):
        caveats.append(
            "All judges are rules: they take other words for the same thing for wrong. Name a chat "
            "model with --judge to see what such judges make of the answers."
        )
    if len(report.judges) < 2:
        caveats.append("One judge cannot be compared with any other; name a second with --judge.")
    if report.summary.people is None:
        caveats.append(
            "No person has graded any answer: judges can agree and all be wrong. Choose answers "
            "with --people N, and grade them with 'oasis review RUN'."
        )
    return caveats


def _say_extent(report: JudgeReport) -> Iterator[str]:
    n_asked = sum(row.n_audited for row in report.rows)
    yield (
        f"{write_several(n_asked, 'open question')}, answered by "
        f"{write_several(len(report.models), 'model')} and judged by "
        f"{write_several(len(report.judges), 'judge')}."
    )


def _say_text_only(report: JudgeReport) -> Iterator[str]:
    """Say what the best guess from text alone gets, by the judge that accepts most of it."""
    rows = [
        row
        for row in report.summary.accuracy
        if row.level == Level.POOLED.value
        and row.diagnostic == BLIND
        and row.accuracy.value is not None
    ]
    if rows:
        most = max(rows, key=_read_accuracy)
        least = min(
            (row for row in rows if row.model == most.model), key=_read_accuracy, default=most
        )
        sentence = (
            f"Without any of the video, {most.model} answers {write_share(most.accuracy)} % right "
            f"by {most.judge}"
        )
        if least.judge != most.judge:
            sentence += f", and {write_share(least.accuracy)} % by {least.judge}"
        yield f"{sentence}: every other result is to be read against this."


def _read_accuracy(row: GradeAccuracyRow) -> float:
    return row.accuracy.value or 0.0


def _say_differences(report: JudgeReport) -> Iterator[str]:
    models = {judge.name for judge in report.judges if judge.is_model}
    rows = [
        row
        for row in report.summary.differences
        if row.level == Level.BENCHMARK.value and row.difference.value is not None
    ]
    # That a model accepts more than exact match is no news where two models can be compared.
    rows = [row for row in rows if {row.first, row.second} <= models] or rows
    if not rows:
        return
    widest = max(rows, key=_read_difference)
    if not _read_difference(widest):
        yield "All judges accept the same share of every model's answers."
        return
    yield (
        f"The widest gap between two judges of the same answers: {widest.model} under "
        f"{widest.diagnostic} on {widest.benchmark} is {write_percent(widest.first_accuracy.value)}"
        f" % by {widest.first} and {write_percent(widest.second_accuracy.value)} % by "
        f"{widest.second}, a difference of {write_difference(widest.difference)} points."
    )
    compared = {(row.first, row.second) for row in rows}
    for row in report.summary.difference_summaries:
        spread = row.summary.standard_deviation
        is_told = len(row.summary.differences) >= _FEWEST_RESULTS
        if spread is not None and is_told and (row.first, row.second) in compared:
            yield (
                f"Over {write_several(len(row.summary.differences), 'result')}, {row.second} is "
                f"{write_points(row.summary.mean)} ± {100 * spread:.1f} points from {row.first}."
            )


def _read_difference(row: JudgeDifferenceRow) -> float:
    return abs(row.difference.value or 0.0)


def _say_probes(report: JudgeReport) -> Iterator[str]:
    models = {judge.name for judge in report.judges if judge.is_model}
    for row in report.summary.traps.trust:
        if row.level == Level.POOLED.value and row.judge in models:
            yield (
                f"{row.judge} accepts {write_share(row.sensitivity)} % of the references themselves"
                f" and rejects {write_share(row.specificity)} % of the references of other "
                f"questions{_doubt(row)}."
            )
    for status in report.statuses:
        if status.what == "grades" and status.status == GradeStatus.INVALID.value:
            yield (
                f"{status.who} gives no verdict that can be read on {write_count(status.n)} "
                f"answers ({status.reason})."
            )


def _doubt(row: TrustRow) -> str:
    """Say so where a judge is not shown to look, and where it is shown not to."""
    if row.youden.low is None or row.youden.high is None or row.youden.low > 0:
        return ""
    if row.youden.high < _HARDLY:
        return ": it hardly tells right answers from wrong ones, so its verdicts say little"
    return ": so few probes do not show that it tells right answers from wrong ones"


def _say_contradictions(report: JudgeReport) -> Iterator[str]:
    for row in report.summary.contradictions:
        n = row.n_rejected_high + row.n_accepted_low
        if n:
            yield (
                f"{row.judge} contradicts itself in {write_share(row.share)} % of "
                f"{write_several(row.n_pairs, 'answer')}: {n} with a verdict against the score, "
                f"{row.n_rejected_highest} of them rejected with {MAX_GRADE}."
            )


def _say_preferences(report: JudgeReport) -> Iterator[str]:
    for row in report.summary.self_preference:
        low = row.preference.low
        favours = low is not None and low > 0
        verb = "favours" if favours else "is not shown to favour"
        yield (
            f"{row.judge} {verb} models of its own family ({', '.join(row.own_models)}): "
            f"{write_difference(row.preference)} points beside {', '.join(row.compared_with)}."
        )


def _say_people(report: JudgeReport) -> Iterator[str]:
    if report.summary.people is not None:
        for row in report.summary.people.judges:
            yield (
                f"Beside people, over {write_several(row.n_pairs, 'answer')}: {row.judge} says the "
                f"same in {write_share(row.same)} % (kappa {write_value(row.kappa)}), and accepts "
                f"{write_difference(row.difference)} points more."
            )
