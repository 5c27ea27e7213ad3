"""Recognises replies that are no answers: refusals, and failure texts stored as replies."""

import re
from typing import Final

_SERVER_FAILURE: Final = re.compile(
    r"""\s*(?:
        <(?:!doctype|html|head|body)\b
      | \{\s*"error"\s*:
      | (?:api\s|server\s|request\s|connection\s|internal\s)*(?:error|exception)\b\s*(?::|\d|$)
      | traceback\s\(most\srecent
      | \w+(?:\.\w+)*(?:error|exception)\b\s*(?::|\()
      | failed\sto\s(?:obtain|get|generate|fetch|call|connect|process|load|retrieve|receive|parse)\b
      | (?:the\s)?(?:api\s)?(?:request|call)\s(?:failed|timed\sout|was\saborted)
      | (?:too\smany\srequests|rate\slimit|(?:internal\s)?server\serror|bad\sgateway)\b
      | (?:service\s(?:temporarily\s)?unavailable|gateway\stime-?out)\b
      | connection\s(?:refused|reset|aborted|timed\sout)
      | time(?:d\s)?-?out\s*[.:]?\s*$
      | (?:http\s?)?(?:429|5\d\d)\s(?:too|internal|bad|service|gateway|server)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_CANNOT: Final = r"(?:can\s?not|can't|can’t|could\snot|couldn't|am\sunable\sto|unable\sto)"
_REFUSAL: Final = re.compile(
    rf"""
        {_CANNOT}\s(?:\w+\s)?(?:be\s)?(?:determine|answer|tell|say|see|view|watch|access|know|help
            |assist|identif|provide|choose|decide|comply|fulfil|conclu|infer)
      | (?:sorry|apologi[sz]e),?\s(?:but\s)?(?:i|as)\b
      | \bas\s(?:an\s)?ai\b
      | \b(?:not\spossible|impossible)\sto\s(?:determine|answer|tell|say|know)
      | \b(?:not|no|without)\s(?:enough|sufficient)\s(?:information|context|evidence|detail)
      | \binsufficient\s(?:information|context|evidence|detail)
      | \b(?:won't|will\snot|refuse\sto|decline\sto)\s(?:answer|choose|help|do|provide|assist)
      | 无法(?:确定|回答|判断|得知)|不能(?:确定|回答|判断)|抱歉
      | わかりません|判断できません|알\s?수\s?없
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HESITATION: Final = re.compile(
    r"""\W*(?:
        (?:i\s(?:really\s)?(?:do\snot|don't|don’t)\sknow|i(?:\sam|'m|’m)\s(?:not\ssure|unsure))
      | (?:not\ssure|unsure|no\sidea|unknown|unclear|undetermined|undeterminable|n/?a)\b
      | (?:the\s)?answer\s(?:is\s)?(?:unknown|unclear|undetermined|undeterminable)
      | (?:it\sis|it's)\s(?:unclear|unknown) | 不知道|不清楚|不确定
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def is_server_failure(text: str) -> bool:
    """Tell whether a reply is the failure text of a server or a client, kept as if it answered."""
    return _SERVER_FAILURE.match(text) is not None


def is_refusal(text: str) -> bool:
    """Tell whether a reply says anywhere that it will not or cannot answer."""
    return _REFUSAL.search(text) is not None


def is_hesitation(text: str) -> bool:
    """Tell whether a reply begins by not knowing; a letter after that is still a guess."""
    return _HESITATION.match(text) is not None
