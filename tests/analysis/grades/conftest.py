"""Grade tables: written row by row, and of scripted judges of known bias."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from video_oasis.analysis.grades.grid import PROBES
from video_oasis.schema import GRADE_TABLE_COLUMNS, MAX_GRADE

Row = dict[str, Any]
MakeGrades = Callable[[Iterable[Row]], pl.DataFrame]
Judges = dict[str, tuple[str, Callable[..., NDArray[np.bool_]]]]

_DEFAULTS: Row = {
    "benchmark": "bench",
    "task": "task",
    "diagnostic": "standard",
    "model": "m",
    "model_family": "",
    "draw": 0,
    "probe": "",
    "reference": "a dog",
    "answer": "dog",
    "answer_status": "ok",
    "judge": "j",
    "judge_is_model": True,
    "judge_family": "",
    "reason": "",
    "correct": None,
}
_SCHEMA = {name: getattr(pl, kind) for name, kind in GRADE_TABLE_COLUMNS.items()}


def _fill(row: Row) -> Row:
    full = _DEFAULTS | {"video": f"{row['sample_id']}.mp4"} | row
    if full["probe"]:
        full |= {"diagnostic": "", "model": "", "model_family": ""}
    full.setdefault("status", "invalid" if full["correct"] is None else "ok")
    if full["answer_status"] != "ok":
        full |= {"answer": None, "status": "missing"}
    full.setdefault("pair", f"{full['sample_id']} {full['answer']}")
    full.setdefault("score", None if full["correct"] is None else MAX_GRADE * full["correct"])
    return full


@pytest.fixture(scope="session")
def make_grades() -> MakeGrades:
    """Build a grade table from rows that name only what matters.

    A sample has its own video, a pair is a sample's answer, a judge is a model of no known family,
    and a grade that does not say whether the answer is correct is invalid; the score follows from
    it.
    """

    def build(rows: Iterable[Row]) -> pl.DataFrame:
        return pl.DataFrame([_fill(row) for row in rows], schema=_SCHEMA)

    return build


@pytest.fixture(scope="session")
def make_judged() -> Callable[..., tuple[pl.DataFrame, NDArray[np.bool_]]]:
    """Simulate models whose answers are right with a known probability, and scripted judges.

    A judge is a model: its family and a function that is given which answers are right, which are
    of its own family, how many words they have, and a generator, and says which it accepts. Two
    samples share a video. Takes the abilities of models by (diagnostic, model, family); gives the
    table and which answers are right, answerers x samples.
    """

    def build(
        n_samples: int,
        abilities: dict[tuple[str, str, str], float],
        judges: Judges,
        *,
        seed: int = 0,
    ) -> tuple[pl.DataFrame, NDArray[np.bool_]]:
        generator = np.random.default_rng(seed)
        # What is hard is hard for every model.
        ease = generator.random(n_samples)
        right = np.array(
            [0.5 * ease + 0.5 * generator.random(n_samples) < a for a in abilities.values()]
        )
        words = generator.integers(1, 9, right.shape)
        asked = [
            (right[k], words[k], {"diagnostic": name[0], "model": name[1], "model_family": name[2]})
            for k, name in enumerate(abilities)
        ] + [
            (
                np.full(n_samples, probe.is_right),
                np.full(n_samples, 12 if "padded" in probe.value else 2),
                {"diagnostic": "", "model": "", "model_family": "", "probe": probe.value},
            )
            for probe in PROBES
        ]
        frames = []
        for judge, (family, accept) in judges.items():
            for is_right, n_words, names in asked:
                own = np.full(n_samples, names["model_family"] == family and bool(family))
                accepted = accept(is_right, own, n_words, generator)
                # Whether an answer is right hangs on its text alone, so no two answerers share any.
                first = "-".join([names["diagnostic"], names["model"], names.get("probe", "")])
                text = [" ".join([first, *["so"] * int(n - 1)]) for n in n_words]
                columns = {
                    **_DEFAULTS,
                    **names,
                    "sample_id": [f"s{s:04}" for s in range(n_samples)],
                    "video": [f"v{s // 2:04}" for s in range(n_samples)],
                    "pair": [f"{s} {each}" for s, each in enumerate(text)],
                    "answer": text,
                    "judge": judge,
                    "judge_family": family,
                    "status": "ok",
                    "correct": accepted,
                    "score": accepted * float(MAX_GRADE),
                }
                frames.append(
                    pl.DataFrame({name: columns[name] for name in _SCHEMA}, schema=_SCHEMA)
                )
        return pl.concat(frames), right

    return build
