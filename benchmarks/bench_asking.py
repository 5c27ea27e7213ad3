"""How many answers a second come through the runner, and how many rows a second the store takes.

A server that replies at once leaves only our own cost and the client's. Beside it, in the same run:
bare aiohttp posting the same bodies, which is about as fast as one Python process can ask.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.models import open_model
from video_oasis.models.openai.protocol import chat_body
from video_oasis.models.settings import DEFAULT_CONCURRENCY, ModelSettings
from video_oasis.plan import Assignment, make_plan
from video_oasis.runner import run_plan
from video_oasis.schema import Answer, Sample, Video
from video_oasis.store import AnswerKey, NewAnswer, Store

N_QUESTIONS = 5_000
N_ROWS = 100_000
N_ROWS_AT_ONCE = 1_000
SETTINGS = ModelSettings()


@contextmanager
def serve() -> Iterator[str]:
    """Run the zero-latency server in a process of its own and give its address."""
    script = Path(__file__).with_name("zero_latency_server.py")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        yield it.stdout.readline().strip()
        it.kill()


def make_samples(n: int) -> list[Sample]:
    choices = ("washes the pan", "lights the stove", "cuts an onion", "opens a tin")
    return [
        Sample(f"s{i}", "bench", Video(f"v{i}"), f"What is done at step {i}?", choices, 1, "order")
        for i in range(n)
    ]


def measure_runner(url: str, folder: Path) -> float:
    model = open_model(f"openai/canned@{url}", SETTINGS)
    plan = make_plan(make_samples(N_QUESTIONS), [DIAGNOSTICS["blind"]], {model.name: model})
    with Store.create(folder / "runner.sqlite") as store:
        started = time.perf_counter()
        outcome = run_plan(plan, store)
        seconds = time.perf_counter() - started
    assert outcome.n_answered == N_QUESTIONS
    return N_QUESTIONS / seconds


async def measure_bare_client(url: str, assignment: Assignment) -> float:
    bodies = iter(
        [chat_body("canned", trial.request, SETTINGS, 0) for trial in assignment.trials.asked]
    )

    async def work(session: aiohttp.ClientSession) -> None:
        for body in bodies:
            async with session.post(f"{url}/chat/completions", json=body) as response:
                await response.read()

    async with aiohttp.ClientSession() as session:
        started = time.perf_counter()
        await asyncio.gather(*(work(session) for _ in range(DEFAULT_CONCURRENCY)))
        return N_QUESTIONS / (time.perf_counter() - started)


def measure_store(assignment: Assignment, folder: Path) -> float:
    request = assignment.trials.asked[0].request
    rows = [NewAnswer(AnswerKey(f"{i:040x}", 0), request, Answer("B")) for i in range(N_ROWS)]
    with Store.create(folder / "rows.sqlite") as store:
        started = time.perf_counter()
        for first in range(0, N_ROWS, N_ROWS_AT_ONCE):
            store.put_answers("model", rows[first : first + N_ROWS_AT_ONCE])
        return N_ROWS / (time.perf_counter() - started)


def main() -> None:
    with tempfile.TemporaryDirectory() as name, serve() as url:
        folder = Path(name)
        model = open_model(f"openai/canned@{url}", SETTINGS)
        samples = make_samples(N_QUESTIONS)
        (assignment,) = make_plan(samples, [DIAGNOSTICS["blind"]], {model.name: model})
        runner = measure_runner(url, folder)
        bare = asyncio.run(measure_bare_client(url, assignment))
        rows = measure_store(assignment, folder)
    print(f"answers a second through the runner: {runner:,.0f} (required: 1,000)")
    print(f"answers a second of bare aiohttp:    {bare:,.0f} (runner / bare: {runner / bare:.2f})")
    print(f"rows stored a second:                {rows:,.0f} (required: 20,000)")


if __name__ == "__main__":
    main()
