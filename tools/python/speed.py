"""Compares `ask` from Python with `ask` of the program, in CPU time for a question:

    python tools/python/speed.py PROGRAM TABLE QUESTIONS

QUESTIONS is a file with a question on each line. Both ask them 1 and 21 times over, so that what is done once, such as reading
the table, is in the difference no longer. Program and package have to be built with the same profile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import tabwise

ROUNDS = 20


def program(path: str, table: str, questions: list[str], rounds: int) -> float:
    before = os.times()
    asked = "\n".join(questions * rounds)
    command = [path, "ask", table, "--questions", "-", "--quiet"]
    subprocess.run(command, input=asked, text=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def package(table: tabwise.Table, questions: list[str], rounds: int) -> float:
    start = time.process_time()
    for question in questions * rounds:
        str(table.ask(question, alternatives=0))
    return time.process_time() - start


def main() -> None:
    path, table, file = sys.argv[1:]
    questions = [line for line in Path(file).read_text().splitlines() if line.strip()]
    read = tabwise.read(table)
    of_program, of_package = [], []
    for _ in range(3):
        of_program.append(program(path, table, questions, ROUNDS + 1) - program(path, table, questions, 1))
        package(read, questions, 1)
        of_package.append(package(read, questions, ROUNDS))
    for name, seconds in (("program", min(of_program)), ("Python", min(of_package))):
        print(f"{name}: {1000 * seconds / ROUNDS / len(questions):.2f} ms of CPU for a question")
    print(f"Python takes {100 * min(of_package) / min(of_program) - 100:+.1f} %")


main()
