"""Reads a user's TOML file, with one clear error for whatever is wrong with it."""

import tomllib
from pathlib import Path
from typing import Any

from video_oasis.errors import SettingsError


def read_toml(file: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        SettingsError: there is no such file, or it is not TOML in UTF-8.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not TOML in UTF-8: {error}") from error
