"""``oasis categorize``: which challenge each sample of a run poses, by a panel of models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import (
    ConcurrencyOption,
    DryRun,
    Json,
    MaxTokensOption,
    OutputOption,
    RunArgument,
    choose,
)
from video_oasis.cli.output import (
    CHARACTERS_PER_TOKEN,
    print_given_up,
    print_json,
    print_note,
    print_rows,
    print_table,
)
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from video_oasis.categorization.panels import Panel
    from video_oasis.categorization.surviving import Members
    from video_oasis.config import ModelEntry
    from video_oasis.models.interface import AskedModel
    from video_oasis.report.categories.document import CategoriesReport
    from video_oasis.run_folder import RunFolder
    from video_oasis.runner import Outcome
    from video_oasis.schema import Sample, SampleKey
    from video_oasis.taxonomy.category import Taxonomy

_FAILURES = 1
_INTERRUPTED = 130


def categorize(
    folder: RunArgument,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the panel, such as openai/NAME@URL (see 'oasis models'); repeatable.",
        ),
    ] = None,
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file whose [[models]] are the panel."),
    ] = None,
    taxonomy_file: Annotated[
        Path | None,
        typer.Option(
            "--taxonomy", help="TOML file of categories. By default the five that are built in."
        ),
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option(
            "--threshold",
            help="How many models must agree. By default the smallest majority: 3 of 5.",
        ),
    ] = None,
    other_panels: Annotated[
        list[str] | None,
        typer.Option(
            "--other-panel",
            metavar="'MODEL MODEL...'",
            help="Models with spaces between them, some perhaps of the panel, to compare the "
            "panel's categories with; repeatable.",
        ),
    ] = None,
    on: Annotated[
        str, typer.Option("--on", help="kept (the run's distilled set) or all samples.")
    ] = "kept",
    propose: Annotated[
        bool,
        typer.Option(
            "--propose", help="Have one model propose a taxonomy of the samples' own task labels."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Where to write a proposed taxonomy. By default taxonomy.toml."
        ),
    ] = None,
    n_draws: Annotated[
        int | None,
        typer.Option(
            "--draws",
            help="How many proposals to ask for before they are merged. By default 3.",
        ),
    ] = None,
    subtasks: Annotated[
        list[str] | None,
        typer.Option(
            "--subtask",
            metavar="COLUMN",
            help="A published column that says more of a task than its name, for --propose; "
            "repeatable. By default those known of the released benchmarks.",
        ),
    ] = None,
    output: OutputOption = None,
    concurrency: ConcurrencyOption = None,
    max_tokens: MaxTokensOption = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Sort the samples of a run into categories by what makes them hard.

    The panel sees questions, choices and definitions, and nothing of the videos. Where too few of
    its models agree, RUN/categories/review.csv lists the samples for you: fill in the column
    category and give the command again. With --propose, a model writes a taxonomy instead.

    Exit code 0: done; 1: done, but answers failed or are missing, or no proposal is valid; 2:
    something you gave is wrong.
    """
    from video_oasis.categorization.surviving import Members, choose_samples
    from video_oasis.cli.audit import apply_to_models, open_run
    from video_oasis.cli.proposal import propose_taxonomy
    from video_oasis.models.settings import Output
    from video_oasis.run_folder import RunFolder

    members = choose(Members, on, "--on") or Members.KEPT
    if propose:
        _refuse(
            "--propose makes a taxonomy from free text and assigns nothing",
            {
                "--taxonomy": taxonomy_file,
                "--threshold": threshold,
                "--other-panel": other_panels,
                "--output": output,
            },
        )
    else:
        _refuse(
            "nothing is proposed without --propose",
            {"--out": out, "--draws": n_draws, "--subtask": subtasks},
        )
    panel = _choose_panel(models, settings_file)
    flags = {
        "output": choose(Output, output, "--output"),
        "concurrency": concurrency,
        "max_tokens": max_tokens,
    }
    given = {name: value for name, value in flags.items() if value is not None}
    run_folder = RunFolder(folder)
    opened = open_run(run_folder)
    samples = choose_samples(opened.samples, members, run_folder.distilled)
    if propose:
        propose_taxonomy(
            run_folder,
            samples,
            apply_to_models(panel, given),
            out=out or Path("taxonomy.toml"),
            n_draws=3 if n_draws is None else n_draws,
            subtasks=subtasks,
            dry_run=dry_run,
            as_json=as_json,
        )
        return

    from video_oasis.categorization.panels import add_others, open_panel
    from video_oasis.evidence.durations import find_durations
    from video_oasis.preparation import read_evidence
    from video_oasis.taxonomy.toml_form import default_taxonomy, read_taxonomy

    others = [text.split() for text in other_panels or []]
    entries = apply_to_models(add_others(panel, others), given)
    asked, opened_panel = open_panel(entries, len(panel), others, threshold)
    taxonomy = read_taxonomy(taxonomy_file) if taxonomy_file else default_taxonomy()
    if dry_run:
        _print_plan(run_folder, samples, taxonomy, asked, as_json=as_json)
        return
    durations = find_durations(samples, read_evidence(opened, run_folder).timelines)
    known = {(sample.benchmark, sample.id) for sample in opened.samples}
    report, outcome = _assign(
        run_folder, samples, taxonomy, asked, opened_panel, members, known, durations
    )
    _print_report(report, run_folder, as_json=as_json)
    print_given_up(outcome.gave_up)
    n_lacking = sum(row.n_error + row.n_missing for row in report.votes)
    if n_lacking:
        print_note(f"{n_lacking} answers are missing; give the same command again to ask for them")
        raise typer.Exit(_FAILURES)


