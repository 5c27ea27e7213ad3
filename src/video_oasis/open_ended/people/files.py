"""Where a run keeps what people grade, and the file of the answers chosen for it."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import RunError
from video_oasis.open_ended.people.sampling import ChosenPair, Stratum
from video_oasis.schema import Video
from video_oasis.whole_file import write_whole

_CHOOSE_ANEW: Final = (
    "Move the file away and choose anew with 'oasis judge RUN --people N'; what people said is "
    "kept elsewhere"
)


@dataclass(frozen=True, slots=True)
class PeopleFiles:
    """The files of what people grade.

    Attributes:
        run: the run folder.
    """

    run: Path

    @property
    def sample(self) -> Path:
        """The answers chosen to be graded."""
        return self.run / "people" / "sample.jsonl"

    @property
    def grades(self) -> Path:
        """What people say of them."""
        return self.run / "people" / "grades.jsonl"


def write_chosen(file: Path, chosen: Iterable[ChosenPair]) -> None:
    """Write the chosen answers, one line each.

    Raises:
        RunError: the file cannot be written.
    """
    lines = "".join(json.dumps(_to_row(each), ensure_ascii=False) + "\n" for each in chosen)
    try:
        write_whole(file, lines.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{file}: cannot be written ({error.strerror})") from error


def read_chosen(file: Path) -> tuple[ChosenPair, ...]:
    """Read the chosen answers; none if there is no file.

    Raises:
        RunError: the file cannot be read, or a line is no chosen answer.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="surrogatepass")
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise RunError(f"{file}: cannot be read ({error}). {_CHOOSE_ANEW}") from error
    chosen = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line:
            try:
                chosen.append(_from_row(json.loads(line)))
            except (ValueError, TypeError, KeyError) as error:
                raise RunError(
                    f"{file} line {number}: no chosen answer ({error}). {_CHOOSE_ANEW}"
                ) from error
    return tuple(chosen)


def _to_row(chosen: ChosenPair) -> dict[str, Any]:
    return asdict(chosen) | {"file": None if chosen.file is None else str(chosen.file)}


def _from_row(row: Any) -> ChosenPair:
    return ChosenPair(
        **{
            **row,
            "video": Video(**row["video"]),
            "file": None if row["file"] is None else Path(row["file"]),
            "stratum": Stratum(row["stratum"]),
        }
    )
