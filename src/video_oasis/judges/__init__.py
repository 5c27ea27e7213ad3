"""Judges that need no model: they compare an answer with the reference by rule.

A judge (``interface``) turns questions with reference and answer into grades. ``words`` and
``lemmas`` bring texts to the forms in which they are compared. Each judge is one file in this
folder; another package adds one by an entry point in the group ``video_oasis.judges`` that names
its ``Judge``. Models as judges are no members: they are asked as any model is
(``open_ended.judging``).
"""

from typing import Final

from video_oasis.judges.interface import Judge
from video_oasis.registry import Registry

JUDGES: Final[Registry[Judge]] = Registry(
    "judge",
    {
        "exact_match": "video_oasis.judges.exact_match:EXACT_MATCH",
        "lemma_match": "video_oasis.judges.lemma_match:LEMMA_MATCH",
        "similarity": "video_oasis.judges.similarity:SIMILARITY",
        "token_f1": "video_oasis.judges.token_f1:TOKEN_F1",
    },
    group="video_oasis.judges",
)
