"""Renders which samples have a video: text for a terminal, and plain data for JSON."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import Match
from video_oasis.report.numbers import write_count, write_several
from video_oasis.video_check import BenchmarkCheck, SampleCheck, VideoCheck


def to_text(check: VideoCheck, *, n_examples: int = 3) -> str:
    """Render a check for reading in a terminal.

    Args:
        check: what was found.
        n_examples: how many examples of each kind to show; the rest are counted.
    """
    blocks = ["\n".join(_write_benchmark(each, n_examples)) for each in check.benchmarks]
    depth = (
        "all frames were tried"
        if check.is_decoded
        else "the header and the first frame were tried; --decode tries all frames"
    )
    footer = [f"Searched: {_escape(str(check.root))}. Of each video {depth}."]
    if check.links_outside:
        footer += _write_places("Links that lead out of it, not followed", check.links_outside)
    if check.unreadable:
        footer += _write_places("Folders that cannot be listed", check.unreadable)
    return "\n\n".join([*blocks, "\n".join(footer)]) + "\n"


def to_plain_data(check: VideoCheck) -> dict[str, Any]:
    """Return all of a check as plain data for JSON.

    Returns:
        ``videos``, ``decoded``, ``links_outside``, ``unreadable``, and ``benchmarks``: for each
        ``n_samples``, ``n_with_video``, ``n_without_video``, samples by ``failures``, ``remarks``
        and ``matches``, and every sample with ``id``, ``video`` as published, ``path`` below the
        folder, ``match``, ``failure`` and ``remark``.
    """
    return {
        "videos": _encodable(str(check.root)),
        "decoded": check.is_decoded,
        "links_outside": [_encodable(str(path)) for path in check.links_outside],
        "unreadable": [_encodable(str(path)) for path in check.unreadable],
        "benchmarks": [
            {
                "benchmark": each.benchmark,
                "n_samples": len(each.samples),
                "n_with_video": each.n_with_video,
                "n_without_video": len(each.samples) - each.n_with_video,
                "failures": _count(sample.failure for sample in each.samples),
                "remarks": _count(sample.remark for sample in each.samples),
                "matches": dict(
                    Counter(str(sample.match) for sample in each.samples if sample.match)
                ),
                "samples": [_plain_sample(sample, check.root) for sample in each.samples],
            }
            for each in check.benchmarks
        ],
    }


def _write_benchmark(check: BenchmarkCheck, n_examples: int) -> Iterator[str]:
    n_samples = len(check.samples)
    n_without = n_samples - check.n_with_video
    yield (
        f"{_escape(check.benchmark)}: {write_count(n_samples)} samples, "
        f"{write_count(check.n_with_video)} with video, {write_count(n_without)} without"
    )
    matches = Counter(
        sample.match for sample in check.samples if sample.match and not sample.failure
    )
    elsewhere = [
        f"{write_count(n)} {match.replace('_', ' ')}"
        for match in Match
        if match is not Match.AS_PUBLISHED and (n := matches[match])
    ]
    if elsewhere:
        yield f"  found, but not as published: {', '.join(elsewhere)}"
    failures = [(sample, sample.failure) for sample in check.samples if sample.failure]
    yield from _write_kinds("without video", failures, n_examples)
    remarks = [(sample, sample.remark) for sample in check.samples if sample.remark]
    yield from _write_kinds("with video, to know", remarks, n_examples)


def _write_kinds(
    heading: str, reasons: Sequence[tuple[SampleCheck, MediaFailure]], n_examples: int
) -> Iterator[str]:
    by_kind: dict[str, dict[str, list[SampleCheck]]] = defaultdict(lambda: defaultdict(list))
    for sample, reason in reasons:
        by_kind[reason.kind][reason.message].append(sample)
    for kind, by_message in sorted(by_kind.items()):
        n_samples = sum(map(len, by_message.values()))
        n_videos = len({each.published for samples in by_message.values() for each in samples})
        counted = f"{write_several(n_samples, 'sample')} on {write_several(n_videos, 'video')}"
        yield f"  {heading}: {kind}, {counted}"
        for message, samples in list(by_message.items())[:n_examples]:
            more = f" and {len(samples) - 1} more" if len(samples) > 1 else ""
            yield f"    {_escape(samples[0].sample_id)}{more}: {_escape(message)}"
        if len(by_message) > n_examples:
            yield f"    … and {write_count(len(by_message) - n_examples)} more"


def _write_places(heading: str, paths: Sequence[Path]) -> list[str]:
    more = f" and {write_count(len(paths) - 1)} more" if len(paths) > 1 else ""
    return [f"{heading}: {_escape(str(paths[0]))}{more}"]


def _plain_sample(sample: SampleCheck, root: Path) -> dict[str, Any]:
    return {
        "id": _encodable(sample.sample_id),
        "video": _encodable(sample.published),
        "path": sample.path and _encodable(sample.path.relative_to(root).as_posix()),
        "match": sample.match,
        "failure": _plain_reason(sample.failure),
        "remark": _plain_reason(sample.remark),
    }


def _plain_reason(reason: MediaFailure | None) -> dict[str, str] | None:
    return {"kind": reason.kind, "message": _encodable(reason.message)} if reason else None


def _count(reasons: Iterable[MediaFailure | None]) -> dict[str, int]:
    return dict(sorted(Counter(reason.kind for reason in reasons if reason).items()))


def _encodable(text: str) -> str:
    """Write out the bytes of file names that are no text, which cannot be printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def _escape(text: str) -> str:
    """Keep line breaks and control codes of file names from the terminal."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
