"""Files that other libraries wrote give what pandas reads of them, cell by cell; broken ones give one error."""

from __future__ import annotations

import datetime
import decimal
import gzip
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabwise
from conftest import rows

pandas = pytest.importorskip("pandas")
numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")
from pyarrow import feather, parquet  # noqa: E402

ROWS = 300


def source() -> Any:
    """A table with a column of each type, and a null in every seventh cell."""
    dice = random.Random(7)

    def column(make: Callable[[], Any], kind: Any) -> Any:
        return pyarrow.array([None if dice.random() < 1 / 7 else make() for _ in range(ROWS)], kind)

    day = datetime.date(1969, 12, 25)
    moment = datetime.datetime(1999, 12, 31, 23, 59, 58)
    words = ["", "Ålesund", "a, b", "007", "yes", "line\nbreak", '"quoted"', "x" * 300]
    return pyarrow.table({
        "text": column(lambda: dice.choice(words), pyarrow.string()),
        "large text": column(lambda: dice.choice(words), pyarrow.large_string()),
        "category": column(lambda: dice.choice(words), pyarrow.string()).dictionary_encode(),
        "small": column(lambda: dice.randrange(-128, 128), pyarrow.int8()),
        "unsigned": column(lambda: dice.randrange(2**64), pyarrow.uint64()),
        "whole": column(lambda: dice.randrange(-(2**60), 2**60), pyarrow.int64()),
        "float": column(lambda: dice.choice([0.1, 1e-7, 4.0, -2.5e10, dice.random()]), pyarrow.float64()),
        "short float": column(lambda: dice.choice([0.1, 4.0, 1.5]), pyarrow.float32()),
        "decimal": column(lambda: decimal.Decimal(dice.randrange(-(10**9), 10**9)).scaleb(-2), pyarrow.decimal128(12, 2)),
        "truth": column(lambda: dice.random() < 0.5, pyarrow.bool_()),
        "date": column(lambda: day + datetime.timedelta(days=dice.randrange(20000)), pyarrow.date32()),
        "seconds": column(lambda: moment + datetime.timedelta(hours=dice.randrange(900)), pyarrow.timestamp("s")),
        "micros": column(lambda: moment + datetime.timedelta(microseconds=dice.randrange(10**12)), pyarrow.timestamp("us")),
        "zone": column(lambda: moment + datetime.timedelta(hours=dice.randrange(9000)), pyarrow.timestamp("ms", "America/New_York")),
        "time": column(lambda: datetime.time(dice.randrange(24), dice.randrange(60), 7), pyarrow.time64("us")),
        "duration": column(lambda: datetime.timedelta(seconds=dice.randrange(10**5)), pyarrow.duration("ms")),
        "list": column(lambda: [dice.randrange(9) for _ in range(dice.randrange(4))], pyarrow.list_(pyarrow.int64())),
        "nothing": pyarrow.nulls(ROWS),
    })


def expected(frame: Any) -> list[list[str]]:
    """The cells of a data frame as texts. Written anew here: the code of the package is what is tested."""
    columns = [[cell(value) for value in values(frame[name])] for name in frame]
    return [list(row) for row in zip(*columns)]


def values(column: Any) -> list[Any]:
    """The values of a column. A float of 32 bits is compared as one: pandas prints 0.1 as 0.10000000149011612."""
    is_short = str(column.dtype) in ("float[pyarrow]", "float32")
    return [numpy.float32(value) if is_short and isinstance(value, float) else value for value in column.astype(object)]


def cell(value: Any) -> str:
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return ", ".join(str(int(item)) for item in value)
    if value is None or value is pandas.NaT or value is pandas.NA or value != value:
        return ""
    if isinstance(value, (bool,)) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, (datetime.datetime, datetime.time)):
        text = value.strftime("%H:%M:%S.%f").rstrip("0").rstrip(".")
        date = f"{value:%Y-%m-%d}" if isinstance(value, datetime.datetime) else ""
        return date if date and text == "00:00:00" else f"{date} {text}".strip()
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if type(value).__name__ in ("float", "float32", "float64"):
        return f"{value:.0f}" if float(value).is_integer() else f"{decimal.Decimal(repr(value) if type(value) is float else str(value)):f}"
    return str(value)


PARQUET: dict[str, dict[str, Any]] = {
    "default": {},
    "plain": {"use_dictionary": False, "compression": "none"},
    "second version": {"data_page_version": "2.0", "compression": "zstd", "row_group_size": 70},
    "small pages": {"data_page_size": 128, "compression": "gzip"},
    "brotli": {"compression": "brotli"},
    "lz4": {"compression": "lz4"},
    "without types of Arrow": {"store_schema": False},
    "old times": {"use_deprecated_int96_timestamps": True},
}


