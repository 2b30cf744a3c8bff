"""Questions with their candidates, as `tabwise lab candidates` writes them: read, cut into pieces once, and scored.

A line is a question: id, kind, table, question, answerable, and candidates in the order of the linear ranker, each with a text, a linear
score, whether it is right, and a pool (candidates of one pool give the same answer). Files may be compressed (.gz, .xz).
"""

import gzip
import hashlib
import json
import lzma
import multiprocessing
import os
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

from wordpiece import LONGEST_A, WordPiece


def say(*words, since=[time.time()]):
    """Prints a line with the seconds since the start."""
    print(f"[{time.time() - since[0]:6.1f}]", *words, flush=True)


@dataclass
class Source:
    """A file to train on, written `PATH,k=24,weight=1,share=1`: how many candidates of a question, the weight of its questions in
    the loss, and the part of them that a pass takes."""

    path: str
    k: int = 24
    weight: float = 1.0
    share: float = 1.0

    @classmethod
    def parse(cls, text):
        path, *settings = text.split(",")
        source = cls(path)
        for setting in settings:
            name, _, value = setting.partition("=")
            if name not in ("k", "weight", "share"):
                raise SystemExit(f"{text}: {name} is not a setting of a file; k, weight and share are")
            setattr(source, name, int(value) if name == "k" else float(value))
        return source


class Questions:
    """Questions of a file. Candidates of question q are first[q]..first[q + 1], pieces of candidate c are tokens[begin[c]..begin[c + 1]]."""

    PER_QUESTION = ["id", "kind", "table", "answerable", "labelled", "count"]
    PER_CANDIDATE = ["linear", "right", "pool", "length", "length_a"]

    def __init__(self, name, arrays):
        self.name = name
        for key in [*self.PER_QUESTION, *self.PER_CANDIDATE, "tokens"]:
            setattr(self, key, arrays[key])
        self.first = np.concatenate([[0], np.cumsum(self.count, dtype=np.int64)])
        self.begin = np.concatenate([[0], np.cumsum(self.length, dtype=np.int64)])

    def __len__(self):
        return len(self.id)

    def candidates(self, question, k):
        return np.arange(self.first[question], min(self.first[question] + k, self.first[question + 1]))

    def only(self, which, name=None):
        """The questions for which `which` is true."""
        arrays = {key: getattr(self, key)[which] for key in self.PER_QUESTION}
        of_candidates = np.repeat(which, self.count)
        arrays |= {key: getattr(self, key)[of_candidates] for key in self.PER_CANDIDATE}
        arrays["tokens"] = self.tokens[np.repeat(of_candidates, self.length)]
        return Questions(name or self.name, arrays)

    @classmethod
    def joined(cls, parts):
        keys = [*cls.PER_QUESTION, *cls.PER_CANDIDATE, "tokens"]
        return cls(" + ".join(part.name for part in parts), {key: np.concatenate([getattr(part, key) for part in parts]) for key in keys})

    def first_k(self, k):
        """Numbers of the candidates that are among the first k of their question."""
        rank = np.arange(len(self.right)) - np.repeat(self.first[:-1], self.count)
        return np.flatnonzero(rank < k)


def without(text, part):
    """Text of a candidate, `SENTENCE = ANSWER ; HEADERS`, without the headers, or without the answer (for ablations)."""
    body, mark, headers = text.rpartition(" ; ")
    body, headers = (body, mark + headers) if mark else (text, "")
    if part == "headers":
        return body
    sentence, equals, _ = body.rpartition(" = ")
    return (sentence if equals else body) + headers


def start_worker(pieces, k, drop):
    global WORKER
    WORKER = WordPiece(pieces), k, drop


def cut_lines(lines):
    """Arrays of some lines of a file."""
    wordpiece, k, drop = WORKER
    out = {key: [] for key in [*Questions.PER_QUESTION, *Questions.PER_CANDIDATE, "tokens"]}
    for line in lines:
        entry = json.loads(line)
        candidates = entry["candidates"][:k]
        a = wordpiece.numbers_of(entry["question"])[:LONGEST_A]
        for key in ("id", "kind", "table"):
            out[key].append(str(entry.get(key) or ""))
        out["answerable"].append(bool(entry.get("answerable", True)))
        out["labelled"].append(all(c.get("right") is not None for c in candidates))
        out["count"].append(len(candidates))
        best = max((c["score"] for c in candidates), default=0.0)
        for position, candidate in enumerate(candidates):
            text = candidate["text"]
            for part in drop:
                text = without(text, part)
            tokens = wordpiece.pair(a, wordpiece.numbers_of(text))
            out["tokens"] += tokens
            out["length"].append(len(tokens))
            out["length_a"].append(len(a))
            out["linear"].append(candidate["score"] - best)
            out["right"].append(bool(candidate.get("right")))
            out["pool"].append(candidate.get("pool", position))
    types = {"tokens": np.int16, "length": np.int16, "length_a": np.int16, "linear": np.float32, "pool": np.int32, "count": np.int32}
    return {key: np.array(values, dtype=types.get(key, str if key in ("id", "kind", "table") else bool)) for key, values in out.items()}


def lines_of(path, data=None):
    """Lines of a file, unpacked."""
    data = open(path, "rb").read() if data is None else data
    data = gzip.decompress(data) if path.endswith(".gz") else lzma.decompress(data) if path.endswith(".xz") else data
    return [line for line in data.split(b"\n") if line.strip()]


