"""What there is to judge in a run: models' answers, and answers whose right verdict is known."""

from collections.abc import Mapping
from dataclasses import dataclass

from video_oasis.audit import OpenAudit, PreparedAudit
from video_oasis.open_ended.answers import OpenAnswer, read_answers
from video_oasis.open_ended.judging import JudgedPair
from video_oasis.open_ended.probes import ProbeAnswer, make_probes
from video_oasis.schema import OpenQuestion, SampleKey, Status
from video_oasis.store import Store


@dataclass(frozen=True, slots=True)
class Material:
    """What judges are given.

    Attributes:
        answers: what became of each question asked of each model.
        probes: the answers whose right verdict is known.
    """

    answers: tuple[OpenAnswer, ...]
    probes: tuple[ProbeAnswer, ...]

    @property
    def pairs(self) -> list[JudgedPair]:
        """What there is to judge, equal answers to equal questions once."""
        given = [(each.question, each.text) for each in self.answers if each.status is Status.OK]
        made = [(each.question, each.text) for each in self.probes]
        pairs = [JudgedPair(question, text) for question, text in (*given, *made)]
        return list({pair.id: pair for pair in pairs}.values())


def list_questions(audit: OpenAudit) -> dict[SampleKey, OpenQuestion]:
    """List the open questions that are asked."""
    asked = {(sample.benchmark, sample.id) for sample in audit.samples}
    return {
        (question.benchmark, question.id): question
        for loaded in audit.benchmarks
        for question in loaded.contents.open_questions
        if (question.benchmark, question.id) in asked
    }


def collect_material(
    questions: Mapping[SampleKey, OpenQuestion],
    prepared: PreparedAudit,
    store: Store,
    n_probes: int,
) -> Material:
    """Read the answers that there are, and make the probes.

    Args:
        questions: the questions.
        prepared: the planned asking of them.
        store: the answers.
        n_probes: of how many questions of each benchmark to make probes.
    """
    return Material(
        answers=tuple(read_answers(prepared.assignments, questions, store)),
        probes=tuple(make_probes(list(questions.values()), n_probes)),
    )
