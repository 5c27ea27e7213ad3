"""Takes reasoning blocks and decoration off a reply."""

import re
import unicodedata
from typing import Final

_REASONING_NAMES: Final = (
    r"think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|rationale|seed:think"
)
_REASONING_TAG: Final = re.compile(
    rf"""
    (?P<open> <(?:{_REASONING_NAMES})> | ◁think▷ | \[think\] | <\|begin_of_thought\|>
            | <\|channel\|>(?:analysis|commentary)<\|message\|> )
  | (?P<close> </(?:{_REASONING_NAMES})> | ◁/think▷ | \[/think\] | <\|end_of_thought\|>
            | <\|channel\|>final<\|message\|> )
    """,
    re.VERBOSE | re.IGNORECASE,
)

_BOX_TOKENS: Final = (("<|begin_of_box|>", "<answer>"), ("<|end_of_box|>", "</answer>"))
_CONTROL_TOKEN: Final = re.compile(r"<\|[^|<>\n]{1,40}\|>|</s>|<(?:eos|end_of_turn)>")
_INVISIBLE: Final = re.compile("[\u200b-\u200f\u2060\ufeff]")
_LATEX_TEXT: Final = re.compile(r"\\(?:text|math)[a-z]{0,6} ?\{([^{}]{0,400})\}")
_MARKUP: Final = re.compile(r"[*`$]|\\[()\[\],;!]|^#+ ", re.MULTILINE)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_LINE_ENDS: Final = re.compile(r" ?\n[\n ]*")


def remove_reasoning(text: str) -> str | None:
    """Return what a reply says outside its reasoning blocks, or None if a block never closes.

    Some chat templates open the block in the prompt, so a closing tag alone ends one too.
    """
    kept: list[str] = []
    start = 0
    inside = False
    for tag in _REASONING_TAG.finditer(text):
        if tag["open"]:
            if not inside:
                kept.append(text[start : tag.start()])
            inside = True
        elif inside:
            inside = False
            start = tag.end()
        else:
            kept.clear()
            start = tag.end()
    if inside:
        return None
    kept.append(text[start:])
    return "".join(kept)


def remove_decoration(text: str) -> str:
    """Return a reply as plain text.

    Full-width and other variant characters become the ordinary ones; emphasis, LaTeX wrappers and
    control tokens go; white space is collapsed, lines are kept.
    """
    text = unicodedata.normalize("NFKC", text)
    for token, tag in _BOX_TOKENS:
        text = text.replace(token, tag)
    text = _CONTROL_TOKEN.sub("", text)
    text = _INVISIBLE.sub("", text)
    text = _BLANKS.sub(" ", text)
    text = _LATEX_TEXT.sub(r"\1", text)
    text = _MARKUP.sub("", text)
    return _LINE_ENDS.sub("\n", text).strip()


def fold(text: str) -> str:
    """Return the form in which two texts are one: no decoration, case, quotes or final dot."""
    folded = remove_decoration(text).casefold().replace("\n", " ")
    return folded.strip("\"'“”‘’「」 ").removesuffix(".").removesuffix("。").strip()
