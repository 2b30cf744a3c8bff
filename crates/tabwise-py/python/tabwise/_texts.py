"""Values of Python as the texts of cells, in the same way as columns of Arrow are written."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Mapping
from typing import Any

_MIDNIGHT = datetime.time()


def text(value: Any) -> str:
    """Return a value as the text of a cell; empty for one that is missing."""
    if is_missing(value):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else _number(value)
    if isinstance(value, datetime.datetime):
        time = value.timetz().replace(tzinfo=None)
        return str(value.date()) if time == _MIDNIGHT else f"{value.date()} {_time(time)}"
    if isinstance(value, datetime.time):
        return _time(value)
    if isinstance(value, datetime.timedelta):
        return _duration(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {text(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(text(item) for item in value)
    return str(value)


def is_missing(value: Any) -> bool:
    """True for ``None``, a float that is no number, and the missing values of pandas."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType")


def is_all_text(values: list[Any]) -> bool:
    """True for a column of texts."""
    there = [value for value in values if not is_missing(value)]
    return bool(there) and all(isinstance(value, str) for value in there)


def _number(value: float) -> str:
    """Return the shortest digits that read back, without an exponent."""
    return str(value) if math.isinf(value) else format(decimal.Decimal(repr(float(value))), "f")


def _time(value: datetime.time) -> str:
    return value.replace(tzinfo=None).isoformat().rstrip("0").rstrip(".") if value.microsecond else value.strftime("%H:%M:%S")


def _duration(value: datetime.timedelta) -> str:
    sign, micros = ("-" if value < datetime.timedelta() else ""), abs(value) // datetime.timedelta(microseconds=1)
    seconds, part = divmod(micros, 1_000_000)
    fraction = f".{part:06}".rstrip("0") if part else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
