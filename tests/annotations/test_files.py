"""Every format is read alike, and every broken file is named with the place of the fault."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from video_oasis.annotations.files import find_file, find_files, find_shards, read_file, read_files
from video_oasis.errors import BenchmarkError

ROWS = [{"q": "Wer, wo?", "a": "None"}, {"q": 'say "hi"\nnow', "a": "ü"}]


def columns(path: Path) -> list[dict[str, Any]]:
    return [dict(row.columns) for row in read_file(path, root=path.parent)]


def write_rows(path: Path) -> Path:
    table = pl.DataFrame(ROWS)
    match path.suffix.lower():
        case ".json":
            path.write_text(json.dumps(ROWS), encoding="utf-8")
        case ".jsonl" | ".ndjson":
            table.write_ndjson(path)
        case ".csv":
            table.write_csv(path)
        case ".tsv":
            table.write_csv(path, separator="\t")
        case ".parquet":
            table.write_parquet(path)
        case _:
            table.write_ipc_stream(path)
    return path


@pytest.mark.parametrize(
    "name",
    [
        "x.json",
        "x.jsonl",
        "x.ndjson",
        "x.csv",
        "x.tsv",
        "x.parquet",
        "x.arrow",
        "X.JSON",
        "a b-ü.CSV",
    ],
)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    assert columns(write_rows(tmp_path / name)) == ROWS


def test_rows_know_their_place(tmp_path: Path) -> None:
    (tmp_path / "json").mkdir()
    path = write_rows(tmp_path / "json" / "x.json")
    assert [(row.file, row.number) for row in read_file(path, root=tmp_path)] == [
        ("json/x.json", 1),
        ("json/x.json", 2),
    ]
    assert next(read_files((path,), root=path)).file == "x.json"


def test_text_files_keep_every_value_as_text(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b,c,d,e\nNA,null,None,,007\n", encoding="utf-8")
    assert columns(path) == [{"a": "NA", "b": "null", "c": "None", "d": "", "e": "007"}]


def test_the_ending_may_say_another_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("q,r\ta\n1,2\t3\n", encoding="utf-8")
    (row,) = read_file(path, root=path, delimiter="\t")
    assert row.columns == {"q,r": "1,2", "a": "3"}


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    for name, text in (("x.csv", "q,a\n1,2\n"), ("x.json", '[{"q": "1", "a": "2"}]')):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8-sig")
        assert columns(path) == [{"q": "1", "a": "2"}]


def test_numbers_that_are_none_are_null(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"a": NaN, "b": 1}]', encoding="utf-8")
    assert columns(path) == [{"a": None, "b": 1}]
    pl.DataFrame({"a": [float("nan")], "b": [1]}).write_parquet(tmp_path / "x.parquet")
    assert columns(tmp_path / "x.parquet") == [{"a": None, "b": 1}]


def test_json_may_wrap_its_one_list(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"version": 1, "data": [{"q": "?"}]}', encoding="utf-8")
    assert columns(path) == [{"q": "?"}]


def test_blank_lines_and_unicode_line_ends_do_not_split(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"q": "a\u2028b"}\n\n{"q": "c"}\r\n', encoding="utf-8")
    assert [(row.number, row.columns["q"]) for row in read_file(path, root=path)] == [
        (1, "a\u2028b"),
        (3, "c"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.json", b"", "empty"),
        ("x.json", b" \n", "empty"),
        ("x.json", b"[]", "no rows"),
        ("x.csv", b"q,a\n", "no rows"),
        ("x.json", b'[{"q": "a"},\n {"q": ', "line 2: not JSON"),
        ("x.json", b'[{"q": "a"},\n {"q": ', "end seems to be missing"),
        ("x.json", b"<html></html>", "line 1: not JSON"),
        ("x.json", b'"text"', "a JSON string; expected a list"),
        ("x.json", b'{"a": [1], "b": [2]}', "a JSON object; expected a list"),
        ("x.json", b'[{"q": "a"}, 7]', "row 2: a JSON number"),
        ("x.json", b"[" * 100_000, "nested too deeply"),
        ("x.jsonl", b'{"q": "a"}\n{"q": "b', "line 2: not JSON"),
        ("x.jsonl", b'{"q": "a"}\n[1]\n', "line 2: a JSON list"),
        ("x.json", '[{"q":\n "für"}]'.encode("latin-1"), "line 2: byte 0xfc is not UTF-8"),
        ("x.csv", "q,a\n1,2\n".encode("utf-16"), "not UTF-8"),
        ("x.csv", b'q,a\n"1\n2",3\n4\n', "line 4: 1 values, but 2 columns"),
        ("x.csv", b"q,a\n1,2,3\n", "line 2: 3 values, but 2 columns"),
        ("x.csv", b'q,a\n1,"2\n', "unexpected end of data"),
        ("x.csv", b"q,q\n1,2\n", "column name 'q' repeats"),
        ("x.parquet", b"PAR1 and then nothing", "not a readable .parquet file"),
        ("x.arrow", b"nothing like it", "not a readable .arrow file"),
        ("x.txt", b"q", "cannot tell the format"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BenchmarkError) as caught:
        read_file(path, root=tmp_path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_a_cut_off_parquet_file_is_named(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BenchmarkError, match="cut off"):
        read_file(path, root=tmp_path)


def test_find_files_takes_the_first_pattern_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "json").mkdir()
    for name in ("json/b.json", "json/a.json", "c.json"):
        (tmp_path / name).touch()
    found = find_files(tmp_path, "json/*.json", "*.json")
    assert [path.name for path in found] == ["a.json", "b.json"]
    assert find_files(tmp_path / "json", "json/*.json", "*.json") == found
    assert find_files(tmp_path / "c.json", "other.json") == (tmp_path / "c.json",)


def test_a_missing_file_is_named_with_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(BenchmarkError, match=r"no QA\.json in this folder; it holds README\.md"):
        find_file(tmp_path, "QA.json")
    with pytest.raises(BenchmarkError, match="no such file or folder"):
        find_file(tmp_path / "absent", "QA.json")


def test_several_files_where_one_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "v1.json").touch()
    (tmp_path / "v2.json").touch()
    with pytest.raises(BenchmarkError, match=r"v1\.json, v2\.json all fit"):
        find_file(tmp_path, "v*.json")


def test_shards_of_one_split_are_read_in_order(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for number in (1, 0):
        table = pl.DataFrame({"q": [f"shard {number}"]})
        table.write_parquet(data / f"test-{number:05}-of-00002.parquet")
    (tmp_path / "README.md").touch()
    (tmp_path / "dataset_info.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "old.json").touch()
    rows = read_files(find_shards(tmp_path), root=tmp_path)
    assert [row.columns["q"] for row in rows] == ["shard 0", "shard 1"]


def test_several_splits_need_a_name(tmp_path: Path) -> None:
    for split in ("train", "test"):
        folder = tmp_path / split
        folder.mkdir()
        write_rows(folder / "data-00000-of-00001.arrow")
        (folder / "state.json").write_text("{}", encoding="utf-8")
    (tmp_path / "dataset_dict.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"several splits or tables \(test, train\)"):
        find_shards(tmp_path)
    with pytest.raises(BenchmarkError, match="no split 'dev'; there are: test, train"):
        find_shards(tmp_path, split="dev")
    assert [path.parent.name for path in find_shards(tmp_path, split="test")] == ["test"]


def test_tables_of_several_folders_are_not_mixed(tmp_path: Path) -> None:
    for table in ("MC", "Subset"):
        (tmp_path / table).mkdir()
        write_rows(tmp_path / table / "test-00000-of-00001.parquet")
    with pytest.raises(BenchmarkError, match="MC/test, Subset/test"):
        find_shards(tmp_path)
    assert len(find_shards(tmp_path, split="Subset/test")) == 1


def test_one_split_in_two_formats(tmp_path: Path) -> None:
    write_rows(tmp_path / "test.json")
    write_rows(tmp_path / "test.csv")
    with pytest.raises(BenchmarkError, match="several formats"):
        find_shards(tmp_path)


def test_a_folder_without_data(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no data file in this folder"):
        find_shards(tmp_path)
    with pytest.raises(BenchmarkError, match="no such file or folder"):
        find_shards(tmp_path / "absent")


def test_dates_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"day": [dt.date(2026, 1, 2)]}).write_parquet(tmp_path / "x.parquet")
    assert columns(tmp_path / "x.parquet") == [{"day": dt.date(2026, 1, 2)}]
