"""Models that answer an open question with what is right elsewhere, with no server, key or GPU.

What they get right is given by the wording of the question and by what a benchmark's answers mostly
are. They show how far that leads and do not stand in for text models.
"""

from typing import Final

from video_oasis.errors import SettingsError
from video_oasis.models.interface import Backend, FittedModel
from video_oasis.models.settings import ModelSettings

_SIMILAR_QUESTIONS: Final = "similar_questions"


def open_model(name: str, settings: ModelSettings) -> FittedModel:  # noqa: ARG001
    """Return ``recall/similar_questions``.

    Raises:
        SettingsError: the name is another.
    """
    # scikit-learn comes with it, too slow to import before it is needed.
    from video_oasis.models.recall.similar_questions import SimilarQuestions

    if name != _SIMILAR_QUESTIONS:
        raise SettingsError(f"model recall/{name}: expected recall/{_SIMILAR_QUESTIONS}")
    return SimilarQuestions()


BACKEND: Final = Backend(
    forms={_SIMILAR_QUESTIONS: "for open questions: what is right for similar ones elsewhere"},
    settings=frozenset(),
    open_model=open_model,
)
