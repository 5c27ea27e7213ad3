"""Small dual encoders with random weights and their real processors, made on the spot."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from video_oasis.hashing import content_id
from video_oasis.media.frames import Timeline
from video_oasis.media.sampling import PerSecond, Sampling
from video_oasis.schema import Frame

BuildEncoder = Callable[[str], Path]

_TOWER: Final = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
_VISION: Final = {**_TOWER, "image_size": 32, "patch_size": 8}
# Random weights so large that what comes out depends on what goes in.
_LARGE: Final = 8.0


def _clip_tokenizer(n_positions: int) -> Any:
    """Make CLIP's tokenizer over single bytes: a word is its letters, the last one marked."""
    from tokenizers import pre_tokenizers
    from transformers import CLIPTokenizer

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*alphabet, *(f"{byte}</w>" for byte in alphabet)]
    pieces += ["<|startoftext|>", "<|endoftext|>"]
    return CLIPTokenizer(
        vocab={piece: i for i, piece in enumerate(pieces)},
        merges=[],
        model_max_length=n_positions,
    )


def _clip(n_positions: int = 77) -> tuple[Any, Any]:
    import transformers as hf

    # As Long-CLIP is released: the weights have more positions than the tokenizer's files say.
    tokenizer = _clip_tokenizer(77)
    text = {"vocab_size": len(tokenizer), "max_position_embeddings": n_positions}
    ids = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = hf.CLIPConfig(
        text_config={**_TOWER, **text, **ids}, vision_config=_VISION, projection_dim=16
    )
    size = {"shortest_edge": 32}
    images = hf.CLIPImageProcessor(size=size, crop_size={"height": 32, "width": 32})
    return hf.CLIPModel(config), hf.CLIPProcessor(images, tokenizer)


def _siglip(folder: Path) -> tuple[Any, Any]:
    import sentencepiece
    import transformers as hf

    text = folder / "text.txt"
    lines = ["a red square on the wall", "what is the colour of the big cube", "blue green"]
    text.write_text("\n".join(lines * 20), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(folder / "spiece"),
        vocab_size=60,
        character_coverage=1.0,
        hard_vocab_limit=False,
        pad_id=-1,
        bos_id=-1,
        eos_id=1,
        unk_id=2,
        control_symbols=["<pad>"],
        minloglevel=2,
    )
    tokenizer = hf.SiglipTokenizer(str(folder / "spiece.model"))
    positions = {"vocab_size": len(tokenizer), "max_position_embeddings": 16}
    ids = {"bos_token_id": None, "eos_token_id": tokenizer.eos_token_id}
    config = hf.SiglipConfig(
        text_config={**_TOWER, **positions, **ids, "pad_token_id": tokenizer.pad_token_id},
        vision_config=_VISION,
    )
    images = hf.SiglipImageProcessor(size={"height": 32, "width": 32})
    return hf.SiglipModel(config), hf.SiglipProcessor(images, tokenizer)


def _siglip2() -> tuple[Any, Any]:
    import transformers as hf

    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", "▁"]
    vocabulary = {piece: i for i, piece in enumerate([*special, *letters])}
    tokenizer = hf.Siglip2Tokenizer(vocab=vocabulary, merges=[])
    positions = {"vocab_size": len(tokenizer), "max_position_embeddings": 16}
    ids = {"bos_token_id": 2, "eos_token_id": 1, "pad_token_id": 0}
    config = hf.Siglip2Config(
        text_config={**_TOWER, **positions, **ids},
        vision_config={**_TOWER, "patch_size": 8, "num_patches": 16},
    )
    images = hf.Siglip2ImageProcessor(patch_size=8, max_num_patches=16)
    return hf.Siglip2Model(config), hf.Siglip2Processor(images, tokenizer)


_MAKERS: Final[dict[str, Callable[[Path], tuple[Any, Any]]]] = {
    "clip": lambda _folder: _clip(),
    "long-clip": lambda _folder: _clip(248),
    "siglip": _siglip,
    "siglip2": lambda _folder: _siglip2(),
}


def _save_open_clip(folder: Path) -> None:
    import open_clip
    import torch
    from safetensors.torch import save_file

    config = {
        "embed_dim": 16,
        "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "patch_size": 8},
        "text_cfg": {"context_length": 12, "width": 16, "heads": 2, "layers": 2},
    }
    folder.mkdir()
    (folder / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": config, "preprocess_cfg": {"mean": [0.5] * 3, "std": [0.5] * 3}}),
        encoding="utf-8",
    )
    torch.manual_seed(0)
    model = open_clip.CLIP(**config)
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")


@pytest.fixture(scope="session")
def build_encoder(tmp_path_factory: pytest.TempPathFactory) -> BuildEncoder:
    """Make an encoder of a kind with random weights, and return its folder; one of each kind."""
    built: dict[str, Path] = {}

    def build(kind: str) -> Path:
        if kind not in built:
            import torch
            import transformers

            transformers.utils.logging.disable_progress_bar()
            # The models are too small to gain from more, and other tests have the other cores.
            torch.set_num_threads(1)
            built[kind] = folder = tmp_path_factory.mktemp("encoders") / kind
            if kind == "open_clip":
                _save_open_clip(folder)
                return folder
            torch.manual_seed(0)
            model, processor = _MAKERS[kind](tmp_path_factory.mktemp("made"))
            with torch.no_grad():
                for parameter in model.parameters():
                    if parameter.ndim > 1:
                        parameter.mul_(_LARGE)
            model.save_pretrained(folder)
            processor.save_pretrained(folder)
        return built[kind]

    return build


@pytest.fixture(scope="session")
def jpegs() -> tuple[bytes, ...]:
    """Give five different pictures, of two sizes."""
    rng = np.random.default_rng(0)
    pictures = []
    for number in range(5):
        size = (24, 40, 3) if number % 2 else (30, 30, 3)
        file = BytesIO()
        Image.fromarray(rng.integers(0, 255, size, np.uint8)).save(file, "JPEG", quality=95)
        pictures.append(file.getvalue())
    return tuple(pictures)


@pytest.fixture(scope="session")
def make_timeline() -> Callable[..., Timeline]:
    """Make a timeline of these digests, a second apart."""

    def make(*digests: str, video: str = "video1-a") -> Timeline:
        frames = tuple(Frame(digest, float(i)) for i, digest in enumerate(digests))
        return Timeline(video, Sampling(PerSecond(1, 2048)), frames, float(len(frames)), 25)

    return make


@pytest.fixture(scope="session")
def unit_vectors() -> Callable[..., npt.NDArray[np.float32]]:
    """Make vectors of length one, fixed by a text."""

    def make(n: int, size: int, content: str = "") -> npt.NDArray[np.float32]:
        rng = np.random.default_rng(int(content_id("test", content)[-8:], 16))
        rows = rng.standard_normal((n, size))
        unit: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit.astype(np.float32)

    return make
