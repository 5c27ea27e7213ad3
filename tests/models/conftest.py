"""Small image-text models with random weights and their real processors, made on the spot."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from video_oasis.schema import Frame, Request

BuildModel = Callable[[str], Path]
MakeQuestion = Callable[..., tuple[Request, tuple[bytes, ...]]]

COLOURS: Final = tuple((15 * i, 255 - 15 * i, (100 * i) % 256) for i in range(16))
"""Colour of each made frame: far enough apart that JPEG and resizing keep them apart."""

_SIDE: Final = 32
_CHAT: Final = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'text' %}{{ part.text }}{% elif part.type == 'image' %}IMAGE"
    "{% else %}VIDEO{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_CHAT_TOKENS: Final = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
_QWEN_TOKENS: Final = (
    *_CHAT_TOKENS,
    *("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
)
_QWEN_CHAT: Final = _CHAT.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>").replace(
    "VIDEO", "<|vision_start|><|video_pad|><|vision_end|>"
)
_TEXT: Final = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "bos_token_id": None,
    # Large weights, so that what the model says depends on what it is shown.
    "initializer_range": 0.5,
}
_VISION: Final = {"hidden_size": 32, "intermediate_size": 64, "initializer_range": 0.5}


def _tokenizer(special: Sequence[str], **named: Any) -> Any:
    """Make a tokenizer of single bytes and these special tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {byte: i for i, byte in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(special))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", **named
    )


def _qwen_ids(tokenizer: Any) -> dict[str, int]:
    token_id = tokenizer.convert_tokens_to_ids
    return {
        "image_token_id": token_id("<|image_pad|>"),
        "video_token_id": token_id("<|video_pad|>"),
        "vision_start_token_id": token_id("<|vision_start|>"),
        "vision_end_token_id": token_id("<|vision_end|>"),
    }


def _text(tokenizer: Any, end: str = "<|im_end|>", **more: Any) -> dict[str, Any]:
    ends = tokenizer.convert_tokens_to_ids(end)
    ids = {"eos_token_id": ends, "pad_token_id": tokenizer.pad_token_id}
    return {**_TEXT, "vocab_size": len(tokenizer), **ids, **more}


def _mrope(sections: Sequence[int]) -> dict[str, Any]:
    rope = {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": list(sections)}
    return {"rope_parameters": rope}


def _qwen2_5_vl() -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = _tokenizer(_QWEN_TOKENS)
    size = {"shortest_edge": 28 * 28, "longest_edge": 56 * 56}
    processor = hf.Qwen2_5_VLProcessor(
        hf.Qwen2VLImageProcessor(size=size),
        tokenizer,
        hf.Qwen2VLVideoProcessor(size=size),
        chat_template=_QWEN_CHAT,
    )
    vision = {"depth": 2, "num_heads": 4, "out_hidden_size": 32, "fullatt_block_indexes": [1]}
    config = hf.Qwen2_5_VLConfig(
        text_config=_text(tokenizer, **_mrope([1, 1, 2])),
        vision_config={**_VISION, **vision, "window_size": 56},
        **_qwen_ids(tokenizer),
    )
    return hf.Qwen2_5_VLForConditionalGeneration(config), processor


def _qwen2_vl() -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = _tokenizer(_QWEN_TOKENS)
    size = {"shortest_edge": 28 * 28, "longest_edge": 56 * 56}
    processor = hf.Qwen2VLProcessor(
        hf.Qwen2VLImageProcessor(size=size),
        tokenizer,
        hf.Qwen2VLVideoProcessor(size=size),
        chat_template=_QWEN_CHAT,
    )
    vision = {"depth": 2, "num_heads": 4, "embed_dim": 32, "hidden_size": 32, "mlp_ratio": 2}
    config = hf.Qwen2VLConfig(
        text_config=_text(tokenizer, **_mrope([1, 1, 2])),
        vision_config=vision,
        **_qwen_ids(tokenizer),
    )
    return hf.Qwen2VLForConditionalGeneration(config), processor


def _qwen3_vl() -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = _tokenizer(_QWEN_TOKENS)
    processor = hf.Qwen3VLProcessor(
        hf.Qwen2VLImageProcessor(
            patch_size=16, size={"shortest_edge": 32 * 32, "longest_edge": 64 * 64}
        ),
        tokenizer,
        hf.Qwen3VLVideoProcessor(size={"shortest_edge": 2 * 32 * 32, "longest_edge": 16 * 64 * 64}),
        chat_template=_QWEN_CHAT,
    )
    vision = {"depth": 2, "num_heads": 4, "out_hidden_size": 32, "deepstack_visual_indexes": [0]}
    config = hf.Qwen3VLConfig(
        text_config=_text(tokenizer, head_dim=8, **_mrope([2, 1, 1])),
        vision_config={**_VISION, **vision, "num_position_embeddings": 16},
        **_qwen_ids(tokenizer),
    )
    return hf.Qwen3VLForConditionalGeneration(config), processor


def _smolvlm() -> tuple[Any, Any]:
    import transformers as hf
    from transformers.models.smolvlm.processing_smolvlm import DEFAULT_CHAT_TEMPLATE

    tiles = [f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)]
    marks = ["<fake_token_around_image>", "<image>", "<global-img>", "<end_of_utterance>"]
    tokenizer = _tokenizer([*_CHAT_TOKENS, *marks, "<video>", *tiles])
    side = {"longest_edge": _SIDE}
    processor = hf.SmolVLMProcessor(
        hf.SmolVLMImageProcessor(size={"longest_edge": 2 * _SIDE}, max_image_size=side),
        tokenizer,
        hf.SmolVLMVideoProcessor(size=side, max_image_size=side),
        image_seq_len=4,
        chat_template=DEFAULT_CHAT_TEMPLATE,
    )
    vision = {"num_hidden_layers": 2, "num_attention_heads": 4, "patch_size": 8}
    config = hf.SmolVLMConfig(
        text_config=_text(tokenizer, "<end_of_utterance>", model_type="llama"),
        vision_config={**_VISION, **vision, "image_size": _SIDE},
        scale_factor=2,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
    )
    return hf.SmolVLMForConditionalGeneration(config), processor


