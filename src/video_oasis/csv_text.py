"""Writes CSV that reads back to the same, whatever the cells hold."""

import csv
import io
from collections.abc import Iterable


def write_csv(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Write a head and rows as CSV; None is an empty cell.

    Lines end as RFC 4180 has it: with any other end, a carriage return in a cell would be written
    without quotes, and read as the end of its row.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
