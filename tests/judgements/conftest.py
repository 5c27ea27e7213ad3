"""Judgements made in one line."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from video_oasis.judgements.judgement import Decision, Judgement


@pytest.fixture(scope="session")
def judge() -> Callable[..., Judgement]:
    """Make a judgement of ``bench``, by default the keeping of ``s1`` by ``ann`` at nine."""

    def make(
        decision: str = "keep",
        *,
        sample: str = "s1",
        reviewer: str = "ann",
        minute: int = 0,
        check: str = "",
        choice: int | None = None,
        note: str = "",
        benchmark: str = "bench",
    ) -> Judgement:
        return Judgement(
            benchmark=benchmark,
            sample_id=sample,
            reviewer=reviewer,
            check=check,
            decision=Decision(decision),
            choice=choice,
            note=note,
            made_at=datetime(2026, 11, 30, 9, tzinfo=UTC) + timedelta(minutes=minute),
        )

    return make
