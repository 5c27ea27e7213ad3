"""Another package adds a source and a task by entry points, and they are generated from."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from video_oasis import registry
from video_oasis.generate.sources import SOURCES
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.engine import generate
from video_oasis.generate.tvbench.interface import Event, Found, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.tasks import TASKS

SIDES = ("left", "right")


def read(root: Path) -> Iterator[Any]:
    yield from json.loads((root / "throws.json").read_text())


def find(record: Any, *_: object) -> Found:
    yield Event(
        source="throws",
        video=record["video"],
        key="",
        choices=SIDES,
        target=SIDES.index(record["side"]),
    )


THROWS = Source("throws", "throws.json", "ours", read)
THROW_SIDE = Task(
    name="throw_side",
    asks="to which side something is thrown",
    templates=("To which side is it thrown?",),
    find={"throws": find},
    form_blocks=form_even_blocks,
)


class Announced:
    """What an installed package announces: the object is at hand already."""

    def __init__(self, name: str, member: object) -> None:
        """Note the name and the object."""
        self.name, self.member, self.value = name, member, "another_package"

    def load(self) -> object:
        """Return the object."""
        return self.member


@pytest.fixture
def _announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Announce the source and the task, as the installed metadata of a package would."""
    announced = {
        "video_oasis.sources": [Announced("throws", THROWS)],
        "video_oasis.tvbench_tasks": [Announced("throw_side", THROW_SIDE)],
    }

    def list_entries(*, group: str) -> list[Any]:
        return announced.get(group, [])

    monkeypatch.setattr(registry, "entry_points", list_entries)
    registries: tuple[Any, ...] = (SOURCES, TASKS)
    for each in registries:
        each.__dict__.pop("_entries", None)
    yield
    for each in registries:
        each.__dict__.pop("_entries", None)


@pytest.mark.usefixtures("_announced")
def test_they_are_listed_and_generated_from(tmp_path: Path) -> None:
    rows = [{"video": f"v{n}.mp4", "side": SIDES[n % 2]} for n in range(20)]
    (tmp_path / "throws.json").write_text(json.dumps(rows))
    assert "throws" in list(SOURCES)
    assert "throw_side" in list(TASKS)
    settings = TVBenchSettings(gate_learners=(), gate_permutations=10)
    (made,) = generate({"throws": tmp_path}, [TASKS["throw_side"]], Mode.STRICT, 0, settings).tasks
    assert made.refusal == ""
    assert {sample.video.path for sample in made.samples} == {
        f"throw_side/v{n}.mp4" for n in range(20)
    }
