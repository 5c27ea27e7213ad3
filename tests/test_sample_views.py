"""Samples in full: which are chosen, what was shown of them, and what becomes of all."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.analysis.ambiguity import QueueRow
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.distil.decide import DistilledSample, Fate
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import list_wanted
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.plan import Assignment, make_plan
from video_oasis.report.document import FateCount, GivenAnswer, SampleView, Votes
from video_oasis.sample_views import count_fates, view_samples
from video_oasis.schema import LONG_TABLE_COLUMNS, Answer, Frame, Sample, Video
from video_oasis.store import NewAnswer, Store
from video_oasis.table import make_long_table
from video_oasis.trials import WITHHOLDS_NOTHING


def decide(sample: Sample, *shortcuts: str) -> DistilledSample:
    return DistilledSample(
        benchmark=sample.benchmark,
        sample_id=sample.id,
        task=sample.task,
        video=sample.video.path,
        fate=Fate.DROPPED if shortcuts else Fate.KEPT,
        reasons=tuple(f"shortcut:{test}" for test in shortcuts),
        votes={"blind": 1 if "blind" in shortcuts else 0},
    )


def queue_row(sample: Sample) -> QueueRow:
    return QueueRow(
        sample.benchmark, sample.id, sample.task, sample.video.path, "consistency", "?", 1.0, None
    )


def plan_of(samples: list[Sample], model: Any, *diagnostics: str) -> tuple[Assignment, ...]:
    """Plan with four frames of every video but ``broken.mp4``."""
    chosen = [DIAGNOSTICS[name] for name in diagnostics]
    takers = [each.sampling for each in chosen if each.sampling]
    wanted = list_wanted(samples, takers, FrameSettings())
    prepared = Prepared(
        {
            key: MediaFailure("truncated", "breaks off")
            if key.path == "broken.mp4"
            else Timeline(
                key.path,
                sampling,
                tuple(Frame(f"{number:064x}", float(number)) for number in range(4)),
                window_seconds=100.0,
                n_window_frames=2500,
            )
            for key, sampling in wanted.items()
        }
    )
    return make_plan(samples, chosen, {"m": model}, prepared=prepared)


def view_all(
    samples: list[Sample],
    decided: list[DistilledSample],
    queue: list[QueueRow],
    plan: tuple[Assignment, ...],
    folder: Path,
    *,
    limit: int,
) -> tuple[SampleView, ...]:
    with Store.create(folder / "answers.sqlite") as store:
        for assignment in plan:
            for key, trial in assignment.asks():
                new = NewAnswer(key, trial.request, Answer("B"))
                store.put_answers(assignment.model_id, [new])
        table = make_long_table(plan, store)
    by_key = {(sample.benchmark, sample.id): sample for sample in samples}
    return view_samples(by_key, decided, queue, plan, table, limit=limit)


def test_a_view_holds_what_each_test_showed_and_each_model_answered(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    sample = make_sample()
    model = scripted_model(lambda _request, _draw: Answer("B"), max_frames=None)
    plan = plan_of([sample], model, "blind", "reverse")
    (view,) = view_all(
        [sample], [decide(sample, "blind")], [queue_row(sample)], plan, tmp_path, limit=9
    )
    blind, backwards = view.showings
    given = GivenAnswer("m", 0, 0, "ok", "", 1, is_correct=True)
    assert (blind.test, blind.part, blind.frames, blind.answers) == ("blind", 0, (), (given,))
    assert backwards.frames == tuple(f"{number:064x}" for number in (3, 2, 1, 0))
    assert view.votes == (Votes("blind", 1, 1, True),)
    assert view.checks == {"consistency": "?"}
    assert (view.fate, view.target, view.outside) == ("dropped", 1, {})


def test_a_test_is_about_a_sample_if_any_model_can_be_asked_it(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    sample = make_sample()
    decided = [replace(decide(sample), votes={})]
    # One frame backwards is that frame: of a model that takes no more, the test asks nothing.
    plans = [
        plan_of(
            [sample], scripted_model(lambda _request, _draw: Answer("B"), max_frames=n), "reverse"
        )
        for n in (None, 1)
    ]
    for plan, outside in ((plans[1], {"reverse": WITHHOLDS_NOTHING}), (plans[0] + plans[1], {})):
        folder = tmp_path / str(len(plan))
        folder.mkdir()
        (view,) = view_all([sample], decided, [], plan, folder, limit=9)
        assert view.outside == outside


def test_a_sample_whose_video_is_broken_says_so(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    sample = make_sample(video=Video("broken.mp4"))
    model = scripted_model(lambda _request, _draw: Answer("B"), max_frames=None)
    plan = plan_of([sample], model, "reverse")
    decided = [replace(decide(sample), votes={"reverse": 0})]
    (view,) = view_all([sample], decided, [], plan, tmp_path, limit=9)
    (showing,) = view.showings
    assert showing.frames == ()
    (answer,) = showing.answers
    assert (answer.status, answer.reason) == ("error", "video_truncated")


def test_shortcuts_come_first_then_the_queue_then_others_with_places_for_each(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    names = ("k1", "k2", "q1", "q2", "q3", "s1", "s2", "s3", "s4", "s5", "s6")
    samples = [make_sample(id=name, question=f"{name}?") for name in names]
    by_name = {sample.id: sample for sample in samples}
    decided = [
        decide(sample, *(("blind", "shuffle") if sample.id == "s4" else ("blind",)))
        if sample.id.startswith("s")
        else decide(sample)
        for sample in samples
    ]
    queue = [queue_row(by_name[name]) for name in ("q3", "s1", "q1", "q2")]
    model = scripted_model(lambda _request, _draw: Answer("B"))
    plan = plan_of(samples, model, "blind")
    chosen = view_all(samples, decided, queue, plan, tmp_path, limit=8)
    # Of eight places four are for shortcuts, two each for the queue and for others.
    assert [view.sample_id for view in chosen] == ["s4", "s1", "s2", "s3", "q3", "q1", "k1", "k2"]
    more = view_all(samples, decided, queue, plan, tmp_path, limit=10)
    # Of ten, five, two and two, and the one left over goes to the shortcuts.
    assert [view.sample_id for view in more][:6] == ["s4", "s1", "s2", "s3", "s5", "s6"]
    assert len(more) == 10


def test_benchmarks_take_turns_among_equals(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    samples = [
        make_sample(id=f"s{number}", benchmark=benchmark, question=f"{benchmark} {number}?")
        for benchmark in ("one", "two")
        for number in range(3)
    ]
    model = scripted_model(lambda _request, _draw: Answer("B"))
    plan = plan_of(samples, model, "blind")
    decided = [decide(sample, "blind") for sample in samples]
    chosen = view_all(samples, decided, [], plan, tmp_path, limit=4)
    assert [(view.benchmark, view.sample_id) for view in chosen] == [
        ("one", "s0"),
        ("two", "s0"),
        ("one", "s1"),
        ("two", "s1"),
    ]


def test_fates_are_counted_by_benchmark_and_over_all(
    make_sample: Callable[..., Sample], scripted_model: Any
) -> None:
    broken = make_sample(id="broken", video=Video("broken.mp4"))
    sound = make_sample(id="sound", benchmark="other")
    model = scripted_model(lambda _request, _draw: Answer("B"), max_frames=None)
    plan = plan_of([broken, sound], model, "reverse")

    def end(sample: Sample, fate: Fate, reason: str) -> DistilledSample:
        return DistilledSample(
            sample.benchmark, sample.id, sample.task, sample.video.path, fate, (reason,), {}
        )

    decided = [
        end(broken, Fate.UNDECIDED, "unknown:reverse"),
        end(make_sample(id="text"), Fate.UNDECIDED, "untested"),
        end(sound, Fate.DROPPED, "shortcut:reverse"),
    ]
    assert count_fates(decided, plan) == (
        FateCount("bench", 2, 0, 0, 1, 1, 1),
        FateCount("other", 1, 1, 0, 0, 0, 0),
        FateCount("", 3, 1, 0, 1, 1, 1),
    )
    assert count_fates(decided[2:], plan) == (FateCount("other", 1, 1, 0, 0, 0, 0),)


def test_samples_judged_defective_are_counted_apart() -> None:
    def end(number: int, fate: Fate, *reasons: str) -> DistilledSample:
        return DistilledSample("bench", f"s{number}", "t", "v", fate, reasons, {})

    decided = [
        end(1, Fate.DROPPED, "judged:ambiguous"),
        end(2, Fate.DROPPED, "shortcut:blind", "judged:ambiguous"),
        end(3, Fate.DROPPED, "untested", "judged:ambiguous"),
        end(4, Fate.UNDECIDED, "untested", "judged:undecided"),
        end(5, Fate.KEPT, "restored"),
    ]
    assert count_fates(decided, ()) == (FateCount("bench", 5, 1, 1, 0, 1, 0, n_judged_defective=2),)


def test_a_view_says_what_people_decided(make_sample: Callable[..., Sample]) -> None:
    sample = make_sample()
    said = {
        ("judged:wrong_label", "judged:other"): "dropped: wrong label, other",
        ("shortcut:blind", "restored"): "restored, as the order of events matters",
        ("judged:undecided",): "undecided, which changes nothing",
        ("unknown:blind",): "",
    }
    table = pl.DataFrame(schema=[*LONG_TABLE_COLUMNS]).cast(pl.String)
    for reasons, text in said.items():
        decided = replace(decide(sample), reasons=reasons, votes={})
        (view,) = view_samples({("bench", "s1"): sample}, [decided], [], [], table)
        assert view.judged == text
    corrected = replace(decide(sample), corrected_target=2, votes={})
    (view,) = view_samples({("bench", "s1"): sample}, [corrected], [], [], table)
    assert view.judged == "the right answer is C, and votes count by it"
