"""Which judgements stand, and what several reviewers' judgements of one sample come to."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from video_oasis.judgements.judgement import DROPS, Decision, Judgement
from video_oasis.schema import SampleKey


class DecisionRule(StrEnum):
    """When reviewers' opinions decide about a sample; those who skipped it have none.

    Opinions agree if they come to the same: to drop for one reason and to drop for another do, to
    correct to one choice and to correct to another do not.
    """

    ANY = "any"
    """One reviewer suffices, and none may be of another opinion."""
    TWO = "two"
    """At least two agree, and none is of another opinion."""
    MAJORITY = "majority"
    """More than half of those with an opinion agree."""
    UNANIMOUS = "unanimous"
    """At least two looked and all who did agree: one who skipped it leaves it undecided."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the judgements of one sample come to.

    Attributes:
        decision: what is decided; None if nothing is. Of several reasons to drop the one that most
            give, among equals the first in the order of ``Decision``.
        choice: index of the choice that is right, if the decision is to correct.
        opinions: the standing judgements with an opinion, by reviewer.
    """

    decision: Decision | None
    choice: int | None
    opinions: tuple[Judgement, ...]

    @property
    def reviewers_for(self) -> tuple[str, ...]:
        """Those whose opinion it is; none if nothing is decided."""
        return tuple(each.reviewer for each in self.opinions if self._agrees(each))

    @property
    def reviewers_against(self) -> tuple[str, ...]:
        """Those of another opinion; everyone if nothing is decided."""
        return tuple(each.reviewer for each in self.opinions if not self._agrees(each))

    @property
    def reasons(self) -> tuple[Decision, ...]:
        """Every decision that those in favour made, each once, in the order of ``Decision``."""
        made = {each.decision for each in self.opinions if self._agrees(each)}
        return tuple(decision for decision in Decision if decision in made)

    @property
    def is_conflict(self) -> bool:
        """Whether opinions differ, whatever is decided."""
        return len({_outcome(each.decision, each.choice) for each in self.opinions}) > 1

    def _agrees(self, opinion: Judgement) -> bool:
        return self.decision is not None and (
            _outcome(opinion.decision, opinion.choice) == _outcome(self.decision, self.choice)
        )


def list_standing(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """List the judgement of each reviewer that stands for each sample, by sample and reviewer.

    It is the latest one that is not withdrawn, under whatever check it was made. The order of the
    judgements does not matter, and repeated ones count once.
    """
    made: dict[tuple[SampleKey, str], dict[Judgement, None]] = {}
    for each in judgements:
        made.setdefault((each.key, each.reviewer), {})[each] = None
    standing = (_find_standing(list(made[place])) for place in sorted(made))
    return tuple(each for each in standing if each is not None)


def list_conflicts(judgements: Iterable[Judgement]) -> tuple[SampleKey, ...]:
    """List the samples about which the reviewers' opinions differ."""
    return tuple(
        key for key, ruling in decide(judgements, DecisionRule.ANY).items() if ruling.is_conflict
    )


def decide(judgements: Iterable[Judgement], rule: DecisionRule) -> Mapping[SampleKey, Ruling]:
    """Decide about every sample with a standing judgement, in the order of their keys."""
    by_sample: dict[SampleKey, list[Judgement]] = {}
    for each in list_standing(judgements):
        by_sample.setdefault(each.key, []).append(each)
    return {key: _rule(standing, rule) for key, standing in by_sample.items()}


def _find_standing(judgements: list[Judgement]) -> Judgement | None:
    if len(judgements) > 1:
        # Whoever takes something back has seen it, even within one tick of the clock.
        judgements.sort(
            key=lambda each: (each.made_at, each.decision is Decision.WITHDRAW, each.id)
        )
    stack: list[Judgement] = []
    for each in judgements:
        if each.decision is not Decision.WITHDRAW:
            stack.append(each)
            continue
        for number in reversed(range(len(stack))):
            if stack[number].check == each.check:
                del stack[number]
                break
    return stack[-1] if stack else None


def _rule(standing: list[Judgement], rule: DecisionRule) -> Ruling:
    opinions = tuple(each for each in standing if each.decision is not Decision.SKIP)
    votes = Counter(_outcome(each.decision, each.choice) for each in opinions)
    leading, n_for = votes.most_common(1)[0] if votes else (None, 0)
    n_against = len(opinions) - n_for
    is_decided = {
        DecisionRule.ANY: n_for >= 1 and not n_against,
        DecisionRule.TWO: n_for >= 2 and not n_against,
        DecisionRule.MAJORITY: n_for > n_against,
        DecisionRule.UNANIMOUS: n_for >= 2 and n_for == len(standing),
    }[rule]
    if not is_decided:
        return Ruling(None, None, opinions)
    agreeing = [each for each in opinions if _outcome(each.decision, each.choice) == leading]
    given = Counter(each.decision for each in agreeing)
    decision = max(Decision, key=lambda each: given[each])
    return Ruling(decision, agreeing[0].choice, opinions)


def _outcome(decision: Decision, choice: int | None) -> tuple[Decision | None, int | None]:
    """Return what a decision comes to: all that drop a sample come to the same."""
    return (None if decision in DROPS else decision), choice
