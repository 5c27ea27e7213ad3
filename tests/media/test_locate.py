import os
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from video_oasis.errors import SettingsError
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import LocatedVideo, Match, index_folder, locate_videos

NFC = unicodedata.normalize("NFC", "café é.mp4")
NFD = unicodedata.normalize("NFD", "café é.mp4")


@pytest.fixture
def videos(tmp_path: Path) -> Path:
    folder = tmp_path / "videos"
    folder.mkdir()
    return folder


def _put(folder: Path, *names: str) -> None:
    """Make files of which no two have the same content."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8", errors="surrogateescape")


def _put_images(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(3):
        Image.new("RGB", (8, 8), (number, 0, 0)).save(folder / f"{number}.jpg")


def _locate(folder: Path, *published: str) -> list[tuple[str, str]]:
    """Locate paths: what was found and how, or ``!`` and the kind of failure."""
    found = locate_videos(index_folder(folder), published)
    assert sorted(found) == sorted(set(published))
    results = [found[path] for path in published]
    return [
        ("!", each.kind)
        if isinstance(each, MediaFailure)
        else (each.path.relative_to(folder.resolve()).as_posix(), str(each.match))
        for each in results
    ]


def _fail(folder: Path, *published: str) -> str:
    """Give the message for the first path, which must fail."""
    failure = locate_videos(index_folder(folder), published)[published[0]]
    assert isinstance(failure, MediaFailure)
    return failure.message


@pytest.mark.parametrize(
    ("there", "published", "match"),
    [
        ("a.mp4", "a.mp4", Match.AS_PUBLISHED),
        ("deep/er/a.mp4", "deep/er/a.mp4", Match.AS_PUBLISHED),
        ("deep/a.mp4", "./deep//x/../a.mp4", Match.AS_PUBLISHED),
        ("deep/a.mp4", "deep\\a.mp4", Match.AS_PUBLISHED),
        ("-0aM99dMu_4.mp4", "-0aM99dMu_4.mp4", Match.AS_PUBLISHED),
        ("'A Bad Idea' ｜ Short.mp4", "'A Bad Idea' ｜ Short.mp4", Match.AS_PUBLISHED),
        ("v1.0 clip.mp4", "v1.0 clip", Match.AS_PUBLISHED),
        ("-0aM99dMu_4.webm", "-0aM99dMu_4", Match.AS_PUBLISHED),
        (NFD, NFC, Match.AS_PUBLISHED),
        (NFC, NFD, Match.AS_PUBLISHED),
        ("odd.xyz", "odd.xyz", Match.AS_PUBLISHED),
        ("a.MP4", "a.mp4", Match.OTHER_NAME),
        ("a.mp4", "a.MP4", Match.OTHER_NAME),
        ("a.mkv", "a.mp4", Match.OTHER_NAME),
        ("a", "a.mp4", Match.OTHER_NAME),
        ("The title [-0aM99dMu_4].webm", "-0aM99dMu_4.mp4", Match.OTHER_NAME),
        ("other/a.mp4", "a.mp4", Match.OTHER_FOLDER),
        ("a.mp4", "deep/er/a.mp4", Match.OTHER_FOLDER),
        ("release/deep/er/a.MP4", "deep/er/a.mp4", Match.OTHER_FOLDER),
        (f"other/{NFD}", NFC, Match.OTHER_FOLDER),
        ("CLIP_a.mp4", "clip_A.mp4", Match.OTHER_CASE),
        ("Deep/a.mp4", "deep/a.mp4", Match.OTHER_CASE),
    ],
)
def test_finds_videos_under_the_names_that_copies_have(
    videos: Path, there: str, published: str, match: Match
) -> None:
    _put(videos, there, "b.mp4", "a.json", "a.srt", "._a.mp4")
    found = locate_videos(index_folder(videos), [published])[published]
    assert isinstance(found, LocatedVideo)
    assert found.path.samefile(videos / there)
    assert found.match is match


def test_nearer_files_win(videos: Path) -> None:
    _put(videos, "p/a.mkv", "q/a.mp4", "A.MP4")
    assert _locate(videos, "p/a.mp4") == [("p/a.mkv", "other_name")]
    assert _locate(videos, "r/a.mp4") == [("q/a.mp4", "other_folder")]
    assert _locate(videos, "r/A.MP4") == [("A.MP4", "other_folder")]
    _put(videos, "p/a.mp4")
    assert _locate(videos, "p/a.mp4") == [("p/a.mp4", "as_published")]


def test_the_file_that_shares_more_of_the_folders_wins(videos: Path) -> None:
    _put(videos, "x/COIN/a.mp4", "x/NExT/a.mp4")
    assert _locate(videos, "v1/video/NExT/a.mp4") == [("x/NExT/a.mp4", "other_folder")]


def test_different_videos_that_fit_as_well_are_ambiguous(videos: Path) -> None:
    _put(videos, "p/a.mp4", "q/a.mp4")
    assert _locate(videos, "a.mp4") == [("!", "ambiguous")]
    message = _fail(videos, "a.mp4")
    assert "'p/a.mp4'" in message
    assert "'q/a.mp4'" in message


def test_copies_of_one_video_are_not_ambiguous(videos: Path) -> None:
    for name in ("p/a.mp4", "q/a.mp4"):
        _put(videos, name)
        (videos / name).write_bytes(b"the same")
    ((found, match),) = _locate(videos, "a.mp4")
    assert found in {"p/a.mp4", "q/a.mp4"}
    assert match == "other_folder"


def test_the_video_of_another_sample_is_never_taken(videos: Path) -> None:
    # MVBench and TVBench publish video_1.mp4 in several folders, and they are different videos.
    _put(videos, "perception/videos/video_1.mp4")
    published = ("clevrer/video_1.mp4", "perception/videos/video_1.mp4")
    assert _locate(videos, *published) == [
        ("!", "missing"),
        ("perception/videos/video_1.mp4", "as_published"),
    ]
    assert "'perception/videos/video_1.mp4'" in _fail(videos, *published)


def test_the_nearer_of_two_samples_takes_a_moved_video(videos: Path) -> None:
    _put(videos, "release/perception/video_1.mp4")
    assert _locate(videos, "clevrer/video_1.mp4", "perception/video_1.mp4") == [
        ("!", "missing"),
        ("release/perception/video_1.mp4", "other_folder"),
    ]


def test_one_file_that_two_samples_may_mean_is_nobodys(videos: Path) -> None:
    _put(videos, "video_1.mp4")
    published = ("clevrer/video_1.mp4", "perception/video_1.mp4")
    assert _locate(videos, *published) == [("!", "ambiguous")] * 2
    assert "'perception/video_1.mp4'" in _fail(videos, *published)


def test_one_video_published_with_and_without_its_extension(videos: Path) -> None:
    _put(videos, "a.mp4", "sub/b.mp4")
    assert _locate(videos, "a", "a.mp4") == [("a.mp4", "as_published")] * 2
    assert _locate(videos, "b", "b.mp4") == [("sub/b.mp4", "other_folder")] * 2


def test_extensions_tell_published_videos_apart(videos: Path) -> None:
    _put(videos, "a.mp4")
    assert _locate(videos, "a.webm", "a.mp4") == [("!", "missing"), ("a.mp4", "as_published")]
    assert _locate(videos, "a.webm", "a.avi") == [("!", "ambiguous")] * 2


def test_folders_of_images_are_videos(videos: Path) -> None:
    _put_images(videos / "tvqa/frames_fps3_hq/castle_clip_00")
    assert _locate(videos, "tvqa/frames_fps3_hq/castle_clip_00") == [
        ("tvqa/frames_fps3_hq/castle_clip_00", "as_published")
    ]
    assert _locate(videos, "frames/castle_clip_00.mp4") == [
        ("tvqa/frames_fps3_hq/castle_clip_00", "other_folder")
    ]


def test_a_video_in_a_folder_of_its_own_name_is_found(videos: Path) -> None:
    _put(videos, "a/a.mp4")
    assert _locate(videos, "a") == [("a/a.mp4", "other_folder")]


def test_a_folder_without_images_says_so(videos: Path) -> None:
    (videos / "clip").mkdir()
    assert _locate(videos, "clip") == [("!", "empty")]
    assert "without images" in _fail(videos, "clip")


def test_missing_videos_name_what_is_near(videos: Path) -> None:
    _put(videos, "sub/holiday_clip_01.mp4", "zebra.mp4")
    message = _fail(videos, "holiday_clip_02.mp4")
    assert "'sub/holiday_clip_01.mp4'" in message
    assert "zebra" not in message


@pytest.mark.parametrize(
    "published",
    [
        "../../etc/passwd",
        "..",
        ".",
        "a/../../outside.mp4",
        "/etc/passwd",
        "..\\..\\outside.mp4",
        "../videos2/a.mp4",
    ],
)
def test_paths_that_leave_the_folder_are_refused(videos: Path, published: str) -> None:
    _put(videos.parent, "outside.mp4", "videos2/a.mp4")
    _put(videos, "outside.mp4", "a.mp4", "passwd")
    assert _locate(videos, published) == [("!", "outside")]


def test_an_absolute_path_inside_the_folder_is_fine(videos: Path) -> None:
    _put(videos, "a.mp4")
    found = locate_videos(index_folder(videos), [str(videos / "a.mp4")])
    assert all(isinstance(each, LocatedVideo) for each in found.values())


def test_links_that_lead_out_are_not_followed(videos: Path) -> None:
    _put(videos.parent, "big/a.mp4", "big/clips/b.mp4")
    _put_images(videos.parent / "frames")
    (videos / "a.mp4").symlink_to(videos.parent / "big/a.mp4")
    (videos / "clips").symlink_to(videos.parent / "big/clips")
    (videos / "c").mkdir()
    (videos / "c/0.jpg").symlink_to(videos.parent / "frames/0.jpg")
    assert _locate(videos, "a.mp4", "clips/b.mp4", "sub/a.mp4", "c") == [("!", "outside")] * 4
    assert _locate(videos, "b.mp4") == [("!", "missing")]
    links = index_folder(videos).links_outside
    assert [path.name for path in links] == ["a.mp4", "0.jpg", "clips"]


def test_links_inside_the_folder_are_followed(videos: Path) -> None:
    # As the cache of huggingface_hub has them.
    _put(videos, "blobs/0123abcd", "real/b.mp4")
    (videos / "snapshots/main").mkdir(parents=True)
    (videos / "snapshots/main/a.mp4").symlink_to("../../blobs/0123abcd")
    (videos / "alias").symlink_to("real")
    assert _locate(videos, "a.mp4", "alias/b.mp4", "b.mp4") == [
        ("snapshots/main/a.mp4", "other_folder"),
        ("alias/b.mp4", "as_published"),
        ("!", "missing"),
    ]
    assert _locate(videos, "b.mp4") == [("real/b.mp4", "other_folder")]


def test_a_link_to_the_folder_itself_does_no_harm(tmp_path: Path, videos: Path) -> None:
    _put(videos, "a.mp4")
    (tmp_path / "link").symlink_to(videos)
    (videos / "self").symlink_to(videos)
    (videos / "loop.mp4").symlink_to("loop.mp4")
    (videos / "broken.mp4").symlink_to("nothing.mp4")
    found = _locate(tmp_path / "link", "a.mp4", "loop.mp4", "broken.mp4")
    assert found == [("a.mp4", "as_published"), ("!", "missing"), ("!", "missing")]


@pytest.mark.parametrize(
    "published", ["a\0b.mp4", "\ud800.mp4", "x" * 5000, "a/" * 3000 + "b", "a\nb\x1b[31m.mp4"]
)
def test_names_that_no_file_can_have_are_missing(videos: Path, published: str) -> None:
    _put(videos, "b.mp4")
    ((found, kind),) = _locate(videos, published)
    assert (found, kind) in {("!", "missing"), ("b.mp4", "other_folder")}


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes")
def test_names_that_are_no_text_are_found(videos: Path) -> None:
    name = os.fsdecode(b"caf\xe9.mp4")
    _put(videos, f"sub/{name}")
    assert _locate(videos, name) == [(f"sub/{name}", "other_folder")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_and_folders_without_permission_are_unreadable(videos: Path) -> None:
    _put(videos, "a.mp4", "closed/b.mp4")
    (videos / "a.mp4").chmod(0)
    (videos / "closed").chmod(0)
    try:
        assert _locate(videos, "a.mp4", "closed/b.mp4") == [("!", "unreadable")] * 2
        assert index_folder(videos).unreadable == (videos / "closed",)
    finally:
        (videos / "closed").chmod(0o700)


@pytest.mark.parametrize("name", ["nothing", "file.mp4"])
def test_there_must_be_a_folder(tmp_path: Path, name: str) -> None:
    _put(tmp_path, "file.mp4")
    with pytest.raises(SettingsError, match="expected the folder"):
        index_folder(tmp_path / name)


PARTS = st.sampled_from(["..", ".", "", "a", "A", "b", "a.mp4", "b.MKV", "out", "in", "/", "x.mp4"])


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links that lead out in several ways."""
    base = tmp_path_factory.mktemp("maze").resolve()
    _put(base, "outside/a.mp4", "outside/a/b.MKV", "a.mp4", "x.mp4")
    _put(base / "dir", "a/b.MKV", "b/a.mp4", "b/A.MP4")
    (base / "dir/out").symlink_to("../outside")
    (base / "dir/in").symlink_to("a")
    (base / "dir/x.mp4").symlink_to("../x.mp4")
    (base / "dir/a/out").symlink_to("../out")
    return base / "dir"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(PARTS, min_size=1, max_size=5).map("/".join).filter(bool), min_size=1))
def test_what_is_found_is_always_inside(maze: Path, published: list[str]) -> None:
    for path, found in locate_videos(index_folder(maze), published).items():
        if isinstance(found, LocatedVideo):
            assert maze in Path(os.path.realpath(found.path)).parents, path
            assert found.path.is_file()
