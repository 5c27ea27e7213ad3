"""Embeddings are those open_clip itself gives, for a small model of its real classes."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from video_oasis.embeddings.encoders import open_encoder
from video_oasis.embeddings.encoders.interface import Encoder, EncoderSettings, make_encoder_id
from video_oasis.errors import ModelUnavailable

BuildEncoder = Callable[[str], Path]

TEXTS = ("a red square", "What is the colour, of the big cube?")


def open_named(name: object, **settings: Any) -> Encoder:
    return open_encoder(f"open_clip/{name}", EncoderSettings(device="cpu", **settings))


@pytest.fixture
def folder(build_encoder: BuildEncoder) -> Path:
    return build_encoder("open_clip")


@pytest.fixture
def tiny(folder: Path, tmp_path: Path) -> Iterator[Path]:
    """Make the architecture known as ``tiny``, and give a file of weights of it."""
    import open_clip
    from open_clip import factory

    config = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))
    (tmp_path / "tiny.json").write_text(json.dumps(config["model_cfg"]), encoding="utf-8")
    open_clip.add_model_config(tmp_path / "tiny.json")
    yield Path(shutil.copy(folder / "open_clip_model.safetensors", tmp_path / "w.safetensors"))
    factory._MODEL_CONFIG_PATHS.pop()
    factory._MODEL_CONFIGS.pop("tiny")


def test_embeddings_are_the_librarys_own(folder: Path, jpegs: tuple[bytes, ...]) -> None:
    import open_clip
    import torch

    encoder = open_named(folder)
    pictures, texts = encoder.embed_pictures(jpegs, batch=2), encoder.embed_texts(TEXTS)
    name = f"local-dir:{folder}"
    model, prepare = open_clip.create_model_from_pretrained(name)
    tokenizer = open_clip.get_tokenizer(name)
    model.eval()
    with torch.inference_mode():
        images = torch.stack([prepare(Image.open(BytesIO(jpeg))) for jpeg in jpegs])
        expected = model.encode_image(images, normalize=True).numpy()
        assert np.allclose(pictures, expected, atol=1e-5)
        expected = model.encode_text(tokenizer(list(TEXTS)), normalize=True).numpy()
        assert np.allclose(texts.vectors, expected, atol=1e-5)
    assert encoder.logit_scale == pytest.approx(1 / 0.07)
    assert np.abs(texts.vectors[0] - texts.vectors[1]).max() > 1e-2
    assert np.abs(pictures[0] - pictures[1]).max() > 1e-2


def test_a_text_too_long_keeps_its_start_and_its_end_mark(folder: Path) -> None:
    import open_clip
    import torch

    encoder = open_named(folder)
    assert encoder.context_length == 12
    # Each of these is one token of CLIP's vocabulary; ten fit beside the two marks.
    texts = encoder.embed_texts(["cat " * 10, "cat " * 11, "cat dog " * 40])
    assert texts.cut == (False, True, True)
    start, cat, dog, end = open_clip.tokenize("cat dog")[0, :4]
    model, _ = open_clip.create_model_from_pretrained(f"local-dir:{folder}")
    model.eval()
    with torch.inference_mode():
        ids = torch.tensor([[start, *[cat, dog] * 5, end]])
        expected = model.encode_text(ids, normalize=True)[0].numpy()
    assert np.allclose(texts.vectors[2], expected, atol=1e-5)


@pytest.fixture
def sentence_folder(build_encoder: BuildEncoder, folder: Path, tmp_path: Path) -> Path:
    """Make a folder whose texts go through a tokenizer kept beside the weights, as SigLIP's do."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    made = tmp_path / "sentences"
    shutil.copytree(build_encoder("siglip2"), made)
    (made / "model.safetensors").unlink()
    config = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))
    model = config["model_cfg"]
    model["text_cfg"] |= {
        "vocab_size": 40,
        "hf_tokenizer_name": str(made),
        "tokenizer_kwargs": {"clean": "canonicalize"},
    }
    (made / "open_clip_config.json").write_text(json.dumps(config), encoding="utf-8")
    torch.manual_seed(0)
    save_file(open_clip.CLIP(**model).state_dict(), made / "open_clip_model.safetensors")
    return made


