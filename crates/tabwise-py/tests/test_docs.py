"""The examples of the documentation run, and print what they say."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

import tabwise
from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_docstrings() -> None:
    assert doctest.testmod(tabwise, optionflags=FLAGS, extraglobs={"tabwise": tabwise}).failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "crates/tabwise-py/README.md"])
def test_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "pyarrow", "polars", "duckdb"):
        pytest.importorskip(library)
    os.symlink(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    lines = (ROOT / page).read_text(encoding="utf-8").split("\n")
    # An example ends at an empty line, not at the fence of a block.
    text = "\n".join("" if line.startswith("```") else line for line in lines)
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(examples)
    assert runner.tries > 0 and runner.failures == 0
