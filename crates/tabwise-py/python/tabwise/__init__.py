"""Answers questions about tables, offline: the value, how it was found, and the cells it was read from.

    >>> import tabwise
    >>> table = tabwise.read({"City": ["Athens", "Paris", "London"], "Nations": [14, 28, 22]})
    >>> answer = table.ask("which city had the most nations?")
    >>> answer.value
    'Paris'

``read`` takes the path of a file (or of a folder, or a pattern), a data frame of pandas, polars or Spark, a table of
pyarrow, a relation of DuckDB, or plain lists and dictionaries. ``ask`` does both in one call.
"""

from __future__ import annotations

from typing import Any

from ._cell import Cell
from ._sources import read
from ._tabwise import Answer, EngineError, Error, LimitError, SqlError, Table, TableError, __version__

__all__ = [
    "Answer", "Cell", "EngineError", "Error", "LimitError", "SqlError", "Table", "TableError", "ask", "read", "__version__",
]  # fmt: skip


def ask(source: Any, question: str, *, fast: bool = False, **options: Any) -> Answer:
    """Answer one question about a source.

    The options are those of ``read``. Reading takes longer than answering: for several questions, ``read`` once.

        >>> tabwise.ask([{"lake": "Baikal", "depth": 1642}, {"lake": "Geneva", "depth": 310}], "which lake is deepest?").value
        'Baikal'
    """
    return read(source, **options).ask(question, fast=fast)
