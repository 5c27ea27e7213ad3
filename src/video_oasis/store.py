"""The answers of a run, kept by (request, model, draw) in one SQLite file.

The first answer to a key stays; a later one is ignored. Failures live in a table of their own, so
that they are never taken for answers and are asked again. Requests and model descriptions are kept
beside their ids, which lets ``verify`` prove that nothing was edited.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from video_oasis.errors import RunError
from video_oasis.hashing import canonical_json, content_id
from video_oasis.schema import Answer, FinishReason, Frame, ReplyField, Request, Usage
from video_oasis.surrogates import replace_surrogates

_LAYOUT_VERSION: Final = 3

_LAYOUT: Final = """
CREATE TABLE requests (
    id TEXT PRIMARY KEY, system TEXT NOT NULL, text TEXT NOT NULL, letters TEXT NOT NULL,
    choices TEXT NOT NULL, fields TEXT NOT NULL, frames TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE frame_lists (id TEXT PRIMARY KEY, frames TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE models (id TEXT PRIMARY KEY, description TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE answers (
    key TEXT NOT NULL, model TEXT NOT NULL, draw INTEGER NOT NULL,
    request TEXT NOT NULL, text TEXT NOT NULL, finish_reason TEXT NOT NULL,
    prompt_tokens INTEGER, completion_tokens INTEGER, letter_probabilities TEXT,
    note TEXT NOT NULL, answered_at REAL NOT NULL,
    PRIMARY KEY (model, key, draw)
) WITHOUT ROWID;
CREATE TABLE failures (
    key TEXT NOT NULL, model TEXT NOT NULL, draw INTEGER NOT NULL,
    kind TEXT NOT NULL, message TEXT NOT NULL, failed_at REAL NOT NULL
);
CREATE INDEX failures_by_key ON failures (model, key, draw);
CREATE TABLE findings (model TEXT PRIMARY KEY, findings TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What an answer is kept under.

    Attributes:
        key: id of what was asked: the request's id, or for a fitted model, whose answer also
            depends on which samples its fit saw, an id over the request and the sample.
        draw: which of several independent answers it is, from 0.
    """

    key: str
    draw: int


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the last try to get an answer brought none."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer to store.

    Attributes:
        key: what it is kept under.
        request: the request it answers.
        answer: the answer.
    """

    key: AnswerKey
    request: Request
    answer: Answer


class Store:
    """The open file of answers.

    Use ``Store.create`` to write and ``Store.read`` to look on while another process writes.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Wrap an open connection; use ``create`` or ``read`` instead."""
        self._connection = connection
        self._path = path

    @classmethod
    def create(cls, path: Path) -> Self:
        """Open the file for writing, making it if it is not there.

        Raises:
            RunError: the file is no store of this version.
        """
        with _clear_errors(path):
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing at this level; only a power cut may, and never order.
            connection.execute("PRAGMA synchronous = NORMAL")
            if _version(connection) == 0:
                connection.executescript(
                    f"BEGIN; {_LAYOUT} PRAGMA user_version = {_LAYOUT_VERSION}; COMMIT;"
                )
            _check_version(connection, path)
        return cls(connection, path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open an existing file for reading.

        Raises:
            RunError: there is none, or it is no store of this version.
        """
        if not path.is_file():
            raise RunError(f"{path}: no answers are stored there yet; start with 'oasis audit'")
        with _clear_errors(path):
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            _check_version(connection, path)
        return cls(connection, path)

    @classmethod
    def read_or_empty(cls, path: Path) -> Self:
        """Open an existing file for reading, or an empty store where there is none.

        Raises:
            RunError: the file is no store of this version.
        """
        if path.is_file():
            return cls.read(path)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(_LAYOUT)
        return cls(connection, path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the file."""
        self.close()

    def put_model(self, model_id: str, description: Mapping[str, Any]) -> None:
        """Keep the description that a model's id is made from."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO models VALUES (?, ?)",
                (model_id, canonical_json(description)),
            )

    def put_answers(self, model_id: str, answers: Sequence[NewAnswer]) -> None:
        """Store answers in one transaction; where there is one already, it stays."""
        now = time.time()
        shown = {new.request.frames for new in answers}
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO frame_lists VALUES (?, ?)",
                ((_list_id(frames), _write_frames(frames)) for frames in shown if frames),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        new.request.id,
                        new.request.system,
                        new.request.text,
                        json.dumps(new.request.letters),
                        json.dumps(new.request.choices),
                        json.dumps([(each.name, each.values) for each in new.request.fields]),
                        _list_id(new.request.frames),
                    )
                    for new in answers
                ),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        new.key.key,
                        model_id,
                        new.key.draw,
                        new.request.id,
                        new.answer.text,
                        new.answer.finish_reason,
                        new.answer.usage.prompt_tokens,
                        new.answer.usage.completion_tokens,
                        json.dumps(new.answer.letter_probabilities)
                        if new.answer.letter_probabilities is not None
                        else None,
                        new.answer.note,
                        now,
                    )
                    for new in answers
                ),
            )

    def put_failures(self, model_id: str, failures: Iterable[tuple[AnswerKey, Failure]]) -> None:
        """Record tries that brought no answer, in one transaction."""
        now = time.time()
        with self._transaction() as connection:
            connection.executemany(
                "INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (key.key, model_id, key.draw, failure.kind, message, now)
                    for key, failure in failures
                    for message in [replace_surrogates(failure.message)]
                ),
            )

    def put_findings(self, model_id: str, findings: Sequence[Mapping[str, Any]]) -> None:
        """Keep what a fitted model learned."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO findings VALUES (?, ?)", (model_id, canonical_json(findings))
            )

    def answer_keys(self, model_id: str) -> frozenset[AnswerKey]:
        """Return what a model has answered."""
        rows = self._connection.execute(
            "SELECT key, draw FROM answers WHERE model = ?", (model_id,)
        )
        return frozenset(AnswerKey(key, draw) for key, draw in rows)

    def answers(self, model_id: str) -> dict[AnswerKey, Answer]:
        """Return a model's answers."""
        rows = self._connection.execute(
            "SELECT key, draw, text, finish_reason, prompt_tokens, completion_tokens, "
            "letter_probabilities, note FROM answers WHERE model = ?",
            (model_id,),
        )
        return {
            AnswerKey(key, draw): Answer(
                text=text,
                finish_reason=FinishReason(finish_reason),
                usage=Usage(prompt_tokens, completion_tokens),
                letter_probabilities=None if scores is None else tuple(json.loads(scores)),
                note=note,
            )
            for (
                key,
                draw,
                text,
                finish_reason,
                prompt_tokens,
                completion_tokens,
                scores,
                note,
            ) in rows
        }

    def failures(self, model_id: str) -> dict[AnswerKey, Failure]:
        """Return the last failure of each question that a model has still not answered."""
        rows = self._connection.execute(
            "SELECT failures.key, failures.draw, kind, message FROM failures "
            "LEFT JOIN answers USING (model, key, draw) "
            "WHERE failures.model = ? AND answers.key IS NULL ORDER BY failures.rowid",
            (model_id,),
        )
        return {AnswerKey(key, draw): Failure(kind, message) for key, draw, kind, message in rows}

    def findings(self, model_id: str) -> list[dict[str, Any]]:
        """Return what a fitted model learned; empty for other models."""
        row = self._connection.execute(
            "SELECT findings FROM findings WHERE model = ?", (model_id,)
        ).fetchone()
        return [] if row is None else list(json.loads(row[0]))

    def verify(self) -> list[str]:
        """Check that every kept request and model still has the content its id names.

        Returns:
            The ids that do not, and the ids that answers refer to and that are not there.
        """
        wrong = [
            request_id
            for request_id, *shown in self._connection.execute(
                "SELECT requests.id, system, text, letters, choices, fields, frame_lists.frames "
                "FROM requests LEFT JOIN frame_lists ON frame_lists.id = requests.frames"
            )
            if _read_request(*shown).id != request_id
        ]
        wrong += [
            model_id
            for model_id, description in self._connection.execute("SELECT * FROM models")
            if make_model_id(json.loads(description)) != model_id
        ]
        for column, table in (("request", "requests"), ("model", "models")):
            wrong += [
                row[0]
                for row in self._connection.execute(
                    f"SELECT DISTINCT {column} FROM answers "
                    f"WHERE {column} NOT IN (SELECT id FROM {table})"
                )
            ]
        return wrong

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _clear_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


def make_model_id(description: Mapping[str, Any]) -> str:
    """Name a model by everything that changes its answers."""
    return content_id("model1", description)


def _list_id(frames: tuple[Frame, ...]) -> str:
    """Name a list of frames, which all questions that show it share; empty for no frames."""
    return content_id("frames1", _plain(frames)) if frames else ""


def _write_frames(frames: tuple[Frame, ...]) -> str:
    return canonical_json(_plain(frames))


def _plain(frames: tuple[Frame, ...]) -> list[tuple[str, float]]:
    return [(frame.digest, frame.seconds) for frame in frames]


def _read_request(
    system: str, text: str, letters: str, choices: str, fields: str, frames: str | None
) -> Request:
    return Request(
        system=system,
        text=text,
        letters=tuple(json.loads(letters)),
        frames=tuple(Frame(*each) for each in json.loads(frames or "[]")),
        choices=tuple(json.loads(choices)),
        fields=tuple(ReplyField(name, tuple(values)) for name, values in json.loads(fields)),
    )


def _version(connection: sqlite3.Connection) -> int:
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        return int(cursor.fetchone()[0])


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    found = _version(connection)
    if found != _LAYOUT_VERSION:
        raise RunError(
            f"{path}: its layout is version {found}, this program writes version "
            f"{_LAYOUT_VERSION}; use the program it was made with, or another run folder"
        )


@contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise RunError(
            f"{path}: cannot be used as a file of answers ({error}); check that the disk has room "
            f"and that the file is not damaged, or start another run folder"
        ) from error
