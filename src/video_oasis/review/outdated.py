"""The error of a page that was overtaken."""

from video_oasis.errors import OasisError


class Outdated(OasisError):
    """What a page believes of a file is not so any more; the message says what is."""
