"""What people's judgements come to for the samples of one run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from video_oasis.errors import JudgementsError, SchemaError
from video_oasis.hashing import content_id
from video_oasis.judgements.corrections import list_corrections
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.matching import match_samples
from video_oasis.judgements.standing import DecisionRule, Ruling, decide, list_standing
from video_oasis.schema import Sample, SampleKey


@dataclass(frozen=True, slots=True)
class JudgingRecord:
    """Which judgements something rests on.

    Attributes:
        rule: the ``DecisionRule`` they were put together by.
        n_judgements: standing judgements.
        n_reviewers: those who made them.
        id: content id of the standing judgements.
    """

    rule: str
    n_judgements: int
    n_reviewers: int
    id: str


@dataclass(frozen=True, slots=True)
class Rulings:
    """The judgements of some samples put together; without judgements it changes nothing.

    Attributes:
        rule: the rule.
        standing: the standing judgements, by sample and reviewer.
        by_sample: the ruling of every sample with a standing judgement.
        corrections: the index of the right choice of samples whose published answer is ruled wrong
            and corrected.
    """

    rule: DecisionRule = DecisionRule.ANY
    standing: tuple[Judgement, ...] = ()
    by_sample: Mapping[SampleKey, Ruling] = field(default_factory=dict)
    corrections: Mapping[SampleKey, int] = field(default_factory=dict)

    @property
    def record(self) -> JudgingRecord | None:
        """Which judgements these are; None if there are none."""
        if not self.standing:
            return None
        return JudgingRecord(
            rule=self.rule.value,
            n_judgements=len(self.standing),
            n_reviewers=len({each.reviewer for each in self.standing}),
            id=content_id("judgements1", [each.plain() for each in self.standing]),
        )


def make_rulings(
    judgements: Iterable[Judgement], rule: DecisionRule, samples: Iterable[Sample]
) -> Rulings:
    """Put the judgements of samples together; judgements of other samples are passed over.

    Args:
        judgements: all judgements there are.
        rule: when they decide.
        samples: the samples.

    Raises:
        JudgementsError: a judgement corrects to a choice that its sample does not have.
    """
    by_key = {(sample.benchmark, sample.id): sample for sample in samples}
    try:
        standing = list_standing(match_samples(judgements, by_key))
    except SchemaError as error:
        raise JudgementsError(
            f"the judgements do not fit the benchmark's files: {error}. Take the judgement back, "
            f"or audit the files that were judged"
        ) from error
    by_sample = decide(standing, rule)
    return Rulings(rule, standing, by_sample, list_corrections(by_sample, by_key))
