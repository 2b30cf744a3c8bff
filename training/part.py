"""Parts a file of candidates into what the reader may learn from and what is kept for figures and for fitting confidence.

    python3 part.py --candidates candidates.jsonl --data wtq --split training --generated generated --spoken spoken --out parts
    python3 part.py --candidates candidates.jsonl --data wtq --split random-split-1-train --dev random-split-1-dev --generated generated --spoken spoken --out parts-1

With --without SPLIT questions on tables of that split are left out of what is learned from; what is held back stays the same. So a teacher can learn in a first stage
from the tables that no development split has, and teach readers for all of these splits.

`tabwise lab train` holds back one in five tables of the split, one in five wordings of the generated questions and one in five topics of the spoken ones, and fits
confidence to the answers there. They are the first of every five in alphabetical order. The reader must not know them, nor the tables of --dev; generated questions
on tables that are held back are left out altogether.

OUT has dataset.jsonl.gz, generated.jsonl.gz and spoken.jsonl.gz for training, dev-dataset.jsonl.gz (of --dev, or else of the tables held back),
dev-generated.jsonl.gz (wordings held back) and dev-spoken.jsonl.gz (topics held back) for figures.
"""

import argparse
import gzip
import json
import os

HELD = 5


def rows(path):
    """Lines of a file of questions, each a dictionary."""
    with open(path, encoding="utf-8") as file:
        names, *lines = (line.rstrip("\n").split("\t") for line in file)
    return [dict(zip(names, line)) for line in lines]


def held(names):
    return {name for at, name in enumerate(sorted(set(names))) if at % HELD == 0}


def parts(questions, dev, generated, spoken):
    """The part of each question by its id."""
    dev_tables = {row["context"] for row in dev}
    own = [row for row in questions if row["context"] not in dev_tables]
    tables = held(row["context"] for row in own)
    out = {row["id"]: "dataset" for row in own if row["context"] not in tables}
    out |= {row["id"]: "dev-dataset" for row in (dev or [row for row in own if row["context"] in tables])}
    allowed = [row for row in generated if row["context"] not in dev_tables]
    wordings = held(row["wording"] for row in allowed)
    for row in allowed:
        if row["wording"] in wordings:
            out[row["id"]] = "dev-generated"
        elif row["context"] not in tables:
            out[row["id"]] = "generated"
    topics = held(row["topic"] for row in spoken)
    out |= {row["id"]: "dev-spoken" if row["topic"] in topics else "spoken" for row in spoken}
    return out


def left_out(part, tables, rows):
    """The parts without the training questions on some tables."""
    on = {row["id"] for row in rows if row["context"] in tables}
    return {id_: name for id_, name in part.items() if name.startswith("dev-") or id_ not in on}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    options.add_argument("--candidates", required=True, help="file that `tabwise lab candidates` wrote")
    options.add_argument("--data", required=True, help="folder of the dataset")
    options.add_argument("--split", required=True, help="split that the linear model is trained on")
    options.add_argument("--dev", help="split for figures, whose tables are left out")
    options.add_argument("--without", action="append", default=[], metavar="SPLIT", help="split whose tables are left out of training; may be repeated")
    options.add_argument("--generated", required=True, help="folder that `tabwise lab generate` wrote")
    options.add_argument("--spoken", help="folder of questions in people's words")
    options.add_argument("--out", required=True, help="folder to write to")
    given = options.parse_args()
    read = lambda name: rows(os.path.join(given.data, "data", name + ".tsv"))
    made = lambda folder: rows(os.path.join(folder, "data", "generated.tsv")) if folder else []
    questions, generated = read(given.split), made(given.generated)
    part = parts(questions, read(given.dev) if given.dev else [], generated, made(given.spoken))
    part = left_out(part, {row["context"] for name in given.without for row in read(name)}, questions + generated)
    os.makedirs(given.out, exist_ok=True)
    files = {name: gzip.open(os.path.join(given.out, name + ".jsonl.gz"), "wt", encoding="utf-8") for name in sorted(set(part.values()))}
    counts = dict.fromkeys(files, 0)
    with open(given.candidates, encoding="utf-8") as lines:
        for line in lines:
            name = part.get(json.loads(line)["id"])
            if name:
                files[name].write(line)
                counts[name] += 1
    for name, file in files.items():
        file.close()
        print(f"{name}: {counts[name]} questions")


if __name__ == "__main__":
    main()
