"""Judges the released transcripts: how many are no speech and why, and how often a person agrees.

    VIDEO_OASIS_SHARED=../shared python benchmarks/judge_transcripts.py

Prints a table for each benchmark with the reasons, what the files needed in repairs, and the
precision and recall of "no speech" on the transcripts of ``tests/speech/hand_judged.toml``. The
folder is the shared one beside the checkout unless the variable says otherwise.
"""

import os
import tomllib
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from video_oasis.speech.files import read_repaired_transcript
from video_oasis.speech.noise import NoSpeech, SpeechVerdict, judge_speech

CHECKOUT = Path(__file__).parents[1]
FOLDER = Path(os.environ.get("VIDEO_OASIS_SHARED", CHECKOUT / ".." / "shared")).resolve()
HAND_JUDGED = CHECKOUT / "tests" / "speech" / "hand_judged.toml"


def print_table(verdicts: dict[str, SpeechVerdict]) -> None:
    reasons: dict[str, Counter[str]] = {}
    for name, verdict in verdicts.items():
        reasons.setdefault(name.partition("/")[0], Counter())[verdict.reason] += 1
    reasons["all"] = sum(reasons.values(), Counter())
    kinds = [kind.value for kind in NoSpeech if reasons["all"][kind]]
    print("  ".join([f"{'benchmark':15}", "files", "refused", *kinds]))
    for benchmark, counts in reasons.items():
        refused = counts.total() - counts[""]
        numbers = [f"{counts[kind]:{len(kind)}}" for kind in kinds]
        print("  ".join([f"{benchmark:15}", f"{counts.total():5}", f"{refused:7}", *numbers]))


def print_agreement(
    half: str, judgements: dict[str, str], verdicts: dict[str, SpeechVerdict]
) -> None:
    by_hand = {name for name, judgement in judgements.items() if judgement == "no speech"}
    by_rule = {name for name in judgements if not verdicts[name].is_speech}
    right = len(by_hand & by_rule)
    print(
        f'{half}: {len(judgements)} judged by hand, {len(by_hand)} "no speech"; precision '
        f"{right}/{len(by_rule)}, recall {right}/{len(by_hand)}"
    )


def main() -> None:
    root = FOLDER / "data" / "transcripts"
    verdicts: dict[str, SpeechVerdict] = {}
    repairs: Counter[str] = Counter()
    for path in sorted(root.glob("*/*.json")):
        transcript, repaired = read_repaired_transcript(path)
        verdicts[path.relative_to(root).as_posix()] = judge_speech(transcript)
        repairs.update({name: n for name, n in asdict(repaired).items() if isinstance(n, int)})
    print_table(verdicts)
    print("repairs:", ", ".join(f"{n} {name.removeprefix('n_')}" for name, n in repairs.items()))
    halves = tomllib.loads(HAND_JUDGED.read_text(encoding="utf-8"))
    for half, judgements in halves.items():
        print_agreement(half, judgements, verdicts)
    print_agreement("both", {**halves["seen"], **halves["held_out"]}, verdicts)


if __name__ == "__main__":
    main()
