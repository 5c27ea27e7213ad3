"""Oracle: only where the benchmark says that the evidence lies (arXiv 2603.29616, section 4).

Frames in order, one a second of the annotated spans up to the budget; an annotated moment gets one.
Samples without such an annotation are left out.
"""

from collections.abc import Sequence
from typing import Final

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.frame_trials import make_trials
from video_oasis.diagnostics.interface import Axis, Diagnostic, Evidence
from video_oasis.media.sampling import Sampling, WithinSpans
from video_oasis.schema import METADATA_TIME_REFERENCES, Sample, Trial


def _sampling(sample: Sample, settings: FrameSettings) -> Sampling | None:
    spans = tuple(
        (float(start), float(end))
        for start, end in sample.metadata.get(METADATA_TIME_REFERENCES) or ()
        if 0 <= start <= end  # lint names the others
    )
    if not spans:
        return None
    return settings.take(WithinSpans(spans, settings.fps, settings.max_frames), sample.video)


def _trials(sample: Sample, evidence: Evidence) -> Sequence[Trial]:
    return make_trials("oracle", sample, [evidence.thin(evidence.frames)])


ORACLE: Final = Diagnostic(
    name="oracle",
    axis=Axis.REFERENCE,
    evidence="frames of the annotated spans, one a second up to the budget",
    trials=_trials,
    sampling=_sampling,
)
