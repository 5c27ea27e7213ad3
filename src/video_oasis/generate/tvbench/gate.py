"""Measures whether text, clip length or video length gives the answers of one task away."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from scipy.special import stdtr
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from video_oasis.diagnostics.blind import BLIND
from video_oasis.diagnostics.interface import Evidence
from video_oasis.generate.tvbench.interface import ScoreRule
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.lint.bias import RULES, Rule, share_if_best
from video_oasis.lint.intervals import score_mean
from video_oasis.lint.wording import tokens
from video_oasis.media.frames import ReadPicture
from video_oasis.models.learned import LEARNERS
from video_oasis.models.learned.choice_table import lay_out
from video_oasis.models.learned.folds import assign_folds
from video_oasis.models.learned.model import cross_validate
from video_oasis.schema import Sample

Floats = npt.NDArray[np.float64]
Targets = npt.NDArray[np.intp]

_NOT_FOR_LENGTHS: Final = frozenset({"forest"})
"""Learners of how cues combine, which a single cue does not need; they take by far the longest."""
_N_BANDS: Final = 10
_EXCEEDANCES: Final = 3
"""So many permutations that score as high suffice to tell that a score is nothing special."""
_FEWEST_PERMUTATIONS: Final = 10
_BEYOND_DOUBT: Final = 1e-5
_FEWEST_FOR_FIT: Final = 10
_THREADS: Final = ThreadpoolController()
_ROUNDING: Final = 1e-12
_NO_PICTURES: Final[ReadPicture] = dict[str, bytes]().__getitem__


@dataclass(frozen=True, slots=True)
class GateInput:
    """What is known of one question besides the video itself.

    Attributes:
        sample: the question.
        clip_seconds: length of its clip; None if it is not known.
        video_seconds: length of the whole video; None if it is not known.
        family: kind of video; empty for none.
        cell: questions among which right answers may be dealt out anew with all balance kept: all
            of the same choices, each of which is right once, or all of two choices, to be turned
            over together. Empty for any with the same choices.
    """

    sample: Sample
    clip_seconds: float | None = None
    video_seconds: float | None = None
    family: str = ""
    cell: str = ""


@dataclass(frozen=True, slots=True)
class GateRow:
    """What one predictor that does not see the video scores.

    Attributes:
        predictor: its name, such as ``text: learned/forest``.
        n: number of questions.
        score: share it gets right.
        chance: share that guessing gets right.
        p_chance: for a rule, how likely guessing is to score as high; questions on one video count
            together. None for a fitted predictor, whose scores vary more than guesses do.
        p_permuted: how likely the predictor is to score as high when the right answers are dealt
            out anew among the questions of a cell. Exact balance moves the scores of fitted
            predictors away from chance, to either side, and theirs are moved alike.
        is_too_high: whether the smaller one is at most the level of the gate, divided by the number
            of predictors (not for those that scored too high on an earlier draw).
    """

    predictor: str
    n: int
    score: float
    chance: float
    p_chance: float | None
    p_permuted: float
    is_too_high: bool


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate found in one task.

    Attributes:
        rows: one for each predictor.
        giveaway: for each question, the mean score of the predictors that are too high; zero
            everywhere if none is.
    """

    rows: tuple[GateRow, ...]
    giveaway: tuple[float, ...]

    @property
    def is_open(self) -> bool:
        """Whether no predictor scores too high."""
        return not self.too_high

    @property
    def too_high(self) -> frozenset[str]:
        """The predictors that score too high."""
        return frozenset(row.predictor for row in self.rows if row.is_too_high)


@dataclass(frozen=True, slots=True)
class _Predictor:
    """A predictor.

    Attributes:
        name: its name.
        score: scores every question, its right choices being as given.
        n_candidates: for a rule, how many it is chosen from for doing best on these very questions;
            0 for a fitted predictor.
    """

    name: str
    score: Callable[[Targets], Floats]
    n_candidates: int = 0


