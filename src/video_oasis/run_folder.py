"""The folder of one run: where its files lie, and the lock that keeps it to one writer."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from video_oasis.errors import RunError


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder.

    Attributes:
        path: the folder; need not exist yet.
    """

    path: Path

    @property
    def settings(self) -> Path:
        """The settings as resolved."""
        return self.path / "audit.toml"

    @property
    def judging(self) -> Path:
        """The settings as resolved, of a run of open questions."""
        return self.path / "judging.toml"

    @property
    def answers(self) -> Path:
        """The stored answers."""
        return self.path / "answers.sqlite"

    @property
    def timelines(self) -> Path:
        """What came of the samples' videos."""
        return self.path / "timelines.parquet"

    @property
    def texts(self) -> Path:
        """What is said in the samples' clips, and their captions."""
        return self.path / "texts.parquet"

    @property
    def relevances(self) -> Path:
        """How relevant frames are to questions."""
        return self.path / "relevances.parquet"

    @property
    def artifacts(self) -> Path:
        """Transcripts and embeddings made of whole videos."""
        return self.path / "artifacts"

    @property
    def frames(self) -> Path:
        """The decoded frames, unless the settings keep them elsewhere."""
        return self.path / "frames"

    @property
    def distilled(self) -> Path:
        """The folder of the distilled set."""
        return self.path / "distilled"

    @property
    def categories(self) -> Path:
        """The folder of the samples' challenge categories."""
        return self.path / "categories"

    @property
    def judgements(self) -> Path:
        """What people decided about samples."""
        return self.path / "judgements.jsonl"

    @property
    def report(self) -> Path:
        """The folder of the report's files."""
        return self.path / "report"

    def refuse_other_kind(self, *, openly: bool) -> None:
        """Refuse a folder that holds a run of the other kind: their files would mix.

        Args:
            openly: whether open questions are asked.

        Raises:
            RunError: there is such a run.
        """
        if openly and self.settings.is_file():
            raise RunError(
                f"{self.path}: this is a run of an audit, which asks questions with choices; name "
                f"another folder with --out"
            )
        if not openly and self.judging.is_file():
            raise RunError(
                f"{self.path}: this is a run of open questions; go on with 'oasis judge "
                f"{self.path}', grade answers with 'oasis review {self.path}', or name another "
                f"folder with --out"
            )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Make the folder if need be and keep other processes from writing it meanwhile.

        The lock is the operating system's: it ends with the process, however that ends.

        Raises:
            RunError: another process holds it, or the folder cannot be made or written.
        """
        file = self.path / "run.lock"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunError(
                f"{self.path}: cannot be used as a run folder ({error.strerror}); name another "
                f"with --out"
            ) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(handle, 32).decode("ascii", "replace").strip() or "unknown"
                raise RunError(
                    f"{self.path}: another process (pid {holder}) is writing this run; wait for "
                    f"it, stop it, or name another folder with --out"
                ) from None
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
            yield
        finally:
            os.close(handle)
