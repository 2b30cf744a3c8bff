"""Engines: tables that stay where they are. An engine says which SQL it takes, the name of its table and its columns, and runs
queries; the profile of a table and the lines of answers are all that leaves it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ._texts import is_missing, text

Lines = list[list["str | None"]]


class Duckdb:
    """A relation of DuckDB. Queries know it by the name of the table; no view is left behind."""

    dialect = "duckdb"

    def __init__(self, relation: Any, table: str) -> None:
        self.relation, self.table = relation, table

    def columns(self) -> list[tuple[str, str]]:
        """Return names and types of the columns."""
        return [(name, kind(str(of))) for name, of in zip(self.relation.columns, self.relation.types)]

    def run(self, sql: str) -> Lines:
        """Run a query."""
        return _lines(self.relation.query(self.table, sql).fetchall())


class Spark:
    """A data frame of Spark, which is a temporary view of its session under the name of the table."""

    dialect = "spark"

    def __init__(self, frame: Any, table: str) -> None:
        self.frame, self.table = frame, table
        frame.createOrReplaceTempView(table)

    def columns(self) -> list[tuple[str, str]]:
        """Return names and types of the columns."""
        return [(name, kind(of)) for name, of in self.frame.dtypes]

    def run(self, sql: str) -> Lines:
        """Run a query."""
        return _lines(self.frame.sparkSession.sql(sql).collect())


_KINDS = {
    "whole": {"tinyint", "smallint", "int", "integer", "bigint", "hugeint", "long",
              "utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"},
    "number": {"float", "double", "real"},
    "decimal": {"decimal"},
    "text": {"varchar", "string", "char", "enum"},
    "day": {"date"},
    "moment": {"timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamp_ntz", "timestamp with time zone"},
    "truth": {"boolean"},
}  # fmt: skip


def kind(declared: str) -> str:
    """Return the type of a column by the word that SQL has for it; ``"other"`` for lists, records and the like."""
    name = declared.lower()
    if name.endswith("]") or name.startswith(("struct", "map", "array", "union", "list")):
        return "other"
    word = name.split("(")[0].strip()
    return next((kind for kind, words in _KINDS.items() if word in words), "other")


def _lines(rows: Iterable[Iterable[Any]]) -> Lines:
    return [[None if is_missing(cell) else text(cell) for cell in row] for row in rows]


def files_in_duckdb(path: str) -> Any:
    """Return the files of a path, folder or pattern as a relation of DuckDB; nothing is read yet."""
    import duckdb

    if os.path.isdir(path):
        path = os.path.join(path, "*.parquet")
    return duckdb.sql("SELECT * FROM '" + path.replace("'", "''") + "'")
