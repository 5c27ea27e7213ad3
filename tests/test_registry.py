"""The registry: shipped members, near misses, third-party entry points."""

from importlib.metadata import EntryPoint

import pytest

from video_oasis import registry as registry_module
from video_oasis.errors import SettingsError, UnknownNameError
from video_oasis.registry import Registry


def make_registry() -> Registry[object]:
    return Registry("shape", {"circle": "math:pi", "square": "math:e"}, group="tests.shapes")


def test_a_member_is_imported_by_name() -> None:
    assert make_registry()["circle"] == pytest.approx(3.14159, abs=1e-4)
    assert list(make_registry()) == ["circle", "square"]
    assert "circle" in make_registry()
    assert "cube" not in make_registry()


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match=r"no shape is called 'sqare'; did you mean square"):
        make_registry()["sqare"]


def test_without_a_near_miss_all_names_are_listed() -> None:
    with pytest.raises(UnknownNameError, match="there are: circle, square"):
        make_registry()["zzzzzz"]


def test_another_package_adds_a_member(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("triangle", "math:tau", "tests.shapes")
    monkeypatch.setattr(registry_module, "entry_points", lambda **_: [entry])
    assert make_registry()["triangle"] == pytest.approx(6.28318, abs=1e-4)


def test_another_package_cannot_take_a_shipped_name(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("circle", "math:tau", "tests.shapes")
    monkeypatch.setattr(registry_module, "entry_points", lambda **_: [entry])
    with pytest.raises(SettingsError, match="announces a name that is taken"):
        make_registry()["circle"]


def test_a_member_that_cannot_be_imported_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = EntryPoint("blob", "no_such_module_here:x", "tests.shapes")
    monkeypatch.setattr(registry_module, "entry_points", lambda **_: [entry])
    with pytest.raises(SettingsError, match="no_such_module_here"):
        make_registry()["blob"]
