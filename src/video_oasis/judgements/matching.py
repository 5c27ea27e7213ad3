"""Checks judgements against the samples they are about."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from video_oasis.errors import SchemaError
from video_oasis.judgements.judgement import Judgement
from video_oasis.schema import Sample, SampleKey


def match_sample(judgement: Judgement, samples: Mapping[SampleKey, Sample]) -> Judgement:
    """Return a judgement with its choice named as ``Sample.answer`` names it.

    Choices of equal text are one answer, so two reviewers who pick either agree.

    Raises:
        SchemaError: there is no such sample, or it has no such choice; the message begins with the
            field's name.
    """
    sample = samples.get(judgement.key)
    if sample is None:
        if any(benchmark == judgement.benchmark for benchmark, _ in samples):
            raise SchemaError(
                f"sample_id is {judgement.sample_id!r}; {judgement.benchmark} has no such sample "
                f"here"
            )
        there = ", ".join(dict.fromkeys(benchmark for benchmark, _ in samples))
        raise SchemaError(f"benchmark is {judgement.benchmark!r}; expected one of: {there}")
    if judgement.choice is None:
        return judgement
    if judgement.choice >= len(sample.choices):
        raise SchemaError(
            f"choice is {judgement.choice}; sample {sample.id!r} has {len(sample.choices)} "
            f"choices, 0 to {len(sample.choices) - 1}"
        )
    return replace(judgement, choice=sample.answer(judgement.choice))


def match_samples(
    judgements: Iterable[Judgement], samples: Mapping[SampleKey, Sample]
) -> tuple[Judgement, ...]:
    """Return the judgements of these samples as ``match_sample`` has them, without all others.

    Raises:
        SchemaError: a sample has no such choice.
    """
    return tuple(match_sample(each, samples) for each in judgements if each.key in samples)
