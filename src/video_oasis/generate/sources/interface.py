"""What a source of annotations is to the generators."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from video_oasis.schema import BadRow


@dataclass(frozen=True, slots=True)
class Source:
    """A data set whose annotation files can be turned into questions.

    Attributes:
        name: its name on the command line, and ``benchmark`` of its bad rows.
        files: which of its files the reader wants, for messages and help.
        terms: who made it and what to respect when a set made from it is passed on.
        read: reads a folder (or a file) into the source's own records, in the order of the files.
            Whatever is wrong with a row, it comes out as a bad row and never goes missing.
    """

    name: str
    files: str
    terms: str
    read: Callable[[Path], Iterator[object | BadRow]]
