"""Long tables: written row by row, from published counts, and of a simulated world."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from video_oasis.schema import LONG_TABLE_COLUMNS

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]
Counts = Mapping[str, int]
MakeScores = Callable[..., pl.DataFrame]
World = tuple[pl.DataFrame, NDArray[np.bool_]]
MakeWorld = Callable[..., World]

_DEFAULTS = {
    "benchmark": "bench",
    "video": "",
    "task": "task",
    "diagnostic": "blind",
    "part": 0,
    "rotation": 0,
    "draw": 0,
    "request": "request",
    "status": "ok",
    "reason": "",
    "prediction": None,
    "correct": None,
    "target_probability": None,
    "n_choices": 4,
}


def _make_table(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    schema = {name: getattr(pl, kind) for name, kind in LONG_TABLE_COLUMNS.items()}
    full = [
        {**_DEFAULTS, **row, "video": row.get("video", f"{row['sample_id']}.mp4")} for row in rows
    ]
    return pl.DataFrame(full, schema=schema)


@pytest.fixture(scope="session")
def make_table() -> MakeTable:
    """Build a long table from rows that name only what matters; one video for each sample."""
    return _make_table


@pytest.fixture(scope="session")
def make_votes() -> MakeVotes:
    """Build a long table from an array of picks, tests x models x samples, and the targets.

    A pick of -1 is an answer that failed, -2 one without a row.
    """

    def build(
        picks: NDArray[np.integer], targets: NDArray[np.integer], **columns: Any
    ) -> pl.DataFrame:
        rows = [
            {
                "sample_id": f"s{s:05}",
                "diagnostic": f"test-{t}",
                "model": f"model-{m}",
                "status": "ok" if pick >= 0 else "error",
                "prediction": int(pick) if pick >= 0 else None,
                "correct": bool(pick == targets[s]) if pick >= 0 else None,
                **{
                    name: (value[s] if isinstance(value, (list, np.ndarray)) else value)
                    for name, value in columns.items()
                },
            }
            for (t, m, s), pick in np.ndenumerate(picks)
            if pick > -2
        ]
        return _make_table(rows)

    return build


def _make_answers(
    samples: Mapping[str, Any],
    diagnostic: str,
    model: str,
    picks: NDArray[np.integer],
    targets: NDArray[np.integer],
) -> pl.DataFrame:
    """Make the rows of one slot at once; a pick of -1 is an answer that failed."""
    columns = {
        **_DEFAULTS,
        **samples,
        "diagnostic": diagnostic,
        "model": model,
        "status": np.where(picks >= 0, "ok", "error"),
        "prediction": picks,
        "correct": picks == targets,
    }
    read = pl.col("status") == "ok"
    return (
        pl.DataFrame(samples)
        .with_columns(
            (pl.Series(value) if isinstance(value, np.ndarray) else pl.lit(value)).alias(name)
            for name, value in columns.items()
            if name not in samples
        )
        .with_columns(pl.when(read).then(pl.col("prediction", "correct")))
        .cast({name: getattr(pl, kind) for name, kind in LONG_TABLE_COLUMNS.items()})
        .select(LONG_TABLE_COLUMNS.keys())
    )


@pytest.fixture(scope="session")
def make_scores() -> MakeScores:
    """Build a long table with given numbers of right answers.

    Takes the number of samples of each benchmark, and for each (diagnostic, model) the number of
    right answers in each; the first samples are those that are right.
    """

    def build(
        n: Counts, right: Mapping[tuple[str, str], Counts], *, n_choices: int = 4
    ) -> pl.DataFrame:
        sizes = np.array(list(n.values()))
        number = np.concatenate([np.arange(size) for size in sizes])
        name = [f"s{each:05}" for each in number]
        samples = {
            "benchmark": np.repeat(list(n), sizes),
            "sample_id": name,
            "video": name,
            "n_choices": np.full(len(number), n_choices),
        }
        targets = np.zeros(len(number), int)
        return pl.concat(
            _make_answers(
                samples,
                diagnostic,
                model,
                (number >= np.repeat([n_right[benchmark] for benchmark in n], sizes)).astype(int),
                targets,
            )
            for (diagnostic, model), n_right in right.items()
        )

    return build


@pytest.fixture(scope="session")
def make_world() -> MakeWorld:
    """Simulate models of known ability on samples with planted shortcuts.

    In each test a share of the samples leaks, independently of the other tests. On a leaking
    sample each model knows the answer with its own ability, independently. A model that does not
    know picks with probability ``herding`` the sample's favourite choice, the same for all models
    and tests and independent of the target, and otherwise any choice: errors are correlated, and
    guesses say nothing about the target.

    Takes abilities, tests x models; the share that leaks in each test; and gives the long table and
    what leaks, tests x samples.
    """

    def build(
        n_samples: int,
        *,
        abilities: Sequence[Sequence[float]],
        leaks: Sequence[float],
        herding: float,
        n_choices: int = 4,
        failing: float = 0.0,
        seed: int = 0,
    ) -> World:
        generator = np.random.default_rng(seed)
        targets = generator.integers(0, n_choices, n_samples)
        favourites = generator.integers(0, n_choices, n_samples)
        name = [f"s{number:05}" for number in range(n_samples)]
        samples = {
            "sample_id": name,
            "video": name,
            "n_choices": np.full(n_samples, n_choices),
        }
        leaked = generator.random((len(leaks), n_samples)) < np.array(leaks)[:, None]
        answers = []
        for test, models in enumerate(abilities):
            for model, ability in enumerate(models):
                knows = leaked[test] & (generator.random(n_samples) < ability)
                follows = generator.random(n_samples) < herding
                guesses = generator.integers(0, n_choices, n_samples)
                picks = np.where(knows, targets, np.where(follows, favourites, guesses))
                picks[generator.random(n_samples) < failing] = -1
                answers.append(
                    _make_answers(samples, f"test-{test}", f"model-{model}", picks, targets)
                )
        return pl.concat(answers), leaked

    return build


@pytest.fixture(scope="session")
def published(shared_data: Path) -> dict[str, Any]:
    """Figures of the tables of arXiv 2603.29616, kept beside the checkout, never in it."""
    return _read_reference(shared_data, "video_oasis_tables.json")


@pytest.fixture(scope="session")
def published_tvbench(shared_data: Path) -> dict[str, Any]:
    """Figures of the tables of arXiv 2410.07752, likewise."""
    return _read_reference(shared_data, "tvbench_tables.json")


def _read_reference(shared_data: Path, name: str) -> dict[str, Any]:
    file = shared_data.parent / "reference" / name
    if not file.is_file():
        pytest.skip(f"{file} is absent: published figures are not part of the project")
    tables: dict[str, Any] = json.loads(file.read_text())
    return tables
