"""Models that learn from the audited benchmark itself, with no server, key, download or GPU.

Each is fitted to a benchmark's own questions and answers those it has not seen (``model``): the
samples are split (``folds``), each choice is described by plain cues of question and options
(``cues``), transcript or captions (``context_cues``) and pictures (``frame_descriptors``,
``frame_cues``), laid out as a table (``choice_table``), a learner (``logistic``, ``forest``,
``neighbours``) scores the choices, and what gave the right ones away is told in words
(``findings``). They show what little gives away and do not stand in for video models. Another
package adds a learner (``learner``) by an entry point in the group ``video_oasis.learners``.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.models.interface import Backend, FittedModel
from video_oasis.models.settings import ModelSettings
from video_oasis.registry import Registry

if TYPE_CHECKING:
    from video_oasis.models.learned.learner import Learner

LEARNERS: "Final[Registry[Learner]]" = Registry(
    "learned model",
    {
        "forest": "video_oasis.models.learned.forest:score_forest",
        "logistic": "video_oasis.models.learned.logistic:score_logistic",
        "neighbours": "video_oasis.models.learned.neighbours:score_neighbours",
    },
    group="video_oasis.learners",
)


def open_model(name: str, settings: ModelSettings) -> FittedModel:  # noqa: ARG001
    """Return ``learned/NAME``.

    Raises:
        UnknownNameError: there is no learner of that name.
    """
    # NumPy, SciPy and scikit-learn come with it, too slow to import before they are needed.
    from video_oasis.models.learned.model import LearnedModel

    return LearnedModel(name=f"learned/{name}", learner=LEARNERS[name])


BACKEND: Final = Backend(
    forms={
        "logistic": "a weight for every cue of text and pictures, fitted out of fold",
        "forest": "trees over how often such cues were right, fitted out of fold",
        "neighbours": "votes of similar options of similar questions and pictures, out of fold",
    },
    settings=frozenset(),
    open_model=open_model,
)
