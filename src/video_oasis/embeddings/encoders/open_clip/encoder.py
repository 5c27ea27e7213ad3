"""Embeds pictures and texts with a model of open_clip."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from video_oasis.embeddings.encoders.interface import EmbeddedTexts, EncoderSettings
from video_oasis.embeddings.vectors import Vectors
from video_oasis.surrogates import replace_surrogates
from video_oasis.weights import package_versions, unreadable

if TYPE_CHECKING:
    from video_oasis.embeddings.encoders.open_clip.sources import Source

_PACKAGES: Final = ("torch", "torchvision", "open_clip_torch", "timm")
_INSTALL: Final = "'video-oasis[clip]'"
_PRECISIONS: Final = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}


class OpenClipEncoder:
    """A dual encoder that open_clip loads (see ``Encoder``)."""

    def __init__(self, name: str, settings: EncoderSettings) -> None:
        """Note which weights.

        Args:
            name: path of a folder, ``ARCHITECTURE:TAG`` or ``ARCHITECTURE:FILE``.
            settings: how to run it.
        """
        self.name = f"open_clip/{name}"
        self._rest = name
        self._settings = settings

    @property
    def context_length(self) -> int:
        """How many positions the text encoder has."""
        return self._source.context_length

    @property
    def logit_scale(self) -> float:
        """The factor, learned with the weights, that turns cosines into logits."""
        return float(self._model.logit_scale.detach().float().exp())

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes embeddings (see ``Encoder``)."""
        source = self._source
        tokenizer = source.tokenizer
        return {
            "backend": "open_clip",
            "model": source.name,
            "revision": source.revision,
            "architecture": source.config,
            "preprocessing": source.preprocessing,
            "tokenizer": [tokenizer.name, tokenizer.revision] if tokenizer else None,
            "dtype": self._settings.dtype,
            "context_length": source.context_length,
            "normalisation": "unit length",
            "versions": self._versions,
        }

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Vectors:
        """Embed pictures (see ``Encoder``)."""
        model = self._model
        import torch  # noqa: PLC0415

        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            embed_in_batches,
            open_picture,
        )

        device = model.logit_scale.device
        dtype = getattr(torch, self._settings.dtype)

        def embed(some: Sequence[bytes]) -> Any:
            prepared = [self._prepare(open_picture(jpeg)) for jpeg in some]
            return model.encode_image(torch.stack(prepared).to(device, dtype))

        return embed_in_batches(self.name, jpegs, batch, embed)

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts, cut as the model's tokenizer cuts (see ``Encoder``)."""
        model, tokenizer = self._model, self._tokenizer
        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            TEXTS_AT_ONCE,
            embed_in_batches,
        )

        texts = [replace_surrogates(text) for text in texts]

        def embed(some: Sequence[str]) -> Any:
            return model.encode_text(tokenizer(list(some)).to(model.logit_scale.device))

        vectors = embed_in_batches(self.name, texts, TEXTS_AT_ONCE, embed)
        return EmbeddedTexts(
            vectors,
            tuple(_count_tokens(tokenizer, text) > self.context_length for text in texts),
        )

    @cached_property
    def _versions(self) -> dict[str, str]:
        return package_versions(self.name, _PACKAGES, _INSTALL)

    @cached_property
    def _source(self) -> "Source":
        # To say that open_clip is not installed before it is imported.
        _ = self._versions
        from video_oasis.embeddings.encoders.open_clip.sources import find_source  # noqa: PLC0415

        return find_source(self.name, self._rest, self._settings.revision)

    @cached_property
    def _model(self) -> Any:
        source = self._source
        import open_clip  # noqa: PLC0415

        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            LOADING,
            choose_device,
        )

        device = choose_device(self.name, self._settings.device)
        with LOADING:
            try:
                model = open_clip.create_model(
                    source.architecture,
                    source.find_file(),
                    precision=_PRECISIONS[self._settings.dtype],
                    device=device,
                    force_quick_gelu=source.config.get("quick_gelu", False),
                    force_preprocess_cfg=dict(source.preprocessing),
                    require_pretrained=True,
                    weights_only=True,
                )
            except Exception as error:  # a damaged or foreign file raises whatever comes to it
                raise unreadable(self.name, "weights", error) from error
        return model.eval()

    @cached_property
    def _prepare(self) -> Any:
        from open_clip.transform import PreprocessCfg, image_transform_v2  # noqa: PLC0415

        return image_transform_v2(PreprocessCfg(**self._model.visual.preprocess_cfg), False)

    @cached_property
    def _tokenizer(self) -> Any:
        source = self._source
        import open_clip  # noqa: PLC0415

        kept_apart = source.tokenizer
        options = {} if kept_apart is None else {"revision": kept_apart.commit}
        try:
            return open_clip.get_tokenizer(source.architecture, **options)
        except Exception as error:  # as for the weights
            raise unreadable(self.name, "tokenizer", error) from error


def _count_tokens(tokenizer: Any, text: str) -> int:
    """Count the tokens of a whole text, those that mark its start and end among them."""
    if hasattr(tokenizer, "encode"):
        return len(tokenizer.encode(text)) + 2
    inner = tokenizer.tokenizer
    tokens = inner(tokenizer.clean_fn(text), add_special_tokens=False, verbose=False)["input_ids"]
    return len(tokens) + int(inner.num_special_tokens_to_add())
