"""Writes the category of every sample, for other programs and people to complete, and reads it."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.categorization.decisions import DecisionFiles, write_review
from video_oasis.categorization.opinions import OpinionFile
from video_oasis.errors import RunError
from video_oasis.schema import Sample, SampleKey, Status
from video_oasis.taxonomy.category import Taxonomy
from video_oasis.taxonomy.toml_form import read_taxonomy, write_taxonomy
from video_oasis.taxonomy.votes import AssignedSample, Outcome, Vote
from video_oasis.whole_file import write_whole

_COLUMNS: Final = {
    "benchmark": pl.String(),
    "sample_id": pl.String(),
    "task": pl.String(),
    "category": pl.String(),
    "outcome": pl.String(),
    "votes": pl.List(
        pl.Struct(
            {
                "model": pl.String(),
                "category": pl.String(),
                "status": pl.String(),
                "reason": pl.String(),
            }
        )
    ),
}


@dataclass(frozen=True, slots=True)
class Categorized:
    """What was written about the categories of a run.

    Attributes:
        taxonomy: the categories.
        assigned: the samples.
        opinions: where people say what category a sample has.
    """

    taxonomy: Taxonomy
    assigned: Mapping[SampleKey, AssignedSample]
    opinions: OpinionFile


def read_categorized(folder: Path) -> Categorized | None:
    """Read what was written about categories; None if nothing was.

    Raises:
        RunError: a file cannot be read.
        SettingsError: the taxonomy is none.
    """
    file = folder / "assignments.jsonl"
    if not file.is_file():
        return None
    try:
        text = file.read_text(encoding="utf-8", errors="surrogatepass")
        rows = [_from_row(json.loads(line)) for line in text.split("\n") if line]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunError(
            f"{file}: cannot be read ({error}); write it again with 'oasis categorize RUN'"
        ) from error
    return Categorized(
        taxonomy=read_taxonomy(folder / "taxonomy.toml"),
        assigned={row.key: row for row in rows},
        opinions=DecisionFiles(folder).opinions,
    )


def write_assignments(
    assigned: Sequence[AssignedSample],
    samples: Mapping[SampleKey, Sample],
    taxonomy: Taxonomy,
    folder: Path,
) -> None:
    """Write ``assignments`` as JSONL and Parquet, ``review.csv`` and the taxonomy that was used.

    Args:
        assigned: the samples.
        samples: their questions, for the review list.
        taxonomy: the categories.
        folder: where to write.

    Raises:
        RunError: the folder cannot be written.
    """
    rows = [_to_row(each) for each in assigned]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    parquet = io.BytesIO()
    pl.DataFrame(rows, schema=_COLUMNS).write_parquet(parquet)
    split = [each for each in assigned if each.outcome is Outcome.SPLIT]
    try:
        write_whole(folder / "assignments.jsonl", lines.encode("utf-8", "surrogatepass"))
        write_whole(folder / "assignments.parquet", parquet.getvalue())
        write_whole(DecisionFiles(folder).review, write_review(split, samples))
        write_whole(folder / "taxonomy.toml", write_taxonomy(taxonomy).encode())
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror})") from error


def _from_row(row: Mapping[str, Any]) -> AssignedSample:
    votes = tuple(Vote(**{**vote, "status": Status(vote["status"])}) for vote in row["votes"])
    return AssignedSample(**{**row, "outcome": Outcome(row["outcome"]), "votes": votes})


def _to_row(sample: AssignedSample) -> dict[str, Any]:
    # Enumerations are texts to JSON, but not to Parquet.
    votes = [asdict(vote) | {"status": vote.status.value} for vote in sample.votes]
    return {
        "benchmark": sample.benchmark,
        "sample_id": sample.sample_id,
        "task": sample.task,
        "category": sample.category,
        "outcome": sample.outcome.value,
        "votes": votes,
    }
