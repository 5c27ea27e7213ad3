"""Writes the card of proposals: what was proposed, what was left out, and what text gives away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import tomli_w

from video_oasis.generate.multiple_choice.propose import Proposal
from video_oasis.generate.multiple_choice.task import TaskProposal
from video_oasis.generate.tvbench.card import write_gate_rows, write_table
from video_oasis.generate.tvbench.gate import GateResult
from video_oasis.generate.tvbench.repair_files import best_score
from video_oasis.generate.tvbench.settings import to_plain_settings
from video_oasis.lint.bias import BiasRow

_N_KINDS: Final = 40
_PREFIXES: Final = ("gate_", "prune_", "min_questions")

_REVIEW: Final = (
    "**These are proposals for people to review, not a finished benchmark.** No one has looked at "
    "the videos: a wrong choice can be true as well, as a near synonym (`sofa` beside `couch`), a "
    "broader word (`person` beside `man`), or something else that the clip shows."
)
_HOW: Final = (
    "A wrong choice is the reference of another question of the same set, task and kind, and "
    "differs from the right one by more than case, accents, articles, regular inflection, more "
    "words, the spelling of numbers, one word written as two, or the order of what `and` joins. "
    "Synonyms are not told, nor are abbreviations and spellings beyond a short list (`TV`, `grey`, "
    "`colour`). It is no answer that the set gives to any question of the same kind about the same "
    "clip: such answers would be the hardest, but sets made from captions ask one thing in many "
    "wordings. So the answers of a clip recur as right ones among its questions and never as wrong "
    "ones, which helps whoever sees several of its questions at once and is not measured here: ask "
    "each by itself. "
    "Questions answered yes or no have these two choices. Questions stand in blocks that share "
    "their choices, each of which is right in one question of its block: no answer, length or "
    "position is right more often than it is offered says. Within that, blocks are of questions "
    "alike in wording with answers alike in length. Columns are those of the set; `question_kind` "
    "is added."
)
_RULES: Final = (
    "Percent right of the rules of `oasis lint`, which never see the video: of a naive draw (any "
    "other reference of the kind, at any position) and of the proposals. * the 95 % interval lies "
    "above chance. A naive draw needs no answer to be as often wrong as right and so has more "
    "questions."
)
_PREDICTORS: Final = (
    "The same rules and models fitted out of fold to the text, with the gate of `oasis generate`. "
    "** too high: chance, or the same predictor on answers dealt out anew with all balance kept, "
    "hardly ever scores as high. Exact balance moves the scores of fitted predictors below chance, "
    "and those on answers dealt out anew alike: these are what they are held against."
)


def write_proposal_card(
    proposals: Sequence[Proposal], files: Mapping[str, str], version: str
) -> str:
    """Return the card as Markdown.

    Args:
        proposals: the proposals, at least one.
        files: for each benchmark, the file with its questions.
        version: version of this program.
    """
    first = proposals[0]
    given_away = [
        line for proposal in proposals for line in (*proposal.given_away, *proposal.pruned_in_vain)
    ]
    task_rows = [row for proposal in proposals for row in summarise_tasks(proposal)]
    lines = [
        "# Multiple-choice forms of open questions: proposals",
        "",
        _REVIEW,
        "",
        f"Video-Oasis {version}, seed {first.seed}, {first.n_choices} choices. The same questions, "
        "settings and seed give the same bytes. Questions keep their ids, videos and references; "
        "the terms of the sets hold.",
        "",
        *write_table(
            ("set", "open questions", "proposed", "file"),
            [
                (
                    each.benchmark,
                    str(sum(task.n_questions for task in each.tasks)),
                    str(len(each.samples)),
                    files[each.benchmark],
                )
                for each in proposals
            ],
        ),
        "",
        *write_table(tuple(task_rows[0]), [tuple(row.values()) for row in task_rows]),
        "",
        "## Given away without the video",
        "",
        *([f"- {line}" for line in given_away] or ["Nothing that was looked for."]),
        "",
        "## How choices were drawn",
        "",
        _HOW,
        "",
        "## What was left out",
        "",
        *write_table(("set", "task", "reason", "questions"), list(_list_reasons(proposals))),
        "",
        "## Kinds of questions",
        "",
        *write_table(
            ("set", "task", "kind", "questions", "different answers", "proposed"),
            list(_list_kinds(proposals)),
        ),
        "",
        "## Rules of the lint",
        "",
        _RULES,
        "",
        *write_table(
            ("set", "task", "rule", "naive", "chance", "proposed", "chance"),
            [row for proposal in proposals for row in _list_rules(proposal)],
        ),
    ]
    for when in ("before", "after"):
        title = "a naive draw" if when == "before" else "the proposals"
        lines += [
            "",
            f"## Without the video: {title}",
            "",
            *([_PREDICTORS, ""] if when == "before" else []),
            *write_table(
                ("set", "task", "predictor", "score", "chance", "p"),
                [
                    (proposal.benchmark, *row)
                    for proposal in proposals
                    for task in proposal.tasks
                    for row in write_gate_rows(task.task, getattr(task, when))
                ],
            ),
        ]
    settings = {
        name: value
        for name, value in to_plain_settings(first.settings).items()
        if name.startswith(_PREFIXES)
    }
    lines += ["", "## Settings", "", "```toml", tomli_w.dumps(settings).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def summarise_tasks(proposal: Proposal) -> list[dict[str, str]]:
    """Return the cells of each task in a table of all: questions and scores without the video."""
    return [
        {
            "set": proposal.benchmark,
            "task": task.task,
            "open": str(task.n_questions),
            "proposed": str(len(task.samples)),
            "drawn": str(task.n_attempts),
            "chance": _tell(task, lambda gate: f"{100 * gate.rows[0].chance:.1f}"),
            "best without video": _tell(task, lambda gate: f"{100 * best_score(gate):.1f}"),
            "given away": _tell(task, lambda gate: "no" if gate.is_open else "yes"),
        }
        for task in proposal.tasks
    ]


def _tell(task: TaskProposal, tell: Callable[[GateResult], str]) -> str:
    gates = (task.before, task.after)
    return " → ".join(tell(gate) if gate else "–" for gate in gates)


def _list_reasons(proposals: Sequence[Proposal]) -> Iterator[tuple[str, ...]]:
    for proposal in proposals:
        for task in proposal.tasks:
            for reason, n in task.left_out.items():
                yield proposal.benchmark, task.task, reason, str(n)


def _list_kinds(proposals: Sequence[Proposal]) -> Iterator[tuple[str, ...]]:
    for proposal in proposals:
        largest = sorted(proposal.kinds, key=lambda kind: -kind.n_questions)
        for kind in largest[:_N_KINDS]:
            numbers = (kind.n_questions, kind.n_answers, kind.n_proposed)
            yield proposal.benchmark, kind.task, kind.kind, *map(str, numbers)
        if rest := largest[_N_KINDS:]:
            yield (
                proposal.benchmark,
                "",
                f"{len(rest)} smaller ones",
                str(sum(kind.n_questions for kind in rest)),
                "",
                str(sum(kind.n_proposed for kind in rest)),
            )


def _list_rules(proposal: Proposal) -> Iterator[tuple[str, ...]]:
    before = {(row.task, row.rule): row for row in proposal.bias_before}
    after = {(row.task, row.rule): row for row in proposal.bias_after}
    for task, rule in before | after:
        yield (
            proposal.benchmark,
            "all" if task is None else task,
            rule.replace("_", " "),
            *_write_score(before.get((task, rule))),
            *_write_score(after.get((task, rule))),
        )


def _write_score(row: BiasRow | None) -> tuple[str, str]:
    if row is None:
        return "–", "–"
    return f"{100 * row.score:.1f}{' *' if row.exceeds_chance else ''}", f"{100 * row.chance:.1f}"
