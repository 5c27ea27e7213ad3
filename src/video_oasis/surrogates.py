"""Mends texts that hold half a character, as broken files and programs leave them."""

import re
from typing import Final

_LONE: Final = re.compile("[\ud800-\udfff]")


def replace_surrogates(text: str) -> str:
    """Return a text with U+FFFD in place of lone surrogates, which no file or server takes."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)
