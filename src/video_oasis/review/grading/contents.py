"""Collects the answers that the page shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from video_oasis.open_ended.people.sampling import ChosenPair
from video_oasis.review.places import Place, make_place
from video_oasis.review.videos import VideoSource, name_key


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One answer as the page knows it.

    Attributes:
        name: its name in addresses.
        chosen: the answer.
        source: the video of its question.
    """

    name: str
    chosen: ChosenPair
    source: VideoSource


@dataclass(frozen=True, slots=True)
class GradingContents:
    """The answers to grade.

    Attributes:
        answers: every answer by its name in addresses, in the order to look at them in.
        names: the names by pair.
    """

    answers: Mapping[str, ShownAnswer]
    names: Mapping[str, str]

    @property
    def videos(self) -> Mapping[str, VideoSource]:
        """Every video by its name in addresses."""
        return {each.source.name: each.source for each in self.answers.values()}

    def list_names(self, pairs: Iterable[str]) -> frozenset[str]:
        """List the names of those pairs that are to be graded."""
        return frozenset(self.names[pair] for pair in pairs if pair in self.names)

    def find_start(self, done: frozenset[str]) -> str:
        """Return the first answer that is not done, else the first; empty if there is none."""
        names = list(self.answers)
        return next((name for name in names if name not in done), names[0] if names else "")

    def find_place(self, name: str, done: frozenset[str]) -> Place:
        """Find an answer's place, and its neighbours."""
        order = list(self.answers)
        here = order.index(name)
        before, after = order[:here], order[here + 1 :]
        return make_place(before, after, (each for each in after + before if each not in done))


def collect_answers(chosen: Sequence[ChosenPair]) -> GradingContents:
    """Collect the answers that were chosen, in the order of the file."""
    answers = [
        ShownAnswer(
            name=name_key("answer1", (each.benchmark, each.pair)),
            chosen=each,
            source=_find_source(each),
        )
        for each in chosen
    ]
    return GradingContents(
        answers={each.name: each for each in answers},
        names={each.chosen.pair: each.name for each in answers},
    )


def _find_source(chosen: ChosenPair) -> VideoSource:
    name = name_key("video1", (chosen.benchmark, chosen.video.path))
    if chosen.file is None:
        return VideoSource(name, None, "The run does not know where this video lies.")
    return VideoSource(name, *_look_for(chosen.file))


def _look_for(file: Path) -> tuple[Path | None, str]:
    if file.is_dir():
        return None, "This video is a folder of images."
    if not file.is_file():
        return None, f"{file}: the video is not there any more."
    return file, ""
