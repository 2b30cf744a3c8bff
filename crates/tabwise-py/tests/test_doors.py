"""The Python package gives the answers that the program gives, field by field."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import tabwise
from conftest import ROOT

PROGRAM = os.environ.get("TABWISE_PROGRAM", "")
CASES = sorted((ROOT / "crates" / "tabwise" / "tests" / "cases" / "answer").glob("*.case"))


def parts(case: Path) -> tuple[str, list[str]]:
    """The table of a case, and its questions."""
    text = "\n" + case.read_text(encoding="utf-8")
    start = text.index("\n> ")
    lines = text[:start].strip("\n").split("\n")
    table = "\n".join(line for line in lines if not line.startswith("//")).strip("\n")
    return table, [line[2:].strip() for line in text[start:].split("\n") if line.startswith("> ")]


@pytest.mark.skipif(not os.path.isfile(PROGRAM), reason="TABWISE_PROGRAM is not the path of the program")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_program_and_package_give_one_answer(case: Path, tmp_path: Path) -> None:
    text, questions = parts(case)
    (tmp_path / "data").write_text(text, encoding="utf-8")
    table = tabwise.read(tmp_path / "data")
    for question in questions:
        ran = subprocess.run(
            [PROGRAM, "ask", tmp_path / "data", question, "--json", "--top", "5"], capture_output=True, text=True
        )
        assert table.ask(question, alternatives=4).to_dict() == json.loads(ran.stdout), question
