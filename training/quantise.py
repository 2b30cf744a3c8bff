"""Writes the student as the weights file of the program, with 8-bit weights, and checks it.

    python3 quantise.py --student student --out reader.bin --reference reference.json --texts dev.jsonl.gz --dev dev.jsonl.gz

The file: `TWREADER`, u32 version, u32 length and JSON header, u32 length and vocabulary (pieces joined by line feeds), arrays, u32 CRC32 of all
before it; little-endian. Arrays, in order (see `arrays`): words (i8 rows, then an f32 scale for each row), positions, types, norm (weight,
bias); for each layer qkv (rows of the queries, then keys, then values), out, norm1, up, down, norm2; then the head. A matrix is its i8 rows
[out][in], an f32 scale for each row, and its f32 bias.

`Program` is the arithmetic of the program in numpy: each row of activations is rounded to 8 bits (scale = largest / 127, halves away from
zero), products are summed as integers, sum * (scale of the activations * scale of the row) + bias; all else in 32-bit floats.
"""

import argparse
import json
import math
import os
import struct
import zlib

import numpy as np

import store
from wordpiece import LONGEST, WordPiece, read_vocabulary

MAGIC, VERSION, HEADS = b"TWREADER", 1, 12

# Texts that a tokenizer may get wrong; they are part of the reference.
HARD = [
    ("Où est né François Müller?", "the Player of the row where Name is \"Zoë\" = São Paulo ; Name | Player"),
    ("第1回 大会 winner", "the Champion of the first row = 東京 Giants ; Year | Champion"),
    ("what's the % of U.S. (A) — B?", "the number of rows = 3 ; A/B | C&D | E-F | $"),
    ("", "all rows = ; "),
    ("how many " + "very " * 60 + "long words?", "the sum of " + "internationalization " * 60 + "= 1,234.5 ; x"),
    ("a\u0000b \u200bc\td ﬁ ΣΑΣ İstanbul", "x" * 120 + " = 🙂 [SEP] ; y"),
]


def half_away(x):
    return np.trunc(x + np.copysign(np.float32(0.5), x))


def eight_bits(rows):
    """Rows rounded to 8 bits, and the scale of each."""
    rows = rows.astype(np.float32)
    scale = np.abs(rows).max(-1, keepdims=True) / np.float32(127)
    whole = half_away(rows / np.where(scale > 0, scale, np.float32(1)))
    return np.clip(whole, -127, 127).astype(np.int8), scale[..., 0].astype(np.float32)


def arrays(shape):
    """Name, type and dimensions of each array of the file, in order."""
    hidden, ff = shape["hidden"], shape["ff"]

    def matrix(name, rows, columns, bias=True):
        yield name, np.int8, (rows, columns)
        yield name + ".scale", np.float32, (rows,)
        if bias:
            yield name + ".bias", np.float32, (rows,)

    def norm(name):
        yield name + ".weight", np.float32, (hidden,)
        yield name + ".bias", np.float32, (hidden,)

    yield from matrix("words", shape["vocabulary"], hidden, bias=False)
    yield "positions", np.float32, (shape["positions"], hidden)
    yield "types", np.float32, (2, hidden)
    yield from norm("norm")
    for i in range(shape["layers"]):
        yield from matrix(f"layers.{i}.qkv", 3 * hidden, hidden)
        yield from matrix(f"layers.{i}.out", hidden, hidden)
        yield from norm(f"layers.{i}.norm1")
        yield from matrix(f"layers.{i}.up", ff, hidden)
        yield from matrix(f"layers.{i}.down", hidden, ff)
        yield from norm(f"layers.{i}.norm2")
    yield "head", np.float32, (hidden,)


