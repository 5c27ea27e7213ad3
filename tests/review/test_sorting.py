"""Categories in the page: by request, as several people give them, and in the browser."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from video_oasis.categorization.opinions import settle
from video_oasis.errors import RunError
from video_oasis.review.contents import RunContents

Serve = Callable[..., Any]


def name_of(contents: RunContents, sample_id: str) -> str:
    return contents.names["bars", sample_id]


def read_opinions(contents: RunContents) -> list[tuple[str, str, str | None, str]]:
    assert contents.categorized
    return [
        (each.sample_id, each.reviewer, each.category, each.note)
        for each in contents.categorized.opinions.read()
    ]


def find_standing(page: Any, name: str) -> str:
    part = page.request("GET", f"/sample/{name}?queue=category").body.decode()
    found = re.search(r'data-seen="([^"]*)"', part)
    assert found
    return found[1]


def sort(page: Any, name: str, **changes: Any) -> Any:
    form = {
        "sample": name, "seen": "", "reviewer": "ann", "query": "queue=category",
        "category": "Order", "note": "",
    }  # fmt: skip
    return page.request("POST", "/categories", body=form | changes)


@contextmanager
def serve_for(serve: Serve, contents: RunContents, reviewer: str = "ann") -> Iterator[Any]:
    with serve(reviewer=reviewer, contents=contents) as page:
        yield page


def test_a_category_is_on_disk_before_the_page_moves_on(
    serve: Serve, sorted_contents: RunContents
) -> None:
    with serve_for(serve, sorted_contents) as page:
        first = name_of(sorted_contents, "q01")
        reply = sort(page, first, category="Kind 3", note=" why ").json
        assert read_opinions(sorted_contents) == [("q01", "ann", "Kind 3", "why")]
        assert reply["message"] == "Saved: Kind 3."
        assert reply["next"] == name_of(sorted_contents, "q02")
        assert reply["place"] == "2 of 5"
        (progress,) = [each for each in reply["progress"] if each["queue"] == "category"]
        assert (progress["n_judged"], progress["n"]) == (1, 5)
        # A page that shows what was before is told so, and writes nothing.
        assert sort(page, first).status == 409
        assert sort(page, first, seen=find_standing(page, first)).status == 200
        # What is taken back uncovers what was before it, from the latest to the first.
        undo = {"expected": find_standing(page, first), "reviewer": "ann"}
        taken = page.request("POST", "/categories/undo", body=undo).json
        assert (taken["message"], taken["sample"]) == ("Taken back: Order.", first)
        assert taken["undo"] == find_standing(page, first) == reply["undo"]
        assert page.request("POST", "/categories/undo", body=undo).status == 409
        page.request("POST", "/categories/undo", body=undo | {"expected": taken["undo"]})
        assert find_standing(page, first) == ""
        assert page.judgements == ()


def test_what_cannot_be_a_category_is_refused(serve: Serve, sorted_contents: RunContents) -> None:
    with serve_for(serve, sorted_contents) as page:
        name = name_of(sorted_contents, "q01")
        for status, changes in (
            (422, {"category": "Kind 99"}),
            (422, {"sample": name_of(sorted_contents, "q20")}),
            (404, {"sample": "0" * 16}),
            (409, {"reviewer": "bob"}),
            (422, {"category": None}),
            (422, {"note": "x" * 2001}),
        ):
            assert sort(page, name, **changes).status == status, changes
        for path in ("/categories", "/categories/undo"):
            for reply in (
                page.request("POST", path, body={}, with_cookie=False),
                page.request("POST", path, body={}, headers={"Origin": "http://evil.example"}),
            ):
                assert reply.status == 403
        assert read_opinions(sorted_contents) == []
        # The panel agrees on this one; a person may know better.
        assert sort(page, name_of(sorted_contents, "q00"), category="Kind 3").status == 200


def test_a_run_without_categories_has_no_such_queue(served: Any, made_run: Any) -> None:
    page = served.request("GET", "/?queue=category").body.decode()
    assert 'data-queue="category"' not in page
    assert 'data-category="' not in page
    assert "queue=consistency" in page
    assert sort(served, made_run.name("q01")).status == 404


def test_others_are_seen_after_an_own_opinion_and_must_agree(
    serve: Serve, sorted_contents: RunContents
) -> None:
    name = name_of(sorted_contents, "q01")
    path = f"/sample/{name}?queue=category"
    with serve_for(serve, sorted_contents) as page:
        sort(page, name, category="Order", note="ann's note")
    with serve_for(serve, sorted_contents, "bob") as page:
        before = page.request("GET", path).body.decode()
        assert "1 other opinion, shown once you have decided" in before
        assert "ann" not in before
        # Nor do the filters know more.
        hidden = page.request("GET", "/?queue=category&reviewer=ann").body.decode()
        assert "No sample of this queue fits" in hidden
        sort(page, name, category="Kind 3", reviewer="bob")
        after = page.request("GET", path).body.decode()
        assert "<strong>ann</strong>: Order <q>ann&#39;s note</q>" in after
        shown = page.request("GET", "/?queue=category&reviewer=ann").body.decode()
        assert "1 of 1" in shown
        assert sorted_contents.categorized
        opinions = sorted_contents.categorized.opinions
        assert settle(opinions.read()) == {("bars", "q01"): None}
        sort(page, name, category="Order", reviewer="bob", seen=find_standing(page, name))
        assert settle(opinions.read()) == {("bars", "q01"): "Order"}
        opened = page.request("GET", "/?queue=category&decision=open").body.decode()
        assert "1 of 4" in opened
        # A filter of the other queues is none here.
        assert "of 5" in page.request("GET", "/?queue=category&decision=keep").body.decode()


def test_a_damaged_file_is_named(serve: Serve, sorted_contents: RunContents) -> None:
    assert sorted_contents.categorized
    opinions = sorted_contents.categorized.opinions
    with serve_for(serve, sorted_contents) as page:
        opinions.path.write_text("{}\n", encoding="utf-8")
        reply = sort(page, name_of(sorted_contents, "q01"))
        assert reply.status == 500
        assert "decided.jsonl line 1" in reply.json["message"]
    with pytest.raises(RunError, match="line 1"), serve_for(serve, sorted_contents):
        pass


def enter(tab: Page, link: str) -> None:
    tab.goto(f"{link}&queue=category")
    tab.wait_for_url("**/?queue=category&sample=*")


def test_split_samples_are_sorted_by_keyboard(
    serve: Serve, sorted_contents: RunContents, tab: Page, press: Callable[..., None]
) -> None:
    with serve_for(serve, sorted_contents) as page:
        enter(tab, page.link)
        expect(tab.locator(".meta")).to_contain_text("q01")
        categories = tab.get_by_role("region", name="Categories")
        expect(categories).to_contain_text("What comes before what.")
        expect(categories).to_contain_text("1 vote: ant")
        expect(categories).to_contain_text("No category: cat (unparsed)")
        tab.keyboard.press("h")
        expect(categories.get_by_text("1 vote: ant")).to_be_hidden()
        tab.keyboard.press("h")
        press("1")
        assert read_opinions(sorted_contents) == [("q01", "ann", "Order", "")]
        press("e", *"both", "Enter", "2")
        expect(tab.locator(".meta")).to_contain_text("q03")
        expect(tab.locator("[data-queue=category] .count")).to_have_text("2/5")
        press("u")
        expect(tab.locator(".meta")).to_contain_text("q02")
        expect(tab.locator("[data-queue=category] .count")).to_have_text("1/5")
        # Keys of the other queues decide nothing here.
        for key in "krcs":
            tab.keyboard.press(key)
        # The tenth has a button and no key.
        tab.get_by_role("button", name="Kind 10").click()
        expect(tab.locator(".meta")).to_contain_text("q03")
        press("p")
        expect(tab.get_by_role("button", name="Kind 10")).to_have_attribute("aria-pressed", "true")
        tab.reload()
        press("n")
        press("9")
        press("3")
        tab.keyboard.press("1")
        expect(tab.locator("#said")).to_have_text("Saved: Order. Nothing is left to judge here.")
        assert tab.evaluate("window.owned") is None
        standing = [row[:3] for row in read_opinions(sorted_contents)]
        assert [row for row in standing if row[2] is None] == [("q02", "ann", None)]
        assert [(name, category) for name, _, category in standing[3:6]] == [
            ("q02", "Kind 10"),
            ("q03", "Kind 9"),
            ("q04", "Kind 3"),
        ]
        assert page.judgements == ()
        # The other queues are as they were.
        tab.locator("[data-queue=consistency]").click()
        tab.wait_for_url("**/?queue=consistency&sample=*")
        press("k")
        assert len(page.judgements) == 1


@pytest.mark.parametrize("width", [1440, 390])
def test_the_queue_fits_and_everything_has_a_name(
    serve: Serve,
    sorted_contents: RunContents,
    browser: Browser,
    width: int,
    list_nameless: Callable[[Page], list[str]],
) -> None:
    with serve_for(serve, sorted_contents) as page:
        context = browser.new_context(viewport={"width": width, "height": 844})
        tab = context.new_page()
        enter(tab, page.link)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert list_nameless(tab) == []
        box = tab.get_by_role("button", name="Order").bounding_box()
        assert box
        assert box["y"] + box["height"] <= 844
        context.close()
