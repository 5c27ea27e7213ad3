"""How many calls with 128 frames a second one process sends, and how long other calls wait for it.

A server that replies at once leaves only our own cost and the client's. Beside it, in the same run:
bare aiohttp posting a ready body of the same size, which encodes nothing. Run it as
``python -m benchmarks.bench_asking_frames``.
"""

import asyncio
import random
import resource
import time

import aiohttp
import uvloop
from benchmarks.bench_asking import serve

from video_oasis.models.openai import open_model
from video_oasis.models.openai.protocol import chat_body, encode_pictures, write_body
from video_oasis.models.settings import DEFAULT_CONCURRENCY, FramesAs, ModelSettings
from video_oasis.schema import Frame, Request

N_CALLS = 60
N_FRAMES = 128
PICTURE_BYTES = 60_000
PICTURES = [random.Random(i).randbytes(PICTURE_BYTES) for i in range(N_FRAMES)]
REQUEST = Request(
    system="",
    text="What is done first?",
    letters=("A", "B"),
    frames=tuple(Frame(f"frame1-{i}", float(i)) for i in range(N_FRAMES)),
)


async def watch_pauses(pauses: list[float]) -> None:
    """Note how much longer than a millisecond the event loop takes to come back."""
    while True:
        started = time.perf_counter()
        await asyncio.sleep(0.001)
        pauses.append(time.perf_counter() - started - 0.001)


async def measure_model(url: str, settings: ModelSettings) -> tuple[float, float]:
    """Return calls a second and the 99th percentile of the pauses in seconds."""
    model = open_model(f"canned@{url}", settings)
    calls = iter(range(N_CALLS))
    pauses: list[float] = []

    async def work() -> None:
        for _ in calls:
            # Copies, since in an audit no two calls share their pictures' memory.
            await model.ask(REQUEST, 0, [bytes(bytearray(picture)) for picture in PICTURES])

    watching = asyncio.create_task(watch_pauses(pauses))
    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(model.concurrency)))
    seconds = time.perf_counter() - started
    watching.cancel()
    await model.close()
    return N_CALLS / seconds, sorted(pauses)[len(pauses) * 99 // 100]


async def measure_bare_client(url: str) -> float:
    settings = ModelSettings()
    body = chat_body("canned", REQUEST, settings, 0)
    content = b"".join(write_body(body, await encode_pictures(PICTURES)))
    calls = iter(range(N_CALLS))

    async def work(session: aiohttp.ClientSession) -> None:
        for _ in calls:
            async with session.post(f"{url}/chat/completions", data=content) as response:
                await response.read()

    async with aiohttp.ClientSession() as session:
        started = time.perf_counter()
        await asyncio.gather(*(work(session) for _ in range(DEFAULT_CONCURRENCY)))
        return N_CALLS / (time.perf_counter() - started)


def main() -> None:
    with serve() as url:
        for frames_as in FramesAs:
            for concurrency in (1, 16):
                settings = ModelSettings(frames_as=frames_as, concurrency=concurrency)
                rate, pause = uvloop.run(measure_model(url, settings))
                megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(
                    f"{frames_as}, {concurrency:2} at once: {rate:3.0f} calls a second, 99 % of "
                    f"pauses below {pause * 1000:3.0f} ms, peak memory {megabytes:3.0f} MB"
                )
        print(f"bare aiohttp, ready body: {uvloop.run(measure_bare_client(url)):.0f} a second")


if __name__ == "__main__":
    main()
