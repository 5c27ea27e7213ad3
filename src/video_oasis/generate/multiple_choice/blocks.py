"""Puts questions of one kind together in blocks: their answers are each other's wrong choices."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import Final

from rapidfuzz import fuzz

from video_oasis.generate.multiple_choice.asked import Asked
from video_oasis.generate.multiple_choice.variants import Words
from video_oasis.generate.tvbench.draws import Draws

TOO_FEW: Final = "too few different references to questions of its kind"
TOO_COMMON: Final = "its reference is right too often to be wrong as often as the others"
NO_FIT: Final = "no wrong choices that fit it are left"
_N_FIRSTS_TRIED: Final = 4
"""So many questions are tried for the first of a block before one is given up."""
_N_CONSIDERED: Final = 128
"""So many questions, drawn at random, are compared to find the most similar one."""

Members = tuple[Asked, ...]
"""The questions of a block: all asked with the same choices, each of which is right once."""


def form_blocks(
    pool: Sequence[Asked], n_choices: int, draws: Draws
) -> tuple[list[Members], list[tuple[Asked, str]]]:
    """Put questions of one kind together, as many blocks as their answers allow.

    In a block, every answer is right once and wrong in all other questions: nothing but the
    questions can tell which is right where. An answer that is right in more questions than there
    are blocks gives some up. Answers that are left as often as there are blocks to form must join
    each; a block begins with the rarest of these, or with the commonest answer if there is none,
    and is filled up with what is most like its first question, of those whose answers fit all
    others.

    Args:
        pool: the questions.
        n_choices: the size of a block.
        draws: which of equally good questions are taken.

    Returns:
        The blocks, and the questions in none with the reason.
    """
    of_answer: dict[Words, list[Asked]] = defaultdict(list)
    for each in draws.shuffle(pool, "pool"):
        of_answer[each.answer].append(each)
    if len(of_answer) < n_choices:
        return [], [(each, TOO_FEW) for each in pool]
    n_blocks = count_blocks(map(len, of_answer.values()), n_choices)
    n_over = {answer: len(of_it) - n_blocks for answer, of_it in of_answer.items()}
    waiting = _Waiting(of_answer, n_blocks, draws)
    blocks: list[Members] = []
    unfit: list[Asked] = []
    while n_blocks:
        common = waiting.list_commonest(n_choices)
        urgent = [answer for answer in common if len(of_answer[answer]) >= n_blocks]
        answers = urgent[::-1] or common[:1]
        firsts = of_answer[answers[0]]
        tried = (
            _fill(first, answers[1:], waiting, n_choices) for first in firsts[:_N_FIRSTS_TRIED]
        )
        members = next((each for each in tried if len(each) == n_choices), None)
        if members:
            blocks.append(tuple(members))
            waiting.take(members)
            n_blocks -= 1
        else:
            unfit.append(firsts[0])
            waiting.take(firsts[:1])
            n_blocks = count_blocks(map(len, of_answer.values()), n_choices)
    unfit += [each for of_it in of_answer.values() for each in of_it]
    left = []
    for each in unfit:
        left.append((each, TOO_COMMON if n_over[each.answer] > 0 else NO_FIT))
        n_over[each.answer] -= 1
    return blocks, left


def _fill(
    first: Asked, answers: Sequence[Words], waiting: "_Waiting", n_choices: int
) -> list[Asked]:
    """Begin a block with a question, one of each of these answers, and what goes best with them.

    Returns:
        Its members, too few if no more go with them.
    """
    members = [first]
    for answer in answers:
        members += _find_best(members, waiting.of_answer[answer][:_N_CONSIDERED])
    while len(members) < n_choices and (found := _find_best(members, waiting.in_view)):
        members += found
    return members


def count_blocks(counts: Iterable[int], n_choices: int) -> int:
    """Return how many blocks of different answers can be formed of so many questions per answer."""
    counts = list(counts)
    n_blocks = sum(counts) // n_choices
    while sum(min(count, n_blocks) for count in counts) < n_choices * n_blocks:
        n_blocks = sum(min(count, n_blocks) for count in counts) // n_choices
    return n_blocks


class _Waiting:
    """The questions that are in no block yet."""

    def __init__(self, of_answer: dict[Words, list[Asked]], n_blocks: int, draws: Draws) -> None:
        self.of_answer = of_answer
        """The questions of each answer."""
        self.in_view: list[Asked] = []
        """So many of them as are compared at a time."""
        self._ranks = {answer: rank for rank, answer in enumerate(of_answer)}
        # No more of an answer than can find a place, or these would come to fill the view.
        useful = [each for of_it in of_answer.values() for each in of_it[:n_blocks]]
        self._behind = iter(draws.shuffle(useful, "waiting"))
        self._taken: set[str] = set()
        self.take([])

    def list_commonest(self, n: int) -> list[Words]:
        """Return the answers that most questions wait for."""
        return nsmallest(
            n,
            self.of_answer,
            key=lambda answer: (-len(self.of_answer[answer]), self._ranks[answer]),
        )

    def take(self, members: Sequence[Asked]) -> None:
        """Take questions out."""
        for member in members:
            self._taken.add(member.question.id)
            self.of_answer[member.answer].remove(member)
            if not self.of_answer[member.answer]:
                del self.of_answer[member.answer]
        self.in_view = [each for each in self.in_view if each.question.id not in self._taken]
        while len(self.in_view) < _N_CONSIDERED and (each := next(self._behind, None)):
            if each.question.id not in self._taken:
                self.in_view.append(each)


def _find_best(members: Sequence[Asked], candidates: Iterable[Asked]) -> list[Asked]:
    """Return the candidate that goes best with a block so far; none if none goes with it."""
    fitting = [
        each
        for each in candidates
        if all(member.allows(each) and each.allows(member) for member in members)
    ]
    return nsmallest(
        1,
        fitting,
        key=lambda each: (
            sum(_tell_apart(member, each) for member in members),
            -measure_likeness(members[0], each),
        ),
    )


def _tell_apart(one: Asked, other: Asked) -> int:
    """Count by how many words their questions would tell the two answers apart."""
    return sum(
        abs(len(each.question_words & one.text_words) - len(each.question_words & other.text_words))
        for each in (one, other)
    )


def measure_likeness(one: Asked, other: Asked) -> float:
    """Return how alike two questions are in wording, and their answers in length, from 0 to 2."""
    shorter, longer = sorted((len(one.text), len(other.text)))
    wording = fuzz.token_sort_ratio(one.question.question, other.question.question)
    return wording / 100 + shorter / longer
