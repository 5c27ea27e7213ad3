"""Finds out how relevant each frame of a clip is to a question: the cosine of their embeddings."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Diagnostic
from video_oasis.embeddings.embed import EmbedProgress, embed_timelines
from video_oasis.embeddings.encoders.interface import Encoder, make_encoder_id
from video_oasis.embeddings.frame_set import FrameSet, make_frame_set
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.evidence.prepared import RelevanceKey, relevance_key
from video_oasis.evidence.wanted import Timelines, timeline_key
from video_oasis.hashing import content_id
from video_oasis.media.frames import MediaFailure, ReadPicture, Timeline
from video_oasis.schema import Sample

_DECIMALS: Final = 6
"""Cosines closer than this are equal, or rounding would rank frames that look the same."""

Rankings = Mapping[RelevanceKey, Timeline]
"""What is to be ranked by what."""


def list_rankings(
    samples: Iterable[Sample],
    diagnostics: Sequence[Diagnostic],
    timelines: Timelines,
    settings: FrameSettings,
) -> dict[RelevanceKey, Timeline]:
    """List the frames that diagnostics want ranked, of all clips that have been looked at.

    Samples that ask the same of the same clip share a ranking.

    Args:
        samples: the samples.
        diagnostics: the diagnostics; those that rank no frames want nothing.
        timelines: what came of the samples' videos.
        settings: the frame budget.
    """
    takers = [each.sampling for each in diagnostics if each.ranks_frames and each.sampling]
    rankings: dict[RelevanceKey, Timeline] = {}
    for sample in samples:
        for take in takers:
            sampling = take(sample, settings)
            timeline = None if sampling is None else timelines.get(timeline_key(sample, sampling))
            if isinstance(timeline, Timeline):
                rankings[relevance_key(sample, timeline.sampling)] = timeline
    return rankings


def name_rankings(rankings: Rankings, encoder: Encoder) -> dict[RelevanceKey, str]:
    """Name each ranking by all that decides it: the encoder, the question and the pictures.

    Raises:
        ModelUnavailable: the encoder's weights are not there.
    """
    encoder_id = make_encoder_id(encoder.describe())
    frames = {
        key.timeline: content_id("pictures1", [frame.digest for frame in timeline.frames])
        for key, timeline in rankings.items()
    }
    return {
        key: content_id(
            "relevance1",
            {"encoder": encoder_id, "question": key.question, "frames": frames[key.timeline]},
        )
        for key in rankings
    }


def rank_frames(
    rankings: Rankings,
    encoder: Encoder,
    store: EmbeddingStore,
    read_picture: ReadPicture,
    *,
    listener: Callable[[EmbedProgress], None],
) -> tuple[dict[RelevanceKey, Sequence[float] | MediaFailure], int]:
    """Embed the frames that are not kept yet, and the questions, and compare them.

    Args:
        rankings: what to rank by what.
        encoder: what embeds both.
        store: where embeddings of frames are kept.
        read_picture: gives a frame's JPEG.
        listener: told how far the embedding has come.

    Returns:
        The relevance of each frame, in order, or why a clip has lost one; and how many questions
        are longer than the encoder reads, and were compared by their beginning.

    Raises:
        ModelUnavailable: the encoder cannot be used.
        RunError: the store cannot keep embeddings, or is damaged.
    """
    of_set: dict[FrameSet, list[RelevanceKey]] = {}
    for key, timeline in rankings.items():
        where = key.timeline
        of_set.setdefault(make_frame_set(where.benchmark, where.path, timeline.frames), []).append(
            key
        )
    failures = embed_timelines(list(of_set), read_picture, encoder, store, listener=listener)
    encoder_id = make_encoder_id(encoder.describe())
    relevances: dict[RelevanceKey, Sequence[float] | MediaFailure] = {}
    n_cut = 0
    for frame_set, keys in of_set.items():
        failure = failures.get(frame_set.video)
        if failure is not None and store.missing(encoder_id, frame_set):
            relevances |= dict.fromkeys(keys, failure)
            continue
        frames = store.load(encoder_id, frame_set).astype(np.float64)
        # A question that is empty is not embedded: nothing is more like it than anything else.
        asked = list(dict.fromkeys(key.question for key in keys if key.question))
        cosines = {"": np.zeros(len(frames))}
        if asked:
            texts = encoder.embed_texts(asked)
            n_cut += sum(texts.cut)
            cosines |= zip(asked, texts.vectors.astype(np.float64) @ frames.T, strict=True)
        for key in keys:
            relevances[key] = array("f", np.round(cosines[key.question], _DECIMALS).tolist())
    return relevances, n_cut
