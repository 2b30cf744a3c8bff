"""Ask a data frame of Spark: Spark profiles it and runs the answers, and nothing else leaves the cluster.

    python examples/spark_frame.py

Every part can be a cell of a notebook.
"""

# %% A session on this machine. On a cluster it is there already.
from pyspark.sql import SparkSession

import tabwise

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()

# %% A table. Here it is made; yours is one of the cluster: spark.table("shop.orders").
frame = spark.range(300_000).selectExpr(
    "100001 + id AS order_id",
    "date_add(DATE '2019-01-01', CAST(id % 2190 AS INT)) AS date",
    "element_at(array('Athens', 'Oslo', 'Paris', 'Tokyo'), CAST(1 + id % 4 AS INT)) AS city",
    "element_at(array('Oak Table', 'Glass Lamp', 'Steel Desk'), CAST(1 + id % 3 AS INT)) AS product",
    "1 + id % 97 AS quantity",
)

# %% Spark profiles it. It is a temporary view now, under the name that queries use.
orders = tabwise.read(frame, name="orders")
print(orders)
assert len(orders) == 300_000

# %% An answer is a query that Spark runs.
answer = orders.ask("how many orders were from Oslo?")
print(answer.value, answer.sql(), sep="\n")
assert answer.value == 75_000
assert spark.sql(answer.sql()).collect()[0][0] == 75_000

# %% A table of groups.
print(orders.ask("what is the total quantity for each product?").values)
