"""Reduces texts to their words in dictionary form, for comparing what they say."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from video_oasis.judges.words import list_words

_FORMS: Final = {
    # simplemma keeps these apart from their other forms, or makes up a last e.
    "people": "person", "leave": "leaf", "shelve": "shelf", "loave": "loaf", "halve": "half",
    "calve": "calf", "thieve": "thief", "playe": "play", "thinke": "think", "sweare": "swear",
    "proclaime": "proclaim", "crafte": "craft", "develope": "develop", "deposite": "deposit",
    "mixe": "mix", "singe": "sing",
    # British spellings, and one abbreviation.
    "grey": "gray", "colour": "color", "centre": "center", "theatre": "theater", "tyre": "tire",
    "mum": "mom", "pyjamas": "pajamas", "moustache": "mustache", "doughnut": "donut",
    "aeroplane": "airplane", "jewellery": "jewelry", "tv": "television",
    # Numbers that ``list_words`` leaves as they are.
    "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
    "6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90",
}  # fmt: skip
_MULTIPLIERS: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_THOUSANDS: Final = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_WHOLE: Final = re.compile(r"\d{1,15}")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_VOWEL: Final = re.compile("[aeiouy]")


def list_lemmas(text: str) -> list[str]:
    """Return the words that count when texts are compared, without inflection or accents.

    Numbers in words are digits, ``two hundred and five`` as ``twenty-one``. A word in ``-ing``
    becomes the verb, whatever it means: ``building`` is ``build``.
    """
    return _join_numbers(_strip_ing(find_lemma(word)) for word in list_words(text))


@lru_cache(maxsize=1 << 17)
def find_lemma(word: str) -> str:
    """Return the dictionary form of a word in lower case and American spelling.

    Numbers lose what does not change their value: ``1,000`` is ``1000``, ``2.50`` is ``2.5``.
    """
    # Its word lists take a moment to load, which other commands need not wait for.
    from simplemma import lemmatize  # noqa: PLC0415

    plain = word.replace(",", "") if _THOUSANDS.fullmatch(word) else word
    if _NUMBER.fullmatch(plain):
        return f"{Decimal(plain).normalize():f}"
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", plain))
    plain = unicodedata.normalize("NFC", plain)
    lemma = lemmatize(plain, lang="en").casefold() if plain else word
    return _FORMS.get(lemma, lemma)


@lru_cache(maxsize=1 << 17)
def _strip_ing(lemma: str) -> str:
    """Return the verb of a noun in ``-ing``, which simplemma leaves as it is."""
    from simplemma import is_known  # noqa: PLC0415

    stem = lemma.removesuffix("ing")
    if stem == lemma or len(stem) < 3 or not _VOWEL.search(stem):
        return lemma
    verbs = (stem, stem[:-1]) if stem[-1] == stem[-2] else (f"{stem}e", stem)
    return next((verb for verb in verbs if is_known(verb, lang="en")), lemma)


def _join_numbers(words: Iterable[str]) -> list[str]:
    """Join the words of one number, such as 2, hundred, and, 5."""
    joined: list[str] = []
    for word in words:
        last = int(joined[-1]) if joined and _WHOLE.fullmatch(joined[-1]) else 0
        if factor := _MULTIPLIERS.get(word):
            # Of 2005 and a hundred, the 5 is multiplied.
            n_times = last % factor
            if n_times:
                joined[-1] = str(last - n_times + n_times * factor)
            else:
                joined.append(str(factor))
        elif _WHOLE.fullmatch(word) and _takes(last, word):
            joined[-1] = str(last + int(word))
        elif not (word == "and" and last and last % 100 == 0):
            joined.append(word)
    return joined


def _takes(number: int, rest: str) -> bool:
    """Tell whether a round number goes on with these digits: 20 with 1, 200 with 21."""
    return (
        number >= 20
        and int(rest) > 0
        and len(rest) <= len(str(number)) - len(str(number).rstrip("0"))
    )
