"""Measures the media layer against decord, torchcodec and a full decode, and its memory.

    python benchmarks/bench_media.py            # all of it; the clips are made once, in .cache/
    python benchmarks/bench_media.py 720p       # only the minute of 720p; or 360p, or memory

Every measurement runs in a fresh process and is repeated; the least time counts. Other work on
the machine makes absolute numbers move: read the ratios.
"""

import functools
import importlib.util
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np

from video_oasis.media.decode import decode_frames
from video_oasis.media.extract import VideoSource, extract_timelines
from video_oasis.media.frames import Timeline
from video_oasis.media.probe import VideoIndex, index_video
from video_oasis.media.sampling import CENTRE, PerSecond, RandomMoment, Sampling, Uniform, shown_at
from video_oasis.media.store import FrameStore

CACHE = Path(__file__).parents[1] / ".cache" / "bench_media"
INDEXES = FrameStore(CACHE / "indexes")
REPEATS = 2
MODELS = 3
UNIFORM = Sampling(Uniform(128))
VIEWS = {
    "centre": (Sampling(CENTRE),),
    "128 uniform, in order, shuffled, reversed or in 8 chunks": (UNIFORM,),
    "1 fps": (Sampling(PerSecond(1, 100_000)),),
    "random": (Sampling(RandomMoment(0, "bench")),),
}
ALL_VIEWS = tuple(dict.fromkeys(sampling for view in VIEWS.values() for sampling in view))
DIAGNOSTICS = {
    "center_frame": VIEWS["centre"],
    "random_frame": VIEWS["random"],
    "shuffle": (UNIFORM,),
    "reverse": (UNIFORM,),
    "standard": (Sampling(PerSecond(1, 128)),),
}

Cost = tuple[float, float]
"""CPU seconds and wall seconds."""


