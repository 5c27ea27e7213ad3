"""``oasis distil``: the samples that no test shows to be shortcuts."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import Json, RunArgument, choose
from video_oasis.cli.output import print_json, print_note

if TYPE_CHECKING:
    from video_oasis.distil.decide import DistilledSample
    from video_oasis.judgements.rulings import JudgingRecord

_DIFFERS = 1


def distil(
    folder: RunArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write the set. By default RUN/distilled."),
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option(
            "--threshold",
            "-c",
            help="How many of a test's models must be right. By default as the run's settings, or "
            "the written set with --verify, say; else all of the largest test's.",
        ),
    ] = None,
    decision_rule: Annotated[
        str | None,
        typer.Option(
            "--decision-rule",
            help="When people's judgements decide: any (one reviewer suffices), two (at least two "
            "agree), majority, or unanimous. By default as the run's settings, or the written set "
            "with --verify, say.",
        ),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Make the set again and compare with what was written."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the samples of a run that no test shows to be shortcuts, and why the others are not.

    Judgements that people made with 'oasis review' count: samples judged defective are dropped,
    restored ones return, corrected ones are scored by the corrected answer.

    Exit code 0: done, or nothing differs; 1: the written set differs from what the run gives;
    2: something you gave is wrong.
    """
    from video_oasis.cli.audit import plan_run
    from video_oasis.distil.files import (
        compare_distilled,
        read_decision_rule,
        read_threshold,
        write_distilled,
    )
    from video_oasis.distillation import distil_run
    from video_oasis.judgements.journal import Journal
    from video_oasis.judgements.standing import DecisionRule
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    place = out or run_folder.distilled
    rule = choose(DecisionRule, decision_rule, "--decision-rule")
    if verify:
        threshold = read_threshold(place) if threshold is None else threshold
        rule = rule or read_decision_rule(place)
    prepared = plan_run(run_folder)
    with Store.read(run_folder.answers) as store:
        samples, origin = distil_run(
            prepared,
            store,
            threshold,
            judgements=Journal(run_folder.judgements).read(),
            rule=rule,
        )
    counts = {
        fate: sum(sample.fate == fate for sample in samples)
        for fate in ("kept", "dropped", "undecided")
    }
    if verify:
        differences = compare_distilled(samples, origin, place)
        if as_json:
            print_json({"differences": differences, **counts})
        else:
            for line in differences:
                typer.echo(line)
            print_note("the set is what the run gives" if not differences else "the set differs")
        if differences:
            raise typer.Exit(_DIFFERS)
        return
    write_distilled(samples, origin, place)
    if as_json:
        judged = None if origin.judged is None else asdict(origin.judged)
        print_json(
            {"folder": str(place), "threshold": origin.threshold, "judged": judged, **counts}
        )
        return
    defective = ", or judged defective" if origin.judged else ""
    typer.echo(
        f"Of {len(samples)} samples {counts['kept']} are kept, {counts['dropped']} dropped as "
        f"shortcuts{defective} and {counts['undecided']} undecided: answers are missing, or no "
        f"test applies."
    )
    if origin.judged is not None:
        _explain_judgements(samples, origin.judged)
    weak = [test for test, n_models in origin.tests.items() if n_models < origin.threshold]
    if weak:
        print_note(
            f"{', '.join(weak)} can show no shortcut at {origin.threshold}: fewer models were "
            f"asked under it; lower --threshold or ask more"
        )
    typer.echo(f"Written to {place}; README.md there is the card.")


def _explain_judgements(samples: "Sequence[DistilledSample]", judged: "JudgingRecord") -> None:
    from video_oasis.distil.decide import JUDGED_UNDECIDED
    from video_oasis.report.numbers import write_several

    typer.echo(
        f"{write_several(judged.n_judgements, 'judgement')} of "
        f"{write_several(judged.n_reviewers, 'reviewer')} stand; they decide by the rule "
        f"{judged.rule}."
    )
    n_undecided = sum(JUDGED_UNDECIDED in sample.reasons for sample in samples)
    if n_undecided:
        print_note(
            f"{write_several(n_undecided, 'sample')} judged and undecided, as reviewers differ or "
            f"too few agree; the tests alone say what becomes of them"
        )
