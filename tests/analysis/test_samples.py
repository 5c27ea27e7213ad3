"""The list of samples: votes and bias of each, by hand."""

import polars as pl

from video_oasis.analysis.grid import arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.schema import LONG_TABLE_COLUMNS


def row(
    sample: str, model: str, correct: bool | None, probability: float | None
) -> dict[str, object]:
    return {
        "benchmark": "b",
        "sample_id": sample,
        "video": f"{sample}.mp4",
        "task": "t",
        "diagnostic": "blind",
        "part": 0,
        "rotation": 0,
        "model": model,
        "draw": 0,
        "request": f"request1-{sample}",
        "status": "error" if correct is None else "ok",
        "reason": "timeout" if correct is None else "",
        "prediction": None if correct is None else int(not correct),
        "correct": correct,
        "target_probability": probability,
        "n_choices": 4,
    }


def test_each_sample_has_its_votes_and_its_bias() -> None:
    rows = [
        row("weak", "one", False, 0.25),
        row("weak", "two", None, None),
        row("given away", "one", True, 0.75),
        row("given away", "two", True, 0.25),
    ]
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    listed = list_samples(arrange(pl.DataFrame(rows, schema=schema)))
    columns = ("sample_id", "test", "n_models", "votes", "n_missing", "bias", "chance", "rank")
    assert listed.select(columns).rows() == [
        ("given away", "blind", 2, 2, 0, 0.5, 0.25, 1),
        ("weak", "blind", 2, 0, 1, 0.25, 0.25, 2),
    ]
