from collections.abc import Mapping
from pathlib import Path

from video_oasis.media.examine import Examined, examine_videos
from video_oasis.media.frames import MediaFailure
from video_oasis.media.workers import WorkerLimits

LIMITS = WorkerLimits(workers=2, time_seconds=60)


def test_examining_many_videos(clips: Mapping[str, Path], tmp_path: Path) -> None:
    missing = tmp_path / "gone.mp4"
    results = dict(examine_videos([clips["h264"], missing, clips["av1"]], LIMITS, decode=False))
    assert len(results) == 3
    assert results[clips["av1"]] == Examined(2.4)
    failure = results[missing]
    assert isinstance(failure, MediaFailure)
    assert failure.kind == "missing"
