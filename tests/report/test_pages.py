"""The pages: whole and well formed, nothing from outside, and only our own script can run."""

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from video_oasis.report.document import AuditReport, SampleView
from video_oasis.report.files import write_report
from video_oasis.report.html import MAX_ROWS, write_html
from video_oasis.report.page import shorten
from video_oasis.report.sample_pages import SAMPLES_PER_PAGE, write_sample_pages
from video_oasis.report.tables import make_tables
from video_oasis.report.thumbnails import Thumbnails

HOSTILE = "<script>alert(1)</script> | a_b & 50% \\"
_VOID = {"meta", "img"}
_APART = {"td", "th", "dt", "dd", "li"}


class Page(HTMLParser):
    """Collects what a page is made of, and checks that it is well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.attributes: set[str] = set()
        self.policy: dict[str, list[str]] = {}
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.text = ""
        self.feed(text)
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = {name: value or "" for name, value in attrs}
        self.attributes |= values.keys()
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.images += [values["src"]] if "src" in values else []
        if values.get("http-equiv") == "Content-Security-Policy":
            for rule in values["content"].split("; "):
                name, *sources = rule.split(" ")
                self.policy[name] = sources
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in _APART:
            self.text += " "

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]].append(data)
        else:
            self.text += data


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.fixture
def pages(report: AuditReport, wide_report: AuditReport, view: SampleView) -> dict[str, str]:
    """Every kind of page, of hostile text."""
    pictured = Thumbnails(frozenset(view.showings[1].frames), has_store=True)
    return {
        "report": write_html(report),
        "wide": write_html(wide_report),
        **write_sample_pages(report, pictured),
    }


def test_only_our_script_can_run_and_nothing_is_loaded_from_elsewhere(
    pages: dict[str, str],
) -> None:
    assert set(pages) == {"report", "wide", "index.html", "page-1.html"}
    scripts = set()
    for text in pages.values():
        page = Page(text)
        (script,), (style,) = page.raw["script"], page.raw["style"]
        scripts.add(script)
        assert page.policy == {
            "default-src": ["'none'"],
            "style-src": [hash_of(style)],
            "script-src": [hash_of(script)],
            "img-src": ["'self'", "file:"],
            "base-uri": ["'none'"],
            "form-action": ["'none'"],
        }
        assert page.tags.count("script") == 1
        assert "style" not in page.attributes
        assert not [name for name in page.attributes if name.startswith("on")]
        assert "://" not in text
        assert not re.search(r"url\(|@import", text)
    assert len(scripts) == 1


def test_text_of_a_benchmark_stays_text(pages: dict[str, str]) -> None:
    for name in ("report", "index.html", "page-1.html"):
        assert "alert(1)</script>" not in pages[name]
        assert HOSTILE in Page(pages[name]).text
    shown = Page(pages["page-1.html"]).text
    for part in ("id ", "Who? ", "he ", "said ", "found "):
        assert part + HOSTILE in shown


def test_links_lead_somewhere(pages: dict[str, str], report: AuditReport) -> None:
    page = Page(pages["report"])
    anchors = {link[1:] for link in page.links if link.startswith("#")}
    assert anchors <= set(page.ids)
    assert {table.name for table in make_tables(report)} <= set(page.ids)
    assert [link for link in page.links if not link.startswith("#")] == ["samples/index.html"]
    index, full = Page(pages["index.html"]), Page(pages["page-1.html"])
    assert "page-1.html#s1" in index.links
    assert "s1" in full.ids
    assert {"index.html", "../report.html"} <= set(full.links)


def test_the_page_begins_with_the_headline(pages: dict[str, str]) -> None:
    text = " ".join(Page(pages["report"]).text.split())
    assert re.search(
        r"of 80 samples are shortcuts 57\.5 % \[.+?\] would be by luck, if these models only "
        r"guessed 24\.4 % .+? a cautious figure 43\.8 %",
        text,
    )
    assert "46 shortcuts 34 kept 0 undecided: answers are missing 0 outside every test" in text
    assert "true share" not in text
    assert text.index("Read this with care") < text.index("What each test finds")
    assert text.index("Fix first") < text.rindex("All tables")


def test_pictures_appear_where_there_is_something_to_draw(pages: dict[str, str]) -> None:
    one, wide = Page(pages["report"]), Page(pages["wide"])
    assert not {"overlap", "falls", "benchmarks"} & set(one.ids)
    assert {"overlap", "falls", "benchmarks"} <= set(wide.ids)
    # Pooled: 8 samples in blind alone, 4 in shuffle alone, 4 in both.
    assert "Samples by the tests in which they are shortcuts: blind 8; " in wide.text
    assert "blind &amp; shuffle 4" in pages["wide"]
    assert (
        "Accuracy of the best model with the whole video against the share of shortcuts: "
        "b1 80.0 against 60.0; b2 80.0 against 21.1" in wide.text
    )
    # Of 40 samples 32 are right under standard and 12 under blind; of the 39 read under shuffle,
    # 32 and 8.
    assert "one 80.0, blind 30.0; one 82.1, shuffle 20.5" in wide.text
    assert "lost 50.0 [" in wide.text
    assert "lost 61.5 [" in wide.text


def test_every_task_is_one_row_of_dots(pages: dict[str, str]) -> None:
    rows = re.findall(r'<tr><th scope="row">(.+?)</th>', pages["report"].split('id="tasks"')[1])
    assert rows[0] == "easy"
    assert len(rows) == 2


def test_long_tables_and_texts_are_cut_on_the_page_and_say_so(report: AuditReport) -> None:
    (rows,) = report.rows
    many = tuple(f"row {number}: {'x' * 1000}" for number in range(5000))
    page = write_html(replace(report, rows=(replace(rows, bad_rows=many),)))
    assert "and 4,700 more; all are in report.json" in page
    assert page.count("<li>row ") == MAX_ROWS
    assert len(page) < 300_000
    assert shorten("abcdef", 4) == "abcd… (2 characters more)"
    assert shorten("abcd", 4) == "abcd"


def test_a_sample_shows_what_each_test_showed_and_each_model_answered(
    pages: dict[str, str], view: SampleView
) -> None:
    page = Page(pages["page-1.html"])
    text = " ".join(page.text.split())
    assert "dropped: shortcut in blind" in text
    assert "B. she ← the right answer" in text
    assert "shown one two blind B ✓ unparsed: several_candidates shuffle B ✓ A ✗" in text
    assert "chunk, 2 parts B ✓ A ✗ – " in text
    assert "Outside audio: no_speech" in text
    # Ten frames, eight of them pictured, in the order shown; five a part of chunk, four of each.
    frames = view.showings[1].frames
    shuffled = [frames[position] for position in (0, 1, 3, 4, 5, 6, 8, 9)]
    first = [frames[position] for position in (0, 1, 3, 4)]
    second = [frames[5 + position] for position in (0, 1, 3, 4)]
    assert page.images == [f"../thumbnails/{each}.jpg" for each in (*shuffled, *first, *second)]
    assert "10 frames; 8 of them, in the order shown" in text


def test_without_a_frame_store_nothing_is_pictured(report: AuditReport) -> None:
    pages = write_sample_pages(report, Thumbnails())
    assert "There is no frame store" in pages["index.html"]
    assert Page(pages["page-1.html"]).images == []
    assert "10 frames, not pictured" in pages["page-1.html"]


def test_samples_are_spread_over_pages_and_what_is_left_out_is_said(
    report: AuditReport, view: SampleView
) -> None:
    views = tuple(replace(view, sample_id=f"n{number}") for number in range(79))
    pages = write_sample_pages(replace(report, views=views), Thumbnails())
    assert set(pages) == {"index.html", "page-1.html"}
    assert "79 of 80 samples are shown in full" in pages["index.html"]
    assert "The other 1 are in tables/samples.csv" in pages["index.html"]
    more = write_sample_pages(replace(report, views=views * 3), Thumbnails())
    assert set(more) == {"index.html", "page-1.html", "page-2.html", "page-3.html"}
    assert more["page-1.html"].count("<article") == SAMPLES_PER_PAGE
    assert 'id="s237"' in more["page-3.html"]
    assert 'href="page-3.html#s237"' in more["index.html"]


def test_a_later_report_leaves_no_pages_or_pictures_of_an_earlier_one(
    report: AuditReport, view: SampleView, tmp_path: Path, make_jpeg: Callable[[], bytes]
) -> None:
    many = replace(report, views=(view,) * 150)
    write_report(many, tmp_path, read_picture=lambda _digest: make_jpeg())
    assert (tmp_path / "samples" / "page-2.html").is_file()
    assert len(list((tmp_path / "thumbnails").iterdir())) == 8
    write_report(report, tmp_path)
    names = {file.name for file in (tmp_path / "samples").iterdir()}
    assert names == {"index.html", "page-1.html"}
    assert list((tmp_path / "thumbnails").iterdir()) == []


def test_a_run_without_tests_says_so(make_small_report: Callable[..., AuditReport]) -> None:
    report = make_small_report({("standard", "one"): "++-"}, tests=[], threshold=1)
    text = " ".join(Page(write_html(report)).text.split())
    assert "3 samples. No test was asked, so nothing is said about shortcuts." in text
    assert "None of the diagnostics asked is a test that withholds something" in text
    assert "Fix first No test was asked." in text
    assert "A sample is a shortcut" not in text


def test_a_run_without_answers_says_so(make_small_report: Callable[..., AuditReport]) -> None:
    report = make_small_report({("blind", "one"): "???"}, tests=["blind"], threshold=1)
    text = " ".join(Page(write_html(report)).text.split())
    assert "3 samples. Too few answers were read to tell of any whether it is a shortcut." in text
    assert "Of 3 answers: 3 unparsed." in text


def test_tests_of_few_models_and_samples_still_make_a_page(
    make_small_report: Callable[..., AuditReport],
) -> None:
    answers = {
        ("blind", "one"): "++-",
        ("blind", "two"): "+--",
        ("shuffle", "one"): "+++",
        ("audio", "one"): "?  ",
        ("audio", "two"): "?  ",
    }
    report = make_small_report(answers, tests=["blind", "shuffle", "audio"], threshold=2)
    text = " ".join(Page(write_html(report)).text.split())
    assert "shuffle: fewer models were asked than the 2 that make a shortcut" in text
    # Number 0 is a shortcut under blind; of 1 and 2 blind and shuffle say that they are none.
    assert "of 3 samples are shortcuts 33.3 %" in text
    # shuffle can make none: no bar, no numbers, but its accuracy.
    assert re.search(r"shuffle –(?: –)* 100\.0", text)
    assert "blind 1 " in text
