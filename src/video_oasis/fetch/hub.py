"""Talks to the Hugging Face hub: lists a data set's files and downloads them."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from httpx2 import HTTPError
from huggingface_hub import HfApi, constants, errors, hf_hub_download

from video_oasis.errors import BenchmarkError
from video_oasis.fetch.selection import HubFile, Listing

_LISTING_SECONDS: Final = 60.0


def list_files(dataset: str, *, revision: str | None) -> Listing:
    """List the files of a data set.

    Args:
        dataset: its id, ``owner/name``.
        revision: a branch, tag or commit; None for the main branch.

    Raises:
        BenchmarkError: there is no such data set or revision, or it cannot be listed.
    """
    with _explain(dataset, revision):
        info = HfApi().dataset_info(
            dataset, revision=revision, files_metadata=True, timeout=_LISTING_SECONDS
        )
    if info.sha is None:
        raise BenchmarkError(f"{dataset}: the hub names no commit of it; try again later")
    return Listing(
        dataset=dataset,
        commit=info.sha,
        is_gated=bool(info.gated),
        files=tuple(
            HubFile(file.rfilename, file.size or 0, file.blob_id or "")
            for file in info.siblings or ()
        ),
    )


def download_file(listing: Listing, file: HubFile, folder: Path) -> None:
    """Download a file to its path below a folder, unless it is there already.

    A connection that is cut is taken up where it was. A process that is killed leaves the file as
    it was; what it had of a new one is lost.

    Raises:
        BenchmarkError: it cannot be downloaded.
    """
    with _explain(listing.dataset, listing.commit):
        hf_hub_download(
            listing.dataset,
            file.path,
            repo_type="dataset",
            revision=listing.commit,
            local_dir=folder,
        )


def remove_leftovers(folder: Path) -> None:
    """Remove what killed downloads to this folder left; none may be under way."""
    # The client writes to a file of a new name each time, so these are never taken up again.
    for path in (folder / ".cache/huggingface/download").rglob("*.incomplete"):
        path.unlink(missing_ok=True)


@contextmanager
def _explain(dataset: str, revision: str | None) -> Iterator[None]:
    """Turn what the hub's client raises into messages that say what to do."""
    page = f"{constants.ENDPOINT}/datasets/{dataset}"
    again = "then run the same command again: what is there already is kept"
    try:
        yield
    except errors.GatedRepoError as error:
        raise BenchmarkError(
            f"{dataset}: its files are given only to users who accepted its terms. Sign in and "
            f"accept them at {page}, set HF_TOKEN to an access token of yours, {again}"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise BenchmarkError(
            f"{dataset}: no revision {revision!r}; see the branches and commits at {page}"
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise BenchmarkError(
            f"{dataset}: {constants.ENDPOINT} has no such data set, or does not show it to you. "
            f"Look at {page}; if it is private or gated, set HF_TOKEN to an access token of yours"
        ) from error
    except errors.OfflineModeIsEnabled as error:
        raise BenchmarkError(
            f"{dataset}: HF_HUB_OFFLINE is set, so nothing is fetched; unset it, {again}"
        ) from error
    except (HTTPError, OSError, RuntimeError, ValueError) as error:
        raise BenchmarkError(f"{dataset}: {_describe(error)}, {again}") from error


def _describe(error: Exception) -> str:
    # The client hides what went wrong behind an error that says "no such file here".
    if isinstance(error, errors.LocalEntryNotFoundError) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    if isinstance(error, errors.HfHubHTTPError):
        status = error.response.status_code
        if status in {401, 403}:
            return (
                f"the hub refuses (HTTP {status}). Check that HF_TOKEN is a valid access token "
                f"that may read this data set"
            )
        return f"the hub answers with HTTP {status}. Wait a little"
    if isinstance(error, HTTPError):
        return (
            f"{constants.ENDPOINT} cannot be reached ({type(error).__name__}). Check the "
            f"connection, HF_ENDPOINT and proxy settings"
        )
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "the disk is full. Make room"
    return f"cannot be downloaded ({error}). Mend that"
