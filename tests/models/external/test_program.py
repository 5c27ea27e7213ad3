"""Which program a name means, and what tells it from others."""

from collections.abc import Callable
from pathlib import Path

import pytest

from video_oasis.errors import ModelUnavailable, SettingsError
from video_oasis.models import open_model
from video_oasis.models.external.model import ExternalModel
from video_oasis.models.external.program import find_program
from video_oasis.models.settings import ModelSettings
from video_oasis.store import make_model_id

NOTHING = "pass"


def identify(path: Path, *arguments: str, revision: str = "") -> str:
    settings = ModelSettings(arguments=arguments, revision=revision)
    model = open_model(f"external/{path}", settings)
    assert isinstance(model, ExternalModel)
    return make_model_id(model.describe())


def test_identity_is_what_the_program_holds_and_is_given(
    write_program: Callable[..., Path], tmp_path: Path
) -> None:
    first = write_program(NOTHING)
    again = write_program(NOTHING, "again.py")
    (tmp_path / "moved").mkdir()
    moved = first.rename(tmp_path / "moved/agent.py")
    same = write_program(NOTHING)
    assert identify(moved) == identify(same)
    assert identify(same) != identify(again)
    known = {identify(same), identify(same, "--fast"), identify(same, revision="2")}
    same.write_text(same.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert len(known | {identify(same)}) == 4


@pytest.mark.parametrize("wording", [("--prompt", "{}"), ("--prompt={}",)])
def test_a_file_among_the_arguments_is_part_of_the_identity(
    write_program: Callable[..., Path], tmp_path: Path, wording: tuple[str, ...]
) -> None:
    program = write_program(NOTHING)

    def identify_with(text: str, folder: str = "here") -> str:
        prompt = tmp_path / folder / "prompt.txt"
        prompt.parent.mkdir(exist_ok=True)
        prompt.write_text(text, encoding="utf-8")
        return identify(program, *(each.format(prompt) for each in wording))

    first = identify_with("Think.")
    assert identify_with("Think twice.") != first
    assert identify_with("Think.", "there") == first


def test_an_argument_may_be_longer_than_any_file_name(write_program: Callable[..., Path]) -> None:
    program, text = write_program(NOTHING), "Think step by step. " * 50
    assert identify(program, text) == identify(program, text)
    assert identify(program, text) != identify(program, f"--prompt={text}")
    with pytest.raises(ModelUnavailable, match="there is no file"):
        find_program("external/x", f"./{text}")
    with pytest.raises(ModelUnavailable, match="there is no command"):
        find_program("external/x", text)


def test_how_hard_it_is_asked_is_no_part_of_the_identity(
    open_program: Callable[..., ExternalModel],
) -> None:
    first = open_program(NOTHING).describe()
    other = open_program(NOTHING, concurrency=4, timeout_seconds=3.0, max_frames=8)
    assert other.describe() == first
    assert (other.concurrency, other.max_frames) == (4, 8)
    assert open_program(NOTHING).concurrency == 1


def test_a_command_is_known_by_its_name() -> None:
    described = open_model("external/sh").describe()  # type: ignore[call-arg]
    assert described == {
        "backend": "external", "program": "sh", "arguments": [], "files": [], "revision": ""
    }  # fmt: skip


def test_what_cannot_be_run_is_explained(
    write_program: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelUnavailable, match=r"no file .*nowhere\.py; check the path"):
        find_program("external/x", "./nowhere.py")
    with pytest.raises(ModelUnavailable, match=r"no command 'no-such-command'$"):
        find_program("external/x", "no-such-command")
    program = write_program(NOTHING)
    with pytest.raises(ModelUnavailable, match=r"with a slash: external/\./agent\.py"):
        find_program("external/x", "agent.py")
    assert find_program("external/x", "./agent.py") == program
    program.chmod(0o644)
    with pytest.raises(ModelUnavailable, match=r"chmod \+x"):
        find_program("external/x", "./agent.py")


def test_settings_that_no_program_reads_are_refused() -> None:
    with pytest.raises(SettingsError, match="temperature is no setting of its backend"):
        open_model("external/./agent.py", ModelSettings(temperature=0.7))
    with pytest.raises(SettingsError, match="NUL"):
        open_model("external/./agent.py", ModelSettings(arguments=("a\0b",)))