def pack(weights, pieces, made, heads=HEADS):
    """The weights file of a student."""
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    own = {name: array.astype(np.float32) for name, array in weights.items()}
    shape = {"layers": layers, "hidden": own["words"].shape[1], "heads": heads, "ff": len(own["layers.0.up.bias"])}
    shape |= {"positions": min(LONGEST, len(own["positions"])), "vocabulary": len(pieces)}
    header = {**shape, "w": float(own["w"]), "bias": float(own["head.bias"].ravel()[0]), "made": made}
    if len(own["words"]) != len(pieces):
        raise SystemExit(f"{len(own['words'])} rows of words for a vocabulary of {len(pieces)}")
    ready = {"positions": own["positions"][: shape["positions"]], "types": own["types"], "head": own["head.weight"].ravel()}
    ready["words"], ready["words.scale"] = eight_bits(own["words"])
    for i in range(layers):
        for name in ("qkv", "out", "up", "down"):
            ready[f"layers.{i}.{name}"], ready[f"layers.{i}.{name}.scale"] = eight_bits(own[f"layers.{i}.{name}.weight"])
    text, vocabulary = json.dumps(header, ensure_ascii=False).encode(), "\n".join(pieces).encode()
    out = [MAGIC, struct.pack("<I", VERSION), struct.pack("<I", len(text)), text, struct.pack("<I", len(vocabulary)), vocabulary]
    for name, type_, size in arrays(shape):
        array = ready.get(name, own.get(name))
        if array is None or array.shape != size:
            raise SystemExit(f"{name}: expected {size}, the student has {None if array is None else array.shape}")
        out.append(np.ascontiguousarray(array, dtype=np.dtype(type_).newbyteorder("<")).tobytes())
    data = b"".join(out)
    return data + struct.pack("<I", zlib.crc32(data))


class Program:
    """The reader as the program computes it."""

    def __init__(self, data):
        if data[:8] != MAGIC or struct.unpack_from("<I", data, 8)[0] != VERSION:
            raise SystemExit("not a weights file of this version")
        if struct.unpack("<I", data[-4:])[0] != zlib.crc32(data[:-4]):
            raise SystemExit("weights file is damaged: its checksum does not hold")
        at, texts = 12, []
        for _ in range(2):
            (size,) = struct.unpack_from("<I", data, at)
            texts.append(data[at + 4 : at + 4 + size].decode())
            at += 4 + size
        self.header, self.wordpiece = json.loads(texts[0]), WordPiece(texts[1].split("\n"))
        for name, type_, size in arrays(self.header):
            array = np.frombuffer(data, np.dtype(type_).newbyteorder("<"), math.prod(size), at).reshape(size)
            at += array.nbytes
            # Sums of integers are exact in 64-bit floats, and fast.
            setattr(self, name, array.astype(np.float64).T if name.startswith("layers") and len(size) == 2 else array)
        if at != len(data) - 4:
            raise SystemExit(f"weights file has {len(data) - 4 - at} bytes too many")

    def linear(self, name, x):
        whole, scale = eight_bits(x)
        sums = (whole.astype(np.float64) @ getattr(self, name)).astype(np.int32)
        return sums.astype(np.float32) * (scale[:, None] * getattr(self, name + ".scale")) + getattr(self, name + ".bias")

    def norm(self, name, x):
        centred = x - x.mean(-1, keepdims=True, dtype=np.float32)
        spread = np.sqrt((centred * centred).mean(-1, keepdims=True, dtype=np.float32) + np.float32(1e-12))
        return centred / spread * getattr(self, name + ".weight") + getattr(self, name + ".bias")

    def attention(self, i, x):
        heads, (n, hidden) = self.header["heads"], x.shape
        size = hidden // heads
        q, k, v = self.linear(f"layers.{i}.qkv", x).reshape(n, 3, heads, size).transpose(1, 2, 0, 3)
        weights = q @ k.transpose(0, 2, 1) * np.float32(1 / math.sqrt(size))
        weights = np.exp(weights - weights.max(-1, keepdims=True))
        weights = weights / weights.sum(-1, keepdims=True)
        return (weights @ v).transpose(1, 0, 2).reshape(n, hidden)

    def numbers(self, question, text):
        """Numbers of the pieces of a pair."""
        return self.wordpiece.pair(self.wordpiece.numbers_of(question), self.wordpiece.numbers_of(text))

    def score(self, numbers):
        """Reader score of a sequence of pieces."""
        second = numbers.index(self.wordpiece.end) + 1
        types = np.array([0] * second + [1] * (len(numbers) - second))
        words = self.words[numbers].astype(np.float32) * getattr(self, "words.scale")[numbers][:, None]
        x = self.norm("norm", words + self.positions[: len(numbers)] + self.types[types])
        for i in range(self.header["layers"]):
            x = self.norm(f"layers.{i}.norm1", x + self.linear(f"layers.{i}.out", self.attention(i, x)))
            up = self.linear(f"layers.{i}.up", x)
            up = (up * 0.5 * (1 + ERF(up / math.sqrt(2)).astype(np.float64))).astype(np.float32)
            x = self.norm(f"layers.{i}.norm2", x + self.linear(f"layers.{i}.down", up))
        pooled = (x[0] + x.mean(0, dtype=np.float32)) / 2
        return float(np.dot(self.head, pooled) + np.float32(self.header["bias"]))


