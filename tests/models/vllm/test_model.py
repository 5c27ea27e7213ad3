"""How the engine is started, asked and let go; a stand-in takes the place of the library."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from video_oasis.errors import AskRejected, ModelUnavailable, SettingsError
from video_oasis.models import open_model
from video_oasis.models.interface import AskedModel
from video_oasis.models.settings import ModelSettings, Output
from video_oasis.schema import Answer

BuildModel = Callable[[str], Path]
MakeQuestion = Callable[..., Any]


@dataclass
class Engine:
    """What the stand-in was asked to do, and the word at which it fails."""

    started: list[dict[str, Any]] = field(default_factory=list)
    batches: list[list[Any]] = field(default_factory=list)
    fails_on: str = "nothing"


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Put a stand-in in the place of vLLM that repeats the question's last line but one."""
    engine = Engine()

    class LLM:
        def __init__(self, **arguments: Any) -> None:
            engine.started.append(arguments)

        def generate(self, prompts: list[Any], sampling: list[Any], *, use_tqdm: bool) -> list[Any]:
            assert not use_tqdm
            engine.batches.append(list(zip(prompts, sampling, strict=True)))
            if any(engine.fails_on in prompt["prompt"] for prompt in prompts):
                raise ValueError("longer than the maximum model length of 10")
            return [
                SimpleNamespace(
                    prompt_token_ids=[0] * 4,
                    outputs=[
                        SimpleNamespace(
                            text=prompt["prompt"].split("<|im_end|>")[0].split("\n")[-1],
                            token_ids=[1],
                            finish_reason="stop",
                            logprobs=None,
                        )
                    ],
                )
                for prompt in prompts
            ]

    contents: dict[str, dict[str, Any]] = {
        "vllm": {"LLM": LLM, "SamplingParams": SimpleNamespace},
        "vllm.sampling_params": {"StructuredOutputsParams": SimpleNamespace},
    }
    for name, attributes in contents.items():
        module = ModuleType(name)
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(
        "video_oasis.weights.version",
        lambda package: "1.2" if package == "vllm" else version(package),
    )
    return engine


def open_asked(folder: Path, **settings: Any) -> AskedModel:
    model = open_model(f"vllm/{folder}", ModelSettings(**settings))
    assert isinstance(model, AskedModel)
    return model


def test_it_is_checked_asked_together_and_closed(
    build_model: BuildModel, make_question: MakeQuestion, engine: Engine
) -> None:
    folder = build_model("qwen2.5-vl")
    model = open_asked(folder, concurrency=3, output=Output.CHOICE)
    engine.fails_on = "Who?"

    async def ask_all() -> list[Any]:
        await model.check()
        shown = [make_question(n, text) for n, text in ((0, "Why?"), (0, "Who?"), (2, "When?"))]
        asked = [model.ask(request, 0, pictures) for request, pictures in shown]
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        await model.close()
        return outcomes

    why, who, when = asyncio.run(ask_all())
    assert isinstance(why, Answer)
    assert why.text == "Why?"
    assert when.text.endswith("When?")
    assert isinstance(who, AskRejected)
    assert who.kind == "context_length"
    assert str(who).startswith(model.name)
    # The check's question, the three together, and then each alone.
    assert [len(batch) for batch in engine.batches] == [1, 3, 1, 1, 1]
    [started] = engine.started
    assert started["model"] == str(folder)
    _, sampling = engine.batches[-1][0]
    assert sampling.structured_outputs.choice == ["A", "B", "C", "D"]


def test_its_identity(build_model: BuildModel, engine: Engine) -> None:
    described = dict(open_asked(build_model("qwen2.5-vl"), concurrency=3).describe())
    assert described["backend"] == "vllm"
    assert described["frames_as"] == "video"
    assert described["versions"]["vllm"] == "1.2"
    assert described["revision"].startswith("weights1-")
    assert engine.started == []


def test_a_first_question_that_fails(build_model: BuildModel, engine: Engine) -> None:
    model = open_asked(build_model("qwen2.5-vl"))
    engine.fails_on = "letter A"
    with pytest.raises(ModelUnavailable, match="a first question about grey frames"):
        asyncio.run(model.check())


def test_an_engine_that_does_not_start(
    build_model: BuildModel, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("Failed to infer device type")

    monkeypatch.setattr(sys.modules["vllm"], "LLM", fail)
    with pytest.raises(ModelUnavailable, match=r"engine cannot be loaded.*infer device type"):
        asyncio.run(open_asked(build_model("qwen2.5-vl")).check())
    assert engine.batches == []


def test_without_the_library_it_is_named(build_model: BuildModel) -> None:
    model = open_asked(build_model("qwen2.5-vl"))
    with pytest.raises(ModelUnavailable, match="vllm is not installed; pip install vllm"):
        asyncio.run(model.check())


def test_json_is_refused() -> None:
    with pytest.raises(SettingsError, match="output is json"):
        open_model("vllm/org/model", ModelSettings(output=Output.JSON))
