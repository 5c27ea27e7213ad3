"""The long table arranged as dense arrays, one column for each sample and one row for each slot."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.errors import SchemaError
from video_oasis.schema import LONG_TABLE_COLUMNS, Status

SAMPLE_KEY: Final = ("benchmark", "sample_id")
SLOT_KEY: Final = ("diagnostic", "model")
SAMPLE_COLUMNS: Final = ("benchmark", "task", "video", "sample_id", "n_choices")
STATUSES: Final = tuple(Status)

_TYPES: Final[Mapping[str, pl.DataType]] = {
    name: getattr(pl, type_name)() for name, type_name in LONG_TABLE_COLUMNS.items()
}
_NOT_NEEDED: Final = frozenset({"request", "reason"})
_STATUS_TYPE: Final = pl.Enum([status.value for status in STATUSES])
# Rows copied out of the long table at a time: bounds the memory beside the table itself.
_ROWS_AT_ONCE = 1 << 22
_NONE = -1
ANY_CHOICE: Final = -1
"""In ``AnswerGrid.open_to``: nothing is answered yet, so the vote may fall on any choice."""
NO_CHOICE: Final = -2
"""In ``AnswerGrid.open_to``: the vote is settled, and no answer to come can change it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One model under one diagnostic."""

    diagnostic: str
    model: str


@dataclass(frozen=True, slots=True)
class AnswerGrid:
    """Everything the analyses need of a long table, K slots by S samples.

    A vote and a prediction are those of the first draw, so that drawing more answers later changes
    no verdict; averages take every part and draw. Where choices are shown in several rotations, a
    vote falls on a choice only if every rotation picks it, and averages take them all.

    Attributes:
        samples: ``SAMPLE_COLUMNS``, S rows sorted by benchmark, task, video and sample id.
        slots: the K slots sorted by diagnostic and model.
        parted: the diagnostics that make several requests of one sample.
        n_rows: rows of the long table, K x S; 0 where the slot has none for the sample.
        n_scored: those with status ok, K x S.
        n_correct: those that are correct, K x S.
        prediction: the choice that the vote falls on, K x S; -1 where there is none.
        is_right: whether the vote is correct, K x S; False where there is no prediction.
        open_to: the choice that the vote can still fall on, K x S; ``ANY_CHOICE`` where nothing is
            answered, ``NO_CHOICE`` where the vote is settled, on a choice or on none.
        may_be_right: whether the vote is not settled and can still be correct, K x S.
        target_probability: mean over parts, rotations and draws, K x S; NaN where the model gives
            none.
        status_counts: rows by status, tasks x K x statuses, the tasks in the order of ``samples``.
    """

    samples: pl.DataFrame
    slots: tuple[Slot, ...]
    parted: frozenset[str]
    n_rows: NDArray[np.int16]
    n_scored: NDArray[np.int16]
    n_correct: NDArray[np.int16]
    prediction: NDArray[np.int16]
    is_right: NDArray[np.bool_]
    open_to: NDArray[np.int16]
    may_be_right: NDArray[np.bool_]
    target_probability: NDArray[np.float64]
    status_counts: NDArray[np.int64]

    @property
    def is_settled(self) -> NDArray[np.bool_]:
        """Whether no answer to come can change the vote, K x S."""
        settled: NDArray[np.bool_] = self.open_to == NO_CHOICE
        return settled

    @property
    def tests(self) -> Mapping[str, slice]:
        """The slots of each diagnostic, in order."""
        names = [slot.diagnostic for slot in self.slots]
        return {
            name: slice(names.index(name), names.index(name) + names.count(name))
            for name in dict.fromkeys(names)
        }

    @property
    def benchmarks(self) -> Mapping[str, slice]:
        """The samples of each benchmark, in order."""
        starts, _ = number_runs(self.samples, "benchmark")
        names = self.samples["benchmark"].gather(starts)
        ends = [*starts[1:].tolist(), self.samples.height]
        return {
            name: slice(start, end)
            for name, start, end in zip(names, starts.tolist(), ends, strict=True)
        }

    def only(self, diagnostics: Collection[str]) -> "AnswerGrid":
        """Return the grid of some of its diagnostics.

        Raises:
            SchemaError: the grid lacks one of them.
        """
        absent = sorted(set(diagnostics) - set(self.tests))
        if absent:
            raise SchemaError(
                f"long table: no rows of diagnostic {', '.join(absent)}; it has "
                f"{', '.join(self.tests) or 'none'}"
            )
        return self.keep([k for k, slot in enumerate(self.slots) if slot.diagnostic in diagnostics])

    def keep(self, numbers: list[int]) -> "AnswerGrid":
        """Return the grid of some of its slots, by their numbers in increasing order."""
        slots = tuple(self.slots[k] for k in numbers)
        return replace(
            self,
            slots=slots,
            parted=self.parted & {slot.diagnostic for slot in slots},
            n_rows=self.n_rows[numbers],
            n_scored=self.n_scored[numbers],
            n_correct=self.n_correct[numbers],
            prediction=self.prediction[numbers],
            is_right=self.is_right[numbers],
            open_to=self.open_to[numbers],
            may_be_right=self.may_be_right[numbers],
            target_probability=self.target_probability[numbers],
            status_counts=self.status_counts[:, numbers],
        )


def arrange(table: pl.DataFrame) -> AnswerGrid:
    """Arrange a long table.

    Text columns may be String, Categorical or Enum. A table of a million samples and 18 answers
    each stays small only with dictionary-encoded text. ``request`` and ``reason`` are not needed.

    Args:
        table: the columns of ``schema.LONG_TABLE_COLUMNS``, rows in any order.

    Raises:
        SchemaError: a column is absent, a row breaks the table's rules, one answer stands in two
            rows, or the rows of one sample differ in its task, video or number of choices.
    """
    absent = sorted(_TYPES.keys() - _NOT_NEEDED - set(table.columns))
    if absent:
        raise SchemaError(f"long table: no column {', '.join(absent)}; found {table.columns}")
    table = table.drop(_NOT_NEEDED, strict=False)
    keys, samples = _list_samples(table)
    slot_keys, slots = _list_slots(table)
    _, task_of_sample = number_runs(samples, "benchmark", "task")
    n_tasks = int(task_of_sample[-1]) + 1 if samples.height else 0
    shape = (len(slots), samples.height)
    n_rows, n_scored, n_correct = (np.zeros(shape, np.int16) for _ in range(3))
    votes = _Votes(shape)
    probability_sum = np.zeros(shape)
    n_probabilities = np.zeros(shape, np.int16)
    status_counts = np.zeros((n_tasks, len(slots), len(STATUSES)), np.int64)

    for block in table.iter_slices(_ROWS_AT_ONCE):
        _check_answers(block)
        row = _look_up(block, slot_keys)
        column = _look_up(block, keys)
        at = row * samples.height + column
        status = block["status"].cast(_STATUS_TYPE).to_physical().to_numpy()
        scored = status == STATUSES.index(Status.OK)
        right = block["correct"].fill_null(value=False).to_numpy()
        first = (block["draw"].to_numpy() == 0) & (block["part"].to_numpy() == 0)
        probability = block["target_probability"].fill_null(np.nan).to_numpy()
        given = ~np.isnan(probability)
        _add(n_rows, at, 1)
        _add(n_scored, at[scored], 1)
        _add(n_correct, at[right], 1)
        _add(n_probabilities, at[given], 1)
        _add(probability_sum, at[given], probability[given])
        _add(
            status_counts,
            (task_of_sample[column] * len(slots) + row) * len(STATUSES) + status,
            1,
        )
        rotation = block["rotation"].to_numpy()
        picked = block["prediction"].fill_null(_NONE).to_numpy()
        for shift in np.unique(rotation[first]).tolist():
            rows = first & (rotation == shift)
            votes.add(shift, at[rows], picked[rows], right[rows])

    repeated = np.argwhere(votes.find_repeated())
    if len(repeated):
        row, column = repeated[0].tolist()
        raise SchemaError(
            f"long table: {_name_sample(samples, column)} has two rows of diagnostic "
            f"{slots[row].diagnostic!r} and model {slots[row].model!r} for part 0, draw 0 and one "
            f"rotation; expected one"
        )
    return AnswerGrid(
        samples=samples,
        slots=slots,
        parted=frozenset(
            table.filter(pl.col("part") != 0)["diagnostic"].unique().cast(pl.String).to_list()
        ),
        n_rows=n_rows,
        n_scored=n_scored,
        n_correct=n_correct,
        prediction=votes.predict(),
        is_right=votes.is_settled & ~votes.any_wrong & (votes.n_picked > 0),
        open_to=votes.list_open(),
        may_be_right=~votes.is_settled & ~votes.any_wrong,
        target_probability=np.divide(
            probability_sum,
            n_probabilities,
            out=np.full(shape, np.nan),
            where=n_probabilities > 0,
        ),
        status_counts=status_counts,
    )


class _Votes:
    """The answers to part 0 in the first draw, rotation by rotation."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._rotations = np.zeros(shape, np.int32)
        self._n_rows = np.zeros(shape, np.int16)
        self.n_picked = np.zeros(shape, np.int16)
        self._choice = np.full(shape, _NONE, np.int16)
        self._differ = np.zeros(shape, np.bool_)
        self.any_wrong = np.zeros(shape, np.bool_)

    def add(
        self, rotation: int, at: NDArray[np.intp], picked: NDArray[np.int32], right: NDArray[Any]
    ) -> None:
        """Enter the answers to one rotation: cells by flat index, choices picked, -1 for none."""
        self._rotations.ravel()[at] |= 1 << rotation
        _add(self._n_rows, at, 1)
        has_picked = picked >= 0
        cells, picked, right = at[has_picked], picked[has_picked], right[has_picked]
        before = self._choice.ravel()[cells]
        self._differ.ravel()[cells] |= (before >= 0) & (before != picked)
        self._choice.ravel()[cells] = picked
        self.any_wrong.ravel()[cells] |= ~right
        _add(self.n_picked, cells, 1)

    def find_repeated(self) -> NDArray[np.bool_]:
        """Tell where one rotation was entered twice."""
        return np.bitwise_count(self._rotations) < self._n_rows

    @property
    def is_settled(self) -> NDArray[np.bool_]:
        """Whether two rotations differ, or all are answered."""
        is_complete: NDArray[np.bool_] = (self.n_picked == self._n_rows) & (self._n_rows > 0)
        return self._differ | is_complete

    def predict(self) -> NDArray[np.int16]:
        """Return the choice that every rotation picked, -1 where there is none."""
        return np.where(self.is_settled & ~self._differ, self._choice, _NONE)

    def list_open(self) -> NDArray[np.int16]:
        """Return ``AnswerGrid.open_to``."""
        return np.where(self.is_settled, NO_CHOICE, self._choice).astype(np.int16)


