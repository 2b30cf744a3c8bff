"""Goes on training a reader with further questions, from its weights file.

    python3 tune.py --reader reader.bin --train new.jsonl.gz,k=10 --train known.jsonl.gz,k=10 --out tuned

The reader is its own teacher: it learns the answers of the new questions, and otherwise to rank as it did. So it does not forget what it learned from files that
are not at hand; questions that it knows may be given without answers (no `right`). OUT has student.safetensors, vocab.txt and figures.json, as
distil.py writes them.
"""

import os

import numpy as np

import quantise
import ranking
import store
from candidates import Questions, say


def unpacked(path):
    """Weights of a weights file as floats, by their names in training, and its vocabulary."""
    with open(path, "rb") as file:
        program = quantise.Program(file.read())
    out = {"head.bias": [program.header["bias"]], "w": program.header["w"]}
    for name, type_, _ in quantise.arrays(program.header):
        array = getattr(program, name)
        if name.endswith(".scale"):
            continue
        # The program keeps matrices of layers turned, and in 64 bits.
        array = array.T if array.dtype == np.float64 else array
        if type_ == np.int8:
            array = array * getattr(program, name + ".scale")[:, None]
            name = name if name == "words" else name + ".weight"
        out["head.weight" if name == "head" else name] = array.reshape(1, -1) if name == "head" else array
    return {name: np.asarray(array, np.float32) for name, array in out.items()}, program.wordpiece.pieces


def main():
    options = ranking.arguments(__doc__.split("\n")[0], passes=1, rate=3e-5, weights="")
    add = options.add_argument
    add("--reader", required=True, help="weights file to start from")
    add("--answers", type=float, default=0.5, help="part of the answer loss; the rest keeps the ranking as it was")
    options.set_defaults(head_rate=1e-4)
    given = options.parse_args()
    device = ranking.prepare(given)
    weights, pieces = unpacked(given.reader)
    given.pre = given.out
    with open(os.path.join(given.out, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(pieces) + "\n")
    start = os.path.join(given.out, "start.safetensors")
    store.write(start, weights)
    training, dev = ranking.read_files(given, pieces)
    ranker, _ = ranking.encoders.load(start, drop=given.dropout)
    ranking.place(ranker, given, device)
    # The linear scores of questions that the linear model knows say too much.
    ranker.w.requires_grad_(False)
    ranking.report(ranker, dev, device, given.out, "figures-0.json")
    sources, questions = [source for source, _ in training], [questions for _, questions in training]
    teacher = []
    for source, own in zip(sources, questions):
        teacher.append(ranking.score(ranker, own, device, source.k) + ranker.w.item() * own.linear)
        say(f"{own.name}: scored")

    def after_pass(number):
        about = {"made": f"{os.path.basename(given.reader)} went on for {number} of {given.passes} passes at {given.rate}, seed {given.seed}"}
        store.write(os.path.join(given.out, "student.safetensors"), ranker.arrays(), about)

    column = lambda field: np.concatenate([np.full(len(own), getattr(source, field)) for source, own in zip(sources, questions)])
    joined = Questions.joined(questions)
    ranking.train(ranker, joined, column("k"), column("weight"), column("share"), np.concatenate(teacher), given, device, after_pass)
    ranking.report(ranker, dev, device, given.out, "figures.json")


if __name__ == "__main__":
    main()
