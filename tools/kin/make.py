#!/usr/bin/env python3
"""Makes knowledge/kin.txt, knowledge/names.txt and knowledge/dictionary.txt.

    make.py WORDNET COUNTRIES NATIONALITIES KNOWLEDGE

WORDNET is the folder of data.noun of WordNet 3.0 (Debian package wordnet-base), COUNTRIES and NATIONALITIES are the
unpacked npm packages i18n-iso-countries 7.14 and i18n-nationality 1.4, KNOWLEDGE is crates/tabwise/knowledge. The same
sources give the same bytes.
"""
import collections
import json
import pathlib
import re
import sys

wordnet, countries, nationalities, knowledge = map(pathlib.Path, sys.argv[1:5])
here = pathlib.Path(__file__).parent
PLAIN = re.compile(r"[a-z]{2,24}")
POS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}

# How often WordNet's texts use a word, and each of its senses.
uses, sense_uses = collections.Counter(), collections.defaultdict(dict)
for line in (wordnet / "cntlist.rev").read_text().splitlines():
    key, number, count = line.split()
    word, rest = key.split("%")
    uses[word] += int(count)
    sense_uses[word, POS[rest[0]]][int(number)] = int(count)

# The senses of a word, in order, as synsets.
senses = {}
for pos, name in zip("nvar", ["noun", "verb", "adj", "adv"]):
    for line in (wordnet / f"index.{name}").read_text().splitlines():
        if line[0] != " ":
            fields = line.split()
            senses[fields[0], pos] = fields[-int(fields[2]):]

synsets = {}
for pos, name in zip("nvar", ["noun", "verb", "adj", "adv"]):
    for line in (wordnet / f"data.{name}").read_text().splitlines():
        if line[0] == " ":
            continue
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = [re.sub(r"\(.*", "", word).lower() for word in fields[4:4 + 2 * count:2]]
        at = 5 + 2 * count
        pointers = [tuple(fields[at + 4 * i:at + 4 * i + 4]) for i in range(int(fields[4 + 2 * count]))]
        synsets[pos, fields[0]] = (words, pointers)


def main_senses(word, pos):
    """Synsets of the senses that make up a good part of a word's uses; the first one in any case."""
    counts = sense_uses.get((word, pos), {})
    total = sum(counts.values())
    for number, offset in enumerate(senses.get((word, pos), []), 1):
        if number == 1 or counts.get(number, 0) * 4 >= total > 0:
            yield offset


def is_main(word, pos, offset):
    return offset in main_senses(word, pos)


def is_verb(word):
    """Tells if a word is mostly a verb."""
    return sum(sense_uses.get((word, "v"), {}).values()) * 2 >= uses[word]


def common(word, least):
    return PLAIN.fullmatch(word) and uses[word] >= least


kin = {}
# Length of a rarer word whose forms are kin, and those forms.
LONG = 4
derived = {}


def add(word, other, relation):
    if word != other:
        kin.setdefault((word, other), relation)


# Our own lines come first: a pair has one relation.
for line in (here / "own.txt").read_text().splitlines():
    if line and line[0] != "#":
        word, relation, *others = line.split()
        for other in others:
            add(word, other, relation)

for (word, pos), _ in sorted(senses.items()):
    if not common(word, 3):
        continue
    for offset in main_senses(word, pos):
        words, pointers = synsets[pos, offset]
        if pos == "n" or pos == "v" and is_verb(word):
            for other in words:
                if common(other, 3) and is_main(other, pos, offset) and (pos == "n" or is_verb(other)):
                    add(word, other, "same")
        for symbol, target, target_pos, ends in pointers:
            target_pos = "a" if target_pos == "s" else target_pos
            own, other_at = int(ends[:2], 16), int(ends[2:], 16)
            others, _ = synsets[target_pos, target]
            if own and words[own - 1] != word:
                continue
            chosen = [others[other_at - 1]] if other_at else others
            for other in chosen:
                if symbol == "=" and pos == "a" and common(other, 1):
                    add(word, other, "of")
                elif symbol == "+" and common(other, 2) and is_main(other, target_pos, target):
                    add(word, other, "form")
                elif symbol == "!" and common(other, 3) and is_main(other, target_pos, target):
                    add(word, other, "not")
                elif symbol == "@" and pos == "n" and uses[word] >= 8 and common(other, 20) and is_main(other, "n", target):
                    add(word, other, "kind")
        # An adjective like another one measures the same.
        for symbol, target, target_pos, _ in pointers:
            if symbol == "&" and pos == "a":
                for also in synsets["a", target][1]:
                    if also[0] == "=":
                        for other in synsets["n", also[1]][0]:
                            if common(other, 5):
                                add(word, other, "of")

