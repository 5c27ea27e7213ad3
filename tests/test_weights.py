"""Weights are known by what they hold, and a name that stands for none is told."""

from pathlib import Path

import pytest

from video_oasis.errors import ModelUnavailable
from video_oasis.weights import find_commit, find_weights, hash_file, unreadable

MIB = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text("{}")
    (made / "model.safetensors").write_bytes(bytes(3 * MIB))
    return made


def change_middle(folder: Path) -> None:
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(3 * MIB // 2)
        file.write(b"x")


def test_only_all_bytes_tell_a_change_in_the_middle(folder: Path) -> None:
    ends, whole = find_weights("m", str(folder), ""), find_weights("m", str(folder), "", whole=True)
    assert ends.revision != whole.revision
    change_middle(folder)
    assert find_weights("m", str(folder), "") == ends
    assert find_weights("m", str(folder), "", whole=True).revision != whole.revision


def test_a_folder_is_known_by_its_content_wherever_it_lies(folder: Path) -> None:
    found = find_weights("m", str(folder), "", whole=True)
    (folder / "README.md").write_text("read by nobody")
    moved = folder.rename(folder.parent / "elsewhere")
    again = find_weights("m", str(moved), "", whole=True)
    assert (again.revision, again.name, again.commit) == (found.revision, "elsewhere", None)


def test_a_folder_without_its_configuration_is_told(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"model m: .* holds no open_clip_config\.json"):
        find_weights("m", str(folder), "", config="open_clip_config.json")
    with pytest.raises(ModelUnavailable, match="leave revision out"):
        find_weights("m", str(folder), "main")


def test_a_name_that_was_downloaded_before_means_that_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    commit = "0123456789abcdef0123456789abcdef01234567"
    snapshot = tmp_path / "models--owner--name" / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    (tmp_path / "models--owner--name" / "refs").mkdir()
    (tmp_path / "models--owner--name" / "refs" / "main").write_text(commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert find_commit("m", "owner/name", "main", "config.json") == commit
    found = find_weights("m", "owner/name", "")
    assert (found.name, found.revision, found.source, found.commit) == (
        "owner/name",
        commit,
        "owner/name",
        commit,
    )


def test_a_files_hash_is_its_sha256(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert hash_file(tmp_path / "abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_what_a_library_says_is_put_in_one_line() -> None:
    said = str(unreadable("m", "weights", ValueError("no\n  such thing")))
    assert said == "model m: its weights cannot be loaded: ValueError: no such thing"