def measure_giveaways(
    inputs: Sequence[GateInput],
    settings: TVBenchSettings,
    *,
    rules: Mapping[str, ScoreRule] | None = None,
    suspects: Collection[str] = (),
) -> GateResult:
    """Score every predictor on the questions of one task.

    Args:
        inputs: the questions.
        settings: the level, the permutations and the learned models.
        rules: further rules that pick a choice by its text.
        suspects: predictors that scored too high on an earlier draw of these questions. Their level
            is not divided, lest a set pass by being drawn until luck hides what gives it away.
    """
    # Folds follow the order of the questions, which must not depend on their answers.
    order = sorted(range(len(inputs)), key=lambda index: inputs[index].sample.id)
    inputs = [inputs[index] for index in order]
    samples = [each.sample for each in inputs]
    targets = np.array([sample.target for sample in samples], dtype=np.intp)
    chance = float(np.mean([sample.chance for sample in samples]))
    numbers = {path: n for n, path in enumerate(dict.fromkeys(s.video.path for s in samples))}
    videos = np.array([numbers[sample.video.path] for sample in samples])
    predictors = _list_predictors(inputs, settings, rules or {})
    rows = []
    too_high = []
    # The learners' products are too small to share between threads, which only wait for each other.
    with _THREADS.limit(limits=1, user_api="blas"):
        for predictor in predictors:
            scores = predictor.score(targets)
            p_chance = None
            if predictor.n_candidates:
                p_chance = score_mean(
                    scores, videos, chance=chance, n_candidates=predictor.n_candidates
                ).p_value
            p_permuted = _permute(inputs, predictor, float(scores.mean()), settings)
            smaller = p_permuted if p_chance is None else min(p_chance, p_permuted)
            n_tests = 1 if predictor.name in suspects else len(predictors)
            row = GateRow(
                predictor=predictor.name,
                n=len(samples),
                score=float(scores.mean()),
                chance=chance,
                p_chance=p_chance,
                p_permuted=p_permuted,
                is_too_high=smaller <= settings.gate_alpha / n_tests,
            )
            rows.append(row)
            if row.is_too_high:
                too_high.append(scores)
    giveaway = np.zeros(len(samples))
    if too_high:
        giveaway[order] = np.mean(too_high, axis=0)
    return GateResult(tuple(rows), tuple(float(each) for each in giveaway))


def _list_predictors(
    inputs: Sequence[GateInput], settings: TVBenchSettings, rules: Mapping[str, ScoreRule]
) -> list[_Predictor]:
    samples = [each.sample for each in inputs]
    found = [
        _Predictor(
            f"text: {rule.replace('_', ' ')}",
            _score_by_rule(samples, _lint_rule(rule)),
            RULES[rule](samples).n_candidates,
        )
        for rule in Rule
    ]
    found += [
        _Predictor(f"text: {name}", _score_by_rule(samples, rule), 1)
        for name, rule in {
            "most like the others": _pick_by_likeness(1),
            "least like the others": _pick_by_likeness(-1),
            **rules,
        }.items()
    ]
    if len(samples) < _FEWEST_FOR_FIT:
        return found
    found += [
        _Predictor(f"text: learned/{name}", _fit(samples, name)) for name in settings.gate_learners
    ]
    if any(each.family for each in inputs):
        by_family = [
            replace(each.sample, video=replace(each.sample.video, path=each.family or "none"))
            for each in inputs
        ]
        found += [
            _Predictor(f"text, kinds apart: learned/{name}", _fit(by_family, name))
            for name in settings.gate_learners
        ]
    for what, seconds in (
        ("clip length", [each.clip_seconds for each in inputs]),
        ("video length", [each.video_seconds for each in inputs]),
    ):
        if len(set(seconds)) > 1:
            banded = _ask_by_length(samples, seconds)
            found += [
                _Predictor(f"{what}: learned/{name}", _fit(banded, name))
                for name in settings.gate_learners
                if name not in _NOT_FOR_LENGTHS
            ]
    return found


def _lint_rule(rule: Rule) -> ScoreRule:
    return lambda samples: RULES[rule](samples).by_sample


def _likeness(sample: Sample, choice: str) -> float:
    return -float(
        sum(Levenshtein.distance(tokens(choice), tokens(other)) for other in sample.choices)
    )


def _pick_by_likeness(sign: int) -> ScoreRule:
    """Pick the choice most like the others (1) or least like them (-1)."""
    return lambda samples: [
        share_if_best(
            {choice: sign * _likeness(sample, choice) for choice in sample.choices},
            sample.choices[sample.target],
        )
        for sample in samples
    ]


