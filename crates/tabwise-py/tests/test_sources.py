"""Sources: files, folders, data frames and plain objects of Python give the same cells."""

from __future__ import annotations

import datetime
import decimal
import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import tabwise
from conftest import rows

TYPED: dict[str, list[Any]] = {
    "name": ["Ann", "Bob", None],
    "age": [31, 28, 45],
    "height": [1.7, None, 1.65],
    "price": [decimal.Decimal("12.50"), decimal.Decimal("0.10"), None],
    "born": [datetime.date(1993, 5, 12), datetime.date(1996, 1, 1), None],
    "seen": [datetime.datetime(2024, 1, 5, 10, 30), datetime.datetime(2024, 1, 6), None],
    "member": [True, False, None],
}
CELLS = [
    ["Ann", "31", "1.7", "12.50", "1993-05-12", "2024-01-05 10:30:00", "yes"],
    ["Bob", "28", "", "0.10", "1996-01-01", "2024-01-06", "no"],
    ["", "45", "1.65", "", "", "", ""],
]


def test_plain_objects() -> None:
    by_column = tabwise.read(TYPED)
    assert by_column.columns == list(TYPED) and rows(by_column) == CELLS
    records = [dict(zip(TYPED, values)) for values in zip(*TYPED.values())]
    assert rows(tabwise.read(records)) == CELLS
    lists = [list(TYPED), *(list(values) for values in zip(*TYPED.values()))]
    assert rows(tabwise.read(lists)) == CELLS
    assert tabwise.read(by_column) is by_column


def test_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(TYPED)
    assert rows(tabwise.read(table)) == CELLS
    assert rows(tabwise.read(table.to_batches()[0])) == CELLS
    coded = pyarrow.table({"c": pyarrow.array(["x", "y", None, "x"]).dictionary_encode()})
    assert rows(tabwise.read(coded)) == [["x"], ["y"], [""], ["x"]]
    nested = pyarrow.table({"list": [["a", "b"], [], None], "record": [{"x": 1, "y": None}, None, {"x": 2, "y": "z"}]})
    assert rows(tabwise.read(nested)) == [["a, b", "x: 1, y: "], ["", ""], ["", "x: 2, y: z"]]


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**TYPED, "seen": pandas.to_datetime(TYPED["seen"])})
    assert rows(tabwise.read(frame)) == CELLS
    assert rows(tabwise.read(frame[frame.age > 30])) == [CELLS[0], CELLS[2]], "numbers of rows are no data"
    assert rows(tabwise.read(frame.convert_dtypes())) == CELLS
    indexed = tabwise.read(frame.set_index("name"))
    assert indexed.columns == list(TYPED) and rows(indexed) == CELLS
    counts = tabwise.read(pandas.Series([3, 4], index=["a", "b"], name="count"))
    assert (counts.columns, rows(counts)) == (["index", "count"], [["a", "3"], ["b", "4"]])
    mixed = tabwise.read(pandas.DataFrame({"x": [1, "two", None, 2.5, True]}))
    assert rows(mixed) == [["1"], ["two"], [""], ["2.5"], ["yes"]]
    wide = pandas.DataFrame([[1, 2]], columns=pandas.MultiIndex.from_tuples([("price", "min"), ("price", "max")]))
    assert tabwise.read(wide).columns == ["price min", "price max"]
    category = pandas.DataFrame({"size": pandas.Categorical(["small", "large", None])})
    assert rows(tabwise.read(category)) == [["small"], ["large"], [""]]
    zoned = pandas.DataFrame({"t": pandas.to_datetime(["2024-07-01 00:00"]).tz_localize("Europe/Berlin")})
    assert rows(tabwise.read(zoned)) == [["2024-07-01"]], "a time is that of its zone"


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(TYPED)
    assert rows(tabwise.read(frame)) == CELLS
    assert rows(tabwise.read(frame.lazy().filter(polars.col("age") > 30))) == [CELLS[0], CELLS[2]]


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    people = pyarrow.table(TYPED)
    relation = duckdb.from_arrow(people)
    assert rows(tabwise.read(relation)) == CELLS
    answer = tabwise.read(relation, name="people").ask("what is the highest age?")
    assert answer.value == 45 and duckdb.sql(answer.sql("duckdb")).fetchall() == [(45,)]
    assert rows(tabwise.read(relation.filter("age < 40"))) == CELLS[:2]


