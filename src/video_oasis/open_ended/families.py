"""Says which family a model belongs to, by the words in its name."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from video_oasis.errors import SettingsError

_FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        r"(?:chat)?gpt|o[134](?:-mini|-pro)?|davinci": "gpt",
        r"claude": "claude",
        r"gemini": "gemini",
        r"gemma": "gemma",
        r"(?:code)?llama|vicuna": "llama",
        r"q(?:wen|wq|vq)": "qwen",
        r"(?:mis|mix|magis|devs|pix|minis)tral": "mistral",
        r"deepseek": "deepseek",
        r"intern(?:vl|lm|video)": "intern",
        r"glm|cogvlm": "glm",
        r"phi": "phi",
        r"smol(?:vlm|lm)": "smol",
        r"minicpm": "minicpm",
        r"grok": "grok",
        r"kimi": "kimi",
    }
)
"""What a name's part starts with, and the family that it then is of."""

_PATTERN: Final = re.compile(
    "|".join(f"(?P<f{n}>{words})" for n, words in enumerate(_FAMILIES)), re.IGNORECASE
)
_PART: Final = re.compile(r"[/\s_.-]+")


def find_family(name: str) -> str:
    """Return the family of a model by its name, such as ``qwen`` for ``openai/Qwen/Qwen3-8B``.

    The last part of the name that tells one decides: in ``openai/gpt-oss-20b`` that is ``gpt``, in
    ``llava-v1.6-vicuna-7b`` it is the language model.

    Returns:
        The family; empty where the name tells none.
    """
    families = list(_FAMILIES.values())
    found = ""
    for part in _PART.split(name):
        matched = _PATTERN.match(part)
        if matched and matched.lastgroup:
            found = families[int(matched.lastgroup[1:])]
    return found


def name_families(models: Mapping[str, str], stated: Mapping[str, str]) -> dict[str, str]:
    """Say which family each model is of: as stated, else as its names tell.

    Args:
        models: by the name it is shown under what each model is, ``BACKEND/NAME``.
        stated: families by the name a model is shown under; empty for none.

    Raises:
        SettingsError: a family is stated for a model that there is none of.
    """
    unknown = [name for name in stated if name not in models]
    if unknown:
        raise SettingsError(
            f"family of {', '.join(unknown)}: there is no such model; expected one of "
            f"{', '.join(models)}"
        )
    return {
        name: stated[name] if name in stated else find_family(name) or find_family(model)
        for name, model in models.items()
    }