ERF = np.frompyfunc(math.erf, 1, 1)


def choose_pairs(path, count):
    """Pairs of texts from all over a candidates file: three candidates of each question taken."""
    from candidates import lines_of

    lines, pairs = lines_of(path), []
    for i in range(0, len(lines), max(1, len(lines) * 3 // count)):
        entry = json.loads(lines[i])
        pairs += [(entry["question"], candidate["text"]) for candidate in entry["candidates"][:3]]
    return pairs[:count]


def reference(program, pairs):
    """What the program must give for pairs of texts."""
    out = []
    for question, text in pairs:
        numbers = program.numbers(question, text)
        out.append({"question": question, "text": text, "pieces": numbers, "score": round(program.score(numbers), 5)})
    return out


def compare(path, pieces, given, entries):
    """Accuracy with 32-bit floats and with 8-bit weights, by PyTorch; and how far its 8-bit scores are from the program's."""
    import torch

    import candidates as files
    import encoder
    import ranking

    device = torch.device(given.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    ranker, _ = encoder.load(path)
    ranker.to(device).eval()
    far = []
    ranker.encoder.quantise()
    for entry in entries:
        ids = torch.tensor([entry["pieces"]], device=device)
        second = entry["pieces"].index(pieces.index("[SEP]")) + 1
        with torch.no_grad():
            far.append(abs(ranker(ids, (torch.arange(ids.shape[1], device=device) >= second).long()[None], None).item() - entry["score"]))
    if far:
        files.say(f"scores of PyTorch and of the program differ by {np.mean(far):.5f} in the mean, {max(far):.5f} at most")
    for path in given.dev:
        questions, w = files.read(path, pieces, given.k, tuple(given.drop_text), given.cache), ranker.w.item()
        scores = {}
        for name in ("float", "8 bits"):
            ranker.encoder.quantise(name == "8 bits")
            scores[name] = ranking.score(ranker, questions, device, budget=1 << 15)
        lines = []
        for k in (10, 20, 40):
            asked = questions.answerable & questions.labelled
            parts = {name: files.best_and_pooled(questions, s + w * questions.linear, k) for name, s in scores.items()}
            both = {name: f"{100 * right[asked].mean():.2f} / {100 * pooled[asked].mean():.2f}" for name, (_, right, pooled) in parts.items()}
            same = 100 * (parts["float"][0] == parts["8 bits"][0]).mean()
            lines.append(f"  first {k}: float {both['float']}   8 bits {both['8 bits']}   same best candidate {same:.1f} %")
        difference = np.abs(scores["float"] - scores["8 bits"])
        files.say(f"{questions.name}: best / pooled, percent; scores differ by {difference.mean():.3f} in the mean, {difference.max():.3f} at most")
        for line in lines:
            files.say(line)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add = options.add_argument
    add("--student", required=True, help="folder that distil.py wrote")
    add("--out", default="reader.bin", help="weights file to write")
    add("--reference", help="file for reference scores (JSON)")
    add("--texts", help="candidates file that the reference takes its texts from")
    add("--count", type=int, default=42, help="candidates of the reference, besides a few hard texts")
    add("--dev", action="append", default=[], help="candidates to compare accuracy on")
    add("--k", type=int, default=40)
    add("--drop-text", action="append", default=[], choices=["headers", "answer"], help="leave this part of the texts of --dev out")
    add("--cache")
    add("--made", default="", help="text about the training, put into the file")
    add("--device")
    given = options.parse_args()
    path = os.path.join(given.student, "student.safetensors")
    weights, about = store.read(path)
    pieces = read_vocabulary(os.path.join(given.student, "vocab.txt"))
    data = pack(weights, pieces, given.made or about.get("made", ""))
    with open(given.out, "wb") as file:
        file.write(data)
    program = Program(data)
    print(f"{given.out}: {len(data) / 1e6:.1f} MB, CRC32 {zlib.crc32(data[:-4]):08x}, {program.header}")
    entries = []
    if given.reference:
        entries = reference(program, HARD + (choose_pairs(given.texts, given.count) if given.texts else []))
        with open(given.reference, "w", encoding="utf-8") as file:
            json.dump(entries, file, ensure_ascii=False, indent=1)
        print(f"{given.reference}: {len(entries)} reference scores")
    if entries or given.dev:
        compare(path, pieces, given, entries)


if __name__ == "__main__":
    main()
