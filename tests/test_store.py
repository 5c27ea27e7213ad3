"""The store: first answer stays, failures apart, content verified, one clear error per damage."""

import sqlite3
from pathlib import Path

import pytest

from video_oasis.errors import RunError
from video_oasis.schema import Answer, FinishReason, Frame, Request, Usage
from video_oasis.store import AnswerKey, Failure, NewAnswer, Store, make_model_id

REQUEST = Request("", "Which?", ("A", "B"))
KEY = AnswerKey(REQUEST.id, 0)
MODEL = make_model_id({"backend": "test"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


def test_an_answer_comes_back_as_it_was(path: Path) -> None:
    answer = Answer("ünï\n(A)", FinishReason.LENGTH, Usage(12, None), (0.25, 0.75))
    with Store.create(path) as store:
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, answer)])
    with Store.read(path) as store:
        assert store.answers(MODEL) == {KEY: answer}
        assert store.answer_keys(MODEL) == {KEY}


def test_the_first_answer_stays(path: Path) -> None:
    with Store.create(path) as store:
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("B"))])
        assert store.answers(MODEL)[KEY].text == "A"


def test_models_and_draws_are_apart(path: Path) -> None:
    with Store.create(path) as store:
        second = AnswerKey(REQUEST.id, 1)
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
        store.put_answers(MODEL, [NewAnswer(second, REQUEST, Answer("B"))])
        store.put_answers("other", [NewAnswer(KEY, REQUEST, Answer("C"))])
        texts = {key.draw: answer.text for key, answer in store.answers(MODEL).items()}
        assert texts == {0: "A", 1: "B"}


def test_a_failure_shows_until_an_answer_comes(path: Path) -> None:
    with Store.create(path) as store:
        store.put_failures(MODEL, [(KEY, Failure("timeout", "120 s"))])
        store.put_failures(MODEL, [(KEY, Failure("http_500", "oops"))])
        assert store.answer_keys(MODEL) == frozenset()
        assert store.failures(MODEL) == {KEY: Failure("http_500", "oops")}
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
        assert store.failures(MODEL) == {}


def test_half_characters_are_mended_wherever_they_come_from(path: Path) -> None:
    request = Request("half \ud800", "Which \ud83d?", ("A",), choices=("\udfff",))
    key = AnswerKey(request.id, 0)
    with Store.create(path) as store:
        store.put_failures(MODEL, [(key, Failure("bad_reply", "said \udc00"))])
        assert store.failures(MODEL) == {key: Failure("bad_reply", "said \ufffd")}
        store.put_answers(MODEL, [NewAnswer(key, request, Answer("A, not \ud83d"))])
        assert store.answers(MODEL)[key].text == "A, not \ufffd"
        assert request.id not in store.verify()


def test_frames_are_part_of_what_is_verified(path: Path) -> None:
    frames = (Frame("ab12", 0.5), Frame("cd34", 1.0 / 3 + 1))
    request = Request("", "Which?", ("A", "B"), frames)
    with Store.create(path) as store:
        store.put_answers(MODEL, [NewAnswer(AnswerKey(request.id, 0), request, Answer("A"))])
        store.put_model(MODEL, {"backend": "test"})
        assert store.verify() == []
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE frame_lists SET frames = replace(frames, 'ab12', 'ab13')")
    connection.close()
    with Store.read(path) as store:
        assert store.verify() == [request.id]


def test_findings_are_kept_by_model(path: Path) -> None:
    with Store.create(path) as store:
        store.put_findings(MODEL, [{"task": "t", "effect": 0.5}])
        assert store.findings(MODEL) == [{"task": "t", "effect": 0.5}]
        assert store.findings("other") == []


def test_a_failed_transaction_leaves_nothing_half_done(path: Path) -> None:
    with Store.create(path) as store:
        broken = Answer("A", usage=Usage(prompt_tokens=object()))  # type: ignore[arg-type]
        with pytest.raises(RunError):
            store.put_answers(
                MODEL, [NewAnswer(KEY, REQUEST, Answer("A")), NewAnswer(KEY, REQUEST, broken)]
            )
        assert store.answer_keys(MODEL) == frozenset()
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("B"))])
        assert store.answers(MODEL)[KEY].text == "B"


def test_verify_finds_edited_requests_and_models(path: Path) -> None:
    with Store.create(path) as store:
        store.put_model(MODEL, {"backend": "test"})
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
        assert store.verify() == []
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE requests SET text = 'Which one?'")
        connection.execute("""UPDATE models SET description = '{"backend":"best"}'""")
    connection.close()
    with Store.read(path) as store:
        assert sorted(store.verify()) == sorted([REQUEST.id, MODEL])


def test_verify_finds_answers_whose_request_is_gone(path: Path) -> None:
    with Store.create(path) as store:
        store.put_model(MODEL, {"backend": "test"})
        store.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM requests")
    connection.close()
    with Store.read(path) as store:
        assert store.verify() == [REQUEST.id]


def test_reading_where_nothing_is_stored_says_so(path: Path) -> None:
    with pytest.raises(RunError, match="no answers are stored there yet"):
        Store.read(path)


def test_a_file_that_is_no_store_is_refused(path: Path) -> None:
    path.write_bytes(b"this is not a database, though it is long enough to be read as one" * 20)
    with pytest.raises(RunError, match="not a database"):
        Store.create(path)
    with pytest.raises(RunError, match="not a database"):
        Store.read(path)


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(RunError, match="version 99"):
        Store.create(path)


def test_a_reader_looks_on_while_a_writer_writes(path: Path) -> None:
    with Store.create(path) as writer, Store.read(path) as reader:
        assert reader.answers(MODEL) == {}
        writer.put_answers(MODEL, [NewAnswer(KEY, REQUEST, Answer("A"))])
        assert reader.answers(MODEL) == {KEY: Answer("A")}
