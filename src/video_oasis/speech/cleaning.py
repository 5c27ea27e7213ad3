"""Takes markup out of the text of a subtitle or a recogniser."""

import html
import re
from typing import Final

_MARKUP: Final = re.compile(
    r"<\|[^<>|]*\|>"  # a language model's special token: <|en|>, <|im_end|>
    r"|</?[^\W\d][^<>]*>"  # HTML, voices and classes of WebVTT: <i>, <v Ada>, <c.yellow>
    r"|<\d[\d:.]*>"  # word times of WebVTT
    r"|\{\\[^{}]*\}"  # styles of SubStation: {\an8}
)


def clean_text(text: str) -> str:
    """Remove tags, styles and special tokens, resolve HTML entities, and flatten white space.

    What a tag encloses stays. A voice tag's name goes with the tag.

    Returns:
        One line without white space around it; empty if there was nothing but markup.
    """
    text = html.unescape(text)
    while (cleaned := _MARKUP.sub("", text)) != text:
        # Taking one tag out can join the halves of another.
        text = cleaned
    return " ".join(text.split())
