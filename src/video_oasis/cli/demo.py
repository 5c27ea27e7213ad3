"""``oasis demo``: the whole path from a question file to a report, on questions of our own."""

from pathlib import Path
from typing import Annotated

import typer

from video_oasis.cli.audit import run_audit
from video_oasis.cli.output import print_note


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to put it all.")] = Path("demo"),
) -> None:
    """Audit 300 questions with planted biases, using the models that need no server."""
    from video_oasis.annotations.gold import AnswerForm
    from video_oasis.annotations.mapping import ColumnMapping
    from video_oasis.config import AuditSettings, BenchmarkEntry
    from video_oasis.demo.planted_text import PLANTED_TASKS, write_planted_text
    from video_oasis.report.numbers import write_estimate, write_percent
    from video_oasis.run_folder import RunFolder

    questions = out / "planted_text.jsonl"
    write_planted_text(questions)
    typer.echo(
        f"{questions}: 300 text questions made by this program, without videos. In four of the\n"
        f"six tasks the wording was made to give the answers away; in two it was not.\n"
    )
    columns = ColumnMapping(
        id="id", question="question", choices=("choices",), answer="answer", task="task",
        video="video", name="planted_text", answer_form=AnswerForm.TEXT,
    )  # fmt: skip
    settings = AuditSettings(benchmarks=(BenchmarkEntry(questions.resolve(), columns=columns),))
    folder = RunFolder(out / "run")
    report, _ = run_audit(settings, folder)
    planted = {task.name: task.bias or "nothing" for task in PLANTED_TASKS}
    for finding in report.summary.tasks:
        best = finding.best
        accuracy = write_estimate(best.accuracy, best.accuracy_low, best.accuracy_high)
        found = "given away" if finding.is_given_away else "not given away beyond doubt"
        typer.echo(
            f"{best.task}: {found}\n"
            f"  planted: {planted[best.task]}\n"
            f"  {best.model} answers {accuracy} % right; guessing gives "
            f"{write_percent(best.chance)} %"
        )
    typer.echo(f"\nReport: {folder.report / 'report.html'}")
    print_note("Audit your own file with: oasis audit YOUR_FILE.jsonl --out runs/yours")
