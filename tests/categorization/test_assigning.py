"""What a panel is asked about samples, and what is read from its replies."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from video_oasis.categorization.assigning import make_trial, plan_panel, read_votes
from video_oasis.errors import AskRejected
from video_oasis.plan import estimate_cost
from video_oasis.runner import run_plan
from video_oasis.schema import Answer, Request, Sample, Status
from video_oasis.store import Store
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.taxonomy.votes import Outcome, decide

MakeSample = Callable[..., Sample]


def name_after(name: str, request: Request) -> str:
    """Read the letter before a name in the list of categories, as a model would."""
    for line in request.text.splitlines():
        letter, dot, shown = line.partition(". ")
        if dot and shown == name:
            return letter
    raise AssertionError(request.text)


def test_a_model_sees_question_choices_and_definitions_and_no_target(
    make_sample: MakeSample, taxonomy: Taxonomy
) -> None:
    sample = make_sample()
    trial = make_trial(sample, taxonomy, "model1-x")
    text = trial.request.text
    for shown in (sample.question, *sample.choices, "- Order: When things happen.", "- Place: Wh"):
        assert shown in text
    assert trial.request.letters == ("A", "B", "C")
    lettered = [line for line in text.splitlines() if line[:3] in ("A. ", "B. ", "C. ")]
    assert [line[3:] for line in lettered] == list(trial.shown_choices)
    # Which choice is right is no part of it: another key gives the same request.
    assert make_trial(make_sample(target=2), taxonomy, "model1-x").request.id == trial.request.id


def test_each_model_sees_each_question_in_an_order_of_its_own(
    make_sample: MakeSample, taxonomy: Taxonomy
) -> None:
    samples = [make_sample(id=str(n), question=f"Question {n}?") for n in range(300)]
    orders = {
        model: [make_trial(sample, taxonomy, model).order for sample in samples]
        for model in ("model1-a", "model1-b")
    }
    for its_orders in orders.values():
        counts = Counter(its_orders)
        # Six orders, 50 of each expected; 25 is more than three and a half deviations off.
        assert len(counts) == 6
        assert min(counts.values()) > 25
    same = sum(a == b for a, b in zip(*orders.values(), strict=True))
    assert 25 < same < 80


def test_the_order_follows_from_the_content_and_the_prefix_is_shared(
    make_sample: MakeSample, taxonomy: Taxonomy
) -> None:
    first, again = make_sample(id="1"), make_sample(id="2", task="other")
    assert (
        make_trial(first, taxonomy, "m").request.id == make_trial(again, taxonomy, "m").request.id
    )
    other = make_sample(question="Why?")
    texts = [make_trial(each, taxonomy, "m").request.text for each in (first, other)]
    shared = "".join(
        a
        for a, b in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))
    )
    assert shared.endswith("Question: Wh")


def test_votes_are_the_categories_whatever_their_letters(
    make_sample: MakeSample, taxonomy: Taxonomy, scripted_model: Any, store: Store
) -> None:
    samples = [make_sample(id=str(n), question=f"Question {n}?") for n in range(12)]
    samples += [make_sample(id="x", benchmark="other")]
    models = {
        "letters": scripted_model(lambda r, _: Answer(name_after("Place", r)), name="letters"),
        "names": scripted_model(lambda _r, _d: Answer("It is **reason**."), name="names"),
        "silent": scripted_model(lambda _r, _d: Answer("Order or Place?"), name="silent"),
    }
    plan = plan_panel(samples, taxonomy, models)
    assert [(each.benchmark, each.model_name) for each in plan] == [
        (benchmark, model) for model in models for benchmark in ("bench", "other")
    ]
    run_plan(plan, store)
    votes = read_votes(plan, store, taxonomy)
    assert list(votes) == [(sample.benchmark, sample.id) for sample in samples]
    for of_sample in votes.values():
        assert [(vote.model, vote.category) for vote in of_sample] == [
            ("letters", "Place"),
            ("names", "Reason"),
            ("silent", None),
        ]
        assert of_sample[2].status is Status.UNPARSED
        assert of_sample[2].reason


def test_what_failed_is_asked_again_and_nothing_else(
    make_sample: MakeSample, taxonomy: Taxonomy, scripted_model: Any, store: Store
) -> None:
    samples = [make_sample(id=str(n), question=f"Question {n}?") for n in range(4)]
    broken = True

    def reply(request: Request, _draw: int) -> Answer:
        if broken and "Question 2?" in request.text:
            raise AskRejected("http_400", "no")
        return Answer("A")

    model = scripted_model(reply)
    plan = plan_panel(samples, taxonomy, {"m": model})
    assert run_plan(plan, store).n_failed == 1
    failed = read_votes(plan, store, taxonomy)["bench", "2"]
    assert [(vote.status, vote.reason) for vote in failed] == [(Status.ERROR, "http_400")]
    broken = False
    assert sum(estimate_cost(each, store).n_left for each in plan) == 1
    run_plan(plan_panel(samples, taxonomy, {"m": model}), store)
    assert len(model.asked) == 5
    assert read_votes(plan, store, taxonomy)["bench", "2"][0].status is Status.OK
    # Other words in a definition are another question.
    changed = Taxonomy((*taxonomy.categories[:2], Category("Reason", "Why, in other words.")))
    (left,) = (estimate_cost(each, store) for each in plan_panel(samples, changed, {"m": model}))
    assert left.n_left == 4


def test_a_stored_failure_text_is_no_vote_that_may_still_come(
    make_sample: MakeSample, taxonomy: Taxonomy, scripted_model: Any, store: Store
) -> None:
    model = scripted_model(lambda _r, _d: Answer("Error: 503 Service Unavailable"))
    plan = plan_panel([make_sample()], taxonomy, {"m": model})
    run_plan(plan, store)
    ((vote,),) = read_votes(plan, store, taxonomy).values()
    assert (vote.status, vote.reason) == (Status.UNPARSED, "server_failure")
    assert decide([vote], 1) == (None, Outcome.SPLIT)


@pytest.mark.parametrize("n_choices", [1, 26])
def test_samples_of_any_number_of_choices_can_be_asked(
    make_sample: MakeSample, taxonomy: Taxonomy, n_choices: int
) -> None:
    sample = make_sample(choices=tuple(f"choice {n}" for n in range(n_choices)), target=0)
    trial = make_trial(sample, taxonomy, "m")
    assert len(trial.request.letters) == 3
    assert trial.request.text.count("\n- choice ") == n_choices
