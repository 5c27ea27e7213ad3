"""Plants questions about drawn clips so that it is known what gives each answer away.

A set is laid out (``layout``) as clips, each a scene with questions about it (``scene``): shapes
that are seen at times (``visits``), one after another (``parades``), again and again
(``returns``), or in acts that time alone tells from their mirror image (``acts``), and faulty
questions (``faults``). Any clip can carry a question that its wording gives away (``wording``) or
that is answered in its sound (``speech``). What ought to solve and to flag each sample follows from
its evidence (``foretell``), and ``write`` puts it all into a folder, with the truth (``truth``).
"""

from video_oasis.generate.planted.truth import (
    PAPER_TESTS,
    REFERENCE,
    Evidence,
    PlantedKind,
    PlantedSample,
    read_truth,
)
from video_oasis.generate.planted.write import (
    BENCHMARK_NAME,
    PlantedPaths,
    locate_planted,
    write_planted,
)

__all__ = [
    "BENCHMARK_NAME",
    "PAPER_TESTS",
    "REFERENCE",
    "Evidence",
    "PlantedKind",
    "PlantedPaths",
    "PlantedSample",
    "locate_planted",
    "read_truth",
    "write_planted",
]
