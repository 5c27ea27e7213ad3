"""Which opinions about the categories of samples stand."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from video_oasis.categorization.opinions import Opinion, OpinionFile, list_standing
from video_oasis.review.opinion_ledger import OpinionLedger, Refusals
from video_oasis.schema import SampleKey

_REFUSALS: Final = Refusals(
    record="You changed the category of this sample meanwhile, in another tab. Nothing was saved "
    "now; it is shown as it stands.",
    undo="Your latest category is another one by now, made in another tab. Nothing was undone; "
    "press again to undo that one.",
)


class CategoryLedger(OpinionLedger[SampleKey, Opinion]):
    """The categories that people gave to samples of a run."""

    def __init__(self, file: OpinionFile) -> None:
        """Read a file of opinions.

        Raises:
            RunError: it is damaged.
        """
        super().__init__(
            file, list_standing=list_standing, take_back=_take_back, refusals=_REFUSALS
        )


def _take_back(opinion: Opinion) -> Opinion:
    return replace(opinion, category=None, note="", made_at=datetime.now(UTC))
