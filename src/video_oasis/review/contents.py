"""Collects all that the page shows of the samples of one run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.analysis.ambiguity import QueueRow, find_ambiguous, order_queue
from video_oasis.answered import Answered, read_answered
from video_oasis.audit import PreparedAudit
from video_oasis.categorization.assigning import CATEGORY
from video_oasis.categorization.files import Categorized
from video_oasis.config import AskingPlan
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.eighths import take_eighths
from video_oasis.diagnostics.interface import Need
from video_oasis.distil.decide import distil
from video_oasis.evidence.prepared import ClipText, Prepared, TextKey
from video_oasis.evidence.wanted import timeline_key
from video_oasis.judgements.judgement import CHECKS
from video_oasis.lazy.left_out import find_left_out, mark_not_needed
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.report.document import SampleView
from video_oasis.review.videos import VideoKey, VideoSource, find_sources, name_key
from video_oasis.sample_views import view_samples
from video_oasis.schema import METADATA_SUBTITLES_TEXT, Frame, Sample, SampleKey
from video_oasis.store import Store
from video_oasis.taxonomy.votes import Outcome

_TEXT_TITLES: Final = {Need.SPEECH: "Transcript", Need.CAPTIONS: "Captions"}


@dataclass(frozen=True, slots=True)
class ReviewSample:
    """One sample as the page knows it.

    Attributes:
        name: its name in addresses.
        sample: the sample.
        view: its answers and what each test showed.
        source: its video.
        search_text: what a free search looks through, case folded.
    """

    name: str
    sample: Sample
    view: SampleView
    source: VideoSource
    search_text: str

    @property
    def key(self) -> SampleKey:
        """Benchmark and sample id."""
        return self.sample.benchmark, self.sample.id


@dataclass(frozen=True, slots=True)
class ShownText:
    """Text made of a clip, or why there is none.

    Attributes:
        title: what it is.
        lines: the lines.
        remark: what else to know; mostly empty.
    """

    title: str
    lines: tuple[str, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class RunContents:
    """The samples of a run, and the orders to look at them in.

    Attributes:
        audit: the planned audit.
        evidence: what was made of the videos.
        samples: every sample by its name in addresses, in published order.
        names: the names by benchmark and sample id.
        queues: for each check the names of the samples that it flags, the first to look at first;
            for ``category`` those about whose category the panel is split.
        videos: every video by its name in addresses.
        categorized: the categories and the panel's votes; None if the run has none.
    """

    audit: PreparedAudit
    evidence: Prepared
    samples: Mapping[str, ReviewSample]
    names: Mapping[SampleKey, str]
    queues: Mapping[str, tuple[str, ...]]
    videos: Mapping[str, VideoSource]
    categorized: Categorized | None

    def list_frames(self, sample: Sample) -> tuple[Frame, ...]:
        """List every frame that was taken of a sample's clip once, in the order of the video."""
        frames = {
            frame.digest: frame
            for timeline in self._list_timelines(sample)
            for frame in timeline.frames
        }
        return tuple(sorted(frames.values(), key=lambda frame: frame.seconds))

    def measure_fps(self, sample: Sample) -> float | None:
        """Return the clip's frames a second; None if it has not been looked at."""
        for timeline in self._list_timelines(sample):
            if timeline.window_seconds > 0:
                return timeline.n_window_frames / timeline.window_seconds
        return None

    def list_texts(self, sample: Sample) -> tuple[ShownText, ...]:
        """List what is said in a sample's clip, its captions, and its published subtitles."""
        texts = []
        for need, title in _TEXT_TITLES.items():
            found = self.evidence.texts.get(TextKey(sample.benchmark, sample.id, need))
            if found is not None:
                texts.append(_word_text(title, found))
        subtitles = sample.metadata.get(METADATA_SUBTITLES_TEXT)
        if subtitles:
            texts.append(ShownText("Published subtitles", tuple(str(subtitles).split("\n")), ""))
        return tuple(texts)

    def _list_timelines(self, sample: Sample) -> Iterator[Timeline]:
        settings = self.audit.settings
        takers = [
            each.sampling
            for each in (DIAGNOSTICS[name] for name in settings.diagnostics)
            if each.sampling is not None
        ]
        wanted = [take(sample, settings.frames) for take in takers]
        samplings = [sampling for sampling in wanted if sampling is not None]
        samplings.append(take_eighths(sample.video, settings.frames))
        for sampling in samplings:
            found = self.evidence.timelines.get(timeline_key(sample, sampling))
            if isinstance(found, Timeline):
                yield found


def collect_contents(
    audit: PreparedAudit,
    evidence: Prepared,
    store: Store,
    categorized: Categorized | None = None,
) -> RunContents:
    """Collect the samples of a run from its plan, its evidence and its answers.

    The queues are those of the run's report.

    Args:
        audit: the planned audit.
        evidence: what was made of its videos.
        store: its answers.
        categorized: what was written about the categories of its samples.
    """
    samples = {(sample.benchmark, sample.id): sample for sample in audit.samples}
    queue, views = _view(audit, read_answered(audit, store), samples)
    sources = find_sources(audit.benchmarks)
    named = {
        key: _make_review_sample(sample, views[key], sources) for key, sample in samples.items()
    }
    queues = {
        check: tuple(
            named[row.benchmark, row.sample_id].name for row in queue if row.check == check
        )
        for check in CHECKS
    }
    if categorized:
        queues[CATEGORY] = tuple(
            named[key].name
            for key, each in categorized.assigned.items()
            if each.outcome is Outcome.SPLIT and key in named
        )
    return RunContents(
        audit=audit,
        evidence=evidence,
        samples={each.name: each for each in named.values()},
        names={key: each.name for key, each in named.items()},
        queues=queues,
        videos={source.name: source for source in sources.values()},
        categorized=categorized,
    )


def _view(
    audit: PreparedAudit, answered: Answered, samples: Mapping[SampleKey, Sample]
) -> tuple[Sequence[QueueRow], Mapping[SampleKey, SampleView]]:
    settings = audit.settings
    table, grid, tests = answered.table, answered.grid, answered.tests
    if settings.plan is AskingPlan.LAZY:
        table = mark_not_needed(table, find_left_out(table, grid.only(tests), settings.threshold))
    found = find_ambiguous(
        grid,
        table,
        threshold=answered.threshold,
        tests=tests,
        strict=settings.strict_consistency,
        texts={key: (sample.question, sample.choices) for key, sample in samples.items()},
    )
    queue = [QueueRow(**row) for row in order_queue(found).iter_rows(named=True)]
    decided = distil(samples.values(), grid.only(tests), answered.threshold)
    views = view_samples(samples, decided, queue, audit.assignments, table, limit=len(samples))
    return queue, {(view.benchmark, view.sample_id): view for view in views}


def _make_review_sample(
    sample: Sample, view: SampleView, sources: Mapping[VideoKey, VideoSource]
) -> ReviewSample:
    searched = (sample.id, sample.task, sample.video.path, sample.question, *sample.choices)
    return ReviewSample(
        name=name_key("sample1", (sample.benchmark, sample.id)),
        sample=sample,
        view=view,
        source=sources[sample.benchmark, sample.video.path],
        search_text="\n".join(searched).casefold(),
    )


def _word_text(title: str, found: ClipText | MediaFailure) -> ShownText:
    if isinstance(found, MediaFailure):
        return ShownText(title, (), found.message)
    lines = tuple(line for part in found.parts for line in part.split("\n"))
    remark = "Cut: the whole is too long to show to a model." if found.is_cut else found.outside
    return ShownText(title, lines, remark)