def _refuse(why: str, flags: "Mapping[str, object]") -> None:
    given = [flag for flag, value in flags.items() if value is not None]
    if given:
        raise SettingsError(f"{why}; leave {', '.join(given)} out")


def _choose_panel(
    models: "Sequence[str] | None", settings_file: Path | None
) -> "tuple[ModelEntry, ...]":
    from video_oasis.config import AuditSettings, ModelEntry, read_settings

    if models:
        return tuple(map(ModelEntry, models))
    panel = read_settings(settings_file).models if settings_file else ()
    # A file without models reads as one with those that an audit has by itself.
    if not panel or panel == AuditSettings().models:
        raise SettingsError(
            "no model to ask; name a panel with --model, such as --model "
            "openai/MODEL@http://localhost:8000/v1, several times, or with [[models]] in the file "
            "that --settings names"
        )
    return panel


def _assign(
    folder: "RunFolder",
    samples: "Sequence[Sample]",
    taxonomy: "Taxonomy",
    models: "dict[str, AskedModel]",
    panel: "Panel",
    members: "Members",
    known: "Collection[SampleKey]",
    durations: "Mapping[SampleKey, float]",
) -> "tuple[CategoriesReport, Outcome]":
    from video_oasis.categorization.assigning import plan_panel, read_votes
    from video_oasis.categorization.decisions import DecisionFiles
    from video_oasis.categorization.files import write_assignments
    from video_oasis.categorization.reporting import assign, make_report
    from video_oasis.cli.progress import show_progress
    from video_oasis.report.categories.files import write_categories
    from video_oasis.report.numbers import write_several
    from video_oasis.runner import run_plan
    from video_oasis.store import Store

    assignments = plan_panel(samples, taxonomy, models)
    with folder.lock(), Store.create(folder.answers) as store:
        decided = DecisionFiles(folder.categories).take_in(taxonomy, known)
        with show_progress() as listener:
            outcome = run_plan(assignments, store, listener=listener)
        if outcome.interrupted:
            print_note(
                f"Stopped. {outcome.n_answered} new answers are stored; give the same command "
                f"again to go on"
            )
            raise typer.Exit(_INTERRUPTED)
        votes = read_votes(assignments, store, taxonomy)
        by_key = {(sample.benchmark, sample.id): sample for sample in samples}
        assigned = assign(samples, votes, panel, taxonomy, decided.categories)
        report = make_report(
            assigned,
            by_key,
            votes,
            panel,
            taxonomy,
            assignments=assignments,
            members=members,
            decided=decided.categories,
            durations_seconds=durations,
        )
        write_assignments(assigned, by_key, taxonomy, folder.categories)
        write_categories(report, folder.categories)
    if decided.disputed:
        print_note(
            f"{write_several(len(decided.disputed), 'sample')}: people named different categories, "
            f"so none of them counts; settle it in the review page, or in review.csv"
        )
    return report, outcome


def _print_plan(
    folder: "RunFolder",
    samples: "Sequence[Sample]",
    taxonomy: "Taxonomy",
    models: "dict[str, AskedModel]",
    *,
    as_json: bool,
) -> None:
    from video_oasis.categorization.assigning import plan_panel
    from video_oasis.plan import estimate_cost
    from video_oasis.store import Store

    with Store.read_or_empty(folder.answers) as store:
        costs = [estimate_cost(each, store) for each in plan_panel(samples, taxonomy, models)]
    rows = [
        {
            "benchmark": cost.benchmark,
            "model": cost.model,
            "samples": cost.n_trials,
            "questions": cost.n_asks,
            "stored": cost.n_stored,
            "to ask": cost.n_left,
            "prompt tokens, about": round(cost.n_prompt_characters / CHARACTERS_PER_TOKEN),
        }
        for cost in costs
    ]
    print_rows(rows, as_json=as_json)


def _print_report(report: "CategoriesReport", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.report.categories.sentences import write_verdict
    from video_oasis.report.categories.tables import make_tables

    if as_json:
        print_json(report.to_plain())
        return
    table = make_tables(report)[0]
    print_table([dict(zip(table.head, row, strict=True)) for row in table.rows])
    typer.echo()
    for sentence in write_verdict(report):
        typer.echo(sentence)
    typer.echo(f"Written to {folder.categories}; categories.html there is the page.")
