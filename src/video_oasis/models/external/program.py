"""Finds a program, and says which program exactly it is."""

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from video_oasis.errors import ModelUnavailable


def find_program(model: str, name: str) -> Path:
    """Return where a program lies.

    Args:
        model: the model's full name, for messages.
        name: a path with a slash in it, or the name of a command.

    Raises:
        ModelUnavailable: there is none, or it may not be run.
    """
    if "/" not in name:
        found = shutil.which(name)
        if found is None:
            hint = f"; a file is named with a slash: external/./{name}"
            raise ModelUnavailable(
                f"model {model}: there is no command {name!r}{hint if _is_file(Path(name)) else ''}"
            )
        return Path(found)
    path = Path(name).expanduser().absolute()
    if not _is_file(path):
        raise ModelUnavailable(f"model {model}: there is no file {path}; check the path")
    if not os.access(path, os.X_OK):
        raise ModelUnavailable(
            f"model {model}: {path} may not be run; begin it with a line such as "
            f"'#!/usr/bin/env python3' and make it executable: chmod +x {path}"
        )
    return path


def describe_program(model: str, name: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Return what tells a program from others: its name, its arguments, and the files they name.

    Where a file lies does not matter, what it holds does. A command is known by its name: the same
    command is another file on another machine.

    Args:
        model: the model's full name, for messages.
        name: as for ``find_program``.
        arguments: what the program is given.

    Raises:
        ModelUnavailable: there is no such program, or a file cannot be read.
    """
    program = find_program(model, name)
    given = [_split_argument(each) for each in arguments]
    files = [
        *([program] if "/" in name else []),
        *(file for _, file in given if isinstance(file, Path)),
    ]
    try:
        digests = [_digest(path) for path in files]
    except OSError as error:
        raise ModelUnavailable(
            f"model {model}: {error.filename} cannot be read ({error.strerror}), and what it holds "
            f"is part of what the model is; make it readable"
        ) from error
    return {
        "program": program.name,
        "arguments": [
            option + (value.name if isinstance(value, Path) else value) for option, value in given
        ],
        "files": digests,
    }


def _split_argument(argument: str) -> tuple[str, str | Path]:
    """Split ``--option=FILE`` and ``FILE`` into what precedes the file, and the file."""
    option, equals, value = argument.partition("=")
    for before, path in (("", Path(argument)), (option + equals, Path(value))):
        if _is_file(path):
            return before, path
    return "", argument


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long for a name, or a folder that may not be looked into
        return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
