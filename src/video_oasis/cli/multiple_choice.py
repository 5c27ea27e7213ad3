"""Open questions of sets as multiple-choice questions, written for review."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from video_oasis.cli.output import print_json, print_note, print_table

if TYPE_CHECKING:
    from video_oasis.benchmarks.interface import Contents
    from video_oasis.generate.tvbench.settings import TVBenchSettings

_NOT_AS_WISHED = 1


def propose_multiple_choice(
    every: Sequence["Contents"],
    out: Path,
    *,
    n_choices: int = 4,
    seed: int = 0,
    settings: "TVBenchSettings | None" = None,
    as_json: bool = False,
) -> None:
    """Propose choices for the open questions of some sets, write them, and print what came of it.

    Args:
        every: what the files of each set hold.
        out: the folder to write to: new, empty or with earlier proposals.
        n_choices: number of choices; questions answered yes or no have two.
        seed: fixes all random draws.
        settings: those of the gate and of pruning; by default those of ``propose.SETTINGS``.
        as_json: print the result as JSON.

    Raises:
        RunError: the folder cannot be written.
        SettingsError: it holds something else, a set has no open question, or there is no such
            number of choices.
        typer.Exit: with code 1: done, but text still gives answers away, or nothing is proposed for
            a set.
    """
    from importlib.metadata import version

    from video_oasis.generate.multiple_choice.card import summarise_tasks
    from video_oasis.generate.multiple_choice.files import (
        check_out,
        summarise_proposal,
        write_proposals,
    )
    from video_oasis.generate.multiple_choice.propose import SETTINGS, propose

    check_out(out, [contents.benchmark for contents in every])
    proposals = [
        propose(contents, n_choices, seed, settings or SETTINGS, listener=print_note)
        for contents in every
    ]
    files = write_proposals(proposals, out, version("video-oasis"))
    for proposal in proposals:
        for line in proposal.given_away:
            print_note(f"given away: {line}")
        if not proposal.samples:
            print_note(f"{proposal.benchmark}: nothing proposed; why: {out / 'README.md'}")
    if as_json:
        print_json([summarise_proposal(proposal) for proposal in proposals])
    else:
        print_table([row for proposal in proposals for row in summarise_tasks(proposal)])
        typer.echo(
            f"Proposals, to be reviewed: {', '.join(map(str, files.values()))}; "
            f"card: {out / 'README.md'}"
        )
    if any(proposal.given_away or not proposal.samples for proposal in proposals):
        raise typer.Exit(_NOT_AS_WISHED)
