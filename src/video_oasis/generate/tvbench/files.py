"""Writes a generated set to a folder, as TVBench's own files and as one file of ours."""

import json
from pathlib import Path, PurePosixPath
from typing import Any, Final

import tomli_w

from video_oasis.errors import RunError
from video_oasis.generate.tvbench.card import summarise_set, write_generated_card
from video_oasis.generate.tvbench.engine import GeneratedSet
from video_oasis.generate.tvbench.out_folder import check_folder
from video_oasis.generate.tvbench.settings import to_plain_settings
from video_oasis.schema import Sample
from video_oasis.whole_file import write_whole

MARK: Final = "audit.json"
"""The file that tells a folder with a generated set."""


def write_generated(made: GeneratedSet, folder: Path, version: str) -> tuple[Path, ...]:
    """Write the tasks that may be written, the card, the settings, the audit and the bad rows.

    Tasks of an earlier set that this one lacks are removed from the folder, so that it holds one.

    Returns:
        The files.

    Raises:
        RunError: the folder cannot be written.
        SettingsError: it holds something else, see ``check_folder``.
    """
    written = [each for each in made.tasks if each.questions]
    contents = {MARK: _dump(summarise_set(made))}
    contents |= {
        f"json/{each.task}.json": _dump([to_task_row(sample) for sample in each.samples])
        for each in written
    }
    contents["questions.jsonl"] = "".join(
        json.dumps(to_question_row(sample), ensure_ascii=False) + "\n"
        for each in written
        for sample in each.samples
    )
    contents["README.md"] = write_generated_card(made, version)
    contents["settings.toml"] = tomli_w.dumps(to_plain_settings(made.settings))
    contents["bad_rows.txt"] = "".join(f"{row}\n" for row in made.bad_rows)
    check_folder(folder, MARK)
    try:
        for stale in (folder / "json").glob("*.json"):
            if f"json/{stale.name}" not in contents:
                stale.unlink()
        for name, text in contents.items():
            write_whole(folder / name, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror or error})") from error
    return tuple(folder / name for name in contents)


def to_task_row(sample: Sample) -> dict[str, Any]:
    """Return a question in the shape of MVBench and TVBench; the file is named after its task."""
    row: dict[str, Any] = {
        "video": _without_task(sample),
        "question": sample.question,
        "candidates": list(sample.choices),
        "answer": sample.choices[sample.target],
        "question_id": sample.id,
    }
    if sample.video.start_seconds is not None:
        row["start"] = sample.video.start_seconds
        row["end"] = sample.video.end_seconds
    return row


def to_question_row(sample: Sample) -> dict[str, Any]:
    """Return a question in our shape, with everything that is known of it.

    Published columns that have a name of ours, such as the answer in another form, are called
    ``original_NAME``.
    """
    row: dict[str, Any] = {
        "id": sample.id,
        "task": sample.task,
        "video": sample.video.path,
        "start_seconds": sample.video.start_seconds,
        "end_seconds": sample.video.end_seconds,
        "question": sample.question,
        "choices": list(sample.choices),
        "answer": sample.choices[sample.target],
    }
    if sample.video.duration_seconds is not None:
        row["duration_seconds"] = sample.video.duration_seconds
    return row | {
        f"original_{name}" if name in row else name: value
        for name, value in sample.metadata.items()
    }


def _without_task(sample: Sample) -> str:
    path = PurePosixPath(sample.video.path)
    if path.is_relative_to(sample.task):
        return path.relative_to(sample.task).as_posix()
    return sample.video.path


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
