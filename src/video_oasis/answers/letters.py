"""Recognises a letter that labels a choice, alone or at the head of a text.

``A`` and ``I`` are words too: without brackets they are letters only where no sentence goes on
with them as an article or a pronoun.
"""

import re
from typing import Final

_OPEN: Final = r"""[(\[{<"'“‘「【《 ]"""
_CLOSE: Final = r"""[)\]}>"'”’」】》.,;:!。、 ]"""
_NOUN: Final = r"(?:the )?(?:option|choice|letter|answer|选项|選項|选择肢)"

_ALONE: Final = re.compile(
    rf"{_OPEN}*(?:{_NOUN}\b)?{_OPEN}*([a-z]){_CLOSE}*", re.IGNORECASE | re.ASCII
)
_ALONE_MAX_CHARACTERS: Final = 40

LEAD_WORDS: Final = re.compile(
    rf"""(?:(?:{_NOUN}|therefore|thus|indeed|clearly|definitely|most\ likely|likely|probably)
        \ ?[:,]?\ ?|[:=>\-–—"'“「]\ ?)*""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words and signs that may stand between a declaration and what it declares."""

_LABELLED: Final = re.compile(
    r"""
        [(\[{<【] \ ? (?P<bracketed>[A-Za-z]) \ ? [)\]}>】]
      | (?P<delimited>[A-Za-z]) (?: \ ?[):、] | \.(?!\w) | \ [-–—]+\  )
      | (?P<bare>[A-Z]) (?![\w'’+#-])
    """,
    re.VERBOSE | re.ASCII,
)
_AFTER_LETTER: Final[dict[str, re.Pattern[str]]] = {
    "A": re.compile(
        r"\ ?(?:[^\w\s'’]|$|\n|(?:and|or|is|are|was|because|since|as|due|based|given|would|could"
        r"|can|cannot|isn|seems?|matches|fits|vs|not|which|with|for|over|but|so)\b)"
    ),
    "I": re.compile(r"\ ?(?:[^\w\s'’]|$|\n|(?:or|is|isn|because|since|given|vs|over|based)\b)"),
}
_WRONG: Final = r"(?:incorrect|wrong|false|ruled\ out|eliminated|excluded)\b"
_REJECTED_AFTER: Final = re.compile(
    rf"""[)\]}}]?[\s,:;–—-]{{0,3}}
        (?:
            (?:(?:but|which|and)\ (?:it\ |that\ )?)?
            (?:is|are|was|seems|looks|would\ be|can\ be|must\ be)\ (?:also\ |clearly\ |then\ )?
            (?:not\b|{_WRONG})
          | {_WRONG}
          | (?:isn|wasn|can|couldn|doesn)['’]t\b
          | (?:cannot|does\ not)\b
          | \?
        )""",
    re.VERBOSE | re.IGNORECASE,
)


def letter_alone(text: str) -> str | None:
    """Return the letter if a text is nothing but one, in either case, however bracketed."""
    if len(text) > _ALONE_MAX_CHARACTERS:
        return None
    alone = _ALONE.fullmatch(text)
    return alone[1] if alone else None


def split_label(text: str) -> tuple[str, str] | None:
    """Split a text at the letter it begins with.

    Returns:
        the letter and what follows it, or None if the text begins with no letter, or the letter is
        an article, a pronoun, or called wrong.
    """
    label = _LABELLED.match(text)
    if label is None or is_rejected_after(text, label.end()):
        return None
    if label["bare"] and is_word(text, label["bare"], label.end()):
        return None
    letter = label["bracketed"] or label["delimited"] or label["bare"]
    return letter, text[label.end() :].lstrip(" .):、-–—")


def is_word(text: str, letter: str, end: int) -> bool:
    """Tell whether a capital letter that ends there is the article ``A`` or the pronoun ``I``."""
    after = _AFTER_LETTER.get(letter)
    return after is not None and after.match(text, end) is None


def is_rejected_after(text: str, end: int) -> bool:
    """Tell whether a text says right after a letter that it is not the answer."""
    return _REJECTED_AFTER.match(text, end) is not None
