"""Turn the pictures of a request into cues: what is seen, crossed with what a choice says.

What is seen is put as tokens, such as ``mostly red``. Those in the families ``SEEN_*`` hold in any
order of the pictures; those in ``SHOWN_*`` are read off the order in which a video is shown, so a
bag of pictures has none. A token alone is true of all choices; crossed with a choice's text it is a
cue, such as ``mostly red → "a tomato"``.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from video_oasis.media.frames import ReadPicture
from video_oasis.media.views import uniform
from video_oasis.models.learned.cues import Cues, Family
from video_oasis.models.learned.frame_descriptors import (
    COLOURS,
    Descriptors,
    describe_pictures,
    locate_centres,
)
from video_oasis.models.learned.text import normalise, split_words
from video_oasis.schema import Request, Trial

MAX_PICTURES: Final = 128
"""Of more pictures, so many are looked at, evenly chosen."""
MAX_WORDS: Final = 12
"""Choices of more different words are crossed as a whole only."""

Tokens = Mapping[Family, Sequence[str]]
"""What is seen of the pictures of a request, by family; empty if it has none."""

_CROSSED_WITH_WORDS: Final = {
    Family.SEEN_COLOURS: Family.SEEN_COLOURS_WORDS,
    Family.SHOWN_TREND: Family.SHOWN_TREND_WORDS,
    Family.SHOWN_MOTION: Family.SHOWN_MOTION_WORDS,
}
"""Families whose tokens are crossed with each word of a choice too, and the families of that."""

_LEVELS: Final[Mapping[str, tuple[tuple[float, ...], tuple[str, ...]]]] = {
    "brightness": ((50, 90, 130, 175), ("very dark", "dark", "of middle light", "light", "bright")),
    "contrast": ((20, 40, 60, 80), ("hardly any", "little", "some", "much", "very much")),
    "edges": ((0.02, 0.06, 0.12, 0.2), ("hardly any", "few", "some", "many", "very many")),
    "sharpness": ((1.0, 1.6, 2.4), ("blurred", "soft", "sharp", "very sharp")),
    "spread": ((2, 6, 14, 28), ("hardly any", "little", "some", "much", "very much")),
    "motion": ((0.7, 2, 5, 12, 25), ("no", "hardly any", "little", "some", "much", "very much")),
    "cuts": (
        (0, 1, 2, 5, 10, 20),
        ("no", "1", "2", "3 to 5", "6 to 10", "11 to 20", "over 20"),
    ),
}
"""For each quantity the upper limits of its levels, but for the last, and their names."""

_SOME: Final = 0.1
"""Share of a picture from which a colour is worth naming."""
_COLOURFUL: Final = 16
"""Mean difference of a pixel's channels from which a picture has a strongest colour."""
_CUT_LIGHT: Final = 30
_CUT_COLOURS: Final = 0.4
"""From picture to picture, so much change of brightness, or share of other colours, is a cut."""
_STEADY: Final = 0.6
"""Correlation with the order from which a change has a direction."""
_FAR: Final = 0.1
"""Part of a picture's side that a centre must go to have moved."""
_UNLIKE: Final = 6
"""Levels of brightness by which a cell departs from what it mostly is."""


def list_tokens(request: Request, read_picture: ReadPicture) -> Tokens:
    """Look at the pictures of a request.

    Raises:
        MediaError: one of them is not there any more.
    """
    if not request.frames:
        return {}
    frames = uniform(request.frames, MAX_PICTURES)
    pictures = describe_pictures([frame.digest for frame in frames], read_picture)
    tokens = {
        Family.SEEN_COLOURS: list(_colour_tokens(pictures)),
        Family.SEEN_LIGHT: list(_light_tokens(pictures)),
        Family.SEEN_LAYOUT: list(_layout_tokens(pictures)),
    }
    if len(pictures) > 1:
        tokens[Family.SEEN_CHANGE] = list(_change_tokens(pictures))
    if len(pictures) > 1 and not request.choices:
        tokens[Family.SHOWN_TREND] = list(_trend_tokens(pictures))
        tokens[Family.SHOWN_MOTION] = list(_motion_tokens(pictures))
    return tokens


def cross_tokens(tokens: Tokens, trial: Trial) -> list[Cues]:
    """Return, for each choice in the order shown, its crossings with what is seen."""
    return [
        {
            family: cues
            for seen, of_family in tokens.items()
            for family, cues in _cross_family(seen, of_family, text)
        }
        for text in trial.shown_choices
    ]


def _cross_family(
    family: Family, tokens: Sequence[str], text: str
) -> Iterator[tuple[Family, list[str]]]:
    normal = normalise(text)
    yield family, [f'{token} → "{normal}"' for token in tokens]
    if family in _CROSSED_WITH_WORDS:
        words = sorted(set(split_words(text)))
        if len(words) > MAX_WORDS:
            words = []
        yield (
            _CROSSED_WITH_WORDS[family],
            [f'{token} → option contains "{word}"' for token in tokens for word in words],
        )


def _colour_tokens(pictures: Descriptors) -> Iterator[str]:
    shares = pictures["colours"].astype(np.float32)
    yield f"mostly {_main_colour(shares.mean(axis=0))}"
    seen = shares.max(axis=0)
    yield from (f"some {COLOURS[i]}" for i in np.flatnonzero(seen >= _SOME))
    if len(pictures) > 1:
        main = np.unique(shares.argmax(axis=1))
        yield from (f"a frame mostly {COLOURS[i]}" for i in main)


