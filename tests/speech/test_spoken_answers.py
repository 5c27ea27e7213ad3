"""Answers that are spoken: heard by a real recogniser and found by a learned model.

A language model of 270 million parameters, the only real one at hand, answers at chance with these
transcripts before it.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from video_oasis.annotations.mapping import ColumnMapping
from video_oasis.audit import open_audit, plan_audit
from video_oasis.config import (
    AuditSettings,
    ModelEntry,
    RecogniserEntry,
    parse_source,
)
from video_oasis.media.store import FrameStore
from video_oasis.preparation import prepare_evidence
from video_oasis.reporting import make_report
from video_oasis.run_folder import RunFolder
from video_oasis.runner import Progress, run_plan
from video_oasis.store import Store

ANSWERS = ("train", "horse", "boat", "bicycle")
SENTENCE = "Yesterday the old doctor came to our village by {}, and everybody was at the window."
N_SPOKEN = 64
N_SILENT = 4


@pytest.fixture(scope="module")
def spoken(
    tmp_path_factory: pytest.TempPathFactory,
    speak: Callable[..., Any],
    make_talk: Callable[..., Path],
) -> Path:
    """Questions about clips in which the answer is spoken, and in the last few nothing is."""
    folder = tmp_path_factory.mktemp("spoken")
    (folder / "videos").mkdir()
    said = {answer: speak({0.3: SENTENCE.format(answer)}, 7.0) for answer in ANSWERS}
    clips = {
        answer: make_talk(folder / f"{answer}.mp4", sound).read_bytes()
        for answer, sound in said.items()
    }
    silent = make_talk(folder / "silent.mp4", speak({}, 7.0)).read_bytes()
    rows = []
    for number in range(N_SPOKEN + N_SILENT):
        answer = ANSWERS[number % 4]
        content = clips[answer] if number < N_SPOKEN else silent
        (folder / f"videos/clip{number}.mp4").write_bytes(content)
        # Each answer stands at each position equally often.
        options = [*ANSWERS[number // 4 % 4 :], *ANSWERS[: number // 4 % 4]]
        rows.append(
            {
                "id": f"q{number}",
                "video": f"clip{number}.mp4",
                "question": "How did the doctor come to the village?",
                "options": options,
                "answer": "ABCD"[options.index(answer)],
                "task": "speech",
            }
        )
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_a_spoken_answer_is_found_by_ear_and_not_blind(
    spoken: Path, whisper_base: Path, tmp_path: Path
) -> None:
    benchmark = replace(
        parse_source(str(spoken / "questions.jsonl"), ColumnMapping()), videos=spoken / "videos"
    )
    settings = AuditSettings(
        benchmarks=(benchmark,),
        models=(ModelEntry("learned/logistic"),),
        diagnostics=("blind", "audio"),
        recogniser=RecogniserEntry(f"whisper/{whisper_base}"),
        n_resamples=100,
    )
    run = RunFolder(tmp_path)
    audit = open_audit(settings)
    heard: list[Progress] = []
    with run.lock(), Store.create(run.answers) as store:
        frames = FrameStore(run.frames)
        prepared = prepare_evidence(
            audit, run, store, frames, listener=heard.append, note=lambda _: None
        )
        plan = plan_audit(audit, prepared)
        run_plan(plan.assignments, store)
        report = make_report(plan, store)
    # Copies of a clip are listened to once: four spoken ones and a silent one.
    assert heard[-1] == Progress("transcripts", n_total=5, n_answered=5)
    found = {
        row.diagnostic: (row.n_samples, row.accuracy)
        for row in report.summary.accuracy
        if row.level == "benchmark"
    }
    assert found["audio"] == (N_SPOKEN, 1.0)
    n_blind, blind = found["blind"]
    assert n_blind == N_SPOKEN + N_SILENT
    assert blind is not None
    # Nothing in the text points to the answer. Positions are balanced to the last question, so
    # those held out have what the others lack and a fit is mostly wrong about them: no more than
    # chance is what can be asked.
    assert blind < 0.25 + 3 * (0.25 * 0.75 / n_blind) ** 0.5
    (excluded,) = report.excluded
    assert (excluded.diagnostic, excluded.reason) == ("audio", "no_speech_empty")
    assert excluded.n_samples == N_SILENT
