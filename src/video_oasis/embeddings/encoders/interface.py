"""What an encoder is to the rest of the package."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from video_oasis.embeddings.vectors import Vectors
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id

_DTYPES: Final = ("float32", "float16", "bfloat16")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """How to run an encoder.

    Attributes:
        dtype: number format of the weights while they run; part of the identity.
        device: where they run, ``auto`` for the best there is.
        revision: branch, tag or commit on the hub, empty for the main branch.
    """

    dtype: str = "float32"
    device: str = "auto"
    revision: str = ""

    def __post_init__(self) -> None:
        """Check the number format.

        Raises:
            SettingsError: there is no such format.
        """
        if self.dtype not in _DTYPES:
            raise SettingsError(
                f"encoder dtype is {self.dtype!r}; expected one of {', '.join(_DTYPES)}"
            )


@dataclass(frozen=True, eq=False)
class EmbeddedTexts:
    """Texts as vectors.

    Attributes:
        vectors: [n, d], of length one.
        cut: for each text, whether it was longer than the encoder's context and lost its end.
    """

    vectors: Vectors
    cut: tuple[bool, ...]


class Encoder(Protocol):
    """A model that embeds pictures and texts in one space; its weights are loaded when needed."""

    @property
    def name(self) -> str:
        """The name to show, as it was given."""
        ...

    @property
    def context_length(self) -> int:
        """How many tokens a text may have, those that mark its start and end among them."""
        ...

    @property
    def logit_scale(self) -> float:
        """The factor, learned with the weights, that turns cosines into logits."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes embeddings, as plain data, without loading the weights.

        Raises:
            ModelUnavailable: a library is not installed, there are no such weights, or they are of
                a model of another kind.
        """
        ...

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Vectors:
        """Embed pictures.

        Args:
            jpegs: one or more pictures as JPEG.
            batch: how many go through the model at once.

        Returns:
            [n, d], of length one.

        Raises:
            ModelUnavailable: the weights cannot be loaded, or fail on these pictures.
        """
        ...

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        """Embed texts, each cut as the encoder's tokenizer cuts where it is too long.

        Args:
            texts: one or more texts.

        Raises:
            ModelUnavailable: the weights cannot be loaded, or fail on these texts.
        """
        ...


OpenEncoder = Callable[[str, EncoderSettings], Encoder]
"""Makes an encoder from the rest of its name and the settings, without loading anything."""


def make_encoder_id(description: Mapping[str, Any]) -> str:
    """Name an encoder by everything that changes its embeddings."""
    return content_id("encoder1", description)