def number_runs(samples: pl.DataFrame, *columns: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Number the runs of equal values in a sorted frame.

    Returns:
        The first row of each run, and the number of the run that each row belongs to.
    """
    numbers = samples.select(pl.struct(columns).rle_id()).to_series().to_numpy().astype(np.intp)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    return starts, numbers


def _look_up(block: pl.DataFrame, keys: pl.DataFrame) -> NDArray[np.intp]:
    """Return the number that each row's key has in a numbered list of keys."""
    number, *names = keys.columns
    placed = block.select(names).join(keys, on=names, how="left", maintain_order="left")
    return placed[number].to_numpy().astype(np.intp)


def _add(
    totals: NDArray[Any], flat_index: NDArray[np.intp], amounts: int | NDArray[np.float64]
) -> None:
    # One flat index is several times as fast as one for each axis.
    np.add.at(totals.ravel(), flat_index, np.asarray(amounts, totals.dtype))


def _list_samples(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """List the samples in order, and their keys in the table's own types with their numbers."""
    blocks = [
        block.select(SAMPLE_COLUMNS).unique() for block in table.iter_slices(_ROWS_AT_ONCE)
    ] or [table.select(SAMPLE_COLUMNS)]
    listed = pl.concat(blocks).unique().sort(pl.col(SAMPLE_COLUMNS).cast(pl.String))
    samples = listed.cast({name: _TYPES[name] for name in SAMPLE_COLUMNS})
    repeated = samples.filter(pl.struct(SAMPLE_KEY).is_duplicated())
    if repeated.height:
        raise SchemaError(
            f"long table: {_name_sample(repeated, 0)} has rows that differ in task, video or "
            f"n_choices: {repeated.head(2).rows()}; expected one of each"
        )
    broken = samples.filter(pl.col("n_choices").is_null() | (pl.col("n_choices") < 1))
    if broken.height:
        raise SchemaError(
            f"long table: {_name_sample(broken, 0)} has n_choices {broken['n_choices'][0]}; "
            f"expected 1 or more"
        )
    return listed.select(SAMPLE_KEY).with_row_index("column"), samples


def _list_slots(table: pl.DataFrame) -> tuple[pl.DataFrame, tuple[Slot, ...]]:
    """List the slots in order, and their keys in the table's own types with their numbers."""
    keys = table.select(SLOT_KEY).unique().sort(pl.col(SLOT_KEY).cast(pl.String))
    slots = tuple(Slot(*names) for names in keys.iter_rows())
    return keys.with_row_index("row"), slots


def _check_answers(block: pl.DataFrame) -> None:
    status = pl.col("status").cast(_STATUS_TYPE, strict=False)
    scored = status == Status.OK.value
    broken = block.filter(
        status.is_null()
        | (scored != pl.col("prediction").is_not_null())
        | (scored != pl.col("correct").is_not_null())
        | ~pl.col("prediction").is_between(0, pl.col("n_choices") - 1)
    )
    if broken.height:
        row = broken.row(0, named=True)
        raise SchemaError(
            f"long table: {_name_sample(broken, 0)} has status {row['status']!r}, prediction "
            f"{row['prediction']}, correct {row['correct']} and n_choices {row['n_choices']}; "
            f"expected a status of {', '.join(STATUSES)}, and if and only if it is 'ok' a correct "
            f"and a prediction below n_choices"
        )


def _name_sample(samples: pl.DataFrame, row: int) -> str:
    return f"{samples['benchmark'][row]} sample {samples['sample_id'][row]!r}"
