"""Makes a first question that shows whether a model can be asked at all."""

from io import BytesIO

from PIL import Image

from video_oasis.models.in_process.conversation import Question
from video_oasis.schema import Frame, Request

_SIDE_PIXELS = 64


def make_probe(max_frames: int | None) -> Question:
    """Return a short question about grey frames, as many as a video needs if that many are shown.

    Args:
        max_frames: the most frames that the model is shown; None for no limit.
    """
    n_frames = 2 if max_frames is None else min(2, max_frames)
    file = BytesIO()
    Image.new("RGB", (_SIDE_PIXELS, _SIDE_PIXELS), "grey").save(file, "JPEG")
    frames = tuple(Frame(f"probe-{i}", float(i)) for i in range(n_frames))
    request = Request(system="", text="Reply with the letter A.", letters=("A",), frames=frames)
    return Question(request, draw=0, pictures=(file.getvalue(),) * n_frames)
