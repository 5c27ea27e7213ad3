"""The identity of a model holds what changes its answers, and costs no loading."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.models.transformers import open_model

BuildModel = Callable[[str], Path]


def describe(folder: Path, **settings: Any) -> dict[str, Any]:
    return dict(open_model(str(folder), ModelSettings(**settings)).describe())


def test_it_holds_what_changes_answers(build_model: BuildModel) -> None:
    folder = build_model("qwen2.5-vl")
    described = describe(
        folder,
        seed=3,
        temperature=0.5,
        frames_as=FramesAs.IMAGES,
        processor={"max_pixels": 200_000},
        dtype="float32",
        batch_size=4,
        device_map="cpu",
    )
    assert described.pop("revision").startswith("weights1-")
    assert described == {
        "backend": "transformers",
        "model": "qwen2.5-vl",
        "dtype": "float32",
        "frames_as": "images",
        "processor": {"max_pixels": 200_000},
        "output": "text",
        "temperature": 0.5,
        "max_tokens": 1024,
        "seed": 3,
        "versions": {name: version(name) for name in ("torch", "torchvision", "transformers")},
    }
    assert describe(folder, batch_size=2, temperature=None) == describe(folder)
    assert describe(folder, output=Output.LOGPROBS)["max_tokens"] == 1


def test_other_content_is_another_model_and_another_place_is_not(
    build_model: BuildModel, copy_model: BuildModel
) -> None:
    folder = copy_model("smolvlm")
    original = describe(build_model("smolvlm"))
    assert describe(folder) == original
    (folder / "README.md").write_text("read by nobody")
    assert describe(folder) == original
    weights = folder / "model.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    changed = describe(folder)
    assert changed["revision"] != original["revision"]
    weights.write_bytes(content)
    assert describe(folder) == original
    template = folder / "chat_template.jinja"
    template.write_text(template.read_text() + " ")
    assert describe(folder)["revision"] not in (original["revision"], changed["revision"])


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def hub_cache(tmp_path: Path, build_model: BuildModel) -> Path:
    """Lay out a hub cache in which ``org/tiny`` has been downloaded."""
    kept = tmp_path / "hub" / "models--org--tiny"
    shutil.copytree(build_model("smolvlm"), kept / "snapshots" / COMMIT)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(COMMIT)
    return tmp_path / "hub"


def test_a_name_on_the_hub_is_its_commit(hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(hub_cache))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    model = open_model("org/tiny", ModelSettings(max_tokens=2))
    described = model.describe()
    assert (described["model"], described["revision"]) == ("org/tiny", COMMIT)
    by_commit = open_model("org/tiny", ModelSettings(max_tokens=2, revision=COMMIT))
    assert by_commit.describe() == described
    # What is loaded is what was described.
    asyncio.run(model.check())
    asyncio.run(model.close())


def test_describing_imports_no_torch(hub_cache: Path, build_model: BuildModel) -> None:
    script = f"""
import sys
from video_oasis.models import open_model
open_model("transformers/org/tiny").describe()
open_model("transformers/{build_model("smolvlm")}").describe()
print("torch" in sys.modules, "transformers" in sys.modules)
"""
    environment = {**os.environ, "HF_HUB_CACHE": str(hub_cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["False", "False"], done.stderr
