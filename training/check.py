"""Checks of the training code on tiny random data: a minute on a CPU, nothing to download.

    python3 check.py [--write FOLDER]

Pieces of known texts, sequences for MPNet, the losses, the large teacher's sequences, and all commands one after the other with tiny encoders, in which the student must beat the
linear ranker. `--write` keeps the tiny weights file and its reference scores, for tests of the program. `--pre FOLDER` checks the
pretrained encoders too: paraphrases must be near each other.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import types

import numpy as np
import torch

import candidates as files
import causal
import encoder
import packed
import quantise
import ranking
import store
from wordpiece import SPECIAL, WordPiece, cut_vocabulary, read_vocabulary

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = ["red", "green", "blue", "white", "black", "grey", "pink", "brown"]
THINGS = ["team", "year", "city", "score", "winner", "country", "length", "name"]


def vocabulary():
    """A vocabulary of 150 pieces or so, with [CLS] and [SEP] where BERT has them."""
    letters = [chr(c) for c in range(97, 123)] + list("0123456789")
    pieces = [*COLOURS, *THINGS, "the", "of", "what", "is", "which", "##s", *letters, *("##" + x for x in letters if x != "s"), *"=;|?.,()-", "東", "ο"]
    out = ["[PAD]", *pieces[:99], "[UNK]", "[CLS]", "[SEP]", *pieces[99:]]
    assert out[100:103] == ["[UNK]", "[CLS]", "[SEP]"]
    return out


def questions(count, seed, kind="plain", unanswerable=0.1):
    """Questions whose right candidate repeats their words; the linear scores hardly know."""
    chance = np.random.default_rng(seed)
    for i in range(count):
        thing, colour = chance.choice(THINGS), chance.choice(COLOURS)
        answerable = bool(chance.random() >= unanswerable)
        pairs = {(str(chance.choice(THINGS)), str(chance.choice(COLOURS))) for _ in range(chance.integers(5, 14))}
        pairs = sorted(pairs | {(str(thing), str(colour))} if answerable else pairs - {(str(thing), str(colour))})
        chance.shuffle(pairs)
        scores = np.sort(chance.normal(size=len(pairs)))[::-1]
        made = [
            {"text": f"the {t} of {c} = {c[0]}{t[0]} ; {t} | {c}", "formula": "f", "score": float(s), "right": bool((t, c) == (thing, colour)), "pool": n}
            for n, ((t, c), s) in enumerate(zip(pairs, scores))
        ]
        yield {"id": f"{kind}-{seed}-{i}", "kind": kind, "table": f"t{seed}-{i // 3}", "question": f"what is the {thing} of {colour}?", "fold": 0, "answerable": answerable, "candidates": made}


def tiny_encoder(shape, seed):
    torch.manual_seed(seed)
    weights = encoder.Ranker(shape).arrays()
    return {name: array for name, array in weights.items() if not name.startswith("head.") and name != "w"}


def check_pieces():
    wordpiece = WordPiece(vocabulary())
    text = lambda words: [wordpiece.pieces[i] for i in wordpiece.numbers_of(words)]
    assert text("The TEAMS, Réd?") == ["the", "team", "##s", ",", "red", "?"], text("The TEAMS, Réd?")
    assert text("a\u0000b\tc") == ["a", "##b", "c"]
    assert text("東京x") == ["東", "[UNK]", "x"] and text("Ο") == ["ο"] and text("_") == ["[UNK]"] and text("a" * 101) == ["[UNK]"]
    pair = wordpiece.pair([5] * 60, [6] * 200)
    assert len(pair) == 96 and pair[41] == 102 and pair[-1] == 102 and pair[42:95] == [6] * 53
    keep = cut_vocabulary(wordpiece.pieces, np.arange(len(wordpiece.pieces)) * 0, 10, 1)
    kept = [wordpiece.pieces[i] for i in keep]
    assert set(SPECIAL) <= set(kept) and "a" in kept and "##a" in kept and "red" in kept and "winner" not in kept
    assert files.without("a = b = c ; d ; e | f", "headers") == "a = b = c ; d" and files.without("a = b ; e | f", "answer") == "a ; e | f"


def check_sequences(path):
    """Padding, grouping and MPNet's doubled separator change nothing but what they should."""
    given = files.read(path, vocabulary())
    for buckets in (0, 32):
        torch.manual_seed(1)
        shape = encoder.Shape(200, 128, 24, 12, 48, 2, types=0 if buckets else 2, buckets=buckets)
        ranker = encoder.Ranker(shape).eval()
        pieces = ranking.Pieces(given, shape, torch.device("cpu"))
        chosen = np.arange(min(300, len(given.right)))[::-1].copy()
        together, _ = ranking.reader_scores(ranker, pieces, chosen)
        for place in (0, 7, 100):
            c = chosen[place : place + 1]
            ids, kinds, _ = pieces.sequences(torch.from_numpy(c), int(pieces.lengths[c[0]]))
            own = given.tokens[given.begin[c[0]] : given.begin[c[0] + 1]].tolist()
            if buckets:
                at = own.index(102)
                own = [{101: 0, 102: 2}.get(x, x + 4) for x in own[: at + 1] + own[at:]]
            assert ids[0].tolist() == own
            assert abs(ranker(ids, kinds, None).item() - together[place].item()) < 1e-5
        assert np.allclose(ranking.score(ranker, given, torch.device("cpu"))[chosen], together.detach().numpy(), atol=1e-5)
        ranker.encoder.mixed = True
        ranker.encoder.quantise()
        rough, _ = ranking.reader_scores(ranker, pieces, chosen)
        rough.sum().backward()
        assert (rough - together).abs().max() < 0.05 and torch.isfinite(ranker.encoder.words.grad).all()


