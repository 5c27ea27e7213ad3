"""The long table: every trial has a row, and every kind of answer its own status."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Evidence
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import list_wanted
from video_oasis.media.frames import MediaFailure
from video_oasis.plan import Assignment, make_plan
from video_oasis.schema import LONG_TABLE_COLUMNS, Answer, FinishReason, Sample, Trial, Video
from video_oasis.store import Failure, NewAnswer, Store
from video_oasis.table import make_long_table
from video_oasis.trials import Trials


def test_every_trial_has_a_row_with_its_status(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("A"), name="m")
    replies = {
        "right": Answer("B"),
        "wrong": Answer("The answer is (C)."),
        "both": Answer("A or B"),
        "cut": Answer("<think>the stove", FinishReason.LENGTH),
        "refused": Answer("I cannot determine the answer."),
    }
    samples = [
        make_sample(id=name, question=f"{name}?", video=make_sample().video)
        for name in (*replies, "failed", "not asked")
    ]
    (plan,) = make_plan(samples, [DIAGNOSTICS["blind"]], {"m": model})
    with Store.create(tmp_path / "answers.sqlite") as store:
        for trial in plan.trials.asked:
            if trial.sample.id in replies:
                new = NewAnswer(plan.key(trial, 0), trial.request, replies[trial.sample.id])
                store.put_answers(plan.model_id, [new])
            elif trial.sample.id == "failed":
                failed = [(plan.key(trial, 0), Failure("timeout", "120 s"))]
                store.put_failures(plan.model_id, failed)
        table = make_long_table([plan], store)
    assert dict(table.schema) == {
        name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()
    }
    rows = table.select("sample_id", "status", "reason", "prediction", "correct").rows()
    assert rows == [
        ("right", "ok", "", 1, True),
        ("wrong", "ok", "", 2, False),
        ("both", "unparsed", "several_candidates", None, None),
        ("cut", "unparsed", "cut_off", None, None),
        ("refused", "refused", "refusal", None, None),
        ("failed", "error", "timeout", None, None),
        ("not asked", "missing", "not_asked", None, None),
    ]


def test_a_rotated_letter_is_read_as_the_choice_it_stood_at(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("A"))
    (plan,) = make_plan([make_sample()], [DIAGNOSTICS["blind"]], {"m": model}, n_rotations=4)
    with Store.create(tmp_path / "answers.sqlite") as store:
        for key, trial in plan.asks():
            store.put_answers(plan.model_id, [NewAnswer(key, trial.request, Answer("A"))])
        table = make_long_table([plan], store)
    assert table.select("rotation", "prediction", "correct").rows() == [
        (0, 0, False),
        (1, 1, True),
        (2, 2, False),
        (3, 3, False),
    ]


def test_choices_of_one_text_are_one_answer_wherever_they_are_shown(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("A"))
    sample = make_sample(choices=("x", "y", "x", "y"), target=2)
    (plan,) = make_plan([sample], [DIAGNOSTICS["blind"]], {"m": model}, n_rotations=2)
    # Turned by two the question reads as before, so it is asked once, for both rotations.
    ((key, trial),) = plan.asks()
    with Store.create(tmp_path / "answers.sqlite") as store:
        store.put_answers(plan.model_id, [NewAnswer(key, trial.request, Answer("A"))])
        table = make_long_table([plan], store)
    assert table.select("rotation", "prediction", "correct").rows() == [(0, 0, True), (2, 0, True)]


def test_samples_without_frames_are_errors_or_missing_and_never_wrong(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    samples = [
        make_sample(id="broken", video=Video("broken.mp4")),
        make_sample(id="not looked at", video=Video("later.mp4")),
    ]
    diagnostic = DIAGNOSTICS["chunk"]
    assert diagnostic.sampling is not None
    wanted = list_wanted(samples, [diagnostic.sampling], FrameSettings())
    failure = MediaFailure("truncated", "broken.mp4: breaks off")
    timelines = {key: failure for key in wanted if key.path == "broken.mp4"}
    model = scripted_model(lambda _request, _draw: Answer("A"))
    plan = make_plan(samples, [diagnostic], {"m": model}, prepared=Prepared(timelines), n_draws=2)
    with Store.create(tmp_path / "answers.sqlite") as store:
        table = make_long_table(plan, store)
    columns = ("sample_id", "draw", "part", "request", "status", "reason", "correct")
    assert table.select(columns).rows() == [
        ("broken", 0, 0, "", "error", "video_truncated", None),
        ("broken", 1, 0, "", "error", "video_truncated", None),
        ("not looked at", 0, 0, "", "missing", "video_not_prepared", None),
        ("not looked at", 1, 0, "", "missing", "video_not_prepared", None),
    ]


def score(sample: Sample, order: tuple[int, ...], answer: Answer, model: Any, folder: Path) -> Any:
    """Return the row of one answer to one trial that shows its choices in this order."""
    (trial,) = DIAGNOSTICS["blind"].trials(sample, Evidence())
    shown = Trial(sample, "blind", 0, trial.request, order)
    plan = Assignment("bench", "blind", model, "m", "model1-x", {}, Trials((shown,)), 1)
    with Store.create(folder / "answers.sqlite") as store:
        store.put_answers(plan.model_id, [NewAnswer(plan.key(shown, 0), shown.request, answer)])
        return make_long_table([plan], store).row(0, named=True)


def test_a_prediction_is_a_choice_not_a_position(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("A"))
    answer = Answer("A", letter_probabilities=(0.4, 0.3, 0.2, 0.1))
    row = score(make_sample(target=1), (3, 1, 0, 2), answer, model, tmp_path)
    assert (row["prediction"], row["correct"], row["target_probability"]) == (3, False, 0.3)


def test_choices_of_equal_text_are_one_answer(
    make_sample: Callable[..., Sample], scripted_model: Any, tmp_path: Path
) -> None:
    model = scripted_model(lambda _request, _draw: Answer("A"))
    sample = make_sample(choices=("red", "blue", "red", "green"), target=0)
    answer = Answer("C", letter_probabilities=(0.25, 0.125, 0.5, 0.125))
    row = score(sample, (0, 1, 2, 3), answer, model, tmp_path)
    assert (row["prediction"], row["correct"], row["target_probability"]) == (0, True, 0.75)
    assert row["n_choices"] == 4
