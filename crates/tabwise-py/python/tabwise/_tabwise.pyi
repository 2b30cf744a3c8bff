from typing import Any, Literal

from ._cell import Cell

__version__: str

class Error(Exception):
    """Base of all errors of this package."""

class TableError(Error):
    """A source that cannot be read as a table."""

class LimitError(Error):
    """A table or a question that needs more than a limit allows."""

class EngineError(Error):
    """A query that an engine could not run."""

class SqlError(Error):
    """An answer that a dialect of SQL cannot say."""

class Table:
    """A table made ready for questions. Make one with ``tabwise.read``."""

    def ask(
        self, question: str, *, min_confidence: float = ..., alternatives: int = 3, fast: bool = False
    ) -> Answer:
        """Answer a question in English."""
    def row(self, index: int) -> list[str]:
        """Return a row as the texts of its cells; -1 is the last."""
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def notes(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

class Answer:
    """Answer to a question about a table."""

    @property
    def question(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def values(self) -> list[Any]: ...
    @property
    def guess(self) -> list[Any]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def abstains(self) -> bool: ...
    @property
    def hint(self) -> str | None: ...
    @property
    def english(self) -> str: ...
    @property
    def formula(self) -> str: ...
    @property
    def steps(self) -> list[tuple[str, list[str]]]: ...
    @property
    def cells(self) -> list[Cell]: ...
    @property
    def used(self) -> list[Cell]: ...
    @property
    def unused(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def alternatives(self) -> list[Answer]: ...
    def sql(
        self, dialect: Literal["sqlite", "duckdb", "postgres", "spark"] | None = None, *, create: bool = False
    ) -> str:
        """Return the answer as a query."""
    def to_pandas(self) -> Any:
        """Return the answer as a pandas ``DataFrame``."""
    def to_dict(self) -> dict[str, Any]:
        """Return the whole answer as a dictionary, with the fields that ``tabwise ask --json`` prints."""
    def _repr_html_(self) -> str: ...

def read_parts(
    parts: list[tuple[bytes, str]], name: str | None, options: dict[str, Any], limits: dict[str, int]
) -> Table: ...
def read_stream(source: Any, name: str | None, limits: dict[str, int]) -> Table: ...
def read_engine(engine: Any) -> Table: ...
def read_rows(
    header: list[str], rows: list[list[str]], texts: list[bool], name: str | None, limits: dict[str, int]
) -> Table: ...