def _internvl() -> tuple[Any, Any]:
    import transformers as hf

    named = {
        "start_image_token": "<img>",
        "end_image_token": "</img>",
        "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }
    tokenizer = _tokenizer([*_CHAT_TOKENS, *named.values()], extra_special_tokens=named)
    size = {"height": _SIDE, "width": _SIDE}
    processor = hf.InternVLProcessor(
        hf.GotOcr2ImageProcessor(size=size),
        tokenizer,
        hf.InternVLVideoProcessor(size=size),
        image_seq_length=4,
        chat_template=_CHAT.replace("IMAGE", "<IMG_CONTEXT>\n").replace("VIDEO", "<video>\n"),
    )
    vision = {"num_hidden_layers": 2, "num_attention_heads": 4, "patch_size": [8, 8]}
    config = hf.InternVLConfig(
        text_config=_text(tokenizer, model_type="qwen2"),
        vision_config={**_VISION, **vision, "image_size": [_SIDE, _SIDE]},
        downsample_ratio=0.5,
        image_seq_length=4,
        image_token_id=tokenizer.convert_tokens_to_ids("<IMG_CONTEXT>"),
    )
    return hf.InternVLForConditionalGeneration(config), processor


_MAKERS: Final = {
    "qwen2-vl": _qwen2_vl,
    "qwen2.5-vl": _qwen2_5_vl,
    "qwen3-vl": _qwen3_vl,
    "smolvlm": _smolvlm,
    "internvl": _internvl,
}


@pytest.fixture(scope="session")
def build_model(tmp_path_factory: pytest.TempPathFactory) -> BuildModel:
    """Make a model of a kind with random weights, and return its folder; one of each kind."""
    built: dict[str, Path] = {}

    def build(kind: str) -> Path:
        if kind not in built:
            import torch
            import transformers

            transformers.utils.logging.disable_progress_bar()
            # The models are too small to gain from more, and other tests have the other cores.
            torch.set_num_threads(1)
            torch.manual_seed(0)
            model, processor = _MAKERS[kind]()
            built[kind] = tmp_path_factory.mktemp("models") / kind
            model.save_pretrained(built[kind])
            processor.save_pretrained(built[kind])
        return built[kind]

    return build


@pytest.fixture(scope="session")
def colours() -> tuple[tuple[int, int, int], ...]:
    """Give the colour of each made frame."""
    return COLOURS


@pytest.fixture(scope="session")
def paint_frame() -> Callable[..., bytes]:
    """Make a frame of one colour as JPEG; the number chooses the colour."""

    def paint(number: int, size: tuple[int, int] = (48, 32)) -> bytes:
        file = BytesIO()
        Image.new("RGB", size, COLOURS[number]).save(file, "JPEG", quality=95)
        return file.getvalue()

    return paint


@pytest.fixture(scope="session")
def make_question(paint_frame: Callable[..., bytes]) -> MakeQuestion:
    """Make a request and its pictures: frame i in colour i, a second apart from 10 s on."""

    def make(
        n_frames: int,
        text: str = "What is it?",
        *,
        system: str = "",
        letters: Sequence[str] = "ABCD",
        size: tuple[int, int] = (48, 32),
    ) -> tuple[Request, tuple[bytes, ...]]:
        frames = tuple(Frame(f"frame-{i}", 10.0 + i) for i in range(n_frames))
        request = Request(system=system, text=text, letters=tuple(letters), frames=frames)
        return request, tuple(paint_frame(i, size) for i in range(n_frames))

    return make
