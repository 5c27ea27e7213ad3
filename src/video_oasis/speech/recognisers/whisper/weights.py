"""Finds the files of a Whisper model, on disk or on the hub, and names them by their content."""

import hashlib
from pathlib import Path
from typing import Final

from faster_whisper.utils import available_models, download_model
from huggingface_hub.errors import HfHubHTTPError

from video_oasis.errors import ModelUnavailable
from video_oasis.hashing import content_id

_FILES: Final = ("config.json", "model.bin", "tokenizer.json")
_VOCABULARY: Final = "vocabulary.*"
_OPTIONAL_FILES: Final = ("preprocessor_config.json",)


def find_weights(name: str, revision: str) -> Path:
    """Return the folder of a model; one of the hub is downloaded unless it is there already.

    A size goes before a folder of the same name, which is written ``./base``.

    Args:
        name: a size, ``OWNER/NAME`` or a folder.
        revision: a branch, tag or commit of the hub's repository; empty for the main branch.

    Raises:
        ModelUnavailable: there is no such model, it is not whole, or it cannot be downloaded.
    """
    folder = Path(name)
    if name in available_models() or (not folder.is_dir() and name.count("/") == 1):
        folder = _download(name, revision)
    elif not folder.is_dir():
        raise ModelUnavailable(
            f"whisper/{name}: no such folder, and no size of Whisper model. Expected a folder, "
            f"OWNER/NAME on the hub, or one of {', '.join(available_models())}"
        )
    lacking = [each for each in _FILES if not (folder / each).is_file()]
    if not any(folder.glob(_VOCABULARY)):
        lacking.append(_VOCABULARY)
    if lacking:
        raise ModelUnavailable(
            f"whisper/{name}: {folder} lacks {', '.join(lacking)}. Expected a Whisper model in "
            "CTranslate2's form, as ct2-transformers-converter writes it with "
            "--copy_files tokenizer.json preprocessor_config.json"
        )
    return folder


def identify_weights(folder: Path) -> str:
    """Return the content id of all files of a model that change its transcripts.

    Raises:
        ModelUnavailable: one cannot be read.
    """
    paths = [folder / name for name in (*_FILES, *_OPTIONAL_FILES)] + [*folder.glob(_VOCABULARY)]
    digests = {}
    try:
        for path in paths:
            if path.exists():
                with path.open("rb") as file:
                    digests[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(
            f"{path}: cannot be read ({error.strerror}). Check its permissions"
        ) from error
    return content_id("weights1", digests)


def _download(name: str, revision: str) -> Path:
    try:
        try:
            return Path(download_model(name, revision=revision or None, local_files_only=True))
        except OSError:
            return Path(download_model(name, revision=revision or None))
    # The client raises these for everything from a wrong name to a cut connection.
    except (HfHubHTTPError, OSError, RuntimeError, ValueError) as error:
        said = str(error).partition("\n")[0]
        raise ModelUnavailable(
            f"whisper/{name}: its weights are not on this machine and cannot be downloaded "
            f"({said}). Check the name and the connection, or give a folder with the model"
        ) from error
