"""The page as a person uses it: Chromium, real clips, one key for each decision."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from video_oasis.judgements.judgement import Decision, Judgement


def shown_id(tab: Page) -> str:
    """Return the id of the sample on the page."""
    return tab.locator("#sample .meta").inner_text().split(" · ")[2]


def wait_for_page(tab: Page, query: str) -> None:
    """Wait until the page of this query listens to keys: its script then names the sample."""
    expect(tab).to_have_url(re.compile(rf"/\?{re.escape(query)}&sample=[0-9a-f]{{16}}$"))


def enter(tab: Page, link: str) -> None:
    """Open a link with its token, and wait for the page that it leads to."""
    tab.goto(link)
    tab.wait_for_url("**/?*sample=*")


def video_time(tab: Page) -> float:
    return float(tab.evaluate("document.querySelector('video').currentTime"))


def wait_for_video(tab: Page) -> None:
    tab.wait_for_function("() => document.querySelector('video')?.readyState >= 2")


def decided(served: Any) -> list[tuple[str, str, str]]:
    return [(each.sample_id, each.reviewer, each.decision.value) for each in served.judgements]


def test_twenty_samples_are_judged_by_keyboard(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    expect(tab).to_have_url(
        re.compile(rf"^{served.root}/\?queue=consistency&sample=[0-9a-f]{{16}}$")
    )
    keys = {
        "q00": ["k"], "q01": ["1"], "q02": ["2"], "q03": ["3"], "q04": ["4"],
        "q05": ["c", "a"], "q06": ["s"], "q07": ["k"], "q08": ["k"],
    }  # fmt: skip
    for number, (sample_id, its_keys) in enumerate(keys.items()):
        assert shown_id(tab) == sample_id
        press(*its_keys)
        # On disk by the time the page has moved on.
        assert len(served.judgements) == number + 1
        assert served.judgements[-1].sample_id == sample_id
    # "Other" asks why, and the last one of a queue stays on the page.
    tab.keyboard.press("5")
    expect(tab.locator("#note")).to_be_focused()
    tab.keyboard.type("the bar is no cook")
    tab.keyboard.press("Enter")
    expect(tab.locator("#said")).to_have_text("Saved: drop: other. Nothing is left to judge here.")
    expect(tab.locator("[data-queue=consistency] .count")).to_have_text("10/10")
    tab.locator("[data-queue=sensitivity]").click()
    wait_for_page(tab, "queue=sensitivity")
    for number in range(10, 19):
        assert shown_id(tab) == f"q{number}"
        press("r" if number % 2 else "k")
    tab.keyboard.press("r")
    expect(tab.locator("[data-queue=sensitivity] .count")).to_have_text("10/10")
    first = [(each.sample_id, each.decision.value, each.check) for each in served.judgements]
    assert first == [
        ("q00", "keep", "consistency"),
        ("q01", "wrong_label", "consistency"),
        ("q02", "ambiguous", "consistency"),
        ("q03", "several_right", "consistency"),
        ("q04", "broken_video", "consistency"),
        ("q05", "correct", "consistency"),
        ("q06", "skip", "consistency"),
        ("q07", "keep", "consistency"),
        ("q08", "keep", "consistency"),
        ("q09", "other", "consistency"),
        *((f"q{n}", "restore" if n % 2 else "keep", "sensitivity") for n in range(10, 20)),
    ]
    assert served.judgements[5].choice == 0
    assert served.judgements[9].note == "the bar is no cook"
    assert {each.reviewer for each in served.judgements} == {"ann"}


def test_the_video_plays_seeks_steps_and_loops_its_clip(
    served: Any, made_run: Any, tab: Page
) -> None:
    enter(tab, f"{served.link}&queue=all&sample={made_run.name('q00')}")
    wait_for_video(tab)
    tab.wait_for_function("() => document.querySelector('video').currentTime > 0.2")
    tab.keyboard.press(" ")
    assert tab.evaluate("document.querySelector('video').paused")
    tab.keyboard.press("0")
    tab.wait_for_function("() => document.querySelector('video').currentTime < 0.01")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("() => Math.abs(document.querySelector('video').currentTime - 1) < 0.01")
    # 25 frames a second: from frame 25 to the middle of the next, and of the one before it.
    tab.keyboard.press(".")
    assert video_time(tab) == pytest.approx(26.5 / 25)
    tab.keyboard.press(",")
    assert video_time(tab) == pytest.approx(25.5 / 25)
    tab.keyboard.press("]")
    assert tab.evaluate("document.querySelector('video').playbackRate") == 1.25
    slider = tab.get_by_role("slider", name="Position in the video")
    slider.fill("3.5")
    assert video_time(tab) == pytest.approx(3.5, abs=0.01)
    # What is drawn is the frame that was sought: the bar has moved to the right.
    tab.wait_for_function("() => !document.querySelector('video').seeking")
    column = tab.evaluate(
        """() => {
          const video = document.querySelector('video');
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [320, 180];
          const context = canvas.getContext('2d');
          context.drawImage(video, 0, 0);
          const row = context.getImageData(0, 90, 320, 1).data;
          return [...Array(320).keys()].find((x) => row[4 * x] > 150);
        }"""
    )
    assert column == pytest.approx(300 * 87 // 100, abs=3)

    tab.goto(f"{served.root}/?queue=all&sample={made_run.name('q01')}")
    wait_for_video(tab)
    seen = tab.evaluate(
        """() => new Promise((resolve) => {
          const video = document.querySelector('video');
          const times = [];
          const look = () => {
            times.push(video.currentTime);
            if (times.length < 240) requestAnimationFrame(look); else resolve(times);
          };
          look();
        })"""
    )
    assert min(seen) >= 0.99
    assert max(seen) < 2.15
    assert any(later < earlier for earlier, later in pairwise(seen))


def test_undo_and_reload_lose_nothing(served: Any, tab: Page, press: Callable[..., None]) -> None:
    enter(tab, served.link)
    expect(tab.locator("[data-command=undo]")).to_be_disabled()
    press("k")
    press("1")
    assert shown_id(tab) == "q02"
    press("u")
    expect(tab.locator("#said")).to_have_text("Taken back: drop: wrong label.")
    assert shown_id(tab) == "q01"
    expect(tab.locator("[data-queue=consistency] .count")).to_have_text("1/10")
    press("2")
    assert shown_id(tab) == "q02"
    tab.reload()
    assert shown_id(tab) == "q02"
    expect(tab.locator("[data-queue=consistency] .count")).to_have_text("2/10")
    # The undo of what was done before the reload, twice: back to the beginning.
    press("u")
    assert shown_id(tab) == "q01"
    press("u")
    assert shown_id(tab) == "q00"
    tab.keyboard.press("u")
    expect(tab.locator("#said")).to_have_text("There is nothing to undo.")
    assert decided(served) == [
        ("q00", "ann", "keep"),
        ("q01", "ann", "wrong_label"),
        ("q01", "ann", "withdraw"),
        ("q01", "ann", "ambiguous"),
        ("q01", "ann", "withdraw"),
        ("q00", "ann", "withdraw"),
    ]
    tab.go_back()
    expect(tab.locator(".meta")).to_contain_text("q01")


def test_a_second_reviewer_is_blind_until_both_have_decided(
    served: Any, tab: Page, browser: Browser, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    press("k")
    press("e", *"secret", "Enter", "1")
    second = browser.new_context().new_page()
    enter(second, served.link)
    second.get_by_role("link", name="ann").click()
    second.get_by_label("Your name").fill("  Bob\tthe  second ")
    second.keyboard.press("Enter")
    wait_for_page(second, "queue=consistency")
    expect(second.locator(".who")).to_contain_text("Bob the second")
    assert shown_id(second) == "q00"
    assert "keep" not in second.locator("#sample").inner_text()
    expect(second.locator("#sample .judged")).to_have_text(
        "1 other judgement, shown once you have decided."
    )
    # To look and skip is not to decide.
    press("s", on=second)
    assert "secret" not in second.content()
    press("p", on=second)
    assert "keep" not in second.locator("#sample .judged").inner_text()
    press("n", on=second)
    assert shown_id(second) == "q01"
    # Nor do filters tell what she decided.
    second.goto(f"{served.root}/?queue=all&reviewer=ann&decision=wrong_label")
    expect(second.locator("h1")).to_have_text("Nothing to look at here")
    second.goto(f"{served.root}/?queue=consistency&text=q01")
    second.keyboard.press("k")
    expect(second.locator("#sample .judged")).to_contain_text("ann: drop: wrong label secret")
    expect(second.locator("[data-queue=conflicts] .n")).to_have_text("1")
    # She sees his, now that both have decided, and changes her mind: no conflict is left.
    tab.goto(f"{served.root}/?queue=conflicts")
    assert shown_id(tab) == "q01"
    expect(tab.locator("#sample .judged")).to_contain_text("Bob the second: keep")
    tab.keyboard.press("k")
    expect(tab.locator("#said")).to_have_text("Saved: keep. Nothing is left to judge here.")
    expect(tab.locator("[data-queue=conflicts] .n")).to_have_text("0")
    assert [each.check for each in served.judgements] == ["consistency"] * 5
    second.context.close()


def test_markup_and_paths_of_a_benchmark_do_no_harm(served: Any, made_run: Any, tab: Page) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    enter(tab, f"{served.link}&queue=all&text=passwd")
    script = "<script>document.title = 'owned'; window.owned = 1</script>"
    assert tab.locator("h1").inner_text() == script
    assert tab.locator(".choices li").nth(1).inner_text().split("\n")[-1] == script
    expect(tab.locator(".trouble")).to_contain_text("leads out of")
    tab.keyboard.press("5")
    tab.keyboard.type(script)
    tab.keyboard.press("Enter")
    expect(tab.locator("#sample .judged")).to_contain_text(script)
    # The task is markup too, and stands in the filters.
    tab.goto(f"{served.root}/?queue=all&text={script}&task={script}&sample={made_run.name(script)}")
    assert tab.locator("h1").inner_text() == script
    assert tab.evaluate("window.owned") is None
    assert tab.locator("img[onerror], [onfocus]").count() == 0
    assert not any("passwd" in url.partition("?")[0] for url in asked)
    assert {url.split("/")[2] for url in asked} == {f"127.0.0.1:{served.port}"}
    assert served.judgements[-1].note == script


@pytest.mark.parametrize(
    ("sample_id", "reason", "n_frames"),
    [
        ("q20", "This browser cannot play the video", 100),
        ("q21", "This video is a folder of images.", 8),
        ("q22", "'nowhere.mp4': not below", 0),
    ],
)
def test_frames_stand_in_for_a_video_that_cannot_play(
    served: Any, made_run: Any, tab: Page, sample_id: str, reason: str, n_frames: int
) -> None:
    enter(tab, f"{served.link}&queue=all&sample={made_run.name(sample_id)}")
    expect(tab.locator(".trouble")).to_contain_text(reason)
    if not n_frames:
        expect(tab.locator(".trouble")).to_contain_text("No frames were taken of it either.")
        assert tab.locator(".screen").is_hidden()
        return
    expect(tab.locator(".trouble")).to_contain_text(f"The {n_frames} frames")
    assert tab.locator(".strip .thumb").count() == n_frames
    frame = tab.locator(".screen .frame")
    tab.keyboard.press(" ")
    tab.keyboard.press("0")
    expect(frame).to_have_attribute("alt", re.compile(f"^frame 1 of {n_frames},"))
    tab.keyboard.press(".")
    expect(frame).to_have_attribute("alt", re.compile(f"^frame 2 of {n_frames},"))
    tab.wait_for_function("() => document.querySelector('.screen .frame').naturalWidth === 320")


def test_containers_that_the_browser_knows_are_played(
    served: Any, made_run: Any, tab: Page
) -> None:
    enter(tab, f"{served.link}&queue=all&sample={made_run.name('q02')}")
    wait_for_video(tab)
    assert tab.evaluate("document.querySelector('video').videoWidth") == 320


def test_a_tab_left_behind_is_told_and_saves_nothing(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    behind = tab.context.new_page()
    behind.goto(tab.url)
    press("k")
    behind.keyboard.press("1")
    expect(behind.locator("#said")).to_contain_text("You judged this sample meanwhile")
    assert shown_id(behind) == "q00"
    expect(behind.locator("#sample .judged")).to_contain_text("You: keep")
    assert decided(served) == [("q00", "ann", "keep")]
    # It is shown as it stands by now; pressed again, the key means what is seen.
    press("1", on=behind)
    assert decided(served)[1:] == [("q00", "ann", "wrong_label")]
    # The other tab's undo would take back what it does not know of.
    tab.keyboard.press("u")
    tab.wait_for_load_state()
    assert len(served.judgements) == 2
    # A tab of someone else's name does not judge in it.
    other = tab.context.new_page()
    other.goto(f"{served.root}/reviewer")
    other.get_by_label("Your name").fill("bob")
    other.keyboard.press("Enter")
    expect(other.locator(".who")).to_contain_text("bob")
    behind.keyboard.press("k")
    expect(behind.locator("#said")).to_contain_text("reviews as bob by now")
    assert len(served.judgements) == 2


def test_a_decision_that_cannot_be_kept_is_said_and_nothing_moves(
    serve: Callable[..., Any], tab: Page, tmp_path: Path, press: Callable[..., None]
) -> None:
    journal = tmp_path / "journal.jsonl"
    with serve(reviewer="ann", journal=journal) as served:
        enter(tab, served.link)
        journal.mkdir()
        tab.keyboard.press("k")
        expect(tab.locator("#said")).to_have_attribute("role", "alert")
        expect(tab.locator("#said")).to_contain_text("Is a directory")
        assert shown_id(tab) == "q00"
        journal.rmdir()
        press("k")
        assert decided(served) == [("q00", "ann", "keep")]
    tab.keyboard.press("k")
    expect(tab.locator("#said")).to_contain_text("Not saved: the server does not answer")
    assert shown_id(tab) == "q01"


def test_answers_can_be_hidden_to_judge_without_them(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    gold, answers = tab.locator(".gold .tells"), tab.locator(".answers")
    expect(gold).to_be_visible()
    tab.keyboard.press("h")
    expect(gold).to_be_hidden()
    expect(answers).to_be_hidden()
    tab.keyboard.press("g")
    expect(gold).to_be_visible()
    expect(answers).to_be_visible()
    # On the next sample, and after a reload, they are hidden again.
    press("k")
    expect(gold).to_be_hidden()
    tab.reload()
    expect(answers).to_be_hidden()


def test_filters_search_and_deep_links(
    served: Any, made_run: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    press("k")
    press("1")
    tab.keyboard.press("/")
    tab.keyboard.type("Q01 RIGHT")
    tab.keyboard.press("Enter")
    wait_for_page(tab, "queue=consistency&text=Q01+RIGHT")
    expect(tab.locator(".place")).to_have_text("1 of 1")
    assert shown_id(tab) == "q01"
    tab.get_by_role("link", name="Clear").click()
    wait_for_page(tab, "queue=consistency")
    tab.keyboard.press("/")
    tab.get_by_label("Task").select_option("order")
    wait_for_page(tab, "queue=consistency&task=order")
    expect(tab.locator(".place")).to_have_text("2 of 5")
    tab.locator("select[name=decision]").select_option("drop")
    expect(tab.locator(".place")).to_have_text("1 of 1")
    assert shown_id(tab) == "q01"
    tab.goto(f"{served.root}/?queue=all&sample={made_run.name('q13')}")
    assert shown_id(tab) == "q13"
    press("n")
    assert shown_id(tab) == "q14"
    tab.reload()
    assert shown_id(tab) == "q14"
    tab.go_back()
    expect(tab.locator(".meta")).to_contain_text("q13")


def test_what_a_test_showed_is_fetched_when_it_is_opened(
    served: Any, made_run: Any, tab: Page
) -> None:
    enter(tab, f"{served.link}&queue=all&sample={made_run.name('q00')}")
    assert tab.locator(".shown .thumb").count() == 0
    tab.locator("summary", has_text="What chunk showed").click()
    expect(tab.locator(".shown .thumb")).to_have_count(100)
    expect(tab.locator(".shown h3")).to_have_text([f"Part {number}" for number in range(1, 9)])
    tab.keyboard.press(" ")
    tab.locator(".shown .thumb").nth(50).click()
    # One hundred frames, 25 a second.
    assert video_time(tab) == pytest.approx(2.0)


def test_a_choice_is_corrected_by_touch_and_the_published_one_is_not(
    served: Any, tab: Page
) -> None:
    enter(tab, served.link)
    tab.keyboard.press("c")
    tab.keyboard.press("a")
    expect(tab.locator("#said")).to_contain_text("That is the published answer")
    tab.keyboard.press("z")
    expect(tab.locator("#said")).to_contain_text("There is no such choice.")
    tab.keyboard.press("Escape")
    assert served.judgements == ()
    tab.get_by_role("button", name="Correct").click()
    tab.get_by_role("button", name="is right").nth(2).click()
    tab.wait_for_function("() => document.querySelector('.meta').textContent.includes('q01')")
    assert (served.judgements[0].decision, served.judgements[0].choice) == (Decision.CORRECT, 2)
    tab.keyboard.press("r")
    expect(tab.locator("#said")).to_contain_text("Only samples of the sensitivity queue")
    assert len(served.judgements) == 1


def test_keys_do_nothing_where_they_are_typed_or_switched_off(served: Any, tab: Page) -> None:
    enter(tab, served.link)
    tab.keyboard.press("e")
    tab.keyboard.type("kkk12")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Control+k")
    tab.keyboard.press("?")
    expect(tab.get_by_role("dialog", name="Keys")).to_be_visible()
    tab.keyboard.press("k")
    tab.get_by_label("Single keys act").uncheck()
    tab.keyboard.press("Escape")
    tab.keyboard.press("k")
    tab.wait_for_timeout(200)
    assert served.judgements == ()
    tab.get_by_role("button", name="Keep").click()
    tab.wait_for_function("() => document.querySelector('.meta').textContent.includes('q01')")
    assert served.judgements[0].note == "kkk12"


def test_judgements_made_elsewhere_meanwhile_are_seen(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    served.journal.append(
        Judgement("bars", "q05", "ann", "", Decision.KEEP, None, "", datetime.now(UTC))
    )
    press("k")
    expect(tab.locator("[data-queue=consistency] .count")).to_have_text("2/10")
    tab.goto(f"{served.root}/?queue=consistency&decision=open")
    expect(tab.locator(".place")).to_have_text("1 of 8")


@pytest.mark.parametrize("width", [1440, 390])
def test_everything_fits_and_has_a_name(
    served: Any,
    made_run: Any,
    browser: Browser,
    width: int,
    list_nameless: Callable[[Page], list[str]],
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    tab = context.new_page()
    enter(tab, f"{served.link}&queue=all&sample={made_run.name('q13')}")
    wait_for_video(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert list_nameless(tab) == []
    # The question and all decisions are on the first screen.
    for element in (tab.locator("h1"), tab.get_by_role("button", name="Keep")):
        box = element.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 844
    context.close()


def test_settings_of_an_earlier_visit_that_are_broken_are_passed_over(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    tab.evaluate("localStorage.setItem('oasis-review-settings', '{')")
    tab.reload()
    press("k")
    assert json.loads(tab.evaluate("JSON.stringify(document.body.dataset.reviewer)")) == "ann"
