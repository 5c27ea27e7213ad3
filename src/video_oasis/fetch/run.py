"""Plans what to fetch of a benchmark, and fetches it."""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from filelock import FileLock, Timeout

from video_oasis.benchmarks.interface import Benchmark, Publication
from video_oasis.benchmarks.loading import read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.fetch.hub import download_file, list_files, remove_leftovers
from video_oasis.fetch.selection import Archive, HubFile, Listing, Selection, select_files
from video_oasis.fetch.sizes import describe_bytes
from video_oasis.fetch.unpack import Unpacked, is_unpacked, unpack_archive
from video_oasis.fetch.video_list import find_youtube_ids, write_video_list

_SECONDS_BETWEEN_LINES: Final = 10.0

Listener = Callable[[str], None]
"""Told in words what is being done."""


@dataclass(frozen=True, slots=True)
class FetchFolder:
    """Where things lie below the folder that a benchmark is fetched to.

    Attributes:
        path: the folder.
    """

    path: Path

    @property
    def archives(self) -> Path:
        """Archives as downloaded."""
        return self.path / "archives"

    @property
    def videos(self) -> Path:
        """Videos, below a folder for each archive."""
        return self.path / "videos"

    @property
    def video_list(self) -> Path:
        """Addresses of the videos that are on YouTube."""
        return self.path / "videos.txt"

    @property
    def staging(self) -> Path:
        """What is being unpacked."""
        return self.path / ".unpacking"

    def unpacked(self, archive: Archive) -> Path:
        """Return the folder that an archive is unpacked to."""
        return self.videos / archive.stem

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Make the folder if need be and keep other processes from fetching to it meanwhile.

        Raises:
            BenchmarkError: another process fetches to it, or it cannot be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with FileLock(self.path / ".fetch.lock", timeout=0):
                yield
        except Timeout:
            raise BenchmarkError(
                f"{self.path}: another process is fetching to it; wait until it is done"
            ) from None


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What fetching a benchmark means, and what of it is there.

    Attributes:
        benchmark: the benchmark.
        publication: where it is published.
        folder: where it is fetched to.
        listing: the data set at the commit that is fetched.
        selection: what is wanted of it.
        missing: the files to download, in order.
        packed: the archives to unpack, in order.
    """

    benchmark: Benchmark
    publication: Publication
    folder: FetchFolder
    listing: Listing
    selection: Selection
    missing: tuple[HubFile, ...]
    packed: tuple[Archive, ...]

    @property
    def annotations(self) -> Path:
        """The folder in which the benchmark's reader finds its files."""
        parents = {PurePosixPath(file.path).parent for file in self.selection.annotations}
        return self.folder.path / os.path.commonpath(parents)

    @property
    def has_videos(self) -> bool:
        """Whether videos are fetched."""
        return bool(self.selection.archives or self.selection.videos)

    @property
    def download_bytes(self) -> int:
        """The size of the files to download."""
        return sum(file.size_bytes for file in self.missing)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was done.

    Attributes:
        plan: what was to be done.
        unpacked: what each archive held, by its path in the data set.
        refusals: why an archive was not unpacked, by its path in the data set.
        n_removed: how many archive files were deleted.
        youtube_ids: the ids that were listed.
    """

    plan: FetchPlan
    unpacked: dict[str, Unpacked]
    refusals: dict[str, str]
    n_removed: int
    youtube_ids: tuple[str, ...]


def plan_fetch(
    benchmark: Benchmark, path: Path, *, revision: str | None, annotations_only: bool
) -> FetchPlan:
    """Ask the hub what a benchmark's files are, and look which of them are there.

    Args:
        benchmark: the benchmark.
        path: the folder to fetch to.
        revision: the branch, tag or commit of its data set; None for the main branch.
        annotations_only: leave videos out.

    Raises:
        BenchmarkError: it is not known where the benchmark is published, or the hub does not have
            it so.
    """
    publication = benchmark.published
    if publication is None:
        raise BenchmarkError(
            f"{benchmark.name}: not known where its files are published; download them yourself"
        )
    listing = list_files(publication.dataset, revision=revision)
    wanted = replace(publication, videos=()) if annotations_only else publication
    selection = select_files(wanted, listing)
    folder = FetchFolder(path)
    packed = tuple(
        archive
        for archive in selection.archives
        if not is_unpacked(folder.unpacked(archive), _contents(archive))
    )
    parts = [part for archive in packed for part in archive.parts]
    return FetchPlan(
        benchmark=benchmark,
        publication=publication,
        folder=folder,
        listing=listing,
        selection=selection,
        missing=(
            *_absent(folder.path, selection.annotations),
            *_absent(folder.archives, parts),
            *_absent(folder.videos, selection.videos),
        ),
        packed=packed,
    )


def fetch(plan: FetchPlan, *, remove_archives: bool, listener: Listener) -> Fetched:
    """Do what a plan says. What is there already is kept, so that it can be done again.

    Args:
        plan: what to do.
        remove_archives: delete each archive once it is unpacked.
        listener: told what is being done.

    Raises:
        BenchmarkError: a file cannot be downloaded, there is too little room, or the disk fails.
            A refused archive does not raise; it is recorded.
    """
    folder = plan.folder
    try:
        with folder.lock():
            _require_room(plan, remove_archives=remove_archives)
            for place in (folder.path, folder.archives, folder.videos):
                remove_leftovers(place)
            _download(plan, plan.selection.annotations, folder.path, listener)
            ids = _list_videos(plan) if plan.publication.on_youtube else ()
            unpacked: dict[str, Unpacked] = {}
            refusals: dict[str, str] = {}
            n_removed = 0
            for archive in plan.selection.archives:
                if archive in plan.packed:
                    _download(plan, archive.parts, folder.archives, listener)
                    try:
                        unpacked[archive.path] = _unpack(plan, archive, listener)
                    except BenchmarkError as error:
                        refusals[archive.path] = str(error)
                        listener(str(error))
                        continue
                if remove_archives:
                    n_removed += _remove(folder.archives, archive.parts)
            _download(plan, plan.selection.videos, folder.videos, listener)
            shutil.rmtree(folder.staging, ignore_errors=True)
    except OSError as error:
        raise BenchmarkError(
            f"{error.filename or folder.path}: {error.strerror or error}. Mend that, then run the "
            f"same command again: what is there already is kept"
        ) from error
    return Fetched(plan, unpacked, refusals, n_removed, ids)


def _contents(archive: Archive) -> dict[str, str]:
    return {part.path: part.blob_id for part in archive.parts}


def _absent(folder: Path, files: Sequence[HubFile]) -> Iterator[HubFile]:
    for file in files:
        path = folder / file.path
        if not path.is_file() or path.stat().st_size != file.size_bytes:
            yield file


def _require_room(plan: FetchPlan, *, remove_archives: bool) -> None:
    # What archives of videos hold takes at least about as much room as they do.
    packed_bytes = sum(archive.size_bytes for archive in plan.packed)
    both = (plan.download_bytes, packed_bytes)
    needed_bytes = max(both) if remove_archives else sum(both)
    free_bytes = shutil.disk_usage(plan.folder.path).free
    if needed_bytes > free_bytes:
        raise BenchmarkError(
            f"{plan.folder.path}: at least {describe_bytes(needed_bytes)} are needed there, and "
            f"{describe_bytes(free_bytes)} are free. Make room, give another --out, or take less "
            f"with --remove-archives or --annotations-only"
        )


def _download(plan: FetchPlan, files: Sequence[HubFile], folder: Path, listener: Listener) -> None:
    for file in files:
        if file in plan.missing:
            listener(f"downloading {file.path} ({describe_bytes(file.size_bytes)})")
        download_file(plan.listing, file, folder)


def _unpack(plan: FetchPlan, archive: Archive, listener: Listener) -> Unpacked:
    folder = plan.folder
    listener(f"unpacking {archive.path} ({describe_bytes(archive.size_bytes)})")
    last_line = time.monotonic()

    def listen(n_files: int, n_bytes: int) -> None:
        nonlocal last_line
        if time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
            last_line = time.monotonic()
            listener(f"{archive.path}: {n_files} files, {describe_bytes(n_bytes)} unpacked")

    return unpack_archive(
        archive.path,
        archive.form,
        [folder.archives / part.path for part in archive.parts],
        target=folder.unpacked(archive),
        staging=folder.staging,
        contents=_contents(archive),
        listener=listen,
    )


def _remove(folder: Path, files: Sequence[HubFile]) -> int:
    there = [folder / file.path for file in files if (folder / file.path).exists()]
    for path in there:
        path.unlink()
    return len(there)


def _list_videos(plan: FetchPlan) -> tuple[str, ...]:
    contents = read_contents(plan.benchmark, plan.annotations)
    ids = find_youtube_ids(sample.video.path for sample in contents.samples)
    if not ids:
        raise BenchmarkError(
            f"{plan.annotations}: no sample of {plan.benchmark.name} has a video that is named by "
            f"a YouTube id; its authors may have changed it, so name an earlier --revision"
        )
    write_video_list(ids, plan.folder.video_list)
    return ids
