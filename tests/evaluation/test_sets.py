"""Which samples a set has, and how they are scored."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError, SettingsError
from video_oasis.evaluation.contenders import Gathered, gather
from video_oasis.evaluation.evaluate import evaluate
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.evaluation.sets import choose_set, make_set_id
from video_oasis.report.evaluation.sentences import write_caveats
from video_oasis.schema import Sample, Video

MakeRun = Callable[..., AnsweredRun]
Write = Callable[..., Path]


@pytest.fixture
def gathered(make_run: MakeRun, four: list[Sample]) -> Gathered:
    return gather([make_run("run", four, {"m": [1, 1, 2, 0], "n": [0, 1, 1, 0]})])


def test_a_set_keeps_what_was_kept_and_scores_what_was_corrected(
    gathered: Gathered, write_set: Write
) -> None:
    folder = write_set(
        "d",
        {"s0": None, "s2": 2, "elsewhere": None},
        {"s1": None},
        models={"m": ["model1-m-0.0"], "idle": ["model1-n-0.0"]},
        voters=["m"],
    )
    kept = choose_set("distilled", gathered, [folder])
    assert (kept.record.n_samples, kept.record.n_absent, kept.record.n_corrected) == (2, 1, 1)
    # The spare had no vote.
    assert kept.record.voters == ("m",)
    assert kept.record.benchmarks == {"bench": 2}
    assert kept.record.id == make_set_id({("bench", "s2"): 2, ("bench", "s0"): 1}, gathered.samples)
    right = kept.table.filter("correct").select("model", "sample_id").rows()
    # Published, s2 is n's; corrected, it is m's.
    assert right == [("m", "s0"), ("m", "s2")]
    dropped = choose_set("dropped", gathered, [folder])
    assert dropped.table["sample_id"].unique().to_list() == ["s1"]
    assert choose_set(str(folder), gathered, []).record.id == kept.record.id

    report = evaluate(gathered, [choose_set("original", gathered, []), kept, dropped])
    gaps = {
        (name, row.model): row.gap
        for name, rows in report.gaps.items()
        for row in rows
        if row.level == "pooled"
    }
    assert gaps == {
        ("distilled", "m"): 0.5 - 1,
        ("distilled", "n"): 0.5 - 0,
        ("dropped", "m"): 0.5 - 1,
        ("dropped", "n"): 0.5 - 1,
    }
    assert report.groupings == ("duration",)


def test_shortcuts_are_what_tests_drop_and_people_alone_do_not(
    gathered: Gathered, write_set: Write
) -> None:
    folder = write_set(
        "d",
        {"s0": None},
        {"s1": None, "s2": 2, "s3": None},
        reasons={
            "s1": ["unknown:audio", "judged:ambiguous"],
            "s2": ["shortcut:blind"],
            "s3": ["unknown:audio", "shortcut:shuffle", "judged:other"],
        },
        models={"m": ["model1-m-0.0"]},
        voters=["m"],
    )
    shortcuts = choose_set("shortcuts", gathered, [folder])
    assert shortcuts.record.id == make_set_id(
        {("bench", "s2"): 2, ("bench", "s3"): 1}, gathered.samples
    )
    assert set(shortcuts.table["sample_id"]) == {"s2", "s3"}
    report = evaluate(gathered, [choose_set("distilled", gathered, [folder]), shortcuts])
    lowered, raised = [caveat for caveat in write_caveats(report) if "helped" in caveat]
    assert "out of it, which alone lowers" in lowered
    assert "are in it, which alone raises" in raised
    none = write_set("none", {"s0": None}, {})
    with pytest.raises(SettingsError, match=r"--on shortcuts: .*none has no such sample"):
        choose_set("shortcuts", gathered, [none])


def test_a_set_is_named_by_what_its_samples_ask_and_their_targets(
    make_sample: Callable[..., Sample],
) -> None:
    key = ("bench", "s")

    def name(target: int = 1, **changes: Any) -> str:
        return make_set_id({key: target}, {key: make_sample(id="s", **changes)})

    names = {
        name(),
        name(target=2),
        name(question="Another?"),
        name(choices=("a", "b", "c", "d")),
        name(video=Video("other.mp4")),
        name(video=Video("other.mp4", start_seconds=3.0)),
    }
    assert len(names) == 6
    # The published choice and how long the file is said to be are no part of it.
    assert name(target=2, video=Video("other.mp4", duration_seconds=9.0)) in {
        name(target=2, video=Video("other.mp4"))
    }


def test_sets_that_cannot_be_used_are_refused(gathered: Gathered, write_set: Write) -> None:
    one = write_set("one", {"s0": None}, {"s1": None})
    other = write_set("other", {"s1": None}, {})
    foreign = write_set("foreign", {"z": None}, {})
    beyond = write_set("beyond", {"s0": 9}, {})
    torn = write_set("torn", {"s0": None}, {})
    (torn / "kept.jsonl").write_text('{"benchmark"')
    for name, folders, kind, message in (
        ("distilled", [one, other], SettingsError, "differ about bench sample 's1'"),
        ("distilled", [], SettingsError, "the runs have no distilled set"),
        (str(foreign), [], SettingsError, "none of the 1 samples of"),
        (str(beyond), [], SettingsError, "is corrected to choice 9, and has 4"),
        (str(torn), [], RunError, "no distilled set that can be read"),
    ):
        with pytest.raises(kind, match=message):
            choose_set(name, gathered, folders)
