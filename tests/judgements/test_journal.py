"""The journal: nothing acknowledged is lost, whatever happens to the process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import RunError
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Judgement

Judge = Callable[..., Judgement]

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
journal = Journal(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    now = datetime.now(UTC)
    journal.append(
        Judgement("bench", f"s{number}", sys.argv[2], "", Decision.KEEP, None, "", now)
    )
    print(number, flush=True)
"""


def start_writer(file: Path, reviewer: str, n: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), reviewer, str(n)],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "run" / "judgements.jsonl")


def test_what_is_appended_is_read_in_order(journal: Journal, judge: Judge) -> None:
    assert journal.read() == ()
    first, second, third = judge(note="a\nb\u2028c"), judge(minute=1), judge(sample="\ud800")
    journal.append(first)
    journal.append(second, third)
    assert journal.read() == (first, second, third)
    assert journal.path.read_bytes().count(b"\n") == 3


def test_only_new_judgements_are_added(journal: Journal, judge: Judge) -> None:
    journal.append(judge())
    assert journal.append_new([judge(minute=1), judge(), judge(minute=1)]) == 1
    assert journal.append_new([judge(minute=1), judge()]) == 0
    assert journal.read() == (judge(), judge(minute=1))


def test_lines_joined_from_two_files_count_once(journal: Journal, judge: Judge) -> None:
    journal.append(judge())
    journal.path.write_bytes(journal.path.read_bytes() * 2 + b"\n")
    assert journal.read() == (judge(),)


@given(st.integers(1, 10_000))
def test_a_torn_line_loses_only_itself_and_is_set_aside(
    tmp_path_factory: pytest.TempPathFactory, judge: Judge, n_cut: int
) -> None:
    journal = Journal(tmp_path_factory.mktemp("torn") / "judgements.jsonl")
    before, last, after = judge(), judge(minute=1, note="größer"), judge(minute=2)
    journal.append(before, last)
    line = journal.path.read_bytes().splitlines(keepends=True)[1]
    n_cut = n_cut % len(line) + 1
    os.truncate(journal.path, journal.path.stat().st_size - n_cut)
    # Without its end alone, the line still says everything.
    kept = (before, last) if n_cut == 1 else (before,)
    assert journal.read() == kept
    journal.append(after)
    assert journal.read() == (*kept, after)
    torn = line[:-n_cut]
    if n_cut > 1 and torn:
        assert journal.torn.read_bytes() == torn + b"\n"
    else:
        assert not journal.torn.exists()


def test_two_torn_lines_are_both_set_aside(journal: Journal, judge: Judge) -> None:
    journal.append(judge())
    for torn in (b'{"bench', b'{"benchmark": "\xc3'):
        with journal.path.open("ab") as file:
            file.write(torn)
        journal.append(judge(minute=1))
    assert journal.torn.read_bytes() == b'{"bench\n{"benchmark": "\xc3\n'


def test_a_damaged_line_is_named_and_not_passed_over(journal: Journal, judge: Judge) -> None:
    journal.append(judge())
    line = journal.path.read_text()
    journal.path.write_text(line + line.replace("keep", "kept") + line)
    with pytest.raises(RunError, match=r"judgements\.jsonl line 2: decision is 'kept'"):
        journal.read()
    journal.path.write_text(line + "{\n" + line)
    with pytest.raises(RunError, match="line 2"):
        journal.read()


def test_a_file_that_cannot_be_written_is_a_clear_error(tmp_path: Path, judge: Judge) -> None:
    (tmp_path / "judgements.jsonl").mkdir()
    with pytest.raises(RunError, match="the judgement is not kept"):
        Journal(tmp_path / "judgements.jsonl").append(judge())
    with pytest.raises(RunError, match="cannot be read"):
        Journal(tmp_path / "judgements.jsonl").read()


def test_a_full_disk_leaves_the_file_as_it_was(
    journal: Journal, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append(judge())
    before = journal.path.read_bytes()
    write = os.write

    def write_little(handle: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(28, "No space left on device")
        return write(handle, data[:50])

    monkeypatch.setattr(os, "write", write_little)
    with pytest.raises(RunError, match="No space left on device"):
        journal.append(judge(minute=1))
    assert journal.path.read_bytes() == before


def test_processes_that_append_at_once_lose_nothing(journal: Journal) -> None:
    writers = [start_writer(journal.path, f"reviewer{number}", 40) for number in range(4)]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    made = journal.read()
    assert len(made) == 160
    assert {(each.reviewer, each.sample_id) for each in made} == {
        (f"reviewer{number}", f"s{sample}") for number in range(4) for sample in range(40)
    }


def test_a_killed_process_loses_nothing_it_had_acknowledged(journal: Journal, judge: Judge) -> None:
    for kill in range(3):
        writer = start_writer(journal.path, f"reviewer{kill}", 100_000)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.05 * (kill + 1))
        os.kill(writer.pid, signal.SIGKILL)
        rest, _ = writer.communicate(timeout=60)
        n_acknowledged = 1 + rest.count("\n")
        written = [each for each in journal.read() if each.reviewer == f"reviewer{kill}"]
        assert n_acknowledged <= len(written) <= n_acknowledged + 1
    journal.append(judge())
    assert journal.read()[-1] == judge()
