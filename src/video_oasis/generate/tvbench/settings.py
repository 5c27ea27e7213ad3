"""Every threshold of the generator in one place: a TOML file changes them, the card shows them."""

import difflib
import math
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.models.learned import LEARNERS
from video_oasis.toml_file import read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class TVBenchSettings:
    """When something counts as what. Between two thresholds lies a gap, whose events are not asked.

    Attributes:
        moving_speed: faster objects move (CLEVRER's units of speed).
        resting_speed: slower objects rest; a scene with a visible object in between is left out.
        direction_min_columns: least way across the picture, in pixels of 480.
        direction_min_rows: least way up or down the picture, in pixels of 320.
        direction_min_straightness: least share of net way in the whole way, on either axis.
        direction_min_frames: least number of frames in which the object is seen.
        count_answers: the numbers that can be right in Action Count.
        count_excluded_words: strict: questions with one of these words are left out.
        sequence_min_gap_seconds: strict: least time between two actions.
        star_frames_per_second: rate at which STAR numbers its frames.
        n_cups: strict: number of objects in a shuffle.
        beginning_max_end: what ends before this share of the clip is at its beginning.
        middle_min_start: what lies between these two shares of the clip is in its middle.
        middle_max_end: see ``middle_min_start``.
        end_min_start: what starts after this share of the clip is at its end.
        throughout_min_share: what covers this share of the clip goes on throughout.
        localization_seconds: shortest and longest clip of Action Localization.
        localization_step_seconds: strict: steps between lengths of its clips.
        unexpected_seconds: shortest and longest clip of Unexpected Action that is cut out.
        unexpected_step_seconds: strict: steps between lengths of its clips.
        antonym_length_ratio: strict: lengths of the clips of two antonyms differ by less than this
            factor.
        max_questions: most questions for one task; 0 for as many as there can be.
        min_questions: a set with fewer questions is not written.
        gate_alpha: how likely a task that nothing gives away is to be found given away.
        gate_permutations: most permutations of answers that a score is compared with.
        gate_learners: the learned models that try to answer from the text.
        gate_attempts: how often a set that is given away is drawn anew before it is pruned.
        prune_share: share of a set that one round of pruning removes.
        prune_max_share: most that pruning may remove in all.
    """

    moving_speed: float = 0.2
    resting_speed: float = 0.01
    direction_min_columns: float = 48.0
    direction_min_rows: float = 32.0
    direction_min_straightness: float = 0.6
    direction_min_frames: int = 32
    count_answers: tuple[int, ...] = (2, 3, 4, 5)
    count_excluded_words: tuple[str, ...] = ("show", "distinct")
    sequence_min_gap_seconds: float = 1.0
    star_frames_per_second: float = 30.0
    n_cups: int = 3
    beginning_max_end: float = 0.35
    middle_min_start: float = 0.32
    middle_max_end: float = 0.68
    end_min_start: float = 0.65
    throughout_min_share: float = 0.85
    localization_seconds: tuple[float, float] = (15.0, 25.0)
    localization_step_seconds: float = 1.0
    unexpected_seconds: tuple[float, float] = (2.0, 20.0)
    unexpected_step_seconds: float = 1.0
    antonym_length_ratio: float = 1.05
    max_questions: int = 0
    min_questions: int = 20
    gate_alpha: float = 0.05
    gate_permutations: int = 40
    gate_learners: tuple[str, ...] = ("logistic", "forest", "neighbours")
    gate_attempts: int = 3
    prune_share: float = 0.05
    prune_max_share: float = 0.5

    def __post_init__(self) -> None:
        """Check that the thresholds leave room for what they tell apart.

        Raises:
            SettingsError: otherwise.
        """
        for name, expected, holds in (
            ("resting_speed", "below moving_speed", self.resting_speed < self.moving_speed),
            ("beginning_max_end", "0 to 0.5", 0 < self.beginning_max_end < 0.5),
            ("end_min_start", "0.5 to 1", 0.5 < self.end_min_start < 1),
            ("middle_min_start", "0 to 0.5", 0 < self.middle_min_start < 0.5),
            ("middle_max_end", "0.5 to 1", 0.5 < self.middle_max_end < 1),
            ("throughout_min_share", "0.5 to 1", 0.5 < self.throughout_min_share <= 1),
            ("antonym_length_ratio", "more than 1", self.antonym_length_ratio > 1),
            ("star_frames_per_second", "more than 0", self.star_frames_per_second > 0),
            ("localization_step_seconds", "more than 0", self.localization_step_seconds > 0),
            ("unexpected_step_seconds", "more than 0", self.unexpected_step_seconds > 0),
            ("count_answers", "two or more numbers", len(set(self.count_answers)) > 1),
            ("gate_attempts", "1 or more", self.gate_attempts >= 1),
            ("min_questions", "2 or more", self.min_questions >= 2),
            ("max_questions", "0 or more", self.max_questions >= 0),
            ("gate_alpha", "0 to 1", 0 < self.gate_alpha < 1),
            ("gate_permutations", "10 or more", self.gate_permutations >= 10),
            ("prune_share", "0 to 1", 0 < self.prune_share < 1),
            ("prune_max_share", "0 to 1", 0 <= self.prune_max_share < 1),
        ):
            if not holds:
                raise SettingsError(f"{name} is {getattr(self, name)}; expected {expected}")
        for name in ("localization_seconds", "unexpected_seconds"):
            shortest, longest = getattr(self, name)
            if not 0 < shortest <= longest:
                raise SettingsError(f"{name} is {getattr(self, name)}; expected shortest, longest")


def read_generator_settings(file: Path) -> TVBenchSettings:
    """Read settings from a TOML file; what it does not name stays at its default.

    Raises:
        SettingsError: the file cannot be read, a name or a learned model is unknown, or a value is
            of another kind or out of range.
    """
    given = read_toml(file)
    default = TVBenchSettings()
    names = [each.name for each in fields(default)]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names)}"
            raise SettingsError(f"{file}: no setting is called {name!r}; {hint}")
        values[name] = _convert(value, getattr(default, name), f"{file}: {name}")
    try:
        settings = TVBenchSettings(**values)
        for name in settings.gate_learners:
            LEARNERS[name]
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"{file}: {error}") from error
    return settings


def to_plain_settings(settings: TVBenchSettings) -> dict[str, Any]:
    """Return the settings as TOML has them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(settings).items()
    }


def _convert(value: Any, default: Any, where: str) -> Any:
    if isinstance(default, tuple):
        if not isinstance(value, list) or (
            isinstance(default[0], float) and len(value) != len(default)
        ):
            raise SettingsError(f"{where}: {value!r}; expected such as {list(default)}")
        return tuple(_convert(item, default[0], where) for item in value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(default) or (isinstance(value, float) and not math.isfinite(value)):
        raise SettingsError(f"{where}: {value!r}; expected such as {default!r}")
    return value
