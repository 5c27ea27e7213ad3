"""A grade table written by hand, and the questions behind it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import polars as pl
import pytest

from video_oasis.schema import GRADE_TABLE_COLUMNS, OpenQuestion, SampleKey, Video

Verdict = tuple[str, bool, float]
"""Judge, verdict and score."""
NO_VERDICT: Final = (("llm", None, None),)
MakeTable = Callable[[Mapping[str, Sequence[Verdict]]], pl.DataFrame]


@pytest.fixture
def make_table() -> MakeTable:
    """Make a table of answers, by pair with its verdicts.

    Judges named ``rule…`` are no models, and those named ``odd…`` are models of no known family.
    """

    def make(answers: Mapping[str, Sequence[Verdict]], **changes: Any) -> pl.DataFrame:
        rows = []
        for pair, verdicts in answers.items():
            row: dict[str, Any] = {
                "benchmark": "open", "sample_id": f"q-{pair}", "video": "a.mp4", "task": "",
                "diagnostic": "standard", "model": "ant", "model_family": "ant", "draw": 0,
                "probe": "", "pair": pair, "reference": "a cat", "answer": f"says {pair}",
                "answer_status": "ok", "status": "ok", "reason": "",
            }  # fmt: skip
            for judge, correct, score in verdicts or NO_VERDICT:
                graded = {
                    "judge": judge,
                    "judge_is_model": not judge.startswith("rule"),
                    "judge_family": "" if judge.startswith(("rule", "odd")) else "llm",
                    "correct": correct,
                }
                status = "ok" if correct is not None else "invalid"
                rows.append(row | graded | {"score": score, "status": status} | changes)
        types = {name: getattr(pl, kind) for name, kind in GRADE_TABLE_COLUMNS.items()}
        return pl.DataFrame(rows, schema=types)

    return make


class Questions(dict[SampleKey, OpenQuestion]):
    """A question for every id."""

    def __missing__(self, key: SampleKey) -> OpenQuestion:
        video = Video("a.mp4", start_seconds=1.0, end_seconds=2.5)
        return OpenQuestion(key[1], key[0], video, f"What is {key[1]}?", "a cat", "")


@pytest.fixture
def questions() -> Mapping[SampleKey, OpenQuestion]:
    """Answer for any question that is asked for."""
    return Questions()
