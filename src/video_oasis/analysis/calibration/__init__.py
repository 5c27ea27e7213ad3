"""How far an audit's findings can be trusted, read off samples whose shortcuts were planted.

A *detector* is a test at a threshold, or an ambiguity check (``detectors``). Of each sample it is
known which detectors should find it (``rows``). What a detector finds of those is its detection
rate, what it finds of the others its false-alarm rate (``measuring``). Beside both stands the
answer-permutation null of ``consensus``: what the same answers would find if every choice were
equally likely to be the right one. Three things follow (``judging``):

- The *best* threshold of a test has the highest detection rate less false-alarm rate (Youden's J)
  of those whose J has an interval above 0; among equals the highest, which drops fewest samples.
  That of the union is the one to *choose*, or all models where it has none; a test of fewer models
  is read at all of them. The sensitivity check reads the shuffle test at the threshold to choose.
- A detector is *powered* if the interval of its detection rate less the null lies above 0. If it
  is not, the models cannot answer even what was planted for it, and finding nothing says nothing.
- A detector *leaks* if it finds, at the threshold to choose, more of what it should not find than
  guessing explains. Planted targets are drawn apart from each other, so how many samples luck finds
  is a sum of independent draws, and the chance of so many or more is exact; it is corrected by Holm
  over all detectors.
"""

from video_oasis.analysis.calibration.comparison import calibrate
from video_oasis.analysis.calibration.rows import Calibration, DetectorRow, FindingRow, Planted

__all__ = ["Calibration", "DetectorRow", "FindingRow", "Planted", "calibrate"]