def test_limits_stop_a_source() -> None:
    with pytest.raises(tabwise.LimitError, match="cells"):
        tabwise.read({"x": list(range(100))}, limits={"cells": 50})
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(tabwise.LimitError, match="cells"):
        tabwise.read(pyarrow.table({"x": list(range(100))}), limits={"cells": 50})
    with pytest.raises(tabwise.LimitError, match="memory"):
        tabwise.read(pyarrow.table({"x": ["long" * 100] * 1000}), limits={"memory": 10_000})
    with pytest.raises(ValueError, match="there is no limit"):
        tabwise.read({"x": [1]}, limits={"rows": 50})


def test_spark() -> None:
    pyspark = pytest.importorskip("pyspark.sql")
    try:
        session = pyspark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    except Exception as reason:  # there is no Java
        pytest.skip(f"Spark does not start: {reason}")
    frame = session.createDataFrame([("Ann", 31, True), ("Bob", 28, None)], ["name", "age", "member"])
    assert rows(tabwise.read(frame)) == [["Ann", "31", "yes"], ["Bob", "28", ""]]
    session.stop()


def test_text_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    assert rows(tabwise.read(str(tmp_path / "a.csv"))) == [["1", "2"], ["3", "4"]]
    assert rows(tabwise.read(tmp_path / "a.csv", header=False)) == [["x", "y"], ["1", "2"], ["3", "4"]]
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"x;y\n1;2\n3;4\n"))
    assert rows(tabwise.read(tmp_path / "a.csv.gz")) == [["1", "2"], ["3", "4"]]
    (tmp_path / "a.json").write_text(json.dumps([{"x": 1, "y": 2}, {"x": 3, "y": 4}]))
    table = tabwise.read(tmp_path / "a.json", name="points")
    assert (table.name, table.shape, len(table)) == ("points", (2, 2), 2)
    assert repr(table) == '<tabwise.Table "points": 2 rows, 2 columns>'


def test_databases_and_workbooks(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "shop.db")
    database.executescript("CREATE TABLE a (x INT); INSERT INTO a VALUES (1), (2); CREATE TABLE b (y); INSERT INTO b VALUES (3);")
    database.close()
    assert rows(tabwise.read(tmp_path / "shop.db")) == [["1"], ["2"]]
    assert rows(tabwise.read(tmp_path / "shop.db", table="b")) == [["3"]]
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    with pandas.ExcelWriter(tmp_path / "sales.xlsx") as book:
        pandas.DataFrame({"x": [1, 2]}).to_excel(book, sheet_name="2009", index=False)
        pandas.DataFrame({"x": [3, 4]}).to_excel(book, sheet_name="2010", index=False)
    assert rows(tabwise.read(tmp_path / "sales.xlsx")) == [["1"], ["2"]]
    assert rows(tabwise.read(tmp_path / "sales.xlsx", sheet="2010")) == [["3"], ["4"]]
    assert rows(tabwise.read(tmp_path / "sales.xlsx", sheet=1)) == [["3"], ["4"]]


def test_folders_and_patterns(tmp_path: Path) -> None:
    folder = tmp_path / "sales"
    folder.mkdir()
    (folder / "2009.csv").write_text("x,y\n1,2\n3,4\n")
    (folder / "2010.csv").write_text("y,x\n6,5\n8,7\n")
    (folder / "_SUCCESS").write_text("")
    expected = [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]
    assert rows(tabwise.read(folder)) == expected and tabwise.read(folder).name == "sales"
    assert rows(tabwise.read(str(tmp_path / "*" / "20*.csv"))) == expected
    (folder / "notes.csv").write_text("remark,by\nnone,me\nall,you\n")
    with pytest.raises(tabwise.TableError, match="notes.csv: its columns are"):
        tabwise.read(folder)
    with pytest.raises(FileNotFoundError, match="no file matches"):
        tabwise.read(tmp_path / "*.parquet")


def test_errors_name_the_reason(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tabwise.read("nothing.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(tabwise.TableError, match="empty"):
        tabwise.read(tmp_path / "empty.csv")
    with pytest.raises(TypeError, match="a table is not read from builtins.int"):
        tabwise.read(3)
    with pytest.raises(TypeError, match="only for files"):
        tabwise.read({"x": [1]}, sheet="2010")
    with pytest.raises(tabwise.TableError, match="different lengths"):
        tabwise.read({"x": [1], "y": []})
    with pytest.raises(ValueError, match="there is no format"):
        tabwise.read(tmp_path / "empty.csv", format="doc")
    assert issubclass(tabwise.LimitError, tabwise.Error) and issubclass(tabwise.TableError, tabwise.Error)
