"""Chooses the answers that people grade: more of those that the judges do not settle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import polars as pl

from video_oasis.analysis.grades.contradictions import HIGH_SCORE, LOW_SCORE
from video_oasis.errors import SchemaError, SettingsError
from video_oasis.hashing import content_id
from video_oasis.schema import GradeStatus, OpenQuestion, Probe, SampleKey, Status, Video

_LEAST_UNSETTLED: Final = 0.5
_TICKET_DIGITS: Final = 12


class Stratum(StrEnum):
    """How the judges' verdicts on an answer stand."""

    UNSETTLED = "unsettled"
    """They differ, one contradicts its own score, or there is none."""
    YES = "yes"
    """All say that it is right."""
    NO = "no"
    """All say that it is wrong."""


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """An answer to a question, chosen for people to grade.

    Attributes:
        pair: content id of question, reference and answer.
        benchmark: the benchmark of the question.
        sample_id: the question. Of several with this question, reference and answer the first.
        video: its video.
        file: the file of the video; None if it is not known.
        question: the question's text.
        reference: the published answer.
        answer: the answer to grade.
        stratum: how the verdicts stood at the latest choice.
        chance: the probability with which it came to be chosen, over all choices since the first
            that took it.
        weight: how many of the answers in its stratum it stands for.
    """

    pair: str
    benchmark: str
    sample_id: str
    video: Video
    file: Path | None
    question: str
    reference: str
    answer: str
    stratum: Stratum
    chance: float
    weight: float

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SchemaError: the chance is no probability above 0, or the weight is not above 0.
        """
        if not 0 < self.chance <= 1:
            raise SchemaError(f"chance is {self.chance!r}; expected above 0, and 1 at most")
        if not self.weight > 0:
            raise SchemaError(f"weight is {self.weight!r}; expected above 0")


def choose_pairs(
    table: pl.DataFrame,
    n: int,
    seed: int,
    questions: Mapping[SampleKey, OpenQuestion],
    *,
    kept: Sequence[ChosenPair] = (),
    files: Mapping[tuple[str, str], Path] | None = None,
) -> list[ChosenPair]:
    """Choose answers at random, half of them among those that the judges do not settle.

    The other half is shared by those that all judges accept and those that all refuse; if more
    than half of the answers are unsettled, so is that share of the choice. Where a stratum has too
    few, the others fill up, and each that has any answer gets one place, even if that makes more
    than ``n``. Where models judge, only their verdicts count here: rules refuse every other
    wording, and would leave nothing settled.

    Every choice is made anew, of the answers and verdicts as they are, and what was chosen earlier
    stays beside it as long as the run has it, so that there may be more than ``n``. A pair draws
    one ticket for good, and the smallest tickets of each stratum are chosen. A pair is thus chosen
    by now if its ticket is below the largest bound that it ever met, and that bound is its chance,
    whatever came of the verdicts in between. Weights are one over the chance, scaled so that those
    of a stratum sum up to its answers.

    Args:
        table: the grade table (``schema.GRADE_TABLE_COLUMNS``).
        n: how many to choose at least, if there are as many.
        seed: fixes the tickets; the one that ``kept`` was chosen with.
        questions: the questions by benchmark and id; every one of the table is needed.
        kept: what was chosen earlier.
        files: the files of the videos that are known, by benchmark and ``Video.path``.

    Returns:
        The chosen answers by pair, an order that tells nothing of the verdicts.

    Raises:
        SettingsError: ``n`` is less than 1.
    """
    if n < 1:
        raise SettingsError(f"--people {n}: expected how many answers to choose, 1 or more")
    answers = _list_answers(table)
    in_strata: dict[Stratum, list[str]] = {stratum: [] for stratum in Stratum}
    for pair, name in answers.select("pair", "stratum").iter_rows():
        in_strata[Stratum(name)].append(pair)
    places = _share_out(n, {stratum: len(pairs) for stratum, pairs in in_strata.items()})
    earlier = {each.pair: each.chance for each in kept}
    chances: dict[str, float] = {}
    weights: dict[str, float] = {}
    for stratum, pairs in in_strata.items():
        drawn = _draw(pairs, places[stratum], seed, earlier)
        total = sum(1 / chance for chance in drawn.values())
        chances |= drawn
        weights |= {pair: len(pairs) / chance / total for pair, chance in drawn.items()}
    chosen = []
    for pair, benchmark, sample_id, answer, name in answers.iter_rows():
        if pair in chances:
            question = questions[benchmark, sample_id]
            chosen.append(
                ChosenPair(
                    pair=pair,
                    benchmark=benchmark,
                    sample_id=sample_id,
                    video=question.video,
                    file=(files or {}).get((benchmark, question.video.path)),
                    question=question.question,
                    reference=question.reference,
                    answer=answer,
                    stratum=Stratum(name),
                    chance=chances[pair],
                    weight=weights[pair],
                )
            )
    return chosen


def _list_answers(table: pl.DataFrame) -> pl.DataFrame:
    """List pair, benchmark, sample id, answer and stratum of each answer that can be graded."""
    rows = table.filter(
        pl.col("probe") == Probe.NONE.value, pl.col("answer_status") == Status.OK.value
    )
    is_model = pl.col("judge_is_model")
    graded = rows.filter(pl.col("status") == GradeStatus.OK.value)
    if graded.select(is_model.any()).item():
        graded = graded.filter(is_model)
    contradicts = is_model & (
        pl.when("correct")
        .then(pl.col("score") <= LOW_SCORE)
        .otherwise(pl.col("score") >= HIGH_SCORE)
    )
    settled = (
        graded.group_by("pair")
        .agg(
            accepted=pl.col("correct").all(),
            refused=(~pl.col("correct")).all(),
            contradicts=contradicts.any(),
        )
        .filter(~pl.col("contradicts"), pl.col("accepted") | pl.col("refused"))
    )
    stratum = (
        pl.when("accepted")
        .then(pl.lit(Stratum.YES.value))
        .when("refused")
        .then(pl.lit(Stratum.NO.value))
        .otherwise(pl.lit(Stratum.UNSETTLED.value))
    )
    return (
        rows.sort("benchmark", "sample_id")
        .unique("pair", keep="first", maintain_order=True)
        .join(settled, on="pair", how="left")
        .select("pair", "benchmark", "sample_id", "answer", stratum.alias("stratum"))
        .sort("pair")
    )


def _draw(
    pairs: Sequence[str], n: int, seed: int, earlier: Mapping[str, float]
) -> dict[str, float]:
    """Give the chance of each pair of a stratum that is chosen now or was chosen earlier.

    Args:
        pairs: all of the stratum.
        n: how many have a place.
        seed: fixes the tickets.
        earlier: the chances of those chosen earlier.
    """
    tickets = {pair: _read_ticket(seed, pair) for pair in pairs}
    in_order = sorted(tickets.values())
    # The smallest ticket left out is what each that has a place had to be below, given the others.
    bound = in_order[n] if n < len(in_order) else 1.0
    chances = {
        # A bound that a pair chosen earlier did not meet was lower than the one that it met.
        pair: max(bound if ticket < bound else 0.0, earlier.get(pair, 0.0))
        for pair, ticket in tickets.items()
    }
    return {pair: chance for pair, chance in chances.items() if chance > 0}


def _read_ticket(seed: int, pair: str) -> float:
    """Read off the pair's number from 0 to 1, the same at every choice."""
    return int(content_id("ticket1", [seed, pair])[-_TICKET_DIGITS:], 16) / 16**_TICKET_DIGITS


def _share_out(n: int, sizes: Mapping[Stratum, int]) -> dict[Stratum, int]:
    """Share places out one by one, so that with more of them no stratum has fewer.

    Args:
        n: how many there are to be, unless there are more strata or fewer answers.
        sizes: how many answers there are.
    """
    total = sum(sizes.values())
    unsettled = max(_LEAST_UNSETTLED, sizes[Stratum.UNSETTLED] / max(total, 1))
    shares = dict.fromkeys(sizes, (1 - unsettled) / 2) | {Stratum.UNSETTLED: unsettled}
    places = {stratum: min(1, size) for stratum, size in sizes.items()}
    for _ in range(min(n, total) - sum(places.values())):
        with_room = [stratum for stratum in sizes if places[stratum] < sizes[stratum]]
        taker = max(with_room, key=lambda each: shares[each] / (2 * places[each] + 1))
        places[taker] += 1
    return places
