"""Writes the card of a generated set: what it is made from, how, and what gives it away."""

from collections.abc import Iterable, Mapping, Sequence

import tomli_w

from video_oasis.generate.sources import SOURCES
from video_oasis.generate.tvbench.engine import GeneratedSet, TaskSet
from video_oasis.generate.tvbench.gate import GateResult
from video_oasis.generate.tvbench.interface import Mode
from video_oasis.generate.tvbench.settings import to_plain_settings
from video_oasis.generate.tvbench.tasks import TASKS

_MODES = {
    Mode.STRICT: (
        "Made in the strict mode: answers and positions are even, and no task is kept whose "
        "answers text, clip length or video length give away."
    ),
    Mode.FAITHFUL: (
        "Made in the faithful mode, which has the properties of the released TVBench, its "
        "shortcuts included: what gives answers away stands below and was not removed."
    ),
}
_GATE_EXPLAINED = (
    "Percent right of predictors that never see the video. p is the smaller of two probabilities: "
    "that guessing does as well (rules only), and that the same predictor does as well when the "
    "right answers are dealt out anew, with all balance kept. Scores a little off chance mean "
    "nothing: exact balance causes them. A set is given away (**) if a p is at most "
    "gate_alpha divided by the number of predictors; for one that scored too high on an earlier "
    "draw it is not divided."
)


def write_generated_card(made: GeneratedSet, version: str) -> str:
    """Return the card as Markdown.

    Args:
        made: the set.
        version: version of this program.
    """
    lines = [
        "# Questions in the manner of TVBench",
        "",
        f"{_MODES[made.mode]} Video-Oasis {version}, seed {made.seed}. The same files, settings "
        "and seed give the same bytes.",
        "",
        "`json/TASK.json` has the shape of MVBench and TVBench; `questions.jsonl` has the same "
        "questions with ids and sources. The videos are not part of it: a question names its video "
        "as its source does, and `start` and `end` say which stretch of it to show.",
        "",
        *write_table(
            ("task", "asks", "questions", "events found", "drawn", "outcome"),
            [
                (
                    each.task,
                    TASKS[each.task].asks if each.task in TASKS else "",
                    str(len(each.questions)),
                    str(each.n_events),
                    str(each.n_attempts),
                    each.refusal or _tell(each.gate),
                )
                for each in made.tasks
            ],
        ),
        "",
        "## Sources",
        "",
        *write_table(
            ("source", "records", "bad rows", "to respect"),
            [
                (
                    name,
                    str(n),
                    str(sum(row.benchmark == name for row in made.bad_rows)),
                    SOURCES[name].terms,
                )
                for name, n in made.n_records.items()
            ],
        ),
        "",
        "## What was left out, and what was removed",
        "",
        *write_table(
            ("task", "reason", "number"),
            [(each.task, reason, str(n)) for each in made.tasks for reason, n in _reasons(each)],
        ),
        "",
        "## Without the video",
        "",
        _GATE_EXPLAINED,
        "",
        *write_table(
            ("task", "predictor", "score", "chance", "p"),
            [row for each in made.tasks for row in write_gate_rows(each.task, each.gate)],
        ),
        "",
        "## Settings",
        "",
        "```toml",
        tomli_w.dumps(to_plain_settings(made.settings)).rstrip(),
        "```",
    ]
    return "\n".join(lines) + "\n"


def write_gate_rows(task: str, gate: GateResult | None) -> list[tuple[str, ...]]:
    """Return the cells of a task's rows: task, predictor, score, chance, p."""
    return [
        (
            task,
            row.predictor,
            f"{100 * row.score:.1f}{' **' if row.is_too_high else ''}",
            f"{100 * row.chance:.1f}",
            f"{min(row.p_permuted, 1.0 if row.p_chance is None else row.p_chance):.2g}",
        )
        for row in (gate.rows if gate else ())
    ]


def _tell(gate: GateResult | None) -> str:
    if gate is None:
        return "not measured"
    return "passed the gate" if gate.is_open else "given away without the video"


def _reasons(each: TaskSet) -> Iterable[tuple[str, int]]:
    yield from each.left_out.items()
    yield from ((f"removed: {reason}", n) for reason, n in each.removed.items())


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    cells = [[_cell(text) for text in row] for row in rows]
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in cells),
    ]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def summarise_set(made: GeneratedSet) -> list[Mapping[str, object]]:
    """Return for each task what came of it, as plain data."""
    return [
        {
            "task": each.task,
            "n_questions": len(each.questions),
            "n_events": each.n_events,
            "n_attempts": each.n_attempts,
            "refusal": each.refusal,
            "left_out": dict(each.left_out),
            "removed": dict(each.removed),
            "imbalances": list(each.imbalances),
            "gate": [
                {
                    "predictor": row.predictor,
                    "n": row.n,
                    "score": row.score,
                    "chance": row.chance,
                    "p_chance": row.p_chance,
                    "p_permuted": row.p_permuted,
                    "is_too_high": row.is_too_high,
                }
                for row in (each.gate.rows if each.gate else ())
            ],
        }
        for each in made.tasks
    ]
