"""Calibrates an audit: asks models about planted samples, and compares what is found with it."""

import hashlib
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

import tomli_w

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.calibration import Planted, calibrate
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.answered import read_answered
from video_oasis.audit import PreparedAudit
from video_oasis.config import AskingPlan, AuditSettings, BenchmarkEntry, Role
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.errors import SettingsError
from video_oasis.generate.planted import (
    BENCHMARK_NAME,
    PAPER_TESTS,
    REFERENCE,
    PlantedKind,
    PlantedPaths,
    PlantedSample,
    locate_planted,
    read_truth,
    write_planted,
)
from video_oasis.generate.planted.timing import N_PARTS
from video_oasis.hashing import content_id
from video_oasis.models import open_model
from video_oasis.plan import list_skipped
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.reporting import list_lacking, record_models
from video_oasis.run_folder import RunFolder
from video_oasis.runner import Listener, Progress
from video_oasis.store import Store
from video_oasis.toml_file import read_toml
from video_oasis.whole_file import write_whole

DIAGNOSTICS_ASKED: Final = (*PAPER_TESTS, REFERENCE, "chunk")
"""The six tests of arXiv 2603.29616, and what the ambiguity checks read."""

KINDS: Final = {
    PlantedKind.BLIND: "the wording gives the answer away",
    PlantedKind.AUDIO: "the answer is said in the clip",
    PlantedKind.SUMMARY: "captions of the clip's eighths, in order, say it",
    PlantedKind.CENTER_FRAME: "it is in plain sight in the middle of the clip",
    PlantedKind.ORDER_FREE: "it is in sight in some frames, the middle ones not among them",
    PlantedKind.NATIVE: "nothing but the frames in their order tells",
    PlantedKind.DEFECTIVE: "the question, its options or its label are wrong, or any part of the "
    "clip answers it",
}
"""Each kind of planted sample in words."""

_COLUMNS: Final = ColumnMapping(
    id="id",
    question="question",
    choices=("choices",),
    answer="answer",
    task="task",
    video="video",
    name=BENCHMARK_NAME,
    answer_form=AnswerForm.TEXT,
)


