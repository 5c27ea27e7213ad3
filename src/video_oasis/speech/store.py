"""Keeps transcripts on disk by video and recogniser, shared by any number of processes and runs.

    transcripts/RECOGNISER-ID/VIDEO-ID.json

A file holds the transcript, both ids, what the recogniser's id is made from, and a digest of all of
that. It is written beside its place and renamed into it, so a killed writer leaves nothing that a
reader could mistake, and it may be copied between folders and machines.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import RunError, SchemaError
from video_oasis.hashing import content_id
from video_oasis.speech.recognisers.interface import Recogniser, recogniser_id
from video_oasis.speech.transcript import Segment, Transcript
from video_oasis.whole_file import write_whole

_FORM: Final = "transcript1"


class TranscriptStore:
    """A folder of transcripts."""

    def __init__(self, folder: Path) -> None:
        """Use this folder; it is made when something is kept."""
        self.folder = folder

    def load(self, video: str, recogniser: str) -> Transcript | None:
        """Return a transcript, None if there is none.

        A file that is damaged, or that another one was put in place of, is removed, so that the
        video is listened to again.

        Args:
            video: the video's content id.
            recogniser: the recogniser's content id.

        Raises:
            RunError: the file cannot be read for want of a permission or the like.
        """
        path = self.path(video, recogniser)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RunError(
                f"{path}: cannot be read ({error.strerror}). Check its permissions"
            ) from error
        try:
            return _read(data, video, recogniser)
        except (ValueError, KeyError, TypeError):
            path.unlink(missing_ok=True)
            return None

    def keep(self, video: str, recogniser: Recogniser, transcript: Transcript) -> None:
        """Keep a transcript; it is safe once this returns, and replaces an earlier one.

        Raises:
            RunError: the folder takes no more.
        """
        path = self.path(video, recogniser_id(recogniser))
        try:
            write_whole(path, _write(video, recogniser.describe(), transcript))
        except OSError as error:
            raise RunError(
                f"{path.parent}: transcripts cannot be kept there ({error.strerror}). Free space "
                "or give another folder; what is kept already is not made again"
            ) from error

    def path(self, video: str, recogniser: str) -> Path:
        """Return where the transcript of a video by a recogniser lies."""
        return self.folder / "transcripts" / recogniser / f"{video}.json"


def _write(video: str, made_by: Mapping[str, Any], transcript: Transcript) -> bytes:
    content = {"video": video, "made_by": dict(made_by), **asdict(transcript)}
    kept = {"id": content_id(_FORM, content), **content}
    # Lone surrogates come in from recognisers that cut a character in two.
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "surrogatepass")


def _read(data: bytes, video: str, recogniser: str) -> Transcript:
    content = json.loads(data.decode("utf-8", "surrogatepass"))
    is_whole = content.pop("id") == content_id(_FORM, content)
    made_by = content_id("recogniser1", content["made_by"])
    if not is_whole or content["video"] != video or made_by != recogniser:
        raise SchemaError(f"not the transcript of {video} by {recogniser}, or not all of it")
    return Transcript(
        tuple(Segment(**segment) for segment in content["segments"]), content["source"]
    )
