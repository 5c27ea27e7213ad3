"""Cuts a clip into eight equal chunks, for what is asked of each alone and what each is captioned.

Eight chunks of sixteen frames are the protocol of arXiv 2603.29616, section 3.
"""

from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.media.sampling import Sampling, Uniform
from video_oasis.media.views import Frames, chunks
from video_oasis.schema import Video

N_CHUNKS: Final = 8
FRAMES_PER_CHUNK: Final = 16


def take_eighths(video: Video, settings: FrameSettings) -> Sampling:
    """Return the sampling that holds all chunks' frames."""
    per_chunk = min(FRAMES_PER_CHUNK, settings.max_frames)
    return settings.take(Uniform(N_CHUNKS * per_chunk), video)


def cut_eighths(frames: Frames) -> tuple[Frames, ...]:
    """Return the frames of each chunk; fewer than eight frames make as many chunks."""
    return chunks(frames, N_CHUNKS, FRAMES_PER_CHUNK)
