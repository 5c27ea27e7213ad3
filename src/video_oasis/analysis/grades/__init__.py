"""How far the judges of open-ended answers can be trusted: pure functions over the grade table.

``arrange_grades`` checks the grade table and arranges it once; every analysis reads that and
returns frozen rows. ``summarise_grades`` makes all of them. Numbers stand as an ``Estimate``: a
value with the ends of an interval that resamples whole videos.

Three kinds of thing are counted. Accuracy, what judges differ by and self-preference are taken over
samples, a sample's draws averaged first. What a judge says is a function of question, reference and
answer, so agreement, contradictions and the comparison with people are taken over distinct pairs;
a pair that several samples share lies with the first of them. Probes are taken over samples.

A judge is a model or a rule. What makes no sense for rules is made for models only: contradictions,
self-preference and accuracy corrected by the probes.
"""

from video_oasis.analysis.grades.estimates import Estimate
from video_oasis.analysis.grades.grid import GradeGrid, arrange_grades
from video_oasis.analysis.grades.summary import GradeSummary, summarise_grades

__all__ = ["Estimate", "GradeGrid", "GradeSummary", "arrange_grades", "summarise_grades"]
