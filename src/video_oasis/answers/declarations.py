"""Finds the places where a reply declares its answer, and reads the last one."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from video_oasis.answers.letters import LEAD_WORDS, letter_alone, split_label
from video_oasis.answers.options import SEVERAL_CANDIDATES, Options
from video_oasis.schema import Reading

# A value is short; looking no further keeps the work linear in the length of the reply.
_WINDOW: Final = 400
# A reply that says "the answer is" more often than this without naming one is babble.
_MAX_READ: Final = 50

_IS: Final = (
    r"(?: (?:is|was|would be|should be|must be|will be|has to be|remains)\b ?:?"
    r"| ?[:=]| ?-{0,2}>| ?→| -)"
)
_THING: Final = r"(?:option|choice|letter|one|response|pick|guess|selection|prediction|vote)"
_JSON_KEYS: Final = (
    r"(?:final_?|correct_?|predicted_?|my_?)?(?:answer|option|choice|prediction|letter|ans)"
    r"(?:_?letter)?"
)
_MARKED: Final = re.compile(
    rf"""
        \\f?boxed\ ?\{{(?P<boxed>)
      | <(?P<tag>(?:final_?)?answer|ans|option|choice)>
      | ["']{_JSON_KEYS}["']\ ?:\s?(?P<field>)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_JSON_VALUE: Final = re.compile(
    r"""\[?\s?(?:"(?P<double>(?:[^"\\\n]|\\.){0,400})"|'(?P<single>[^'\n]{0,400})'
        |(?P<plain>[^\s,}\]"']{1,40}))(?P<more>\s?,\s?["'\w]+\s?\])?""",
    re.VERBOSE,
)
_WORDED: Final = tuple(
    (words.split(), re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for words, pattern in (
        ("ans", rf"\b(?:answer|ans)\b(?: (?:to|for) (?:the|this|your) question)?{_IS}"),
        ("answer", rf"\banswer \([^()\n]{{0,40}}\){_IS}"),
        (
            "correct right best final chosen selected likely plausible accurate",
            r"\b(?:correct|right|best|final|chosen|selected|likely|plausible|accurate) "
            rf"{_THING}{_IS}",
        ),
        (
            "option choice letter one response pick guess selection prediction vote",
            rf"\b(?:my|the) (?:best )?{_THING}{_IS}",
        ),
        (
            "choice option selection prediction response guess",
            r"^(?:choice|option|selection|prediction|response|guess) ?:",
        ),
        (
            "choose chose pick select opt settle vote",
            r"\b(?:choose|chose|pick|picked|select|selected|opt for|settle on|vote for)\b",
        ),
        ("with", r"\b(?:go|going|went) with\b"),
        ("guess say answer", r"(?:\b(?:would|will|i)|['’](?:d|ll)) (?:guess|say|answer)\b"),
        ("answer", r"(?:\b(?:final|correct|my) |^(?:the )?)answer\b"),
        # Chinese, Japanese, Korean.
        (
            "答案 选项 回答",
            r"(?:答案|选项|回答)(?:应该|应当)?(?:是|为|应为|选)|(?:答案|回答) ?:"
            r"|答案(?=[ (]*[A-Z])",
        ),
        ("选 選", r"选择|應選|应选|故选|我选|选(?=[ (:]*[A-Z])"),
        ("答 正解", r"答えは|正解は|回答は|答え ?:"),
        ("답", r"정답(?:은|이| ?:)|답(?:은| ?:)"),
        # Spanish, French, German, Portuguese, Italian, Russian, Vietnamese, Arabic, Hindi.
        ("respuesta", r"\brespuesta(?: correcta)?(?: es\b| ?:)"),
        ("réponse reponse", r"\br[ée]ponse(?: correcte)?(?: est\b| ?:)"),
        ("antwort", r"\bantwort(?: (?:ist|lautet)\b| ?:)"),
        ("resposta", r"\bresposta(?: correta)?(?: é\b| ?:)"),
        ("risposta", r"\brisposta(?: corretta)?(?: è\b| ?:)"),
        ("ответ", r"\bответ ?[:—-]"),
        ("đáp", r"\bđáp án(?: đúng)?(?: là\b| ?:)"),
        ("الإجابة", r"الإجابة(?: الصحيحة)?(?: هي| ?:)"),
        ("उत्तर", r"उत्तर ?:"),
    )
)
"""Wordings after which an answer stands, each with words of which it holds one.

Looking for the words first spares most of the searches.
"""
_CALLED_RIGHT: Final = re.compile(
    r"""(?<![\w'’.-])(?P<letter>[A-Z])[)\]]?
        (?:\ is|\ was|\ must\ be|\ would\ be|是)\ ?(?:indeed\ |clearly\ |probably\ )?(?:the\ )?
        (?:most\ (?:likely|accurate|appropriate|plausible)\ |best\ |final\ )?
        (?:correct|right|answer|option|choice|best|正确)""",
    re.VERBOSE,
)

_CLAUSE_BREAK: Final = re.compile(
    r"[.,;:!?\n。，；]|\b(?:but|so|thus|hence|therefore|then|however|because)\b", re.IGNORECASE
)
_TAKES_BACK: Final = re.compile(
    r"\b(?:if|whether|not|never|unless|why|cannot|nor|neither|instead of|rather than)\b"
    r"|n['’]t\b|不",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"(?:certainly |clearly )?(?:not|never|neither|n['’]t)\b|不", re.I)
_BUT_RATHER: Final = re.compile(r"\bbut (?:rather |instead )?|而是")

_JOIN: Final = r"""[)\]}"']{0,2}(?:\ ?(?:,|/|&|\+|\bor\b|\band\b|\bvs\b\.?|或者?|和|与)\ ?)+"""
_BEFORE_SECOND: Final = r"""(?:option\ |choice\ |\()?["'(\[]?"""
_SEVERAL: Final = re.compile(
    rf"""(?:either\ |both\ |between\ )?["'(\[]?(?P<first>[A-Z]){_JOIN}
        {_BEFORE_SECOND}(?P<second>[A-Z])(?![\w'’])
        (?!\ (?:think|believe|am|would|chose|choose|was|do|did|have|saw|can)\b)""",
    re.VERBOSE,
)
_LABEL_AT_END: Final = re.compile(r"[(\[]([A-Z])[)\]][ .!]{0,3}$")
_JOINED_BEFORE: Final = re.compile(rf"(?<![\w'’])[A-Z]{_JOIN}{_BEFORE_SECOND}$", re.VERBOSE)


def read_last_declaration(text: str, options: Options) -> Reading | None:
    """Return what the last declaration in a cleaned reply says.

    Places that look like a declaration and name neither a letter nor a choice ("the answer is
    clear from the video") are none, nor are those taken back ("the answer is not A", "if the
    answer is A").
    """
    found = [*_marked(text), *_worded(text), *_called_right(text)]
    found.sort(key=lambda place: place[0], reverse=True)
    for _, value in found[:_MAX_READ]:
        reading = read_value(value, options)
        if reading is not None:
            return reading
    return None


def read_value(value: str, options: Options) -> Reading | None:
    """Read what stands where an answer is declared, or None if it names no choice.

    Args:
        value: a cleaned text of at most a line; a letter, a choice's text, or both.
        options: the choices.
    """
    value = value.strip()
    whole = _read_letter(value, options) or options.with_text(value)
    if whole is not None:
        return whole
    declared = _without_negation(value)
    if declared is None:
        return None
    bare = LEAD_WORDS.sub("", declared, count=1)
    return (
        _read_letter(bare, options)
        or (SEVERAL_CANDIDATES if _is_several(bare) else None)
        or _read_labelled(bare, options)
        or read_text_with_label(declared, options)
        or options.with_text_before(declared)
    )


def _without_negation(value: str) -> str | None:
    """Return the value, or what "not A but B" puts in its place; None for a plain "not A"."""
    negation = _NEGATED.match(value)
    if negation is None:
        return value
    rather = _BUT_RATHER.search(value, negation.end())
    return value[rather.end() :] if rather else None


def _read_letter(value: str, options: Options) -> Reading | None:
    letter = letter_alone(value)
    return options.with_letter(letter) if letter else None


def _read_labelled(value: str, options: Options) -> Reading | None:
    label = split_label(value)
    return read_label(*label, options) if label else None


def read_label(letter: str, rest: str, options: Options) -> Reading:
    """Read a letter with what follows it: a reason, its own choice's text, or another's."""
    second = letter_alone(rest)
    if second and second != letter:
        return SEVERAL_CANDIDATES
    by_text = options.with_text(rest) or options.with_text_before(rest)
    return _agreed(options.with_letter(letter), by_text, options)


def read_text_with_label(text: str, options: Options) -> Reading | None:
    """Read a choice's text with a letter in brackets after it, such as ``the blue car (B)``."""
    label = _LABEL_AT_END.search(text[-_WINDOW:])
    by_text = options.with_text_before(text) if label else None
    return _agreed(options.with_letter(label[1]), by_text, options) if label and by_text else None


def _agreed(by_letter: Reading, by_text: Reading | None, options: Options) -> Reading:
    """Return the choice of a letter, unless a text beside it is another choice's."""
    if by_text is None or by_text.position is None:
        return by_letter
    if by_letter.position is None:
        return SEVERAL_CANDIDATES
    same_text = options.texts[by_letter.position] == options.texts[by_text.position]
    return by_letter if same_text else SEVERAL_CANDIDATES


def _is_several(text: str) -> bool:
    several = _SEVERAL.match(text)
    return several is not None and several["first"] != several["second"]


def _marked(text: str) -> Iterator[tuple[int, str]]:
    for mark in _MARKED.finditer(text):
        window = text[mark.end() : mark.end() + _WINDOW]
        if mark["boxed"] is not None:
            value = window[: _closing_brace(window)]
        elif mark["tag"]:
            value = window.split("</", 1)[0]
        else:
            value = _json_value(window)
        yield mark.start(), value


def _closing_brace(window: str) -> int:
    depth = 1
    for index, character in enumerate(window):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return index
    return len(window)


def _json_value(window: str) -> str:
    found = _JSON_VALUE.match(window)
    if found is None:
        return ""
    if found["more"]:
        return " or ".join(re.findall(r"\w+", found[0]))
    return found["double"] or found["single"] or found["plain"] or ""


def _worded(text: str) -> Iterator[tuple[int, str]]:
    lowered = text.lower()
    likely = (pattern for words, pattern in _WORDED if any(word in lowered for word in words))
    for wording in chain.from_iterable(pattern.finditer(text) for pattern in likely):
        if not _is_taken_back(text, wording.start()):
            window = text[wording.end() : wording.end() + _WINDOW]
            yield wording.start(), window.lstrip(" :\n").split("\n", 1)[0]


def _called_right(text: str) -> Iterator[tuple[int, str]]:
    for called in _CALLED_RIGHT.finditer(text):
        if _is_taken_back(text, called.start()):
            continue
        before = text[max(0, called.start() - 20) : called.start()]
        joined = _JOINED_BEFORE.search(before)
        letter = called["letter"]
        yield called.start(), f"{joined[0].strip()} {letter}" if joined else letter


def _is_taken_back(text: str, start: int) -> bool:
    clause = _CLAUSE_BREAK.split(text[max(0, start - 60) : start])[-1]
    return _TAKES_BACK.search(clause) is not None
