"""A set is balanced: neither position nor wording says more than was planted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest

from video_oasis.errors import SettingsError
from video_oasis.generate.dealer import Dealer
from video_oasis.generate.planted.layout import Clip, Question, lay_out
from video_oasis.generate.planted.truth import PlantedKind

CANON = ("red", "green", "blue", "yellow")


def group(questions: Iterable[Question]) -> Mapping[tuple[PlantedKind, str], list[Question]]:
    groups: defaultdict[tuple[PlantedKind, str], list[Question]] = defaultdict(list)
    for question in questions:
        groups[question.truth.kind, question.truth.variant].append(question)
    return groups


@pytest.mark.parametrize("n_samples", [60, 61, 66, 99])
def test_there_are_as_many_questions_as_asked_for(n_samples: int) -> None:
    clips = lay_out(n_samples, 3)
    kinds = Counter(question.truth.kind for clip in clips for question in clip.questions)
    assert kinds.total() == n_samples
    assert len(kinds) == 7
    assert max(kinds.values()) - min(kinds.values()) <= 1
    ids = {question.truth.sample_id for clip in clips for question in clip.questions}
    assert len(ids) == n_samples


@pytest.mark.parametrize("n_samples", [59, 5001])
def test_other_sizes_are_refused(n_samples: int) -> None:
    with pytest.raises(SettingsError, match=f"{n_samples} samples; expected 60 to 5000"):
        lay_out(n_samples, 0)


def is_even(counts: Counter[Any], values: Iterable[Any]) -> bool:
    """Tell whether counts of equally likely values are within four standard deviations of even."""
    values = list(values)
    share = 1 / len(values)
    bound = 4 * (counts.total() * share * (1 - share)) ** 0.5
    return all(abs(counts[value] - counts.total() * share) <= bound for value in values)


def test_every_position_is_as_likely_to_hold_the_answer(questions: Sequence[Question]) -> None:
    whole: Counter[int] = Counter()
    for variant, asked in group(questions).items():
        positions = Counter(question.choices.index(question.draft.label) for question in asked)
        whole += positions
        assert is_even(positions, range(4)), variant
    assert is_even(whole, range(4))


def test_every_choice_is_as_likely_to_be_right(questions: Sequence[Question]) -> None:
    asked: defaultdict[tuple[str, str, frozenset[str]], Counter[str]] = defaultdict(Counter)
    for question in questions:
        if question.truth.kind is not PlantedKind.BLIND:
            draft, choices = question.draft, frozenset(question.choices)
            asked[draft.variant, "", choices][draft.label] += 1
            asked[draft.variant, draft.question, choices][draft.label] += 1
    assert sum(len(counts) == 4 for counts in asked.values()) > 10
    for key, counts in asked.items():
        assert is_even(counts, key[2]), key


def test_answers_are_drawn_apart_so_that_no_count_gives_one_away() -> None:
    # Of many sets with four questions of a sort, one in 4 ** 3 should have four like answers, and
    # 24 in 256 all four; dealing evenly would give all four always.
    drawn = [[Dealer(seed, "any").deal(number)[0] for number in range(4)] for seed in range(400)]
    all_four = sum(len(set(answers)) == 4 for answers in drawn)
    assert abs(all_four - 400 * 24 / 256) < 4 * (400 * 24 / 256 * 232 / 256) ** 0.5
    assert sum(len(set(answers)) == 1 for answers in drawn) > 0


def test_wrong_choices_stand_in_no_order(questions: Sequence[Question]) -> None:
    ahead = n_pairs = 0
    for question in questions:
        if set(question.choices) == set(CANON):
            wrong = [CANON.index(text) for text in question.choices if text in question.draft.wrong]
            ahead += sum(one < other for one, other in combinations(wrong, 2))
            n_pairs += 3
    # Pairs of one question hang together: three standard deviations of a third as many.
    assert n_pairs > 150
    assert abs(ahead / n_pairs - 0.5) < 3 * (0.25 / (n_pairs / 3)) ** 0.5


def test_the_longest_choice_is_right_no_oftener_than_by_chance(
    questions: Sequence[Question],
) -> None:
    hits, n = 0.0, 0
    for question in questions:
        if question.truth.kind is not PlantedKind.BLIND:
            longest = max(map(len, question.choices))
            of_that_length = [text for text in question.choices if len(text) == longest]
            hits += (question.draft.label in of_that_length) / len(of_that_length)
            n += 1
    assert abs(hits / n - 0.25) < 3 * (0.25 * 0.75 / n) ** 0.5


def test_blind_questions_are_given_away_by_their_wording(questions: Sequence[Question]) -> None:
    groups = group(questions)
    for question in groups[PlantedKind.BLIND, "longest_option"]:
        assert max(question.choices, key=len) == question.draft.label
    labels = {question.draft.label for question in groups[PlantedKind.BLIND, "recurring_answer"]}
    assert labels == {"3"}
    of_question = defaultdict(set)
    for question in groups[PlantedKind.BLIND, "common_sense"]:
        of_question[question.draft.question].add(question.draft.label)
    assert {len(labels) for labels in of_question.values()} == {1}


def test_only_the_clip_that_is_asked_about_says_the_answer(clips: Sequence[Clip]) -> None:
    for clip in clips:
        said = " ".join(line.text for line in clip.lines)
        spoken = [q for q in clip.questions if q.truth.kind is PlantedKind.AUDIO]
        assert len(spoken) <= 1
        for question in clip.questions:
            heard = [choice for choice in question.choices if choice in said]
            if question in spoken:
                assert heard == [question.draft.label]
            else:
                assert heard == [] or question.truth.kind is PlantedKind.BLIND
        ends = [line.end_seconds for line in clip.lines]
        assert max(ends, default=0) <= 8


def test_some_clips_are_silent(clips: Sequence[Clip]) -> None:
    silent = [clip for clip in clips if not clip.lines]
    assert 0 < len(silent) < len(clips) / 5
    for clip in silent:
        assert all("audio" not in question.truth.solved_by for question in clip.questions)


def test_labels_of_faulty_questions_are_faulty(questions: Sequence[Question]) -> None:
    n_acceptable = {
        "wrong_label": 1, "no_right_choice": 0, "two_right": 2, "ambiguous_reference": 3,
        "every_chunk": 1,
    }  # fmt: skip
    for (kind, variant), asked in group(questions).items():
        for question in asked:
            acceptable = set(question.truth.acceptable)
            assert acceptable <= set(question.choices)
            if kind is not PlantedKind.DEFECTIVE:
                assert acceptable == {question.draft.label}
                continue
            assert len(acceptable) == n_acceptable[variant]
            assert (question.draft.label in acceptable) == (
                variant in ("two_right", "ambiguous_reference", "every_chunk")
            )


def test_another_seed_gives_other_answers(clips: Sequence[Clip]) -> None:
    assert lay_out(60, 1) == lay_out(60, 1)
    ours, others = lay_out(60, 1), lay_out(60, 2)
    labels = [[q.choices for clip in each for q in clip.questions] for each in (ours, others)]
    assert labels[0] != labels[1]
    assert len(clips) < 600 / 2
