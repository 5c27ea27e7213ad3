"""``oasis judge``: asks open questions, has answers judged, and says what the judges are worth."""

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
    SettingsOption,
    SkipBadOption,
    Sources,
    choose,
    given_flags,
    read_mapping_options,
)
from video_oasis.cli.output import (
    print_given_up,
    print_json,
    print_note,
    print_rows,
)
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from video_oasis.audit import OpenAudit
    from video_oasis.config import AuditSettings
    from video_oasis.open_ended.settings import JudgingSettings
    from video_oasis.report.open_ended.document import JudgeReport
    from video_oasis.run_folder import RunFolder
    from video_oasis.runner import Outcome
    from video_oasis.schema import OpenQuestion, SampleKey

_FAILURES = 1
_INTERRUPTED = 130
_PEOPLE_SEED = 0
_SHOWN_WITH_VIDEOS = ("blind", "center_frame", "shuffle", "standard")


def judge(
    sources: Sources = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder of this run. By default runs/judge."),
    ] = None,
    settings_file: SettingsOption = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="A model that answers, such as openai/NAME@URL (see 'oasis models'); repeatable. "
            "By default recall/similar_questions, which needs nothing.",
        ),
    ] = None,
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            help="A judge: exact_match, token_f1, lemma_match, similarity/ENCODER, or a chat model "
            "such as openai/NAME@URL; repeatable. By default the first three.",
        ),
    ] = None,
    diagnostics: Annotated[
        list[str] | None,
        typer.Option(
            "--diagnostic",
            "-d",
            help="What models are shown (see 'oasis diagnostics'); repeatable. By default blind; "
            "with --videos also center_frame, shuffle and standard.",
        ),
    ] = None,
    videos: Annotated[
        Path | None,
        typer.Option("--videos", metavar="DIR", help="The folder the videos are below."),
    ] = None,
    frames_folder: FramesFolderOption = None,
    max_frames: MaxFramesOption = None,
    frames_as: FramesAsOption = None,
    judge_output: Annotated[
        str | None,
        typer.Option(
            "--judge-output",
            help="How served judges reply: json (held to a schema; the default) or text.",
        ),
    ] = None,
    families: Annotated[
        list[str] | None,
        typer.Option(
            "--family",
            metavar="MODEL=FAMILY",
            help="Which models are kin to which judges, where their names do not tell, such as "
            "openai/my-model=qwen; repeatable.",
        ),
    ] = None,
    n_probes: Annotated[
        int | None,
        typer.Option(
            "--probes",
            help="Of how many questions of each benchmark judges are also given answers whose "
            "right verdict is known. By default 100.",
        ),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(
            "--people",
            min=1,
            metavar="N",
            help="Choose N answers for people to grade with 'oasis review RUN'.",
        ),
    ] = None,
    to_mcq: Annotated[
        Path | None,
        typer.Option(
            "--to-mcq",
            metavar="FOLDER",
            help="Ask nothing; propose the questions with choices instead, and write them there.",
        ),
    ] = None,
    n_choices: Annotated[
        int | None,
        typer.Option("--choices", help="With --to-mcq: how many choices a question has."),
    ] = None,
    concurrency: ConcurrencyOption = None,
    max_tokens: MaxTokensOption = None,
    n_draws: DrawsOption = None,
    limit: LimitOption = None,
    skip_bad: SkipBadOption = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Ask open questions, have the answers judged, and say what the judges are worth.

    SOURCE may also be the folder of an earlier run, to go on with it. Flags win over its settings:
    with --judge, exactly the judges named judge; what others said is kept, and not shown.

    Exit code 0: done; 1: done, but some questions failed; 2: something you gave is wrong.
    """
    from video_oasis.cli.audit import change_settings
    from video_oasis.models.settings import FramesAs, Output
    from video_oasis.run_folder import RunFolder

    columns = read_mapping_options(mapping_file, mapping_flags)
    run, sources = _find_run(sources or [])
    settings = _read_settings(run, settings_file)
    if diagnostics is None and videos is not None and settings_file is None and run is None:
        diagnostics = list(_SHOWN_WITH_VIDEOS)
    audit = change_settings(
        settings.audit,
        sources=sources,
        columns=columns,
        models=models or [],
        model_flags={"frames_as": choose(FramesAs, frames_as, "--frames-as")},
        benchmark_flags={"videos": videos},
        frame_flags={"max_frames": max_frames},
        flags={
            "diagnostics": tuple(diagnostics) if diagnostics else None,
            "frames_folder": frames_folder,
            "n_draws": n_draws,
            "limit": limit,
            "skip_bad": skip_bad,
        },
    )
    settings = _change_judging(
        settings,
        audit,
        judges or [],
        {"output": choose(Output, judge_output, "--judge-output")},
        {"concurrency": concurrency, "max_tokens": max_tokens},
        _read_families(families or []),
        n_probes,
    )
    if to_mcq is not None:
        _refuse_with_proposals({"--limit": limit, "--people": people, "--dry-run": dry_run or None})
        _propose(settings, to_mcq, 4 if n_choices is None else n_choices, as_json=as_json)
        return
    if n_choices is not None:
        raise SettingsError("--choices goes with --to-mcq; leave it out, or name a folder with it")
    folder = RunFolder(out or (run.path if run else Path("runs/judge")))
    folder.refuse_other_kind(openly=True)
    if dry_run:
        _print_plan(settings, folder, as_json=as_json)
        return
    _judge(settings, folder, people, as_json=as_json)


def _find_run(sources: "Sequence[str]") -> "tuple[RunFolder | None, list[str]]":
    """Tell whether the only source is the folder of an earlier run."""
    from video_oasis.run_folder import RunFolder

    runs = [each for each in sources if RunFolder(Path(each)).judging.is_file()]
    if runs and len(sources) > 1:
        raise SettingsError(
            f"{runs[0]} is a run, which has its benchmarks already; name it alone, or benchmarks "
            f"without it and another folder with --out"
        )
    return (RunFolder(Path(runs[0])), []) if runs else (None, list(sources))


def _read_settings(run: "RunFolder | None", file: Path | None) -> "JudgingSettings":
    from video_oasis.config import AuditSettings, ModelEntry
    from video_oasis.open_ended.settings import ANSWERER, JudgingSettings, read_judging

    if run is not None and file is not None:
        raise SettingsError(
            f"--settings: {run.path} is a run with settings of its own; leave --settings out, or "
            f"name benchmarks instead of the run"
        )
    if run is not None:
        return read_judging(run.judging)
    if file is not None:
        return read_judging(file)
    return JudgingSettings(AuditSettings(models=(ModelEntry(ANSWERER),)))


def _change_judging(
    settings: "JudgingSettings",
    audit: "AuditSettings",
    judges: "Sequence[str]",
    judge_flags: dict[str, Any],
    shared_flags: dict[str, Any],
    families: "Mapping[str, str]",
    n_probes: int | None,
) -> "JudgingSettings":
    """Return the settings with the flags of this command; some concern answering models too."""
    from dataclasses import replace

    from video_oasis.cli.audit import apply_to_models
    from video_oasis.open_ended.settings import is_rule, read_judge

    entries = tuple(map(read_judge, judges)) or settings.judges
    served = tuple(entry for entry in entries if not is_rule(entry))
    if not served and given_flags(judge_flags):
        raise SettingsError("--judge-output: no judge is a model; leave it out, or name one")
    served = apply_to_models(served, given_flags(judge_flags))
    both = apply_to_models((*audit.models, *served), given_flags(shared_flags))
    n_answerers = len(audit.models)
    asked = iter(both[n_answerers:])
    return replace(
        settings,
        audit=replace(audit, models=both[:n_answerers]),
        judges=tuple(entry if is_rule(entry) else next(asked) for entry in entries),
        families={**settings.families, **families},
        n_probes=settings.n_probes if n_probes is None else n_probes,
    )


def _read_families(flags: "Sequence[str]") -> dict[str, str]:
    families = {}
    for flag in flags:
        model, equals, family = flag.rpartition("=")
        if not equals or not model or not family:
            raise SettingsError(f"--family {flag}: expected MODEL=FAMILY, such as my-model=qwen")
        families[model] = family
    return families


def _refuse_with_proposals(flags: dict[str, Any]) -> None:
    given = given_flags(flags)
    if given:
        raise SettingsError(
            f"--to-mcq takes every open question and asks nothing; leave {', '.join(given)} out"
        )


def _propose(settings: "JudgingSettings", out: Path, n_choices: int, *, as_json: bool) -> None:
    from video_oasis.cli.audit import open_settings
    from video_oasis.cli.multiple_choice import propose_multiple_choice

    opened = open_settings(settings.audit, openly=True)
    contents = [each.contents for each in opened.benchmarks]
    propose_multiple_choice(contents, out, n_choices=n_choices, as_json=as_json)


def _print_plan(settings: "JudgingSettings", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.audit import plan_audit
    from video_oasis.cli.audit import list_cost_rows, open_settings
    from video_oasis.open_ended.judges import open_judges
    from video_oasis.open_ended.judging import plan_judges
    from video_oasis.open_ended.material import collect_material, list_questions
    from video_oasis.open_ended.reporting import find_families
    from video_oasis.plan import estimate_cost
    from video_oasis.preparation import read_evidence
    from video_oasis.store import Store

    opened = open_settings(settings.audit, openly=True)
    judges = open_judges(settings.judges)
    find_families(settings, opened, judges)
    prepared = plan_audit(opened, read_evidence(opened, folder))
    with Store.read_or_empty(folder.answers) as store:
        costs = [estimate_cost(each, store) for each in prepared.assignments]
        n_to_answer = sum(cost.n_left for cost in costs)
        material = collect_material(list_questions(opened), prepared, store, settings.n_probes)
        costs += [estimate_cost(each, store) for each in plan_judges(material.pairs, judges.models)]
    print_rows(list_cost_rows(costs), as_json=as_json)
    if as_json:
        return
    if n_to_answer and judges.models:
        print_note(
            f"Judges that are models are asked about each different answer; {n_to_answer} answers "
            f"are still to come, and are not among theirs."
        )


def _judge(
    settings: "JudgingSettings", folder: "RunFolder", people: int | None, *, as_json: bool
) -> None:
    from video_oasis.audit import plan_audit
    from video_oasis.cli.audit import explain_lacking, open_settings, prepare_run
    from video_oasis.cli.progress import show_progress
    from video_oasis.media.store import FrameStore
    from video_oasis.open_ended.grade_table import make_grade_table
    from video_oasis.open_ended.judges import open_judges
    from video_oasis.open_ended.judging import plan_judges
    from video_oasis.open_ended.material import collect_material, list_questions
    from video_oasis.open_ended.reporting import find_families, make_report
    from video_oasis.open_ended.settings import write_judging
    from video_oasis.report.open_ended.files import write_judges
    from video_oasis.runner import run_plan
    from video_oasis.store import Store

    opened = open_settings(settings.audit, openly=True)
    questions = list_questions(opened)
    judges = open_judges(settings.judges)
    families = find_families(settings, opened, judges)
    with folder.lock(), Store.create(folder.answers) as store:
        # Answers cost most: what would be in the way afterwards is found out before.
        judges.check(next(iter(questions.values())), store)
        _read_people(folder)
        write_judging(settings, folder.judging)
        frames = FrameStore(settings.audit.frames_folder or folder.frames)
        prepared = plan_audit(opened, prepare_run(opened, folder, store, frames))
        for model, names in prepared.skipped.items():
            print_note(f"{model} cannot take what is shown under {', '.join(names)}")
        with show_progress() as listener:
            answered = run_plan(
                prepared.assignments,
                store,
                read_picture=frames.read_picture,
                artifacts=folder.artifacts,
                listener=listener,
            )
        _stop_if_interrupted(answered, folder)
        material = collect_material(questions, prepared, store, settings.n_probes)
        pairs = material.pairs
        with show_progress() as listener:
            judging = run_plan(plan_judges(pairs, judges.models), store, listener=listener)
        _stop_if_interrupted(judging, folder)
        table = make_grade_table(
            material.answers,
            material.probes,
            judges.grade(pairs, store),
            judges.models,
            families,
        )
        if people is not None:
            _choose_for_people(folder, table, people, questions, opened)
        report = make_report(settings, prepared, judges, families, table, _read_people(folder))
        write_judges(report, table, folder.report)
    _print_report(report, folder, as_json=as_json)
    explain_lacking(report.lacking)
    print_given_up(answered.gave_up | judging.gave_up)
    n_failed = answered.n_failed + judging.n_failed
    if n_failed:
        print_note(
            f"{n_failed} questions failed and are counted as errors; ask them again with: oasis "
            f"judge {folder.path}"
        )
    if n_failed or answered.gave_up or judging.gave_up or report.lacking:
        raise typer.Exit(_FAILURES)


def _choose_for_people(
    folder: "RunFolder",
    table: "pl.DataFrame",
    n: int,
    questions: "Mapping[SampleKey, OpenQuestion]",
    opened: "OpenAudit",
) -> None:
    """Choose answers for people to grade; those that were chosen earlier stay chosen."""
    from video_oasis.open_ended.people.files import PeopleFiles, read_chosen, write_chosen
    from video_oasis.open_ended.people.sampling import choose_pairs
    from video_oasis.review.videos import find_sources

    file = PeopleFiles(folder.path).sample
    chosen = choose_pairs(
        table,
        n,
        _PEOPLE_SEED,
        questions,
        kept=read_chosen(file),
        files={
            key: source.file
            for key, source in find_sources(opened.benchmarks).items()
            if source.file is not None
        },
    )
    write_chosen(file, chosen)
    print_note(
        f"{len(chosen)} answers are chosen for people; grade them with: oasis review {folder.path}"
    )


def _read_people(folder: "RunFolder") -> "pl.DataFrame | None":
    """Read what people graded; None if nobody has yet."""
    from video_oasis.open_ended.people.files import PeopleFiles, read_chosen
    from video_oasis.open_ended.people.grades import GradeFile, to_frame

    files = PeopleFiles(folder.path)
    grades = to_frame(GradeFile(files.grades).read(), read_chosen(files.sample))
    return None if grades.is_empty() else grades


def _stop_if_interrupted(outcome: "Outcome", folder: "RunFolder") -> None:
    if outcome.interrupted:
        print_note(
            f"Stopped. {outcome.n_answered} new answers are stored; go on with: oasis judge "
            f"{folder.path}"
        )
        raise typer.Exit(_INTERRUPTED)


def _print_report(report: "JudgeReport", folder: "RunFolder", *, as_json: bool) -> None:
    from video_oasis.report.open_ended.files import to_plain_data
    from video_oasis.report.open_ended.sentences import write_caveats, write_verdict

    if as_json:
        print_json(to_plain_data(report))
        return
    for sentence in (*write_verdict(report), *write_caveats(report)):
        typer.echo(sentence)
    typer.echo(f"Report: {folder.report / 'judges.html'}")
