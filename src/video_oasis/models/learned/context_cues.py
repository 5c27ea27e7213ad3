"""Turn a transcript or captions into cues: how each choice's words are found in that text.

Words are words of any script; which of them say little is told by their use in the text and the
choices, never by a list of any one language.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from video_oasis.models.learned.cues import (
    SHARE_STEPS,
    Cues,
    Family,
    join_cues,
    name_band,
    rank_options,
)
from video_oasis.models.learned.text import list_phrases, split_words
from video_oasis.schema import Trial

_TIMES: Final = re.compile(r"^\s*[\[(][\d:.,\s–—>-]+[\])]\s*", re.MULTILINE)
"""The times at the start of a line, which a number among the choices must not be found in."""
_UNSPACED: Final = re.compile(
    r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
)
"""Scripts that write words without spaces between them."""
_RARE: Final = 0.25
"""Share of the lines up to which a word of the question points to a place in the text."""


@dataclass(frozen=True, slots=True)
class _Context:
    """A text that choices are looked up in.

    Attributes:
        words: all words in order, each between spaces.
        counts: how often each word and each pair of neighbouring words occurs.
        lines_of_word: the lines that each word stands in.
        n_lines: number of lines.
    """

    words: str
    counts: Counter[str]
    lines_of_word: dict[str, list[int]]
    n_lines: int


def list_context_cues(trials: Sequence[Trial]) -> list[list[Cues]]:
    """Return for each trial the cues of each choice in the order shown.

    Those of a trial without context name no family. A text that several trials share is read once.
    """
    trials_of_context = defaultdict(list)
    for index, trial in enumerate(trials):
        trials_of_context[trial.context].append(index)
    found: list[list[Cues]] = [[{} for _ in trial.order] for trial in trials]
    for text, indices in trials_of_context.items():
        if text:
            context = _read(text)
            for index in indices:
                found[index] = _look_up(trials[index], context)
    return found


def _read(text: str) -> _Context:
    lines = [split_words(line) for line in _TIMES.sub("", text).splitlines()]
    lines = [words for words in lines if words]
    lines_of_word: defaultdict[str, list[int]] = defaultdict(list)
    for number, of_line in enumerate(lines):
        for word in set(of_line):
            lines_of_word[word].append(number)
    words = [word for of_line in lines for word in of_line]
    return _Context(
        words=f" {' '.join(words)} ",
        counts=Counter(words) + Counter(f"{first} {second}" for first, second in pairwise(words)),
        lines_of_word=lines_of_word,
        n_lines=len(lines),
    )


def _look_up(trial: Trial, context: _Context) -> list[Cues]:
    words = [split_words(text) for text in trial.shown_choices]
    uses = Counter(word for of_option in words for word in set(of_option))
    # What all options say tells none from another.
    telling = [
        [word for word in sorted(set(of_option)) if uses[word] < max(2, len(words))]
        for of_option in words
    ]
    pairs = [[phrase for phrase in list_phrases(of_option) if " " in phrase] for of_option in words]
    wholes = [" ".join(of_option) for of_option in words]
    times = [[_count(word, context) for word in of_option] for of_option in telling]
    found = [_share([count > 0 for count in of_option]) for of_option in times]
    found_pairs = [_share([_count(pair, context) > 0 for pair in of_option]) for of_option in pairs]
    mentions = [_count(whole, context) for whole in wholes]
    counts = [sum(of_option) for of_option in times]
    near_lines = _find_near_lines(split_words(trial.sample.question), context)
    near = [
        _share([_stands_in(word, near_lines, context) for word in of_option])
        for of_option in telling
    ]
    by_family = {
        Family.CONTEXT_WORDS: join_cues(
            rank_options(
                found,
                "most of its words found in the context",
                "fewest of its words found in the context",
                "words found in the context",
            ),
            [
                name_band("words", 100 * share, SHARE_STEPS, "in the context")
                if share
                else ["no word in the context"]
                for share in found
            ],
            _single_out([share == 1 for share in found], "all of whose words are in the context"),
            _single_out([share > 0 for share in found], "with any word in the context"),
            rank_options(
                counts,
                "its words most often in the context",
                "its words least often in the context",
                "number of its words in the context",
            ),
        ),
        Family.CONTEXT_PHRASES: join_cues(
            [["in the context word for word"] if count else [] for count in mentions],
            _single_out([count > 0 for count in mentions], "in the context word for word"),
            rank_options(
                mentions,
                "most often in the context word for word",
                "least often in the context word for word",
                "mentions in the context",
            ),
            rank_options(
                found_pairs,
                "most of its pairs of words found in the context",
                "fewest of its pairs of words found in the context",
                "pairs of words found in the context",
            ),
            _order_mentions(wholes, mentions, context),
        ),
        Family.CONTEXT_NEAR: join_cues(
            rank_options(
                near,
                "most of its words near words of the question in the context",
                "fewest of its words near words of the question in the context",
                "words near words of the question in the context",
            ),
            _single_out([share > 0 for share in near], "near words of the question in the context"),
        ),
    }
    return [
        {family: of_options[shown] for family, of_options in by_family.items()}
        for shown in range(len(words))
    ]


def _order_mentions(
    wholes: Sequence[str], mentions: Sequence[int], context: _Context
) -> list[list[str]]:
    """Say which of several options that the context has word for word comes first and last."""
    cues: list[list[str]] = [[] for _ in wholes]
    mentioned = [shown for shown, count in enumerate(mentions) if count]
    if len({wholes[shown] for shown in mentioned}) > 1:
        firsts = {shown: context.words.find(_needle(wholes[shown])) for shown in mentioned}
        lasts = {shown: context.words.rfind(_needle(wholes[shown])) for shown in mentioned}
        cues[min(mentioned, key=firsts.__getitem__)].append("first option to come in the context")
        cues[max(mentioned, key=lasts.__getitem__)].append("last option to come in the context")
    return cues


def _single_out(holds: Sequence[bool], what: str) -> list[list[str]]:
    is_single = len(holds) > 1 and sum(holds) == 1
    return [[f"only option {what}"] if is_single and of_option else [] for of_option in holds]


def _find_near_lines(question_words: Sequence[str], context: _Context) -> set[int]:
    """Return the lines with a telling word of the question, and the lines beside them."""
    most = max(1, _RARE * context.n_lines)
    lines = {
        line
        for word in question_words
        for line in context.lines_of_word.get(word, ())
        if len(context.lines_of_word[word]) <= most
    }
    return {near for line in lines for near in (line - 1, line, line + 1)}


def _stands_in(word: str, lines: set[int], context: _Context) -> bool:
    return not lines.isdisjoint(context.lines_of_word.get(word, ()))


def _needle(phrase: str) -> str:
    """Return what to look for: the phrase between spaces, if its script has any."""
    return phrase if _UNSPACED.search(phrase) else f" {phrase} "


def _count(phrase: str, context: _Context) -> int:
    if _UNSPACED.search(phrase):
        return context.words.count(phrase)
    if phrase.count(" ") < 2:
        return context.counts[phrase]
    # Most phrases have a word that stands nowhere, which is known without reading all of the text.
    if not context.lines_of_word.keys() >= set(phrase.split()):
        return 0
    return context.words.count(f" {phrase} ")


def _share(found: Sequence[bool]) -> float:
    return sum(found) / max(1, len(found))
