from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.media.audio import Samples
from video_oasis.speech.recognisers import ENGINES, open_recogniser
from video_oasis.speech.recognisers.interface import Engine, Heard, recogniser_id
from video_oasis.speech.recognisers.settings import RecogniserSettings


def test_the_engines_that_ship() -> None:
    assert list(ENGINES) == ["server", "whisper"]


@pytest.mark.parametrize("spec", ["whisper", "whisper/", ""])
def test_a_name_without_two_parts_is_refused(spec: str) -> None:
    with pytest.raises(SettingsError, match="expected ENGINE/NAME"):
        open_recogniser(spec)


def test_an_unknown_engine_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownNameError, match="did you mean whisper"):
        open_recogniser("wisper/base")


def test_a_setting_that_the_engine_does_not_read_is_refused() -> None:
    with pytest.raises(SettingsError, match="beam_size is no setting of its engine"):
        open_recogniser("server/m@http://localhost:1/v1", RecogniserSettings(beam_size=1))
    with pytest.raises(SettingsError, match="timeout_seconds is no setting"):
        open_recogniser("whisper/base", RecogniserSettings(timeout_seconds=1))


@pytest.mark.parametrize(
    "wrong", [{"beam_size": 0}, {"concurrency": 0}, {"max_retries": -1}, {"timeout_seconds": 0}]
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        RecogniserSettings(**wrong)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("@http://localhost:1/v1", "no model is named"),
        ("m@http://", "no http address"),
        ("m@http://host:port/v1", "no http address"),
        ("m@http://user:secret@host/v1", "carries a user name"),
        ("m@http://host/v1?key=secret", "carries a user name, a password, a query"),
    ],
)
def test_addresses_that_are_none_or_carry_secrets_are_refused(name: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        open_recogniser(f"server/{name}")
    assert "secret" not in str(caught.value)


def test_names_say_what_listens_and_not_where() -> None:
    server = open_recogniser("server/org/m-1@http://localhost:1/v1")
    assert server.name == "server/org/m-1"
    assert open_recogniser("whisper//models/my-whisper/").name == "whisper/my-whisper"


def test_the_id_of_a_server_depends_on_what_it_is_asked_and_not_on_where() -> None:
    def key(spec: str, **settings: Any) -> str:
        return recogniser_id(open_recogniser(spec, RecogniserSettings(**settings)))

    here = key("server/m@http://localhost:1/v1")
    assert here == key("server/m@http://elsewhere:2/v1", timeout_seconds=1, concurrency=9)
    others = [
        key("server/n@http://localhost:1/v1"),
        key("server/m@http://localhost:1/v1", language="en"),
        key("server/m@http://localhost:1/v1", revision="2"),
    ]
    assert len({here, *others}) == 4


class Echo:
    """What another package might add."""

    name = "echo/x"
    concurrency = 1
    longest_seconds = 10

    def describe(self) -> Mapping[str, Any]:
        return {}

    def check(self) -> None:
        pass

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        yield Heard(0, len(samples), "x")


ENGINE = Engine({"x": "echo"}, frozenset(), lambda _name, _settings: Echo())


def test_another_package_adds_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("echo", f"{__name__}:ENGINE", "video_oasis.recognisers")
    monkeypatch.setattr(ENGINES, "_entries", {**ENGINES._entries, "echo": entry})
    monkeypatch.setattr(EntryPoint, "load", lambda _entry: ENGINE)
    assert open_recogniser("echo/x").name == "echo/x"
