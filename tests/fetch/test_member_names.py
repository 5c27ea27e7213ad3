"""Names from outside: which are taken, and which are refused for what."""

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.fetch.member_names import MemberNames


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a.mp4", ("a.mp4",)),
        ("./videos//a b.mp4", ("videos", "a b.mp4")),
        ("-dash/..double.mp4", ("-dash", "..double.mp4")),
        ("घर - HD 2024.f137.mp4", ("घर - HD 2024.f137.mp4",)),
        ("Scene 1: d.mp4", ("Scene 1: d.mp4",)),
        ("é" * 127, ("é" * 127,)),
    ],
)
def test_plain_names_are_split(name: str, parts: tuple[str, ...]) -> None:
    assert MemberNames("x.zip").add(name, is_folder=False) == parts


def test_a_folder_may_come_again_and_may_be_the_top() -> None:
    names = MemberNames("x.tar")
    assert names.add("./", is_folder=True) == ()
    assert names.add("a/", is_folder=True) == ("a",)
    assert names.add("a/b/c.mp4", is_folder=False) == ("a", "b", "c.mp4")
    assert names.add("a/b/", is_folder=True) == ("a", "b")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/etc/passwd", "absolute path"),
        ("C:/x.mp4", "absolute path"),
        ("c:x.mp4", "absolute path"),
        ("../x.mp4", "'..'"),
        ("a/../../x.mp4", "'..'"),
        ("a/..", "'..'"),
        ("..\\x.mp4", "backslash"),
        ("a\x00.mp4", "control character"),
        ("a\n.mp4", "control character"),
        ("a\udcff.mp4", "UTF-8"),
        ("a/" + "é" * 128, "256 bytes"),
        ("", "no name"),
        ("./", "no name"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str, reason: str) -> None:
    with pytest.raises(BenchmarkError, match=reason) as refused:
        MemberNames("x.zip").add(name, is_folder=False)
    assert str(refused.value).startswith(f"x.zip: {name!r}")


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("a.mp4", "a.mp4", "comes twice"),
        ("a.mp4", "./a.mp4", "comes twice"),
        ("a.mp4", "A.MP4", "differ only in case"),
        ("a/x.mp4", "A/y.mp4", "differ only in case"),
        ("straße.mp4", "STRASSE.mp4", "differ only in case"),
        ("caf\u00e9.mp4", "cafe\u0301.mp4", "differ only in case or Unicode"),
        ("a", "a/b.mp4", "both a file and a folder"),
        ("a/b.mp4", "a", "both a file and a folder"),
    ],
)
def test_names_that_collide_are_refused(first: str, second: str, reason: str) -> None:
    names = MemberNames("x.zip")
    names.add(first, is_folder=False)
    with pytest.raises(BenchmarkError, match=reason):
        names.add(second, is_folder=False)
