"""Renders the page and its parts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from video_oasis.categorization.assigning import CATEGORY
from video_oasis.categorization.opinions import REVIEW_LIST
from video_oasis.judgements.judgement import CHECKS, Decision, Judgement
from video_oasis.prompts import choice_letters
from video_oasis.review.answers import arrange_answers
from video_oasis.review.contents import ReviewSample, RunContents
from video_oasis.review.filters import (
    CONFLICTS,
    QUEUES,
    SORTING_STATES,
    STATES,
    Filters,
    Selection,
)
from video_oasis.review.ledger import Ledger
from video_oasis.review.rendering import render
from video_oasis.review.sorting import arrange_sorting, list_keys
from video_oasis.schema import METADATA_REFERENCE, METADATA_TIME_REFERENCES, Sample

DECISION_WORDS: Final[Mapping[Decision, str]] = {
    Decision.KEEP: "keep",
    Decision.WRONG_LABEL: "drop: wrong label",
    Decision.AMBIGUOUS: "drop: ambiguous",
    Decision.SEVERAL_RIGHT: "drop: several right answers",
    Decision.BROKEN_VIDEO: "drop: broken video",
    Decision.OTHER: "drop: other",
    Decision.RESTORE: "restore: order matters",
    Decision.CORRECT: "correct the answer",
    Decision.SKIP: "skip",
}
_STATE_WORDS: Final[Mapping[str, str]] = {
    "": "any",
    "open": "not judged",
    "judged": "judged",
    "drop": "any drop",
} | {decision.value: words for decision, words in DECISION_WORDS.items()}
_QUESTIONS: Final[Mapping[str, str]] = {
    "consistency": "Models that saw the whole video scatter. Is the label right, and does the "
    "question mean one answer?",
    "redundancy": "Every part of the video alone is enough. Does the question mean one moment?",
    "sensitivity": "Frames in a random order are enough. Does the order matter after all?",
}
_MARKED_SECONDS: Final = 0.5


def render_page(
    contents: RunContents, ledger: Ledger, reviewer: str, filters: Filters, sample: str
) -> str:
    """Render the whole page, with one sample in it or the reason why there is none."""
    selection = Selection(contents, ledger, reviewer)
    samples = contents.samples.values()
    tasks = dict.fromkeys(
        each.sample.task for each in samples if filters.benchmark in ("", each.sample.benchmark)
    )
    categories = ledger.categories if filters.queue == CATEGORY else None
    last = (categories or ledger).find_last(reviewer)
    return render(
        "page.html",
        reviewer=reviewer,
        filters=filters,
        query=filters.query(),
        queue=filters.queue,
        queues=describe_progress(selection),
        query_of={queue: Filters(queue).query() for queue in QUEUES},
        benchmarks=sorted({each.sample.benchmark for each in samples}),
        tasks=sorted(tasks),
        reviewers=[name for name in (categories or ledger).reviewers if name != REVIEW_LIST],
        states={state: _STATE_WORDS[state] for state in SORTING_STATES if categories}
        or {state: _STATE_WORDS[state] for state in STATES},
        categories=_list_categories(contents) if categories else [],
        undo=last.id if last else "",
        sample=Markup(render_sample(contents, ledger, reviewer, filters, sample)) if sample else "",
    )


def render_sample(
    contents: RunContents, ledger: Ledger, reviewer: str, filters: Filters, name: str
) -> str:
    """Render the part of the page about one sample."""
    shown = contents.samples[name]
    sample = shown.sample
    own = ledger.find(shown.key, reviewer)
    visible = ledger.list_visible(shown.key, reviewer)
    place = Selection(contents, ledger, reviewer).find_place(filters, name)
    sorting = (
        arrange_sorting(contents.categorized, ledger.categories, shown.key, reviewer)
        if filters.queue == CATEGORY and contents.categorized and ledger.categories
        else None
    )
    return render(
        "sample.html",
        shown=shown,
        sample=sample,
        letters=choice_letters(len(sample.choices)),
        place=place,
        filters=filters,
        questions=_QUESTIONS,
        matrix=arrange_answers(shown.view),
        texts=contents.list_texts(sample),
        fps=contents.measure_fps(sample),
        marks=_list_marks(sample),
        reference=sample.metadata.get(METADATA_REFERENCE) or "",
        sorting=sorting,
        own=own,
        others=[each for each in visible if each.reviewer != reviewer],
        n_hidden=0 if len(visible) > 1 else len(ledger.list_others(shown.key, reviewer)),
        may_restore="sensitivity" in shown.view.checks,
        describe_decision=describe_decision,
    )


def render_shown(contents: RunContents, name: str, test: str) -> str:
    """Render what one test showed of a sample: frames in the order shown, and text."""
    shown = contents.samples[name]
    seconds = {frame.digest: frame.seconds for frame in contents.list_frames(shown.sample)}
    return render(
        "shown.html",
        name=name,
        test=test,
        showings=[showing for showing in shown.view.showings if showing.test == test],
        seconds=seconds,
    )


def find_check(filters: Filters, shown: ReviewSample, visible: Sequence[Judgement]) -> str:
    """Return the check that a judgement counts for: that of the queue it is made in.

    Among conflicts it is that of the judgements in conflict; outside the queues there is none.
    """
    if filters.queue in CHECKS:
        return filters.queue if filters.queue in shown.view.checks else ""
    if filters.queue == CONFLICTS:
        return next((each.check for each in visible if each.check), "")
    return ""


def _list_categories(contents: RunContents) -> list[tuple[str, str]]:
    """List the key and the name of each category of the run."""
    categories = contents.categorized.taxonomy.categories if contents.categorized else ()
    return [
        (key, category.name)
        for key, category in zip(list_keys(categories), categories, strict=True)
    ]


def describe_progress(selection: Selection) -> list[dict[str, Any]]:
    """Return the progress in every queue as plain data."""
    return [
        {"queue": each.queue, "n_judged": each.n_judged, "n": each.n}
        for each in selection.measure_progress()
    ]


def describe_decision(judgement: Judgement, sample: Sample) -> str:
    """Say what was decided, in a few words."""
    words = DECISION_WORDS[judgement.decision]
    if judgement.choice is None:
        return words
    letters = choice_letters(len(sample.choices))
    if judgement.choice >= len(letters):
        return f"{words} to a choice that is not there"
    return f"{words} to {letters[judgement.choice]}"


def _list_marks(sample: Sample) -> list[tuple[float, float]]:
    """List where the benchmark says that the evidence lies, as start and length."""
    marks = sample.metadata.get(METADATA_TIME_REFERENCES) or ()
    return [(start, max(end - start, _MARKED_SECONDS)) for start, end in marks]
