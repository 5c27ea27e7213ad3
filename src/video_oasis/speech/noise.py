"""Judges whether a transcript is speech, or what a recogniser writes where nobody speaks.

The rule takes away what was not said and looks at what is left. Taken away are captions of sounds,
closing phrases and credits (patterns, see ``noise_phrases.py``), and loops: text repeated at once,
in any script. Speech is left if there are words enough, for the video's length and for all that was
taken away. Counting needs no language: where a script has no spaces, two letters are a word.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Final

from video_oasis.speech.noise_phrases import CREDITS, INVENTED_PHRASES, SOUND_DESCRIPTIONS
from video_oasis.speech.transcript import Transcript

_NEEDED: Final = ((1 / 2, 20, 5.0), (1 / 3, 6, 2.0), (0.0, 4, 2.0))
"""For a transcript of which at least this share is noise: the different words needed, and those
needed for each minute of the video."""
_MAX_WORDS_PER_SECOND: Final = 12.0
_MIN_VARIETY: Final = 0.05
_VARIETY_FROM_WORDS: Final = 100
_SCRIPT_SHARE: Final = 0.15

_LOOP: Final = re.compile(r"(.{1,80}?)\1{2,}")
_MIN_LOOP_CHARACTERS: Final = 10
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|[。！？।؟]")
_COMMA: Final = re.compile(r"[,;:，、；：،]\s*")
_ASIDE: Final = re.compile(r"\[[^\]]*\]|\([^)]*\)|【[^】]*】|（[^）]*）|\*[^*]+\*")
_DIGIT_GROUPS: Final = re.compile(r"(?<=\d)[.,](?=\d)")
_UNSPACED: Final = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"}
)
_WRITTEN_TOGETHER: Final = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK"}


class NoSpeech(StrEnum):
    """Why a transcript is no speech."""

    EMPTY = "empty"
    """There is no text."""
    SYMBOLS = "symbols"
    """There is no word: notes, signs, single letters."""
    SOUND = "sound"
    """Captions that describe sounds."""
    INVENTED_PHRASE = "invented_phrase"
    """Closing phrases of online videos, which recognisers write on silence."""
    CREDIT = "credit"
    """A subtitler's or rights owner's credit."""
    LOOP = "loop"
    """The same few words over and over."""
    SPARSE = "sparse"
    """Too few words to answer anything, or too few for the length of the video."""
    TOO_FAST = "too_fast"
    """More words than anybody can say in the time."""
    MIXED_SCRIPTS = "mixed_scripts"
    """Scripts that no language writes together."""


@dataclass(frozen=True, slots=True)
class SpeechVerdict:
    """Whether a transcript is speech.

    Attributes:
        is_speech: whether it is.
        reason: a word of ``NoSpeech`` for why not; empty if it is.
        detail: the numbers behind the verdict, for a person.
    """

    is_speech: bool
    reason: str
    detail: str


def judge_speech(transcript: Transcript, duration_seconds: float | None = None) -> SpeechVerdict:
    """Judge whether anything is said in a video.

    Args:
        transcript: the transcript of the whole video; a clip window is too short to judge by.
        duration_seconds: length of the video; None takes the latest end of a segment for it.
    """
    texts = [segment.text for segment in transcript.segments]
    if not texts:
        return SpeechVerdict(False, NoSpeech.EMPTY.value, "no segments")
    taken: Counter[NoSpeech] = Counter()
    said = " ".join(_take_phrases(sentence, taken) for sentence in _split_sentences(texts, taken))
    said = _take_loops(" ".join(said.split()), taken)
    words = list(_split_words(said))
    n_words, n_distinct, n_taken = len(words), len(set(words)), taken.total()
    ends = [segment.end_seconds for segment in transcript.segments]
    seconds = max(ends) if duration_seconds is None else duration_seconds
    detail = (
        f"{n_words} words in {seconds:.0f} s, {n_distinct} of them different; left out as noise: "
        f"{', '.join(f'{n} {kind}' for kind, n in taken.most_common()) or 'none'}"
    )
    noise_share = n_taken / max(n_taken + n_words, 1)
    needed, needed_per_minute = next(
        (words, per_minute) for share, words, per_minute in _NEEDED if noise_share >= share
    )
    is_too_few = n_distinct < needed or 60 * n_distinct < needed_per_minute * seconds
    largest = taken.most_common(1)[0][0] if n_taken > n_words else NoSpeech.SPARSE
    checks = (
        (NoSpeech.SYMBOLS, n_words + n_taken == 0),
        (largest, is_too_few),
        (NoSpeech.LOOP, n_words >= _VARIETY_FROM_WORDS and n_distinct < _MIN_VARIETY * n_words),
        (NoSpeech.TOO_FAST, seconds > 0 and n_words > _MAX_WORDS_PER_SECOND * max(seconds, 1)),
        (NoSpeech.MIXED_SCRIPTS, _mixes_scripts(said)),
    )
    reason = next((kind for kind, applies in checks if applies), None)
    return SpeechVerdict(reason is None, reason.value if reason else "", detail)


def _split_sentences(texts: Iterable[str], taken: Counter[NoSpeech]) -> Iterator[str]:
    """Split into sentences without asides such as ``[music]``; a segment's end ends one."""
    for text in texts:
        for aside in _ASIDE.findall(text):
            taken[NoSpeech.SOUND] += len(list(_split_words(_spell_plainly(aside))))
        yield from _SENTENCE_END.split(_ASIDE.sub(" ", text))