def _light_tokens(pictures: Descriptors) -> Iterator[str]:
    brightness = pictures["light"].mean(axis=(1, 2))
    yield _name_level("brightness", brightness.mean())
    yield f"{_name_level('contrast', _mean(pictures['contrast']))} contrast"
    yield f"{_name_level('edges', _mean(pictures['edges']))} edges"
    yield _name_level("sharpness", _mean(pictures["sharpness"]))
    upright = _mean(pictures["upright"])
    if abs(upright - 0.5) > 0.08:
        yield f"mostly {'upright' if upright > 0.5 else 'level'} edges"
    if len(pictures) > 1:
        yield f"darkest frame {_name_level('brightness', brightness.min())}"
        yield f"brightest frame {_name_level('brightness', brightness.max())}"


def _layout_tokens(pictures: Descriptors) -> Iterator[str]:
    light = pictures["light"].mean(axis=0)
    yield from (f"brightest {place}" for place in _find_brightest(light))
    if _mean(pictures["colourfulness"]) >= _COLOURFUL:
        x, y = pictures["colour_centre"].astype(np.float32).mean(axis=0)
        yield f"strongest colour {_name_third(x, 'left', 'right')}"
        yield f"strongest colour {_name_third(y, 'top', 'bottom')}"


def _change_tokens(pictures: Descriptors) -> Iterator[str]:
    spread = pictures["light"].std(axis=0)
    yield f"{_name_level('spread', spread.mean())} difference among frames"
    yield from (f"most difference {place}" for place in _find_brightest(spread))
    n_main = len(np.unique(pictures["colours"].argmax(axis=1)))
    yield f"{min(n_main, 5)}{' or more' if n_main >= 5 else ''} main colours"


def _trend_tokens(pictures: Descriptors) -> Iterator[str]:
    shares = pictures["colours"].astype(np.float32)
    first, last = _main_colour(shares[0]), _main_colour(shares[-1])
    yield f"first frame mostly {first}"
    yield f"last frame mostly {last}"
    if first != last:
        yield f"from {first} to {last}"
    light = _find_trends(pictures["light"].mean(axis=(1, 2))[:, None])[0]
    yield "gets brighter" if light > 10 else "gets darker" if light < -10 else "light stays"
    for colour, trend in zip(COLOURS, _find_trends(shares), strict=True):
        if abs(trend) >= _SOME:
            yield f"{colour} {'grows' if trend > 0 else 'shrinks'}"


def _motion_tokens(pictures: Descriptors) -> Iterator[str]:
    light = pictures["light"].astype(np.float32)
    change = abs(np.diff(light, axis=0)).mean(axis=(1, 2))
    yield f"{_name_level('motion', change.mean())} motion"
    shares = pictures["colours"].astype(np.float32)
    other_colours = abs(np.diff(shares, axis=0)).sum(axis=1) / 2
    n_cuts = int(((change > _CUT_LIGHT) | (other_colours > _CUT_COLOURS)).sum())
    yield f"{_name_level('cuts', n_cuts)} cut{'' if n_cuts == 1 else 's'}"
    # What a cell mostly is, is the background; what departs from it is what moves.
    departure = abs(light - np.median(light, axis=0))
    departure[departure < _UNLIKE] = 0
    moving = departure.any(axis=(1, 2))
    if moving.sum() > 1:
        yield from _name_directions("what moves", locate_centres(departure[moving]))
    if _mean(pictures["colourfulness"]) >= _COLOURFUL:
        yield from _name_directions(
            "strongest colour", pictures["colour_centre"].astype(np.float32)
        )


def _name_directions(what: str, centres: npt.NDArray[Any]) -> Iterator[str]:
    across, down = _find_trends(centres)
    if abs(across) >= _FAR:
        yield f"{what} goes {'right' if across > 0 else 'left'}"
    if abs(down) >= _FAR:
        yield f"{what} goes {'down' if down > 0 else 'up'}"
    if max(abs(across), abs(down)) < _FAR:
        yield f"{what} goes nowhere"


def _find_trends(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return how far each column goes along a straight line from the first row to the last.

    A column that does not follow the order well enough goes nowhere.
    """
    order = np.linspace(-0.5, 0.5, len(values))
    deviations = values - values.mean(axis=0, dtype=np.float64)
    covariance = order @ deviations
    slope = covariance / (order @ order)
    correlation = covariance / np.sqrt(
        np.maximum((order @ order) * (deviations**2).sum(axis=0), 1e-12)
    )
    return np.where(abs(correlation) >= _STEADY, slope, 0.0)


def _find_brightest(grid: npt.NDArray[Any]) -> Iterator[str]:
    """Name the third of the columns and of the rows with the highest mean; none if all are even."""
    for axis, names in ((0, ("left", "centre", "right")), (1, ("top", "middle", "bottom"))):
        thirds = [part.mean() for part in np.array_split(grid.mean(axis=axis), 3)]
        if max(thirds) > 1.1 * min(thirds) + 1:
            yield f"at the {names[int(np.argmax(thirds))]}"


def _name_third(position: float, low: str, high: str) -> str:
    if abs(position - 0.5) < 0.08:
        return f"neither {low} nor {high}"
    return f"at the {low if position < 0.5 else high}"


def _main_colour(shares: npt.NDArray[np.float32]) -> str:
    return COLOURS[int(shares.argmax())]


def _name_level(quantity: str, value: float) -> str:
    limits, names = _LEVELS[quantity]
    return names[bisect_left(limits, value)]


def _mean(values: npt.NDArray[Any]) -> float:
    return float(values.mean(dtype=np.float64))
