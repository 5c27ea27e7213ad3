"""Tables of what became of answers, videos and files."""

from video_oasis.analysis.cells import Level
from video_oasis.report.document import AuditReport
from video_oasis.report.numbers import write_count, write_percent
from video_oasis.report.tables.table import Section, Table


def status_table(report: AuditReport) -> Table:
    """Show what became of the answers."""
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    return Table(
        section=Section.ANSWERS,
        name="statuses",
        title="What became of the answers",
        note=(
            "An answer that failed or cannot be read is never counted as wrong: accuracy is over "
            "the read ones, and the bounds say what it would be if all others were wrong or right."
        ),
        head=(
            "test",
            "model",
            "asked",
            "read",
            "unparsed",
            "refused",
            "error",
            "missing",
            "accuracy",
            "bounds",
        ),
        rows=tuple(
            (
                row.diagnostic,
                row.model,
                *map(
                    write_count,
                    (
                        row.n,
                        row.n_scored,
                        row.n_unparsed,
                        row.n_refused,
                        row.n_error,
                        row.n_missing,
                    ),
                ),
                write_percent(row.accuracy),
                f"{write_percent(row.lower_bound)} to {write_percent(row.upper_bound)}",
            )
            for row in report.summary.accuracy
            if row.level == level
        ),
        n_text_columns=2,
    )


def reason_table(report: AuditReport) -> Table:
    """Show why answers could not be read."""
    return Table(
        section=Section.ANSWERS,
        name="reasons",
        title="Why answers could not be read",
        note="",
        head=("samples of", "test", "model", "status", "reason", "n"),
        rows=tuple(
            (row.benchmark, row.diagnostic, row.model, row.status, row.reason, write_count(row.n))
            for row in report.summary.statuses
            if row.reason
        ),
        n_text_columns=5,
    )


def saving_table(report: AuditReport) -> Table:
    """Show the calls that the lazy plan left out."""
    return Table(
        section=Section.ANSWERS,
        name="savings",
        title="Calls that the lazy plan left out",
        note=(
            "Out of reach: so many models are wrong that the test cannot make the sample a "
            "shortcut. Already: the sample is one without it. Wrong: the model is wrong under "
            "another rotation of the choices."
        ),
        head=("test", "questions", "asked", "out of reach", "already", "wrong", "further draws"),
        rows=tuple(
            (
                saving.diagnostic,
                write_count(saving.n_questions),
                write_count(saving.n_asked),
                write_count(saving.threshold_out_of_reach),
                write_count(saving.already_a_shortcut),
                write_count(saving.wrong_in_another_rotation),
                write_count(saving.another_draw),
            )
            for saving in report.savings
        ),
    )


def lacking_table(report: AuditReport) -> Table:
    """Show the videos that lack what a test shows."""
    return Table(
        section=Section.ANSWERS,
        name="videos",
        title="Videos that lack what a test shows",
        note="Their samples count as errors under these tests, never as answered wrong.",
        head=("benchmark", "video", "fault", "what was found", "samples"),
        rows=tuple(
            (
                video.benchmark,
                video.path,
                video.reason,
                video.message,
                write_count(len(video.sample_ids)),
            )
            for video in report.lacking
        ),
        n_text_columns=4,
    )


def excluded_table(report: AuditReport) -> Table:
    """Show the samples that a test says nothing about."""
    return Table(
        section=Section.ANSWERS,
        name="excluded",
        title="Samples outside a test",
        note=(
            "These are not asked under the test and are in none of its numbers. withholds_nothing: "
            "the clip is so short that the model would see, in order, no fewer frames than under "
            "standard. does_not_apply: the sample has not got what the test shows, such as an "
            "annotation of where to look. no_speech…: nothing is said in the clip, or what a "
            "recogniser made of it is no speech."
        ),
        head=("benchmark", "test", "model", "reason", "samples"),
        rows=tuple(
            (
                count.benchmark,
                count.diagnostic,
                count.model,
                count.reason,
                write_count(count.n_samples),
            )
            for count in report.excluded
        ),
        n_text_columns=4,
    )


def cut_table(report: AuditReport) -> Table:
    """Show how often a text was cut."""
    return Table(
        section=Section.ANSWERS,
        name="cut",
        title="Samples whose text is read in part",
        note=(
            "A transcript is longer than the audit's limit, and an even choice of it is shown; or "
            "a question or option is longer than a matching model reads, and loses its end."
        ),
        head=("benchmark", "test", "model", "samples"),
        rows=tuple(
            (count.benchmark, count.diagnostic, count.model, write_count(count.n_samples))
            for count in report.cut
        ),
        n_text_columns=3,
    )


def skipped_table(report: AuditReport) -> Table:
    """Show what models cannot be asked."""
    return Table(
        section=Section.ANSWERS,
        name="skipped",
        title="Tests that a model was not given",
        note="These models cannot take what the tests show.",
        head=("model", "tests"),
        rows=tuple((model, ", ".join(names)) for model, names in report.skipped.items()),
        n_text_columns=2,
    )


def row_table(report: AuditReport) -> Table:
    """Show what became of the rows of each benchmark's files."""
    return Table(
        section=Section.ANSWERS,
        name="rows",
        title="Rows of the benchmarks' files",
        note="Open questions have no options and are not audited; bad rows are left out.",
        head=("benchmark", "group", "rows", "samples", "audited", "open questions", "bad rows"),
        rows=tuple(
            (
                rows.benchmark,
                rows.group,
                write_count(rows.n_rows),
                write_count(rows.n_samples),
                write_count(rows.n_audited),
                write_count(rows.n_open_questions),
                write_count(len(rows.bad_rows)),
            )
            for rows in report.rows
        ),
        n_text_columns=2,
    )


def model_table(report: AuditReport) -> Table:
    """Show the models and what makes their answers what they are."""
    return Table(
        section=Section.ANSWERS,
        name="models",
        title="Models",
        note="Everything here changes answers and is part of a model's identity.",
        head=("model", "settings"),
        rows=tuple(
            (
                model.name,
                ", ".join(f"{key} {value}" for key, value in sorted(model.description.items())),
            )
            for model in report.models
        ),
        n_text_columns=2,
    )
