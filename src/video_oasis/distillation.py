"""Distils a run: from its plan and answers to the decided samples and where they come from."""

from importlib.metadata import version

from video_oasis.analysis.consensus import choose_threshold
from video_oasis.analysis.grid import arrange
from video_oasis.audit import PreparedAudit, count_test_models, list_tests
from video_oasis.config import plain_settings
from video_oasis.distil.card import Origin
from video_oasis.distil.decide import DistilledSample, distil
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.store import Store
from video_oasis.table import make_long_table


def distil_run(
    audit: PreparedAudit, store: Store, threshold: int | None = None
) -> tuple[tuple[DistilledSample, ...], Origin]:
    """Decide about every sample of a run.

    Args:
        audit: the planned audit.
        store: its answers.
        threshold: how many of a test's models must be right for a shortcut; None for the
            settings' own, or else all of the largest test's.

    Raises:
        SettingsError: the audit has no test, or the threshold cannot be reached by any.
    """
    table = make_long_table(audit.assignments, store)
    grid = arrange(table)
    tests = list_tests(grid)
    if not tests:
        raise SettingsError(
            "the run has no test to distil by: none of its diagnostics is visual or temporal"
        )
    sizes = count_test_models(grid, tests)
    chosen = choose_threshold(
        audit.settings.threshold if threshold is None else threshold, sizes.values()
    )
    models: dict[str, list[str]] = {}
    for assignment in audit.assignments:
        ids = models.setdefault(assignment.model_name, [])
        if assignment.model_id not in ids:
            ids.append(assignment.model_id)
    columns = ["benchmark", "sample_id", "diagnostic", "part", "model", "draw", "status", "correct"]
    rows = table.filter(table["diagnostic"].is_in(tests)).select(columns).sort(columns)
    origin = Origin(
        version=version("video-oasis"),
        threshold=chosen,
        tests=sizes,
        models={name: tuple(ids) for name, ids in models.items()},
        answers=content_id("answers1", [list(row) for row in rows.iter_rows()]),
        settings=plain_settings(audit.settings),
    )
    return distil(audit.samples, grid.only(tests), chosen), origin
