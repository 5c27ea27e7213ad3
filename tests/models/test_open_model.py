"""Names of models: the backend is found, and what is wrong is said."""

import pytest

from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.models import BACKENDS, open_model
from video_oasis.models.interface import AskedModel, FittedModel


def test_a_name_is_a_backend_and_the_rest() -> None:
    assert isinstance(open_model("learned/forest"), FittedModel)
    asked = open_model("openai/org/model@http://localhost:8000/v1")
    assert isinstance(asked, AskedModel)
    assert asked.name == "openai/org/model"


@pytest.mark.parametrize("spec", ["learned", "learned/", "", "/x"])
def test_a_name_without_its_parts_is_explained(spec: str) -> None:
    with pytest.raises((SettingsError, UnknownNameError)):
        open_model(spec)


def test_every_backend_says_how_its_models_are_named() -> None:
    for backend in BACKENDS:
        assert BACKENDS[backend].forms