def read(path, pieces, k=40, drop=(), cache=None):
    """Questions of a file with at most k candidates each. With `cache`, a folder, the pieces are kept there for the next run."""
    data = open(path, "rb").read()
    key = hashlib.sha256("\0".join([hashlib.sha256(data).hexdigest(), str(k), *drop, *pieces]).encode()).hexdigest()[:16]
    name = os.path.basename(path).split(".json")[0]
    kept = os.path.join(cache, f"{name}-{key}.npz") if cache else None
    if kept and os.path.exists(kept):
        questions = Questions(name, dict(np.load(kept)))
    else:
        lines = lines_of(path, data)
        parts = [lines[i : i + 100] for i in range(0, len(lines), 100)]
        if not parts:
            raise SystemExit(f"{path}: no questions in it")
        with multiprocessing.Pool(min(os.cpu_count(), len(parts)), start_worker, (pieces, k, drop)) as pool:
            done = pool.map(cut_lines, parts, chunksize=1)
        arrays = {key: np.concatenate([part[key] for part in done]) for key in done[0]}
        questions = Questions(name, arrays)
        if kept:
            os.makedirs(cache, exist_ok=True)
            own = f"{kept[:-4]}-{os.getpid()}.npz"
            np.savez(own, **arrays)
            os.replace(own, kept)
    mean = questions.length.mean() if len(questions.length) else 0
    say(f"{name}: {len(questions)} questions, {len(questions.right)} candidates of {mean:.1f} pieces in the mean")
    return questions


def best_and_pooled(questions, scores, k):
    """For each question: candidate with the best score among the first k (or -1), whether it is right, and whether the answer is right
    that gathers most of the softmax over them."""
    best, right, pooled = -np.ones(len(questions), np.int64), np.zeros(len(questions), bool), np.zeros(len(questions), bool)
    some = np.flatnonzero(questions.count)
    for part in np.array_split(some, len(some) // 2000 + 1):
        number = questions.first[part, None] + np.arange(k)
        there = number < np.minimum(questions.first[part + 1], questions.first[part] + k)[:, None]
        number = np.where(there, number, questions.first[part, None])
        score = np.where(there, scores[number], -np.inf)
        share = np.exp(score - score.max(1, keepdims=True))
        pool = questions.pool[number]
        gathered = np.where(there, ((pool[:, :, None] == pool[:, None, :]) * share[:, None, :]).sum(2), -1)
        row = np.arange(len(part))
        best[part] = number[row, score.argmax(1)]
        right[part] = questions.right[best[part]]
        pooled[part] = questions.right[number[row, gathered.argmax(1)]]
    return best, right, pooled


def area(signal, right):
    """How well a signal tells right from wrong: the chance that it is higher for a right one (area under the ROC curve)."""
    order = np.argsort(signal, kind="stable")
    rank = np.empty(len(signal))
    rank[order] = np.arange(1, len(signal) + 1)
    good, bad = right.sum(), (~right).sum()
    return float((rank[right].sum() - good * (good + 1) / 2) / (good * bad)) if good and bad else float("nan")


def figures(questions, reader, w, say=say):
    """Prints accuracy by the linear ranker and by the reader's scores, over the first 10, 20, 40 candidates and by kind; returns it."""
    asked = questions.answerable & questions.labelled
    if not asked.any():
        say(f"{questions.name}: no questions with known answers")
        return {}
    final = reader + w * questions.linear
    out = {"questions": len(questions), "answerable": int(asked.sum()), "by": {}}
    percent = lambda flags, of=asked: round(100 * float(flags[of].mean()), 1)
    show = lambda pair: f"{pair[0]:5.1f} / {pair[1]:5.1f}"
    say(f"{questions.name}: {len(questions)} questions, {asked.sum()} answerable; best candidate / pooled by answer, percent")
    for k in (10, 20, 40):
        among = np.array([questions.right[questions.candidates(q, k)].any() for q in range(len(questions))])
        rows = {"linear": best_and_pooled(questions, questions.linear, k), "reader": best_and_pooled(questions, final, k)}
        line = {name: (percent(right), percent(pooled)) for name, (_, right, pooled) in rows.items()}
        out["by"][k] = {**line, "among": percent(among)}
        say(f"  first {k}: linear {show(line['linear'])}   reader {show(line['reader'])}   right one among them {percent(among):.1f}")
    best, right, pooled = rows["reader"]
    out["kinds"] = {}
    for kind, count in Counter(questions.kind[asked]).most_common(16):
        of = asked & (questions.kind == kind)
        both = {name: (percent(r, of), percent(p, of)) for name, (_, r, p) in rows.items()}
        out["kinds"][str(kind)] = {"questions": count, **both}
        say(f"    {kind or '-':24} {count:6}   linear {show(both['linear'])}   reader {show(both['reader'])}")
    known = questions.labelled & (best >= 0)
    out["area"] = area(reader[best[known]], right[known])
    out["declined"] = {str(kind): round(float((reader[best[known & of]] < 0).mean()), 3) for kind, of in (("right", right), ("wrong", ~right & asked), ("unanswerable", ~questions.answerable)) if (known & of).any()}
    say(f"  best reader score tells right from wrong: area {out['area']:.3f}; below zero: " + ", ".join(f"{k} {100 * v:.0f} %" for k, v in out["declined"].items()))
    return out
