"""The run folder: made when needed, one writer at a time, free again after any end."""

from pathlib import Path

import pytest

from video_oasis.errors import RunError
from video_oasis.run_folder import RunFolder


def test_the_lock_makes_the_folder_and_ends_with_its_block(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "a" / "b")
    with folder.lock(), pytest.raises(RunError, match="another process"), folder.lock():
        pass
    with folder.lock():
        assert folder.path.is_dir()


def test_a_path_that_cannot_be_a_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(RunError, match="cannot be used as a run folder"),
        RunFolder(tmp_path / "file").lock(),
    ):
        pass
