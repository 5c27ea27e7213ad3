"""Reads the answer in a reply to an open question."""

import re
from typing import Final

from video_oasis.answers.cleaning import remove_decoration, remove_reasoning
from video_oasis.schema import Answer, FinishReason

# Narrower than for letters: a sign that reads "rate limit", or "timeout", may be what is asked for.
_FAILURE: Final = re.compile(
    r"""<(?:!doctype|html|head|body)\b
      | \{\s*"error"\s*:
      | traceback\s\(most\srecent
      | (?:api|server|connection|request|internal(?:\sserver)?)\s(?:error|exception)\b
        (?=\s*(?:[:.\d]|\Z))
      | (?:error|exception)(?:(?:\scode)?\s*:|\s\d{3}\W*\Z)
      | \w+(?:error|exception)\s*[:(]
      | failed\sto\s(?:obtain|get|generate|fetch|call|connect|process|load|retrieve|receive|parse)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_UNABLE: Final = (
    r"(?:can\s?not|can['’]t|could\s?n[o'’]t|am\s(?:not\sable|unable)\sto|['’]m\s(?:not\sable|unable)"
    r"\sto|(?:are|['’]re)\s(?:not\sable|unable)\sto|(?:won['’]t|will\snot))"
)
_BY_ONESELF: Final = (
    r"(?:determin|answer|tell|say|see|view|watch|access|know|help|assist|identif|provid|infer)"
)
# Only who speaks of itself, or of the question, refuses: that "he can't see the step" is an answer.
_REFUSAL: Final = re.compile(
    rf"""\W*(?:(?:i['’]?\s?a?m\s)?(?:so\s)?(?:sorry|afraid)\b[,.]?\s*(?:but\s|that\s)?
              |unfortunately,?\s|as\san?\s(?:[\w-]+\s)?ai\b[^.,]*[.,]?\s*|without\s[^.,]*,\s)*
    (?: (?:i|we)\s?{_UNABLE}\s(?:\w+\s)?{_BY_ONESELF}
      | (?:i|we)\s(?:do\snot|don['’]t)\s
        (?:have\s(?:access|enough|the)|see\s(?:the|any|an?)\s(?:video|image|frame))
      | (?:it|this|that|the\s(?:answer|question))?\s*{_UNABLE}\sbe\s
        (?:determined|answered|told|said|known|identified|inferred|verified)
      | (?:it\sis\s|it['’]s\s)?(?:not\spossible|impossible)\sto\s{_BY_ONESELF}
      | (?:unable|not\sable)\sto\s(?:determin|answer|tell|say|view|access|provid|assist)
      | (?:cannot|can['’]t)\s(?:determine|answer|tell|say)\b(?!\s(?:no|yes)\b)
      | (?:there\sis\s|i\shave\s)?(?:(?:not\senough|insufficient)\s
          (?:information|context|evidence|details?)\b(?!\s\w+ing)
        | no\s(?:information|context|evidence|details?|way)\s(?:to|about|provided|available|given)\b
        | no\s(?:videos?|frames?|images?)\s(?:(?:is|are|was|were|has\sbeen|have\sbeen)\s)?
          (?:provided|attached|available|given|included|uploaded)\b)
      | (?:the\s)?(?:video|image|frames?)\s(?:is|was|are|were)\s(?:not\s|un)
        (?:available|provided|accessible|attached)\b
      | please\s(?:provide|upload|share|attach)\b
      | you\s(?:have\snot|haven['’]t|did\snot|didn['’]t)\s(?:provide|attach|upload|share)
      | there\s(?:is\snot|isn['’]t)\senough\s(?:information|context|evidence|details?)
      | the\s(?:video|question|provided\sinformation)\s(?:does\snot|doesn['’]t|do\snot)\s
        provide\s(?:enough|sufficient)
      | (?:it\sis\s|it['’]s\s)?(?:hard|difficult)\sto\s(?:say|tell|determine)\b(?!\s\w+ing)

      | (?:the|this)\squestion\scannot\b
      | 无法(?:确定|回答|判断|得知) | 不能(?:确定|回答|判断) | 抱歉
      | わかりません | 判断できません | 알\s?수\s?없
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_ALL: Final = (
    re.compile(
        r"\b(?:guess|answer)(?:\s(?:is|would\sbe)\b\s*[:,]?|\s*[:,])\s*(?=\w)", re.IGNORECASE
    ),
    re.compile(
        r"\bbut\s(?:(?:i|it)\s(?:[^\s:]+\s){0,5}?(?:say|think|guess|is|looks?\slike|seems?)[:,]?\s)?"
        r"(?=\w)",
        re.IGNORECASE,
    ),
)
"""What stands before an answer that is given in spite of a refusal, the clearest first."""
_NO_ANSWER: Final = re.compile(
    r"""(?:if\syou|(?:also\s)?because|feel\sfree|please\b|i(?:['’]d|\s(?:can|could|would|will))\s
    (?:be|help|try|happily|gladly)\b|easy\b|unknown\W*\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
_LACK: Final = re.compile(
    r"""\W*(?:i\s(?:really\s)?(?:do\snot|don['’]t)\sknow(?!\s(?:why|how)\b.*,)
      | (?:i(?:['’]m|\sam)\s)?(?:not\ssure|unsure|uncertain)|no\sidea|unknown|unclear|undetermin\w+
      | n/?a|not\s(?:specified|mentioned|applicable|known|stated)
      | (?:it\sis|it['’]s)\sun(?:clear|known)
      | (?:the\s)?answer\s(?:is\s)?un(?:known|clear)|不知道|不清楚|不确定)
      (?=\W*\Z|[.,;:(]|\s(?:what|who|whether|if|from|about|how|why|where|which|the\sanswer|maybe)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_CONCLUSION: Final = re.compile(
    r"""(?:\A|[.!?\n]\s*)(?:(?:so|thus|hence|therefore),?\s)?(?:the\s|my\s)?
    (?:(?:final|correct|short|best)\s)?answer(?:\sis\s*:?|\s*:)\s*(?P<answer>[^\n]+)\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_WRAPPED: Final = re.compile(
    r"<answer>\s*(?P<tagged>.*?)\s*(?:</answer>|\Z)|\\boxed\{(?P<boxed>[^{}]*)\}",
    re.IGNORECASE | re.DOTALL,
)
_MOST_WORDS_OF_HESITATION: Final = 8


def read_open_answer(answer: Answer) -> tuple[str, str]:
    """Return the answer in a reply, or why there is none.

    Reasoning and what an answer is wrapped in (``Answer:``, an answer tag, a box) are taken off. A
    reply that refuses, and then gives an answer after all ("I cannot see the video, but my best
    guess is a cat"), is that answer. A text that was cut off at its length is a text.

    Returns:
        The text, and an empty reason; or an empty text, and ``empty``, ``cut_off`` (it ended while
        reasoning), ``filtered``, ``refusal`` (also where it says that it does not know) or
        ``server_failure``.
    """
    if answer.finish_reason is FinishReason.FILTERED:
        return "", "filtered"
    kept = remove_reasoning(answer.text)
    if kept is None:
        return "", "cut_off"
    text = _unwrap(remove_decoration(kept))
    if refusal := _REFUSAL.match(text):
        text = _find_after_all(text[refusal.end() :])
        return text, "" if text else "refusal"
    reason = _find_lack(text)
    return "" if reason else text, reason


def _find_lack(text: str) -> str:
    if not text:
        return "empty"
    if _FAILURE.match(text):
        return "server_failure"
    is_short = len(text.split()) <= _MOST_WORDS_OF_HESITATION
    return "refusal" if is_short and "but" not in text.split() and _LACK.match(text) else ""


def _find_after_all(rest: str) -> str:
    """Return the answer that follows a refusal; empty if there is none."""
    for lead in _AFTER_ALL:
        found = lead.search(rest)
        if found and not any(
            pattern.match(rest, found.end()) for pattern in (_REFUSAL, _NO_ANSWER, _LACK)
        ):
            return rest[found.end() :]
    return ""


def _unwrap(text: str) -> str:
    found = list(_WRAPPED.finditer(text))
    if found:
        text = found[-1]["tagged"] or found[-1]["boxed"] or ""
    concluded = _CONCLUSION.search(text)
    return (concluded["answer"] if concluded else text).strip()
