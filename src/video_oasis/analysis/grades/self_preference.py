"""Whether a judge favours answers of models of its own family.

Of each answer, what the judge says is compared with the mean of what judges of other families say:
only models of a known family, because a rule favours whoever writes as the reference is written.
Its preference is this difference for answerers of its own family less that for the others, over the
same questions under the same diagnostics: how strict the judge is, and how good the answers are,
drops out as far as judges differ by as much on good answers as on poor ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.grades.estimates import (
    Estimate,
    Parts,
    average,
    estimate_signed,
    measure_pooled,
    split_signed,
)
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.schema import MAX_GRADE


@dataclass(frozen=True, slots=True)
class SelfPreferenceRow:
    """One judge, and answerers of its own family beside others.

    Models whose family is not known are left out. Answers count that the judge and every judge of
    the comparison graded; of each question and diagnostic with such answers of both kinds, those of
    a kind are averaged first.

    Attributes:
        judge: the judge.
        family: its family.
        compared_with: the judges of the comparison: all models of another family that is known,
            that graded any answer of both kinds.
        own_models: the answerers of its family.
        other_models: those of others.
        diagnostics: what they were shown, as far as both kinds were.
        n: pairs of sample and diagnostic with answers of both kinds.
        n_videos: their videos.
        own_difference: share it accepts less the mean share of the comparison, of its own family.
        other_difference: the same of the others.
        preference: own_difference - other_difference.
        own_score_difference: mean score it gives less that of the comparison, of its own family.
        other_score_difference: the same of the others.
        score_preference: own_score_difference - other_score_difference.
    """

    judge: str
    family: str
    compared_with: tuple[str, ...]
    own_models: tuple[str, ...]
    other_models: tuple[str, ...]
    diagnostics: tuple[str, ...]
    n: int
    n_videos: int
    own_difference: Estimate
    other_difference: Estimate
    preference: Estimate
    own_score_difference: Estimate
    other_score_difference: Estimate
    score_preference: Estimate


def measure_self_preference(
    grid: GradeGrid, *, resampling: Resampling | None = None
) -> tuple[SelfPreferenceRow, ...]:
    """Measure every judge that can be.

    Returns:
        A row for each judge that has a family which some answerers share and others do not, under
        one diagnostic at least, and that a model of another known family can be compared with.
    """
    rows = []
    for number, judge in enumerate(grid.judges):
        if judge.family:
            row = _measure(grid, number, resampling or Resampling())
            if row is not None:
                rows.append(row)
    return tuple(rows)


def _measure(grid: GradeGrid, number: int, resampling: Resampling) -> SelfPreferenceRow | None:
    judge = grid.judges[number]
    is_own = {
        k: each.family == judge.family for k, each in enumerate(grid.answerers) if each.family
    }
    kinds = {
        name: [
            [k for k in is_own if grid.answerers[k].diagnostic == name and is_own[k] == own]
            for own in (True, False)
        ]
        for name in dict.fromkeys(each.diagnostic for each in grid.answerers)
    }
    shared = {name: each for name, each in kinds.items() if all(each)}
    of_kinds = [[k for each in shared.values() for k in each[kind]] for kind in (0, 1)]
    compared = [
        j
        for j, each in enumerate(grid.judges)
        if each.family not in ("", judge.family)
        and not any(np.isnan(grid.correct[:, numbers, :, j]).all() for numbers in of_kinds)
    ]
    if not shared or not compared:
        return None
    parts = {
        **_list_parts(_subtract(grid.correct, number, compared), list(shared.values()), "correct"),
        **_list_parts(_subtract(grid.score, number, compared), list(shared.values()), "score"),
    }
    cell = measure_pooled(grid, parts, resampling)
    if cell is None:
        return None

    def read(name: str, bound: float = 1) -> Estimate:
        return estimate_signed(cell, name, bound=bound)[0]

    own_models, other_models = (
        tuple(dict.fromkeys(grid.answerers[k].model for k in numbers)) for numbers in of_kinds
    )
    counted = cell["correct_own_above"]
    return SelfPreferenceRow(
        judge=judge.name,
        family=judge.family,
        compared_with=tuple(grid.judges[j].name for j in compared),
        own_models=own_models,
        other_models=other_models,
        diagnostics=tuple(shared),
        n=int(counted.weights[0]),
        n_videos=int(counted.n_videos[0]),
        own_difference=read("correct_own"),
        other_difference=read("correct_other"),
        preference=read("correct_preference", 2),
        own_score_difference=read("score_own", MAX_GRADE),
        other_score_difference=read("score_other", MAX_GRADE),
        score_preference=read("score_preference", 2 * MAX_GRADE),
    )


def _subtract(values: Floats, number: int, compared: Sequence[int]) -> Floats:
    """Subtract the others' mean; NaN where any of them or the judge gives no grade, S x A x D."""
    difference: Floats = values[..., number] - values[..., list(compared)].mean(axis=-1)
    return difference


def _list_parts(difference: Floats, shared: Sequence[Sequence[Sequence[int]]], name: str) -> Parts:
    kinds = [
        [average(difference[:, list(each)], axis=(1, 2)) for each in kind]
        for kind in zip(*shared, strict=True)
    ]
    (own, has_own), (other, has_other) = (
        tuple(np.stack(arrays, axis=1) for arrays in zip(*kind, strict=True)) for kind in kinds
    )
    both = has_own * has_other
    parts: dict[str, tuple[Floats, Floats]] = {}
    for label, values, bound in (
        ("own", own, 1),
        ("other", other, 1),
        ("preference", own - other, 2),
    ):
        signed = split_signed(values, both, name=f"{name}_{label}", bound=bound)
        # A sample's diagnostics are added up: it counts as often as it was shown.
        parts |= {
            key: (top.sum(axis=1, keepdims=True), bottom.sum(axis=1, keepdims=True))
            for key, (top, bottom) in signed.items()
        }
    return parts
