"""What one run answered, as an evaluation uses it."""

from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from video_oasis.audit import PreparedAudit
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Axis
from video_oasis.errors import SettingsError
from video_oasis.evidence.durations import find_durations
from video_oasis.evidence.wanted import Timelines
from video_oasis.plan import Assignment
from video_oasis.schema import SampleKey
from video_oasis.store import Store
from video_oasis.table import make_long_table


@dataclass(frozen=True, slots=True)
class AnsweredRun:
    """The answers of a run under the diagnostics to evaluate.

    Attributes:
        name: what to call the run.
        audit: the run as planned.
        assignments: the part of the plan that is evaluated.
        table: its long table.
        durations_seconds: the length of each sample's clip, as far as it is known.
    """

    name: str
    audit: PreparedAudit
    assignments: tuple[Assignment, ...]
    table: pl.DataFrame
    durations_seconds: dict[SampleKey, float]


def read_answers(
    name: str,
    audit: PreparedAudit,
    store: Store,
    timelines: Timelines,
    diagnostics: Collection[str],
) -> AnsweredRun:
    """Read a run's answers under some diagnostics.

    Args:
        name: what to call the run.
        audit: the run as planned.
        store: its answers.
        timelines: what is known of its videos.
        diagnostics: the diagnostics.

    Raises:
        UnknownNameError: there is no such diagnostic.
        SettingsError: one withholds something of the video, or none of them is part of the run.
    """
    withholding = [name for name in diagnostics if DIAGNOSTICS[name].axis is not Axis.REFERENCE]
    if withholding:
        raise SettingsError(
            f"diagnostic {', '.join(withholding)}: withholds something of the video, so its "
            f"accuracy is no evaluation; expected one that shows the video, such as standard"
        )
    assignments = tuple(each for each in audit.assignments if each.diagnostic in diagnostics)
    if not assignments:
        asked = dict.fromkeys(each.diagnostic for each in audit.assignments)
        raise SettingsError(
            f"{name}: nothing is asked under {', '.join(diagnostics)} there, only under "
            f"{', '.join(asked)}; start a run with 'oasis audit SOURCE --diagnostic "
            f"{next(iter(diagnostics))} --model MODEL'"
        )
    return AnsweredRun(
        name=name,
        audit=audit,
        assignments=assignments,
        table=make_long_table(assignments, store),
        durations_seconds=find_durations(audit.samples, timelines),
    )
