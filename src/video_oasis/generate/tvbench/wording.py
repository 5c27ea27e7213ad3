"""Brings descriptions of everyday actions into one form, to compare and to ask about them."""

import re
from typing import Final

_VERBS: Final = {
    "close": ("closing", "closed", "Closed the {}."),
    "drink": ("drinking", "drank", "Drank from the {}."),
    "eat": ("eating", "ate", "Ate the {}."),
    "grasp": ("grasping", "grasped", "Grasped the {}."),
    "hold": ("holding", "held", "Held the {}."),
    "lie": ("lying", "lay", "Lay on the {}."),
    "open": ("opening", "opened", "Opened the {}."),
    "put": ("putting", "put", "Put down the {}."),
    "sit": ("sitting", "sat", "Sat on the {}."),
    "stand": ("standing", "stood", "Stood on the {}."),
    "take": ("taking", "took", "Took the {}."),
    "throw": ("throwing", "threw", "Threw the {}."),
    "tidy": ("tidying", "tidied", "Tidied up the {}."),
    "turn on": ("turning on", "turned on", "Turned on the {}."),
    "turn off": ("turning off", "turned off", "Turned off the {}."),
    "walk": ("walking", "walked", "Walked through the {}."),
    "wash": ("washing", "washed", "Washed the {}."),
    "watch": ("watching", "watched", "Watched the {}."),
}
"""The verbs that can be asked about: their forms, and the sentence they make with an object."""

_INFINITIVES: Final = {
    form: verb for verb, (gerund, past, _) in _VERBS.items() for form in (verb, gerund, past)
}
_FILLERS: Final = frozenset(
    {
        *("a", "an", "the", "some", "their", "his", "her"),
        *("down", "up", "on", "onto", "at", "in", "with", "from", "to", "through", "of"),
    }
)
_PLACE: Final = re.compile(r"\s+(?:from\s+)?somewhere$")
_SUBJECT: Final = re.compile(r"\b(?:person|people|individual|man|woman|they|he|she)\b")
_NOT_A_VERB: Final = frozenset(
    {
        *("is", "are", "was", "be", "begins", "begin", "began", "starts", "start", "started"),
        *("continues", "also", "then", "now", "quickly", "slowly", "to", "the", "a", "another"),
        "who",
    }
)


def name_action(description: str) -> tuple[str, str] | None:
    """Return verb and object of a description, in a form that wordings of one action share.

    ``Putting a blanket somewhere``, ``put a blanket somewhere`` and ``Put down the blanket.`` are
    all ``("put", "blanket")``. None where the verb is not one that can be asked about.
    """
    parts = _take_apart(description)
    if parts is None:
        return None
    verb, objects = parts
    first = objects.split()[0].split("/")[0]
    return verb, first[:-1] if len(first) > 3 and first.endswith("s") else first


def word_past(description: str) -> str | None:
    """Word an action as having been done: ``Put down the blanket.``.

    None as for ``name_action``.
    """
    parts = _take_apart(description)
    return None if parts is None else _VERBS[parts[0]][2].format(parts[1])


def find_verb(sentence: str) -> str | None:
    """Return the stem of the verb that follows a sentence's subject, None where none is found."""
    subject = _SUBJECT.search(sentence.lower())
    if subject is None:
        return None
    for word in re.findall(r"[a-z]+", sentence.lower()[subject.end() :]):
        if word not in _NOT_A_VERB and not _SUBJECT.fullmatch(word):
            return _stem(word)
    return None


def _take_apart(description: str) -> tuple[str, str] | None:
    words = _PLACE.sub("", description.strip().rstrip(".").lower()).split()
    if not words:
        return None
    n_verb_words = 2 if words[0] in {"turn", "turning", "turned"} else 1
    verb = _INFINITIVES.get(" ".join([words[0].split("/")[0], *words[1:n_verb_words]]))
    objects = [word for word in words[n_verb_words:] if word not in _FILLERS]
    return None if verb is None or not objects else (verb, " ".join(objects))


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
