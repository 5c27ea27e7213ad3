"""Embeddings are those the library itself gives, for small models with their real processors."""

import os
import pickle
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from video_oasis.embeddings.encoders import open_encoder
from video_oasis.embeddings.encoders.interface import (
    Encoder,
    EncoderSettings,
    make_encoder_id,
)
from video_oasis.errors import ModelUnavailable, SchemaError

BuildEncoder = Callable[[str], Path]

KINDS = ("clip", "long-clip", "siglip", "siglip2")
TEXTS = ("a red square", "What is the colour, of the big cube?", "b")


def open_folder(folder: Path, **settings: Any) -> Encoder:
    return open_encoder(f"transformers/{folder}", EncoderSettings(device="cpu", **settings))


@pytest.fixture
def copy_encoder(build_encoder: BuildEncoder, tmp_path: Path) -> BuildEncoder:
    """Copy a small encoder to a folder of the test's own, to be changed."""

    def copy(kind: str) -> Path:
        return Path(shutil.copytree(build_encoder(kind), tmp_path / kind))

    return copy


def load(folder: Path) -> tuple[Any, Any]:
    """Load a model and its processor as the library's documentation does."""
    import transformers

    model = transformers.AutoModel.from_pretrained(folder).eval()
    return model, transformers.AutoProcessor.from_pretrained(folder)


@pytest.mark.parametrize("kind", KINDS)
def test_embeddings_and_logits_are_the_librarys_own(
    build_encoder: BuildEncoder, jpegs: tuple[bytes, ...], kind: str
) -> None:
    import torch

    folder = build_encoder(kind)
    encoder = open_folder(folder)
    pictures, texts = encoder.embed_pictures(jpegs, batch=2), encoder.embed_texts(TEXTS)

    model, processor = load(folder)
    images = [Image.open(BytesIO(jpeg)) for jpeg in jpegs]
    prepared = processor.image_processor(images=images, return_tensors="pt")
    if kind.endswith("clip"):
        prepared |= processor.tokenizer(list(TEXTS), padding=True, return_tensors="pt")
    else:
        padding = {"padding": "max_length", "max_length": 16, "padding_side": "right"}
        plain = ["a red square", "what is the colour of the big cube", "b"]
        prepared["input_ids"] = processor.tokenizer(
            plain, truncation=True, return_tensors="pt", **padding
        )["input_ids"]
    with torch.inference_mode():
        output = model(**prepared)
    assert np.allclose(pictures, output.image_embeds.numpy(), atol=1e-5)
    assert np.allclose(texts.vectors, output.text_embeds.numpy(), atol=1e-5)
    bias = float(getattr(model, "logit_bias", torch.zeros(1)).detach())
    logits = encoder.logit_scale * pictures @ texts.vectors.T + bias
    assert np.allclose(logits, output.logits_per_image.numpy(), atol=1e-3)
    for vectors in (pictures, texts.vectors):
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
        # The test would see nothing if what goes in changed nothing.
        assert np.abs(vectors[0] - vectors[1]).max() > 1e-2


@pytest.mark.parametrize("kind", KINDS)
def test_batches_change_nothing(
    build_encoder: BuildEncoder, jpegs: tuple[bytes, ...], kind: str
) -> None:
    encoder = open_folder(build_encoder(kind))
    together = encoder.embed_pictures(jpegs, batch=5)
    alone = [encoder.embed_pictures([jpeg], batch=1)[0] for jpeg in jpegs]
    assert np.allclose(together, alone, atol=1e-5)
    texts = encoder.embed_texts(TEXTS).vectors
    assert np.allclose(texts, [encoder.embed_texts([text]).vectors[0] for text in TEXTS], atol=1e-5)


