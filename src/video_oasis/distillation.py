"""Distils a run: from its plan and answers to the decided samples and where they come from."""

from collections.abc import Iterable
from importlib.metadata import version

from video_oasis.analysis.consensus import choose_threshold
from video_oasis.answered import read_answered
from video_oasis.audit import PreparedAudit
from video_oasis.config import plain_settings
from video_oasis.distil.card import Origin
from video_oasis.distil.corrected_answers import arrange_corrected
from video_oasis.distil.decide import DistilledSample, distil
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.rulings import make_rulings
from video_oasis.judgements.standing import DecisionRule
from video_oasis.store import Store


def distil_run(
    audit: PreparedAudit,
    store: Store,
    threshold: int | None = None,
    *,
    judgements: Iterable[Judgement] = (),
    rule: DecisionRule | None = None,
) -> tuple[tuple[DistilledSample, ...], Origin]:
    """Decide about every sample of a run.

    Args:
        audit: the planned audit.
        store: its answers.
        threshold: how many of a test's models must be right for a shortcut; None for the
            settings' own, or else all of the largest test's.
        judgements: what people decided about samples, of this run and perhaps others.
        rule: when judgements decide; None for the settings' own.

    Raises:
        JudgementsError: a judgement corrects to a choice that its sample does not have.
        SettingsError: the audit has no test, or the threshold cannot be reached by any.
    """
    answered = read_answered(audit, store)
    table, grid, tests, sizes = answered.table, answered.grid, answered.tests, answered.n_models
    if not tests:
        raise SettingsError(
            "the run has no test to distil by: none of its diagnostics is visual or temporal"
        )
    chosen = choose_threshold(
        audit.settings.threshold if threshold is None else threshold, sizes.values()
    )
    rulings = make_rulings(judgements, rule or audit.settings.decision_rule, audit.samples)
    models: dict[str, list[str]] = {}
    for assignment in audit.assignments:
        ids = models.setdefault(assignment.model_name, [])
        if assignment.model_id not in ids:
            ids.append(assignment.model_id)
    columns = [
        "benchmark",
        "sample_id",
        "diagnostic",
        "part",
        "rotation",
        "model",
        "draw",
        "status",
        "correct",
    ]
    rows = table.filter(table["diagnostic"].is_in(tests)).select(columns).sort(columns)
    origin = Origin(
        version=version("video-oasis"),
        threshold=chosen,
        tests=sizes,
        models={name: tuple(ids) for name, ids in models.items()},
        answers=content_id("answers1", [list(row) for row in rows.iter_rows()]),
        settings=plain_settings(audit.settings),
        judged=rulings.record,
        voters=tuple(name for name in models if name not in audit.spares | audit.validators),
    )
    corrected = arrange_corrected(grid, table, audit.samples, rulings)
    return distil(audit.samples, corrected.only(tests), chosen, rulings), origin
