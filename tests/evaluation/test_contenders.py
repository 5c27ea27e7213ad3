"""Models of several runs side by side."""

from collections.abc import Callable

import pytest

from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import gather
from video_oasis.evaluation.evaluate import evaluate
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.evaluation.sets import choose_set
from video_oasis.schema import Sample

MakeRun = Callable[..., AnsweredRun]
MakeSample = Callable[..., Sample]


def test_one_model_of_two_benchmarks_is_one_contender(
    make_run: MakeRun, make_sample: MakeSample, four: list[Sample]
) -> None:
    other = [make_sample(id="s0", benchmark="other")]
    gathered = gather(
        [make_run("a", four, {"m": [1, 1, 0, 0]}), make_run("b", other, {"m": [1], "n": [0]})]
    )
    assert [(each.label, each.runs) for each in gathered.contenders] == [
        ("m", ("a", "b")),
        ("n", ("b",)),
    ]
    assert gathered.table.height == 6
    assert len(gathered.samples) == 5
    assert gathered.benchmark_groups == {"bench": "general", "other": "general"}


def test_other_budgets_and_settings_make_other_contenders(
    make_run: MakeRun, four: list[Sample]
) -> None:
    picks = {"m": [1, 1, 0, 0]}
    by_budget = gather(
        [make_run("a", four, picks), make_run("b", four, picks | {"n": [0] * 4}, max_frames=1)]
    )
    assert [each.label for each in by_budget.contenders] == ["m, 128 frames", "m, 1 frame", "n"]
    assert set(by_budget.table["model"]) == {"m, 128 frames", "m, 1 frame", "n"}
    by_setting = gather(
        [make_run("runs/a", four, picks), make_run("runs/b", four, picks, temperature=1.0)]
    )
    assert [each.label for each in by_setting.contenders] == ["m, runs/a", "m, runs/b"]
    by_both = gather(
        [
            make_run("a", four, picks),
            make_run("b", four, picks, temperature=1.0),
            make_run("c", four, picks, max_frames=1),
        ]
    )
    assert [each.label for each in by_both.contenders] == [
        "m, 128 frames, a",
        "m, 128 frames, b",
        "m, 1 frame, c",
    ]


def test_what_chose_the_frames_makes_other_contenders(
    make_run: MakeRun, four: list[Sample]
) -> None:
    picks = {"m": [1, 1, 0, 0]}
    gathered = gather(
        [
            make_run(name, four, picks, diagnostic="top_16", grounder=f"open_clip/{name}")
            for name in ("a", "b")
        ]
    )
    assert [each.label for each in gathered.contenders] == ["m, a", "m, b"]
    assert len({each.protocol["grounder"]["encoder"] for each in gathered.contenders}) == 2
    # However many the budget allows, that diagnostic shows no more.
    assert [each.max_frames for each in gathered.contenders] == [16, 16]
    # A run's grounder is none of the business of what shows frames as they come.
    (plain,) = gather([make_run("c", four, picks, grounder="open_clip/c")]).contenders
    assert "grounder" not in plain.protocol


def test_a_model_is_compared_with_itself_under_the_baseline(
    make_run: MakeRun, four: list[Sample]
) -> None:
    gathered = gather(
        [
            make_run("a", four, {"m": [1, 0, 0, 0], "n": [1] * 4}),
            make_run("b", four[:2], {"m": [1, 1], "n": [1, 0]}, diagnostic="oracle"),
            # Asked in another way, it is no view of the same model.
            make_run("c", four, {"m": [1] * 4}, diagnostic="oracle", temperature=1.0),
            make_run("d", four, {"m": [1] * 4}, diagnostic="oracle", max_frames=16),
        ]
    )
    original = [choose_set("original", gathered, [])]
    (found,) = evaluate(gathered, original, n_resamples=1).findings
    assert [
        (row.first, row.second, row.n, row.difference)
        for row in found.whole.views
        if row.level == "pooled"
    ] == [
        ("m, oracle, 128 frames, b", "m, standard, 128 frames, a", 2, 0.5),
        ("n, oracle", "n, standard", 2, -0.5),
    ]
    (turned,) = evaluate(gathered, original, baseline="oracle", n_resamples=1).findings
    assert [(row.first, row.difference) for row in turned.whole.views if row.level == "pooled"] == [
        ("m, standard, 128 frames, a", -0.5),
        ("n, standard", 0.5),
    ]
    (nothing,) = evaluate(gathered, original, baseline="uniform_16", n_resamples=1).findings
    assert nothing.whole.views == ()


def test_the_same_answers_twice_are_refused(make_run: MakeRun, four: list[Sample]) -> None:
    picks = {"m": [1, 1, 0, 0]}
    with pytest.raises(SettingsError, match=r"m: runs a and b both asked it about bench sample"):
        gather([make_run("a", four, picks), make_run("b", four, picks)])


def test_runs_of_other_files_are_refused(
    make_run: MakeRun, make_sample: MakeSample, four: list[Sample]
) -> None:
    changed = [make_sample(id="s0", target=2)]
    with pytest.raises(SettingsError, match=r"b: bench sample 's0' has another target than in"):
        gather([make_run("a", four, {"m": [1] * 4}), make_run("b", changed, {"n": [1]})])
