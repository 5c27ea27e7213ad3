"""Fills the templates of the pages; every text of the run is escaped, whatever it holds."""

from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment

from video_oasis.report.numbers import write_count, write_several
from video_oasis.report.page import make_environment
from video_oasis.review.places import describe_place
from video_oasis.surrogates import replace_surrogates


def render(template: str, **values: Any) -> str:
    """Fill one of our templates; all values are text to it unless they are ``Markup``."""
    return replace_surrogates(_environment().get_template(template).render(values))


def render_entry(address: str) -> str:
    """Render the page that goes on to an address of ours."""
    return render("entry.html", address=address)


def render_refusal(reason: str) -> str:
    """Render the page that says why someone may not come in."""
    return render("refusal.html", reason=reason)


def render_reviewer_form(suggestion: str, address: str, promise: str) -> str:
    """Render the page that asks for the reviewer's name, and goes on to an address of ours.

    Args:
        suggestion: the name to begin with.
        address: where to go on.
        promise: what becomes of what the reviewer says.
    """
    return render("reviewer.html", suggestion=suggestion, address=address, promise=promise)


def read_asset(name: str) -> bytes:
    """Return one of the shipped scripts, styles and pictures."""
    return (files("video_oasis.review") / "static" / name).read_bytes()


def _write_clock(seconds: float) -> str:
    minutes, second = divmod(seconds, 60)
    return f"{int(minutes)}:{second:05.2f}"


def _write_time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


@cache
def _environment() -> Environment:
    environment = make_environment("video_oasis.review")
    environment.filters |= {
        "clock": _write_clock,
        "count": write_count,
        "several": write_several,
        "time": _write_time,
    }
    environment.globals |= {"describe_place": describe_place}
    return environment
