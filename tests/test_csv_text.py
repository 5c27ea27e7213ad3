"""CSV that reads back to the same."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from video_oasis.csv_text import write_csv

cells = st.text(st.characters(exclude_characters="\0"))


@given(st.lists(st.lists(cells, min_size=2, max_size=2)))
def test_every_cell_reads_back(rows: list[list[str]]) -> None:
    text = write_csv(["a\r", "b"], rows)
    assert [*csv.reader(io.StringIO(text, newline=""), strict=True)] == [["a\r", "b"], *rows]


def test_rows_are_lines_and_none_is_empty() -> None:
    assert write_csv(["a", "b"], [[1, None], ["x,y", 0.5]]) == 'a,b\r\n1,\r\n"x,y",0.5\r\n'
