"""Helpers of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabwise

ROOT = Path(__file__).resolve().parents[3]


def rows(table: tabwise.Table) -> list[list[str]]:
    """All rows of a table, as texts."""
    return [table.row(at) for at in range(len(table))]


@pytest.fixture
def games() -> tabwise.Table:
    """A table of text, as CSV files are."""
    return tabwise.read(ROOT / "examples" / "olympics.csv")
