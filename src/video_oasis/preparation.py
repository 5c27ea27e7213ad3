"""Makes all that an audit's diagnostics need of the videos: frames, speech, captions, rankings.

Every step keeps what it makes as it goes, so a killed run goes on where it stopped: frames in the
frame store, transcripts and embeddings among the artifacts, captions among the answers.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from video_oasis.audit import LoadedBenchmark, OpenAudit, PreparedAudit
from video_oasis.config import plain_settings
from video_oasis.diagnostics.eighths import N_CHUNKS, take_eighths
from video_oasis.diagnostics.interface import Need
from video_oasis.embeddings.embed import EmbedProgress
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.errors import SettingsError
from video_oasis.evidence.caption_file import read_caption_file
from video_oasis.evidence.captions import CaptionRequests, list_caption_requests, read_captions
from video_oasis.evidence.prepared import ClipText, Prepared, Relevances, TextKey, keep_known
from video_oasis.evidence.relevance import (
    Rankings,
    list_rankings,
    name_rankings,
    rank_frames,
)
from video_oasis.evidence.relevance_file import read_relevances, write_relevances
from video_oasis.evidence.speech import (
    Transcripts,
    import_transcripts,
    make_transcripts,
    word_speech,
)
from video_oasis.evidence.text_file import read_texts, write_texts
from video_oasis.evidence.timeline_file import read_timelines, write_timelines
from video_oasis.evidence.timelines import BenchmarkVideos, PrepareProgress, prepare_timelines
from video_oasis.evidence.wanted import TimelineKey, Timelines, timeline_key
from video_oasis.hashing import content_id
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import index_folder
from video_oasis.media.store import FrameStore
from video_oasis.media.workers import WorkerLimits
from video_oasis.models.interface import MatchingModel
from video_oasis.plan import Cost
from video_oasis.run_folder import RunFolder
from video_oasis.runner import Progress, ask_requests
from video_oasis.schema import Request, Sample, Trial
from video_oasis.speech.locate import TRANSCRIPT_MISSING
from video_oasis.speech.recognisers.interface import Recogniser
from video_oasis.speech.store import TranscriptStore
from video_oasis.speech.transcribe import TranscribeProgress
from video_oasis.speech.transcript import Transcript
from video_oasis.store import AnswerKey, Store, make_model_id

Listener = Callable[[Progress], None]
Note = Callable[[str], None]


def prepare_evidence(
    audit: OpenAudit,
    folder: RunFolder,
    store: Store,
    frames: FrameStore,
    *,
    listener: Listener,
    note: Note,
) -> Prepared:
    """Make what is lacking and write down what came of it.

    Args:
        audit: the audit.
        folder: the run's folder.
        store: the run's answers; captions are kept there.
        frames: where decoded frames are kept.
        listener: told how far each step has come.
        note: told in a sentence what a person should know.

    Raises:
        UserError: a folder or model that is needed is not there, or nothing can be written.
        KeyboardInterrupt: the user stopped it; what was made so far is kept.
    """
    origins = _list_origins(audit)
    known = _read(audit, folder, origins)
    timelines = keep_known(_prepare_timelines(audit, frames, listener), known.timelines)
    write_timelines(timelines, folder.timelines)
    texts: dict[TextKey, ClipText | MediaFailure] = {}
    if audit.needs(Need.SPEECH):
        for loaded in audit.benchmarks:
            transcripts = _prepare_transcripts(
                loaded, audit.recogniser, folder, listener=listener, note=note
            )
            texts |= word_speech(loaded.samples, transcripts, audit.settings.text_characters)
    if audit.needs(Need.CAPTIONS):
        for loaded in audit.benchmarks:
            if loaded.entry.captions is not None:
                texts |= read_caption_file(loaded.entry.captions, loaded.samples)
        if audit.captioner is not None:
            texts |= _make_captions(audit, timelines, store, frames, listener=listener, note=note)
    texts = keep_known(texts, known.texts)
    write_texts(texts, origins, folder.texts)
    relevances = _rank(audit, timelines, folder, frames, listener=listener, note=note)
    return Prepared(timelines, texts, relevances)


def prepare_embeddings(
    audit: PreparedAudit, folder: RunFolder, frames: FrameStore, listener: Listener
) -> None:
    """Embed what matching models are shown; what is kept already is not embedded again.

    Args:
        audit: the planned audit.
        folder: the run's folder.
        frames: where decoded frames are kept.
        listener: told how far each model has come.

    Raises:
        UserError: a model cannot be used, or nothing can be written.
    """
    of_model: dict[str, list[Trial]] = {}
    models: dict[str, MatchingModel] = {}
    for assignment in audit.assignments:
        if isinstance(assignment.model, MatchingModel):
            models[assignment.model_name] = assignment.model
            of_model.setdefault(assignment.model_name, []).extend(assignment.trials.asked)
    for name, model in models.items():

        def report(n_pictures: int, n_done: int, n_lost: int, name: str = name) -> None:
            listener(Progress(f"pictures for {name}", n_pictures, n_done, n_lost))

        model.prepare(of_model[name], frames.read_picture, folder.artifacts, report)


def read_evidence(audit: OpenAudit, folder: RunFolder) -> Prepared:
    """Read what an earlier run made; what it did not make is left out.

    Raises:
        RunError: a file of it is damaged.
    """
    known = _read(audit, folder, _list_origins(audit))
    if audit.grounder is None:
        return known
    ids = name_rankings(_list_rankings(audit, known.timelines), audit.grounder)
    return replace(known, relevances=read_relevances(folder.relevances, ids))


def _read(audit: OpenAudit, folder: RunFolder, origins: Mapping[TextKey, str]) -> Prepared:
    """Read what an earlier run looked at, heard and captioned."""
    return Prepared(
        timelines=read_timelines(folder.timelines, audit.wanted),
        texts=read_texts(folder.texts, origins),
    )


def _list_rankings(audit: OpenAudit, timelines: Timelines) -> Rankings:
    return list_rankings(audit.samples, audit.diagnostics, timelines, audit.settings.frames)


def _list_uncaptioned(audit: OpenAudit) -> list[Sample]:
    """List the samples whose captions do not come from a file."""
    return [
        sample
        for loaded in audit.benchmarks
        if loaded.entry.captions is None
        for sample in loaded.samples
    ]


def _collect(requests: CaptionRequests) -> dict[str, Request]:
    """Return the requests of all samples by id, those that samples share once."""
    return {
        request.id: request
        for of_sample in requests.values()
        if not isinstance(of_sample, MediaFailure)
        for request in of_sample
    }


def estimate_captions(audit: OpenAudit, evidence: Prepared, store: Store) -> Cost | None:
    """Count what captions an audit would ask for; None if it asks for none.

    Args:
        audit: the audit.
        evidence: what was made of its videos so far.
        store: the answers of earlier runs.
    """
    if audit.captioner is None:
        return None
    name, model = audit.captioner
    samples = _list_uncaptioned(audit)
    requests = list_caption_requests(
        samples, evidence.timelines, audit.settings.frames, model.max_frames
    )
    asked = _collect(requests)
    model_id = make_model_id(model.describe())
    stored = store.answer_keys(model_id)
    left = [each for each in asked.values() if AnswerKey(each.id, 0) not in stored]
    unseen: dict[TimelineKey, int] = {}
    for sample in samples:
        sampling = take_eighths(sample.video, audit.settings.frames)
        key = timeline_key(sample, sampling)
        if key not in evidence.timelines:
            unseen[key] = sampling.count_at_most(sample.video.duration_seconds)
    return Cost(
        benchmark=", ".join(dict.fromkeys(sample.benchmark for sample in samples)),
        diagnostic="captions",
        model=name,
        n_trials=len(asked) + N_CHUNKS * len(unseen),
        n_asks=len(asked) + N_CHUNKS * len(unseen),
        n_stored=len(asked) - len(left),
        n_unshown=sum(isinstance(each, MediaFailure) for each in requests.values()),
        n_excluded=0,
        n_prompt_characters=sum(len(each.text) for each in left),
        n_frames=sum(len(each.frames) for each in left) + sum(unseen.values()),
        is_exact=not unseen,
    )


def _list_origins(audit: OpenAudit) -> dict[TextKey, str]:
    """Name what each text that the audit needs is to be made from."""
    settings = plain_settings(audit.settings)
    origins: dict[TextKey, str] = {}
    for loaded, plain in zip(audit.benchmarks, settings["benchmarks"], strict=True):
        sources = {
            Need.SPEECH: {
                "transcripts": plain.get("transcripts"),
                "recogniser": settings.get("recogniser"),
                "text_characters": audit.settings.text_characters,
            },
            Need.CAPTIONS: {"file": _identify_file(loaded.entry.captions)}
            if loaded.entry.captions is not None
            else {"captioner": settings.get("captioner"), "frames": settings["frames"]},
        }
        for need in filter(audit.needs, Need):
            for sample in loaded.samples:
                video = sample.video
                made_from = {
                    **sources[need],
                    "path": video.path,
                    "window": [video.start_seconds, video.end_seconds],
                }
                key = TextKey(sample.benchmark, sample.id, need)
                origins[key] = content_id("text1", made_from)
    return origins


def _identify_file(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise SettingsError(f"{file}: cannot be read ({error.strerror})") from error


def _prepare_timelines(audit: OpenAudit, frames: FrameStore, listener: Listener) -> Timelines:
    if not audit.wanted:
        return {}
    videos = {
        loaded.contents.benchmark: _find_videos(loaded)
        for loaded in audit.benchmarks
        if loaded.entry.videos is not None
    }

    def report(done: PrepareProgress) -> None:
        listener(Progress("videos", done.n_videos, done.n_done, done.n_failed))

    return prepare_timelines(videos, audit.wanted, frames, WorkerLimits(), listener=report)


def _find_videos(loaded: LoadedBenchmark) -> BenchmarkVideos:
    assert loaded.entry.videos is not None
    return BenchmarkVideos(
        folder=index_folder(loaded.entry.videos),
        samples=loaded.contents.as_samples,
        images_fps=loaded.images_fps,
    )


def _prepare_transcripts(
    loaded: LoadedBenchmark,
    recogniser: Recogniser | None,
    folder: RunFolder,
    *,
    listener: Listener,
    note: Note,
) -> Transcripts:
    """Read the transcripts that lie in files, and make those that do not."""
    transcripts: dict[str, Transcript | MediaFailure] = {}
    if loaded.entry.transcripts is not None:
        imported = import_transcripts(loaded.entry.transcripts, loaded.contents.samples)
        transcripts |= imported.transcripts
        if imported.n_repaired:
            kinds = ", ".join(
                f"{n} {name.removeprefix('n_').replace('_', ' ')}"
                for name, n in imported.repairs.items()
            )
            note(
                f"{loaded.contents.benchmark}: {imported.n_repaired} of {imported.n_files} "
                f"transcripts had to be repaired ({kinds})"
            )
    if recogniser is None:
        return transcripts
    silent = {sample.video.path for sample in loaded.samples} - {
        path
        for path, found in transcripts.items()
        if not (isinstance(found, MediaFailure) and found.kind == TRANSCRIPT_MISSING)
    }

    def report(done: TranscribeProgress) -> None:
        listener(Progress("transcripts", done.n_videos, done.n_done, done.n_failed))

    transcripts |= make_transcripts(
        _find_videos(loaded),
        silent,
        recogniser,
        TranscriptStore(folder.artifacts),
        WorkerLimits(),
        listener=report,
    )
    return transcripts


def _rank(
    audit: OpenAudit,
    timelines: Timelines,
    folder: RunFolder,
    frames: FrameStore,
    *,
    listener: Listener,
    note: Note,
) -> Relevances:
    """Rank what is not ranked yet, or could not be."""
    encoder = audit.grounder
    if encoder is None:
        return {}
    rankings = _list_rankings(audit, timelines)
    ids = name_rankings(rankings, encoder)
    known = read_relevances(folder.relevances, ids)
    left = {
        key: timeline
        for key, timeline in rankings.items()
        if isinstance(known.get(key), MediaFailure | None)
    }
    if not left:
        return known

    def report(done: EmbedProgress) -> None:
        name = f"pictures for {encoder.name}"
        listener(Progress(name, done.n_frames, done.n_done, done.n_lost))

    store = EmbeddingStore(folder.artifacts / "embeddings")
    ranked, n_cut = rank_frames(left, encoder, store, frames.read_picture, listener=report)
    write_relevances(ranked, ids, folder.relevances)
    if n_cut:
        note(
            f"{n_cut} questions are longer than {encoder.name} reads; their frames are ranked by "
            f"how they begin"
        )
    return known | ranked


def _make_captions(
    audit: OpenAudit,
    timelines: Timelines,
    store: Store,
    frames: FrameStore,
    *,
    listener: Listener,
    note: Note,
) -> dict[TextKey, ClipText | MediaFailure]:
    assert audit.captioner is not None
    name, model = audit.captioner
    requests = list_caption_requests(
        _list_uncaptioned(audit), timelines, audit.settings.frames, model.max_frames
    )
    outcome = ask_requests(
        f"captions by {name}",
        model,
        _collect(requests).values(),
        store,
        read_picture=frames.read_picture,
        listener=listener,
    )
    if outcome.interrupted:
        raise KeyboardInterrupt
    for reason in outcome.gave_up.values():
        note(f"the captioner {name} was left alone after too many failures in a row: {reason}")
    return dict(read_captions(requests, store, make_model_id(model.describe())))
