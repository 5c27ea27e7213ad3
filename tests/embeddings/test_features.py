"""Released feature files are read as data, and what is no data is refused."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from video_oasis.embeddings.features import read_features
from video_oasis.errors import UserError
from video_oasis.media.frames import Timeline

MakeTimeline = Callable[..., Timeline]
SaveFeatures = Callable[[Any], Path]

ROWS = [[3.0, 4.0], [0.0, 2.0]]
UNIT = [[0.6, 0.8], [0.0, 1.0]]


@pytest.fixture
def save_features(tmp_path: Path) -> SaveFeatures:
    def save(value: Any) -> Path:
        import torch

        torch.save(value, tmp_path / "video.pt")
        return tmp_path / "video.pt"

    return save


def rows(dtype: str = "float32") -> Any:
    import torch

    return torch.tensor(ROWS, dtype=getattr(torch, dtype))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_any_floating_format_becomes_unit_vectors(save_features: SaveFeatures, dtype: str) -> None:
    features = read_features(save_features(rows(dtype)))
    assert features.dtype == np.float32
    assert np.allclose(features, UNIT, atol=1e-6)


def test_the_only_tensor_of_vectors_in_a_dictionary_is_meant(save_features: SaveFeatures) -> None:
    import torch

    times = torch.tensor([0.5, 1.5])
    file = save_features({"fps": 1.0, "times": times, "image": rows("float16")})
    assert np.allclose(read_features(file), UNIT)


def test_one_of_several_is_chosen_by_name(save_features: SaveFeatures) -> None:
    file = save_features({"video 1": rows(), "video 2": rows().flip(0)})
    assert np.allclose(read_features(file, key="video 2"), UNIT[::-1])
    with pytest.raises(UserError, match=r"2 tensors .* video 1 \(torch.float32 of shape \[2, 2\]"):
        read_features(file)
    with pytest.raises(UserError, match="called 'video 3'; it holds video 1"):
        read_features(file, key="video 3")


def test_what_are_no_vectors_is_told(save_features: SaveFeatures) -> None:
    import torch

    for value, message in (
        (torch.zeros(2, 3, dtype=torch.int64), r"int64 of shape \[2, 3\]; expected"),
        (torch.zeros(5), r"float32 of shape \[5\]; expected"),
        ([1, 2], "list; expected"),
        ({"a": "b"}, r"0 tensors .* It holds a \(str\)"),
        (torch.zeros(2, 3), "2 of 2 vectors are not finite or all zero"),
        (torch.full((2, 3), torch.nan), "2 of 2 vectors are not finite"),
        (torch.zeros(0, 3), r"shape \(0, 3\)"),
    ):
        with pytest.raises(UserError, match=message):
            read_features(save_features(value))
    with pytest.raises(UserError, match="no names"):
        read_features(save_features(rows()), key="a")


class Malicious:
    """Runs a command when unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch '{self.marker}'",)


def test_a_file_that_would_run_code_is_refused_and_does_not(
    save_features: SaveFeatures, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    attack = Malicious(marker)
    file = save_features({"image": rows(), "more": attack})
    with pytest.raises(UserError, match="refused"):
        read_features(file)
    plain = tmp_path / "plain.pt"
    plain.write_bytes(pickle.dumps(attack))
    with pytest.raises(UserError, match="refused"):
        read_features(plain)
    assert not marker.exists()
    # The attack is real: what reads pickles runs it.
    pickle.loads(plain.read_bytes())
    assert marker.exists()


@pytest.mark.parametrize("content", [b"", b"no tensors", b"PK\x03\x04cut"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "video.pt"
    with pytest.raises(UserError, match="no such file"):
        read_features(file)
    file.write_bytes(content)
    with pytest.raises(UserError, match=r"video\.pt: refused"):
        read_features(file)
