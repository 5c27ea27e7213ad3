"""Makes the lines of speech that a model is shown of each sample's clip."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from video_oasis.diagnostics.interface import Need
from video_oasis.errors import BenchmarkError
from video_oasis.evidence.prepared import ClipText, TextKey, Texts
from video_oasis.evidence.timelines import BenchmarkVideos
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import locate_videos
from video_oasis.media.workers import WorkerLimits
from video_oasis.schema import Sample
from video_oasis.speech.files import read_repaired_transcript
from video_oasis.speech.locate import LocatedTranscript, index_transcripts, locate_transcripts
from video_oasis.speech.noise import judge_speech
from video_oasis.speech.recognisers.interface import Recogniser
from video_oasis.speech.store import TranscriptStore
from video_oasis.speech.transcribe import Listener, transcribe_videos
from video_oasis.speech.transcript import Transcript
from video_oasis.speech.window import count_from, cut_transcript, take_window

Transcripts = Mapping[str, Transcript | MediaFailure]
"""What is said in each video, by ``Video.path``."""


@dataclass(frozen=True, slots=True)
class ImportedTranscripts:
    """The transcripts of one benchmark's videos, read from files.

    Attributes:
        transcripts: what is said in each video, or why that is not known.
        n_files: files read.
        n_repaired: files in which something had to be repaired.
        repairs: how often each kind of repair was made, named after the fields of ``Repairs``.
    """

    transcripts: Transcripts
    n_files: int
    n_repaired: int
    repairs: Mapping[str, int]


def import_transcripts(folder: Path, samples: Sequence[Sample]) -> ImportedTranscripts:
    """Read the transcripts that lie below a folder.

    A file that cannot be read is the failure of its video, of kind ``transcript_unreadable``.
    Subtitles of a longer video are cut to the video that is kept.

    Args:
        folder: where they are.
        samples: all samples of one benchmark.

    Raises:
        SettingsError: there is no such folder.
    """
    durations = {sample.video.path: sample.video.duration_seconds for sample in samples}
    transcripts: dict[str, Transcript | MediaFailure] = {}
    repairs: Counter[str] = Counter()
    n_files = n_repaired = 0
    for path, found in locate_transcripts(index_transcripts(folder), samples).items():
        if isinstance(found, MediaFailure):
            transcripts[path] = found
            continue
        try:
            transcripts[path], repaired = _read(found, durations[path])
        except BenchmarkError as error:
            transcripts[path] = MediaFailure("transcript_unreadable", str(error))
            continue
        n_files += 1
        n_repaired += bool(repaired)
        repairs += repaired
    return ImportedTranscripts(transcripts, n_files, n_repaired, dict(repairs))


def make_transcripts(
    videos: BenchmarkVideos,
    wanted: Collection[str],
    recogniser: Recogniser,
    store: TranscriptStore,
    limits: WorkerLimits,
    *,
    listener: Listener = lambda _progress: None,
) -> dict[str, Transcript | MediaFailure]:
    """Listen to videos that have no transcript; what was listened to before is not again.

    Args:
        videos: where the videos of the benchmark are.
        wanted: ``Video.path`` of those to listen to.
        recogniser: what listens.
        store: where transcripts are kept.
        limits: what decoding the sound of one video may take.
        listener: told how far it has come.

    Raises:
        ModelUnavailable: the recogniser cannot listen.
        RunError: a transcript cannot be kept.
    """
    located = locate_videos(videos.folder, (sample.video.path for sample in videos.samples))
    transcripts: dict[str, Transcript | MediaFailure] = {}
    published: dict[Path, list[str]] = {}
    for name in sorted(wanted):
        found = located[name]
        if isinstance(found, MediaFailure):
            transcripts[name] = found
        else:
            published.setdefault(found.path, []).append(name)
    for path, result in transcribe_videos(published, recogniser, store, limits, listener=listener):
        transcripts |= dict.fromkeys(published[path], result)
    return transcripts


def word_speech(samples: Iterable[Sample], transcripts: Transcripts, max_characters: int) -> Texts:
    """Word what is said in each sample's clip, or say why nothing is.

    Whether there is speech is judged by the whole video: a clip window is too short to judge by.

    Args:
        samples: samples of one benchmark.
        transcripts: what is said in their videos; samples of others are left out.
        max_characters: the most characters to show.
    """
    outside: dict[str, str] = {}
    clips: dict[tuple[str, float | None, float | None], ClipText] = {}
    texts: dict[TextKey, ClipText | MediaFailure] = {}
    for sample in samples:
        video = sample.video
        transcript = transcripts.get(video.path)
        if transcript is None:
            continue
        key = TextKey(sample.benchmark, sample.id, Need.SPEECH)
        if isinstance(transcript, MediaFailure):
            texts[key] = transcript
            continue
        if video.path not in outside:
            verdict = judge_speech(transcript, video.duration_seconds)
            outside[video.path] = "" if verdict.is_speech else f"no_speech_{verdict.reason}"
        clip = (video.path, video.start_seconds, video.end_seconds)
        if clip not in clips:
            clips[clip] = (
                ClipText((), outside=outside[video.path])
                if outside[video.path]
                else _word_clip(sample, transcript, max_characters)
            )
        texts[key] = clips[clip]
    return texts


def _read(
    located: LocatedTranscript, duration_seconds: float | None
) -> tuple[Transcript, Counter[str]]:
    if located.start_seconds:
        transcript, repairs = read_repaired_transcript(located.path)
        transcript = take_window(
            count_from(transcript, located.start_seconds),
            start_seconds=None,
            end_seconds=duration_seconds,
        )
    else:
        transcript, repairs = read_repaired_transcript(
            located.path, duration_seconds=duration_seconds
        )
    counts: dict[str, Any] = asdict(repairs)
    encoding = counts.pop("encoding")
    # Speech that overlaps is left as it is: nothing is repaired there.
    del counts["n_overlapping"]
    return transcript, +Counter({**counts, "n_guessed_encoding": int(bool(encoding))})


def _word_clip(sample: Sample, transcript: Transcript, max_characters: int) -> ClipText:
    window = take_window(
        transcript,
        start_seconds=sample.video.start_seconds,
        end_seconds=sample.video.end_seconds,
    )
    if not window.segments:
        return ClipText((), outside="no_speech_in_clip")
    text, cut = cut_transcript(window.segments, max_characters)
    return ClipText((text,), is_cut=not cut.is_whole)
