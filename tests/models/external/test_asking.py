"""Real programs that answer, crash, hang, babble, flood and fork."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from video_oasis.errors import AskError, AskInterrupted, AskRejected, ModelUnavailable
from video_oasis.models.external.model import ExternalModel
from video_oasis.models.external.worker import LONGEST_REPLY_BYTES, start_worker
from video_oasis.schema import Answer, Request, Usage

Open = Callable[..., ExternalModel]
AskAll = Callable[[ExternalModel, Callable[[], Awaitable[Any]]], Any]
Make = Callable[..., Request]

ANSWERS_PID = 'reply(question, answer=f"{about} {os.getpid()}")'
MISBEHAVES = """\
if about != "Which?":
    reply(question, answer="A")
elif True:
    {}
"""


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def wait_until_gone(*pids: int) -> None:
    deadline = time.monotonic() + 10
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline, f"still there: {list(filter(is_alive, pids))}"
        time.sleep(0.02)


def test_a_program_sees_what_is_shown_and_its_reply_is_the_answer(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program(
        "sizes = [os.path.getsize(each['path']) for each in question['frames']]\n"
        "times = [each['seconds'] for each in question['frames']]\n"
        "usage = {'prompt_tokens': 5, 'completion_tokens': 1}\n"
        "reply(question, answer=json.dumps([about, question['draw'], sizes, times]), usage=usage)"
    )

    async def work() -> list[Answer]:
        shown = make_request("Which?", n_frames=3)
        first = await model.ask(shown, 0, [b"x" * 10, b"y" * 20, b"z" * 30])
        return [first, await model.ask(make_request("Then?"), 2, [])]

    first, second = ask_all(model, work)
    assert json.loads(first.text) == ["Which?", 0, [10, 20, 30], [0.0, 1.5, 3.0]]
    assert first.usage == Usage(5, 1)
    assert json.loads(second.text) == ["Then?", 2, [], []]


def test_the_frames_of_one_question_are_gone_at_the_next(
    open_program: Open, ask_all: AskAll, make_request: Make, frames_folder: Path
) -> None:
    model = open_program(
        "folder = os.path.dirname(question['frames'][0]['path'])\n"
        "reply(question, answer=json.dumps(sorted(os.listdir(folder))))"
    )

    async def work() -> list[list[str]]:
        answers = [await model.ask(make_request("a", 3), 0, [b"x"] * 3)]
        answers.append(await model.ask(make_request("b", 1), 0, [b"x"]))
        assert len(list(frames_folder.iterdir())) == 1
        return [json.loads(answer.text) for answer in answers]

    assert ask_all(model, work) == [["frame0.jpg", "frame1.jpg", "frame2.jpg"], ["frame0.jpg"]]


def test_one_process_answers_one_question_after_the_other(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program(ANSWERS_PID)

    async def work() -> list[Answer]:
        return [await model.ask(make_request(f"q{i}"), 0, []) for i in range(20)]

    texts = [answer.text.split() for answer in ask_all(model, work)]
    assert [about for about, _ in texts] == [f"q{i}" for i in range(20)]
    (pid,) = {int(pid) for _, pid in texts}
    wait_until_gone(pid)


def test_as_many_processes_as_questions_at_once(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program(f"time.sleep(0.3)\n{ANSWERS_PID}", concurrency=3)

    async def work() -> list[Answer]:
        return await asyncio.gather(*(model.ask(make_request(f"q{i}"), 0, []) for i in range(3)))

    texts = [answer.text.split() for answer in ask_all(model, work)]
    assert [about for about, _ in texts] == ["q0", "q1", "q2"]
    assert len({pid for _, pid in texts}) == 3


def test_a_program_that_ends_after_each_reply_is_started_again(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program(f"{ANSWERS_PID}\nsys.exit()")

    async def work() -> list[Answer]:
        return [await model.ask(make_request(f"q{i}"), 0, []) for i in range(10)]

    texts = [answer.text.split() for answer in ask_all(model, work)]
    assert [about for about, _ in texts] == [f"q{i}" for i in range(10)]
    assert len({pid for _, pid in texts}) == 10


def test_a_program_that_ended_while_nobody_asked_is_started_again(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program(ANSWERS_PID)

    async def work() -> list[int]:
        pids = []
        for _ in range(3):
            answer = await model.ask(make_request(), 0, [])
            pids.append(int(answer.text.split()[1]))
            os.kill(pids[-1], signal.SIGKILL)
            await asyncio.sleep(0.3)
        return pids

    assert len(set(ask_all(model, work))) == 3


def test_asking_a_process_that_is_gone_says_so(
    write_program: Callable[..., Path], frames_folder: Path
) -> None:
    async def work() -> AskInterrupted:
        worker = await start_worker([str(write_program("pass"))])
        for _ in range(2):
            with pytest.raises(EOFError):
                await worker.ask(b"{}\n")
            await asyncio.sleep(0.1)
        explained = await worker.explain_end()
        await worker.end()
        return explained

    assert uvloop.run(work()).kind == "exit_1"
    assert list(frames_folder.iterdir()) == []


@pytest.mark.parametrize(
    ("deed", "kind", "said"),
    [
        ("sys.exit('no such weights')", "exit_1", "its standard error ends: no such weights"),
        ("raise KeyError('frames')", "exit_1", "KeyError: 'frames'"),
        ("os._exit(3)", "exit_3", "ended with exit code 3 and did not reply"),
        ("sys.exit()", "exit_0", "ended with exit code 0 and did not reply"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "exit_139", "exit code 139"),
        ("time.sleep(60)", "timeout", "within 4 seconds"),
        ("print('thinking about it', flush=True)", "bad_json", "thinking about it"),
        ("print('{}', flush=True)", "wrong_id", "the id of its question"),
        ("reply(question)", "bad_reply", "without an answer"),
        ("os.write(1, b'B')", "timeout", "within 4 seconds"),
        (f"os.write(1, b'x' * {3 * LONGEST_REPLY_BYTES})", "reply_too_large", "1,048,576 bytes"),
        ("reply(question, answer='x' * 2_000_000)", "reply_too_large", "1,048,576 bytes"),
        ("os.close(1); time.sleep(60)", "stdout_closed", "closed its standard output"),
        ("while True: sys.stderr.write('no ' * 1000)", "timeout", "…"),
    ],
)
def test_a_failure_is_told_and_the_next_question_is_answered(
    open_program: Open, ask_all: AskAll, make_request: Make, deed: str, kind: str, said: str
) -> None:
    # Long enough for a process to start on a busy machine.
    seconds = 4.0 if kind == "timeout" else 60.0
    model = open_program(MISBEHAVES.format(deed), timeout_seconds=seconds)

    async def work() -> Answer:
        await model.ask(make_request("Before?"), 0, [])
        with pytest.raises(AskInterrupted) as caught:
            await model.ask(make_request("Which?"), 0, [])
        assert caught.value.kind == kind
        assert said in str(caught.value)
        assert str(caught.value).startswith(model.name)
        assert len(str(caught.value)) < 900
        return await model.ask(make_request("After?"), 0, [])

    assert ask_all(model, work) == Answer("A")


def test_a_program_that_has_no_answer_goes_on(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program("reply(question, error=f'{os.getpid()} cannot')")

    async def work() -> list[str]:
        said = []
        for _ in range(2):
            with pytest.raises(AskRejected) as caught:
                await model.ask(make_request(), 0, [])
            said.append(str(caught.value))
        return said

    first, second = ask_all(model, work)
    assert first == second
    assert first.startswith(f"{model.name}: the program says: ")


def test_a_line_written_too_much_is_never_the_next_answer(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program("reply(question, answer='A')\nreply(question, answer='B')")

    async def work() -> Answer:
        assert await model.ask(make_request("q0"), 0, []) == Answer("A")
        with pytest.raises(AskInterrupted) as caught:
            await model.ask(make_request("q1"), 0, [])
        assert caught.value.kind == "wrong_id"
        return await model.ask(make_request("q2"), 0, [])

    assert ask_all(model, work) == Answer("A")


def test_a_long_question_passes_a_pipe_that_is_full(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program("reply(question, answer='x' * 900_000 + about[-1])")

    async def work() -> Answer:
        answer: Answer = await model.ask(make_request("é" * 500_000 + "!"), 0, [])
        return answer

    assert ask_all(model, work).text == "x" * 900_000 + "!"


def test_arguments_reach_no_shell_and_the_environment_is_passed_on(
    open_program: Open,
    ask_all: AskAll,
    make_request: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AGENT_KEY", "k")
    arguments = ("a b", "$HOME; exit 1", "", "*")
    model = open_program(
        "reply(question, answer=json.dumps([sys.argv[1:], os.environ['AGENT_KEY']]))",
        arguments=arguments,
    )

    async def work() -> Answer:
        return await model.ask(make_request(), 0, [])

    assert json.loads(ask_all(model, work).text) == [list(arguments), "k"]


STARTS_A_CHILD = """\
command = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(command)
with open(os.environ["PIDS"], "a") as file:
    file.write(f"{os.getpid()} {child.pid}\\n")
