"""Restoring: a person says that order matters, so that frames out of order are no shortcut."""

import json
from pathlib import Path
from typing import Any


def test_a_restored_sample_is_kept_and_one_that_another_test_drops_is_not(
    oasis: Any,
    brightening: bytes,
    write_benchmark: Any,
    give_two_away: Any,
    frames_arguments: Any,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 4)
    # The server answers A to what does not brighten: right on these under shuffle and center_frame.
    give_two_away()
    judged = tmp_path / "judged.csv"
    judged.write_text(
        "benchmark,sample_id,reviewer,check,decision,choice,note,made_at\n"
        "questions,q0,ann,sensitivity,restore,,,2026-11-30T09:00:00Z\n"
    )

    done = oasis(*frames_arguments("shuffle"))
    assert done.returncode == 0, done.stderr
    queue = (tmp_path / "run/report/tables/queue.csv").read_text()
    assert queue.count("sensitivity") == 2
    assert oasis("judgements", "import", "run", judged).returncode == 0
    distilled = json.loads(oasis("distil", "run", "--json").stdout)
    assert (distilled["kept"], distilled["dropped"], distilled["undecided"]) == (3, 1, 0)
    kept = (tmp_path / "run/distilled/kept.jsonl").read_text().splitlines()
    assert json.loads(kept[0])["reasons"] == ["restored"]
    assert oasis("distil", "run", "--verify").returncode == 0
    report = json.loads(oasis("report", "run", "--json").stdout)
    (fate,) = report["fates"]
    assert (fate["n_kept"], fate["n_dropped"]) == (3, 1)

    done = oasis(*frames_arguments("shuffle", "center_frame"))
    assert done.returncode == 0, done.stderr
    distilled = json.loads(oasis("distil", "run", "--json").stdout)
    # The centre frame alone suffices too, so restoring brings nothing back.
    assert (distilled["kept"], distilled["dropped"]) == (2, 2)
