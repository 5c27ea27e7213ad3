"""Cross-validate a learner on the very trials it answers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar, Final

import numpy as np
from scipy import sparse
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from video_oasis.hashing import canonical_json, content_id, order_by_hash
from video_oasis.media.frames import ReadPicture
from video_oasis.models.interface import Finding, FittedAnswers
from video_oasis.models.learned.choice_table import ChoiceTable, Floats, Indices, lay_out
from video_oasis.models.learned.findings import find_giveaways
from video_oasis.models.learned.folds import N_FOLDS, assign_folds
from video_oasis.models.learned.learner import Learner
from video_oasis.schema import Answer, Form, Sample, Trial

_REVISION: Final = "2"
_MIN_DRAWS: Final = 2
_MAX_DRAWS: Final = 6
_SAMPLES_TO_ANSWER: Final = 9000
_THREADS: Final = ThreadpoolController()
_DECIMALS: Final = 9
"""Probabilities closer than this are a tie, or rounding would decide between them."""


@dataclass(frozen=True)
class LearnedModel:
    """A learner fitted out of fold to each audited benchmark (see ``FittedModel``).

    What it answers right can be learned from the benchmark's own text, and from simple traits of
    what a diagnostic shows beside it: the stress test of arXiv 2511.04655. Each benchmark is fitted
    apart, under several splits into folds whose out-of-fold probabilities are averaged. Where
    nothing can be learned, because all questions belong to one group or none has a wrong choice,
    every choice is given the same probability.

    Attributes:
        name: name of the model.
        learner: what is fitted.
    """

    name: str
    learner: Learner
    forms: ClassVar[frozenset[Form]] = frozenset({Form.QUESTION, Form.MATCHING})
    max_frames: ClassVar[int | None] = None

    def describe(self, trials: Sequence[Trial]) -> Mapping[str, Any]:
        """Return the learner and the content of all trials with their targets.

        A trial's context and pictures are covered by its request's id.
        """
        description: dict[str, Any] = {
            "backend": "learned",
            "name": self.name,
            "revision": _REVISION,
            "scikit-learn": version("scikit-learn"),
            "n_folds": N_FOLDS,
            "trials": content_id("learned_trials1", sorted(map(_content, trials))),
        }
        if any(trial.request.frames for trial in trials):
            description["pillow"] = version("pillow")
        return description

    def answer_all(self, trials: Sequence[Trial], read_picture: ReadPicture) -> FittedAnswers:
        """Answer every trial from a fit that saw neither it nor its video.

        The answer is the letter of the likeliest choice; ties are broken by a hash of the sample
        id. Answers do not depend on the order of the trials.

        Raises:
            MediaError: a picture is not there any more.
        """
        by_benchmark: dict[str, list[int]] = defaultdict(list)
        for index in sorted(range(len(trials)), key=lambda index: _content(trials[index])):
            by_benchmark[trials[index].sample.benchmark].append(index)
        answers: dict[int, Answer] = {}
        findings: list[Finding] = []
        for benchmark, indices in by_benchmark.items():
            of_benchmark = [trials[index] for index in indices]
            table = lay_out(of_benchmark, read_picture)
            # The products are too small to share between threads, which only wait for one another.
            with _THREADS.limit(limits=1, user_api="blas"):
                probabilities, evidence = _repeat(
                    table, [trial.sample for trial in of_benchmark], self.learner
                )
            per_trial = np.split(probabilities, table.first_row[1:])
            for index, of_choices in zip(indices, per_trial, strict=True):
                answers[index] = _answer(trials[index], of_choices.tolist())
            findings += find_giveaways(benchmark, table, evidence)
        return FittedAnswers([answers[index] for index in range(len(trials))], findings)


def count_draws(n_trials: int) -> int:
    """Return how many splits into folds a benchmark of this size is answered under.

    How a small benchmark falls into folds moves a learner by several points: the mean over splits
    does not hang on the luck of one. The luck shrinks as benchmarks grow, so large ones need fewer.
    """
    return max(_MIN_DRAWS, min(_MAX_DRAWS, round(_SAMPLES_TO_ANSWER / max(1, n_trials))))


def _repeat(
    table: ChoiceTable, samples: Sequence[Sample], learner: Learner
) -> tuple[Floats, sparse.csr_array]:
    """Cross-validate under several splits and return the means."""
    n_draws = count_draws(len(samples))
    runs = [
        cross_validate(table, assign_folds(samples, draw=draw), learner) for draw in range(n_draws)
    ]
    probabilities = np.mean([of_run for of_run, _ in runs], axis=0)
    evidence = sum((of_run for _, of_run in runs), start=sparse.csr_array(table.cues.shape))
    return probabilities, (evidence / n_draws).tocsr()


def cross_validate(
    table: ChoiceTable, fold_of_trial: Indices, learner: Learner
) -> tuple[Floats, sparse.csr_array]:
    """Score every row by a fit on the folds it is not in.

    Returns:
        For each row the probability that its choice is right, summing to one over a trial; and the
        evidence of the cues (see ``Prediction``). With a single fold nothing can be fitted: all
        choices are equally likely and there is no evidence.
    """
    scores = np.zeros(len(table.right))
    folds = np.unique(fold_of_trial)
    if len(folds) < 2:
        return _softmax(table, scores), sparse.csr_array(table.cues.shape)
    fold_of_row = fold_of_trial[table.trial_of_row]
    evidence = []
    for held_out in folds:
        prediction = learner(table, fold_of_row, int(held_out))
        scores[fold_of_row == held_out] = prediction.scores
        evidence.append(prediction.evidence)
    back = np.argsort(np.argsort(fold_of_row, kind="stable"), kind="stable")
    return _softmax(table, scores), sparse.vstack(evidence, format="csr")[back]


def _softmax(table: ChoiceTable, scores: Floats) -> Floats:
    highest = np.maximum.reduceat(scores, table.first_row)
    exponentials = np.exp(scores - highest[table.trial_of_row])
    return exponentials / np.add.reduceat(exponentials, table.first_row)[table.trial_of_row]


def _content(trial: Trial) -> str:
    sample = trial.sample
    return canonical_json(
        [
            sample.benchmark,
            sample.id,
            trial.diagnostic,
            trial.part,
            trial.request.id,
            trial.order,
            sample.video.path,
            sample.task,
            sample.question,
            sample.choices,
            sample.target,
        ]
    )


def _answer(trial: Trial, probabilities: Sequence[float]) -> Answer:
    shown = order_by_hash(range(len(probabilities)), seed=0, content=trial.sample.id)
    likeliest = max(shown, key=lambda position: round(probabilities[position], _DECIMALS))
    return Answer(text=trial.request.letters[likeliest], letter_probabilities=tuple(probabilities))
