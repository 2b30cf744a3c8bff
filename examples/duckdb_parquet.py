"""Ask a folder of Parquet files where it is: DuckDB reads them, and may read more than fits into memory.

    python examples/duckdb_parquet.py

Every part can be a cell of a notebook.
"""

# %% Files of one schema. Here they are made; yours are there already.
import duckdb

import tabwise

duckdb.execute("""
    COPY (
        SELECT 100001 + i AS "order id",
               DATE '2019-01-01' + CAST(i % 2190 AS INT) AS date,
               ['Athens', 'Oslo', 'Paris', 'Tokyo'][1 + i % 4] AS city,
               ['Oak Table', 'Glass Lamp', 'Steel Desk'][1 + i % 3] AS product,
               1 + i % 97 AS quantity,
               round(5 + i % 1000 / 7, 2) AS price
        FROM range(300000) AS t(i)
    ) TO 'orders.parquet'
""")

# %% The table is profiled by DuckDB: its types, its counts, its texts, some of its rows. It stays there.
orders = tabwise.read("orders.parquet", engine="duckdb")
print(orders)
assert len(orders) == 300_000

# %% An answer is a query that DuckDB runs.
answer = orders.ask("how many orders were from Oslo?")
print(answer.value, answer.sql(), sep="\n")
assert answer.value == 75_000

# %% What a question names is looked up, however many there are.
assert orders.ask("what is the city of order id 250000?").value == "Tokyo"

# %% A table of groups is a data frame.
print(orders.ask("what is the average price for each city?").to_pandas())

# %% A relation does as well: choose rows, join tables, and ask the result.
recent = duckdb.sql("SELECT * FROM 'orders.parquet' WHERE date >= DATE '2022-01-01'")
print(tabwise.read(recent, engine="duckdb", name="recent").ask("which product has the highest total quantity?"))