@pytest.mark.parametrize("options", PARQUET.values(), ids=PARQUET)
def test_parquet(options: dict[str, Any], tmp_path: Path) -> None:
    table = source()
    if options.get("store_schema") is False:
        table = table.drop_columns(["zone", "duration"])  # these types are in what is not stored
    if options.get("use_deprecated_int96_timestamps"):
        table = table.drop_columns(["zone"])  # pandas forgets it here; see `test_zone_of_old_times`
    parquet.write_table(table, tmp_path / "a.parquet", **options)
    read = tabwise.read(tmp_path / "a.parquet")
    assert read.columns == table.column_names
    assert rows(read) == expected(pandas.read_parquet(tmp_path / "a.parquet", dtype_backend="pyarrow"))


def test_zone_of_old_times(tmp_path: Path) -> None:
    """The old form of times has no zone, but the schema beside it does: a time is that of its zone, as in other files."""
    table = source().select(["zone"])
    parquet.write_table(table, tmp_path / "old.parquet", use_deprecated_int96_timestamps=True)
    assert rows(tabwise.read(tmp_path / "old.parquet")) == expected(table.to_pandas(types_mapper=pandas.ArrowDtype))


def test_parquet_of_pandas(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"name": ["a", "b", None], "n": [1.5, None, 4.0], "day": pandas.to_datetime(["2024-01-05", None, "2024-02-01"])})
    frame[frame.n != 1.5].to_parquet(tmp_path / "a.parquet")
    assert rows(tabwise.read(tmp_path / "a.parquet")) == [["b", "", ""], ["", "4", "2024-02-01"]]
    fastparquet = pytest.importorskip("fastparquet")
    fastparquet.write(str(tmp_path / "b.parquet"), frame)
    assert rows(tabwise.read(tmp_path / "b.parquet")) == expected(frame)


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_arrow(codec: str | None, tmp_path: Path) -> None:
    table = source()
    options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    for name, new in (("a.arrow", pyarrow.ipc.new_file), ("a.arrows", pyarrow.ipc.new_stream)):
        with new(str(tmp_path / name), table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=70)
        assert rows(tabwise.read(tmp_path / name)) == expected(table.to_pandas(types_mapper=pandas.ArrowDtype)), name
    if codec:
        feather.write_feather(table, str(tmp_path / "a.feather"), compression=codec)
        assert rows(tabwise.read(tmp_path / "a.feather")) == rows(tabwise.read(table))


def test_empty_tables(tmp_path: Path) -> None:
    table = source().slice(0, 0)
    parquet.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, str(tmp_path / "a.feather"))
    for name in ("a.parquet", "a.feather"):
        read = tabwise.read(tmp_path / name)
        assert (len(read), read.columns) == (0, table.column_names)
        assert read.ask("how many rows are there?").value in (0, None)


def frame() -> Any:
    """A data frame with the types that workbooks and databases have, and missing cells."""
    dice = random.Random(3)
    words = ["Ålesund", "a, b", "007", "yes", "line\nbreak", 'say "x"', "semi;colon", "b" * 5000]
    day = pandas.Timestamp(2010, 5, 1)
    columns = {
        "name": [dice.choice(words) for _ in range(ROWS)],
        "text": [dice.choice([None, *words]) for _ in range(ROWS)],
        "whole": [dice.randrange(-(10**6), 10**9) for _ in range(ROWS)],
        "number": [dice.choice([None, 0.125, 4.0, -2.5e10, 1e-7, dice.random()]) for _ in range(ROWS)],
        "day": [dice.choice([None, day + pandas.Timedelta(days=dice.randrange(9000))]) for _ in range(ROWS)],
        "moment": [day + pandas.Timedelta(minutes=dice.randrange(10**6)) for _ in range(ROWS)],
        "truth": [dice.random() < 0.5 for _ in range(ROWS)],
    }
    return pandas.DataFrame(columns)


def of_workbook(cells: list[list[str]]) -> list[list[str]]:
    """Cells as a workbook shows them: a truth in its last column is TRUE or FALSE."""
    return [[*row[:-1], {"yes": "TRUE", "no": "FALSE"}[row[-1]]] for row in cells]


def workbook_of_xlwt(table: Any, path: Path) -> None:
    """Writes an old workbook, which pandas no longer does."""
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("first")
    styles = {"day": xlwt.easyxf(num_format_str="yyyy-mm-dd"), "moment": xlwt.easyxf(num_format_str="yyyy-mm-dd hh:mm:ss")}
    for column, name in enumerate(table):
        sheet.write(0, column, name)
        for row, value in enumerate(table[name].astype(object), 1):
            if value is not None and value == value:
                value = value.to_pydatetime() if name in styles else value
                sheet.write(row, column, value, *([styles[name]] if name in styles else []))
    other = book.add_sheet("second")
    other.write(2, 1, "x")
    other.write(3, 1, 5)
    book.save(str(path))