@dataclass(frozen=True, slots=True)
class CalibrationFolder:
    """Where a calibration's files lie.

    Attributes:
        path: the folder; need not exist yet.
    """

    path: Path

    @property
    def recipe(self) -> Path:
        """What the set was drawn from."""
        return self.path / "calibration.toml"

    @property
    def planted(self) -> PlantedPaths:
        """The parts of the planted set."""
        return locate_planted(self.path / "planted")

    @property
    def run(self) -> RunFolder:
        """The audit of it, a run as any."""
        return RunFolder(self.path / "run")

    @property
    def report(self) -> Path:
        """The folder of the calibration's report."""
        return self.path / "calibration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a planted set is drawn from.

    Attributes:
        n_samples: its size.
        seed: decides everything that is drawn.
    """

    n_samples: int = 600
    seed: int = 0


def make_set(recipe: Recipe, folder: CalibrationFolder, listener: Listener) -> None:
    """Draw the planted set, unless it is there already.

    Args:
        recipe: what to draw it from.
        folder: where to.
        listener: told how far it is.

    Raises:
        SettingsError: the folder has another set, one that was changed since, or cannot be
            written, or the recipe is out of range.
    """
    plain: dict[str, object] = {"samples": recipe.n_samples, "seed": recipe.seed}
    if folder.recipe.is_file():
        found = read_toml(folder.recipe)
        drawn = found.pop("set", "")
        if found != plain:
            raise SettingsError(
                f"{folder.path}: holds a calibration of {found.get('samples')} samples with seed "
                f"{found.get('seed')}, and {recipe.n_samples} with seed {recipe.seed} are asked "
                f"for; name another folder with --out"
            )
        if folder.planted.questions.is_file():
            if _identify_set(folder.planted) != drawn:
                raise SettingsError(
                    f"{folder.planted.questions.parent}: its files are not those that were drawn, "
                    f"so it is not known what is planted in them; remove that folder to have them "
                    f"drawn again"
                )
            return
    write_planted(
        folder.planted.questions.parent,
        recipe.n_samples,
        recipe.seed,
        listener=lambda n_done, n_all: listener(Progress("clips", n_all, n_done, 0)),
    )
    plain["set"] = _identify_set(folder.planted)
    write_whole(folder.recipe, tomli_w.dumps(plain).encode())


def _identify_set(paths: PlantedPaths) -> str:
    files = [
        *(file for file in (paths.questions, paths.captions, paths.truth) if file.is_file()),
        *sorted([*paths.videos.glob("*.mp4"), *paths.transcripts.glob("*.srt")]),
    ]
    return content_id(
        "planted1", [[file.name, hashlib.sha256(file.read_bytes()).hexdigest()] for file in files]
    )


def choose_settings(settings: AuditSettings, folder: CalibrationFolder) -> AuditSettings:
    """Return the settings that audit the planted set as these settings would audit a benchmark.

    Models, frames, draws and rotations are the given ones, but for the frames a second, which the
    truth of the set takes to be one. Of the diagnostics of ``DIAGNOSTICS_ASKED`` those are asked
    that a voting model can take, and all of each: what a lazy plan leaves out says nothing of luck.

    Raises:
        SettingsError: one request shows too few frames for one a second.
    """
    if settings.frames.max_frames < N_PARTS:
        raise SettingsError(
            f"max_frames is {settings.frames.max_frames}; the clips last {N_PARTS} seconds and are "
            f"to be seen once in each: expected at least {N_PARTS}"
        )
    return replace(
        settings,
        benchmarks=(
            BenchmarkEntry(
                folder.planted.questions.resolve(),
                columns=_COLUMNS,
                videos=folder.planted.videos,
                transcripts=folder.planted.transcripts,
                captions=folder.planted.captions,
            ),
        ),
        diagnostics=_list_takeable(settings),
        frames=replace(settings.frames, fps=1.0),
        recogniser=None,
        captioner=None,
        plan=AskingPlan.FULL,
        threshold=None,
        limit=None,
        skip_bad=False,
    )


def _list_takeable(settings: AuditSettings) -> tuple[str, ...]:
    voters = {
        entry.model: open_model(entry.model, entry.settings)
        for entry in settings.models
        if entry.role is Role.VOTER
    }
    skipped = list_skipped([DIAGNOSTICS[name] for name in DIAGNOSTICS_ASKED], voters)
    return tuple(
        name
        for name in DIAGNOSTICS_ASKED
        if not all(name in skipped.get(model, ()) for model in voters)
    )


def make_calibration(
    audit: PreparedAudit, store: Store, folder: CalibrationFolder, recipe: Recipe
) -> CalibrationReport:
    """Compare what an audit found with what was planted.

    Args:
        audit: the planned audit of the set.
        store: its answers.
        folder: where the set lies.
        recipe: what it was drawn from.

    Raises:
        BenchmarkError: the set's truth cannot be read.
    """
    answered = read_answered(audit, store)
    (benchmark,) = (loaded.contents.benchmark for loaded in audit.benchmarks)
    truth = read_truth(folder.planted.truth.parent)
    planned = {assignment.diagnostic for assignment in audit.assignments}
    applying = set(answered.table["diagnostic"].unique())
    return CalibrationReport(
        version=version("video-oasis"),
        n_samples=len(audit.samples),
        n_videos=len({sample.video.path for sample in audit.samples}),
        seed=recipe.seed,
        kinds={kind.value: words for kind, words in KINDS.items()},
        plain_sight=PlantedKind.CENTER_FRAME,
        faulty=PlantedKind.DEFECTIVE,
        models=record_models(audit.assignments),
        not_asked=tuple(name for name in DIAGNOSTICS_ASKED if name not in planned),
        idle=tuple(name for name in DIAGNOSTICS_ASKED if name in planned - applying),
        n_lacking=len(
            {each for lacking in list_lacking(audit.assignments) for each in lacking.sample_ids}
        ),
        calibration=calibrate(
            answered.table,
            {(benchmark, row.sample_id): _read_planted(row) for row in truth},
            tests=answered.tests,
            strict_consistency=audit.settings.strict_consistency,
            resampling=Resampling(n_resamples=audit.settings.n_resamples),
        ),
    )


def _read_planted(row: PlantedSample) -> Planted:
    return Planted(
        kind=row.kind,
        variant=row.variant,
        is_defective=row.kind is PlantedKind.DEFECTIVE,
        solved_by=frozenset(row.solved_by),
        may_solve=frozenset(row.may_solve),
        flagged_by=frozenset(row.flagged_by),
    )
