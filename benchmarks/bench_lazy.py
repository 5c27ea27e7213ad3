"""Counts the calls that the lazy plan makes of the full plan's, on a simulated benchmark.

    python benchmarks/bench_lazy.py             # 24,416 samples x 6 tests x 3 models

Samples differ in how far each test gives them away; models differ in ability, and their errors are
correlated. Some replies cannot be read. Prints the share of calls at every threshold, whether both
plans find the same shortcuts, and what other orders would cost: the models of a test in one given
order, the best and the worst, and in turns that differ by sample, as the lazy plan has it. The
longest queue is what the busiest model answers in each round, summed up, against the full plan's
questions to one model: the time it takes if each model has a server of its own.
"""

import argparse
import time
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from video_oasis.lazy.rules import Tally, Vote, choose_round, find_shortcuts

TESTS = ("blind", "audio", "summary", "center_frame", "bag_of_frames", "shuffle")
ACCURACIES = (0.44, 0.46, 0.50, 0.50, 0.40, 0.58)
"""Mean share of right answers per test, about what Video-LLMs reach on such benchmarks."""
MODEL_EFFECTS = (-0.35, 0.0, 0.35)
SAMPLE_SPREAD = 1.6
"""Spread of the samples' ease in logits, which makes the models' errors agree."""
TEST_SPREAD = 0.9
UNREADABLE = 0.01
CHANCE = 0.25
N_MODELS = len(MODEL_EFFECTS)
BLOCKS = tuple(slice(number * N_MODELS, (number + 1) * N_MODELS) for number, _ in enumerate(TESTS))


def simulate(n_samples: int) -> NDArray[np.int8]:
    """Draw the votes of all models on all samples, K x S."""
    generator = np.random.default_rng(5)
    ease = generator.normal(0, SAMPLE_SPREAD, n_samples)
    votes = np.empty((len(TESTS) * N_MODELS, n_samples), np.int8)
    for slots, accuracy in zip(BLOCKS, ACCURACIES, strict=True):
        knows = (accuracy - CHANCE) / (1 - CHANCE)
        logit = 1.5 * np.log(knows / (1 - knows)) + ease
        logit += generator.normal(0, TEST_SPREAD, n_samples)
        for slot, effect in zip(range(slots.start, slots.stop), MODEL_EFFECTS, strict=True):
            p_right = CHANCE + (1 - CHANCE) / (1 + np.exp(-(logit + effect)))
            right = generator.random(n_samples) < p_right
            votes[slot] = np.where(right, Vote.RIGHT, Vote.WRONG)
    votes[generator.random(votes.shape) < UNREADABLE] = Vote.LACKING
    return votes


def ask(
    votes: NDArray[np.int8], threshold: int, turns: NDArray[np.int64]
) -> tuple[Tally, int, int, int]:
    """Return the final tally, calls, rounds, and the sum of each round's longest queue."""
    known = np.full_like(votes, Vote.OPEN)
    tally = Tally(known, BLOCKS, threshold)
    n_calls = n_rounds = queue = 0
    while (chosen := choose_round(tally, turns)).any():
        known[chosen] = votes[chosen]
        n_calls += int(np.count_nonzero(chosen))
        n_rounds += 1
        per_slot = np.count_nonzero(chosen, axis=1).reshape(len(TESTS), N_MODELS)
        queue += int(per_slot.sum(axis=0).max())
    return tally, n_calls, n_rounds, queue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n_samples", nargs="?", type=int, default=24_416)
    n_samples = parser.parse_args().n_samples
    votes = simulate(n_samples)
    for test, slots in zip(TESTS, BLOCKS, strict=True):
        shares = [np.mean(row == Vote.RIGHT) for row in votes[slots]]
        print(f"{test}: " + ", ".join(f"{share:.1%}" for share in shares) + " right")
    print(f"full plan: {votes.size:,} calls")
    turns = np.random.default_rng(0).integers(0, 2**32, n_samples)
    fixed = np.zeros(n_samples, np.int64)
    for threshold in range(1, N_MODELS + 1):
        full = find_shortcuts(Tally(votes, BLOCKS, threshold))
        started = time.perf_counter()
        tally, n_calls, n_rounds, queue = ask(votes, threshold, turns)
        seconds = time.perf_counter() - started
        same = bool((find_shortcuts(tally) == full).all())
        print(
            f"c = {threshold}: {full.mean():.1%} shortcuts, the same under both plans: {same}; "
            f"lazy {n_calls:,} calls, {n_calls / votes.size:.1%} of the full plan's; "
            f"{n_rounds} rounds decided in {seconds:.2f} s"
        )
        orders = []
        for order in permutations(range(N_MODELS)):
            rows = [slots.start + place for slots in BLOCKS for place in order]
            _, n, _, its_queue = ask(votes[rows], threshold, fixed)
            orders.append((n / votes.size, its_queue / n_samples / len(TESTS)))
        best, worst = min(orders), max(orders)
        print(
            f"   in turns: longest queue {queue / n_samples / len(TESTS):.1%} of the full plan's; "
            f"best one order: {best[0]:.1%} of calls, queue {best[1]:.1%}; "
            f"worst: {worst[0]:.1%}, queue {worst[1]:.1%}"
        )


if __name__ == "__main__":
    main()
