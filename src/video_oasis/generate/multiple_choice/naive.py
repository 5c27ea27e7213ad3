"""Draws wrong choices as they are often drawn, for comparison: any other answer, all as likely."""

from collections import defaultdict
from collections.abc import Sequence

from video_oasis.generate.multiple_choice.asked import Asked
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.schema import Sample


def draw_naively(pool: Sequence[Asked], n_choices: int, draws: Draws) -> list[Sample]:
    """Give every question of a kind wrong choices and a position at random.

    Args:
        pool: the questions of one kind.
        n_choices: number of choices.
        draws: what is drawn.

    Returns:
        The questions with choices; none if there are too few different answers.
    """
    texts: dict[object, set[str]] = defaultdict(set)
    for each in pool:
        texts[each.answer].add(each.text)
    if len(texts) < n_choices:
        return []
    answers = list(texts)
    samples = []
    for each in pool:
        name = each.question.id
        wrong = [
            answer for answer in draws.shuffle(answers, "wrong", name) if answer != each.answer
        ]
        choices = [min(texts[answer]) for answer in wrong[: n_choices - 1]]
        choices.insert(int(draws.share("position", name) * n_choices), each.text)
        samples.append(ask(each, choices))
    return samples


def ask(each: Asked, choices: Sequence[str]) -> Sample:
    """Return an open question as one with these choices, its answer among them."""
    question = each.question
    return Sample(
        id=question.id,
        benchmark=question.benchmark,
        video=question.video,
        question=question.question,
        choices=tuple(choices),
        target=list(choices).index(each.text),
        task=question.task,
        metadata={**question.metadata, "question_kind": each.kind},
    )