def test_old_workbooks(tmp_path: Path) -> None:
    pytest.importorskip("xlrd")
    path = tmp_path / "a.xls"
    workbook_of_xlwt(frame(), path)
    read = tabwise.read(path)
    assert read.columns == list(frame())
    texts = {"name": str, "text": str}
    assert rows(read) == of_workbook(expected(pandas.read_excel(path, dtype=texts, engine="xlrd")))
    second = tabwise.read(path, sheet="second")
    assert (second.columns, rows(second)) == (["x"], [["5"]])


@pytest.mark.parametrize("writer", ["openpyxl", "xlsxwriter"])
def test_workbooks(writer: str, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")  # which also reads
    pytest.importorskip(writer)
    path = tmp_path / "a.xlsx"
    frame().to_excel(path, index=False, engine=writer)
    read = tabwise.read(path)
    assert read.columns == list(frame())
    assert rows(read) == of_workbook(expected(pandas.read_excel(path, dtype={"name": str, "text": str})))


def test_databases(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path)
    frame().to_sql("orders", connection, index=False)
    read = tabwise.read(path)
    assert read.columns == list(frame())
    assert rows(read) == expected(pandas.read_sql("SELECT * FROM orders", connection))
    connection.execute("CREATE TABLE flags (name TEXT, paid BOOLEAN)")
    connection.executemany("INSERT INTO flags VALUES (?, ?)", [("a", True), ("b", False), ("c", None)])
    connection.commit()
    connection.close()
    assert rows(tabwise.read(path, table="flags")) == [["a", "yes"], ["b", "no"], ["c", ""]]


@pytest.mark.parametrize("compression", [None, "gzip", "zstd"])
def test_texts(compression: str | None, tmp_path: Path) -> None:
    if compression == "zstd":
        pytest.importorskip("zstandard")
    path, table = tmp_path / "a", frame()
    table.to_csv(path, index=False, compression=compression)
    cells = pandas.read_csv(path, dtype=str, keep_default_na=False, compression=compression)
    read = tabwise.read(path)
    assert read.columns == list(table)
    assert rows(read) == [list(row) for row in cells.itertuples(index=False)]
    table.to_csv(path, index=False, sep="\t", compression=compression)
    assert rows(tabwise.read(path)) == rows(read)
    texts = table[["name", "text", "whole"]]
    texts.to_json(path, orient="records", compression=compression)
    assert rows(tabwise.read(path)) == expected(texts)


def files(folder: Path) -> dict[str, bytes]:
    """A small file of each format, as bytes."""
    table = source().slice(0, 20)
    parquet.write_table(table, folder / "a.parquet", compression="zstd")
    with pyarrow.ipc.new_stream(str(folder / "a.arrows"), table.schema, options=pyarrow.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    feather.write_feather(table, str(folder / "a.feather"))
    connection = sqlite3.connect(folder / "a.db")
    frame().to_sql("orders", connection, index=False)
    connection.close()
    frame().to_csv(folder / "a.csv.gz", index=False)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_broken_files_are_errors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(11)
    (tmp_path / "whole").mkdir()
    for name, whole in files(tmp_path / "whole").items():
        path = tmp_path / f"broken-{name}"
        for end in range(16, len(whole) - 16, max(1, len(whole) // 60)):
            path.write_bytes(whole[:end])
            with pytest.raises(tabwise.Error):
                tabwise.read(path)
        for _ in range(150):
            changed = bytearray(whole)
            for _ in range(dice.randrange(1, 4)):
                changed[dice.randrange(8, len(whole))] = dice.randrange(256)
            path.write_bytes(changed)
            try:
                tabwise.read(path)  # a change may be harmless
            except tabwise.Error:
                pass
    assert capfd.readouterr() == ("", ""), "an error is all that is said"


def test_bombs_are_errors(tmp_path: Path) -> None:
    """Small files of large tables are errors within the limits: repeated texts, rows of nothing, and repeated bytes."""
    texts = pyarrow.DictionaryArray.from_arrays(numpy.zeros(1_000, "int32"), ["x" * 100_000])
    parquet.write_table(pyarrow.table({"x": texts}), tmp_path / "texts.parquet")
    feather.write_feather(pyarrow.table({"x": texts}), str(tmp_path / "texts.feather"), compression="zstd")
    parquet.write_table(pyarrow.table({"x": pyarrow.nulls(6_000_000, pyarrow.int8())}), tmp_path / "nulls.parquet")
    (tmp_path / "bytes.csv.gz").write_bytes(gzip.compress(b"name,value\n" + b"a,1\n" * 15_000_000, 1))
    for path in sorted(tmp_path.iterdir()):
        assert path.stat().st_size < 500_000
        with pytest.raises(tabwise.LimitError, match="is more than the limit of"):
            tabwise.read(path, limits={"bytes": 50_000_000, "cells": 5_000_000})
