"""Split samples into folds so that no fit has seen what it is asked."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from video_oasis.hashing import order_by_hash
from video_oasis.models.learned.text import normalise
from video_oasis.schema import Sample

N_FOLDS: Final = 5


def assign_folds(
    samples: Sequence[Sample], n_folds: int = N_FOLDS, *, draw: int = 0
) -> npt.NDArray[np.intp]:
    """Give each sample the fold in which it is answered by a fit on the other folds.

    Two rules keep what belongs together in one fold:

    1. All questions about one video (``video.path``) stay together.
    2. Identical questions (same text and same set of choices, but for case, spacing and closing
       punctuation) stay together, unless they are asked of more than ``n_folds`` videos. A question
       that recurs oftener is a template, such as one counting question over hundreds of videos:
       its recurrence is the very thing to measure, and in one fold it could not be.

    Both rules chain: samples linked through others share a fold. Within the rules, each fold gets
    its share of all samples, of each task with each number of choices, and of each question. Folds
    are not stratified by the answer: that gives every fold the answer counts of the others, so that
    the chance excess of an answer in a finite benchmark could be learned, and targets drawn at
    random would be answered three points above chance.

    Args:
        samples: the samples of one benchmark, in an order that does not depend on their targets.
        n_folds: how many folds to make, at least two.
        draw: which of many equally good splits to make.

    Returns:
        A fold number for each sample, from 0. With fewer groups than ``n_folds``, that many folds;
        a single fold if all samples are one group.
    """
    groups = order_by_hash(_link(samples, n_folds), seed=draw, content="folds1")
    groups.sort(key=len, reverse=True)
    strata = [_strata(sample) for sample in samples]
    totals = Counter(stratum for of_sample in strata for stratum in of_sample)
    counts: list[Counter[Hashable]] = [Counter() for _ in range(min(n_folds, len(groups)))]
    fold_of_sample = np.zeros(len(samples), dtype=np.intp)
    for group in groups:
        needed = Counter(stratum for index in group for stratum in strata[index])
        filled = [
            sum(count[stratum] * n / totals[stratum] for stratum, n in needed.items())
            for count in counts
        ]
        fold = filled.index(min(filled))
        counts[fold].update(needed)
        fold_of_sample[group] = fold
    return fold_of_sample


def _strata(sample: Sample) -> tuple[Hashable, ...]:
    return (
        "all",
        (sample.task, len(sample.choices)),
        (sample.task, normalise(sample.question)),
    )


def _link(samples: Sequence[Sample], n_folds: int) -> list[list[int]]:
    """Return the groups of sample indices that must share a fold."""
    questions = [
        (normalise(sample.question), frozenset(map(normalise, sample.choices)))
        for sample in samples
    ]
    videos_of_question = defaultdict(set)
    for sample, question in zip(samples, questions, strict=True):
        videos_of_question[question].add(sample.video.path)
    members: dict[Hashable, list[int]] = defaultdict(list)
    for index, (sample, question) in enumerate(zip(samples, questions, strict=True)):
        members["video", sample.video.path].append(index)
        if len(videos_of_question[question]) <= n_folds:
            members["question", question].append(index)
    first = list(range(len(samples)))

    def find(index: int) -> int:
        while first[index] != index:
            first[index] = first[first[index]]
            index = first[index]
        return index

    for indices in members.values():
        root = find(indices[0])
        for index in indices[1:]:
            first[find(index)] = root
    groups = defaultdict(list)
    for index in range(len(samples)):
        groups[find(index)].append(index)
    return list(groups.values())
