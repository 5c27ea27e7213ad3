"""``oasis audit``, ``oasis run``, ``oasis report``: from question files to a report."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from video_oasis.cli.options import (
    ConcurrencyOption,
    DrawsOption,
    DryRun,
    FramesAsOption,
    FramesFolderOption,
    Json,
    LimitOption,
    MappingFile,
    MappingFlags,
    MaxFramesOption,
    MaxTokensOption,
    ModelsOption,
    OutputOption,
    RunArgument,
    SettingsOption,
    SkipBadOption,
    Sources,
    choose,
    given_flags,
    read_mapping_options,
)
from video_oasis.cli.output import (
    CHARACTERS_PER_TOKEN,
    print_given_up,
    print_guesses,
    print_json,
    print_note,
    print_rows,
)
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.audit import OpenAudit, PreparedAudit
    from video_oasis.config import AskingPlan, AuditSettings, ModelEntry
    from video_oasis.evidence.prepared import Prepared
    from video_oasis.media.store import FrameStore
    from video_oasis.plan import Cost
    from video_oasis.report.document import AuditReport, LackingVideo
    from video_oasis.run_folder import RunFolder
    from video_oasis.runner import Listener, Outcome
    from video_oasis.store import Store

_INTERRUPTED = 130
_FAILURES = 1
_VIDEOS_NAMED = 20

PlanOption = Annotated[
    str | None,
    typer.Option(
        "--plan",
        help="full asks everything; lazy only what it takes to know which samples are shortcuts.",
    ),
]
ThresholdOption = Annotated[
    int | None,
    typer.Option(
        "--threshold",
        help="How many models of one test must be right to make a sample a shortcut. By default "
        "all models of the test that has most.",
    ),
]


def audit(
    sources: Sources = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of this run.")] = Path(
        "runs/audit"
    ),
    settings_file: SettingsOption = None,
    models: ModelsOption = None,
    validators: Annotated[
        list[str] | None,
        typer.Option(
            "--validator",
            help="A model that takes no part in the tests: what it solves under standard says "
            "whether the shortcuts are real; repeatable.",
        ),
    ] = None,
    spares: Annotated[
        list[str] | None,
        typer.Option(
            "--spare",
            help="A model that is asked as the others are and has no vote: put in their place, it "
            "shows how far verdicts depend on the choice of models; repeatable.",
        ),
    ] = None,
    diagnostics: Annotated[
        list[str] | None,
        typer.Option(
            "--diagnostic",
            "-d",
            help="A diagnostic (see 'oasis diagnostics'); repeatable. By default blind.",
        ),
    ] = None,
    videos: Annotated[
        Path | None,
        typer.Option(
            "--videos",
            metavar="DIR",
            help="The folder the videos are below, for diagnostics that show frames.",
        ),
    ] = None,
    images_fps: Annotated[
        float | None,
        typer.Option("--images-fps", help="Frames a second of videos that are folders of images."),
    ] = None,
    transcripts: Annotated[
        Path | None,
        typer.Option(
            "--transcripts",
            metavar="DIR",
            help="The folder that transcripts or subtitles are below, for the audio diagnostic.",
        ),
    ] = None,
    recogniser: Annotated[
        str | None,
        typer.Option(
            "--recogniser",
            help="What makes transcripts of videos that have none: whisper/NAME-OR-FOLDER or "
            "server/MODEL@URL.",
        ),
    ] = None,
    captions: Annotated[
        Path | None,
        typer.Option(
            "--captions",
            metavar="FILE",
            help="A file of captions, for the summary diagnostics.",
        ),
    ] = None,
    captioner: Annotated[
        str | None,
        typer.Option(
            "--captioner",
            help="The model that describes the videos' parts, such as openai/NAME@URL.",
        ),
    ] = None,
    grounder: Annotated[
        str | None,
        typer.Option(
            "--grounder",
            help="The encoder that ranks frames by how relevant they are to the question, such as "
            "open_clip/ViT-B-32:openai.",
        ),
    ] = None,
    frames_folder: FramesFolderOption = None,
    max_frames: MaxFramesOption = None,
    frames_as: FramesAsOption = None,
    output: OutputOption = None,
    concurrency: ConcurrencyOption = None,
    max_tokens: MaxTokensOption = None,
    plan: PlanOption = None,
    threshold: ThresholdOption = None,
    strict_consistency: Annotated[
        bool | None,
        typer.Option(
            "--strict-consistency",
            help="Flag a sample for consistency only if all models differ, not where no choice has "
            "a majority.",
        ),
    ] = None,
    n_draws: DrawsOption = None,
    n_rotations: Annotated[
        int | None,
        typer.Option(
            "--rotations",
            help="Ask each question so often with its choices rotated; a model is right only if it "
            "is each time.",
        ),
    ] = None,
    limit: LimitOption = None,
    skip_bad: SkipBadOption = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Audit benchmarks: ask what is not answered yet, then write the report.

    Exit code 0: done; 1: done, but some questions failed; 2: something you gave is wrong.
    """
    from video_oasis.config import (
        AuditSettings,
        GrounderEntry,
        ModelEntry,
        RecogniserEntry,
        read_settings,
    )
    from video_oasis.models.settings import FramesAs, Output
    from video_oasis.run_folder import RunFolder

    columns = read_mapping_options(mapping_file, mapping_flags)
    settings = change_settings(
        read_settings(settings_file) if settings_file else AuditSettings(),
        sources=sources or [],
        columns=columns,
        models=models or [],
        validators=validators or [],
        spares=spares or [],
        model_flags={
            "output": choose(Output, output, "--output"),
            "frames_as": choose(FramesAs, frames_as, "--frames-as"),
            "concurrency": concurrency,
            "max_tokens": max_tokens,
        },
        benchmark_flags={
            "videos": videos,
            "images_fps": images_fps,
            "transcripts": transcripts,
            "captions": captions,
        },
        frame_flags={"max_frames": max_frames},
        flags={
            "diagnostics": tuple(diagnostics) if diagnostics else None,
            "frames_folder": frames_folder,
            "recogniser": None if recogniser is None else RecogniserEntry(recogniser),
            "captioner": None if captioner is None else ModelEntry(captioner),
            "grounder": None if grounder is None else GrounderEntry(grounder),
            "plan": _choose_plan(plan),
            "threshold": threshold,
            "strict_consistency": strict_consistency,
            "n_draws": n_draws,
            "n_rotations": n_rotations,
            "limit": limit,
            "skip_bad": skip_bad,
        },
    )
    _audit(settings, RunFolder(out), dry_run=dry_run, as_json=as_json)


