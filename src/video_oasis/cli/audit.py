"""``oasis audit``, ``oasis run``, ``oasis report``: from question files to a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from video_oasis.cli.options import Json, MappingFile, MappingFlags, Sources, read_mapping_options
from video_oasis.cli.output import print_guesses, print_json, print_note, print_table
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.audit import PreparedAudit
    from video_oasis.config import AuditSettings
    from video_oasis.report.document import AuditReport
    from video_oasis.run_folder import RunFolder
    from video_oasis.runner import Outcome
    from video_oasis.store import Store

_INTERRUPTED = 130
_FAILURES = 1
_CHARACTERS_PER_TOKEN = 4

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be asked, and ask nothing.")
]


def audit(
    sources: Sources = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of this run.")] = Path(
        "runs/audit"
    ),
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file with settings; flags win over it."),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="A model: learned/logistic or openai/NAME@URL (see 'oasis models'); repeatable. "
            "By default the three learned ones.",
        ),
    ] = None,
    diagnostics: Annotated[
        list[str] | None,
        typer.Option("--diagnostic", "-d", help="A diagnostic; repeatable. By default blind."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", help="How served models answer: text, json, choice (vLLM) or logprobs."
        ),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", help="Requests under way at once, per model.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help="Longest reply of served models.")
    ] = None,
    n_draws: Annotated[
        int | None, typer.Option("--draws", help="Answers per question from served models.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", help="At most so many samples of each benchmark, by hash."),
    ] = None,
    skip_bad: Annotated[
        bool | None,
        typer.Option("--skip-bad", help="Leave out rows that cannot be read, with a record."),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Audit benchmarks: ask what is not answered yet, then write the report.

    Exit code 0: done; 1: done, but some questions failed; 2: something you gave is wrong.
    """
    from video_oasis.run_folder import RunFolder

    columns = read_mapping_options(mapping_file, mapping_flags)
    settings = _resolve(
        settings_file,
        sources=sources or [],
        columns=columns,
        models=models or [],
        model_flags={"output": output, "concurrency": concurrency, "max_tokens": max_tokens},
        flags={
            "diagnostics": tuple(diagnostics) if diagnostics else None,
            "n_draws": n_draws,
            "limit": limit,
            "skip_bad": skip_bad,
        },
    )
    _audit(settings, RunFolder(out), dry_run=dry_run, as_json=as_json)


def run(folder: RunArgument, dry_run: DryRun = False, as_json: Json = False) -> None:
    """Go on with a run: ask what it still lacks, then write its report."""
    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    _audit(_read_run(run_folder), run_folder, dry_run=dry_run, as_json=as_json)


def report(folder: RunArgument, as_json: Json = False) -> None:
    """Write the report of a run again, from the answers there are; asks nothing."""
    from video_oasis.audit import prepare
    from video_oasis.run_folder import RunFolder
    from video_oasis.schema import Status
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    prepared = prepare(_read_run(run_folder))
    with Store.read(run_folder.answers) as store:
        written = _write(prepared, store, run_folder)
    _print_report(written, run_folder, as_json=as_json)
    n_missing = sum(row.n for row in written.summary.statuses if row.status == Status.MISSING)
    if n_missing:
        print_note(f"{n_missing} answers are missing; ask for them with: oasis run {folder}")


def run_audit(settings: "AuditSettings", folder: "RunFolder") -> "tuple[AuditReport, Outcome]":
    """Ask what a run lacks and write its report, with progress on standard error.

    Raises:
        typer.Exit: the user stopped it; all answers so far are stored.
    """
    from video_oasis.cli.progress import show_progress
    from video_oasis.config import write_settings
    from video_oasis.runner import run_plan
    from video_oasis.store import Store

    with folder.lock():
        prepared = _prepare(settings)
        write_settings(settings, folder.settings)
        with Store.create(folder.answers) as store:
            with show_progress() as listener:
                outcome = run_plan(prepared.assignments, store, listener=listener)
            if outcome.interrupted:
                print_note(
                    f"Stopped. {outcome.n_answered} new answers are stored; go on with: "
                    f"oasis run {folder.path}"
                )
                raise typer.Exit(_INTERRUPTED)
            return _write(prepared, store, folder), outcome