def make_clip(path: Path, *, width: int, height: int, seconds: int) -> Path:
    """Encode a moving texture with grain as H.264 at 30 frames a second, x264's own preset."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    coarse = rng.integers(0, 255, (height // 4, width // 4, 3), np.uint8)
    texture = np.kron(coarse, np.ones((8, 8, 1), np.uint8))
    grain = rng.integers(0, 12, (16, height, width, 1), np.uint8)
    partial = path.with_suffix(".part.mp4")
    with av.open(str(partial), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"bf": "3", "refs": "3"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(seconds * 30):
            # The camera pans, and cuts to elsewhere every seven seconds.
            scene, within = divmod(number, 210)
            x = (scene * 97 + within) % width
            y = (scene * 61 + within // 2) % height
            picture = texture[y : y + height, x : x + width] // 2 + grain[number % 16]
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture))
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)
    partial.replace(path)
    return path


def ours(clip: Path, samplings: Sequence[Sampling], threads: int) -> None:
    """Everything from the file to JPEGs in a new store."""
    folder = Path(tempfile.mkdtemp(prefix="bench_media"))
    try:
        source = VideoSource(clip)
        result = extract_timelines(source, samplings, FrameStore(folder), threads=threads)
        assert all(isinstance(timeline, Timeline) for timeline in result.values()), result
    finally:
        shutil.rmtree(folder)


def ours_pixels(clip: Path, samplings: Sequence[Sampling], threads: int) -> None:
    """From the file to RGB arrays, as the other libraries give them."""
    _decode_pixels(clip, index_video(clip), samplings, threads)


def ours_pixels_indexed(clip: Path, samplings: Sequence[Sampling], threads: int) -> None:
    """The same for a video whose index is kept from an earlier look at it."""
    index = INDEXES.load_index(clip.name)
    assert index is not None
    _decode_pixels(clip, index, samplings, threads)


def _decode_pixels(
    clip: Path, index: VideoIndex, samplings: Sequence[Sampling], threads: int
) -> None:
    wanted = {
        index.frame_ids[position]
        for sampling in samplings
        for position in shown_at(index.seconds, sampling.times(index.duration_seconds))
    }

    def deliver(_: int, frame: av.VideoFrame) -> None:
        frame.to_ndarray(format="rgb24")

    decode_frames(clip, index, wanted, deliver, threads=threads)


def frame_numbers(clip: Path, samplings: Sequence[Sampling]) -> tuple[int, ...]:
    """Return the numbers of the frames wanted, as the other libraries count them."""
    index = index_video(clip)
    wanted = {
        position
        for sampling in samplings
        for position in shown_at(index.seconds, sampling.times(index.duration_seconds))
    }
    return tuple(sorted(wanted))


def decord_read(clip: Path, numbers: Sequence[int], threads: int) -> None:
    decord: Any = importlib.import_module("decord")
    reader = decord.VideoReader(str(clip), ctx=decord.cpu(0), num_threads=threads)
    reader.get_batch(list(numbers)).asnumpy()


def torchcodec_read(clip: Path, numbers: Sequence[int], threads: int) -> None:
    decoders: Any = importlib.import_module("torchcodec.decoders")
    decoder = decoders.VideoDecoder(str(clip), seek_mode="exact", num_ffmpeg_threads=threads)
    # In pieces, as a batch of a long video at one frame a second does not fit into memory.
    for start in range(0, len(numbers), 128):
        decoder.get_frames_at(list(numbers[start : start + 128]))


def full_decode(clip: Path, _: object, threads: int) -> None:
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        stream.codec_context.thread_count = threads
        for _frame in container.decode(stream):
            pass


RIVALS = {"decord": decord_read, "torchcodec.decoders": torchcodec_read}


def _timed(call: Callable[..., None], arguments: tuple[Any, ...], queue: Any) -> None:
    for module, rival in RIVALS.items():
        if call is rival:
            importlib.import_module(module)  # not what is measured
    cpu_start, wall_start = time.process_time(), time.perf_counter()
    call(*arguments)
    queue.put((time.process_time() - cpu_start, time.perf_counter() - wall_start))


@functools.cache
def measure(call: Callable[..., None], *arguments: Any) -> Cost:
    """Return the least CPU and the least wall time of some runs, each in a new process."""
    context = multiprocessing.get_context("spawn")
    costs: list[Cost] = []
    for _ in range(REPEATS):
        queue = context.SimpleQueue()
        process = context.Process(target=_timed, args=(call, arguments, queue))
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{call.__name__} failed")
        costs.append(queue.get())
    return min(cpu for cpu, _ in costs), min(wall for _, wall in costs)


def show(label: str, cost: Cost, floor: Cost) -> None:
    cpu, wall = cost
    print(
        f"  {label:<44} CPU {cpu:7.2f} s  wall {wall:7.2f} s   "
        f"of the floor: CPU {cpu / floor[0]:5.2f}  wall {wall / floor[1]:5.2f}",
        flush=True,
    )


def is_installed(module: str) -> bool:
    return importlib.util.find_spec(module.partition(".")[0]) is not None


def compare(clip: Path) -> None:
    print(clip.name)
    INDEXES.keep_index(clip.name, index_video(clip))
    floor = measure(full_decode, clip, None, 2)
    show("full decode, two threads: the floor", floor, floor)
    show("full decode, one thread", measure(full_decode, clip, None, 1), floor)
    show("all views together, two decoders", measure(ours, clip, ALL_VIEWS, 2), floor)
    show("all views together, one decoder", measure(ours, clip, ALL_VIEWS, 1), floor)
    for view, samplings in VIEWS.items():
        print(f" {view}")
        numbers = frame_numbers(clip, samplings)
        show("ours, to JPEGs in the store", measure(ours, clip, samplings, 2), floor)
        pixels = measure(ours_pixels, clip, samplings, 2)
        show("ours, to pixels", pixels, floor)
        indexed = measure(ours_pixels_indexed, clip, samplings, 2)
        show("ours, to pixels, index kept from before", indexed, floor)
        for module, rival in RIVALS.items():
            if not is_installed(module):
                print(f"  {module} is not installed")
                continue
            for threads in (1, 2):
                cost = measure(rival, clip, numbers, threads)
                show(f"{module}, {threads} threads, to pixels", cost, floor)
                print(
                    f"    over ours: CPU {cost[0] / pixels[0]:.1f}, wall {cost[1] / pixels[1]:.1f}"
                    f"; index kept: CPU {cost[0] / indexed[0]:.1f}, wall {cost[1] / indexed[1]:.1f}"
                )
    if is_installed("decord"):
        compare_audit(clip)


def compare_audit(clip: Path) -> None:
    """Compare one extraction with a decord read of its own for each diagnostic and model."""
    together = tuple(dict.fromkeys(s for each in DIAGNOSTICS.values() for s in each))
    mine, _ = measure(ours, clip, together, 2)
    theirs = MODELS * sum(
        measure(decord_read, clip, frame_numbers(clip, samplings), 1)[0]
        for samplings in DIAGNOSTICS.values()
    )
    print(
        f" {len(DIAGNOSTICS)} diagnostics x {MODELS} models: ours {mine:.2f} s CPU; a decord read "
        f"for each (one measured, times {MODELS}) {theirs:.2f} s; ratio {theirs / mine:.1f}"
    )


def resident_bytes() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


def watch_memory(n_decodes: int) -> None:
    clip = make_clip(CACHE / "tiny.mp4", width=64, height=48, seconds=4)
    folder = Path(tempfile.mkdtemp(prefix="bench_media"))
    try:
        for done in range(n_decodes + 1):
            if done in {200, n_decodes // 2, n_decodes}:
                print(f"  after {done} decodes: {resident_bytes() / 2**20:.1f} MiB resident")
            extract_timelines(VideoSource(clip), ALL_VIEWS, FrameStore(folder / str(done)))
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parts = sys.argv[1:] or ["720p", "360p", "memory"]
    if "720p" in parts:
        compare(make_clip(CACHE / "720p-60s.mp4", width=1280, height=720, seconds=60))
    if "360p" in parts:
        compare(make_clip(CACHE / "360p-20min.mp4", width=640, height=360, seconds=1200))
    if "memory" in parts:
        print("memory, all views of a tiny clip in one process")
        watch_memory(2000)


if __name__ == "__main__":
    main()