def run(
    folder: RunArgument,
    plan: PlanOption = None,
    threshold: ThresholdOption = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Go on with a run: ask what it still lacks, then write its report."""
    from dataclasses import replace

    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    changes = given_flags({"plan": _choose_plan(plan), "threshold": threshold})
    settings = replace(read_run(run_folder), **changes)
    _audit(settings, run_folder, dry_run=dry_run, as_json=as_json)


def prepare(
    folder: RunArgument,
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file to start the run from, if it is new."),
    ] = None,
) -> None:
    """Make frames, transcripts, captions and embeddings of a run ahead; ask no question.

    Exit code 0: done; 1: done, but some videos lack something; 2: something you gave is wrong.
    """
    from video_oasis.audit import plan_audit
    from video_oasis.config import read_settings, write_settings
    from video_oasis.media.store import FrameStore
    from video_oasis.reporting import list_lacking
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    run_folder.refuse_other_kind(openly=False)
    settings = read_settings(settings_file) if settings_file else read_run(run_folder)
    opened = open_settings(settings)
    with run_folder.lock(), Store.create(run_folder.answers) as store:
        write_settings(settings, run_folder.settings)
        frames = FrameStore(settings.frames_folder or run_folder.frames)
        prepared = plan_audit(opened, prepare_run(opened, run_folder, store, frames))
        _embed(prepared, run_folder, frames)
    lacking = list_lacking(prepared.assignments)
    explain_lacking(lacking)
    print_note(f"Ask the questions with: oasis run {folder}")
    if lacking:
        raise typer.Exit(_FAILURES)


def report(folder: RunArgument, as_json: Json = False) -> None:
    """Write the report of a run again, from the answers there are; asks nothing."""
    from video_oasis.lazy.left_out import NOT_NEEDED
    from video_oasis.run_folder import RunFolder
    from video_oasis.schema import Status
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    prepared = plan_run(run_folder)
    with Store.read(run_folder.answers) as store:
        written = _write(prepared, store, run_folder)
    _print_report(written, run_folder, as_json=as_json)
    n_missing = sum(
        row.n
        for row in written.summary.statuses
        if row.status == Status.MISSING and row.reason != NOT_NEEDED
    )
    if n_missing:
        print_note(f"{n_missing} answers are missing; ask for them with: oasis run {folder}")


def plan_run(folder: "RunFolder") -> "PreparedAudit":
    """Plan a run again from its settings and what was prepared for it.

    Raises:
        UserError: there is no run, or its files are not there any more.
    """
    return _plan_from_files(open_run(folder), folder)


def open_run(folder: "RunFolder") -> "OpenAudit":
    """Read the files of a run's benchmarks again, as its settings name them.

    Raises:
        UserError: there is no run, or its files are not there any more.
    """
    return open_settings(read_run(folder))


def run_audit(settings: "AuditSettings", folder: "RunFolder") -> "tuple[AuditReport, Outcome]":
    """Do what a run lacks and write its report, with progress on standard error.

    Raises:
        typer.Exit: the user stopped it; all frames and answers so far are kept.
    """
    from video_oasis.audit import plan_audit
    from video_oasis.cli.progress import show_progress
    from video_oasis.config import write_settings
    from video_oasis.media.store import FrameStore
    from video_oasis.store import Store

    folder.refuse_other_kind(openly=False)
    opened = open_settings(settings)
    with folder.lock(), Store.create(folder.answers) as store:
        write_settings(settings, folder.settings)
        frames = FrameStore(settings.frames_folder or folder.frames)
        prepared = plan_audit(opened, prepare_run(opened, folder, store, frames))
        for model, names in prepared.skipped.items():
            print_note(f"{model} cannot take what is shown under {', '.join(names)}")
        with show_progress() as listener:
            outcome = _ask(prepared, folder, store, frames, listener)
        if outcome.interrupted:
            print_note(
                f"Stopped. {outcome.n_answered} new answers are stored; go on with: "
                f"oasis run {folder.path}"
            )
            raise typer.Exit(_INTERRUPTED)
        return _write(prepared, store, folder), outcome


def _ask(
    prepared: "PreparedAudit",
    folder: "RunFolder",
    store: "Store",
    frames: "FrameStore",
    listener: "Listener",
) -> "Outcome":
    from video_oasis.config import AskingPlan
    from video_oasis.lazy.run import run_lazily
    from video_oasis.runner import run_plan

    assignments, settings = prepared.assignments, prepared.settings
    if settings.plan is AskingPlan.FULL:
        return run_plan(
            assignments,
            store,
            read_picture=frames.read_picture,
            artifacts=folder.artifacts,
            listener=listener,
        )
    return run_lazily(
        assignments,
        store,
        tests=prepared.tests,
        threshold=settings.threshold,
        read_picture=frames.read_picture,
        artifacts=folder.artifacts,
        listener=listener,
        note=print_note,
    )


def _embed(prepared: "PreparedAudit", folder: "RunFolder", frames: "FrameStore") -> None:
    from video_oasis.preparation import prepare_embeddings

    with _preparing(folder) as listener:
        prepare_embeddings(prepared, folder, frames, listener)


def prepare_run(
    audit: "OpenAudit", folder: "RunFolder", store: "Store", frames: "FrameStore"
) -> "Prepared":
    """Make what is lacking of the videos, with progress on standard error.

    Raises:
        typer.Exit: the user stopped it; what was made so far is kept.
    """
    from video_oasis.preparation import prepare_evidence

    with _preparing(folder) as listener:
        return prepare_evidence(audit, folder, store, frames, listener=listener, note=print_note)


@contextmanager
def _preparing(folder: "RunFolder") -> "Iterator[Listener]":
    """Show progress, and say how to go on if the user stops it."""
    from video_oasis.cli.progress import show_progress

    try:
        with show_progress() as listener:
            yield listener
    except KeyboardInterrupt:
        print_note(f"Stopped. What was made so far is kept; go on with: oasis run {folder.path}")
        raise typer.Exit(_INTERRUPTED) from None


def _audit(settings: "AuditSettings", folder: "RunFolder", *, dry_run: bool, as_json: bool) -> None:
    if dry_run:
        _print_plan(settings, folder, as_json=as_json)
        return
    report, outcome = run_audit(settings, folder)
    _print_report(report, folder, as_json=as_json)
    explain_lacking(report.lacking)
    _explain_excluded(report)
    _explain_savings(report)
    print_given_up(outcome.gave_up)
    if outcome.n_failed or outcome.gave_up:
        print_note(
            f"{outcome.n_failed} questions failed and are counted as errors; ask them again with: "
            f"oasis run {folder.path}"
        )
    if outcome.n_failed or outcome.gave_up or report.lacking:
        raise typer.Exit(_FAILURES)


def explain_lacking(lacking: "Sequence[LackingVideo]") -> None:
    """Say which videos lack what a test shows, the first of them by name."""
    from video_oasis.report.numbers import write_several

    for video in lacking[:_VIDEOS_NAMED]:
        print_note(f"{video.benchmark} {video.path} ({video.reason}): {video.message}")
    if lacking:
        n_more = len(lacking) - _VIDEOS_NAMED
        more = f"{n_more} more, all in the report. " if n_more > 0 else ""
        n_videos = len({(video.benchmark, video.path) for video in lacking})
        samples = {(video.benchmark, each) for video in lacking for each in video.sample_ids}
        print_note(
            f"{more}{write_several(n_videos, 'video')} without what a test shows; "
            f"{write_several(len(samples), 'sample')} counted as errors there."
        )


def _explain_excluded(report: "AuditReport") -> None:
    n_excluded = sum(count.n_samples for count in report.excluded)
    if n_excluded:
        print_note(
            f"{n_excluded} questions were not asked because a test says nothing about their clips; "
            f"the report counts them by test and reason."
        )


def _explain_savings(report: "AuditReport") -> None:
    for saving in report.savings:
        print_note(
            f"{saving.diagnostic}: {saving.n_left_out:,} of {saving.n_questions:,} calls left out; "
            f"{saving.already_a_shortcut:,} about samples that are shortcuts already, "
            f"{saving.threshold_out_of_reach:,} with the threshold out of reach"
            + (
                f", {saving.wrong_in_another_rotation:,} of models wrong under another rotation"
                if saving.wrong_in_another_rotation
                else ""
            )
            + (f", {saving.another_draw:,} further draws" if saving.another_draw else "")
        )
    if report.savings:
        n_questions = sum(saving.n_questions for saving in report.savings)
        n_left_out = sum(saving.n_left_out for saving in report.savings)
        print_note(
            f"The lazy plan left out {n_left_out:,} of {n_questions:,} calls. Which samples are "
            f"shortcuts is known; other numbers of these tests need --plan full."
        )


def change_settings(
    settings: "AuditSettings",
    *,
    sources: "Sequence[str]",
    columns: Any,
    models: "Sequence[str]",
    validators: "Sequence[str]" = (),
    spares: "Sequence[str]" = (),
    model_flags: dict[str, Any],
    benchmark_flags: dict[str, Any],
    frame_flags: dict[str, Any],
    flags: dict[str, Any],
) -> "AuditSettings":
    """Return settings with what flags say in the place of what they were.

    Args:
        settings: the settings.
        sources: the benchmarks as the command line names them; none to leave them.
        columns: how to read files of the user's own.
        models: the models by name; none to leave them.
        validators: models to add in that role.
        spares: models to add in that role.
        model_flags: by field of ``ModelSettings``; None for a flag that is not given.
        benchmark_flags: the same by field of ``BenchmarkEntry``.
        frame_flags: the same by field of ``FrameSettings``.
        flags: the same by field of ``AuditSettings``.

    Raises:
        UserError: a flag is wrong.
    """
    from dataclasses import replace

    from video_oasis.config import ModelEntry, Role, parse_source

    changes = given_flags(flags)
    benchmarks = settings.benchmarks
    if sources:
        benchmarks = tuple(parse_source(source, columns) for source in sources)
    of_benchmarks = given_flags(benchmark_flags)
    changes["benchmarks"] = tuple(replace(entry, **of_benchmarks) for entry in benchmarks)
    changes["frames"] = replace(settings.frames, **given_flags(frame_flags))
    entries = tuple(ModelEntry(model) for model in models) if models else settings.models
    entries += tuple(ModelEntry(model, role=Role.VALIDATOR) for model in validators)
    entries += tuple(ModelEntry(model, role=Role.SPARE) for model in spares)
    changes["models"] = apply_to_models(entries, given_flags(model_flags))
    return replace(settings, **changes)


def apply_to_models(
    entries: "tuple[ModelEntry, ...]", changes: dict[str, Any]
) -> "tuple[ModelEntry, ...]":
    """Give each model those flags that its backend reads; a flag that none reads is an error."""
    from dataclasses import replace

    from video_oasis.models import find_backend

    reads = [find_backend(entry.model).settings for entry in entries]
    for name in changes:
        if not any(name in names for names in reads):
            raise SettingsError(
                f"--{name.replace('_', '-')}: none of the models has such a setting: "
                f"{', '.join(entry.model for entry in entries)}"
            )
    return tuple(
        replace(
            entry,
            settings=replace(
                entry.settings, **{name: changes[name] for name in changes if name in names}
            ),
        )
        for entry, names in zip(entries, reads, strict=True)
    )


def _choose_plan(value: str | None) -> "AskingPlan | None":
    from video_oasis.config import AskingPlan

    return choose(AskingPlan, value, "--plan")


def read_run(folder: "RunFolder") -> "AuditSettings":
    """Read the settings of a run.

    Raises:
        RunError: there is none.
    """
    from video_oasis.config import read_settings
    from video_oasis.errors import RunError

    folder.refuse_other_kind(openly=False)
    if not folder.settings.is_file():
        raise RunError(f"{folder.path}: no run is there; start one with 'oasis audit --out'")
    return read_settings(folder.settings)


def open_settings(settings: "AuditSettings", *, openly: bool = False) -> "OpenAudit":
    """Read the files that settings name, and say what was guessed of a user's own.

    Args:
        settings: the settings.
        openly: ask open questions, to be answered in words.

    Raises:
        UserError: something in the settings or the files is wrong.
    """
    from video_oasis.audit import open_audit

    opened = open_audit(settings, openly=openly)
    for loaded in opened.benchmarks:
        print_guesses(loaded.contents.benchmark, loaded.guessed)
    return opened


def _plan_from_files(opened: "OpenAudit", folder: "RunFolder") -> "PreparedAudit":
    from video_oasis.audit import plan_audit
    from video_oasis.preparation import read_evidence

    return plan_audit(opened, read_evidence(opened, folder))


def _print_plan(settings: "AuditSettings", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.audit import plan_audit
    from video_oasis.config import AskingPlan
    from video_oasis.plan import estimate_cost
    from video_oasis.preparation import estimate_captions, read_evidence
    from video_oasis.store import Store

    opened = open_settings(settings)
    evidence = read_evidence(opened, folder)
    prepared = plan_audit(opened, evidence)
    with Store.read_or_empty(folder.answers) as store:
        costs = [estimate_cost(assignment, store) for assignment in prepared.assignments]
        captions = estimate_captions(opened, evidence, store)
    if captions is not None:
        costs.insert(0, captions)
    print_rows(list_cost_rows(costs), as_json=as_json)
    if as_json:
        return
    n_left = sum(cost.n_left for cost in costs)
    print_note(
        f"{n_left} questions to ask; equal questions are asked once. Tokens are those of the text, "
        f"counted as {CHARACTERS_PER_TOKEN} characters each; frames come on top."
    )
    if not all(cost.is_exact for cost in costs):
        print_note(
            "Not all videos have been looked at yet: questions and frames are upper bounds, and "
            "tokens leave those questions out."
        )
    if settings.plan is AskingPlan.LAZY:
        print_note("These are upper bounds: the lazy plan asks only what verdicts still need.")
    for model, names in prepared.skipped.items():
        print_note(f"{model} cannot take what is shown under {', '.join(names)}")


def list_cost_rows(costs: "Sequence[Cost]") -> list[dict[str, Any]]:
    """List what each assignment takes, as rows of a table."""
    return [
        {
            "benchmark": cost.benchmark,
            "diagnostic": cost.diagnostic,
            "model": cost.model,
            "answers": cost.n_trials,
            "questions": cost.n_asks,
            "stored": cost.n_stored,
            "to ask": cost.n_left,
            "prompt tokens, about": round(cost.n_prompt_characters / CHARACTERS_PER_TOKEN),
            "frames": cost.n_frames,
            "lacking": cost.n_unshown,
            "excluded": cost.n_excluded,
        }
        for cost in costs
    ]


def _write(prepared: "PreparedAudit", store: "Store", folder: "RunFolder") -> "AuditReport":
    from video_oasis.judgements.journal import Journal
    from video_oasis.media.store import FrameStore
    from video_oasis.report.files import write_report
    from video_oasis.reporting import make_report

    report = make_report(prepared, store, Journal(folder.judgements).read())
    frames = FrameStore(prepared.settings.frames_folder or folder.frames)
    write_report(
        report,
        folder.report,
        read_picture=frames.read_picture if frames.folder.is_dir() else None,
    )
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