"""


def read_pids(file: Path) -> list[int]:
    deadline = time.monotonic() + 20
    while not file.exists() or not file.read_text(encoding="utf-8").endswith("\n"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return list(map(int, file.read_text(encoding="utf-8").split()))


@pytest.mark.parametrize("deed", ["time.sleep(600)", "os._exit(1)", "print('?', flush=True)"])
def test_children_of_a_failed_program_are_gone(
    open_program: Open,
    ask_all: AskAll,
    make_request: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    deed: str,
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    model = open_program(STARTS_A_CHILD + deed, timeout_seconds=5.0)

    async def work() -> None:
        with pytest.raises(AskInterrupted):
            await model.ask(make_request(), 0, [])

    ask_all(model, work)
    program, child = read_pids(pids)
    wait_until_gone(program, child)


def test_a_child_in_a_session_of_its_own_does_not_hold_the_run_up(
    open_program: Open,
    ask_all: AskAll,
    make_request: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    body = STARTS_A_CHILD.replace("(command)", "(command, start_new_session=True)")
    model = open_program(body + "os._exit(1)", timeout_seconds=5.0)

    async def work() -> None:
        with pytest.raises(AskInterrupted):
            await model.ask(make_request(), 0, [])

    started = time.monotonic()
    ask_all(model, work)
    assert time.monotonic() - started < 15
    _, child = read_pids(pids)
    os.kill(child, signal.SIGKILL)


def test_a_question_that_is_called_off_ends_its_program(
    open_program: Open,
    ask_all: AskAll,
    make_request: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    model = open_program(STARTS_A_CHILD + "time.sleep(600)")

    async def work() -> None:
        asking = asyncio.create_task(model.ask(make_request(), 0, []))
        await asyncio.to_thread(read_pids, pids)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    ask_all(model, work)
    wait_until_gone(*read_pids(pids))


def test_closing_lets_a_program_say_good_bye(
    open_program: Open, ask_all: AskAll, make_request: Make, tmp_path: Path
) -> None:
    body = 'import atexit\natexit.register(lambda: open(about, "w").close())\n'
    model = open_program(f"{body}reply(question, answer='A')")

    async def work() -> None:
        await model.ask(make_request(str(tmp_path / "bye")), 0, [])

    ask_all(model, work)
    assert (tmp_path / "bye").exists()


RUN = """\
import sys, uvloop
from video_oasis.models.external import open_model
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Frame, Request

