"""Tables of what people say of a sample of the answers."""

from video_oasis.analysis.grades.people import PeopleComparison
from video_oasis.report.numbers import write_count
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.estimates import write_difference, write_share, write_value
from video_oasis.report.tables.table import Section, Table


def beside_people_table(report: JudgeReport) -> Table:
    """Make the table of each judge beside people."""
    people = report.summary.people
    return Table(
        section=Section.PEOPLE,
        name="judges_beside_people",
        title="Judges beside people, %",
        note="Over answers that people decide and the judge graded. Every answer counts with how "
        "unlikely it was to be chosen, so that the numbers are of all answers. False accepts: of "
        "what people reject; false rejects: of what they accept.",
        head=(
            "judge", "answers", "same", "kappa", "false accepts", "false rejects", "judge accepts",
            "people accept", "difference",
        ),
        rows=()
        if people is None
        else tuple(
            (
                row.judge,
                write_count(row.n_pairs),
                write_share(row.same),
                write_value(row.kappa),
                write_share(row.false_accepts),
                write_share(row.false_rejects),
                write_share(row.judge_accuracy),
                write_share(row.people_accuracy),
                write_difference(row.difference),
            )
            for row in people.judges
        ),
    )  # fmt: skip


def people_accuracy_table(report: JudgeReport) -> Table:
    """Make the table of models' accuracies, set right by what people say."""
    people = report.summary.people
    return Table(
        section=Section.PEOPLE,
        name="accuracy_by_people",
        title="Accuracy by people, and by judges set right by people, %",
        note="Set right: what the judge accepts of all answers, moved by how far people differ "
        "from it on those that both graded. It is as right as people are, however the judge errs.",
        head=(
            "model",
            "shown",
            "judge",
            "by people",
            "people accept",
            "judge accepts",
            "set right",
        ),
        rows=()
        if people is None
        else tuple(
            (
                row.model,
                row.diagnostic,
                row.judge,
                write_count(row.n_decided),
                write_share(row.people),
                write_share(row.judged),
                write_share(row.corrected),
            )
            for row in people.models
        ),
        n_text_columns=3,
    )


def people_table(report: JudgeReport) -> Table:
    """Make the table of how far people agree."""
    people = report.summary.people
    return Table(
        section=Section.PEOPLE,
        name="people",
        title="How far people agree",
        note="Same and kappa (Fleiss') over answers that two people or more have an opinion of. "
        "Ties decide nothing.",
        head=("people", "answers", "ties", "answers of several", "same, %", "kappa"),
        rows=() if people is None else (_write_people(people),),
        n_text_columns=0,
    )


def _write_people(people: PeopleComparison) -> tuple[str, ...]:
    agreement = people.agreement
    return (
        write_count(agreement.n_reviewers),
        write_count(agreement.n_pairs),
        write_count(agreement.n_ties),
        write_count(agreement.n_shared),
        write_share(agreement.same),
        write_value(agreement.kappa),
    )
