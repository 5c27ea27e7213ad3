"""Everything a calibration found, as one plain structure that its files render."""

from collections.abc import Mapping
from dataclasses import dataclass

from video_oasis.analysis.calibration import Calibration
from video_oasis.report.document import ModelRecord


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a calibration of some models found.

    Attributes:
        version: the version of this package.
        n_samples: planted samples.
        n_videos: clips that they are about.
        seed: what the set was drawn with.
        kinds: each kind of sample, and what was planted in it in words.
        plain_sight: the kind whose answers one look at the video gives.
        faulty: the kind whose questions are at fault, which says nothing of tests.
        models: the models.
        not_asked: diagnostics that none of the models can take.
        idle: diagnostics that were to be asked and apply to no sample, as they withhold nothing.
        n_lacking: samples that a test could not be shown of.
        calibration: the numbers.
    """

    version: str
    n_samples: int
    n_videos: int
    seed: int
    kinds: Mapping[str, str]
    plain_sight: str
    faulty: str
    models: tuple[ModelRecord, ...]
    not_asked: tuple[str, ...]
    idle: tuple[str, ...]
    n_lacking: int
    calibration: Calibration

    @property
    def is_sound(self) -> bool:
        """Whether every test withholds what it should, as far as these models can tell.

        Where they answered nothing that a test should not find, nothing can be told.
        """
        is_decided = any(row.leaks is not None for row in self.calibration.detectors)
        return is_decided and not (self.calibration.leaking or self.idle)
