"""Knows who reviews in which browser."""

import hashlib
import unicodedata
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from fastapi import Request, Response

from video_oasis.review.guard import Access
from video_oasis.review.outdated import Outdated

MAX_NAME_CHARACTERS: Final = 60
"""The longest name of a reviewer."""

_YEAR_SECONDS: Final = 365 * 24 * 3600


def clean_name(name: str) -> str:
    """Return a reviewer's name in one form: no control characters, single spaces, not too long."""
    text = unicodedata.normalize("NFC", name)
    printable = (
        " " if each.isspace() else each for each in text if each.isprintable() or each.isspace()
    )
    return " ".join("".join(printable).split())[:MAX_NAME_CHARACTERS].strip()


class Reviewers:
    """The reviewers of one run, each known by a cookie of their browser."""

    def __init__(self, kept_in: Path, default: str, access: Access) -> None:
        """Name the cookie.

        Args:
            kept_in: the file that what they say goes to.
            default: the name a browser starts with; empty to ask.
            access: who may come in.
        """
        self._default = default
        # Runs have different reviewers even in one browser, and a start that names one means it.
        owner = f"{kept_in.resolve()}\n{default and access.cookie}"
        self._cookie = f"oasis-reviewer-{hashlib.sha256(owner.encode()).hexdigest()[:8]}"

    def find(self, request: Request) -> str:
        """Return who reviews in a browser; empty if nobody does yet."""
        return clean_name(unquote(request.cookies.get(self._cookie, ""))) or self._default

    def require(self, request: Request) -> str:
        """Return who reviews in a browser.

        Raises:
            Outdated: nobody does yet.
        """
        reviewer = self.find(request)
        if not reviewer:
            raise Outdated("Nobody reviews in this browser yet. Reload the page.")
        return reviewer

    def check(self, request: Request, of_page: str) -> str:
        """Return who reviews in a browser, if the page is theirs.

        Raises:
            Outdated: nobody does yet, or someone else does by now.
        """
        reviewer = self.require(request)
        if reviewer != of_page:
            raise Outdated(
                f"This browser reviews as {reviewer} by now, and this page is {of_page}'s. Nothing "
                f"was saved; reload the page."
            )
        return reviewer

    def remember(self, response: Response, name: str) -> None:
        """Let a browser keep who reviews in it."""
        response.set_cookie(
            self._cookie, quote(name), httponly=True, samesite="strict", max_age=_YEAR_SECONDS
        )
