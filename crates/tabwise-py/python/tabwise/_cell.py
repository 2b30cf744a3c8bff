"""Cells of a table."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A cell, by its place: ``frame[cell.name].iloc[cell.row]`` is the same in a data frame of pandas."""

    row: int
    """Row, counted from 0; the header is not counted."""
    column: int
    """Column, counted from 0."""
    name: str
    """Name of the column."""
    text: str
    """Text of the cell; empty if it is missing."""
