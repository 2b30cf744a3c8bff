"""Writes the files of crates/tabwise/tests/data/sources, which `tests/sources.rs` reads: one small table, by other libraries.

    python tools/python/fixtures.py crates/tabwise/tests/data/sources

It needs pyarrow and xlwt.
"""

from __future__ import annotations

import datetime
import decimal
import sys
from pathlib import Path

import pyarrow
import xlwt
from pyarrow import feather, parquet

FOLDER = Path(sys.argv[1])

TABLE = pyarrow.table({
    "name": pyarrow.array(["Ann", "Bob", None, "Ann"]).dictionary_encode(),
    "age": pyarrow.array([31, 28, None, 45], pyarrow.int32()),
    "height": [1.7, None, 1.65, float("nan")],
    "price": pyarrow.array([decimal.Decimal("12.50"), decimal.Decimal("-0.05"), None, decimal.Decimal("3")], pyarrow.decimal128(9, 2)),
    "born": [datetime.date(1993, 5, 12), datetime.date(1968, 1, 1), None, datetime.date(2000, 2, 29)],
    "seen": pyarrow.array([datetime.datetime(2024, 1, 5, 10, 30), datetime.datetime(2024, 1, 6), None, datetime.datetime(1969, 12, 31, 23, 59, 59)], pyarrow.timestamp("us")),
    "member": [True, False, None, True],
    "tags": [["a", "b"], [], None, ["c"]],
})

parquet.write_table(TABLE, FOLDER / "people.parquet", compression="zstd", row_group_size=3)
parquet.write_table(TABLE, FOLDER / "plain.parquet", compression="none", use_dictionary=False, data_page_version="2.0")
feather.write_feather(TABLE, str(FOLDER / "people.feather"), compression="lz4")
with pyarrow.ipc.new_stream(str(FOLDER / "people.arrows"), TABLE.schema) as writer:
    writer.write_table(TABLE, max_chunksize=3)

book = xlwt.Workbook()
sheet = book.add_sheet("people")
day = xlwt.easyxf(num_format_str="yyyy-mm-dd")
for row, (name, age, born, member) in enumerate([("name", "age", "born", "member"), *zip(*(TABLE[column].to_pylist() for column in ("name", "age", "born", "member")))]):
    for column, value in enumerate((name, age, born, member)):
        if value is not None:
            sheet.write(row, column, value, *([day] if isinstance(value, datetime.date) else []))
book.save(str(FOLDER / "people.xls"))
