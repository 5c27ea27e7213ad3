"""Files of judgements: read back to the same, merged as sets, and refused with the row named."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import JudgementsError
from video_oasis.judgements.exchange import merge, read_judgements, write_judgements
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.judgements.matching import match_sample
from video_oasis.schema import Sample

Judge = Callable[..., Judgement]
HEAD = "benchmark,sample_id,reviewer,check,decision,choice,note,made_at\n"

TEXT = st.text(st.characters(exclude_characters="\x00"), min_size=1, max_size=8)
JUDGEMENTS = st.lists(
    st.builds(
        lambda sample, note, minute, choice: Judgement(
            benchmark="bench",
            sample_id=f"s{sample}",
            reviewer="ann",
            check="",
            decision=Decision.KEEP if choice is None else Decision.CORRECT,
            choice=choice,
            note=note,
            made_at=datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=minute),
        ),
        TEXT,
        st.text(st.characters(exclude_characters="\x00"), max_size=8),
        st.integers(0, 3),
        st.none() | st.integers(0, 3),
    ),
    max_size=4,
)


@given(JUDGEMENTS, st.sampled_from([".jsonl", ".csv", ".CSV"]))
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[Judgement], suffix: str
) -> None:
    file = tmp_path_factory.mktemp("exchange") / f"judgements{suffix}"
    write_judgements(made, file)
    assert read_judgements(file) == tuple(dict.fromkeys(made))


@given(JUDGEMENTS, JUDGEMENTS, JUDGEMENTS)
def test_merging_is_a_set_union(
    one: list[Judgement], two: list[Judgement], three: list[Judgement]
) -> None:
    assert merge(one, two) == merge(two, one)
    assert merge(one, one) == merge(one)
    assert merge(merge(one, two), three) == merge(one, merge(two, three)) == merge(one, two, three)
    assert set(merge(one, two)) == {*one, *two}


def test_merged_judgements_come_in_the_order_they_were_made(judge: Judge) -> None:
    early, late = judge(minute=1), judge(minute=2, reviewer="bob")
    assert merge([late], [early, late]) == (early, late)


def test_a_spreadsheet_s_file_is_read(tmp_path: Path, judge: Judge) -> None:
    file = tmp_path / "judgements.csv"
    file.write_bytes(
        b"\xef\xbb\xbfsample_id,benchmark,reviewer,decision,choice,made_at\r\n"
        b"s1,bench,ann,correct,2.0,2026-11-30T09:00:00Z\r\n"
        b"\r\n"
        b"s1,bench,ann,keep,,2026-11-30T10:00:00+01:00\r\n"
    )
    assert read_judgements(file) == (judge("correct", choice=2), judge())


def test_every_bad_row_is_named_with_its_field(tmp_path: Path) -> None:
    file = tmp_path / "judgements.csv"
    good = "bench,s1,ann,,keep,,,2026-11-30T09:00:00Z\n"
    file.write_text(
        HEAD + good + good.replace("keep", "maybe") + good.replace("ann", "")
        + good.replace("keep,", "correct,B") + "bench,s1\n" + good.replace("Z", "")
    )  # fmt: skip
    with pytest.raises(JudgementsError) as raised:
        read_judgements(file)
    lines = str(raised.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        f"{file} row {number}" for number in (2, 3, 4, 5, 6)
    ]
    assert "decision is 'maybe'" in lines[0]
    assert "reviewer is empty" in lines[1]
    assert "choice is 'B'" in lines[2]
    assert "2 cells; expected 8" in lines[3]
    assert "made_at is '2026-11-30T09:00:00', without a time zone" in lines[4]


def test_bad_lines_are_named_by_line_and_only_so_many(tmp_path: Path, judge: Judge) -> None:
    file = tmp_path / "judgements.jsonl"
    write_judgements([judge()], file)
    file.write_text(file.read_text() + "\n" + "[" * 100_000 + "\n" + "{\n" * 30)
    with pytest.raises(JudgementsError) as raised:
        read_judgements(file)
    lines = str(raised.value).splitlines()
    assert lines[0].startswith(f"{file} row 3: ")
    assert lines[-1] == "and 11 more rows"
    assert len(lines) == 21


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("j.txt", b"", r"ends in '\.txt'; expected \.jsonl or \.csv"),
        ("j.csv", b"", "the first line is ''; expected the names of the fields"),
        ("j.csv", HEAD.replace(",", ";").encode(), "expected the names of the fields"),
        ("j.csv", HEAD.replace("note", "choice").encode(), "each once"),
        ("j.csv", HEAD.encode() + b'bench,"s1', "not CSV"),
        ("j.jsonl", "größer".encode("latin-1"), "not text in UTF-8"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(JudgementsError, match=message):
        read_judgements(tmp_path / name)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path, judge: Judge) -> None:
    with pytest.raises(JudgementsError, match="cannot be read"):
        read_judgements(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(JudgementsError, match="cannot be written"):
        write_judgements([judge()], tmp_path / "folder.csv")


def test_rows_about_no_sample_or_choice_are_refused(
    tmp_path: Path, judge: Judge, make_sample: Callable[..., Sample]
) -> None:
    samples = {("bench", "s1"): make_sample()}
    file = tmp_path / "judgements.jsonl"
    write_judgements(
        [
            judge("correct", choice=3),
            judge("correct", choice=4),
            judge(sample="s9"),
            judge(benchmark="other"),
        ],
        file,
    )
    with pytest.raises(JudgementsError) as raised:
        read_judgements(file, check=partial(match_sample, samples=samples))
    assert str(raised.value).splitlines() == [
        f"{file} row 2: choice is 4; sample 's1' has 4 choices, 0 to 3",
        f"{file} row 3: sample_id is 's9'; bench has no such sample here",
        f"{file} row 4: benchmark is 'other'; expected one of: bench",
    ]
