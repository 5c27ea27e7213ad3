"""Prepares the open questions of a set for being asked with choices."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.generate.multiple_choice.kinds import YES_OR_NO, tell_kind
from video_oasis.generate.multiple_choice.variants import (
    Words,
    are_variants,
    list_runs,
    reduce_answer,
)
from video_oasis.lint.wording import tokens
from video_oasis.schema import OpenQuestion

NO_TEXT: Final = "the question or its reference is empty"
REPEATED: Final = "the same question is asked of the same clip before"
CONTRADICTED: Final = "the same question of the same clip is answered yes and no"


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question, and what is derived from it.

    Attributes:
        question: the question.
        text: its reference as a choice: in the spelling that most questions of the set have.
        kind: its kind, see ``kinds.tell_kind``.
        answer: that text, reduced.
        taken: reduced answers that may be right of it, too, its own among them.
        runs: see ``variants.list_runs``: those of its answer.
        taken_runs: those of all answers that may be right of it.
        question_words: the words of the question as the lint's overlap rule counts them.
        text_words: those of the text.
    """

    question: OpenQuestion
    text: str
    kind: str
    answer: Words
    taken: frozenset[Words]
    runs: frozenset[str]
    taken_runs: frozenset[str]
    question_words: frozenset[str]
    text_words: frozenset[str]

    def allows(self, other: "Asked") -> bool:
        """Tell whether the other question's answer can be a wrong choice of this question."""
        # Most pairs are decided before the answers are compared word by word.
        if self.taken_runs.isdisjoint(other.runs):
            return True
        return other.answer not in self.taken and not any(
            are_variants(other.answer, words) for words in self.taken
        )


def prepare(
    questions: Sequence[OpenQuestion],
) -> tuple[tuple[Asked, ...], tuple[tuple[OpenQuestion, str], ...]]:
    """Derive what blocks are formed by, from all questions of one set.

    All answers that the set gives to questions of one kind about one clip count as perhaps right of
    each: sets made from captions ask the same thing of a clip in many wordings. To a question
    answered yes or no, only answers to the same question count.

    Returns:
        The questions in order of their ids; and those left out, with the reason.
    """
    left_out = []
    readable = []
    spellings: dict[Words, Counter[str]] = defaultdict(Counter)
    for question in sorted(questions, key=lambda each: each.id):
        if question.question.strip() and question.reference.strip():
            readable.append(question)
            spellings[tokens(question.reference)][question.reference.strip()] += 1
        else:
            left_out.append((question, NO_TEXT))
    # All that is derived from a reference is derived from its commonest spelling: what the lint
    # takes for the same choice is the same answer.
    commonest = {
        spelled: min(forms, key=lambda form: (-forms[form], form))
        for spelled, forms in spellings.items()
    }
    kept: dict[Hashable, tuple[OpenQuestion, str, str]] = {}
    taken: dict[Hashable, set[Words]] = defaultdict(set)
    for question in readable:
        text = commonest[tokens(question.reference)]
        kind = tell_kind(question.question, text)
        taken[_name_taken(question, kind)].add(reduce_answer(text))
        if kept.setdefault(_name_question(question), (question, text, kind))[0] is not question:
            left_out.append((question, REPEATED))
    prepared = []
    for question, text, kind in kept.values():
        may_be_right = frozenset(taken[_name_taken(question, kind)])
        if kind == YES_OR_NO and len(may_be_right) > 1:
            left_out.append((question, CONTRADICTED))
            continue
        answer = reduce_answer(text)
        prepared.append(
            Asked(
                question=question,
                text=text,
                kind=kind,
                answer=answer,
                taken=may_be_right,
                runs=list_runs(answer),
                taken_runs=frozenset(run for words in may_be_right for run in list_runs(words)),
                question_words=frozenset(tokens(question.question)),
                text_words=frozenset(tokens(text)),
            )
        )
    return tuple(prepared), tuple(left_out)


def _name_clip(question: OpenQuestion) -> Hashable:
    return question.video.path, question.video.start_seconds, question.video.end_seconds


def _name_question(question: OpenQuestion) -> Hashable:
    return _name_clip(question), tokens(question.question)


def _name_taken(question: OpenQuestion, kind: str) -> Hashable:
    return (_name_question(question) if kind == YES_OR_NO else _name_clip(question)), kind
