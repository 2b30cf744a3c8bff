"""Trains the teacher (all-mpnet-base-v2) on questions with answers, and writes its scores of all candidates.

    python3 teacher.py --train dataset.jsonl.gz,k=24 --train generated.jsonl.gz,k=12 --dev dev.jsonl.gz --out teacher

`OUT/scores` then has a file for each file given (those of --train, --dev and --score), for `distil.py`; OUT/figures.json the accuracy.
Questions that train: those with right and wrong candidates among the first k, and unanswerable ones. All are scored, their
first k candidates. `--passes 0 --weights OUT/teacher.safetensors` only scores.
"""

import os

import numpy as np

import candidates as files
import encoder
import ranking
import store
from candidates import Questions, say


def usable(questions, k):
    """Questions that teach: right and wrong ones among the first k, or none that could be right."""
    out = np.zeros(len(questions), bool)
    for q in range(len(questions)):
        right = questions.right[questions.candidates(q, k)]
        out[q] = questions.labelled[q] and len(right) and (right.any() and not right.all() or not questions.answerable[q])
    return out


def save_scores(folder, questions, reader, w):
    os.makedirs(os.path.join(folder, "scores"), exist_ok=True)
    path = os.path.join(folder, "scores", questions.name + ".npz")
    np.savez_compressed(path, id=questions.id, count=questions.count, reader=reader, final=(reader + w * questions.linear).astype(np.float32))
    say(f"{path}: scores of {np.isfinite(reader).sum()} candidates")


def main():
    options = ranking.arguments(__doc__.split("\n")[0], passes=3, rate=4e-5, weights="mpnet.safetensors")
    options.add_argument("--score-k", type=int, default=0, help="candidates of a training question that are scored; 0: as many as train")
    options.add_argument("--score", action="append", default=[], metavar="FILE", help="more candidates to score")
    given = options.parse_args()
    device = ranking.prepare(given)
    pieces = ranking.vocabulary_of(given)
    training, dev = ranking.read_files(given, pieces)
    more = [files.read(path, pieces, given.k, tuple(given.drop_text), given.cache) for path in given.score]
    ranker, _ = encoder.load(ranking.path_of(given, given.weights), drop=given.dropout)
    ranking.place(ranker, given, device)
    say("weights are on the device")

    def after_pass(number):
        about = {"made": f"teacher, pass {number} of {given.passes}, seed {given.seed}, train {' '.join(given.train)}"}
        store.write(os.path.join(given.out, "teacher.safetensors"), ranker.arrays(), about)
        if number < given.passes:
            ranking.report(ranker, dev, device, given.out, f"figures-{number}.json")

    if given.passes and training:
        parts = [(source, questions.only(usable(questions, source.k))) for source, questions in training]
        column = lambda field: np.concatenate([np.full(len(q), getattr(source, field)) for source, q in parts])
        for source, questions in parts:
            say(f"{questions.name}: {len(questions)} questions teach")
        ranking.train(ranker, Questions.joined([q for _, q in parts]), column("k"), column("weight"), column("share"), None, given, device, after_pass)
    for questions, reader in zip(dev, ranking.report(ranker, dev, device, given.out, "figures.json")):
        save_scores(given.out, questions, reader, ranker.w.item())
    for questions, k in [*((questions, given.score_k or source.k) for source, questions in training), *((questions, given.k) for questions in more)]:
        save_scores(given.out, questions, ranking.score(ranker, questions, device, k), ranker.w.item())


if __name__ == "__main__":
    main()
