"""Who may come in, and what no request can reach: plain HTTP, as no browser would send it."""

import http.client
import re
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from video_oasis.review.guard import MAX_BODY_BYTES, Access


def judge(served: Any, name: str, **changes: Any) -> Any:
    form = {
        "sample": name, "seen": "", "reviewer": "ann", "query": "queue=consistency",
        "decision": "keep", "choice": None, "note": "",
    }  # fmt: skip
    return served.request("POST", "/judgements", body=form | changes)


@pytest.fixture
def name(made_run: Any) -> str:
    return str(made_run.name("q00"))


def list_tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """List the tags of a page with their attributes."""
    tags: list[tuple[str, dict[str, str | None]]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append((tag, dict(attrs)))  # type: ignore[method-assign]
    parser.feed(page)
    return tags


def list_pages(made_run: Any, name: str) -> Iterator[str]:
    shown = made_run.contents.samples[name]
    digest = shown.view.showings[0].frames[0]
    yield from ("/", "/reviewer", f"/sample/{name}", f"/shown/{name}/chunk", f"/frames/{name}")
    yield from (f"/frame/{name}/{digest}", f"/video/{shown.source.name}", "/static/review.js")


def test_nobody_comes_in_without_the_cookie(served: Any, made_run: Any, name: str) -> None:
    for path in list_pages(made_run, name):
        assert served.request("GET", path).status == 200, path
        for headers in ({}, {"Cookie": f"{served.access.cookie}=guess"}):
            refused = served.request("GET", path, headers=headers, with_cookie=False)
            assert refused.status == 403, path
            assert b"Open the link" in refused.body
    assert judge(served, name).status == 200
    refused = served.request("POST", "/judgements", body={}, with_cookie=False)
    assert refused.status == 403
    assert len(served.judgements) == 1


def test_the_token_is_traded_for_a_cookie_that_scripts_and_other_sites_do_not_get(
    served: Any,
) -> None:
    entry = served.request(
        "GET", f"/?token={served.access.token}&queue=all&text=%22%3E%3Cb", with_cookie=False
    )
    assert entry.status == 200
    cookie = entry.headers["set-cookie"]
    assert cookie.startswith(f"{served.access.cookie}={served.access.session};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    # It goes on to an address of ours, without the token.
    assert b'content="0;url=/?queue=all&amp;text=%22%3E%3Cb"' in entry.body
    assert served.access.token.encode() not in entry.body
    for token in ("", "guess", served.access.token[:-1], served.access.session):
        refused = served.request("GET", f"/?token={token}", with_cookie=False)
        assert refused.status == 403
        assert "set-cookie" not in refused.headers


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "[::2]",
        "0.0.0.0",
        "",
    ],
)
def test_a_host_that_is_not_ours_is_refused(served: Any, name: str, host: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port)
    connection.putrequest("GET", f"/sample/{name}", skip_host=True)
    connection.putheader("Host", host)
    connection.putheader("Cookie", f"{served.access.cookie}={served.access.session}")
    connection.endheaders()
    assert connection.getresponse().status == 403
    connection.close()


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:5", "127.9.9.9"]
)
def test_names_of_this_machine_are_ours_whatever_the_port(
    served: Any, name: str, host: str
) -> None:
    # A tunnel ends at another port than the server's.
    assert served.request("GET", f"/sample/{name}", headers={"Host": host}).status == 200


def test_another_address_has_to_be_asked_for() -> None:
    local, everywhere = Access("127.0.0.1"), Access("0.0.0.0")
    named = Access("lab.example")
    assert local.is_local
    assert not everywhere.is_local
    assert everywhere.admits_host("10.0.0.1:8642")
    assert not everywhere.admits_host("evil.example")
    assert named.admits_host("lab.example:8642")
    assert not named.admits_host("evil.example")
    assert not local.admits_host("lab.example")
    assert len({local.token, local.session, everywhere.token, everywhere.session}) == 4
    assert len(local.token) > 40


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1"]
)
@pytest.mark.parametrize("path", ["/judgements", "/undo", "/reviewer"])
def test_a_change_asked_for_by_another_site_is_refused(served: Any, path: str, origin: str) -> None:
    refused = served.request("POST", path, body={}, headers={"Origin": origin})
    assert refused.status == 403
    assert b"does not come from a page of this server" in refused.body
    assert not served.journal.path.exists()


