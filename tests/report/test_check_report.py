import json
from pathlib import Path

from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import Match
from video_oasis.report.check_report import to_plain_data, to_text
from video_oasis.video_check import BenchmarkCheck, SampleCheck, VideoCheck

ROOT = Path("/videos")


def _found(number: int, match: Match = Match.AS_PUBLISHED) -> SampleCheck:
    return SampleCheck(f"f{number}", f"{number}.mp4", ROOT / f"{number}.mp4", match)


def _missing(number: int, video: str) -> SampleCheck:
    failure = MediaFailure("missing", f"{video!r}: not there")
    return SampleCheck(f"m{number}", video, failure=failure)


CHECK = VideoCheck(
    root=ROOT,
    is_decoded=True,
    benchmarks=(
        BenchmarkCheck(
            "bench",
            (
                *(_found(number) for number in range(1000)),
                _found(1000, Match.OTHER_CASE),
                *(_missing(number, f"v{number // 2}.mp4") for number in range(8)),
                SampleCheck(
                    "bad\x1b[31m\udcff",
                    "x.mp4",
                    ROOT / "x\udcff.mp4",
                    Match.OTHER_FOLDER,
                    MediaFailure("empty", "/videos/x\udcff.mp4: the file is empty\n"),
                ),
            ),
        ),
    ),
    links_outside=(ROOT / "one", ROOT / "two"),
    unreadable=(),
)


def test_the_text_counts_samples_before_and_after() -> None:
    assert to_text(CHECK) == (
        "bench: 1,010 samples, 1,001 with video, 9 without\n"
        "  found, but not as published: 1 other case\n"
        "  without video: empty, 1 sample on 1 video\n"
        "    bad\\x1b[31m\\udcff: /videos/x\\udcff.mp4: the file is empty\\n\n"
        "  without video: missing, 8 samples on 4 videos\n"
        "    m0 and 1 more: 'v0.mp4': not there\n"
        "    m2 and 1 more: 'v1.mp4': not there\n"
        "    m4 and 1 more: 'v2.mp4': not there\n"
        "    … and 1 more\n"
        "\n"
        "Searched: /videos. Of each video all frames were tried.\n"
        "Links that lead out of it, not followed: /videos/one and 1 more\n"
    )


def test_plain_data_holds_every_sample_and_can_be_printed() -> None:
    text = json.dumps(to_plain_data(CHECK), ensure_ascii=False)
    (benchmark,) = json.loads(text.encode("utf-8"))["benchmarks"]
    assert len(benchmark["samples"]) == benchmark["n_samples"] == 1010
    assert (benchmark["n_with_video"], benchmark["n_without_video"]) == (1001, 9)
    assert benchmark["failures"] == {"empty": 1, "missing": 8}
    assert benchmark["matches"] == {"as_published": 1000, "other_case": 1, "other_folder": 1}
    assert benchmark["samples"][-1]["path"] == "x\\udcff.mp4"
