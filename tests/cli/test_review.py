"""``oasis review`` as a user starts and stops it."""

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from video_oasis.open_ended.people.files import PeopleFiles, write_chosen
from video_oasis.open_ended.people.grades import GradeFile
from video_oasis.open_ended.people.sampling import ChosenPair, Stratum
from video_oasis.schema import Video

START: Final = (sys.executable, "-c", "from video_oasis.cli import main; main()")


@contextmanager
def start(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the page and give its process and its link."""
    command = [*START, "review", "run", "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        try:
            line = process.stdout.readline()
            found = re.fullmatch(r"Open (http://127\.0\.0\.1:\d+/\?token=[\w-]+)\n", line)
            assert found, (line, process.stderr and process.stderr.read())
            yield process, found[1]
        finally:
            process.kill()


class Visitor:
    """A browser of the simplest kind: it keeps cookies."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        assert parts.port
        self.place = f"127.0.0.1:{parts.port}"
        self.cookies: list[str] = []
        self.ask("GET", f"/?{parts.query}")

    def ask(self, method: str, path: str, body: Any = None) -> str:
        connection = http.client.HTTPConnection(self.place, timeout=30)
        headers = {
            "Cookie": "; ".join(self.cookies),
            "Origin": f"http://{self.place}",
            "Content-Type": "application/json",
        }
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        for name, value in answer.headers.items():
            if name == "set-cookie":
                self.cookies.append(value.partition(";")[0])
        connection.close()
        return text


def judge_first(visitor: Visitor) -> str:
    page = visitor.ask("GET", "/?queue=all&decision=open")
    sample = re.search(r'id="sample" data-name="(\w+)"', page)
    reviewer = re.search(r'data-reviewer="(\w+)"', page)
    assert sample
    assert reviewer
    form = {
        "sample": sample[1], "seen": "", "reviewer": reviewer[1], "decision": "keep",
        "query": "queue=all&decision=open",
    }  # fmt: skip
    saved: str = json.loads(visitor.ask("POST", "/judgements", form))["place"]
    return saved


def test_decisions_outlive_a_killed_server(oasis: Any, own_file: Path, tmp_path: Path) -> None:
    audited = oasis("audit", own_file, "--out", "run", "--model", "learned/logistic")
    assert audited.returncode == 0
    with start(tmp_path, "--reviewer", "ann") as (process, link):
        assert judge_first(Visitor(link)) == "1 of 59"
        process.kill()
    with start(tmp_path, "--reviewer", "ann") as (process, link):
        assert judge_first(Visitor(link)) == "1 of 58"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr
        assert "All decisions are kept." in process.stderr.read()
    lines = (tmp_path / "run/judgements.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reviewer"] for line in lines] == ["ann", "ann"]
    assert len({json.loads(line)["sample_id"] for line in lines}) == 2


def test_answers_chosen_for_people_are_graded(oasis: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "judging.toml").write_text("", encoding="utf-8")
    done = oasis("review", "run", "--port", "0")
    assert done.returncode == 2
    assert "no answers were chosen for people to grade" in done.stderr
    chosen = ChosenPair(
        pair="pair1-0", benchmark="open", sample_id="q0", video=Video("a.mp4"), file=None,
        question="Who sings?", reference="a man", answer="a woman", stratum=Stratum.NO,
        chance=0.5, weight=3.0,
    )  # fmt: skip
    write_chosen(PeopleFiles(run).sample, [chosen])
    with start(tmp_path, "--reviewer", "ann") as (process, link):
        visitor = Visitor(link)
        page = visitor.ask("GET", "/")
        assert "a woman" in page
        sample = re.search(r'id="sample" class="answer" data-name="(\w+)"', page)
        assert sample
        form = {"sample": sample[1], "seen": "", "reviewer": "ann", "correct": False, "score": 1}
        visitor.ask("POST", "/grades", form)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr
        notes = process.stderr.read()
    assert "1 answer to grade" in notes
    assert str(Path("run/people/grades.jsonl")) in notes
    (made,) = GradeFile(PeopleFiles(run).grades).read()
    assert (made.pair, made.reviewer, made.correct, made.score) == ("pair1-0", "ann", False, 1)


def test_without_its_extra_it_says_how_to_install_it(
    oasis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = util.find_spec
    monkeypatch.setattr(
        "video_oasis.cli.review.find_spec",
        lambda name: None if name == "fastapi" else real(name),
    )
    done = oasis("review", "run")
    assert done.returncode == 2
    assert "pip install 'video-oasis[review]'" in done.stderr


def test_a_run_or_an_address_that_is_not_there_is_said(oasis: Any) -> None:
    done = oasis("review", "nowhere", "--port", "0")
    assert done.returncode == 2
    assert "nowhere: no run is there" in done.stderr
    done = oasis("review", "run", "--host", "203.0.113.7", "--port", "0")
    assert done.returncode == 2
    assert "cannot listen on 203.0.113.7" in done.stderr
