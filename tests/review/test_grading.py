"""The page of open answers: by request, as several people grade them, and in the browser."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from video_oasis.errors import RunError
from video_oasis.open_ended.people.files import PeopleFiles, read_chosen
from video_oasis.review.grading.contents import GradingContents, collect_answers

Serve = Callable[..., Any]
SCRIPT = "<script>document.title = 'owned'; window.owned = 1</script>"


@pytest.fixture
def contents(people: PeopleFiles) -> GradingContents:
    return collect_answers(read_chosen(people.sample))


@pytest.fixture
def names(contents: GradingContents) -> list[str]:
    return list(contents.answers)


@pytest.fixture
def served(serve_answers: Serve) -> Iterator[Any]:
    with serve_answers() as page:
        yield page


def grade(page: Any, name: str, **changes: Any) -> Any:
    form = {
        "sample": name, "seen": "", "reviewer": "ann", "correct": True, "score": None, "note": "",
    }  # fmt: skip
    return page.request("POST", "/grades", body=form | changes)


def find_standing(page: Any, name: str) -> str:
    part = page.request("GET", f"/sample/{name}").body.decode()
    found = re.search(r'data-seen="([^"]*)"', part)
    assert found
    return found[1]


def list_grades(page: Any) -> list[tuple[str, str, bool | None, int | None]]:
    return [
        (each.sample_id, each.reviewer, each.correct, each.score) for each in page.journal.read()
    ]


def test_a_grade_is_on_disk_before_the_page_moves_on(served: Any, names: list[str]) -> None:
    reply = grade(served, names[0], score=5, note=" why ").json
    (made,) = served.journal.read()
    assert (made.pair, made.benchmark, made.sample_id) == ("pair1-0", "open", "q0")
    assert (made.reviewer, made.correct, made.score, made.note) == ("ann", True, 5, "why")
    assert reply["message"] == "Saved: right, score 5."
    assert (reply["next"], reply["place"]) == (names[1], "2 of 5")
    assert reply["progress"] == [{"queue": "answers", "n_judged": 1, "n": 5}]
    # A page that shows what was before is told so, and writes nothing.
    behind = grade(served, names[0], correct=False)
    assert behind.status == 409
    assert "You changed your grade of this answer meanwhile" in behind.json["message"]
    assert (
        grade(served, names[0], correct=None, seen=find_standing(served, names[0])).json["message"]
        == "Saved: cannot say."
    )
    # What is taken back uncovers what was before it, from the latest to the first.
    undo = {"expected": find_standing(served, names[0]), "reviewer": "ann"}
    taken = served.request("POST", "/undo", body=undo).json
    assert (taken["message"], taken["sample"]) == ("Taken back: cannot say.", names[0])
    assert taken["undo"] == find_standing(served, names[0]) == reply["undo"]
    assert served.request("POST", "/undo", body=undo).status == 409
    taken = served.request("POST", "/undo", body=undo | {"expected": taken["undo"]}).json
    assert (taken["undo"], find_standing(served, names[0])) == ("", "")
    assert len(served.journal.read()) == 4


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"correct": "yes"}, 422, "correct"),
        ({"correct": 1}, 422, "correct"),
        ({"score": 6}, 422, "score is 6; expected 0 to 5"),
        ({"score": 2.5}, 422, "score"),
        ({"correct": None, "score": 3}, 422, "correct is not given"),
        ({"note": "x" * 2001}, 422, "note"),
        ({"extra": 1}, 422, "extra"),
        ({"reviewer": "bob"}, 409, "reviews as ann"),
        ({"seen": "person-grade1-0"}, 409, "meanwhile"),
        ({"sample": "0123456789abcdef"}, 404, ""),
    ],
)
def test_a_grade_that_makes_no_sense_is_refused_with_a_reason(
    served: Any, names: list[str], changes: dict[str, Any], status: int, words: str
) -> None:
    reply = grade(served, names[0], **changes)
    assert reply.status == status
    if words:
        assert words in reply.json["message"]
    assert served.journal.read() == ()


def test_strangers_stay_out_and_paths_do_not_reach_the_disk(
    served: Any, people: PeopleFiles, contents: GradingContents, names: list[str]
) -> None:
    video = contents.answers[names[0]].source.name
    for path in ("/", f"/sample/{names[0]}", f"/video/{video}", "/reviewer"):
        assert served.request("GET", path).status == 200
        assert served.request("GET", path, with_cookie=False).status == 403
    for path in ("/grades", "/undo"):
        foreign = served.request("POST", path, body={}, headers={"Origin": "http://evil.example"})
        assert foreign.status == 403
    for path in ("/video/clip.mp4", f"/video/{people.sample}", "/sample/../people/sample.jsonl"):
        assert served.request("GET", path).status == 404
    # The video is gone, unknown, or a folder.
    reasons = ("not there any more", "does not know", "folder")
    for name, reason in zip(names[2:], reasons, strict=True):
        source = contents.answers[name].source
        assert reason in source.trouble
        assert served.request("GET", f"/video/{source.name}").status == 404


def test_the_page_tells_nothing_of_verdicts_and_nothing_of_other_people(
    serve_answers: Serve, names: list[str]
) -> None:
    with serve_answers() as page:
        grade(page, names[0], note="secret of ann")
    with serve_answers("bob") as page:
        assert page.request("GET", "/").status == 200
        grade(page, names[0], reviewer="bob", correct=False)
        bodies = [page.request("GET", path).body.decode() for path in ("/", f"/sample/{names[0]}")]
        for body in bodies:
            assert "secret" not in body
            assert not re.search(r"\bann\b", body)
            # The stratum, the chance and the weight follow from the judges' verdicts.
            assert not re.search(r"unsettled|0\.0129|77\.5", body)
        assert "<strong>You</strong>: wrong" in bodies[1]
    assert [row[:2] for row in list_grades(page)] == [("q0", "ann"), ("q0", "bob")]


def test_whoever_has_no_name_is_asked_and_comes_back(
    serve_answers: Serve, names: list[str]
) -> None:
    with serve_answers("") as page:
        asked = page.request("GET", f"/?sample={names[2]}")
        assert (asked.status, asked.headers["location"]) == (303, f"/reviewer?sample={names[2]}")
        form = page.request("GET", asked.headers["location"]).body.decode()
        assert f'data-address="/?sample={names[2]}"' in form
        assert "The page shows it to nobody else." in form
        odd = page.request("GET", '/?sample="><script>')
        assert odd.headers["location"] == "/reviewer"
        assert grade(page, names[0]).status == 409


def test_a_damaged_file_is_named(serve_answers: Serve, names: list[str]) -> None:
    with serve_answers() as page:
        page.journal.path.write_text("{}\n", encoding="utf-8")
        reply = grade(page, names[0])
        assert reply.status == 500
        assert "grades.jsonl line 1" in reply.json["message"]
    with pytest.raises(RunError, match="line 1"), serve_answers():
        pass


def enter(tab: Page, link: str) -> None:
    tab.goto(link)
    tab.wait_for_url("**/?sample=*")


def test_answers_are_graded_by_keyboard(served: Any, tab: Page, press: Callable[..., None]) -> None:
    enter(tab, served.link)
    expect(tab.locator("h1")).to_have_text("What does the bar do?")
    tab.wait_for_function("() => document.querySelector('video')?.currentTime > 0.2")
    press("y")
    assert list_grades(served) == [("q0", "ann", True, None)]
    # A score goes with the verdict, and can be taken away again.
    expect(tab.get_by_role("region", name="Published answer")).to_contain_text("yellow")
    expect(tab.get_by_role("region", name="Answer to grade")).to_contain_text("golden")
    tab.keyboard.press("4")
    expect(tab.get_by_role("button", name="Score 4")).to_have_attribute("aria-pressed", "true")
    tab.keyboard.press("4")
    expect(tab.get_by_role("button", name="Score 4")).to_have_attribute("aria-pressed", "false")
    press("0", "3", "n")
    expect(tab.get_by_role("button", name="Score 3")).to_have_attribute("aria-pressed", "false")
    expect(tab.locator(".trouble")).to_contain_text("gone.mp4: the video is not there any more.")
    # With a score, "cannot say" leaves the score out.
    press("e", *"too dark", "Enter", "2", "u")
    expect(tab.locator("[data-queue=answers] .count")).to_have_text("3/5")
    expect(tab.locator("#said")).to_have_text("Saved: cannot say.")
    press("z")
    expect(tab.locator("#said")).to_have_text("Taken back: cannot say.")
    expect(tab.locator(".meta")).to_contain_text("q2")
    press("k")
    expect(tab.get_by_role("button", name="Wrong")).to_have_attribute("aria-pressed", "true")
    expect(tab.get_by_role("button", name="Score 3")).to_have_attribute("aria-pressed", "true")
    # What stands can be changed; the page goes on to what is not graded yet.
    press("y")
    expect(tab.locator(".meta")).to_contain_text("q2")
    press("y")
    # Markup of a benchmark is text.
    assert tab.locator("h1").inner_text() == SCRIPT
    assert tab.locator("img[onerror], [onfocus]").count() == 0
    press("j")
    expect(tab.locator("h1")).to_have_text("(no question)")
    press("n")
    tab.keyboard.press("n")
    expect(tab.locator("#said")).to_have_text("Saved: wrong. Nothing is left to judge here.")
    assert list_grades(served) == [
        ("q0", "ann", True, None),
        ("q1", "ann", False, 3),
        ("q2", "ann", None, None),
        ("q2", "ann", None, None),
        ("q1", "ann", True, 3),
        ("q2", "ann", True, None),
        ("q4", "ann", False, None),
        ("q3", "ann", False, None),
    ]
    made = served.journal.read()
    assert [each.takes_back for each in made] == [number == 3 for number in range(8)]
    assert made[2].note == "too dark"
    assert tab.evaluate("window.owned") is None


def test_the_clip_is_played_and_the_keys_of_the_player_act(
    served: Any, names: list[str], tab: Page
) -> None:
    enter(tab, f"{served.link}&sample={names[1]}")
    tab.wait_for_function("() => document.querySelector('video')?.readyState >= 2")
    expect(tab.get_by_role("button", name="Loop clip")).to_be_visible()
    tab.keyboard.press(" ")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Home")
    tab.wait_for_function("() => Math.abs(document.querySelector('video').currentTime - 1) < 0.01")
    assert list_grades(served) == []


def test_a_tab_left_behind_is_told_and_saves_nothing(
    served: Any, tab: Page, press: Callable[..., None]
) -> None:
    enter(tab, served.link)
    behind = tab.context.new_page()
    behind.goto(tab.url)
    press("y")
    behind.keyboard.press("n")
    expect(behind.locator("#said")).to_contain_text("You changed your grade of this answer")
    expect(behind.locator("#sample .judged")).to_contain_text("You: right")
    assert list_grades(served) == [("q0", "ann", True, None)]
    press("n", on=behind)
    # The other tab's undo would take back what it does not know of.
    tab.keyboard.press("z")
    tab.wait_for_load_state()
    assert len(served.journal.read()) == 2


def test_answers_are_graded_by_touch_on_a_phone(served: Any, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    tab = context.new_page()
    enter(tab, served.link)
    tab.get_by_role("button", name="Score 5").tap()
    tab.get_by_label("Note, kept with the decision").fill("fine")
    tab.get_by_role("button", name="Right").tap()
    expect(tab.locator(".meta")).to_contain_text("q1")
    tab.get_by_role("button", name="Undo").tap()
    expect(tab.locator(".meta")).to_contain_text("q0")
    tab.get_by_role("button", name="Cannot say").tap()
    expect(tab.locator("[data-queue=answers] .count")).to_have_text("1/5")
    rows = [json.loads(line) for line in served.journal.path.read_text().splitlines()]
    assert [(row["correct"], row["score"], row["note"]) for row in rows] == [
        (True, 5, "fine"),
        (None, None, ""),
        (None, None, ""),
    ]
    context.close()


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("number", [1, 3])
def test_everything_fits_and_has_a_name(
    served: Any,
    names: list[str],
    browser: Browser,
    width: int,
    number: int,
    list_nameless: Callable[[Page], list[str]],
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    tab = context.new_page()
    enter(tab, f"{served.link}&sample={names[number]}")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert list_nameless(tab) == []
    # The question, both answers and the verdicts are on the first screen, none over another.
    boxes = [
        tab.locator("h1").bounding_box(),
        tab.get_by_role("region", name="Published answer").bounding_box(),
        tab.get_by_role("region", name="Answer to grade").bounding_box(),
        tab.locator(".bar").bounding_box(),
    ]
    below = 0.0
    for box in boxes:
        assert box
        assert box["y"] >= below
        below = box["y"] + box["height"]
    assert below <= 844
    context.close()
