"""Sources of tables: what ``tabwise.read`` takes, and how each of them is read.

Data frames hand over their columns by the PyCapsule interface of Arrow, so nothing is copied or printed on the way. Values
that Arrow has no type for, such as a column of texts and numbers, are written one by one (``_texts.py``).
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from . import _tabwise
from ._engines import Duckdb, Spark, files_in_duckdb
from ._tabwise import Table, TableError
from ._texts import is_all_text, text


def read(
    source: Any,
    *,
    name: str | None = None,
    sheet: int | str | None = None,
    table: int | str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    select: str | None = None,
    orientation: str | None = None,
    header: bool = True,
    repair: bool = True,
    limits: Mapping[str, int] | None = None,
    engine: Literal["memory", "duckdb", "spark"] | None = None,
) -> Table:
    """Read a table and make it ready for questions.

    ``source`` is

    - a path: of a CSV, TSV, Excel, ODS, Parquet, Arrow or Feather file, a SQLite database, JSON, Markdown or HTML, also
      compressed; of a folder; or a pattern such as ``"sales/*.csv"``. The files of a folder or pattern are one table.
    - a data frame of pandas, polars or Spark, a table of pyarrow, a relation of DuckDB: anything with Arrow columns.
    - a dictionary of columns, a list of dictionaries, or a list of rows of which the first has the names.

    ``name`` is the name of the table in queries; by default that of the file. The other options are for files:

    - ``sheet`` of a workbook and ``table`` of a page or database, by number from 0 or by name;
    - ``format``, ``encoding`` and ``delimiter``, which are detected otherwise;
    - ``select``, a CSS selector for tables of a page; ``orientation``, ``"rows"`` or ``"columns"``, if records lie on their
      side; ``header=False`` if the first row is data; ``repair=False`` to read a file as it is.

    ``engine`` says where the table stays. A relation of DuckDB with more than 100,000 rows and a data frame of Spark stay
    where they are: they are profiled there, answers are queries that they run, and nothing else leaves them. ``"memory"``
    fetches all rows instead. ``"duckdb"`` leaves files, such as ``"sales/*.parquet"``, to DuckDB.

    ``limits`` are by the names that errors use, such as ``{"cells": 50_000_000}``.

    Raises ``TableError`` if the source is no table, ``LimitError`` if it is too large, ``OSError`` if a file cannot be read,
    ``EngineError`` if an engine cannot run a query.
    """
    options = {
        "sheet": sheet,
        "table": table,
        "format": format,
        "encoding": encoding,
        "delimiter": delimiter,
        "select": select,
        "orientation": orientation,
    }
    given = {option: value for option, value in options.items() if value is not None}
    kept = dict(limits or {})
    held = _held(source, name, engine)
    if held is not None:
        return _tabwise.read_engine(held)
    if isinstance(source, (str, os.PathLike)):
        return _read_files(os.fspath(source), name, {**given, "header": header, "repair": repair}, kept)
    if given:
        raise TypeError(f"{', '.join(given)}: only for files, not for {_kind(source)}")
    return _read_object(source, name, kept)


def _held(source: Any, name: str | None, engine: str | None) -> Duckdb | Spark | None:
    """Return the engine that a source stays in, if it does."""
    if engine not in (None, "memory", "duckdb", "spark"):
        raise ValueError(f'there is no engine "{engine}"; there are memory, duckdb, spark')
    is_path = isinstance(source, (str, os.PathLike))
    if engine == "duckdb" and is_path:
        path = os.fspath(source)
        return Duckdb(files_in_duckdb(path), _identifier(name or _stem(path)))
    is_relation = type(source).__name__ == "DuckDBPyRelation"
    if is_relation and (engine == "duckdb" or engine is None and _count(source) > LONG):
        return Duckdb(source, _identifier(name))
    if _module(source) == "pyspark" and engine in (None, "spark"):
        return Spark(source, _identifier(name))
    if engine in ("duckdb", "spark"):
        raise TypeError(f"engine {engine}: {'a path' if is_path else _kind(source)} cannot stay there")
    return None


LONG = 100_000
"""Number of rows from which a relation stays in DuckDB."""


def _count(relation: Any) -> int:
    return int(relation.aggregate("COUNT(*)").fetchall()[0][0])


def _identifier(name: str | None) -> str:
    """Return a name that queries can use without quotes."""
    word = re.sub(r"[^0-9a-z]+", "_", (name or "data").lower()).strip("_") or "data"
    return f"t_{word}" if word[0].isdigit() else word


def _read_files(path: str, name: str | None, options: dict[str, Any], limits: dict[str, int]) -> Table:
    files = _files(path)
    parts = [(file.read_bytes(), file.name) for file in files]
    return _tabwise.read_parts(parts, name or _stem(path), options, limits)


def _stem(path: str) -> str | None:
    """Name of a file or folder without endings; a pattern has none."""
    return Path(path).name.split(".")[0] or None if os.path.exists(path) else None


def _files(path: str) -> list[Path]:
    """Files of a path: itself, those of a folder, or those that match a pattern."""
    if os.path.isdir(path):
        files = [entry for entry in sorted(Path(path).iterdir()) if entry.is_file() and not _is_hidden(entry)]
        if not files:
            raise TableError(f"{path}: there are no files in this folder")
        return files
    if os.path.exists(path) or not glob.has_magic(path):
        return [Path(path)]
    files = [Path(found) for found in sorted(glob.glob(path, recursive=True)) if os.path.isfile(found)]
    if not files:
        raise FileNotFoundError(f"{path}: no file matches")
    return files


def _is_hidden(path: Path) -> bool:
    """True for files that programs leave beside those of a table, such as ``_SUCCESS``."""
    return path.name.startswith((".", "_"))


def _read_object(source: Any, name: str | None, limits: dict[str, int]) -> Table:
    if isinstance(source, Table):
        return source
    if _module(source) == "pyspark":
        source = source.toArrow()
    if _module(source) == "pandas":
        return _read_pandas(source, name, limits)
    if type(source).__name__ == "LazyFrame":
        source = source.collect()
    if hasattr(source, "__arrow_c_stream__"):
        return _tabwise.read_stream(source, name, limits)
    for method in ("to_arrow_table", "fetch_arrow_table", "to_arrow", "arrow"):
        if hasattr(source, method):
            return _tabwise.read_stream(getattr(source, method)(), name, limits)
    header, columns = _plain(source)
    return _read_columns(header, columns, name, limits)


def _read_pandas(frame: Any, name: str | None, limits: dict[str, int]) -> Table:
    """Read a data frame of pandas. An index with names or texts is data, and stands in front as pandas shows it."""
    if not hasattr(frame, "columns"):
        frame = frame.to_frame()
    levels = [level for level in range(frame.index.nlevels) if _is_data(frame.index, level)]
    if levels:
        frame = frame.reset_index(level=levels)
    try:
        is_plain = all(isinstance(column, str) for column in frame.columns) and frame.columns.is_unique
        if is_plain:
            return _tabwise.read_stream(frame.reset_index(drop=True), name, limits)
    except (ImportError, ValueError, TypeError):
        pass  # without pyarrow, or with columns of mixed types
    header = [" ".join(map(str, column)) if isinstance(column, tuple) else str(column) for column in frame.columns]
    columns = [frame.iloc[:, at].tolist() for at in range(len(header))]
    return _read_columns(header, columns, name, limits)


def _is_data(index: Any, level: int) -> bool:
    """True for a level of an index that is more than the numbers of rows."""
    values = index.get_level_values(level)
    return values.name is not None or values.dtype.kind not in "iu"


def _plain(source: Any) -> tuple[list[str], list[list[Any]]]:
    """Names and columns of dictionaries and lists."""
    if isinstance(source, Mapping):
        columns = [list(column) for column in source.values()]
        if len({len(column) for column in columns}) > 1:
            raise TableError("the columns of the dictionary have different lengths")
        return [str(key) for key in source], columns
    if not isinstance(source, Sequence) or isinstance(source, (bytes, bytearray)):
        raise TypeError(f"a table is not read from {_kind(source)}; give a path, a data frame, a dictionary or a list")
    if not source:
        raise TableError("the list is empty; a table needs a header")
    if all(isinstance(row, Mapping) for row in source):
        names = list(dict.fromkeys(key for row in source for key in row))
        return [str(key) for key in names], [[row.get(key) for row in source] for key in names]
    if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in source):
        raise TypeError("a list is one of dictionaries, or of rows of which the first has the names")
    header, *rows = source
    if any(len(row) != len(header) for row in rows):
        raise TableError("the rows of the list have different lengths")
    return [str(key) for key in header], [[row[at] for row in rows] for at in range(len(header))]


def _read_columns(header: list[str], columns: list[list[Any]], name: str | None, limits: dict[str, int]) -> Table:
    if not header:
        raise TableError("there are no columns")
    texts = [is_all_text(column) for column in columns]
    rows = [[text(value) for value in row] for row in zip(*columns)]
    return _tabwise.read_rows(header, rows, texts, name, limits)


def _module(source: Any) -> str:
    return type(source).__module__.split(".")[0]


def _kind(source: Any) -> str:
    return f"{type(source).__module__}.{type(source).__qualname__}"