def check_losses():
    given = types.SimpleNamespace(answers=0.3, confidence=0.0)
    inf = float("inf")
    scores = torch.tensor([[1.0, 0.0, -inf], [0.0, 0.0, 0.0]], requires_grad=True)
    right = torch.tensor([[True, False, False], [False, False, False]])
    labelled = torch.tensor([True, True])
    plain = ranking.losses(scores, scores, right, labelled, None, given)
    assert abs(plain[0].item() - np.log(1 + np.exp(-1))) < 1e-6 and plain[1].item() == 0
    teacher = torch.tensor([[-inf, -inf, -inf], [2.0, 0.0, 0.0]])
    both = ranking.losses(scores, scores, right, labelled, teacher, given)
    assert both[0].item() == plain[0].item() and abs(both[1].item() - 2.8 * np.log(3)) < 1e-5
    given.confidence = 1.0
    sure = ranking.losses(scores, scores, right, labelled, teacher, given)
    assert abs((sure - both)[0].item() - np.log(1 + np.exp(-1))) < 1e-6 and abs((sure - both)[1].item() - np.log(2)) < 1e-6
    sure.sum().backward()
    assert torch.isfinite(scores.grad).all()


def check_causal():
    """Scores of the large teacher do not depend on the other candidates or on padding, and packed weights are unpacked."""
    torch.manual_seed(1)
    ranker = causal.Causal(causal.Shape(50, 32, 4, 2, 64, 2)).eval()
    ranker.words.data.normal_()
    shared, first, second = [1, 2, 3], [4, 5], [6, 7, 8]
    at = lambda own: [*range(3, 3 + len(own))]

    def scores(*candidates, padding=0):
        ids = shared + sum(candidates, [])
        positions = [0, 1, 2] + sum(map(at, candidates), [])
        segments = [0] * 3 + [number for number, own in enumerate(candidates, 1) for _ in own]
        ends = 3 + np.cumsum([len(own) for own in candidates]) - 1
        pad = lambda values, fill: torch.tensor([values + [fill] * padding])
        return ranker(pad(ids, 0), pad(positions, 0), pad(segments, -1), torch.from_numpy(ends)).detach()

    together = scores(first, second, padding=5)
    alone = torch.cat([scores(first), scores(second)])
    assert torch.allclose(together, alone, atol=1e-6) and abs(together[0] - together[1]) > 1e-6
    one = np.frombuffer(np.float16(1).tobytes(), np.uint8).tolist()
    block = np.array([one + [0, 0] + [1] * 4 + [0] * 4 + [1] * 4 + [0x21] * 128], np.uint8)
    assert packed.unpack(block, "Q4_K").reshape(8, 32)[:2, 0].tolist() == [1.0, 2.0]
    block = np.array([[0x21] * 128 + [0] * 64 + [1] * 16 + one], np.uint8)
    assert packed.unpack(block, "Q6_K")[0, [0, 64]].tolist() == [-31.0, -30.0]