def test_no_path_of_a_request_reaches_the_disk(served: Any, made_run: Any, name: str) -> None:
    (made_run.folder.path / "secret.txt").write_text("secret", encoding="utf-8")
    shown = made_run.contents.samples[name]
    folder = made_run.folder.path
    wanted = [
        "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
        "%2fetc%2fpasswd", "clip0.mp4", "..%5c..%5cetc%5cpasswd", "%00", "secret.txt",
        f"{folder}/secret.txt", str(shown.source.file), "answers.sqlite", "a" * 5000,
    ]  # fmt: skip
    for base in ("/", "/video/", "/static/", f"/frame/{name}/", "/frame/", f"/shown/{name}/"):
        for path in wanted:
            reply = served.request("GET", base + path)
            assert reply.status in (200, 404), (base, path)
            if reply.status == 200:
                # What a test showed of a sample is nothing, if there is no such test.
                assert base == f"/shown/{name}/"
                assert reply.body == b""
    # A frame of the run is given under its own sample's name only.
    stranger = made_run.name("q21")
    digest = shown.view.showings[0].frames[0]
    assert served.request("GET", f"/frame/{stranger}/{digest}").status == 404


def test_the_video_of_the_hostile_path_is_not_there(served: Any, made_run: Any) -> None:
    hostile = next(
        each for each in made_run.contents.samples.values() if "passwd" in each.sample.video.path
    )
    assert hostile.source.file is None
    assert served.request("GET", f"/video/{hostile.source.name}").status == 404
    assert served.request("GET", f"/frames/{hostile.name}").json == []


def test_videos_are_sent_in_ranges(served: Any, made_run: Any, name: str) -> None:
    source = made_run.contents.samples[name].source
    path, content = f"/video/{source.name}", source.file.read_bytes()
    whole = served.request("GET", path)
    assert (whole.status, whole.body) == (200, content)
    assert whole.headers["content-type"] == "video/mp4"
    assert whole.headers["accept-ranges"] == "bytes"
    for wanted, start, end in (
        ("bytes=0-", 0, len(content)),
        ("bytes=10-19", 10, 20),
        ("bytes=-5", len(content) - 5, len(content)),
        (f"bytes={len(content) - 3}-{len(content) + 500}", len(content) - 3, len(content)),
    ):
        part = served.request("GET", path, headers={"Range": wanted})
        assert (part.status, part.body) == (206, content[start:end]), wanted
        assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{len(content)}"
    beyond = served.request("GET", path, headers={"Range": f"bytes={len(content)}-"})
    assert beyond.status == 416
    assert beyond.headers["content-range"] == f"bytes */{len(content)}"
    assert served.request("HEAD", path).body == b""
    assert served.request("GET", "/video/0123456789abcdef").status == 404


