"""The choices as a model was shown them, by letter and by text."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from video_oasis.answers.cleaning import fold
from video_oasis.schema import Reading, Status

SEVERAL_CANDIDATES: Final = Reading(Status.UNPARSED, reason="several_candidates")
LETTER_OUT_OF_RANGE: Final = Reading(Status.UNPARSED, reason="letter_out_of_range")

_TEXT_ENDS: Final = re.compile(
    r"""$ | [.,;:!?)\]"'](?!\d) | \s(?:because|since|as|due|based|given|which|so|\(|[-–—])""",
    re.VERBOSE,
)


# The same choices are folded for every model that answers about them.
_fold_choice: Final = lru_cache(maxsize=4096)(fold)


@dataclass(frozen=True)
class Options:
    """The choices as shown.

    Attributes:
        letters: the letters, in the order shown.
        texts: the choices' texts, in the order shown.
    """

    letters: tuple[str, ...]
    texts: tuple[str, ...]

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(_fold_choice(text) for text in self.texts)

    def with_letter(self, letter: str) -> Reading:
        """Return the choice of that letter, in either case, or that there is none."""
        try:
            return Reading(Status.OK, self.letters.index(letter.upper()))
        except ValueError:
            return LETTER_OUT_OF_RANGE

    def with_text(self, text: str) -> Reading | None:
        """Return the choice whose text this is, the first if several have the very same text.

        Exact equality is tried before equality up to case, white space, decoration and a final
        dot; choices that differ only in those cannot be told apart by the latter.
        """
        if text.strip() in self.texts:
            return Reading(Status.OK, self.texts.index(text.strip()))
        folded = fold(text)
        return self._pick([folded == choice for choice in self._folded]) if folded else None

    def with_text_before(self, sentence: str) -> Reading | None:
        """Return the choice whose text a sentence begins with, the longest such text.

        The text must end there: at punctuation, or before a word that begins a reason.
        """
        folded = fold(sentence)
        lengths = [
            len(choice)
            if choice and folded.startswith(choice) and _TEXT_ENDS.match(folded, len(choice))
            else 0
            for choice in self._folded
        ]
        longest = max(lengths, default=0)
        return self._pick([length == longest for length in lengths]) if longest else None

    def _pick(self, fits: list[bool]) -> Reading | None:
        positions = [position for position, fit in enumerate(fits) if fit]
        if not positions:
            return None
        if len({self.texts[position] for position in positions}) > 1:
            return SEVERAL_CANDIDATES
        return Reading(Status.OK, positions[0])
