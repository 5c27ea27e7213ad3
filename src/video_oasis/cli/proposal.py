"""Has a model propose a taxonomy, for ``oasis categorize --propose``."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from video_oasis.cli.output import CHARACTERS_PER_TOKEN, print_json, print_note, print_rows
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from video_oasis.categorization.proposing import Proposed
    from video_oasis.config import ModelEntry
    from video_oasis.run_folder import RunFolder
    from video_oasis.schema import Sample

_FAILURES = 1
_INTERRUPTED = 130
_PROPOSAL_TOKENS = 4096


def propose_taxonomy(
    folder: "RunFolder",
    samples: "Sequence[Sample]",
    entries: "Sequence[ModelEntry]",
    *,
    out: Path,
    n_draws: int,
    subtasks: list[str] | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Have one model propose a taxonomy of samples' task labels, and write it to a file.

    Raises:
        UserError: several models are named, the model cannot do it, or the file is there already.
        typer.Exit: no proposal is valid, asking failed, or the user stopped it.
    """
    from video_oasis.audit import only_asked, open_models
    from video_oasis.categorization.panels import CANNOT_SORT
    from video_oasis.categorization.proposing import make_proposal_requests, propose
    from video_oasis.cli.progress import show_progress
    from video_oasis.errors import RunError
    from video_oasis.models.settings import Output
    from video_oasis.store import Store
    from video_oasis.taxonomy.labels import SUBTASK_COLUMNS, collect_labels
    from video_oasis.taxonomy.toml_form import write_taxonomy
    from video_oasis.whole_file import write_whole

    if len(entries) != 1:
        raise SettingsError(f"--propose asks one model, and {len(entries)} are named; leave one")
    if entries[0].settings.output is not Output.TEXT:
        raise SettingsError(
            f"model {entries[0].model}: output is {entries[0].settings.output}; a proposal is free "
            f"text, so leave output out"
        )
    ((name, model),) = only_asked(open_models((_leave_room(entries[0]),)), CANNOT_SORT).items()
    labels = collect_labels(samples, subtasks or SUBTASK_COLUMNS)
    requests = make_proposal_requests(labels, n_draws)
    if dry_run:
        n_tokens = round(sum(len(each.text) for each in requests) / CHARACTERS_PER_TOKEN)
        row = {
            "model": name,
            "labels": len(labels),
            "proposals": len(requests),
            "merges, at most": n_draws,
            "prompt tokens of the proposals, about": n_tokens,
        }
        print_rows([row], as_json=as_json)
        return
    if out.exists():
        raise SettingsError(
            f"{out}: is there already, and somebody may have edited it; name another file with "
            f"--out, or move it away"
        )
    with folder.lock(), Store.create(folder.answers) as store, show_progress() as listener:
        proposed = propose(name, model, labels, store, n_draws=n_draws, listener=listener)
    if proposed.interrupted:
        print_note("Stopped. What was answered is stored; give the same command again to go on")
        raise typer.Exit(_INTERRUPTED)
    if proposed.taxonomy is not None:
        try:
            write_whole(out, write_taxonomy(proposed.taxonomy).encode())
        except OSError as error:
            raise RunError(f"{out}: cannot be written ({error.strerror})") from error
    _print_proposal(proposed, name, out, as_json=as_json)
    if proposed.taxonomy is None or proposed.n_failed:
        raise typer.Exit(_FAILURES)


def _leave_room(entry: "ModelEntry") -> "ModelEntry":
    """Let a model reply at length where it is not said how long, as a proposal is no letter."""
    from dataclasses import replace

    from video_oasis.models import find_backend

    if entry.settings.max_tokens is not None or (
        "max_tokens" not in find_backend(entry.model).settings
    ):
        return entry
    return replace(entry, settings=replace(entry.settings, max_tokens=_PROPOSAL_TOKENS))


def _print_proposal(proposed: "Proposed", name: str, out: Path, *, as_json: bool) -> None:
    taxonomy = proposed.taxonomy
    for draw in proposed.draws:
        if draw.message:
            print_note(
                f"{draw.step} {draw.number + 1}: {draw.status}, {draw.reason}: {draw.message}"
            )
    if taxonomy is None:
        print_note(
            f"No taxonomy was written: {name} gave no valid proposal, or no valid merge. Invalid "
            f"replies stay as they are; ask another model, or more often with --draws"
        )
    if as_json:
        print_json(
            {
                "file": None if taxonomy is None else str(out),
                "replies": proposed.count(),
                "categories": [] if taxonomy is None else list(taxonomy.names),
            }
        )
    elif taxonomy is not None:
        for category in taxonomy.categories:
            typer.echo(f"{category.name} ({len(category.sources)} labels): {category.definition}")
        typer.echo(f"Written to {out}; edit it, then give it with --taxonomy {out}.")
