"""Says which weights a name of open_clip means, and how they are to be used, without loading them.

Importing this module imports open_clip, and PyTorch with it.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import open_clip
from open_clip.pretrained import download_pretrained_from_hf

from video_oasis.errors import ModelUnavailable
from video_oasis.hashing import content_id
from video_oasis.weights import Weights, find_commit, find_weights, hash_file

_CONFIG: Final = "open_clip_config.json"
_SUFFIXES: Final = frozenset({".safetensors", ".bin", ".pt", ".pth"})
_PREPROCESSING: Final = ("mean", "std", "interpolation", "resize_mode")


@dataclass(frozen=True)
class Source:
    """Weights in the form of open_clip.

    Attributes:
        name: name without where the weights lie.
        revision: commit on the hub, or content id of the file or folder.
        architecture: what open_clip knows the architecture by.
        config: the architecture itself.
        preprocessing: how pictures are prepared, as far as it is not the library's default.
        tokenizer: a tokenizer kept apart from the weights; None where there is none.
        file: the file of the weights; None where it is in the architecture's own folder, or still
            on the hub.
        repository: name and file on the hub, the file's name empty for the usual one.
    """

    name: str
    revision: str
    architecture: str
    config: Mapping[str, Any]
    preprocessing: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: Weights | None = None
    file: Path | None = None
    repository: tuple[str, str] | None = None

    @property
    def context_length(self) -> int:
        """How many positions the text encoder has."""
        default = open_clip.tokenizer.DEFAULT_CONTEXT_LENGTH
        return int(self.config["text_cfg"].get("context_length", default))

    def find_file(self) -> str | None:
        """Return the file of the weights, downloaded if need be; None if they lie in a folder.

        Raises:
            FileNotFoundError: the hub does not give it.
        """
        if self.repository is None:
            return None if self.file is None else str(self.file)
        name, file = self.repository
        path = download_pretrained_from_hf(name, filename=file or None, revision=self.revision)
        return str(path)


def find_source(model: str, name: str, revision: str) -> Source:
    """Return the weights that a name stands for.

    Args:
        model: the model's full name, for messages.
        name: path of a folder, ``ARCHITECTURE:TAG`` or ``ARCHITECTURE:FILE``.
        revision: branch, tag or commit on the hub; empty for the main branch.

    Raises:
        ModelUnavailable: there are none.
    """
    if Path(name).expanduser().is_dir():
        return _folder_source(model, name, revision)
    architecture, _, weights = name.partition(":")
    if not weights:
        raise ModelUnavailable(
            f"model {model}: there is no folder {name}; expected one that holds {_CONFIG}, or "
            "ARCHITECTURE:TAG, or ARCHITECTURE:FILE"
        )
    config = open_clip.get_model_config(architecture)
    if config is None:
        near = difflib.get_close_matches(architecture, open_clip.list_models(), n=3)
        raise ModelUnavailable(
            f"model {model}: open_clip knows no architecture {architecture!r}; "
            f"{'did you mean ' + ' or '.join(near) if near else 'check the name'}?"
        )
    if open_clip.get_pretrained_cfg(architecture, weights):
        return _tag_source(model, architecture, weights, config, revision)
    return _file_source(model, architecture, Path(weights).expanduser(), config, revision)


def _folder_source(model: str, name: str, revision: str) -> Source:
    weights = find_weights(model, name, revision, config=_CONFIG, whole=True)
    architecture = f"local-dir:{weights.source}"
    try:
        config = open_clip.get_model_config(architecture)
    except (OSError, ValueError, AttributeError) as error:
        raise ModelUnavailable(f"model {model}: its {_CONFIG} cannot be read: {error}") from error
    missing = {"embed_dim", "vision_cfg", "text_cfg"} - config.keys()
    if missing:
        raise ModelUnavailable(
            f"model {model}: its {_CONFIG} lacks {', '.join(sorted(missing))} and is none of a "
            "dual encoder"
        )
    return Source(weights.name, weights.revision, architecture, config)


def _tag_source(
    model: str, architecture: str, tag: str, config: dict[str, Any], revision: str
) -> Source:
    released = open_clip.get_pretrained_cfg(architecture, tag)
    name, _, file = released.get("hf_hub", "").rpartition("/")
    if not name:
        raise ModelUnavailable(
            f"model {model}: the weights {tag!r} are not on the hub; download them and name their "
            f"file: open_clip/{architecture}:FILE"
        )
    commit = find_commit(model, name, revision or "main", _CONFIG)
    if released.get("quick_gelu"):
        config["quick_gelu"] = True
    return Source(
        name=f"{architecture}:{tag}",
        revision=commit,
        architecture=architecture,
        config=config,
        preprocessing=_preprocessing(released),
        tokenizer=_find_tokenizer(model, config),
        repository=(name, file),
    )


def _file_source(
    model: str, architecture: str, file: Path, config: dict[str, Any], revision: str
) -> Source:
    tags = open_clip.list_pretrained_tags_by_model(architecture)
    if not file.is_file():
        raise ModelUnavailable(
            f"model {model}: there is no file {file}, and no weights of that name are known for "
            f"{architecture}; known are {', '.join(tags) or 'none'}"
        )
    if file.suffix not in _SUFFIXES:
        raise ModelUnavailable(
            f"model {model}: {file.name} is no file of weights that is read here; expected one "
            f"that ends in {', '.join(sorted(_SUFFIXES))}"
        )
    if revision:
        raise ModelUnavailable(
            f"model {model}: revision is {revision!r}, but {file} is a file, whose revision is its "
            "content; leave revision out"
        )
    # A file does not say how its pictures are prepared. Where all released weights of the
    # architecture agree (SigLIP's differ from CLIP's), its are taken to be prepared the same way.
    ways = [_preprocessing(open_clip.get_pretrained_cfg(architecture, tag)) for tag in tags]
    agreed = ways[0] if ways and all(way == ways[0] for way in ways) else {}
    try:
        sha256 = hash_file(file)
    except OSError as error:
        raise ModelUnavailable(f"model {model}: {file} cannot be read: {error}") from error
    return Source(
        name=architecture,
        revision=content_id("weights1", {"sha256": sha256}),
        architecture=architecture,
        config=config,
        preprocessing=agreed,
        tokenizer=_find_tokenizer(model, config),
        file=file,
    )


def _preprocessing(released: Mapping[str, Any]) -> dict[str, Any]:
    """Return how released weights want their pictures prepared, as plain data."""
    return {
        key: list(released[key]) if isinstance(released[key], tuple) else released[key]
        for key in _PREPROCESSING
        if released.get(key) is not None
    }


def _find_tokenizer(model: str, config: Mapping[str, Any]) -> Weights | None:
    name = config["text_cfg"].get("hf_tokenizer_name")
    if not name:
        return None
    return find_weights(model, name, "", config="tokenizer_config.json", whole=True)
