"""CLIP, Long-CLIP, SigLIP and SigLIP 2 in the form of the transformers library.

A model is named by a folder as ``save_pretrained`` writes it, else by a name on the hub.
"""

import string
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from video_oasis.embeddings.encoders.interface import EmbeddedTexts, EncoderSettings
from video_oasis.embeddings.vectors import Vectors
from video_oasis.errors import ModelUnavailable
from video_oasis.surrogates import replace_surrogates
from video_oasis.weights import Weights, find_weights, package_versions, unreadable

_PACKAGES: Final = ("torch", "torchvision", "transformers")
_INSTALL: Final = "'video-oasis[clip]'"

_SIGLIP: Final = ("siglip", "siglip2")
_KINDS: Final = ("clip", *_SIGLIP)
_PUNCTUATION: Final = str.maketrans("_", " ", string.punctuation.replace("_", ""))


def open_encoder(name: str, settings: EncoderSettings) -> "TransformersEncoder":
    """Return the encoder of that name, without loading anything.

    Args:
        name: path of a folder, or name on the hub.
        settings: how to run it.
    """
    return TransformersEncoder(name, settings)


def canonical_text(text: str) -> str:
    """Return a text as SigLIP's were in training: in lower case, without ASCII punctuation.

    The tokenizer kept with some weights does it and that of others does not; doing it twice changes
    nothing.
    """
    return " ".join(text.translate(_PUNCTUATION).lower().split())


class TransformersEncoder:
    """A dual encoder that transformers loads (see ``Encoder``)."""

    def __init__(self, name: str, settings: EncoderSettings) -> None:
        """Note which weights.

        Args:
            name: path of a folder, or name on the hub.
            settings: how to run it.
        """
        self.name = f"transformers/{name}"
        self._source = name
        self._settings = settings

    @property
    def context_length(self) -> int:
        """How many positions the weights have for tokens, whatever the tokenizer's files say."""
        return int(self._config.text_config.max_position_embeddings)

    @property
    def logit_scale(self) -> float:
        """The factor, learned with the weights, that turns cosines into logits."""
        return float(self._model.logit_scale.detach().float().exp())

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes embeddings (see ``Encoder``)."""
        versions = package_versions(self.name, _PACKAGES, _INSTALL)
        return {
            "backend": "transformers",
            "model": self._weights.name,
            "revision": self._weights.revision,
            "dtype": self._settings.dtype,
            "context_length": self.context_length,
            "texts": "lower case without punctuation, padded" if self._is_siglip else "as they are",
            "normalisation": "unit length",
            "versions": versions,
        }

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Vectors:
        """Embed pictures (see ``Encoder``)."""
        model, prepare = self._model, self._image_processor
        # torch comes with it: seconds that only embedding needs.
        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            embed_in_batches,
            open_picture,
        )

        def embed(some: Sequence[bytes]) -> Any:
            inputs = prepare(images=[open_picture(jpeg) for jpeg in some], return_tensors="pt")
            on_device = {
                # Only pixels take the weights' number format: masks and sizes are whole numbers.
                key: each.to(model.device, model.dtype if key == "pixel_values" else None)
                for key, each in inputs.items()
            }
            return model.get_image_features(**on_device).pooler_output

        return embed_in_batches(self.name, jpegs, batch, embed)

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts, cut where they are longer than the weights' positions (see ``Encoder``)."""
        model, tokenizer = self._model, self._tokenizer
        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            TEXTS_AT_ONCE,
            embed_in_batches,
        )

        texts = [replace_surrogates(text) for text in texts]
        if self._is_siglip:
            texts = [canonical_text(text) for text in texts]

        def embed(some: Sequence[str]) -> Any:
            inputs = tokenizer(
                list(some),
                # SigLIP reads the padding too: it was trained on nothing else. The files of some
                # weights put it on the other side, as is right for models that write.
                padding="max_length" if self._is_siglip else "longest",
                padding_side="right",
                truncation=True,
                max_length=self.context_length,
                return_tensors="pt",
            ).to(model.device)
            mask = None if self._is_siglip else inputs["attention_mask"]
            features = model.get_text_features(inputs["input_ids"], attention_mask=mask)
            return features.pooler_output

        vectors = embed_in_batches(self.name, texts, TEXTS_AT_ONCE, embed)
        whole = tokenizer(texts, verbose=False)["input_ids"]
        return EmbeddedTexts(vectors, tuple(len(each) > self.context_length for each in whole))

    @property
    def _is_siglip(self) -> bool:
        return self._config.model_type in _SIGLIP

    @cached_property
    def _weights(self) -> Weights:
        return find_weights(self.name, self._source, self._settings.revision, whole=True)

    @cached_property
    def _config(self) -> Any:
        package_versions(self.name, _PACKAGES, _INSTALL)
        config = self._load("AutoConfig", "configuration")
        if config.model_type not in _KINDS:
            raise ModelUnavailable(
                f"model {self.name}: {config.model_type!r} is no dual encoder of pictures and "
                f"texts that is known here; expected weights of one of {', '.join(_KINDS)}"
            )
        return config

    @cached_property
    def _tokenizer(self) -> Any:
        return self._load("AutoTokenizer", "tokenizer")

    @cached_property
    def _image_processor(self) -> Any:
        return self._load("AutoImageProcessor", "image processor")

    @cached_property
    def _model(self) -> Any:
        # A folder of a model of another kind is told before its weights are read.
        config = self._config
        import torch  # noqa: PLC0415

        from video_oasis.embeddings.encoders.torch_batches import (  # noqa: PLC0415
            LOADING,
            choose_device,
        )

        device = choose_device(self.name, self._settings.device)
        with LOADING:
            model, found = self._load(
                "AutoModel",
                "weights",
                config=config,
                dtype=getattr(torch, self._settings.dtype),
                output_loading_info=True,
            )
        if found["missing_keys"]:
            raise ModelUnavailable(
                f"model {self.name}: {len(found['missing_keys'])} of its weights are missing, such "
                f"as {min(found['missing_keys'])}, and would be random numbers; get all its files"
            )
        return model.eval().to(device)

    def _load(self, loader: str, part: str, **options: Any) -> Any:
        """Load a part with one of the library's ``Auto`` classes."""
        weights = self._weights
        import transformers  # noqa: PLC0415

        transformers.utils.logging.disable_progress_bar()
        try:
            # A model's own code is not run: weights are data. What goes wrong in a damaged or
            # unknown one can be any exception at all.
            return getattr(transformers, loader).from_pretrained(
                weights.source, revision=weights.commit, trust_remote_code=False, **options
            )
        except Exception as error:
            raise unreadable(self.name, part, error) from error
