"""What the categories of a run come to, in words."""

from video_oasis.report.categories.document import CategoriesReport
from video_oasis.report.numbers import write_count, write_ratio, write_several
from video_oasis.taxonomy.votes import Outcome


def write_verdict(report: CategoriesReport) -> list[str]:
    """Say how many samples have a category, how, and what is left."""
    n = {outcome: report.outcomes[outcome] for outcome in Outcome}
    sentences = [
        f"{write_count(n[Outcome.ACCEPTED])} of {write_several(report.n_samples, 'sample')} have a "
        f"category that at least {report.threshold} of {write_several(len(report.panel), 'model')} "
        f"name."
    ]
    if n[Outcome.DECIDED]:
        sentences.append(f"{write_several(n[Outcome.DECIDED], 'sample')} decided by people.")
    if n[Outcome.SPLIT]:
        sentences.append(
            f"{write_several(n[Outcome.SPLIT], 'sample')} for a person to decide, as too few "
            f"models agree: review.csv."
        )
    if n[Outcome.INCOMPLETE]:
        sentences.append(
            f"{write_several(n[Outcome.INCOMPLETE], 'sample')} open, as answers are missing that "
            f"could still decide."
        )
    if report.n_obsolete:
        sentences.append(
            f"{write_several(report.n_obsolete, 'decision')} of people not used: the category is "
            f"not in this taxonomy."
        )
    if report.agreement is not None and report.agreement.kappa is not None:
        sentences.append(f"Fleiss' kappa of the panel: {write_ratio(report.agreement.kappa)}.")
    return sentences