# Of rarer words, only what is derived from one that is in use: *abstain* and *abstention*.
for (word, pos), _ in sorted(senses.items()):
    for offset in main_senses(word, pos) if common(word, 0) and len(word) >= LONG else []:
        words, pointers = synsets[pos, offset]
        for symbol, target, target_pos, ends in pointers:
            own, other_at = int(ends[:2], 16), int(ends[2:], 16)
            if symbol == "+" and words[own - 1] == word:
                other = synsets["a" if target_pos == "s" else target_pos, target][0][other_at - 1]
                if word != other and common(other, 0) and len(other) >= LONG and max(uses[word], uses[other]) > 0:
                    derived.setdefault((word, other), "form")
                    derived.setdefault((other, word), "form")


def write(name, head, lines):
    text = "".join(f"# {line}".rstrip() + "\n" for line in head.strip().splitlines()) + "".join(f"{line}\n" for line in lines)
    (knowledge / name).write_text(text)
    print(f"{name}: {len(lines)} lines, {len(text.encode())} bytes")


licence = """
From WordNet 3.0 by Princeton University (licence in LICENSE-WORDNET), and from tools/kin/own.txt. Made by
tools/kin/make.py; change that, not this file."""
lines = sorted(f"{word} {other} {relation}" for (word, other), relation in {**derived, **kin}.items())
write("kin.txt", "Kin of words: a word, its kin and how they are related, sorted." + licence, lines)

# Every word in use, and the words of the pairs above: short ones only if they are frequent. Other words of WordNet have
# a frequency of 0.
known = {word for word in uses if PLAIN.fullmatch(word) and (uses[word] >= 5 or len(word) > 3)}
known |= {word for pair in kin for word in pair if len(word) > 2}
plain = {word for words, _ in synsets.values() for word in words if PLAIN.fullmatch(word) and 4 <= len(word) <= 9}
small = {line.split()[4 + 2 * i] for name in ["noun", "verb", "adj", "adv"]
         for line in (wordnet / f"data.{name}").read_text().splitlines() if line[0] != " "
         for i in range(int(line.split()[3], 16))}
known |= plain & small
frequency = {word: min(9, (uses[word] + 1).bit_length() - 1) for word in known}
write("dictionary.txt", "Known English words in their dictionary form, sorted, and how frequent they are, from 0 to 9." + licence,
      [f"{word} {frequency[word]}" for word in sorted(known)])

# Names of countries, states and continents: the names, codes and adjectives of one thing on a line.
names = json.loads((countries / "langs/en.json").read_text())["countries"]
codes = {two: three for two, three, *_ in json.loads((countries / "codes.json").read_text())}
adjectives = json.loads((nationalities / "langs/en.json").read_text())["nationalities"]
things = {}
for two, name in names.items():
    all_names = [name] if isinstance(name, str) else name
    adjective = re.sub(r"\s*\(.*", "", adjectives.get(two, ""))
    one = [re.sub(r", .*", "", n) for n in reversed(all_names)] + [two, codes.get(two, "")]
    things[two] = one + ([adjective] if adjective and len(adjective.split()) < 3 else [])
others = []
for line in (here / "places.txt").read_text().splitlines():
    if line and line[0] != "#":
        kind, *one = line.split(" | ")
        if kind == "more":
            things[one[0]].extend(one[1:])
        else:
            others.append((kind, one))
rows = [("country", one) for _, one in sorted(things.items())] + others
lines = [" | ".join([kind, *dict.fromkeys(n for n in one if n)]) for kind, one in rows]
write("names.txt", """
Other names of places: kind, then names, codes and adjectives of one place on a line. Countries from the npm packages
i18n-iso-countries 7.14 and i18n-nationality 1.4 (both MIT licence, copyright 2016 widdix GmbH), states and the rest from
tools/kin/places.txt. Made by tools/kin/make.py; change that, not this file.""", lines)