def _spell_plainly(text: str) -> str:
    """Fold case and turn everything but letters, numbers and ``©`` into single spaces."""
    # Folding the case of the Turkish İ leaves a dot above the i.
    folded = unicodedata.normalize("NFKC", text).casefold().replace("i\u0307", "i")
    text = _DIGIT_GROUPS.sub("", folded)
    return " ".join("".join(map(_keep_letter, text)).split())


@lru_cache(maxsize=65_536)
def _keep_letter(character: str) -> str:
    if character == "©":
        return " © "
    return character if unicodedata.category(character)[0] in "LMN" else " "


@lru_cache(maxsize=65_536)
def _script(character: str) -> str:
    """Name the script of a letter by the first word of its Unicode name; empty for others."""
    if unicodedata.category(character)[0] != "L":
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def _split_words(plain: str) -> Iterator[str]:
    """Split into words of two letters or more, and numbers; unspaced scripts into pairs."""
    for token in plain.split():
        for is_unspaced, run in groupby(token, lambda letter: _script(letter) in _UNSPACED):
            letters = "".join(run)
            if is_unspaced:
                yield from (letters[start : start + 2] for start in range(0, len(letters), 2))
            elif len(letters) > 1 or letters.isdecimal():
                yield letters


def _take_phrases(sentence: str, taken: Counter[NoSpeech]) -> str:
    """Spell a sentence plainly, without credits, closing phrases and captions of sounds.

    A sentence none of which is such is tried again by its clauses.
    """
    plain = _spell_plainly(sentence)
    left = _take_patterns(plain, taken)
    clauses = _COMMA.split(sentence)
    if left != plain or len(clauses) == 1:
        return left
    return " ".join(_take_patterns(_spell_plainly(clause), taken) for clause in clauses)


def _take_patterns(plain: str, taken: Counter[NoSpeech]) -> str:
    for kind, patterns in (
        (NoSpeech.CREDIT, CREDITS),
        (NoSpeech.INVENTED_PHRASE, INVENTED_PHRASES),
        (NoSpeech.SOUND, SOUND_DESCRIPTIONS),
    ):
        for pattern in patterns:
            plain = _take(pattern, plain, kind, taken).strip()
    return plain


def _take_loops(said: str, taken: Counter[NoSpeech]) -> str:
    # A loop's last round has no space behind it at the end of the text.
    return _take(_LOOP, f"{said} ", NoSpeech.LOOP, taken, min_characters=_MIN_LOOP_CHARACTERS)


def _take(
    pattern: re.Pattern[str],
    text: str,
    kind: NoSpeech,
    taken: Counter[NoSpeech],
    *,
    min_characters: int = 1,
) -> str:
    def cut(found: re.Match[str]) -> str:
        if len(found[0]) < min_characters:
            return found[0]
        # One endless word is as much noise as it is long.
        taken[kind] += max(len(list(_split_words(found[0]))), len(found[0]) // 10)
        return " "

    return pattern.sub(cut, text)


def _mixes_scripts(said: str) -> bool:
    scripts = Counter(_WRITTEN_TOGETHER.get(name, name) for name in map(_script, said) if name)
    foreign = [
        name
        for name, n in scripts.items()
        if name != "LATIN" and n >= _SCRIPT_SHARE * scripts.total()
    ]
    return len(foreign) > 1