def _score_by_rule(samples: Sequence[Sample], rule: ScoreRule) -> Callable[[Targets], Floats]:
    def predict(targets: Targets) -> Floats:
        asked = [
            replace(sample, target=int(target))
            for sample, target in zip(samples, targets, strict=True)
        ]
        return np.array(rule(asked), dtype=np.float64)

    return predict


def _fit(samples: Sequence[Sample], learner_name: str) -> Callable[[Targets], Floats]:
    """Fit out of fold; the cues and the folds do not depend on the answers and are made once."""
    trials = [trial for sample in samples for trial in BLIND.trials(sample, Evidence())]
    table = lay_out(trials, _NO_PICTURES)
    folds = assign_folds(samples)
    learner = LEARNERS[learner_name]
    first = table.first_row

    def predict(targets: Targets) -> Floats:
        right = np.zeros(len(table.right))
        right[first + targets] = 1.0
        probabilities, _ = cross_validate(replace(table, right=right), folds, learner)
        rounded = np.round(probabilities, 9)
        best = rounded == np.maximum.reduceat(rounded, first)[table.trial_of_row]
        picked: Floats = best[first + targets] / np.add.reduceat(best.astype(np.float64), first)
        return picked

    return predict


def _ask_by_length(samples: Sequence[Sample], seconds: Sequence[float | None]) -> list[Sample]:
    """Put a word for the length in place of the question: the only thing to go by is the length."""
    known = np.array([each for each in seconds if each is not None], dtype=np.float64)
    edges = np.unique(np.quantile(known, np.linspace(0, 1, _N_BANDS + 1)[1:-1]))
    return [
        replace(
            sample,
            question=(
                "unknown" if each is None else f"band{np.searchsorted(edges, each, side='right')}"
            ),
        )
        for sample, each in zip(samples, seconds, strict=True)
    ]


def _permute(
    inputs: Sequence[GateInput], predictor: _Predictor, score: float, settings: TVBenchSettings
) -> float:
    """Return how likely permuted answers are to be predicted as well.

    Stops once it is clearly not unlikely, with the share of permutations so far (Besag and Clifford
    1991, Biometrika 78, 301-304). Until then the probability is that of Student's t for one more
    draw from permutations of this mean and spread, since shares alone would need thousands of them;
    it stops, too, once that is beyond doubt.
    """
    random = np.random.default_rng(0)
    drawn: list[float] = []
    p_value = 1.0
    while len(drawn) < settings.gate_permutations:
        drawn.append(float(predictor.score(_deal_targets(inputs, random)).mean()))
        n_as_high = sum(each >= score - _ROUNDING for each in drawn)
        if n_as_high == _EXCEEDANCES:
            return n_as_high / len(drawn)
        if len(drawn) >= _FEWEST_PERMUTATIONS:
            p_value = _exceed(score, drawn)
            if p_value < _BEYOND_DOUBT:
                break
    return p_value


def _exceed(score: float, drawn: Sequence[float]) -> float:
    """Return the probability that one more draw is as high as a score, by Student's t."""
    spread = float(np.std(drawn, ddof=1)) * (1 + 1 / len(drawn)) ** 0.5
    excess = score - float(np.mean(drawn))
    if spread < _ROUNDING:
        return 0.0 if excess > _ROUNDING else 1.0
    return float(stdtr(len(drawn) - 1, -excess / spread))


def _deal_targets(inputs: Sequence[GateInput], random: np.random.Generator) -> Targets:
    """Deal the right answers out anew, each to a question of its cell.

    A question that is alone with its choices is given any of them.
    """
    samples = [each.sample for each in inputs]
    targets = np.array([sample.target for sample in samples], dtype=np.intp)
    cells: dict[Hashable, list[int]] = defaultdict(list)
    for index, each in enumerate(inputs):
        cells[each.cell or frozenset(each.sample.choices)].append(index)
    for cell, indices in cells.items():
        if len({frozenset(samples[index].choices) for index in indices}) > 1:
            if random.integers(2):
                targets[indices] = 1 - targets[indices]
        elif len(indices) == 1 and not isinstance(cell, str):
            targets[indices[0]] = random.integers(len(samples[indices[0]].choices))
        else:
            answers = [samples[index].choices[targets[index]] for index in indices]
            for index, answer in zip(indices, random.permutation(answers), strict=True):
                targets[index] = samples[index].choices.index(answer)
    return targets