def test_a_tokenizer_beside_the_weights_cuts_and_tells(sentence_folder: Path) -> None:
    encoder = open_named(sentence_folder)
    # One token a letter and a space, no marks; twelve fit.
    texts = encoder.embed_texts(["The big, cube!", "the big cube", "the big cubes", "blue"])
    assert texts.cut == (False, False, True, False)
    assert np.array_equal(texts.vectors[0], texts.vectors[1])
    assert np.array_equal(texts.vectors[1], texts.vectors[2])
    assert np.abs(texts.vectors[1] - texts.vectors[3]).max() > 1e-2


def test_a_tokenizer_apart_from_the_weights_is_part_of_the_identity(
    sentence_folder: Path,
) -> None:
    from video_oasis.embeddings.encoders.open_clip import sources

    config = {"text_cfg": {"hf_tokenizer_name": str(sentence_folder)}}
    found = sources._find_tokenizer("m", config)
    assert found is not None
    assert found.name == "sentences"
    (sentence_folder / "tokenizer.json").write_text("{}")
    changed = sources._find_tokenizer("m", config)
    assert changed is not None
    assert changed.revision != found.revision


def test_an_architecture_with_a_file_is_the_same_model(
    folder: Path, tiny: Path, jpegs: tuple[bytes, ...]
) -> None:
    by_file, by_folder = open_named(f"tiny:{tiny}"), open_named(folder)
    assert np.allclose(
        by_file.embed_texts(TEXTS).vectors, by_folder.embed_texts(TEXTS).vectors, atol=1e-6
    )
    # The file does not say that its pictures are prepared in another way than CLIP's.
    pictures = by_file.embed_pictures(jpegs, 8)
    assert not np.allclose(pictures, by_folder.embed_pictures(jpegs, 8), atol=1e-3)
    assert by_file.describe()["preprocessing"] == {}


def test_pictures_for_a_file_are_prepared_as_for_released_weights_that_agree(
    tmp_path: Path,
) -> None:
    from video_oasis.embeddings.encoders.open_clip import sources

    weights = tmp_path / "w.safetensors"
    weights.write_bytes(b"any")
    for architecture, mean in (
        ("ViT-B-32", 0.48145466),
        ("ViTamin-S", 0.48145466),
        ("MobileCLIP-S1", 0.0),
    ):
        source = sources.find_source("m", f"{architecture}:{weights}", "")
        assert source.preprocessing["mean"][0] == mean


def test_empty_and_broken_texts_are_embedded(folder: Path, sentence_folder: Path) -> None:
    for each in (folder, sentence_folder):
        texts = open_named(each).embed_texts(["", "?", "red \ud83d", "red \ufffd"])
        assert texts.cut == (False,) * 4
        assert np.allclose(np.linalg.norm(texts.vectors, axis=1), 1)
        assert np.array_equal(texts.vectors[2], texts.vectors[3])


def test_half_precision_stays_near(folder: Path, jpegs: tuple[bytes, ...]) -> None:
    exact, short = open_named(folder), open_named(folder, dtype="bfloat16")
    cosines = np.sum(exact.embed_pictures(jpegs, 8) * short.embed_pictures(jpegs, 8), axis=1)
    assert cosines.min() > 0.99
    cosines = np.sum(exact.embed_texts(TEXTS).vectors * short.embed_texts(TEXTS).vectors, axis=1)
    assert cosines.min() > 0.99


def test_the_description_holds_what_changes_embeddings(tiny: Path) -> None:
    described = dict(open_named(f"tiny:{tiny}").describe())
    assert described.pop("revision").startswith("weights1-")
    assert set(described.pop("versions")) == {"torch", "torchvision", "open_clip_torch", "timm"}
    assert described == {
        "backend": "open_clip",
        "model": "tiny",
        "architecture": {
            "embed_dim": 16,
            "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "patch_size": 8},
            "text_cfg": {"context_length": 12, "width": 16, "heads": 2, "layers": 2},
        },
        "preprocessing": {},
        "tokenizer": None,
        "dtype": "float32",
        "context_length": 12,
        "normalisation": "unit length",
    }


