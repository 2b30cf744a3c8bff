"""Runs SQL for `tabwise lab check sql`: reads a JSON object a line with `create` and `query`, makes the tables in an
empty database, runs the query, and writes a JSON object with `rows` or `error`.

    python tools/sql/engine.py duckdb|postgres|spark

DuckDB and Spark are the Python packages `duckdb` and `pyspark`; PostgreSQL is a server that `psycopg` reaches with the
settings of the environment (`PGHOST`, `PGUSER`, ...). `tools/sql/check` installs what is missing and runs all of them."""

import datetime
import decimal
import json
import re
import sys


class Duckdb:
    def run(self, create, query):
        import duckdb

        with duckdb.connect(":memory:") as database:
            database.execute(create)
            return database.execute(query).fetchall()


class Postgres:
    def __init__(self):
        import psycopg

        self.database = psycopg.connect(autocommit=False)

    def run(self, create, query):
        try:
            with self.database.cursor() as cursor:
                # As bytes, so that a percent sign is no place for a parameter.
                cursor.execute(create.encode())
                cursor.execute(query.encode())
                return cursor.fetchall()
        finally:
            self.database.rollback()


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
        self.spark = builder.getOrCreate()

    def run(self, create, query):
        names = []
        for statement in statements(create):
            made = re.match(r"CREATE TABLE (\S+) \((.*)\)$", statement, re.DOTALL)
            if made:
                names.append(made[1])
                columns = made[2].strip()
                empty = self.spark.createDataFrame([], columns.replace("\n", " "))
                empty.createOrReplaceTempView(made[1])
            else:
                name, values = re.match(r"INSERT INTO (\S+) VALUES\n(.*)$", statement, re.DOTALL).groups()
                schema = self.spark.table(name).schema
                cast = ", ".join(f"CAST(col{at + 1} AS {field.dataType.simpleString()}) AS `{field.name.replace('`', '``')}`"
                                 for at, field in enumerate(schema))
                rows = self.spark.sql(f"SELECT {cast} FROM VALUES\n{values}")
                self.spark.table(name).unionAll(rows).createOrReplaceTempView(name)
        return [tuple(row) for row in self.spark.sql(query).collect()]


def statements(script):
    """Statements of a script: each ends with a semicolon at the end of a line that is outside of a text."""
    found, start, inside, at = [], 0, False, 0
    while at < len(script):
        sign = script[at]
        if inside and sign == "\\":
            at += 1
        elif sign == "'":
            inside = not inside
        elif sign == ";" and not inside:
            found.append(script[start:at].strip())
            start = at + 1
        at += 1
    return found


def plain(cell):
    """A cell as JSON has it."""
    if isinstance(cell, decimal.Decimal):
        return float(cell)
    if isinstance(cell, datetime.date):
        return cell.isoformat()
    return cell


def main():
    engine = {"duckdb": Duckdb, "postgres": Postgres, "spark": Spark}[sys.argv[1]]()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            rows = [[plain(cell) for cell in row] for row in engine.run(asked["create"], asked["query"])]
            reply = {"rows": rows}
        except Exception as error:  # whatever the database does not like is its answer
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