def check_pretrained(folder):
    """Embeddings of a paraphrase and of an unrelated text."""
    wordpiece = WordPiece(read_vocabulary(os.path.join(folder, "vocab.txt")))
    for name in ("minilm", "mpnet"):
        ranker, _ = encoder.load(os.path.join(folder, name + ".safetensors"))
        ranker.eval()
        found = []
        for text in ("How many people live in Berlin?", "What is the population of Berlin?", "The cat sleeps on the sofa."):
            numbers = wordpiece.numbers_of(text)
            numbers = [0, *(n + 4 for n in numbers), 2] if name == "mpnet" else [101, *numbers, 102]
            ids = torch.tensor([numbers])
            with torch.no_grad():
                found.append(torch.nn.functional.normalize(ranker.encoder(ids, ids * 0, None).mean(1), dim=1)[0])
        near, far = (found[0] @ found[1]).item(), (found[0] @ found[2]).item()
        print(f"{name}: paraphrase {near:.3f}, unrelated {far:.3f}")
        assert near > 0.8 and far < 0.2


def check_commands(folder, keep):
    """All commands on tiny data, as a user would start them."""
    at = lambda *names: os.path.join(folder, *names)
    pre = at("pre")
    store.write(at("pre", "mpnet.safetensors"), tiny_encoder(encoder.Shape(200, 128, 48, 12, 96, 2, buckets=32), 1))
    store.write(at("pre", "minilm.safetensors"), tiny_encoder(encoder.Shape(len(vocabulary()), 128, 24, 12, 48, 3, types=2), 2))
    assert len(store.cut(at("pre", "mpnet.safetensors"), 100_000)) > 1
    open(at("pre", "vocab.txt"), "w", encoding="utf-8").write("\n".join(vocabulary()) + "\n")

    def run(script, *options):
        subprocess.run([sys.executable, os.path.join(HERE, script), *options], check=True, stdout=None if keep else subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})

    train = ["--train", at("a.jsonl") + ",k=12", "--train", at("b.jsonl") + ",k=8,weight=0.5,share=0.7", "--dev", at("dev.jsonl")]
    common = [*train, "--pre", pre, "--cache", at("cache"), "--device", "cpu", "--batch", "16", "--dropout", "0"]
    run("teacher.py", *common, "--out", at("teacher"), "--passes", "5", "--rate", "3e-3", "--hold", "10")
    run("distil.py", *common, "--out", at("student"), "--teacher", at("teacher", "scores"), "--layers", "0,2", "--passes", "10", "--rate", "3e-3", "--vocabulary-common", "120", "--quantised-passes", "2")
    run("quantise.py", "--student", at("student"), "--out", at("reader.bin"), "--reference", at("reference.json"), "--texts", at("dev.jsonl"), "--dev", at("dev.jsonl"), "--device", "cpu")
    figures = {name: json.load(open(at(name, "figures.json")))["files"]["dev"] for name in ("teacher", "student")}
    for name, of in figures.items():
        linear, reader = of["by"]["20"]["linear"][0], of["by"]["20"]["reader"][0]
        print(f"{name}: linear {linear}, reader {reader}, area {of['area']:.2f}")
        assert reader > linear + 20, name
    damaged = bytearray(open(at("reader.bin"), "rb").read())
    damaged[len(damaged) // 2] ^= 1
    try:
        quantise.Program(bytes(damaged))
        raise AssertionError("a damaged file was read")
    except SystemExit:
        pass


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--write", help="folder that keeps the tiny weights file (reader.bin) and reference.json")
    options.add_argument("--pre", help="folder with the pretrained encoders")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, made in (("a", questions(400, 1)), ("b", questions(300, 2, "other")), ("dev", questions(120, 3))):
            with open(os.path.join(folder, name + ".jsonl"), "w") as file:
                file.writelines(json.dumps(entry) + "\n" for entry in made)
        check_pieces()
        check_losses()
        check_causal()
        check_sequences(os.path.join(folder, "dev.jsonl"))
        if given.pre:
            check_pretrained(given.pre)
        check_commands(folder, bool(given.write))
        if given.write:
            os.makedirs(given.write, exist_ok=True)
            for name in ("reader.bin", "reference.json"):
                data = open(os.path.join(folder, name), "rb").read()
                open(os.path.join(given.write, name), "wb").write(data)
    print("all checks passed")


if __name__ == "__main__":
    main()
