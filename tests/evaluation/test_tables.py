"""Tables of an evaluation: what is compared with what, and under which name it is filed."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from video_oasis.analysis.evaluation import Grouping
from video_oasis.analysis.reproduction import OfficialScore
from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import Gathered, gather
from video_oasis.evaluation.evaluate import evaluate
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.evaluation.sets import EvaluatedSet, choose_set
from video_oasis.report.evaluation.document import EvaluationReport, ModelFacts
from video_oasis.report.evaluation.files import write_evaluation
from video_oasis.report.evaluation.sentences import write_verdict
from video_oasis.report.evaluation.tables import make_tables
from video_oasis.report.markdown import write_table
from video_oasis.report.tables.table import Table
from video_oasis.schema import Sample, Video

MakeRun = Callable[..., AnsweredRun]
Write = Callable[..., Path]


@pytest.fixture
def gathered(make_run: MakeRun, four: list[Sample]) -> Gathered:
    return gather([make_run("run", four, {"m": [1, 1, 1, 0], "n": [1, 0, 0, 0]})])


@pytest.fixture
def original(gathered: Gathered) -> list[EvaluatedSet]:
    return [choose_set("original", gathered, [])]


def list_tables(report: EvaluationReport) -> Mapping[str, Table]:
    tables = make_tables(report)
    assert len({table.name for table in tables}) == len(tables)
    return {table.name: table for table in tables}


def group(name: str, **groups: str) -> Grouping:
    return Grouping(
        name, tuple(dict.fromkeys(groups.values())), {("bench", k): g for k, g in groups.items()}
    )


def test_a_users_grouping_may_have_the_name_of_one_of_ours(
    gathered: Gathered, original: list[EvaluatedSet], tmp_path: Path
) -> None:
    groupings = [group("duration", s0="short", s1="long"), group("tasks", s0="a|b")]
    report = evaluate(gathered, original, groupings=groupings, n_resamples=1)
    assert report.groupings == ("duration", "tasks")
    tables = list_tables(report)
    assert tables["by_duration_original"].head == (
        "model", "short", "long", "no duration", "overall",
    )  # fmt: skip
    assert tables["by_tasks_original"].head == ("model", "a|b", "no tasks", "overall")
    assert tables["tasks_original"].head[:2] == ("benchmark", "task")
    assert "| model | a\\|b | no tasks | overall |" in write_table(tables["by_tasks_original"])
    files = write_evaluation(report, tmp_path)
    assert len({file.name.casefold() for file in files}) == len(files)


def test_sets_of_any_name_have_files_of_their_own(
    gathered: Gathered, write_set: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [write_set(name, {"s0": None}, {}).name for name in ("a b", "set1")]
    sets = [choose_set(name, gathered, []) for name in names]
    list_tables(evaluate(gathered, sets, n_resamples=1))


def test_published_scores_need_the_original_set(
    gathered: Gathered, original: list[EvaluatedSet], write_set: Write
) -> None:
    scores = [OfficialScore("m", "bench", 0.5, "paper")]
    (row,) = evaluate(gathered, original, official=scores, n_resamples=1).reproduction
    assert row.ours == 0.75
    part = [choose_set("distilled", gathered, [write_set("set", {"s0": None}, {})])]
    with pytest.raises(SettingsError, match=r"--official: .* add --on original"):
        evaluate(gathered, part, official=scores, n_resamples=1)


def test_what_one_video_cannot_tell_is_not_said(
    gathered: Gathered, original: list[EvaluatedSet]
) -> None:
    # All four samples are of one video, so whether n guesses is not known.
    verdict = write_verdict(evaluate(gathered, original, n_resamples=1))
    assert not any("above chance" in sentence for sentence in verdict)


def test_frame_budgets_are_compared_where_nothing_else_differs(
    make_run: MakeRun, four: list[Sample]
) -> None:
    gathered = gather(
        [
            make_run("a", four, {"m": [1, 1, 1, 0]}),
            make_run("b", four, {"m": [1, 1, 0, 0]}, max_frames=16),
            make_run("c", four, {"m": [0, 0, 0, 0]}, max_frames=64, temperature=1.0),
        ]
    )
    report = evaluate(gathered, [choose_set("original", gathered, [])], n_resamples=1)
    rows = list_tables(report)["frames_original"].rows
    assert [(row[2], row[5][:4]) for row in rows] == [("16", "50.0"), ("128", "75.0")]
    assert rows[1][7].startswith("+25.0")


@pytest.mark.parametrize(("base", "is_compared"), [("b", True), ("", False)])
def test_training_is_compared_with_a_stated_base_alone(
    gathered: Gathered, original: list[EvaluatedSet], base: str, *, is_compared: bool
) -> None:
    facts = {
        "m": ModelFacts("m", base, rewards={"answer": True}),
        "n": ModelFacts("n", base, rewards={"answer": False}),
    }
    report = evaluate(gathered, original, facts=facts, n_resamples=1)
    rows = {row[1]: row for row in list_tables(report)["training_original"].rows}
    assert rows["m"][-2].startswith("+50.0") is is_compared
    assert rows["n"][-2] == "–"


def test_chance_is_that_of_the_model_that_most_was_read_of(
    make_run: MakeRun, make_sample: Callable[..., Sample]
) -> None:
    two, four = (
        make_sample(id=name, video=Video(f"{name}.mp4"), choices=choices, target=1)
        for name, choices in (("s0", ("a", "b")), ("s1", ("a", "b", "c", "d")))
    )
    gathered = gather(
        [make_run("a", [two], {"best": [1]}), make_run("b", [two, four], {"all": [0, 1]})]
    )
    report = evaluate(gathered, [choose_set("original", gathered, [])], n_resamples=1)
    table = list_tables(report)["benchmarks_original"]
    assert [row[0] for row in table.rows] == ["best", "all", "samples", "chance"]
    assert table.rows[-2:] == (("samples", "2"), ("chance", "37.5"))