def _audit(settings: "AuditSettings", folder: "RunFolder", *, dry_run: bool, as_json: bool) -> None:
    if dry_run:
        _print_plan(settings, folder, as_json=as_json)
        return
    report, outcome = run_audit(settings, folder)
    _print_report(report, folder, as_json=as_json)
    for model, reason in outcome.gave_up.items():
        print_note(f"{model} was left alone after too many failures in a row: {reason}")
    if outcome.n_failed or outcome.gave_up:
        print_note(
            f"{outcome.n_failed} questions failed and are counted as errors; ask them again with: "
            f"oasis run {folder.path}"
        )
        raise typer.Exit(_FAILURES)


def _resolve(
    settings_file: Path | None,
    *,
    sources: list[str],
    columns: Any,
    models: list[str],
    model_flags: dict[str, Any],
    flags: dict[str, Any],
) -> "AuditSettings":
    from dataclasses import replace

    from video_oasis.config import AuditSettings, ModelEntry, parse_source, read_settings
    from video_oasis.models.settings import Output

    settings = read_settings(settings_file) if settings_file else AuditSettings()
    given = {name: value for name, value in flags.items() if value is not None}
    if sources:
        given["benchmarks"] = tuple(parse_source(source, columns) for source in sources)
    entries = tuple(ModelEntry(model) for model in models) if models else settings.models
    changes = {name: value for name, value in model_flags.items() if value is not None}
    if "output" in changes:
        try:
            changes["output"] = Output(changes["output"])
        except ValueError:
            raise SettingsError(
                f"--output {changes['output']}: expected one of {', '.join(Output)}"
            ) from None
    given["models"] = tuple(
        replace(entry, settings=replace(entry.settings, **changes)) for entry in entries
    )
    return replace(settings, **given)


def _read_run(folder: "RunFolder") -> "AuditSettings":
    from video_oasis.config import read_settings
    from video_oasis.errors import RunError

    if not folder.settings.is_file():
        raise RunError(f"{folder.path}: no run is there; start one with 'oasis audit --out'")
    return read_settings(folder.settings)


def _prepare(settings: "AuditSettings") -> "PreparedAudit":
    from video_oasis.audit import prepare

    prepared = prepare(settings)
    for loaded in prepared.benchmarks:
        print_guesses(loaded.contents.benchmark, loaded.guessed)
    return prepared


def _print_plan(settings: "AuditSettings", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.plan import estimate_cost
    from video_oasis.store import Store

    prepared = _prepare(settings)
    store = Store.read(folder.answers) if folder.answers.is_file() else None
    costs = [estimate_cost(assignment, store) for assignment in prepared.assignments]
    if store is not None:
        store.close()
    rows = [
        {
            "benchmark": cost.benchmark,
            "diagnostic": cost.diagnostic,
            "model": cost.model,
            "answers": cost.n_trials,
            "questions": cost.n_asks,
            "stored": cost.n_stored,
            "to ask": cost.n_left,
            "prompt tokens, about": round(cost.n_prompt_characters / _CHARACTERS_PER_TOKEN),
        }
        for cost in costs
    ]
    if as_json:
        print_json(rows)
        return
    print_table([{name: f"{value}" for name, value in row.items()} for row in rows])
    n_left = sum(cost.n_left for cost in costs)
    print_note(
        f"{n_left} questions to ask; equal questions are asked once. Tokens are counted as "
        f"{_CHARACTERS_PER_TOKEN} characters each."
    )


def _write(prepared: "PreparedAudit", store: "Store", folder: "RunFolder") -> "AuditReport":
    from video_oasis.audit import make_report
    from video_oasis.report.files import write_report

    report = make_report(prepared, store)
    write_report(report, folder.report)
    return report


def _print_report(report: "AuditReport", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.report.headline import write_headlines

    if as_json:
        print_json(report.to_plain())
        return
    for benchmark, sentences in write_headlines(report).items():
        typer.echo(benchmark)
        for sentence in sentences:
            typer.echo(f"  {sentence}")
    typer.echo(f"Report: {folder.report / 'report.html'}")
