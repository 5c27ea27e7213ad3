"""Similarity: the cosine of two texts' embeddings by a sentence encoder."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from video_oasis.errors import ModelUnavailable, SettingsError
from video_oasis.judges.interface import Judge, Pair, grade_likeness
from video_oasis.schema import Grade

THRESHOLD: Final = 0.7
"""An answer whose embedding lies at least so near the reference's counts as right."""


def _grade(pairs: Sequence[Pair], argument: str) -> list[Grade]:
    if not argument:
        raise SettingsError(
            "judge similarity: no encoder is named; expected similarity/NAME-OR-FOLDER, such as "
            "similarity/sentence-transformers/all-MiniLM-L6-v2"
        )
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.answer, pair.reference)))
    vectors = dict(zip(texts, _embed(texts, argument), strict=True))
    return [
        grade_likeness(
            min(1.0, max(0.0, float(vectors[pair.answer] @ vectors[pair.reference]))),
            threshold=THRESHOLD,
        )
        for pair in pairs
    ]


def _embed(texts: Sequence[str], encoder: str) -> NDArray[np.float32]:
    """Return one vector of length one for each text."""
    try:
        # It brings torch along.
        import transformers  # noqa: PLC0415
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    except ImportError as error:
        raise ModelUnavailable(
            f"judge similarity/{encoder}: needs the package sentence-transformers ({error}); "
            f"install video-oasis[similarity]"
        ) from error
    transformers.utils.logging.disable_progress_bar()
    try:
        model = SentenceTransformer(encoder)
    except Exception as error:
        # Whatever is wrong with a folder, the library raises what its parts raise.
        reason = " ".join(str(error).split())
        raise ModelUnavailable(
            f"judge similarity/{encoder}: no such sentence encoder can be loaded, neither from a "
            f"folder nor from the hub ({reason}); give the folder of one that is saved whole"
        ) from error
    vectors: NDArray[np.float32] = model.encode(
        list(texts), normalize_embeddings=True, show_progress_bar=False
    )
    return vectors


SIMILARITY: Final = Judge(
    name="similarity",
    rule=f"right if the cosine of the embeddings of answer and reference is {THRESHOLD} or more; "
    f"the score is five times that",
    grade=_grade,
    takes="a sentence encoder: a folder, or a name on the hub",
)
