from collections.abc import Callable
from pathlib import Path

import pytest

from video_oasis.errors import SettingsError
from video_oasis.media.frames import MediaFailure
from video_oasis.schema import (
    METADATA_SUBTITLES_PATH,
    METADATA_SUBTITLES_START,
    Sample,
    Video,
)
from video_oasis.speech.locate import index_transcripts, locate_transcripts

MakeSample = Callable[..., Sample]


@pytest.fixture
def locate(make_sample: MakeSample, tmp_path: Path) -> Callable[..., list[str]]:
    """Locate the transcripts of videos: the file, or ``!`` and the kind of failure."""

    def run(*videos: str) -> list[str]:
        samples = [make_sample(id=video, video=Video(video)) for video in videos]
        found = locate_transcripts(index_transcripts(tmp_path / "t"), samples)
        return [
            f"!{each.kind}"
            if isinstance(each, MediaFailure)
            else each.path.relative_to(tmp_path.resolve() / "t").as_posix()
            for each in (found[video] for video in videos)
        ]

    return run


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., None]:
    (tmp_path / "t").mkdir()

    def write(*names: str, content: str | None = None) -> None:
        for name in names:
            path = tmp_path / "t" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name if content is None else content)

    return write


@pytest.mark.parametrize(
    "name",
    [
        "a b.mp4.mp3.json",
        "a b.mp4.json",
        "a b.srt",
        "A B.SRT",
        "a b.vtt",
        "a b.en.vtt",
        "a b.zh-Hans.srt",
        "deep/er/a b.json",
    ],
)
def test_names_as_published(
    put: Callable[..., None], locate: Callable[..., list[str]], name: str
) -> None:
    put(name, "other.srt", "a b.txt")
    assert locate("videos/a b.mp4", "videos/a.mp4") == [name, "!transcript_missing"]


def test_a_youtube_id_in_brackets(
    put: Callable[..., None], locate: Callable[..., list[str]]
) -> None:
    put("A title [dQw-4w9W_XQ].en.vtt")
    assert locate("dQw-4w9W_XQ.mp4") == ["A title [dQw-4w9W_XQ].en.vtt"]


def test_the_nearer_name_and_the_published_folder_win(
    put: Callable[..., None], locate: Callable[..., list[str]]
) -> None:
    put("v.mp4.mp3.json", "v.srt", "x/w.srt", "y/w.srt")
    assert locate("v.mp4", "y/w.mp4") == ["v.mp4.mp3.json", "y/w.srt"]


def test_different_files_that_fit_as_well_are_a_failure(
    put: Callable[..., None], locate: Callable[..., list[str]]
) -> None:
    put("v.srt", "v.vtt")
    assert locate("v.mp4") == ["!transcript_ambiguous"]


def test_copies_are_one_file(put: Callable[..., None], locate: Callable[..., list[str]]) -> None:
    put("a/v.srt", "b/v.srt", content="same")
    assert locate("v.mp4") == ["a/v.srt"]


def test_one_file_for_two_videos_is_a_failure(
    put: Callable[..., None], locate: Callable[..., list[str]]
) -> None:
    put("v.mp4.mp3.json", "one/w.srt")
    assert locate("one/v.mp4", "two/v.mp4") == ["!transcript_ambiguous"] * 2
    assert locate("one/w.mp4", "two/w.mp4") == ["one/w.srt", "!transcript_missing"]


def test_links_out_of_the_folder_are_not_followed(
    put: Callable[..., None], locate: Callable[..., list[str]], tmp_path: Path
) -> None:
    put("u.srt")
    (tmp_path / "v.srt").write_text("outside")
    (tmp_path / "t" / "v.srt").symlink_to(tmp_path / "v.srt")
    assert locate("v.mp4", "../v.mp4") == ["!transcript_missing"] * 2


def test_subtitles_a_sample_names(
    put: Callable[..., None], make_sample: MakeSample, tmp_path: Path
) -> None:
    put("subtitles/v_en.json", "w.mp4.mp3.json")

    def sample(video: str, path: str, start: float) -> Sample:
        metadata = {METADATA_SUBTITLES_PATH: path, METADATA_SUBTITLES_START: start}
        return make_sample(id=f"{video}{path}", video=Video(video), metadata=metadata)

    located = locate_transcripts(
        index_transcripts(tmp_path / "t"),
        [
            sample("v.mp4", "v_en.json", 90.5),
            sample("w.mp4", "w_en.json", 90.5),
            sample("x.mp4", "../x_en.json", 0.0),
            sample("y.mp4", "v_en.json", 0.0),
            sample("y.mp4", "y_en.json", 0.0),
        ],
    )
    found = {
        video: (each.kind, 0.0)
        if isinstance(each, MediaFailure)
        else (each.path.name, each.start_seconds)
        for video, each in located.items()
    }
    # The transcript of the clip itself starts where the clip does.
    assert found == {
        "v.mp4": ("v_en.json", 90.5),
        "w.mp4": ("w.mp4.mp3.json", 0.0),
        "x.mp4": ("transcript_outside", 0.0),
        "y.mp4": ("transcript_ambiguous", 0.0),
    }


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="nothing is there"):
        index_transcripts(tmp_path / "none")
