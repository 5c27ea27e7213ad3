"""``oasis evaluate``: how good models are, on all samples and on those that are left."""

import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import Json
from video_oasis.cli.output import print_given_up, print_json, print_note, print_table
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.analysis.evaluation import Grouping
    from video_oasis.evaluation.contenders import Gathered
    from video_oasis.evaluation.sets import EvaluatedSet

_WIDTH = 100

OnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--on",
        metavar="SET",
        help="original (all samples), distilled, dropped or shortcuts (of the runs' own distilled "
        "sets), or the folder of a distilled set; repeatable. By default original, and distilled "
        "where the runs have it.",
    ),
]
DiagnosticOption = Annotated[
    list[str] | None,
    typer.Option(
        "--diagnostic",
        "-d",
        help="What the models were shown: a diagnostic that shows the video; repeatable, each then "
        "compared with the first. By default standard.",
    ),
]


def evaluate(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="The folders of one or more runs.")
    ],
    on: OnOption = None,
    diagnostics: DiagnosticOption = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="NAME=FILE",
            help="Sort samples by a file with the columns benchmark, sample_id and NAME, such as "
            "category=categories.jsonl; repeatable. By benchmark, task and duration they are "
            "sorted anyway.",
        ),
    ] = None,
    facts_file: Annotated[
        Path | None,
        typer.Option(
            "--models",
            metavar="FILE",
            help="TOML file that says which models share a base, how they reason and what they "
            "were rewarded for.",
        ),
    ] = None,
    official_file: Annotated[
        Path | None,
        typer.Option(
            "--official",
            metavar="FILE",
            help="CSV or TOML file of published scores to compare with: model, benchmark, score "
            "in percent, source.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Where to write. By default evaluation in the first run's folder."
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="First ask what the runs lack, as 'oasis run' does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Evaluate the models of runs: accuracy beside chance, by any grouping, and model by model.

    Start a run with 'oasis audit SOURCE --diagnostic standard --model MODEL'. Exit code 0: done;
    1: done, but answers are missing or failed; 2: something you gave is wrong.
    """
    from video_oasis.evaluation.evaluate import STANDARD
    from video_oasis.evaluation.evaluate import evaluate as make_evaluation
    from video_oasis.evaluation.model_facts import read_facts
    from video_oasis.evaluation.official_scores import read_official_scores
    from video_oasis.report.evaluation.files import to_plain_data, write_evaluation
    from video_oasis.report.evaluation.sentences import write_caveats, write_verdict
    from video_oasis.report.evaluation.tables import make_tables

    official = read_official_scores(official_file) if official_file else ()
    if ask:
        _ask(folders)
    shown = diagnostics or [STANDARD]
    gathered = gather_runs(folders, shown)
    sets = choose_sets(gathered, folders, on)
    report = make_evaluation(
        gathered,
        sets,
        groupings=_read_groupings(by or [], gathered),
        facts=read_facts(facts_file, [each.label for each in gathered.contenders])
        if facts_file
        else {},
        official=official,
        baseline=shown[0],
    )
    place = out or folders[0] / "evaluation"
    write_evaluation(report, place)
    if as_json:
        print_json(to_plain_data(report))
    else:
        overview = make_tables(report)[0]
        print_table([dict(zip(overview.head, row, strict=True)) for row in overview.rows])
        typer.echo()
        for sentence in write_verdict(report):
            typer.echo(textwrap.fill(sentence, _WIDTH, subsequent_indent="  "))
        typer.echo(f"Report: {place / 'evaluation.html'}")
    for caveat in write_caveats(report):
        print_note(caveat)
    if any(each.table["status"].is_in(["missing", "error"]).any() for each in sets):
        raise typer.Exit(1)


def gather_runs(folders: Sequence[Path], diagnostics: Collection[str]) -> "Gathered":
    """Read what runs answered under some diagnostics.

    Raises:
        UserError: there is no such run, or its answers cannot be put beside the others'.
    """
    from video_oasis.audit import plan_audit
    from video_oasis.cli.audit import open_run
    from video_oasis.evaluation.contenders import gather
    from video_oasis.evaluation.runs import read_answers
    from video_oasis.preparation import read_evidence
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store

    runs = []
    for path in folders:
        folder = RunFolder(path)
        opened = open_run(folder)
        evidence = read_evidence(opened, folder)
        with Store.read(folder.answers) as store:
            runs.append(
                read_answers(
                    str(path),
                    plan_audit(opened, evidence),
                    store,
                    evidence.timelines,
                    diagnostics,
                )
            )
    return gather(runs)


def choose_sets(
    gathered: "Gathered", folders: Sequence[Path], names: list[str] | None
) -> "list[EvaluatedSet]":
    """Return the answers about each set that the user names, or about those there are.

    Raises:
        UserError: there is no such set.
    """
    from video_oasis.distil.decide import Fate
    from video_oasis.distil.files import read_members
    from video_oasis.evaluation.sets import DISTILLED, ORIGINAL, choose_set
    from video_oasis.run_folder import RunFolder

    distilled = [RunFolder(folder).distilled for folder in folders]
    if not names:
        names = [ORIGINAL]
        there = [folder for folder in distilled if folder.is_dir()]
        if any(read_members(folder, Fate.KEPT) for folder in there):
            names.append(DISTILLED)
        elif there:
            print_note(f"{', '.join(map(str, there))}: keeps no sample; evaluated on {ORIGINAL}")
    return [choose_set(name, gathered, distilled) for name in dict.fromkeys(names)]


def _read_groupings(flags: Sequence[str], gathered: "Gathered") -> "list[Grouping]":
    from video_oasis.evaluation.group_file import read_grouping

    groupings = {}
    for flag in flags:
        name, equals, file = flag.partition("=")
        if not (equals and name.isidentifier() and file):
            raise SettingsError(
                f"--by {flag}: expected NAME=FILE, NAME a column of the file, such as "
                f"category=categories.jsonl"
            )
        if name in groupings:
            raise SettingsError(f"--by {name}: given twice; give one file for it")
        groupings[name] = read_grouping(name, Path(file), gathered.samples)
    return list(groupings.values())


def _ask(folders: Sequence[Path]) -> None:
    from video_oasis.cli.audit import read_run, run_audit
    from video_oasis.run_folder import RunFolder

    for path in folders:
        folder = RunFolder(path)
        _, outcome = run_audit(read_run(folder), folder)
        print_given_up(outcome.gave_up)
