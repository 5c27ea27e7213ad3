"""How long the package and its command take to start, beside an empty Python process."""

import subprocess
import sys
import time

N_RUNS = 7
HELP = "import sys; sys.argv = ['oasis', '--help']; from video_oasis.cli import main; main()"


def measure(code: str) -> float:
    """Return the median seconds of several processes that run this code."""
    times = []
    for _ in range(N_RUNS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return sorted(times)[N_RUNS // 2]


def main() -> None:
    empty = measure("")
    for what, code in (("import video_oasis", "import video_oasis"), ("oasis --help", HELP)):
        seconds = measure(code)
        print(
            f"{what}: {seconds:.3f} s (required: 0.5; an empty process takes {empty:.3f} s, "
            f"ratio {seconds / empty:.1f})"
        )


if __name__ == "__main__":
    main()
