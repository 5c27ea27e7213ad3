"""Sources: annotation files of video data sets, and how each becomes records.

A source (``interface``) is a name, what is to be respected about it, and a function that reads a
folder into the source's own records and bad rows, none left out. It knows nothing of questions.
Each is one file in this folder; nested values are read through ``values``, which names the place of
whatever is wrong. Another package adds one by an entry point in the group ``video_oasis.sources``
that names its ``Source``.
"""

from typing import Final

from video_oasis.generate.sources.interface import Source
from video_oasis.registry import Registry

SOURCES: Final[Registry[Source]] = Registry(
    "source",
    {
        "charades": "video_oasis.generate.sources.charades:CHARADES",
        "charades-sta": "video_oasis.generate.sources.charades_sta:CHARADES_STA",
        "clevrer": "video_oasis.generate.sources.clevrer:CLEVRER",
        "funqa": "video_oasis.generate.sources.funqa:FUNQA",
        "movqa": "video_oasis.generate.sources.movqa:MOVQA",
        "ntu": "video_oasis.generate.sources.ntu:NTU",
        "perception-test": "video_oasis.generate.sources.perception_test:PERCEPTION_TEST",
        "star": "video_oasis.generate.sources.star:STAR",
        "svip": "video_oasis.generate.sources.procedures:SVIP",
    },
    group="video_oasis.sources",
)