def test_every_answer_is_sealed(served: Any, made_run: Any, name: str) -> None:
    replies = [served.request("GET", path) for path in list_pages(made_run, name)]
    replies += [
        served.request("GET", "/nowhere"),
        served.request("GET", "/", with_cookie=False),
        served.request("GET", f"/?token={served.access.token}", with_cookie=False),
        served.request("POST", "/judgements", body={}),
    ]
    for reply in replies:
        policy = dict(
            part.split(" ", 1) for part in reply.headers["content-security-policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert {
            policy[f"{kind}-src"] for kind in ("script", "style", "img", "media", "connect")
        } == {"'self'"}
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "cache-control" in reply.headers
    # The page has the hostile task among its filters.
    tags = list_tags(replies[0].body.decode())
    assert {tag for tag, _ in tags} >= {"script", "video", "option"}
    for tag, attributes in tags:
        assert tag != "style"
        assert not any(each.startswith("on") or each == "style" for each in attributes)
        assert tag != "script" or attributes.keys() == {"type", "src"}
        for target in (attributes.get("src"), attributes.get("href")):
            assert target is None or re.match(r"[/#](?!/)", target)


def test_markup_of_a_benchmark_is_text_in_every_part(served: Any, made_run: Any) -> None:
    hostile = next(
        each for each in made_run.contents.samples.values() if "passwd" in each.sample.video.path
    )
    for path in (
        "/?queue=all&text=passwd",
        f"/sample/{hostile.name}",
        f"/shown/{hostile.name}/chunk",
    ):
        body = served.request("GET", path).body.decode()
        assert "<script>document" not in body
        assert "<img src=x" not in body
        assert "' onfocus='" not in body
    odd = served.request("GET", '/?queue=all&text=%22%3E%3Cscript%3E&task=%3Cb%3E&benchmark="').body
    assert b"<script>" not in odd
    assert b"<b>" not in odd
    suggested = served.request("GET", "/reviewer?text=%22%3E%3Cscript%3E").body
    assert b"<script>" not in suggested


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"decision": "withdraw"}, 422, "decision is 'withdraw'"),
        ({"decision": "burn"}, 422, "decision is 'burn'"),
        ({"decision": "other", "note": " "}, 422, "note is empty"),
        ({"decision": "other", "note": "x" * 2001}, 422, "note"),
        ({"decision": "correct"}, 422, "choice is None"),
        ({"decision": "correct", "choice": 4}, 422, "choice is 4"),
        ({"decision": "correct", "choice": -1}, 422, "choice is -1"),
        ({"decision": "correct", "choice": 0}, 422, "published answer"),
        ({"decision": "keep", "choice": 1}, 422, "choice is 1"),
        ({"decision": "restore"}, 422, "sensitivity"),
        ({"sample": "0123456789abcdef"}, 404, ""),
        ({"sample": 7}, 422, "sample"),
        ({"extra": 1}, 422, "extra"),
        ({"reviewer": "bob"}, 409, "reviews as ann"),
        ({"seen": "judgement1-0"}, 409, "taken back meanwhile"),
        ({"note": "x" * MAX_BODY_BYTES}, 413, ""),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_with_a_reason(
    served: Any, name: str, changes: dict[str, Any], status: int, words: str
) -> None:
    reply = judge(served, name, **changes)
    assert reply.status == status
    if words:
        assert words in reply.json["message"]
    assert served.judgements == ()


def test_odd_filters_of_an_address_are_passed_over(served: Any, name: str) -> None:
    query = "queue=nowhere&decision=withdraw&token_=1&queue=all&x=%ff"
    assert served.request("GET", f"/?{query}&sample=../../etc").status == 200
    assert judge(served, name, query=query).status == 200
    assert served.judgements[0].check == ""


def test_two_servers_and_many_tabs_lose_no_decision(
    serve: Callable[..., Any], made_run: Any, tmp_path: Path
) -> None:
    journal = tmp_path / "shared.jsonl"
    names = list(made_run.contents.samples)
    with (
        serve(reviewer="ann", journal=journal) as one,
        serve(reviewer="bob", journal=journal) as two,
    ):
        statuses: list[int] = []

        def judge_all(served: Any, reviewer: str, its_names: list[str]) -> None:
            statuses.extend(judge(served, each, reviewer=reviewer).status for each in its_names)

        threads = [
            threading.Thread(target=judge_all, args=(served, reviewer, names[start::3]))
            for served, reviewer in ((one, "ann"), (two, "bob"))
            for start in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 48
        assert len(one.judgements) == 48
        # Each server knows what the other wrote.
        page = one.request("GET", "/?queue=all&reviewer=bob&decision=keep").body.decode()
        assert "1 of 24" in page
        again = judge(two, names[0], reviewer="bob")
        assert again.status == 409
    assert len(journal.read_bytes().splitlines()) == 48


def test_the_cookie_of_a_reviewer_outlives_the_server_and_keeps_any_name(
    serve: Callable[..., Any], tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    with serve(journal=journal) as served:
        asked = served.request("GET", "/?queue=all&text=a%20b")
        assert (asked.status, asked.headers["location"]) == (303, "/reviewer?queue=all&text=a+b")
        refused = served.request("POST", "/reviewer", body={"name": " \x00\n "})
        assert refused.status == 422
        reply = served.request("POST", "/reviewer", body={"name": " Zoë;\r\nX: 李\u202e "})
        assert reply.json == {"name": "Zoë; X: 李"}
        cookie = reply.headers["set-cookie"].partition(";")[0]
    with serve(journal=journal) as served:
        session = f"{served.access.cookie}={served.access.session}"
        page = served.request("GET", "/?queue=all", headers={"Cookie": f"{session}; {cookie}"})
        assert 'data-reviewer="Zoë; X: 李"' in page.body.decode()
