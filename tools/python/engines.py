"""Measures a long table in engines, and prints a page of Markdown: the time of the engine and ours apart, for the profile and for
each question. That of the engine is what passes on the clock; ours is of the CPU, in the one thread that it takes.

    python tools/python/engines.py [--rows NUMBER] ENGINE...

An engine is duckdb or spark. The table is a Parquet file of orders, ten million rows by default, which is made in a temporary
folder. It needs duckdb, which also makes the file, and pyspark for Spark.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import Any

import duckdb

import tabwise
from tabwise import _tabwise
from tabwise._engines import Duckdb, Spark

ORDERS = """
    COPY (
        SELECT 100001 + i AS "order id",
               DATE '2019-01-01' + CAST(h % 2190 AS INT) AS date,
               'Customer ' || h // 7 % 500000 AS customer,
               ['Athens', 'Berlin', 'Cairo', 'Dublin', 'Geneva', 'Oslo', 'Paris', 'Tokyo'][1 + h // 11 % 8] AS city,
               ['Oak', 'Steel', 'Glass'][1 + h // 13 % 3] || ' ' || ['Table', 'Chair', 'Lamp'][1 + h // 17 % 3] AS product,
               CASE WHEN h // 19 % 20 > 0 THEN 1 + h // 23 % 97 END AS quantity,
               round(5 + h // 29 % 50000 / 100, 2) AS price,
               h // 31 % 10 = 0 AS returned
        FROM (SELECT i, CAST(hash(i) // 1024 AS BIGINT) AS h FROM range({rows}) AS t(i))
    ) TO '{path}' (COMPRESSION zstd)
"""

HEAD = """# Long tables in engines

A table of eight columns in one Parquet file. The time of the engine is what passes on the clock; ours (linking, search, ranking, the
reader) is of the CPU. A question takes two to four queries: rows that it names, and the answer."""

QUESTIONS = [
    "how many orders were from Paris?",
    "which city has the most orders?",
    "what is the average price of orders from Tokyo?",
    "which product has the highest average price?",
    "how many orders in 2021 were from Oslo?",
    "how many orders have a quantity over 90?",
    "what is the price of order id 5000000?",
    "how many orders did Customer 4711 make?",
    "what percentage of orders were returned?",
    "what is the average quantity for each city?",
]


class Timed:
    """An engine that adds up its own time, and the part of it that is CPU time of this thread."""

    def __init__(self, engine: Any) -> None:
        self.engine, self.dialect, self.table = engine, engine.dialect, engine.table
        self.forget()

    def forget(self) -> None:
        self.seconds, self.cpu, self.queries = 0.0, 0.0, 0

    def columns(self) -> Any:
        return self.engine.columns()

    def run(self, sql: str) -> Any:
        start, cpu = time.perf_counter(), time.thread_time()
        lines = self.engine.run(sql)
        self.seconds += time.perf_counter() - start
        self.cpu += time.thread_time() - cpu
        self.queries += 1
        return lines


def opened(name: str, path: str) -> Any:
    if name == "duckdb":
        return Duckdb(duckdb.read_parquet(path), "orders")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR").getOrCreate()
    return Spark(session.read.parquet(path), "orders")


def measure(what: str, engine: Timed, call: Any) -> Any:
    engine.forget()
    start = time.thread_time()
    result = call()
    ours = time.thread_time() - start - engine.cpu
    print(f"| {what} | {engine.queries} | {engine.seconds:.2f} | {ours:.2f} | {str(result)[:60]} |", flush=True)
    return result


def page(name: str, rows: int, path: str) -> None:
    """Asks the file in an engine, and prints a table."""
    engine = Timed(opened(name, path))
    print(f"\n| {name}, {rows} rows | queries | engine, s | ours, s of CPU | |\n|---|---|---|---|---|")
    table = measure("profile", engine, lambda: _tabwise.read_engine(engine))
    for question in QUESTIONS:
        measure(question, engine, lambda: table.ask(question, alternatives=0))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("engines", nargs="+", metavar="ENGINE", choices=["duckdb", "spark"])
    parser.add_argument("--rows", type=int, default=10_000_000)
    args = parser.parse_args()
    print(HEAD)
    tabwise.ask({"x": [1, 2]}, "how many rows?")  # the model is loaded once
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/orders.parquet"
        duckdb.execute(ORDERS.format(rows=args.rows, path=path))
        for name in args.engines:
            page(name, args.rows, path)
    print(f"\nThis page is what `python tools/python/engines.py {' '.join(args.engines)}` prints.")


main()
