"""Says what a captioner is asked about the samples' clips, and reads what it said."""

from collections.abc import Iterable, Mapping

from video_oasis.answers.free_text import read_free_text
from video_oasis.diagnostics.eighths import cut_eighths, take_eighths
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Need
from video_oasis.evidence.prepared import ClipText, TextKey, Texts
from video_oasis.evidence.wanted import TimelineKey, Timelines, timeline_key
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.views import uniform
from video_oasis.prompts import caption_request
from video_oasis.schema import Request, Sample
from video_oasis.store import AnswerKey, Store

CaptionRequests = Mapping[TextKey, tuple[Request, ...] | MediaFailure]
"""What is asked for each sample's captions, one request for each chunk of its clip."""


def list_caption_requests(
    samples: Iterable[Sample],
    timelines: Timelines,
    settings: FrameSettings,
    max_frames: int | None,
) -> dict[TextKey, tuple[Request, ...] | MediaFailure]:
    """List the requests for captions of every sample whose video has been looked at.

    Samples that share a clip share its requests.

    Args:
        samples: the samples.
        timelines: what came of their videos.
        settings: the frame budget.
        max_frames: the most frames that the captioner takes; None for no limit.
    """
    of_clip: dict[TimelineKey, tuple[Request, ...] | MediaFailure] = {}
    listed: dict[TextKey, tuple[Request, ...] | MediaFailure] = {}
    for sample in samples:
        key = timeline_key(sample, take_eighths(sample.video, settings))
        timeline = timelines.get(key)
        if timeline is None:
            continue
        if key not in of_clip:
            of_clip[key] = (
                _make_requests(timeline, max_frames) if isinstance(timeline, Timeline) else timeline
            )
        listed[TextKey(sample.benchmark, sample.id, Need.CAPTIONS)] = of_clip[key]
    return listed


def read_captions(requests: CaptionRequests, store: Store, model_id: str) -> Texts:
    """Read the captions that the store has; samples of which one is not asked yet are left out.

    A caption that failed, or a reply that describes nothing, is the failure of its sample.

    Args:
        requests: what was asked.
        store: the answers.
        model_id: the captioner's id.
    """
    answers = store.answers(model_id)
    failures = store.failures(model_id)
    texts: dict[TextKey, ClipText | MediaFailure] = {}
    for key, asked in requests.items():
        if isinstance(asked, MediaFailure):
            texts[key] = asked
            continue
        captions: list[str] = []
        for number, request in enumerate(asked, start=1):
            answer_key = AnswerKey(request.id, 0)
            where = f"caption {number} of {len(asked)}"
            if answer_key in answers:
                caption, reason = read_free_text(answers[answer_key])
                if reason:
                    texts[key] = MediaFailure(
                        reason, f"{where}: the captioner's reply is no description ({reason})"
                    )
                    break
                captions.append(caption)
            elif answer_key in failures:
                failure = failures[answer_key]
                texts[key] = MediaFailure(failure.kind, f"{where}: {failure.message}")
                break
            else:
                break
        else:
            texts[key] = ClipText(tuple(captions))
    return texts


def _make_requests(timeline: Timeline, max_frames: int | None) -> tuple[Request, ...]:
    return tuple(
        Request(
            system="",
            text=caption_request(),
            letters=(),
            frames=frames if max_frames is None else uniform(frames, max_frames),
        )
        for frames in cut_eighths(timeline.frames)
    )
