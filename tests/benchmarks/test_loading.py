"""Bad rows are told about at once, or skipped and kept on record."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.benchmarks.loading import load, read_contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video

HERE = Path("folder")


def sample(sample_id: str) -> Sample:
    return Sample(sample_id, "b", Video("v"), "?", ("x", "y"), 0, "t")


def bad_row(number: int) -> BadRow:
    return BadRow("b", "x.json", number, f"id{number}", "answer", "target_empty", "it is empty")


@pytest.fixture
def make() -> Callable[..., Benchmark]:
    def make_benchmark(*rows: Row) -> Benchmark:
        def read(_: Path) -> Iterator[Row]:
            return iter(rows)

        return Benchmark("b", "custom", "x.json", read)

    return make_benchmark


def test_rows_are_sorted_by_what_they_are(make: Callable[..., Benchmark]) -> None:
    question = OpenQuestion("o", "b", Video("v"), "?", "4", "t")
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


def test_a_reader_that_repeats_an_id_is_refused(make: Callable[..., Benchmark]) -> None:
    with pytest.raises(BenchmarkError, match="gives id '1' to two questions"):
        read_contents(make(sample("1"), sample("1")), HERE)
