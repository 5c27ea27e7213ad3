"""The public names exist, and the README's Python example runs as it stands."""

import re
from pathlib import Path

import pytest

import video_oasis
from video_oasis.analysis.summary import AuditSummary


def test_every_public_name_can_be_had() -> None:
    for name in video_oasis.__all__:
        assert getattr(video_oasis, name) is not None
    assert dir(video_oasis) == sorted(video_oasis.__all__)
    with pytest.raises(AttributeError):
        video_oasis.no_such_name  # noqa: B018


def test_the_readmes_example_runs(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    example = example.replace("/data/tvbench", str(shared_data / "annotations/tvbench"))
    # The whole benchmark takes a minute; the example is the same with a tenth of it.
    example = example.replace("contents.samples", "contents.samples[::10]")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    summary = names["summary"]
    assert isinstance(summary, AuditSummary)
    assert summary.overall is not None
    assert summary.overall.n_samples == 253
