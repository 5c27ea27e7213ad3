"""Archives, sound and crafted, are unpacked whole inside one folder or not at all."""

import gzip
import io
import itertools
import os
import stat
import struct
import tarfile
import zipfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.fetch import unpack
from video_oasis.fetch.selection import ArchiveForm
from video_oasis.fetch.unpack import Unpacked, is_unpacked, unpack_archive

CONTENTS = {"v.zip": "blob1"}
CLIP = bytes(range(256)) * 40
"""The content of most members: 10,240 bytes."""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Unpacked]:
    """Unpack files of an archive to ``videos/v``, and say what was written where."""

    def unpack_parts(*parts: Path, form: ArchiveForm, **changes: Any) -> Unpacked:
        arguments: dict[str, Any] = {
            "target": tmp_path / "out/videos/v",
            "staging": tmp_path / "out/.unpacking",
            "contents": CONTENTS,
            "listener": lambda *_: None,
        }
        return unpack_archive("v.x", form, parts, **arguments | changes)

    return unpack_parts


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A file that crafted archives aim at; it must stay as it is."""
    file = tmp_path / "outside.mp4"
    file.write_bytes(b"mine")
    yield file
    assert file.read_bytes() == b"mine"
    # Nothing lies beside it but the archive and the folder that is unpacked to.
    assert {path.name for path in tmp_path.iterdir()} <= {"outside.mp4", "v.x", "out"}
    assert list_files(tmp_path / "out") == {}


def make_zip(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def make_tar(path: Path, *members: tuple[str | tarfile.TarInfo, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for member, content in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return path


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def list_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != unpack.MARKER_NAME
    }


@pytest.mark.parametrize("top", ["", "v/", "other/"])
@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_sound_archives_are_unpacked(
    run: Callable[..., Unpacked], tmp_path: Path, kind: str, top: str
) -> None:
    members = ((f"{top}a.mp4", CLIP), (f"{top}sub/b c.mp4", b""))
    path = tmp_path / "v.x"
    if kind == "zip":
        make_zip(path, (f"{top}sub/", b""), *members)
    else:
        folder = special(f"./{top}", tarfile.DIRTYPE)
        make_tar(path, (folder, b""), *members, mode="w:gz" if kind == "tar.gz" else "w")
    form = ArchiveForm(kind[:3])
    assert run(path, form=form) == Unpacked(CONTENTS, n_files=2, n_bytes=10_240)
    target = tmp_path / "out/videos/v"
    inner = "other/" if top == "other/" else ""
    assert list_files(target) == {f"{inner}a.mp4": CLIP, f"{inner}sub/b c.mp4": b""}
    assert is_unpacked(target, CONTENTS)
    assert not is_unpacked(target, {"v.zip": "blob2"})
    assert list((tmp_path / "out/.unpacking").iterdir()) == []


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_split_archives_are_read_as_one(
    run: Callable[..., Unpacked], tmp_path: Path, kind: str
) -> None:
    noise = os.urandom(50_000)
    members = (("a.mp4", noise), ("b.mp4", CLIP))
    whole = tmp_path / "whole"
    if kind == "zip":
        make_zip(whole, *members)
    else:
        make_tar(whole, *members, mode="w:gz" if kind == "tar.gz" else "w")
    content = whole.read_bytes()
    ends = [0, 1, 7_000, 7_000, 40_000, len(content)]
    parts = []
    for number, (start, end) in enumerate(itertools.pairwise(ends)):
        parts.append(tmp_path / f"part{number}")
        parts[-1].write_bytes(content[start:end])
    run(*parts, form=ArchiveForm(kind[:3]))
    assert list_files(tmp_path / "out/videos/v") == dict(members)


def test_damage_done_later_is_seen(run: Callable[..., Unpacked], tmp_path: Path) -> None:
    path = make_zip(tmp_path / "v.x", ("a.mp4", CLIP), ("b.mp4", CLIP))
    run(path, form=ArchiveForm.ZIP)
    target = tmp_path / "out/videos/v"
    (target / "a.mp4").unlink()
    assert not is_unpacked(target, CONTENTS)
    run(path, form=ArchiveForm.ZIP)
    assert is_unpacked(target, CONTENTS)


def test_a_killed_unpacking_is_taken_up(
    run: Callable[..., Unpacked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_tar(tmp_path / "v.x", *((f"{name}.mp4", CLIP) for name in "abc"))
    written: list[int] = []
    copy = unpack._copy

    def die_in_the_second(content: Any, out: Any, *, most_bytes: int) -> int:
        written.append(most_bytes)
        if len(written) == 2:
            out.write(content.read(100))
            out.flush()
            raise KeyboardInterrupt
        return copy(content, out, most_bytes=most_bytes)

    monkeypatch.setattr(unpack, "_copy", die_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        run(path, form=ArchiveForm.TAR)
    assert not (tmp_path / "out/videos").exists()
    run(path, form=ArchiveForm.TAR)
    # The first member is not written again.
    assert len(written) == 4
    assert list_files(tmp_path / "out/videos/v") == {f"{name}.mp4": CLIP for name in "abc"}


def test_a_new_version_takes_the_place_of_the_old(
    run: Callable[..., Unpacked], tmp_path: Path
) -> None:
    run(make_zip(tmp_path / "v.x", ("old.mp4", CLIP)), form=ArchiveForm.ZIP)
    new = {"v.zip": "blob2"}
    run(make_zip(tmp_path / "v.x", ("new.mp4", b"1")), form=ArchiveForm.ZIP, contents=new)
    assert list_files(tmp_path / "out/videos/v") == {"new.mp4": b"1"}


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_somebody_else_put_there_stays(
    run: Callable[..., Unpacked], tmp_path: Path, kind: str
) -> None:
    target = tmp_path / "out/videos/v"
    mine = target
    if kind == "link":
        mine = tmp_path / "mine"
        target.parent.mkdir(parents=True)
        target.symlink_to(mine)
    mine.mkdir(parents=True)
    (mine / "mine.mp4").write_bytes(b"mine")
    path = make_zip(tmp_path / "v.x", ("a.mp4", CLIP))
    with pytest.raises(BenchmarkError, match="is there already, and not from"):
        run(path, form=ArchiveForm.ZIP)
    assert list_files(mine) == {"mine.mp4": b"mine"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../outside.mp4", r"'\.\./outside\.mp4' leads out"),
        ("sub/../../../../outside.mp4", "leads out"),
        ("C:/outside.mp4", "absolute"),
        ("..\\outside.mp4", "backslash"),
        (unpack.MARKER_NAME, "used by this program"),
    ],
)
@pytest.mark.parametrize("form", ArchiveForm)
def test_names_that_lead_elsewhere(
    run: Callable[..., Unpacked],
    outside: Path,
    form: ArchiveForm,
    name: str,
    reason: str,
) -> None:
    path = outside.with_name("v.x")
    members = (("good.mp4", CLIP), (name, b"hostile"))
    make_zip(path, *members) if form is ArchiveForm.ZIP else make_tar(path, *members)
    with pytest.raises(BenchmarkError, match=reason) as refused:
        run(path, form=form)
    assert str(refused.value).startswith("v.x: ")


@pytest.mark.parametrize("form", ArchiveForm)
def test_absolute_names(run: Callable[..., Unpacked], outside: Path, form: ArchiveForm) -> None:
    path = outside.with_name("v.x")
    members = ((str(outside), b"hostile"),)
    make_zip(path, *members) if form is ArchiveForm.ZIP else make_tar(path, *members)
    with pytest.raises(BenchmarkError, match="absolute path"):
        run(path, form=form)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("a.mp4", "a.mp4", "comes twice"),
        ("a.mp4", "A.mp4", "differ only in case"),
        ("caf\u00e9.mp4", "cafe\u0301.mp4", "Unicode form"),
        ("a.mp4", "a.mp4/b.mp4", "both a file and a folder"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("form", ArchiveForm)
def test_names_that_collide(
    run: Callable[..., Unpacked],
    outside: Path,
    form: ArchiveForm,
    first: str,
    second: str,
    reason: str,
) -> None:
    path = outside.with_name("v.x")
    members = ((first, CLIP), (second, b"x"))
    make_zip(path, *members) if form is ArchiveForm.ZIP else make_tar(path, *members)
    with pytest.raises(BenchmarkError, match=reason):
        run(path, form=form)


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.SYMTYPE, "../../../../outside.mp4"),
        (tarfile.SYMTYPE, "/"),
        (tarfile.SYMTYPE, "good.mp4"),
        (tarfile.LNKTYPE, "../outside.mp4"),
        (tarfile.LNKTYPE, "good.mp4"),
    ],
)
def test_links_in_tar(
    run: Callable[..., Unpacked], outside: Path, kind: bytes, target: str
) -> None:
    # What goes through the link would land outside.
    path = make_tar(
        outside.with_name("v.x"),
        ("good.mp4", CLIP), (special("way", kind, target), b""), ("way/outside.mp4", b"hostile"),
    )  # fmt: skip
    with pytest.raises(BenchmarkError, match="'way' is a link"):
        run(path, form=ArchiveForm.TAR)


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"Z"])
def test_special_files_in_tar(run: Callable[..., Unpacked], outside: Path, kind: bytes) -> None:
    path = make_tar(outside.with_name("v.x"), (special("dev", kind), b""), ("a.mp4", CLIP))
    with pytest.raises(BenchmarkError, match="'dev' is a device or another special file"):
        run(path, form=ArchiveForm.TAR)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [(stat.S_IFLNK, "is a link"), (stat.S_IFIFO, "special file"), (stat.S_IFCHR, "special file")],
)
def test_links_and_special_files_in_zip(
    run: Callable[..., Unpacked], outside: Path, mode: int, reason: str
) -> None:
    info = zipfile.ZipInfo("way")
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    path = make_zip(outside.with_name("v.x"), ("a.mp4", CLIP), (info, b"../../../outside.mp4"))
    with pytest.raises(BenchmarkError, match=f"'way' {reason}|'way' is a device"):
        run(path, form=ArchiveForm.ZIP)


def test_a_link_put_into_the_staging_folder_is_not_followed(
    run: Callable[..., Unpacked], outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_tar(outside.with_name("v.x"), ("a.mp4", CLIP), ("sub/outside.mp4", b"hostile"))
    copy = unpack._copy

    def plant(content: Any, out: Any, *, most_bytes: int) -> int:
        n_bytes = copy(content, out, most_bytes=most_bytes)
        (folder,) = (outside.parent / "out/.unpacking").iterdir()
        (folder / "files/sub").symlink_to(outside.parent)
        return n_bytes

    monkeypatch.setattr(unpack, "_copy", plant)
    with pytest.raises(BenchmarkError, match="a link, made by somebody else"):
        run(path, form=ArchiveForm.TAR)


def test_encrypted_members(run: Callable[..., Unpacked], outside: Path) -> None:
    path = make_zip(outside.with_name("v.x"), ("a.mp4", CLIP))
    content = bytearray(path.read_bytes())
    # The flag bits stand 6 bytes into a local header and 8 into a directory's entry.
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match=r"v\.x: 'a\.mp4' is encrypted"):
        run(path, form=ArchiveForm.ZIP)


def test_unknown_compression(run: Callable[..., Unpacked], outside: Path) -> None:
    path = make_zip(outside.with_name("v.x"), ("a.mp4", CLIP))
    content = bytearray(path.read_bytes())
    content[8] = content[content.index(b"PK\x01\x02") + 10] = 97
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match="damaged, cut off or of an unknown kind"):
        run(path, form=ArchiveForm.ZIP)


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_cut_archives(run: Callable[..., Unpacked], outside: Path, kind: str, share: float) -> None:
    path = outside.with_name("v.x")
    members = tuple((f"{name}.mp4", os.urandom(20_000)) for name in "abc")
    if kind == "zip":
        make_zip(path, *members)
    else:
        make_tar(path, *members, mode="w:gz" if kind == "tar.gz" else "w")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(BenchmarkError, match=r"v\.x: .*damaged, cut off"):
        run(path, form=ArchiveForm(kind[:3]))


@pytest.mark.parametrize("kind", ["tar", "tar.gz"])
def test_a_tar_cut_between_members_is_not_taken_for_whole(
    run: Callable[..., Unpacked], outside: Path, kind: str
) -> None:
    path = make_tar(outside.with_name("v.x"), ("a.mp4", CLIP), ("b.mp4", CLIP))
    # A header of 512 bytes and 20 blocks of content.
    content = path.read_bytes()[: 512 + 10_240]
    path.write_bytes(gzip.compress(content) if kind == "tar.gz" else content)
    with pytest.raises(BenchmarkError, match="without an end mark"):
        run(path, form=ArchiveForm.TAR)


def test_a_tar_with_a_part_missing_in_the_middle(
    run: Callable[..., Unpacked], outside: Path
) -> None:
    members = tuple((f"{name}.mp4", os.urandom(10_240)) for name in "abcd")
    path = make_tar(outside.with_name("v.x"), *members)
    content = path.read_bytes()
    path.write_bytes(content[: 512 + 10_240] + content[2 * (512 + 10_240) + 700 :])
    with pytest.raises(BenchmarkError, match="a damaged header"):
        run(path, form=ArchiveForm.TAR)


def test_changed_content_of_a_zip_is_found(run: Callable[..., Unpacked], outside: Path) -> None:
    path = make_zip(outside.with_name("v.x"), ("a.mp4", CLIP))
    content = bytearray(path.read_bytes())
    content[1_000] ^= 1
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match="Bad CRC-32"):
        run(path, form=ArchiveForm.ZIP)


def test_a_zip_that_says_too_small_a_size(run: Callable[..., Unpacked], outside: Path) -> None:
    path = outside.with_name("v.x")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mp4", bytes(20_000_000))
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    struct.pack_into("<I", content, entry + 24, 1_000)
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match="Bad CRC-32"):
        run(path, form=ArchiveForm.ZIP)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_bombs(run: Callable[..., Unpacked], outside: Path, kind: str) -> None:
    path = outside.with_name("v.x")
    # 8 files of 8 MB, in an archive of some 64 kB: 1,000 times its size.
    zeros = bytes(8_000_000)
    members = tuple((f"{number}.mp4", zeros) for number in range(8))
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                archive.writestr(name, content)
    else:
        make_tar(path, *members, mode="w:gz")
    with pytest.raises(BenchmarkError, match=r"'2\.mp4' is said to be 8000000 bytes long"):
        run(path, form=ArchiveForm(kind[:3]))


def test_absurd_declared_sizes_in_tar(run: Callable[..., Unpacked], outside: Path) -> None:
    info = tarfile.TarInfo("a.mp4")
    info.size = 2**62
    header = info.tobuf(tarfile.GNU_FORMAT)
    path = outside.with_name("v.x")
    path.write_bytes(header + CLIP)
    with pytest.raises(BenchmarkError, match=f"'a.mp4' is said to be {2**62} bytes long"):
        run(path, form=ArchiveForm.TAR)
    info.size = -(2**40)
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + CLIP)
    with pytest.raises(BenchmarkError):
        run(path, form=ArchiveForm.TAR)


def test_huge_headers_are_not_read_into_memory(run: Callable[..., Unpacked], outside: Path) -> None:
    info = special("x", tarfile.XHDTYPE)
    info.size = 1 << 40
    path = outside.with_name("v.x")
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + CLIP)
    with pytest.raises(BenchmarkError, match=f"a header of {1 << 40} bytes"):
        run(path, form=ArchiveForm.TAR)


def test_sparse_members(run: Callable[..., Unpacked], outside: Path) -> None:
    info = special("a.mp4", tarfile.GNUTYPE_SPARSE)
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[386:398] = header[398:410] = b"00000000000\0"
    header[483:495] = b"%011o\0" % 2**32
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    path = outside.with_name("v.x")
    path.write_bytes(bytes(header) + bytes(1024))
    with pytest.raises(BenchmarkError, match=r"'a\.mp4' is a device or another special file"):
        run(path, form=ArchiveForm.TAR)


def test_members_larger_than_the_free_disk(
    run: Callable[..., Unpacked], outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    free_bytes = unpack._SPARE_DISK_BYTES + len(CLIP) - 1
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, free_bytes))
    path = make_zip(outside.with_name("v.x"), ("a.mp4", CLIP))
    with pytest.raises(BenchmarkError, match=f"10240 bytes long, and {free_bytes} are free"):
        run(path, form=ArchiveForm.ZIP)


def test_an_archive_without_files(run: Callable[..., Unpacked], outside: Path) -> None:
    path = make_zip(outside.with_name("v.x"), ("folder/", b""))
    with pytest.raises(BenchmarkError, match="no file in it"):
        run(path, form=ArchiveForm.ZIP)
