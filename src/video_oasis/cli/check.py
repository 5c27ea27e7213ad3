"""``oasis check``: which samples have a video that can be shown."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from video_oasis.cli.options import Json, MappingFile, MappingFlags, Sources, read_mapping_options
from video_oasis.cli.output import print_guesses, print_json, print_note
from video_oasis.errors import BenchmarkError, SettingsError

if TYPE_CHECKING:
    from video_oasis.schema import Sample

_INCOMPLETE: Final = 1
_HEADER_SECONDS: Final = 60.0
"""A header and a frame take milliseconds; a file that takes longer than this hangs."""
_SECONDS_BETWEEN_LINES: Final = 10.0


def check(
    videos: Annotated[
        Path, typer.Option("--videos", metavar="DIR", help="The folder the videos are below.")
    ],
    sources: Sources = None,
    decode: Annotated[
        bool, typer.Option("--decode", help="Decode every frame of every video; slow.")
    ] = False,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Look which samples have a video below a folder, and say why the others have none.

    Exit code 0: all have one; 1: some have none; 2: something you gave is wrong.
    """
    from video_oasis.media.locate import index_folder
    from video_oasis.media.workers import WorkerLimits
    from video_oasis.report import check_report
    from video_oasis.video_check import check_videos

    if not sources:
        raise SettingsError("nothing to check; give NAME=PATH or the PATH of your own file")
    folder = index_folder(videos)
    limits = WorkerLimits() if decode else WorkerLimits(time_seconds=_HEADER_SECONDS)
    result = check_videos(
        _read_samples(sources, mapping_file, mapping_flags),
        folder,
        limits,
        decode=decode,
        listener=_Lines(),
    )
    if as_json:
        print_json(check_report.to_plain_data(result))
    else:
        typer.echo(check_report.to_text(result), nl=False)
    if not result.is_complete:
        raise typer.Exit(_INCOMPLETE)


def _read_samples(
    sources: list[str], mapping_file: Path | None, mapping_flags: list[str] | None
) -> "dict[str, tuple[Sample, ...]]":
    from video_oasis.audit import read_entry
    from video_oasis.config import parse_source

    columns = read_mapping_options(mapping_file, mapping_flags)
    samples: dict[str, tuple[Sample, ...]] = {}
    for source in sources:
        contents, guessed = read_entry(parse_source(source, columns))
        name = contents.benchmark
        print_guesses(name, guessed)
        if name in samples:
            raise SettingsError(f"two benchmarks are called {name!r}; check them one by one")
        if not contents.samples:
            raise BenchmarkError(f"{source}: no multiple-choice question that can be read")
        for n_rows, what in (
            (len(contents.bad_rows), "rows that cannot be read (see 'oasis lint')"),
            (len(contents.open_questions), "questions without choices"),
        ):
            if n_rows:
                print_note(f"{name}: {n_rows} {what} are not checked")
        samples[name] = contents.samples
    return samples


class _Lines:
    """Writes a line every few seconds."""

    def __init__(self) -> None:
        self._last_line = time.monotonic()

    def __call__(self, n_done: int, n_all: int) -> None:
        now = time.monotonic()
        if now - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = now
            print_note(f"{n_done} of {n_all} videos looked at")
