"""What the page shows of a run: the report's queues, texts with their lacks, marks and reasons."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from video_oasis.config import AskingPlan
from video_oasis.diagnostics.interface import Need
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import ClipText, Prepared, TextKey
from video_oasis.judgements.journal import Journal
from video_oasis.media.frames import MediaFailure
from video_oasis.reporting import make_report
from video_oasis.review.contents import RunContents, collect_contents
from video_oasis.review.filters import Filters
from video_oasis.review.ledger import Ledger
from video_oasis.review.pages import render_sample
from video_oasis.review.server import listen
from video_oasis.schema import METADATA_REFERENCE, METADATA_TIME_REFERENCES
from video_oasis.store import Store

Render = Callable[..., str]


@pytest.fixture
def render(made_run: Any, tmp_path: Path) -> Render:
    """Render a sample with other texts or metadata than the run's."""

    def make(sample_id: str, texts: dict[Any, Any] | None = None, **metadata: Any) -> str:
        name = made_run.name(sample_id)
        contents: RunContents = made_run.contents
        shown = contents.samples[name]
        shown = replace(shown, sample=replace(shown.sample, metadata=metadata))
        contents = replace(
            contents,
            samples={**contents.samples, name: shown},
            evidence=replace(contents.evidence, texts=texts or {}),
        )
        ledger = Ledger(Journal(tmp_path / "none.jsonl"))
        return render_sample(contents, ledger, "ann", Filters("all"), name)

    return make


def list_lines(page: str) -> list[str]:
    return [unescape(line) for line in re.findall(r'<p dir="auto">(.*?)</p>', page)]


def test_the_queues_are_those_of_the_report(made_run: Any) -> None:
    contents = made_run.contents
    with Store.read(made_run.folder.answers) as store:
        audit = replace(contents.audit, settings=replace(contents.audit.settings, n_resamples=100))
        report = make_report(audit, store)
        lazy = replace(audit, settings=replace(audit.settings, plan=AskingPlan.LAZY))
        again = collect_contents(lazy, contents.evidence, store)
    queues: dict[str, list[str]] = {"consistency": [], "redundancy": [], "sensitivity": []}
    for row in report.summary.queue:
        queues[row.check].append(row.sample_id)
    assert {
        check: [contents.samples[name].sample.id for name in names]
        for check, names in contents.queues.items()
    } == queues
    assert queues["consistency"] == [f"q{number:02}" for number in range(10)]
    assert queues["redundancy"] == ["q20"]
    # All was asked, so that the plan leaves nothing out.
    assert again.queues == contents.queues


def test_frames_come_once_and_in_the_order_of_the_video(made_run: Any) -> None:
    contents = made_run.contents
    sample = contents.samples[made_run.name("q01")].sample
    frames = contents.list_frames(sample)
    # The second from 1 to 2 of a clip of 25 frames a second.
    assert [frame.seconds for frame in frames] == [number / 25 for number in range(25, 50)]
    assert contents.measure_fps(sample) == pytest.approx(25)
    missing = contents.samples[made_run.name("q22")].sample
    assert contents.list_frames(missing) == ()
    assert contents.measure_fps(missing) is None


def test_texts_are_shown_line_by_line_with_what_they_lack(render: Render) -> None:
    speech, captions = (TextKey("bars", "q00", need) for need in (Need.SPEECH, Need.CAPTIONS))
    page = render(
        "q00",
        {
            speech: ClipText(("[0:01–0:02] Mind the <b>step</b>\n[0:03–0:04] Now!",), is_cut=True),
            captions: MediaFailure("truncated", "a.mp4: breaks off"),
        },
    )
    assert list_lines(page) == ["[0:01–0:02] Mind the <b>step</b>", "[0:03–0:04] Now!"]
    assert "<b>" not in page
    assert "Cut: the whole is too long" in page
    assert "a.mp4: breaks off" in page
    silent = render("q00", {speech: ClipText((), outside="no_speech_loop")})
    assert "no speech loop" in silent
    assert "Transcript" not in render("q00", {})


def test_the_annotators_reason_and_evidence_are_part_of_the_answer(render: Render) -> None:
    page = render(
        "q00",
        **{METADATA_REFERENCE: "It <i>waits</i>.", METADATA_TIME_REFERENCES: ((1.5, 1.5), (2, 4))},
    )
    assert re.search(r'class="reference tells">.*It &lt;i&gt;waits&lt;/i&gt;\.', page)
    # A moment is drawn as long as can be seen.
    assert "data-marks='[[1.5, 0.5], [2, 2]]'" in page


def test_an_answer_that_is_none_says_why(render: Render) -> None:
    page = render("q22")
    assert page.count('error<span class="unseen">: video missing</span>') == 9
    assert "–" not in re.findall(r"<td>(.*?)</td>", page)


def test_broken_characters_break_no_page(made_run: Any, tmp_path: Path) -> None:
    contents: RunContents = made_run.contents
    name = made_run.name("q00")
    shown = contents.samples[name]
    broken = replace(shown, sample=replace(shown.sample, question="a \ud800 b"))
    contents = replace(contents, samples={**contents.samples, name: broken})
    page = render_sample(contents, Ledger(Journal(tmp_path / "j")), "ann", Filters("all"), name)
    assert ">a \N{REPLACEMENT CHARACTER} b</h1>" in page


def test_evidence_that_was_never_made_is_no_fault(made_run: Any, tmp_path: Path) -> None:
    contents = replace(made_run.contents, evidence=Prepared())
    name = made_run.name("q00")
    page = render_sample(contents, Ledger(Journal(tmp_path / "j")), "ann", Filters("all"), name)
    assert 'data-fps=""' in page
    assert contents.list_frames(contents.samples[name].sample) == ()


def test_the_usual_port_gives_way_and_a_named_one_does_not() -> None:
    with listen("127.0.0.1", 0, 0) as taken:
        port = taken.getsockname()[1]
        with listen("127.0.0.1", None, port) as other:
            assert other.getsockname()[1] != port
        with pytest.raises(SettingsError, match=f"cannot listen on 127.0.0.1 port {port}"):
            listen("127.0.0.1", port, 0)
