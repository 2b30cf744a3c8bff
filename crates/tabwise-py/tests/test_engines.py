"""Engines give the answers that memory gives: the same questions about the same tables, in DuckDB and Spark."""

from __future__ import annotations

import datetime
import random
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tabwise
from conftest import ROOT

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

CITIES = ["Athens", "Berlin", "Cairo", "Dublin", "Florence", "Geneva", "Oslo", "Paris", "Quito", "Tokyo"]
PRODUCTS = [f"{kind} {thing}" for kind in ("Oak", "Steel", "Glass") for thing in ("Table", "Chair", "Lamp", "Desk")]
LONG = 120_000

QUESTIONS = [
    "how many orders were from Paris?",
    "how many orders are there?",
    "which city has the most orders?",
    "what is the average price of orders from Tokyo?",
    "which product has the highest average price?",
    "what is the total quantity of Oak Table?",
    "what is the highest price?",
    "how many different products are there?",
    "how many orders have a quantity over 50?",
    "what is the earliest date?",
    "which city has the highest total quantity?",
    "how many orders in 2021 were from Oslo?",
]


def orders(rows: int) -> Any:
    """A table of orders, the same for the same number of rows."""
    dice = random.Random(5)
    day = datetime.date(2019, 1, 1)
    columns: dict[str, list[Any]] = {name: [] for name in ("order id", "date", "city", "product", "quantity", "price", "returned")}
    for row in range(rows):
        product = dice.randrange(len(PRODUCTS))
        cells = (
            100_001 + row,
            day + datetime.timedelta(days=dice.randrange(2190)),
            CITIES[dice.randrange(1 + dice.randrange(len(CITIES)))],
            PRODUCTS[product],
            None if dice.random() < 0.05 else 1 + dice.randrange(12) * dice.randrange(9),
            (500 + 450 * product + dice.randrange(400)) / 100,
            dice.random() < 0.1,
        )
        for column, cell in zip(columns.values(), cells):
            column.append(cell)
    return pyarrow.table(columns)


@pytest.fixture(scope="module")
def small() -> Any:
    return orders(2_000)


@pytest.fixture(scope="module")
def large() -> Any:
    return orders(LONG)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    try:
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR").getOrCreate()
    except Exception as reason:  # there is no Java
        pytest.skip(f"Spark does not start: {reason}")
    yield session
    session.stop()


def differences(memory: tabwise.Table, engine: tabwise.Table, questions: list[str]) -> list[str]:
    """Questions that are answered in another way."""
    found = []
    for question in questions:
        one, other = memory.ask(question, alternatives=0), engine.ask(question, alternatives=0)
        same = str(one) == str(other) and list(map(type, one.values)) == list(map(type, other.values))
        found += [] if same else [f"{question} {one} ({one.formula}), {other} ({other.formula}) by {other.to_dict()['sql']}"]
    return found


def test_duckdb_answers_as_memory_does(small: Any, large: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    for rows in (small, large):
        engine = tabwise.read(duckdb.from_arrow(rows), name="orders", engine="duckdb")
        assert engine.shape == (rows.num_rows, rows.num_columns)
        assert differences(tabwise.read(rows), engine, QUESTIONS) == []


def test_spark_answers_as_memory_does(small: Any, large: Any, spark: Any) -> None:
    # What is missing of the one is NaN in the other, since pandas has no other whole number.
    for rows, frame, questions in ((small, small.to_pandas(), QUESTIONS), (large, large, QUESTIONS[:6])):
        engine = tabwise.read(spark.createDataFrame(frame), name="orders")
        assert len(engine) == rows.num_rows
        assert differences(tabwise.read(rows), engine, questions) == []


def test_a_long_relation_stays_in_duckdb(large: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = tabwise.read(duckdb.from_arrow(large), name="orders")
    with pytest.raises(tabwise.TableError, match="stay in its engine"):
        table.row(0)
    answer = table.ask("what is the price of order id 150000?")
    expected = large.column("price")[150_000 - 100_001].as_py()
    assert answer.value == pytest.approx(expected) and answer.cells == []
    query = answer.sql()
    assert answer.sql("duckdb") == query and "orders" in query
    assert duckdb.from_arrow(large).query("orders", query).fetchall() == [(expected,)]
    with pytest.raises(tabwise.SqlError, match="not in spark"):
        answer.sql("spark")
    assert query.split()[0] in answer._repr_html_() and "120000 rows" in table._repr_html_()
    groups = table.ask("how many orders per city?")
    assert dict(groups.values) == {city: large.column("city").to_pylist().count(city) for city in CITIES}
    assert list(groups.to_pandas().shape) == [len(CITIES), 2]


def test_a_pattern_of_files_stays_in_duckdb(large: Any, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    from pyarrow import parquet

    for part in range(3):
        parquet.write_table(large.slice(part * 40_000, 40_000), tmp_path / f"part-{part}.parquet")
    for path in (tmp_path, tmp_path / "part-*.parquet"):
        table = tabwise.read(path, engine="duckdb", name="orders")
        assert table.ask("how many orders are there?").value == LONG


def test_missing_texts_and_spellings_are_those_of_memory() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = pyarrow.table({
        "name": [f"p{row}" for row in range(60)],
        "city": [("Oslo", "oslo", "n/a", "Paris", "", None)[row % 6] for row in range(60)],
        "seen": [datetime.datetime(2024, 1, 1 + row % 28, row % 24) for row in range(60)],
        "tags": [["a"]] * 60,
    })
    engine = tabwise.read(duckdb.from_arrow(rows), engine="duckdb")
    assert engine.columns == ["name", "city", "seen"] and any("tags" in note for note in engine.notes)
    memory = tabwise.read(rows.drop_columns(["tags"]))
    questions = ["how many people are from Oslo?", "how many different cities are there?", "which city is the most frequent?"]
    assert differences(memory, engine, questions) == []


def test_errors_of_engines() -> None:
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(ValueError, match="there is no engine"):
        tabwise.read({"x": [1]}, engine="oracle")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot stay there"):
        tabwise.read({"x": [1]}, engine="spark")
    with pytest.raises(tabwise.EngineError, match="no column of"):
        tabwise.read(duckdb.sql("SELECT [1, 2] AS list"), engine="duckdb")
    relation = duckdb.sql("SELECT 1 AS x, 1 / 0 AS y, CAST(z AS INT) AS w FROM (VALUES ('1'), ('a')) AS t(z)")
    with pytest.raises(tabwise.EngineError, match="cannot be asked by duckdb"):
        tabwise.read(relation, engine="duckdb")


@pytest.mark.parametrize("example", ["duckdb_parquet.py", "spark_frame.py"])
def test_examples(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    pytest.importorskip("duckdb")
    if example.startswith("spark"):
        request.getfixturevalue("spark")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / example), run_name="__main__")
