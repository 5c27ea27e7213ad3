"""Turn question and options into cues: the plain statements that are true of each choice.

A cue is worded for a benchmark's author, since the findings of a fit are told in cues. Cues come
from the trial alone, never from its target, so nothing can leak through them.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from video_oasis.models.learned.text import list_phrases, normalise, read_number, split_words
from video_oasis.prompts import CHOICE_LETTERS
from video_oasis.schema import Trial


class Family(StrEnum):
    """Kinds of cue; the models weigh or count each kind apart."""

    POSITION = "position"
    IDENTITY = "identity"
    WORDS = "words"
    ENDS = "ends"
    FORM = "form"
    LENGTH = "length"
    NUMBER = "number"
    LIKENESS = "likeness"
    OVERLAP = "overlap"
    SINGULAR_WORDS = "singular_words"
    QUESTION = "question"
    QUESTION_POSITION = "question_position"
    QUESTION_WORDS = "question_words"
    OPTION_SET = "option_set"
    CONTEXT_WORDS = "context_words"
    CONTEXT_PHRASES = "context_phrases"
    CONTEXT_NEAR = "context_near"
    SEEN_COLOURS = "seen_colours"
    SEEN_COLOURS_WORDS = "seen_colours_words"
    SEEN_LIGHT = "seen_light"
    SEEN_LAYOUT = "seen_layout"
    SEEN_CHANGE = "seen_change"
    SHOWN_TREND = "shown_trend"
    SHOWN_TREND_WORDS = "shown_trend_words"
    SHOWN_MOTION = "shown_motion"
    SHOWN_MOTION_WORDS = "shown_motion_words"


Cues = Mapping[Family, Sequence[str]]
"""What is true of one choice: for each family that applies the cues that hold, each once."""

_LENGTH_STEPS: Final = (50, 70, 85, 100, 115, 140, 200)
SHARE_STEPS: Final = (20, 40, 60, 80, 100)


@dataclass(frozen=True, slots=True)
class _Options:
    """The shown options of one trial, taken apart once."""

    texts: Sequence[str]
    normal: Sequence[str]
    words: Sequence[Sequence[str]]
    phrases: Sequence[Sequence[str]]
    uses: Counter[str]
    """In how many options each phrase occurs."""


def list_cues(trial: Trial) -> list[Cues]:
    """Return the cues of question and options of each choice of a trial, in the order shown."""
    texts = trial.shown_choices
    words = [split_words(text) for text in texts]
    phrases = [list_phrases(each) for each in words]
    options = _Options(
        texts=texts,
        normal=[normalise(text) for text in texts],
        words=words,
        phrases=phrases,
        uses=Counter(phrase for each in phrases for phrase in each),
    )
    question_words = split_words(trial.sample.question)
    by_family = {
        **_wording_cues(options),
        **_comparison_cues(options, question_words),
        **_question_cues(options, normalise(trial.sample.question), question_words),
    }
    return [
        {family: of_options[shown] for family, of_options in by_family.items()}
        for shown in range(len(texts))
    ]


def _wording_cues(options: _Options) -> dict[Family, list[list[str]]]:
    n_options = len(options.texts)
    shared_by_all_but_one = sorted(
        phrase for phrase, uses in options.uses.items() if n_options > 2 and uses == n_options - 1
    )
    return {
        Family.POSITION: [[f"position {CHOICE_LETTERS[shown]}"] for shown in range(n_options)],
        Family.IDENTITY: [[f'option is "{text}"'] for text in options.normal],
        Family.WORDS: [
            [f'option contains "{phrase}"' for phrase in phrases] for phrases in options.phrases
        ],
        Family.ENDS: [
            [f'option begins with "{words[0]}"', f'option ends with "{words[-1]}"'] if words else []
            for words in options.words
        ],
        Family.FORM: [_form_cues(text) for text in options.texts],
        Family.SINGULAR_WORDS: [
            [f'only option with "{phrase}"' for phrase in phrases if options.uses[phrase] == 1]
            + [
                f'only option without "{phrase}"'
                for phrase in shared_by_all_but_one
                if phrase not in phrases
            ]
            for phrases in options.phrases
        ],
        Family.OPTION_SET: [
            [f'among {{{" | ".join(sorted(options.normal))}}} → "{text}"']
            for text in options.normal
        ],
    }


def _form_cues(text: str) -> list[str]:
    tests = {
        "option begins with a capital": text[:1].isupper(),
        "option ends with a full stop": text.rstrip().endswith("."),
        "option has a comma": "," in text,
        "option has a digit": re.search(r"\d", text) is not None,
    }
    return [cue for cue, holds in tests.items() if holds]


def _comparison_cues(
    options: _Options, question_words: Sequence[str]
) -> dict[Family, list[list[str]]]:
    n_options = len(options.texts)
    lengths = [len(text) for text in options.texts]
    mean_length = max(1.0, sum(lengths) / n_options)
    asked = set(question_words)
    overlaps = [
        sum(word in asked for word in words) / max(1, len(words)) for words in options.words
    ]
    # How many of the other options share each of an option's phrases: a distractor made by changing
    # the right answer shares more with it than with the next distractor.
    likeness = [
        sum(options.uses[phrase] - 1 for phrase in phrases) / max(1, (n_options - 1) * len(phrases))
        for phrases in options.phrases
    ]
    numbers = [number for number in map(read_number, options.texts) if number is not None]
    return {
        Family.LENGTH: join_cues(
            rank_options(lengths, "longest option", "shortest option", "length"),
            [
                name_band(
                    "length", 100 * length / mean_length, _LENGTH_STEPS, "of the options' mean"
                )
                for length in lengths
            ],
        ),
        Family.NUMBER: (
            rank_options(numbers, "largest number", "smallest number", "number")
            if len(numbers) == n_options
            else [[] for _ in range(n_options)]
        ),
        Family.LIKENESS: join_cues(
            rank_options(
                likeness, "most like the other options", "least like the other options", "likeness"
            ),
            [
                name_band("wording", 100 * share, SHARE_STEPS, "shared with the other options")
                for share in likeness
            ],
        ),
        Family.OVERLAP: join_cues(
            rank_options(
                overlaps,
                "most words from the question",
                "fewest words from the question",
                "overlap",
            ),
            [
                name_band("words", 100 * share, SHARE_STEPS, "from the question")
                for share in overlaps
            ],
        ),
    }


def rank_options(values: Sequence[float], most: str, least: str, quantity: str) -> list[list[str]]:
    """Say which option is first, second, … in a quantity; nothing where all are equal."""
    distinct = sorted(set(values))
    if len(distinct) == 1:
        return [[] for _ in values]
    cues = [
        [f"no. {distinct.index(value) + 1} of {len(distinct)} by rising {quantity}"]
        for value in values
    ]
    for extreme, name in ((distinct[-1], most), (distinct[0], least)):
        if values.count(extreme) == 1:
            cues[values.index(extreme)].append(name)
    return cues


def name_band(quantity: str, percent: float, steps: Sequence[int], of_what: str) -> list[str]:
    """Say between which two steps a percentage lies."""
    index = bisect_left(steps, percent)
    if index == len(steps):
        return [f"{quantity} over {steps[-1]} % {of_what}"]
    return [f"{quantity} {steps[index - 1] if index else 0} to {steps[index]} % {of_what}"]


def join_cues(*parts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Put several lists of cues for each option into one for each."""
    return [[cue for cues in of_option for cue in cues] for of_option in zip(*parts, strict=True)]


def _question_cues(
    options: _Options, question: str, question_words: Sequence[str]
) -> dict[Family, list[list[str]]]:
    asked = list_phrases(question_words)
    return {
        Family.QUESTION: [[f'question "{question}" → "{text}"'] for text in options.normal],
        Family.QUESTION_POSITION: [
            [f'question "{question}" → position {CHOICE_LETTERS[shown]}']
            for shown in range(len(options.texts))
        ],
        Family.QUESTION_WORDS: [
            [f'question contains "{phrase}" → "{text}"' for phrase in asked]
            for text in options.normal
        ],
    }
