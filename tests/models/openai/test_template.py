"""Options of a chat template: how one served model is asked to reason, or not to."""

import pytest

from video_oasis.models import open_model
from video_oasis.models.interface import AskedModel
from video_oasis.models.openai.protocol import chat_body
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Request

REQUEST = Request("", "Which?", ("A", "B"))
DIRECT = ModelSettings(template={"enable_thinking": False})


def test_options_of_the_template_are_sent_and_nothing_else_is() -> None:
    plain = chat_body("m", REQUEST, ModelSettings(), draw=0)
    direct = chat_body("m", REQUEST, DIRECT, draw=0)
    assert direct == plain | {"chat_template_kwargs": {"enable_thinking": False}}


@pytest.mark.parametrize("template", [{}, {"enable_thinking": True}])
def test_each_way_to_reason_is_a_model_of_its_own(template: dict[str, bool]) -> None:
    direct = open_model("openai/m@http://localhost:1/v1", DIRECT)
    other = open_model("openai/m@http://localhost:1/v1", ModelSettings(template=template))
    assert isinstance(direct, AskedModel)
    assert isinstance(other, AskedModel)
    assert direct.describe() != other.describe()
