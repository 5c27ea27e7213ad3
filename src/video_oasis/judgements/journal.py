"""The file of a run's judgements: append-only, one line each, on disk before ``append`` returns."""

from collections.abc import Iterable
from pathlib import Path

from video_oasis.growing_file import GrowingFile
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.rows import parse_judgement


class Journal(GrowingFile[Judgement]):
    """The judgements of a run."""

    def __init__(self, path: Path) -> None:
        """Name the file; it need not exist yet."""
        super().__init__(path, parse=parse_judgement, to_plain=Judgement.plain, what="judgement")

    def append_new(self, judgements: Iterable[Judgement]) -> int:
        """Write those of the judgements that the file does not hold yet.

        Returns:
            How many there were.

        Raises:
            RunError: the file is damaged or cannot be written.
        """

        def list_new(held: tuple[Judgement, ...]) -> list[Judgement]:
            known = set(held)
            return [each for each in dict.fromkeys(judgements) if each not in known]

        return len(self.append_after(list_new))

    def read(self) -> tuple[Judgement, ...]:
        """Read every judgement once, in the order written; none if there is no file.

        Raises:
            RunError: the file cannot be read, or a line is no judgement.
        """
        return tuple(dict.fromkeys(super().read()))
