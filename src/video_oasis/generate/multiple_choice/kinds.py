"""Tells what kind of answer a question wants, from how it is worded and from its reference."""

import re
from collections.abc import Sequence
from typing import Final

from video_oasis.generate.multiple_choice.variants import reduce_answer
from video_oasis.judges.lemmas import find_lemma
from video_oasis.judges.words import list_words

YES_OR_NO: Final = "yes or no"
"""Questions whose reference is just yes or no: the one kind with two choices."""
NO_QUESTION_WORD: Final = "no question word"
"""Requests and questions in other languages."""

_QUESTION_WORDS: Final = frozenset(
    {"what", "which", "whose", "who", "whom", "where", "when", "why", "how"}
)
_ASK_FOR_NOUNS: Final = frozenset({"what", "which", "whose"})
_AUXILIARIES: Final = frozenset(
    (
        *("is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "has", "have"),
        *("had", "can", "could", "will", "would", "shall", "should", "may", "might", "must"),
    )
)
_LEADING: Final = frozenset(
    (
        *("in", "on", "at", "to", "from", "for", "of", "with", "by", "into", "onto", "about"),
        *("during", "around", "and", "so", "then"),
    )
)
_MEASURES: Final = frozenset(
    (
        *("many", "much", "long", "old", "far", "often", "big", "large", "small", "tall"),
        *("high", "deep", "wide", "heavy", "fast", "soon"),
    )
)
_SORTS: Final = frozenset({"kind", "type", "sort"})
_DOING: Final = frozenset({"do", "doing", "done"})
_CLAUSE_END: Final = re.compile(r"(?<=[,.;:!?])\s+")
_SHORT_IS: Final = re.compile(r"\b(what|who|where|when|why|how|which)['’]s\b", re.IGNORECASE)


def tell_kind(question: str, reference: str) -> str:
    """Name the kind of a question, such as ``what color`` or ``how many, a number``.

    It is the question word that leads a clause, with the noun it asks for where one follows ("what
    color", "which kind of animal", "what is the name of"), ``what do`` for actions, and the measure
    of "how". ``which`` and ``whose`` with a noun count as ``what``. References that are numbers
    make a kind of their own, and so do references that are yes or no, whatever the wording.
    """
    answer = reduce_answer(reference)
    if answer in {("yes",), ("no",)}:
        return YES_OR_NO
    worded = _name_wording(_SHORT_IS.sub(r"\1 is", question))
    return f"{worded}, a number" if all(word[:1].isdigit() for word in answer) else worded


def _name_wording(question: str) -> str:
    clauses = [list_words(clause) for clause in _CLAUSE_END.split(question)]
    for words in clauses:
        while words and words[0] in _LEADING:
            del words[0]
        if words and words[0] in _QUESTION_WORDS:
            return _name_clause(words[0], words[1:])
        if words and words[0] in _AUXILIARIES:
            return "or" if "or" in words else words[0]
    for words in clauses:
        for place, word in enumerate(words):
            if word in _QUESTION_WORDS:
                return _name_clause(word, words[place + 1 :])
    return NO_QUESTION_WORD


def _name_clause(question_word: str, rest: Sequence[str]) -> str:
    first = rest[0] if rest else ""
    if question_word == "how" and first in _MEASURES:
        return f"how {first}"
    if question_word not in _ASK_FOR_NOUNS or first in {"", "of"} or first.isdigit():
        return question_word
    if first not in _AUXILIARIES:
        return f"what {_name_noun(rest)}"
    if rest[2:3] == ["of"]:
        return f"what {_name_noun(rest[1:])}"
    return "what do" if _DOING.intersection(rest[1:]) else question_word


def _name_noun(words: Sequence[str]) -> str:
    """Return the noun at the start, or what it is a kind of."""
    if find_lemma(words[0]) in _SORTS and len(words) > 2 and words[1] == "of":
        return find_lemma(words[2])
    return find_lemma(words[0])
