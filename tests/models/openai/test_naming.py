"""How a model is named, where its servers are, and what its identity holds."""

from collections.abc import Mapping
from typing import Any

import pytest

from video_oasis.errors import AskInterrupted, SettingsError
from video_oasis.models.openai import open_model
from video_oasis.models.openai.addresses import Address, choose_address, read_addresses
from video_oasis.models.openai.faults import Fault, read_retry_after, wait_seconds
from video_oasis.models.settings import FramesAs, ModelSettings, Output

HERE = "http://localhost:8000/v1"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (f"m@{HERE}", "openai/m"),
        (f"org/m@{HERE},https://example.org/v1", "openai/org/m"),
        (f"m@rev2@{HERE}", "openai/m@rev2"),
        ("gpt", "openai/gpt"),
    ],
)
def test_the_name_leaves_the_address_out(name: str, shown: str) -> None:
    assert open_model(name, ModelSettings()).name == shown


def test_addresses() -> None:
    assert read_addresses("m", f"{HERE}/, https://b.org/v1,{HERE}") == (HERE, "https://b.org/v1")


def test_without_an_address_the_environment_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert read_addresses("m", "") == ("https://api.openai.com/v1",)
    monkeypatch.setenv("OPENAI_BASE_URL", HERE)
    assert read_addresses("m", "") == (HERE,)
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost:8000")
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL"):
        read_addresses("m", "")


@pytest.mark.parametrize(
    "address",
    [
        "http://user:hunter2@localhost/v1",
        "http://hunter2@localhost/v1",
        "http://localhost/v1?key=hunter2",
        "http://localhost/v1#hunter2",
        "http://localhost:hunter2/v1",
        f"{HERE},http://hunter2@b.org",
        "http://",
    ],
)
def test_addresses_with_secrets_are_refused_without_showing_them(address: str) -> None:
    with pytest.raises(SettingsError) as caught:
        open_model(f"m@{address}", ModelSettings())
    assert "hunter2" not in str(caught.value)
    assert "openai/m" in str(caught.value)


def test_a_model_must_be_named() -> None:
    with pytest.raises(SettingsError, match="MODEL@BASE_URL"):
        open_model(f"@{HERE}", ModelSettings())


def test_scored_letters_take_one_token() -> None:
    with pytest.raises(SettingsError, match="max_tokens is 64"):
        open_model("m", ModelSettings(output=Output.LOGPROBS, max_tokens=64))


def test_a_key_that_no_header_takes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-hunter2\nX: y")
    with pytest.raises(SettingsError, match="MY_KEY") as caught:
        open_model("m", ModelSettings(api_key_env="MY_KEY"))
    assert "hunter2" not in str(caught.value)


def test_the_identity_holds_what_changes_answers() -> None:
    settings = ModelSettings(revision="r1", seed=4, concurrency=3, timeout_seconds=9)
    assert open_model(f"m@{HERE}", settings).describe() == {
        "backend": "openai",
        "model": "m",
        "revision": "r1",
        "output": "text",
        "temperature": 0.0,
        "max_tokens": 1024,
        "seed": 4,
        "frames_as": "images",
        "processor": {},
        "template": {},
    }


def test_how_frames_are_shown_is_part_of_the_identity_but_not_how_many_at_most() -> None:
    def describe(**changes: Any) -> Mapping[str, Any]:
        return open_model(f"m@{HERE}", ModelSettings(**changes)).describe()

    assert describe(frames_as=FramesAs.IMAGES) == describe()
    assert describe(frames_as=FramesAs.VIDEO) != describe()
    assert describe(processor={"max_pixels": 9}) != describe(processor={"max_pixels": 8})
    assert describe(max_frames=8) == describe()


def test_the_most_frames_are_as_set() -> None:
    assert open_model("m", ModelSettings()).max_frames is None
    assert open_model("m", ModelSettings(max_frames=0)).max_frames == 0


def test_the_server_with_least_to_do_is_asked_and_resting_ones_last() -> None:
    one, two, three = Address("1", in_flight=3), Address("2", in_flight=2), Address("3")
    three.rest(60)
    assert choose_address([one, two, three]) is two
    two.rest(30)
    assert choose_address([one, two, three]) is one
    one.rest(90)
    assert choose_address([one, two, three]) is two


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert read_retry_after(value) == seconds


def test_retry_after_reads_a_coming_date() -> None:
    assert (read_retry_after("Fri, 31 Dec 9999 23:59:59 GMT") or 0) > 1e9


def test_waits_double_up_to_a_cap_and_respect_the_server() -> None:
    fault = Fault(AskInterrupted("http_500", "x"))
    for n_failed, longest in ((1, 0.5), (2, 1.0), (4, 4.0), (50, 60.0)):
        assert longest / 2 <= wait_seconds(fault, n_failed) <= longest
    asked = Fault(AskInterrupted("http_429", "x"), retry_after_seconds=7.0)
    assert wait_seconds(asked, 1) == 7.0
    patient = Fault(AskInterrupted("http_429", "x"), retry_after_seconds=86_400.0)
    assert wait_seconds(patient, 1) == 60.0