request = Request("", "Which?", ("A", "B"), (Frame("f", 0.0),))
model = open_model(sys.argv[1], ModelSettings(timeout_seconds=600.0))
uvloop.run(model.ask(request, 0, [b"x"]))
"""


def test_a_killed_run_leaves_no_process_and_no_folder(
    write_program: Callable[..., Path], tmp_path: Path, frames_folder: Path
) -> None:
    pids = tmp_path / "pids"
    # It ignores all that can be ignored, and never looks at its input.
    ignores = "for each in (1, 2, 13, 15): signal.signal(each, signal.SIG_IGN)\n"
    program = write_program(f"{ignores}{STARTS_A_CHILD}time.sleep(600)")
    command = [sys.executable, "-c", RUN, str(program)]
    with subprocess.Popen(command, env={**os.environ, "PIDS": str(pids)}) as run:
        running = read_pids(pids)
        assert all(map(is_alive, running))
        assert len(list(frames_folder.iterdir())) == 1
        run.send_signal(signal.SIGKILL)
    wait_until_gone(*running)
    deadline = time.monotonic() + 10
    while list(frames_folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("print('hello', flush=True)", "hello"),
        ("sys.exit('no weights')", "no weights"),
        ("sys.stdin.read(); time.sleep(60)", "line by line"),
    ],
)
def test_a_program_that_does_not_keep_to_the_protocol_is_found_out_at_once(
    open_program: Open, ask_all: AskAll, deed: str, said: str
) -> None:
    model = open_program(deed, timeout_seconds=5.0)
    with pytest.raises(ModelUnavailable, match="a first question about grey frames") as caught:
        ask_all(model, model.check)
    assert said in str(caught.value)


@pytest.mark.parametrize("deed", ["reply(question, answer='A')", "reply(question, error='grey')"])
def test_a_program_that_keeps_to_it_passes(open_program: Open, ask_all: AskAll, deed: str) -> None:
    model = open_program(deed)
    ask_all(model, model.check)


def test_a_file_that_is_no_program_is_found_out(open_program: Open, ask_all: AskAll) -> None:
    model = open_program("pass")
    Path(model.name.removeprefix("external/")).write_bytes(b"\x7fELF but no more")
    with pytest.raises(ModelUnavailable, match=r"could not be started.*Exec format error"):
        ask_all(model, model.check)


def test_frames_that_cannot_be_written_are_a_failure(
    open_program: Open, ask_all: AskAll, make_request: Make
) -> None:
    model = open_program("reply(question, answer='A')")

    async def work() -> None:
        request = make_request("Which?", n_frames=1)
        name = Request("", "?", ("A",), (type(request.frames[0])("no/such", 0.0),))
        with pytest.raises(AskError) as caught:
            await model.ask(name, 0, [b"x"])
        assert caught.value.kind == "frames_unwritable"

    ask_all(model, work)
