"""Which files of a data set are wanted, and how parts of archives go together."""

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.interface import Publication
from video_oasis.errors import BenchmarkError
from video_oasis.fetch.selection import ArchiveForm, HubFile, Listing, Selection, select_files

COMMIT = "0123456789" * 4


def select(publication: Publication, *paths: str) -> Selection:
    files = tuple(HubFile(path, 10, f"blob of {path}") for path in paths)
    return select_files(publication, Listing(publication.dataset, COMMIT, False, files))


def published(name: str) -> Publication:
    publication = BENCHMARKS[name].published
    assert publication is not None
    return publication


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if BENCHMARKS[name].group != "open"])
def test_every_benchmark_says_where_it_is_published(name: str) -> None:
    publication = published(name)
    assert publication.dataset.count("/") == 1
    assert publication.annotations
    assert bool(publication.videos) != publication.on_youtube


def test_egoschema_takes_the_subset_alone() -> None:
    selection = select(
        published("egoschema"),
        ".gitattributes", "GENERATION/test-00000-of-00001.parquet",
        "MC/test-00000-of-00001.parquet", "Subset/test-00000-of-00001.parquet",
        "videos_chunked_02.zip", "videos_chunked_01.zip",
    )  # fmt: skip
    assert [file.path for file in selection.annotations] == ["Subset/test-00000-of-00001.parquet"]
    assert [(each.path, each.stem, each.form, len(each.parts)) for each in selection.archives] == [
        ("videos_chunked_01.zip", "videos_chunked_01", ArchiveForm.ZIP, 1),
        ("videos_chunked_02.zip", "videos_chunked_02", ArchiveForm.ZIP, 1),
    ]
    assert selection.videos == ()


def test_tvbench_takes_questions_and_archives() -> None:
    selection = select(
        published("tvbench"),
        "README.md", "json/action_count.json", "json/action_antonym.json", "figs/fig1.png",
        "video/action_count.zip",
    )  # fmt: skip
    assert [file.path for file in selection.annotations] == [
        "json/action_antonym.json",
        "json/action_count.json",
    ]
    assert [archive.stem for archive in selection.archives] == ["action_count"]


def test_loose_videos_are_no_archives() -> None:
    selection = select(
        published("rtv-bench"), "QA.json", "videos/driving_cam/DrivingCam_001.mp4", "README.md"
    )
    assert [file.path for file in selection.videos] == ["videos/driving_cam/DrivingCam_001.mp4"]
    assert selection.archives == ()


@pytest.mark.parametrize(
    ("name", "questions", "parts", "stem"),
    [
        (
            "longvideobench",
            "lvb_val.json",
            ["videos.tar.part.aa", "videos.tar.part.ab"],
            "videos",
        ),
        (
            "longvideobench",
            "lvb_val.json",
            [f"videos.tar.part.{x}{y}" for x in "ab" for y in "abcdefghijklmnopqrstuvwxyz"],
            "videos",
        ),
        (
            "mlvu",
            "test-ground-truth/test_mcq_gt.json",
            [f"MLVU_Test/test_video.tar.gz.part-{each}" for each in "abcdefgh"],
            "test_video",
        ),
    ],
)
def test_parts_go_together_in_order(name: str, questions: str, parts: list[str], stem: str) -> None:
    (archive,) = select(published(name), questions, *reversed(parts)).archives
    assert [part.path for part in archive.parts] == parts
    assert (archive.stem, archive.form) == (stem, ArchiveForm.TAR)
    assert archive.size_bytes == 10 * len(parts)


@pytest.mark.parametrize(
    ("paths", "form"),
    [
        (["v.zip.001", "v.zip.002"], ArchiveForm.ZIP),
        (["v.zip.9", "v.zip.10", "v.zip.0", *(f"v.zip.{n}" for n in range(1, 9))], ArchiveForm.ZIP),
        (["v.tar.gz.00", "v.tar.gz.01"], ArchiveForm.TAR),
        (["v.tar.gz.aa", "v.tar.gz.ab"], ArchiveForm.TAR),
        (["v.tar.part1", "v.tar.part2"], ArchiveForm.TAR),
        (["v.tgz"], ArchiveForm.TAR),
    ],
)
def test_ways_of_splitting(paths: list[str], form: ArchiveForm) -> None:
    (archive,) = select(Publication("a/b", ("q.json",), ("v.*",)), "q.json", *paths).archives
    assert (archive.stem, archive.form, len(archive.parts)) == ("v", form, len(paths))


@pytest.mark.parametrize(
    "endings",
    [["aa", "ac"], ["ab", "ac"], ["002", "003"], ["001", "003"], ["aa", "001"], ["", "aa"]],
)
def test_a_missing_part_is_told(endings: list[str]) -> None:
    paths = [f"videos.tar.part.{ending}".removesuffix(".part.") for ending in endings]
    with pytest.raises(BenchmarkError, match=r"videos\.tar: it is split"):
        select(Publication("a/b", ("q.json",), ("videos.tar*",)), "q.json", *paths)


def test_what_should_be_there_and_is_not_is_told() -> None:
    with pytest.raises(BenchmarkError, match=r"no file fits test\.jsonl.*--revision"):
        select(published("vsi-bench"), "test-00000-of-00001.parquet", "scannet.zip")
    with pytest.raises(BenchmarkError, match=r"no file fits arkitscenes\.zip or scannet\.zip"):
        select(published("vsi-bench"), "test.jsonl")


def test_paths_of_the_hub_are_not_trusted() -> None:
    with pytest.raises(BenchmarkError, match=r"'\.\.'"):
        select(published("lvbench"), "../video_info.meta.jsonl")


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        (["one/v.zip", "two/v.zip"], "'v' comes twice"),
        (["one/v.zip", "two/V.zip"], "differ only in case"),
        (["...zip"], "leads out"),
        (["..zip"], "no name for a file"),
    ],
)
def test_every_archive_has_a_folder_of_its_own(paths: list[str], reason: str) -> None:
    with pytest.raises(BenchmarkError, match=f"a/b: the folders of its archives: .*{reason}"):
        select(Publication("a/b", ("q.json",), ("*.zip",)), "q.json", *paths)
