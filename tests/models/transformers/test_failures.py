"""Models that cannot be asked, and questions that cannot be answered: each is explained."""

import asyncio
import json
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import AskRejected, ModelUnavailable, SettingsError
from video_oasis.models import open_model as open_named
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.models.transformers import open_model
from video_oasis.schema import Answer

BuildModel = Callable[[str], Path]
MakeQuestion = Callable[..., Any]
AskAll = Callable[..., list[Any]]


def check(name: str | Path, **settings: Any) -> None:
    model = open_model(str(name), ModelSettings(**settings))

    async def check_and_close() -> None:
        try:
            await model.check()
        finally:
            await model.close()

    asyncio.run(check_and_close())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"output": Output.JSON}, "output is json"),
        ({"output": Output.CHOICE}, "output is choice"),
        ({"output": Output.LOGPROBS, "max_tokens": 9}, "max_tokens is 9"),
        ({"dtype": "float8"}, "dtype is 'float8'"),
        ({"processor": {"fps": 2}}, "option fps"),
        ({"processor": {"videos_kwargs": {"do_sample_frames": True}}}, "option do_sample_frames"),
        ({"concurrency": 3}, "concurrency is no setting"),
    ],
)
def test_settings_that_do_not_suit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words) as caught:
        open_named("transformers/org/model", ModelSettings(**settings))
    assert "transformers/org/model" in str(caught.value)


def test_missing_libraries_name_the_extra(
    build_model: BuildModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = build_model("qwen2.5-vl")

    def find(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr("video_oasis.weights.version", find)
    expected = r"torch is not installed; pip install 'video-oasis\[transformers\]'"
    with pytest.raises(ModelUnavailable, match=expected):
        check(folder)
    with pytest.raises(ModelUnavailable, match=expected):
        open_model(str(folder), ModelSettings()).describe()


def test_folders_that_hold_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="there is no folder"):
        check(tmp_path / "absent")
    with pytest.raises(ModelUnavailable, match=r"no config\.json"):
        check(tmp_path)


def test_a_name_that_only_an_unreachable_hub_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelUnavailable, match="the hub cannot be reached"):
        check("no-such-owner/no-such-model")


def test_a_revision_of_a_folder(build_model: BuildModel) -> None:
    with pytest.raises(ModelUnavailable, match="leave revision out"):
        check(build_model("qwen2.5-vl"), revision="main")


