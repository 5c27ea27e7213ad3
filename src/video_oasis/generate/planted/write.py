"""Writes a calibration set into a folder: questions, videos, transcripts, captions and truth."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import SettingsError
from video_oasis.generate.clips.encode import encode
from video_oasis.generate.clips.render import render
from video_oasis.generate.planted.layout import Clip, lay_out
from video_oasis.generate.planted.speech import Line
from video_oasis.generate.planted.truth import TRUTH_FILE, write_truth
from video_oasis.whole_file import write_whole

BENCHMARK_NAME: Final = "planted"
"""What the set is called where a benchmark's name is wanted."""
QUESTIONS_FILE: Final = "questions.jsonl"


@dataclass(frozen=True, slots=True)
class PlantedPaths:
    """Where the parts of a set are.

    Attributes:
        questions: the question file, JSON Lines with the columns id, task, video, question,
            choices and answer (as text).
        videos: the folder of videos, named in the column video.
        transcripts: the folder of transcripts, one SRT file for each video.
        captions: the file of captions of the videos' eighths.
        truth: what was planted.
        card: what the set is, for a reader.
    """

    questions: Path
    videos: Path
    transcripts: Path
    captions: Path
    truth: Path
    card: Path


def locate_planted(folder: Path) -> PlantedPaths:
    """Return where the parts of the set of a folder are, or would be."""
    return PlantedPaths(
        questions=folder / QUESTIONS_FILE,
        videos=folder / "videos",
        transcripts=folder / "transcripts",
        captions=folder / "captions.jsonl",
        truth=folder / TRUTH_FILE,
        card=folder / "README.md",
    )


def write_planted(
    folder: Path,
    n_samples: int,
    seed: int = 0,
    *,
    listener: Callable[[int, int], None] = lambda _done, _all: None,
) -> PlantedPaths:
    """Write a set of questions about drawn clips, with what was planted in each.

    The same number and seed give the same files, byte for byte; the videos as long as the same
    version of the encoder writes them.

    Args:
        folder: where to; made if it is not there.
        n_samples: how many questions, 60 to 5,000.
        seed: another seed, other questions and clips.
        listener: told how many videos are written, and of how many.

    Raises:
        SettingsError: the number is out of range, or the folder cannot be written.
    """
    clips = lay_out(n_samples, seed)
    paths = locate_planted(folder)
    try:
        paths.videos.mkdir(parents=True, exist_ok=True)
        for number, clip in enumerate(clips, start=1):
            encode(render(clip.scene.world), clip.scene.world.fps, paths.videos / clip.name)
            transcript = paths.transcripts / f"{Path(clip.name).stem}.srt"
            write_whole(transcript, _word_subtitles(clip.lines).encode())
            listener(number, len(clips))
        captions = ({"video": clip.name, "captions": clip.scene.captions} for clip in clips)
        write_whole(paths.captions, _to_lines(captions))
        write_truth((question.truth for clip in clips for question in clip.questions), folder)
        write_whole(paths.card, _word_card(clips, n_samples, seed).encode())
        # Last, so that a folder with questions is whole.
        write_whole(paths.questions, _to_lines(_list_rows(clips)))
    except OSError as error:
        raise SettingsError(
            f"{folder}: the calibration set cannot be written ({error.strerror or error}). Name "
            "another folder"
        ) from error
    return paths


def _list_rows(clips: Sequence[Clip]) -> Iterable[Mapping[str, Any]]:
    for clip in clips:
        for question in clip.questions:
            draft = question.draft
            yield {
                "id": question.truth.sample_id,
                "task": draft.task,
                "video": clip.name,
                "question": draft.question,
                "choices": question.choices,
                "answer": draft.label,
            }


def _to_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def _word_subtitles(lines: Sequence[Line]) -> str:
    return "\n".join(
        f"{number}\n{_clock(line.start_seconds)} --> {_clock(line.end_seconds)}\n{line.text}\n"
        for number, line in enumerate(lines, start=1)
    )


def _clock(seconds: float) -> str:
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"00:00:{whole:02d},{thousandths:03d}"


def _word_card(clips: Sequence[Clip], n_samples: int, seed: int) -> str:
    counts = Counter(
        (question.truth.kind, question.truth.variant)
        for clip in clips
        for question in clip.questions
    )
    rows = "\n".join(f"| {kind} | {variant} | {n} |" for (kind, variant), n in counts.items())
    return f"""# A calibration set for Video-Oasis

{n_samples} questions about {len(clips)} drawn clips, seed {seed}. What gives each answer away was
planted, so an audit of this set can be checked against `{TRUTH_FILE}`. It measures no video model
and is no benchmark.

- `{QUESTIONS_FILE}`: the questions (id, task, video, question, choices, answer as text)
- `videos/`: clips of eight seconds, without sound
- `transcripts/`: what is said in them; an empty file where nothing is
- `captions.jsonl`: captions of each clip's eighths, as a captioner might write them
- `{TRUTH_FILE}`: what was planted in each question and what ought to find it

| kind | variant | questions |
|---|---|---:|
{rows}
"""
