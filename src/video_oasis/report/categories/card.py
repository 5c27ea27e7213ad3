"""Writes the card of the categories of a run, as dataset hubs show it."""

from video_oasis.report.categories.document import CategoriesReport
from video_oasis.report.categories.sentences import write_verdict
from video_oasis.report.categories.tables import make_tables
from video_oasis.report.markdown import escape, write_table

_HEADER = """\
---
tags:
- video-question-answering
- video-oasis
configs:
- config_name: assignments
  data_files: assignments.parquet
---"""


def write_card(report: CategoriesReport) -> str:
    """Return the card as Markdown with a YAML header."""
    which = "that a distilled set keeps" if report.members == "kept" else "of an audit"
    parts = [
        _HEADER,
        "# Challenge categories of video questions",
        f"Each of the {report.n_samples:,} samples {which}, and the category that a panel of "
        "models or a person put it in. `assignments` holds ids, categories and votes, and "
        "nothing of the benchmarks themselves: join it by `benchmark` and `sample_id`. Only "
        "`review.csv`, which is for the person who decides, quotes questions.",
        "\n".join(f"- {escape(sentence)}" for sentence in write_verdict(report)),
        "## Categories",
        "\n".join(
            f"- **{escape(category.name)}**: {escape(category.definition)}"
            for category in report.categories
        ),
        *map(write_table, make_tables(report)),
        "## How it was made",
        f"Video-Oasis {report.version}. Content id of the taxonomy: `{report.taxonomy_id}`, of the "
        f"assignments with all votes: `{report.assignments}`. The models saw the question, its "
        "options and the definitions, and nothing of the video.",
        "\n".join(
            f"- {escape(record.name)}: `{'`, `'.join(record.ids)}`" for record in report.models
        ),
    ]
    return "\n\n".join(parts) + "\n"
