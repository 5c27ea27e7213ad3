"""``oasis fetch``: a benchmark's annotations and videos from where they are published."""

import logging
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from video_oasis.cli.options import Json
from video_oasis.cli.output import print_json, print_note
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.fetch.run import Fetched, FetchPlan

_INTERRUPTED: Final = 130
_REFUSALS: Final = 1


def fetch(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A benchmark; see 'oasis benchmarks'.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to fetch to.")
    ],
    annotations_only: Annotated[
        bool, typer.Option("--annotations-only", help="Leave the videos out.")
    ] = False,
    revision: Annotated[
        str | None,
        typer.Option("--revision", help="Branch, tag or commit of the data set; by default main."),
    ] = None,
    remove_archives: Annotated[
        bool, typer.Option("--remove-archives", help="Delete each archive once it is unpacked.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be fetched, and fetch nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Download a benchmark and unpack its videos; list those that are on YouTube.

    Run it again to go on where it stopped. Exit code 0: done; 1: done, but archives were refused;
    2: something you gave is wrong, or the files cannot be had.
    """
    from video_oasis.benchmarks import BENCHMARKS

    if find_spec("huggingface_hub") is None:
        raise SettingsError(
            "the client of the Hugging Face hub is not installed; "
            "install it with: pip install 'video-oasis[fetch]'"
        )
    from video_oasis.fetch.run import fetch as carry_out
    from video_oasis.fetch.run import plan_fetch

    # What it warns of, it either mends or raises, and then we say it.
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    try:
        plan = plan_fetch(
            BENCHMARKS[name], out, revision=revision, annotations_only=annotations_only
        )
        if dry_run:
            _print_plan(plan, as_json=as_json)
            return
        fetched = carry_out(plan, remove_archives=remove_archives, listener=print_note)
    except KeyboardInterrupt:
        print_note(f"Stopped. Go on with: {shlex.join(['oasis', *sys.argv[1:]])}")
        raise typer.Exit(_INTERRUPTED) from None
    _print_fetched(fetched, as_json=as_json)
    if fetched.refusals:
        raise typer.Exit(_REFUSALS)


def _print_plan(plan: "FetchPlan", *, as_json: bool) -> None:
    if as_json:
        to_unpack = [archive.path for archive in plan.packed]
        print_json({**_describe(plan), "files": _list_files(plan), "to_unpack": to_unpack})
        return
    from video_oasis.fetch.sizes import describe_bytes

    for file in _list_files(plan):
        state = "to download" if file["is_missing"] else "there"
        typer.echo(f"{file['path']}  {describe_bytes(file['size_bytes'])}  {state}")
    for archive in plan.packed:
        typer.echo(f"{archive.path}  to unpack to {plan.folder.unpacked(archive)}")
    typer.echo(_head(plan))
    typer.echo(f"to download: {len(plan.missing)} files, {describe_bytes(plan.download_bytes)}")
    if plan.listing.is_gated:
        typer.echo("Its files are given only to users who accepted its terms.")
    _print_notes(plan)


def _print_fetched(fetched: "Fetched", *, as_json: bool) -> None:
    plan = fetched.plan
    commands = _next_commands(plan)
    youtube = _youtube_command(plan)
    if as_json:
        print_json(
            {
                **_describe(plan),
                "downloaded": [file.path for file in plan.missing],
                "unpacked": {
                    path: {"n_files": held.n_files, "n_bytes": held.n_bytes}
                    for path, held in fetched.unpacked.items()
                },
                "refused": fetched.refusals,
                "n_removed": fetched.n_removed,
                "n_youtube_videos": len(fetched.youtube_ids),
                "download_command": youtube,
                "next_commands": commands,
            }
        )
        return
    from video_oasis.fetch.sizes import describe_bytes

    typer.echo(_head(plan))
    if not (plan.missing or plan.packed or fetched.n_removed):
        typer.echo("Everything was there already.")
    else:
        typer.echo(f"downloaded: {len(plan.missing)} files, {describe_bytes(plan.download_bytes)}")
    for path, held in fetched.unpacked.items():
        typer.echo(f"unpacked {path}: {held.n_files} files, {describe_bytes(held.n_bytes)}")
    for reason in fetched.refusals.values():
        typer.echo(f"refused {reason}")
    if fetched.n_removed:
        typer.echo(f"removed: {fetched.n_removed} archive files")
    _print_notes(plan)
    if youtube:
        typer.echo(
            f"{len(fetched.youtube_ids)} videos are on YouTube; {plan.folder.video_list} lists "
            f"them. With yt-dlp and ffmpeg:\n  {shlex.join(youtube)}\n"
            f"Some may be gone; 'oasis check' then says which."
        )
    typer.echo("Next:")
    for command in commands:
        typer.echo(f"  {shlex.join(command)}")


def _head(plan: "FetchPlan") -> str:
    return f"{plan.benchmark.name}: {plan.listing.dataset} at {plan.listing.commit}"


def _print_notes(plan: "FetchPlan") -> None:
    if plan.publication.note:
        typer.echo(plan.publication.note)


def _describe(plan: "FetchPlan") -> dict[str, Any]:
    return {
        "benchmark": plan.benchmark.name,
        "dataset": plan.listing.dataset,
        "commit": plan.listing.commit,
        "is_gated": plan.listing.is_gated,
        "annotations": str(plan.annotations),
        "videos": str(plan.folder.videos) if plan.has_videos else None,
        "video_list": str(plan.folder.video_list) if plan.publication.on_youtube else None,
        "download_bytes": plan.download_bytes,
        "note": plan.publication.note,
    }


def _list_files(plan: "FetchPlan") -> list[dict[str, Any]]:
    selection = plan.selection
    parts = (part for archive in selection.archives for part in archive.parts)
    return [
        {"path": file.path, "size_bytes": file.size_bytes, "is_missing": file in plan.missing}
        for file in (*selection.annotations, *parts, *selection.videos)
    ]


def _youtube_command(plan: "FetchPlan") -> Sequence[str] | None:
    from video_oasis.fetch.video_list import download_command

    if not plan.publication.on_youtube:
        return None
    return download_command(plan.folder.video_list, plan.folder.videos)


def _next_commands(plan: "FetchPlan") -> list[list[str]]:
    source = f"{plan.benchmark.name}={plan.annotations}"
    videos = ["--videos", str(plan.folder.videos)]
    if not (plan.has_videos or plan.publication.on_youtube):
        return [["oasis", "audit", source]]
    return [["oasis", "check", source, *videos], ["oasis", "audit", source, *videos]]
