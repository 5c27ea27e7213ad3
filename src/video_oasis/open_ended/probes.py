"""Makes answers whose right verdict is known: the reference, and that of another question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from video_oasis.hashing import content_id
from video_oasis.judges.lemmas import list_lemmas
from video_oasis.prompts import pad_answer
from video_oasis.schema import OpenQuestion, Probe


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """An answer that no model gave.

    Attributes:
        question: the question.
        probe: what the answer is.
        text: the answer.
    """

    question: OpenQuestion
    probe: Probe
    text: str


def make_probes(questions: Sequence[OpenQuestion], n_questions: int) -> list[ProbeAnswer]:
    """Make the probes of some questions of each benchmark.

    A question is given its own reference and that of another question of its task, each as it is
    and in a longer sentence. The other reference is of another video, shares no word with any
    reference of the question's own, whatever the inflection, and is of a question that begins with
    the same word where there is one. A question without such another has the probes that are right
    only. Synonyms cannot be told apart here: a few swapped references may be right all the same.

    Args:
        questions: the questions, of one or more benchmarks.
        n_questions: so many of each benchmark, chosen by hash.
    """
    by_benchmark: dict[str, list[OpenQuestion]] = {}
    for question in questions:
        by_benchmark.setdefault(question.benchmark, []).append(question)
    probes = []
    for of_benchmark in by_benchmark.values():
        rivals = _Rivals.among(of_benchmark)
        chosen = sorted(of_benchmark, key=lambda each: content_id("probed1", each.id))
        for question in chosen[:n_questions]:
            probes += _probe(question, rivals)
    return probes


def _probe(question: OpenQuestion, rivals: "_Rivals") -> list[ProbeAnswer]:
    reference = question.reference
    probes = [
        ProbeAnswer(question, Probe.ECHO, reference),
        ProbeAnswer(question, Probe.ECHO_PADDED, pad_answer(reference)),
    ]
    swapped = rivals.find(question)
    if swapped is not None:
        probes += [
            ProbeAnswer(question, Probe.SWAPPED, swapped),
            ProbeAnswer(question, Probe.SWAPPED_PADDED, pad_answer(swapped)),
        ]
    return probes


@dataclass(frozen=True, slots=True)
class _Rivals:
    """The questions of one benchmark, in an order that is theirs whatever that of the file."""

    questions: Sequence[OpenQuestion]
    places: Mapping[str, int]
    lemmas: Mapping[str, frozenset[str]]
    of_video: Mapping[str, frozenset[str]]

    @classmethod
    def among(cls, questions: Sequence[OpenQuestion]) -> Self:
        ordered = sorted(questions, key=lambda each: content_id("swapped1", each.id))
        references = dict.fromkeys(each.reference for each in questions)
        lemmas = {text: frozenset(list_lemmas(text)) for text in references}
        of_video: dict[str, set[str]] = {}
        for each in questions:
            of_video.setdefault(each.video.path, set()).update(lemmas[each.reference])
        return cls(
            questions=ordered,
            places={each.id: place for place, each in enumerate(ordered)},
            lemmas=lemmas,
            of_video={path: frozenset(words) for path, words in of_video.items()},
        )

    def find(self, question: OpenQuestion) -> str | None:
        """Return a reference of another video's question that holds no word of this video's."""
        if not self.lemmas[question.reference]:
            return None
        known = self.of_video[question.video.path]
        place = self.places[question.id]
        # Each question starts at its own place, lest all be given the same.
        around = [*self.questions[place + 1 :], *self.questions[:place]]
        of_task = [
            each
            for each in around
            if each.task == question.task
            and self.lemmas[each.reference]
            and known.isdisjoint(self.lemmas[each.reference])
        ]
        alike = (each for each in of_task if _begins_alike(each, question))
        best = next(alike, of_task[0] if of_task else None)
        return None if best is None else best.reference


def _begins_alike(other: OpenQuestion, question: OpenQuestion) -> bool:
    return _first_word(other) == _first_word(question)


def _first_word(question: OpenQuestion) -> str:
    return question.question.casefold().partition(" ")[0]
