"""Renders pages that need no network, and may run our one script and nothing else."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from video_oasis.report.headline import name_place
from video_oasis.report.numbers import (
    write_count,
    write_estimate,
    write_percent,
    write_points,
    write_several,
)

_SHORT: Final = 400


def render(template: str, **values: Any) -> str:
    """Fill one of our templates; all values are text to it, never markup."""
    return _environment().get_template(template).render(values)


def make_policy() -> str:
    """Return the content security policy: our style, our script, pictures of the report's folder.

    Text of a benchmark that should come through as markup is dead by it: it can run, load and send
    nothing.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(_read('report.css'))}'",
            f"script-src '{_hash(_read('report.js'))}'",
            "img-src 'self' file:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def shorten(text: str, n_characters: int = _SHORT) -> str:
    """Return text of bounded length, saying how much was left out."""
    if len(text) <= n_characters:
        return text
    return f"{text[:n_characters]}… ({write_count(len(text) - n_characters)} characters more)"


def make_environment(package: str) -> Environment:
    """Read the templates of a package: text of a benchmark is escaped, and no name is left out."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    environment = make_environment("video_oasis.report")
    environment.filters |= {
        "count": write_count,
        "estimate": write_estimate,
        "percent": write_percent,
        "place": name_place,
        "points": write_points,
        "several": write_several,
        "shorten": shorten,
    }
    environment.globals |= {
        "policy": make_policy(),
        "style": Markup(_read("report.css")),
        "script": Markup(_read("report.js")),
    }
    return environment


def _read(name: str) -> str:
    return (files("video_oasis.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
