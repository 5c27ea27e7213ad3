"""Reads captions that were made elsewhere, from a file of the user's own."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from video_oasis.annotations.files import read_file
from video_oasis.annotations.rows import RawRow
from video_oasis.diagnostics.interface import Need
from video_oasis.errors import BenchmarkError
from video_oasis.evidence.prepared import ClipText, TextKey, Texts
from video_oasis.media.frames import MediaFailure
from video_oasis.schema import Sample

_FORM: Final = (
    'expected rows such as {"video": "a.mp4", "captions": ["…", "…"]}, with "sample_id" in place '
    'of "video" where captions belong to one sample'
)


def read_caption_file(path: Path, samples: Iterable[Sample]) -> Texts:
    """Read the captions of these samples.

    A row belongs to a sample by ``sample_id``, or to all samples of a ``video``; the former wins.

    Returns:
        For each sample its captions in order, or a failure of kind ``not_in_file``.

    Raises:
        BenchmarkError: the file or a row cannot be read, or two rows are about the same.
    """
    of_sample: dict[str, tuple[str, ...]] = {}
    of_video: dict[str, tuple[str, ...]] = {}
    for row in read_file(path, root=path):
        captions = _read_captions(path, row)
        if "sample_id" in row.columns:
            _put(of_sample, str(row.columns["sample_id"]), captions, path, row)
        elif "video" in row.columns:
            _put(of_video, str(row.columns["video"]), captions, path, row)
        else:
            raise BenchmarkError(f"{path} row {row.number}: no sample_id and no video; {_FORM}")
    return {
        TextKey(sample.benchmark, sample.id, Need.CAPTIONS): _find(
            path, sample, of_sample, of_video
        )
        for sample in samples
    }


def _find(
    path: Path,
    sample: Sample,
    of_sample: Mapping[str, tuple[str, ...]],
    of_video: Mapping[str, tuple[str, ...]],
) -> ClipText | MediaFailure:
    captions = of_sample.get(sample.id) or of_video.get(sample.video.path)
    if captions is None:
        return MediaFailure(
            "not_in_file",
            f"{path}: no captions of sample {sample.id!r} or of video {sample.video.path!r}; add "
            "a row for one of them",
        )
    return ClipText(captions)


def _read_captions(path: Path, row: RawRow) -> tuple[str, ...]:
    captions: Any = row.columns.get("captions")
    is_list = isinstance(captions, list) and len(captions) > 0
    if not is_list or not all(isinstance(each, str) and each.strip() for each in captions):
        raise BenchmarkError(
            f"{path} row {row.number}: captions is {captions!r}; expected a list of texts that are "
            f"not empty; {_FORM}"
        )
    return tuple(each.strip() for each in captions)


def _put(
    into: dict[str, tuple[str, ...]],
    name: str,
    captions: tuple[str, ...],
    path: Path,
    row: RawRow,
) -> None:
    if name in into:
        raise BenchmarkError(
            f"{path} row {row.number}: captions of {name!r} stand in an earlier row; keep one"
        )
    into[name] = captions
