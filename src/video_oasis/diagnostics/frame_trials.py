"""Turns views of a sample's video into trials; the wording is the same whatever the view."""

from collections.abc import Sequence

from video_oasis.media.views import Frames
from video_oasis.prompts import choice_letters, video_question
from video_oasis.schema import Request, Sample, Trial


def make_trials(diagnostic: str, sample: Sample, views: Sequence[Frames]) -> list[Trial]:
    """Make one trial of each view, with the choices in published order.

    Args:
        diagnostic: name of the diagnostic.
        sample: the sample.
        views: the frames that each request shows; they become its parts 0, 1, ….
    """
    return [
        Trial(
            sample=sample,
            diagnostic=diagnostic,
            part=part,
            request=Request(
                system="",
                text=video_question(sample.question, sample.choices, len(frames)),
                letters=choice_letters(len(sample.choices)),
                frames=frames,
            ),
            order=tuple(range(len(sample.choices))),
        )
        for part, frames in enumerate(views)
    ]


def seeding_content(sample: Sample) -> str:
    """Return what a random choice for this sample is fixed by, beside the audit's seed."""
    return f"{sample.benchmark}\n{sample.id}"
