"""Audits that show a model only the frames that matter, ranked by a small real CLIP."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import pytest
from PIL import Image

from video_oasis.embeddings.encoders import open_encoder
from video_oasis.media.keyframes import pick_adaptively

N_SECONDS: Final = 40
QUESTION: Final = "Does scene 0 darken or brighten?"
_TOWER: Final = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


@pytest.fixture(scope="session")
def small_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CLIP with random weights, so large that what comes out depends on what goes in."""
    import torch
    import transformers as hf
    from tokenizers import pre_tokenizers

    hf.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*alphabet, *(f"{byte}</w>" for byte in alphabet), "<|startoftext|>", "<|endoftext|>"]
    tokenizer = hf.CLIPTokenizer(
        vocab={piece: i for i, piece in enumerate(pieces)}, merges=[], model_max_length=77
    )
    ids = {f"{name}_token_id": len(pieces) - 1 for name in ("eos", "pad")}
    config = hf.CLIPConfig(
        text_config={**_TOWER, **ids, "vocab_size": len(pieces), "bos_token_id": len(pieces) - 2},
        vision_config={**_TOWER, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    )
    model = hf.CLIPModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(8.0)
    folder = tmp_path_factory.mktemp("encoders") / "clip"
    model.save_pretrained(folder)
    size = {"height": 32, "width": 32}
    images = hf.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size=size)
    hf.CLIPProcessor(images, tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def long_brightening(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A clip of 40 seconds and as many frames that goes from black to white."""
    path = tmp_path_factory.mktemp("brightening") / "long.mp4"
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream("libx264", rate=1)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(N_SECONDS):
            picture = np.full((48, 64, 3), 6 * number + 8, np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        out.mux(stream.encode(None))
    return path.read_bytes()


def read_levels(frames: Path) -> list[tuple[int, bytes]]:
    """Return the pictures of a run, darkest first, each with its level."""
    pictures = []
    for path in frames.rglob("*.jpg"):
        data = path.read_bytes()
        with Image.open(io.BytesIO(data)) as image:
            pictures.append((round(float(np.asarray(image.convert("L")).mean())), data))
    return sorted(pictures)


def test_the_frames_shown_are_those_that_the_encoder_ranks_highest(
    oasis: Any,
    eyes: Any,
    small_clip: Path,
    long_brightening: bytes,
    write_benchmark: Any,
    frames_arguments: Callable[..., list[str]],
    tmp_path: Path,
) -> None:
    write_benchmark(long_brightening, 1)
    arguments = frames_arguments("top_16", "keyframes_16")
    grounder = ("--grounder", f"transformers/{small_clip}")
    done = oasis(*arguments, *grounder, "--json")
    assert done.returncode == 0, done.stderr
    pictures = read_levels(tmp_path / "run/frames")
    assert len(pictures) == N_SECONDS
    encoder = open_encoder(f"transformers/{small_clip}")
    embedded = encoder.embed_pictures([data for _, data in pictures], 8)
    cosines = embedded @ encoder.embed_texts([QUESTION]).vectors[0]
    best = sorted(np.argsort(-cosines)[:16])
    levels = [level for level, _ in pictures]
    expected = [
        [levels[position] for position in best],
        [levels[position] for position in pick_adaptively(cosines.tolist(), 16)],
    ]
    # The two differ on this clip, and neither is what uniform frames are.
    assert expected[0] != expected[1]
    assert sorted(eyes.shown) == sorted(expected)

    # A second run asks nothing, and ranks nothing again; a lost ranking is made from what is kept.
    shards = sorted((tmp_path / "run/artifacts").rglob("*.safetensors"))
    ranked = (tmp_path / "run/relevances.parquet").stat().st_mtime_ns
    assert oasis("run", "run").returncode == 0
    assert (tmp_path / "run/relevances.parquet").stat().st_mtime_ns == ranked
    (tmp_path / "run/relevances.parquet").unlink()
    assert oasis("run", "run").returncode == 0
    assert sorted((tmp_path / "run/artifacts").rglob("*.safetensors")) == shards
    assert len(eyes.shown) == 2
    assert oasis("report", "run", "--json").returncode == 0


def test_uniform_frames_stand_beside_grounded_ones(
    oasis: Any,
    eyes: Any,
    small_clip: Path,
    long_brightening: bytes,
    write_benchmark: Any,
    frames_arguments: Callable[..., list[str]],
) -> None:
    write_benchmark(long_brightening, 3)
    arguments = frames_arguments("standard", "uniform_16", "keyframes_16", "shuffle")
    grounder = ("--grounder", f"transformers/{small_clip}")
    planned = oasis(*arguments, *grounder, "--dry-run", "--json")
    rows = {row["diagnostic"]: row["frames"] for row in json.loads(planned.stdout)}
    assert rows == {
        "standard": 3 * 128, "uniform_16": 3 * 16, "keyframes_16": 3 * 16, "shuffle": 3 * 128
    }  # fmt: skip
    done = oasis(*arguments, *grounder, "--json")
    assert done.returncode == 0, done.stderr
    assert sorted(map(len, eyes.shown)) == [16] * 6 + [40] * 6
    report = json.loads(done.stdout)
    accuracy = {
        row["diagnostic"]: row["accuracy"]
        for row in report["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }
    assert accuracy == {"standard": 1.0, "uniform_16": 1.0, "keyframes_16": 1.0, "shuffle": 0.0}
    assert report["summary"]["tests"] == ["shuffle"]
    assert report["settings"]["grounder"] == {"encoder": f"transformers/{small_clip}"}


def test_grounding_needs_to_be_told_what_ranks(
    oasis: Any,
    write_benchmark: Any,
    brightening: bytes,
    frames_arguments: Callable[..., list[str]],
) -> None:
    write_benchmark(brightening, 1)
    done = oasis(*frames_arguments("shuffle", "keyframes_16"))
    assert done.returncode == 2
    assert "keyframes_16: needs to know how relevant each frame is" in " ".join(done.stderr.split())
    done = oasis(
        *frames_arguments("shuffle", "keyframes_16"), "--grounder", "transformers/./nowhere"
    )
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_oracle_shows_what_is_annotated(
    oasis: Any, eyes: Any, long_brightening: bytes, tmp_path: Path
) -> None:
    (tmp_path / "videos").mkdir()
    (tmp_path / "videos/yt.mp4").write_bytes(long_brightening)
    (tmp_path / "implicitqa").mkdir()
    rows = [
        {
            "video_id": "yt",
            "question_id": f"q{number}",
            "question_start_time": start,
            "question_stop_time": stop,
            "question_text": f"Does scene {number} darken or brighten?",
            "options": {"A": "darken", "B": "brighten"},
            "answer_text": "brighten",
            "answer_choice": "B",
            "category": "light",
        }
        for number, (start, stop) in enumerate([(10, 14), (20, 20), (9, 3), (70, 80)])
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "implicitqa/ImplicitQAv0.1.2.jsonl").write_text(text, encoding="utf-8")
    done = oasis(
        "audit", "implicitqa=implicitqa", "--videos", "videos", "--out", "run", "--json",
        "--model", f"openai/eyes@{eyes.url}", "-d", "oracle", "-d", "blind",
    )  # fmt: skip
    report = json.loads(done.stdout)
    # The frames of seconds 10 to 13, and the one at 20; a clip that has no such time is an error.
    shown = sorted(levels for levels in eyes.shown if levels)
    assert [len(levels) for levels in shown] == [4, 1]
    for levels, numbers in zip(shown, [(10, 11, 12, 13), (20,)], strict=True):
        assert levels == pytest.approx([6 * number + 8 for number in numbers], abs=3)
    assert done.returncode == 1
    (lacking,) = report["lacking"]
    assert lacking["sample_ids"] == ["q3"]
    assert lacking["reason"] == "video_reference"
    assert "time references 70–80 s" in lacking["message"]
    (excluded,) = report["excluded"]
    assert (excluded["diagnostic"], excluded["reason"], excluded["n_samples"]) == (
        "oracle", "does_not_apply", 1
    )  # fmt: skip