@pytest.mark.parametrize(("kind", "context"), [("clip", 77), ("long-clip", 248)])
def test_a_text_too_long_for_clip_keeps_its_start_and_its_end_mark(
    build_encoder: BuildEncoder, kind: str, context: int
) -> None:
    import torch

    folder = build_encoder(kind)
    encoder = open_folder(folder)
    assert encoder.context_length == context
    room = context - 2
    texts = encoder.embed_texts(["ab " * (room // 2), "a" * room, "a" * (room + 1), "ab " * 300])
    assert texts.cut == (False, False, True, True)

    model, processor = load(folder)
    start, a, b, end = processor.tokenizer("ab")["input_ids"]
    kept = ([a, b] * context)[:room]
    with torch.inference_mode():
        features = model.get_text_features(torch.tensor([[start, *kept, end]])).pooler_output
    expected = features[0].numpy() / np.linalg.norm(features[0].numpy())
    assert np.allclose(texts.vectors[3], expected, atol=1e-5)


@pytest.mark.parametrize("kind", ["siglip", "siglip2"])
def test_texts_for_siglip_lose_case_and_punctuation(build_encoder: BuildEncoder, kind: str) -> None:
    encoder = open_folder(build_encoder(kind))
    plain, marked, other = encoder.embed_texts(
        ["the big cube", '  The "BIG", cube?!', "the red cube"]
    ).vectors
    assert np.array_equal(plain, marked)
    assert np.abs(plain - other).max() > 1e-2


@pytest.mark.parametrize("kind", ["siglip", "siglip2"])
def test_a_text_too_long_for_siglip_is_cut_and_told(build_encoder: BuildEncoder, kind: str) -> None:
    encoder = open_folder(build_encoder(kind))
    assert encoder.context_length == 16
    long = "blue green " * 20
    texts = encoder.embed_texts(["blue", long, long + "red"])
    assert texts.cut == (False, True, True)
    assert np.array_equal(texts.vectors[1], texts.vectors[2])


@pytest.mark.parametrize("kind", KINDS)
def test_empty_and_broken_texts_are_embedded(build_encoder: BuildEncoder, kind: str) -> None:
    texts = open_folder(build_encoder(kind)).embed_texts(["", "?", "red \ud83d", "red \ufffd"])
    assert texts.cut == (False,) * 4
    assert np.allclose(np.linalg.norm(texts.vectors, axis=1), 1)
    assert np.array_equal(texts.vectors[2], texts.vectors[3])


def test_the_description_costs_no_weights_and_holds_what_changes_embeddings(
    copy_encoder: BuildEncoder,
) -> None:
    folder = copy_encoder("clip")
    described = dict(open_folder(folder).describe())
    assert described.pop("revision").startswith("weights1-")
    versions = described.pop("versions")
    assert set(versions) == {"torch", "torchvision", "transformers"}
    assert described == {
        "backend": "transformers",
        "model": "clip",
        "dtype": "float32",
        "context_length": 77,
        "texts": "as they are",
        "normalisation": "unit length",
    }
    # Weights that cannot be loaded are described all the same.
    (folder / "model.safetensors").write_bytes(b"damaged")
    assert open_folder(folder).describe()["revision"].startswith("weights1-")


def test_one_byte_of_the_weights_makes_another_encoder(
    copy_encoder: BuildEncoder, build_encoder: BuildEncoder
) -> None:
    folder = copy_encoder("clip")

    def encoder_id(**settings: Any) -> str:
        return make_encoder_id(open_folder(folder, **settings).describe())

    original = make_encoder_id(open_folder(build_encoder("clip")).describe())
    assert encoder_id() == original
    assert encoder_id(dtype="bfloat16") != original
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[len(data) // 2] ^= 1
    weights.write_bytes(data)
    changed = encoder_id()
    assert changed != original
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert encoder_id() not in {original, changed}


def test_half_precision_stays_near(build_encoder: BuildEncoder, jpegs: tuple[bytes, ...]) -> None:
    exact = open_folder(build_encoder("clip"))
    short = open_folder(build_encoder("clip"), dtype="bfloat16")
    cosines = np.sum(exact.embed_pictures(jpegs, 8) * short.embed_pictures(jpegs, 8), axis=1)
    assert cosines.min() > 0.99
    cosines = np.sum(exact.embed_texts(TEXTS).vectors * short.embed_texts(TEXTS).vectors, axis=1)
    assert cosines.min() > 0.99


def test_a_model_of_another_kind_is_told(tmp_path: Path) -> None:
    import transformers

    transformers.BertConfig().save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="'bert' is no dual encoder"):
        open_folder(tmp_path).describe()


def test_damaged_and_missing_weights_are_told(copy_encoder: BuildEncoder) -> None:
    from safetensors.torch import load_file, save_file

    folder = copy_encoder("clip")
    weights = folder / "model.safetensors"
    tensors = load_file(weights)
    del tensors["text_projection.weight"]
    save_file(tensors, weights, metadata={"format": "pt"})
    with pytest.raises(ModelUnavailable, match=r"1 of its weights are missing.*text_projection"):
        open_folder(folder).embed_texts(["a"])
    weights.write_bytes(b"damaged")
    with pytest.raises(ModelUnavailable, match="its weights cannot be loaded"):
        open_folder(folder).embed_texts(["a"])
    (folder / "tokenizer.json").write_text("damaged")
    with pytest.raises(ModelUnavailable, match="no folder"):
        open_folder(folder / "not-there").describe()


class Malicious:
    """Makes a folder when unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


def test_weights_that_would_run_code_are_refused(
    copy_encoder: BuildEncoder, tmp_path: Path
) -> None:
    import torch

    folder = copy_encoder("clip")
    (folder / "model.safetensors").unlink()
    attack = Malicious(tmp_path / "ran")
    torch.save({"logit_scale": attack}, folder / "pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match="its weights cannot be loaded"):
        open_folder(folder).embed_texts(["a"])
    assert not attack.marker.exists()
    pickle.loads(pickle.dumps(attack))
    assert attack.marker.exists()


def test_what_is_no_picture_is_told(build_encoder: BuildEncoder) -> None:
    encoder = open_folder(build_encoder("clip"))
    with pytest.raises(SchemaError, match="a picture of 4 bytes is no JPEG"):
        encoder.embed_pictures([b"text"], 1)
    with pytest.raises(SchemaError, match="0 things to embed"):
        encoder.embed_pictures([], 1)


@pytest.mark.parametrize("device", ["cuda:99", "nonsense"])
def test_a_device_that_is_not_here_is_told(build_encoder: BuildEncoder, device: str) -> None:
    name = f"transformers/{build_encoder('clip')}"
    encoder = open_encoder(name, EncoderSettings(device=device))
    with pytest.raises(ModelUnavailable, match=f"device is '{device}'"):
        encoder.embed_texts(["a"])


def test_the_best_device_there_is_is_found(build_encoder: BuildEncoder) -> None:
    name = f"transformers/{build_encoder('clip')}"
    texts = open_encoder(name, EncoderSettings(device="auto")).embed_texts(TEXTS)
    on_cpu = open_encoder(name, EncoderSettings(device="cpu")).embed_texts(TEXTS)
    assert np.allclose(texts.vectors, on_cpu.vectors, atol=1e-3)


def test_weights_that_give_no_numbers_are_told(copy_encoder: BuildEncoder) -> None:
    from safetensors.torch import load_file, save_file

    folder = copy_encoder("clip")
    tensors = load_file(folder / "model.safetensors")
    tensors["text_projection.weight"].fill_(float("nan"))
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelUnavailable, match=r"2 of 2 vectors are not finite.*float32"):
        open_folder(folder).embed_texts(["a", "b"])