def change_json(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_model_of_text_alone(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen2"}))
    with pytest.raises(ModelUnavailable, match="'qwen2' is no kind of model"):
        check(folder)


def test_a_kind_that_transformers_does_not_know(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    (folder / "config.json").write_text(json.dumps({"model_type": "from_the_future"}))
    with pytest.raises(ModelUnavailable, match=r"configuration cannot be loaded.*from_the_future"):
        check(folder)


def test_a_models_own_code_is_not_run(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    own = {"AutoConfig": "configuration_own.OwnConfig"}
    change_json(folder / "config.json", model_type="own", auto_map=own)
    (folder / "configuration_own.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ModelUnavailable, match="configuration cannot be loaded"):
        check(folder)


def test_no_chat_template(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ModelUnavailable, match="no chat template"):
        check(folder)


def test_a_chat_template_that_fails(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    (folder / "chat_template.jinja").write_text("{{ raise_exception('only text') }}")
    with pytest.raises(ModelUnavailable, match=r"chat template cannot be loaded.*only text"):
        check(folder)


def test_no_processor(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    (folder / "processor_config.json").unlink()
    with pytest.raises(ModelUnavailable, match="processor"):
        check(folder)


def test_truncated_weights(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2000])
    with pytest.raises(ModelUnavailable, match="weights cannot be loaded"):
        check(folder)


def test_missing_weights_are_not_made_up(copy_model: BuildModel) -> None:
    from safetensors.torch import load_file, save_file

    folder = copy_model("qwen2.5-vl")
    weights = load_file(folder / "model.safetensors")
    left_out = next(name for name in weights if "layers.1.mlp" in name)
    del weights[left_out]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelUnavailable, match="1 of its weights are missing"):
        check(folder)


def test_a_device_that_is_not_there(
    build_model: BuildModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ModelUnavailable, match=r"'cuda:1'.*no such device"):
        check(build_model("qwen2.5-vl"), device_map="cuda:1")


def test_a_device_that_is_none(build_model: BuildModel) -> None:
    with pytest.raises(ModelUnavailable, match="toaster"):
        check(build_model("qwen2.5-vl"), device_map="toaster")


def test_a_model_without_video(copy_model: BuildModel, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import Qwen2_5_VLProcessor

    folder = copy_model("qwen2.5-vl")
    monkeypatch.delattr(Qwen2_5_VLProcessor, "video_processor", raising=False)

    def load_without_video(*args: Any, **named: Any) -> Any:
        processor = Qwen2_5_VLProcessor.from_pretrained(*args, **named)
        del processor.video_processor
        return processor

    monkeypatch.setattr("transformers.AutoProcessor.from_pretrained", load_without_video)
    with pytest.raises(ModelUnavailable, match="set frames_as to images"):
        check(folder)
    check(folder, frames_as=FramesAs.IMAGES)
    check(folder, max_frames=1)


def test_options_that_the_processor_does_not_know(build_model: BuildModel) -> None:
    with pytest.raises(SettingsError, match=r"no option maximal_pixels; it has .*max_pixels"):
        check(build_model("qwen2.5-vl"), processor={"maximal_pixels": 3})
    with pytest.raises(SettingsError, match="no option max_pixels"):
        check(build_model("smolvlm"), processor={"images_kwargs": {"max_pixels": 3}})


def test_an_option_of_a_wrong_value(build_model: BuildModel) -> None:
    with pytest.raises(ModelUnavailable, match=r"`size` dict must contain.*a first question"):
        check(build_model("qwen2.5-vl"), processor={"size": {"height": 5, "width": 5}})


def test_scored_letters_need_a_model_that_answers_at_once(copy_model: BuildModel) -> None:
    folder = copy_model("qwen2.5-vl")
    template = folder / "chat_template.jinja"
    begin = "<|im_start|>assistant\n"
    template.write_text(template.read_text().replace(begin, f"{begin}<think>\n"))
    with pytest.raises(ModelUnavailable, match=r"begin with reasoning \(<think>\)"):
        check(folder, output=Output.LOGPROBS)


def test_a_question_beyond_the_context_fails_alone(
    build_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    model = open_model(str(build_model("qwen2.5-vl")), ModelSettings(max_tokens=4, batch_size=3))
    long = make_question(0, "x" * 4090)
    answers = ask_all(model, make_question(0), long, make_question(0, "Who?"))
    assert [type(answer) for answer in answers] == [Answer, AskRejected, Answer]
    assert answers[1].kind == "context_length"
    assert str(answers[1]).startswith(model.name)
    # The template adds "<|im_start|>user\n" and "<|im_end|>\n<|im_start|>assistant\n": 19 tokens.
    assert "takes 4109 tokens and the reply up to 4, and the model's context is 4096" in str(
        answers[1]
    )


def test_what_has_no_room_on_the_device_fails_alone(
    build_model: BuildModel,
    make_question: MakeQuestion,
    ask_all: AskAll,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch
    import transformers

    generate = transformers.GenerationMixin.generate

    def run_out(self: Any, *args: Any, **arguments: Any) -> Any:
        if arguments["input_ids"].numel() > 60:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")
        return generate(self, *args, **arguments)

    monkeypatch.setattr(transformers.GenerationMixin, "generate", run_out)
    model = open_model(str(build_model("qwen2.5-vl")), ModelSettings(max_tokens=2, batch_size=3))
    large = make_question(0, "x" * 60)
    answers = ask_all(model, make_question(0), large, make_question(0, "Who?"))
    assert [type(answer) for answer in answers] == [Answer, AskRejected, Answer]
    assert answers[1].kind == "out_of_memory"
    assert "20.00 GiB" in str(answers[1])


def test_a_question_that_the_processor_refuses_fails_alone(
    build_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    model = open_model(str(build_model("qwen2.5-vl")), ModelSettings(max_tokens=2))
    # Qwen's processors take no picture more than 200 times as long as it is wide.
    answers = ask_all(model, make_question(1), make_question(1, size=(900, 4)))
    assert isinstance(answers[0], Answer)
    assert answers[1].kind == "model_failed"
    assert "aspect ratio" in str(answers[1])