def test_one_byte_of_the_weights_makes_another_encoder(tiny: Path) -> None:
    original = make_encoder_id(open_named(f"tiny:{tiny}").describe())
    data = bytearray(tiny.read_bytes())
    data[len(data) // 2] ^= 1
    tiny.write_bytes(data)
    assert make_encoder_id(open_named(f"tiny:{tiny}").describe()) != original


def test_weights_may_be_saved_by_torch_and_never_run(folder: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    weights = copy / "open_clip_model.safetensors"
    tensors = load_file(weights)
    weights.unlink()
    torch.save(tensors, copy / "open_clip_pytorch_model.bin")
    assert np.array_equal(
        open_named(copy).embed_texts(TEXTS).vectors, open_named(folder).embed_texts(TEXTS).vectors
    )

    class Malicious:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "ran"),)

    torch.save({**tensors, "logit_scale": Malicious()}, copy / "open_clip_pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match="its weights cannot be loaded"):
        open_named(copy).embed_texts(TEXTS)
    assert not (tmp_path / "ran").exists()


def test_damaged_weights_are_told(tiny: Path, folder: Path, tmp_path: Path) -> None:
    tiny.write_bytes(b"damaged")
    with pytest.raises(ModelUnavailable, match="its weights cannot be loaded"):
        open_named(f"tiny:{tiny}").embed_texts(["a"])
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / "open_clip_model.safetensors").unlink()
    with pytest.raises(ModelUnavailable, match=r"its weights cannot be loaded.*Required"):
        open_named(copy).embed_texts(["a"])
    (copy / "open_clip_config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="lacks embed_dim, text_cfg, vision_cfg"):
        open_named(copy).describe()
    for text in ("{", "[]"):
        (copy / "open_clip_config.json").write_text(text)
        with pytest.raises(ModelUnavailable, match="cannot be read"):
            open_named(copy).describe()
    (copy / "open_clip_config.json").unlink()
    with pytest.raises(ModelUnavailable, match=r"holds no open_clip_config\.json"):
        open_named(copy).describe()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("not-there", "no folder not-there"),
        ("ViT-B-23:openai", "no architecture 'ViT-B-23'; did you mean ViT-B-32"),
        ("ViT-B-32:opnai", "no file opnai, and no weights of that name are known.*openai, laion"),
    ],
)
def test_names_that_stand_for_nothing_are_told(name: str, message: str) -> None:
    with pytest.raises(ModelUnavailable, match=message):
        open_named(name).describe()


def test_files_that_are_no_weights_are_told(tmp_path: Path) -> None:
    file = tmp_path / "weights.pkl"
    file.write_bytes(b"")
    with pytest.raises(ModelUnavailable, match=r"weights\.pkl is no file of weights"):
        open_named(f"ViT-B-32:{file}").describe()
    file = file.rename(tmp_path / "weights.pt")
    with pytest.raises(ModelUnavailable, match="leave revision out"):
        open_named(f"ViT-B-32:{file}", revision="main").describe()


def test_released_weights_are_known_by_their_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    # As the hub's own client keeps what it has downloaded.
    commit = "0123456789abcdef0123456789abcdef01234567"
    kept = tmp_path / "models--timm--vit_base_patch32_clip_224.openai"
    snapshot = kept / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (snapshot / "open_clip_config.json").write_text("{}")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    described = open_named("ViT-B-32:openai").describe()
    assert described["revision"] == commit
    assert described["model"] == "ViT-B-32:openai"
    # OpenAI's weights want another activation than the architecture says.
    assert described["architecture"]["quick_gelu"] is True
    assert described["preprocessing"]["mean"][0] == 0.48145466
