"""Bad rows are told about at once, or skipped and kept on record."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.benchmarks.loading import load, load_open, read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video

HERE = Path("folder")


def sample(sample_id: str) -> Sample:
    return Sample(sample_id, "b", Video("v"), "?", ("x", "y"), 0, "t")


def open_question(question_id: str) -> OpenQuestion:
    return OpenQuestion(question_id, "b", Video("v"), "?", "4", "t")


def bad_row(number: int, *, has_choices: bool | None = None) -> BadRow:
    return BadRow(
        "b", "x.json", number, f"id{number}", "answer", "target_empty", "it is empty", has_choices
    )


@pytest.fixture
def make() -> Callable[..., Benchmark]:
    def make_benchmark(*rows: Row) -> Benchmark:
        def read(_: Path) -> Iterator[Row]:
            return iter(rows)

        return Benchmark("b", "custom", "x.json", read)

    return make_benchmark


def test_rows_are_sorted_by_what_they_are(make: Callable[..., Benchmark]) -> None:
    question = open_question("o")
    contents = read_contents(make(sample("1"), question, bad_row(2), sample("2")), HERE)
    assert [one.id for one in contents.samples] == ["1", "2"]
    assert contents.open_questions == (question,)
    assert contents.bad_rows == (bad_row(2),)
    assert (contents.benchmark, contents.group) == ("b", "custom")


def test_bad_rows_are_reported_once_with_count_and_the_first_ten(
    make: Callable[..., Benchmark],
) -> None:
    benchmark = make(sample("1"), *(bad_row(number) for number in range(1, 13)))
    with pytest.raises(BenchmarkError) as caught:
        load(benchmark, HERE, skip_bad=False)
    message = str(caught.value)
    assert "12 of 13 rows" in message
    assert message.count("it is empty") == 10
    assert "x.json row 10 (id10), answer: it is empty" in message
    assert "and 2 more" in message
    assert "--skip-bad" in message


def test_skipped_rows_stay_on_record(make: Callable[..., Benchmark]) -> None:
    contents = load(make(sample("1"), bad_row(2)), HERE, skip_bad=True)
    assert (len(contents.samples), contents.bad_rows) == (1, (bad_row(2),))


def test_nothing_left_to_audit(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match="no multiple-choice question"):
        load(make(bad_row(1)), HERE, skip_bad=True)


def test_open_questions_alone_are_nothing_to_audit(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match=r"1 open questions, .*name their column or columns"):
        load(make(open_question("o")), HERE, skip_bad=False)


def test_open_questions_are_loaded_with_all_else(make: Callable[..., Benchmark]) -> None:
    contents = load_open(make(sample("1"), open_question("o"), bad_row(3)), HERE, skip_bad=True)
    assert contents.open_questions == (open_question("o"),)
    assert (contents.samples, contents.bad_rows) == ((sample("1"),), (bad_row(3),))


def test_bad_rows_stop_open_questions_too(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match="1 of 2 rows cannot be read"):
        load_open(make(open_question("o"), bad_row(2)), HERE, skip_bad=False)


@pytest.mark.parametrize(
    ("has_choices", "stops_audit", "stops_open"),
    [(True, True, False), (False, False, True), (None, True, True)],
)
def test_only_bad_rows_that_may_be_of_the_kind_asked_for_stop_it(
    make: Callable[..., Benchmark],
    has_choices: bool | None,
    stops_audit: bool,
    stops_open: bool,
) -> None:
    bad = bad_row(3, has_choices=has_choices)
    benchmark = make(sample("1"), open_question("o"), bad)
    for read, stops in ((load, stops_audit), (load_open, stops_open)):
        if stops:
            with pytest.raises(BenchmarkError, match="1 of 3 rows cannot be read"):
                read(benchmark, HERE, skip_bad=False)
        else:
            assert read(benchmark, HERE, skip_bad=False).bad_rows == (bad,)


def test_the_message_shows_only_what_stops(make: Callable[..., Benchmark]) -> None:
    rows = (bad_row(2, has_choices=False), bad_row(3, has_choices=True))
    with pytest.raises(BenchmarkError, match=r"1 of 3 rows") as caught:
        load(make(sample("1"), *rows), HERE, skip_bad=False)
    assert "row 3" in str(caught.value)
    assert "row 2" not in str(caught.value)


def test_no_open_question(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match=r"no open question .*1 multiple-choice questions"):
        load_open(make(sample("1")), HERE, skip_bad=False)


def test_a_reader_that_repeats_an_id_is_refused(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match="gives id '1' to two questions"):
        read_contents(make(sample("1"), sample("1")), HERE)
