"""Pages that show single samples: an index to search, and the samples in full, so many a page."""

from dataclasses import dataclass
from typing import Final

from video_oasis.prompts import choice_letters
from video_oasis.report.document import AuditReport, GivenAnswer, SampleView
from video_oasis.report.numbers import write_count, write_several
from video_oasis.report.page import render
from video_oasis.report.thumbnails import Thumbnails, count_parts, pick_frames
from video_oasis.schema import Status

SAMPLES_PER_PAGE: Final = 100
INDEX_NAME: Final = "index.html"


@dataclass(frozen=True, slots=True)
class _Said:
    """What one model answered, in words, and how the style shows it."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Line:
    """The answers about a sample under one diagnostic, by model; parts and draws in order."""

    name: str
    answers: dict[str, list[_Said]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one request showed besides question and choices."""

    name: str
    n_frames: int
    pictures: tuple[tuple[str, int], ...]
    """Digest and position of the frames pictured."""
    text: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A sample as its page shows it."""

    number: int
    view: SampleView
    letters: tuple[str, ...]
    models: tuple[str, ...]
    lines: tuple[_Line, ...]
    seen: tuple[_Seen, ...]


def explain_choice(report: AuditReport) -> str:
    """Say which samples are shown in full, and how many are not."""
    n_samples = sum(headline.n_samples for headline in report.summary.benchmarks)
    n_shown = len(report.views)
    if n_shown >= n_samples:
        return "All samples are there."
    return (
        f"{write_count(n_shown)} of {write_several(n_samples, 'sample')} are shown in full: "
        f"shortcuts, those in most tests first; then some that a person should look at, and some "
        f"others. The other {write_count(n_samples - n_shown)} are in tables/samples.csv."
    )


def write_sample_pages(report: AuditReport, thumbnails: Thumbnails) -> dict[str, str]:
    """Write the index and the pages.

    Args:
        report: the report.
        thumbnails: the pictures there are, in the folder ``thumbnails`` beside that of the pages.

    Returns:
        The pages by file name; none if the report shows no sample in full.
    """
    if not report.views:
        return {}
    views = report.views
    starts = range(0, len(views), SAMPLES_PER_PAGE)
    names = [f"page-{number}.html" for number in range(1, len(starts) + 1)]
    several = len(report.summary.benchmarks) > 1
    pages = {
        INDEX_NAME: render(
            "samples_index.html",
            report=report,
            several=several,
            entries=[
                (names[number // SAMPLES_PER_PAGE], number + 1, view)
                for number, view in enumerate(views)
            ],
            left_out=explain_choice(report),
            pictures=_explain_pictures(thumbnails),
        )
    }
    for name, start in zip(names, starts, strict=True):
        chosen = views[start : start + SAMPLES_PER_PAGE]
        pages[name] = render(
            "samples_page.html",
            several=several,
            names=names,
            name=name,
            entries=[
                _make_entry(start + number + 1, view, thumbnails)
                for number, view in enumerate(chosen)
            ],
            first=start + 1,
            last=start + len(chosen),
            n_views=len(views),
            has_store=thumbnails.has_store,
        )
    return pages


def _explain_pictures(thumbnails: Thumbnails) -> str:
    if not thumbnails.has_store:
        return "There is no frame store, so frames are counted and not pictured."
    sentences = []
    if thumbnails.n_left_out:
        sentences.append(
            f"{write_several(len(thumbnails.digests), 'frame')} are pictured, those of the samples "
            f"that come first; {write_count(thumbnails.n_left_out)} more are not."
        )
    if thumbnails.n_lost:
        sentences.append(
            f"{write_several(thumbnails.n_lost, 'frame')} not in the frame store any more."
        )
    return " ".join(sentences)


def _make_entry(number: int, view: SampleView, thumbnails: Thumbnails) -> _Entry:
    letters = choice_letters(len(view.choices))
    n_parts = count_parts(view)
    lines: dict[str, _Line] = {}
    seen = []
    for showing, positions in zip(view.showings, pick_frames(view), strict=True):
        name = part = showing.test
        if n_parts[showing.test] > 1:
            name = f"{showing.test}, {n_parts[showing.test]} parts"
            part = f"{showing.test}, part {showing.part + 1}"
        line = lines.setdefault(name, _Line(name, {}))
        for answer in showing.answers:
            line.answers.setdefault(answer.model, []).append(_say(answer, letters))
        if showing.frames or showing.text:
            pictures = tuple(
                (showing.frames[position], position + 1)
                for position in positions
                if showing.frames[position] in thumbnails.digests
            )
            seen.append(_Seen(part, len(showing.frames), pictures, showing.text))
    return _Entry(
        number=number,
        view=view,
        letters=letters,
        models=tuple(dict.fromkeys(model for line in lines.values() for model in line.answers)),
        lines=tuple(lines.values()),
        seen=tuple(seen),
    )


def _say(answer: GivenAnswer, letters: tuple[str, ...]) -> _Said:
    if answer.prediction is not None:
        letter = letters[answer.prediction]
        right = _Said(f"{letter} ✓", "right")
        return right if answer.is_correct else _Said(f"{letter} ✗", "wrong")
    if answer.status == Status.OK:
        return _Said(answer.status, "unread")
    return _Said(f"{answer.status}: {answer.reason}" if answer.reason else answer.status, "unread")
