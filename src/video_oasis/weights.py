"""Says which weights a name means, and which exactly they are, without loading them."""

import hashlib
import re
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from video_oasis.errors import ModelUnavailable
from video_oasis.hashing import content_id

_PIECE_BYTES: Final = 1 << 20
_READ_SUFFIXES: Final = frozenset(
    {".json", ".jinja", ".txt", ".model", ".safetensors", ".bin", ".pth"}
)
_HUB_NAME: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)?")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights with their configuration, tokenizer and processor.

    Attributes:
        name: name on the hub, or name of the folder without where it lies.
        revision: commit on the hub, or content id of the folder.
        source: what to load them from: the name on the hub, or the path of the folder.
        commit: the revision to load from the hub; None for a folder.
    """

    name: str
    revision: str
    source: str
    commit: str | None


def find_weights(
    model: str, name: str, revision: str, *, config: str = "config.json", whole: bool = False
) -> Weights:
    """Return the weights that a name stands for: a folder of that path, else a name on the hub.

    A name that has been downloaded before means the commit it had then, so that a run's models stay
    what they are; one that has not is looked up, and its configuration downloaded.

    Args:
        model: the model's full name, for messages.
        name: path of a folder, or name on the hub.
        revision: branch, tag or commit on the hub; empty for the main branch.
        config: the file that every folder of such weights holds.
        whole: tell a folder's files apart by all of their bytes, not only by their ends.

    Raises:
        ModelUnavailable: there is no such folder or name, or the hub cannot be reached.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _folder_weights(model, folder, revision, config, whole=whole)
    if not _HUB_NAME.fullmatch(name) or name.startswith("."):
        raise ModelUnavailable(
            f"model {model}: there is no folder {folder}, and a name on the hub would be "
            "OWNER/NAME; check the path"
        )
    commit = find_commit(model, name, revision or "main", config)
    return Weights(name=name, revision=commit, source=name, commit=commit)


def package_versions(model: str, packages: tuple[str, ...], install: str) -> dict[str, str]:
    """Return the versions of packages that change answers, without importing them.

    Args:
        model: the model's full name, for messages.
        packages: their names.
        install: what to give to ``pip install`` to have them.

    Raises:
        ModelUnavailable: one is not installed.
    """
    versions = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            raise ModelUnavailable(
                f"model {model}: the package {package} is not installed; pip install {install}"
            ) from None
    return versions


def unreadable(model: str, part: str, error: Exception) -> ModelUnavailable:
    """Word what a library says of files that it cannot load.

    Args:
        model: the model's full name.
        part: what was to be loaded, such as ``weights``.
        error: what came instead.
    """
    said = " ".join(str(error).split())[:600]
    return ModelUnavailable(
        f"model {model}: its {part} cannot be loaded: {type(error).__name__}: {said}"
    )


def _folder_weights(
    model: str, folder: Path, revision: str, config: str, *, whole: bool
) -> Weights:
    if revision:
        raise ModelUnavailable(
            f"model {model}: revision is {revision!r}, but {folder} is a folder, whose revision is "
            "its content; leave revision out"
        )
    if not (folder / config).is_file():
        raise ModelUnavailable(
            f"model {model}: the folder {folder} holds no {config}; expected a folder as its "
            "library saves it"
        )
    files = sorted(path for path in folder.iterdir() if path.suffix in _READ_SUFFIXES)
    try:
        content = {path.name: _identify_file(path, whole=whole) for path in files}
    except OSError as error:
        raise ModelUnavailable(f"model {model}: {folder} cannot be read: {error}") from error
    return Weights(
        name=folder.resolve().name,
        revision=content_id("weights1", content),
        source=str(folder),
        commit=None,
    )


def _identify_file(path: Path, *, whole: bool) -> dict[str, str | int]:
    if whole:
        return {"sha256": hash_file(path)}
    # Large weights take minutes to read.
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(_PIECE_BYTES))
        file.seek(max(0, size - _PIECE_BYTES))
        digest.update(file.read(_PIECE_BYTES))
    return {"bytes": size, "pieces": digest.hexdigest()}


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_commit(model: str, name: str, revision: str, file: str) -> str:
    """Return the commit that a revision of a name on the hub means, downloading one small file.

    Args:
        model: the model's full name, for messages.
        name: the name on the hub.
        revision: branch, tag or commit.
        file: a small file that every such repository holds.

    Raises:
        ModelUnavailable: there is no such name, or the hub cannot be reached.
    """
    # Slow to import, and no folder needs it.
    from huggingface_hub import hf_hub_download  # noqa: PLC0415
    from huggingface_hub.errors import (  # noqa: PLC0415
        GatedRepoError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    find = partial(hf_hub_download, name, file, revision=revision)
    try:
        try:
            path = find(local_files_only=True)
        except LocalEntryNotFoundError:
            path = find()
    except GatedRepoError:
        problem = "its owner must grant you access first; ask there and log in with 'hf auth login'"
    except RepositoryNotFoundError:
        problem = "there is no folder and no model on the hub of that name, or it is private"
    except RevisionNotFoundError:
        problem = f"it has no revision {revision!r}"
    except LocalEntryNotFoundError:
        problem = (
            "there is no folder of that name, it has not been downloaded before, and the hub "
            "cannot be reached; check the name and the connection, or give the path of a folder"
        )
    except (HfHubHTTPError, OSError, ValueError) as error:
        problem = f"the hub does not give its configuration: {' '.join(str(error).split())}"
    else:
        # Kept as …/snapshots/COMMIT/FILE.
        return Path(path).parent.name
    raise ModelUnavailable(f"model {model}: {problem}")
