"""What a benchmark reader is to the rest of the package."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from video_oasis.schema import BadRow, OpenQuestion, Sample

Row = Sample | OpenQuestion | BadRow
"""What one published row becomes."""


@dataclass(frozen=True, slots=True)
class Publication:
    """Where a benchmark is published on the Hugging Face hub, and what of it is wanted.

    A pattern is matched against the end of a path, whole names at a time: ``json/*.json`` fits
    ``json/a.json`` in any folder.

    Attributes:
        dataset: the data set's id, ``owner/name``.
        annotations: patterns of the files that the reader wants.
        videos: patterns of video files, of archives of them, and of the parts of split archives.
        on_youtube: the videos are on YouTube, and their file names begin with their ids there.
        note: what a user has to know or do besides.
    """

    dataset: str
    annotations: tuple[str, ...]
    videos: tuple[str, ...] = ()
    on_youtube: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark whose released files can be read.

    Attributes:
        name: its name on the command line and in every table.
        group: spatial, temporal, reasoning or general: the paper's grouping of benchmarks,
            inferred from its tables (arXiv 2603.29616, tables 3 and S3 to S9); "open" for sets of
            open questions, which it does not audit.
        files: which of the released files the reader wants, for messages and help.
        read: reads the folder (or file) of annotations into rows, in published order. Every row
            of the files is given exactly once, whatever is wrong with it.
        images_fps: frames a second of the videos that are published as folders of images.
        published: where its files can be fetched; None if the hub has none of the authors'.
    """

    name: str
    group: str
    files: str
    read: Callable[[Path], Iterator[Row]]
    images_fps: float | None = None
    published: Publication | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """All that the files of one benchmark hold.

    Attributes:
        benchmark: the benchmark's name.
        group: its group.
        samples: the multiple-choice questions.
        open_questions: the questions without choices.
        bad_rows: the rows that should be one or the other and cannot be.
    """

    benchmark: str
    group: str
    samples: tuple[Sample, ...]
    open_questions: tuple[OpenQuestion, ...]
    bad_rows: tuple[BadRow, ...]

    @property
    def as_samples(self) -> list[Sample]:
        """All questions as samples, open ones with their reference as the only choice."""
        return [*self.samples, *(question.as_sample() for question in self.open_questions)]
