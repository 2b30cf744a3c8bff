"""Distils the student (MiniLM-L6, or some of its layers) from answers and the teacher's scores.

    python3 distil.py --train dataset.jsonl.gz,k=24 --train generated.jsonl.gz,k=12 --dev dev.jsonl.gz --teacher teacher/scores --out student

Loss of a question: 0.3 of the answer loss and 0.7 of the cross-entropy to the teacher's softmax, where there is one. Questions without a right
candidate, or without labels, learn from the teacher alone. Several --teacher are averaged. OUT has student.safetensors, vocab.txt, figures.json.
"""

import glob
import os

import numpy as np

import encoder
import ranking
import store
from candidates import Questions, say
from wordpiece import cut_vocabulary


def scores_of(folder):
    """Scores of the candidates of each question that a teacher scored, in whichever file of the folder it is."""
    out = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.npz"))):
        kept = np.load(path)
        parts = np.split(kept["final"], np.cumsum(kept["count"])[:-1])
        out.update(zip(kept["id"].tolist(), parts))
    if not out:
        raise SystemExit(f"{folder}: no scores of a teacher")
    return out


def teacher_scores(questions, teachers):
    """Mean score of the teachers for each candidate, NaN for those that a teacher did not score."""
    total = np.zeros(len(questions.right))
    for teacher in teachers:
        own = np.full(len(questions.right), np.nan)
        for q, id_ in enumerate(questions.id.tolist()):
            scores = teacher.get(id_, [])[: questions.count[q]]
            own[questions.first[q] : questions.first[q] + len(scores)] = scores
        say(f"{questions.name}: a teacher scored {np.isfinite(own).sum()} of {len(own)} candidates; the others learn from answers alone")
        total += own
    return total / len(teachers)


def teaches(questions, k, teacher):
    """Questions that something can be learned from: a teacher scored them, or they have right and wrong candidates, or no right one."""
    out = np.zeros(len(questions), bool)
    for q in range(len(questions)):
        c = questions.candidates(q, k)
        right = questions.right[c]
        known = questions.labelled[q] and (right.any() and not right.all() or not questions.answerable[q])
        out[q] = len(c) > 1 and (known or not np.isnan(teacher[c]).all())
    return out


def choose_vocabulary(given, pieces):
    """Numbers of the pieces to keep, from the counts in the training files; None for all of them."""
    if not given.vocabulary_common and not given.vocabulary_least:
        return None
    training, _ = ranking.read_files(given, pieces)
    counts = sum(np.bincount(questions.tokens, minlength=len(pieces)) for _, questions in training)
    keep = cut_vocabulary(pieces, counts, given.vocabulary_common, given.vocabulary_least or 1)
    say(f"vocabulary: {len(keep)} of {len(pieces)} pieces, {100 * counts[keep].sum() / counts.sum():.2f} % of their uses")
    return keep


def main():
    options = ranking.arguments(__doc__.split("\n")[0], passes=6, rate=1.5e-4, weights="minilm.safetensors")
    add = options.add_argument
    add("--teacher", action="append", default=[], metavar="FOLDER", help="scores of a teacher; several are averaged; none: answers only")
    add("--answers", type=float, default=0.3, help="part of the answer loss where there is a teacher")
    add("--layers", help="layers of the pretrained encoder to keep, like 0,2,4,5")
    add("--vocabulary-common", type=int, default=0, metavar="N", help="cut the vocabulary; keep the first N of its plain pieces")
    add("--vocabulary-least", type=int, default=0, metavar="N", help="cut the vocabulary; keep pieces that the training texts use N times")
    add("--quantised-passes", type=int, default=0, metavar="N", help="last passes that compute with 8-bit weights and activations")
    given = options.parse_args()
    device = ranking.prepare(given)
    pieces = ranking.vocabulary_of(given)
    keep = choose_vocabulary(given, pieces)
    pieces = pieces if keep is None else [pieces[i] for i in keep]
    training, dev = ranking.read_files(given, pieces)
    layers = [int(layer) for layer in given.layers.split(",")] if given.layers else None
    ranker, _ = encoder.load(ranking.path_of(given, given.weights), layers, keep, given.dropout)
    ranking.place(ranker, given, device)
    with open(os.path.join(given.out, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(pieces) + "\n")

    def after_pass(number):
        about = {"made": f"MiniLM-L6, layers {given.layers or 'all'}, {number} of {given.passes} passes at {given.rate}, seed {given.seed}, teachers {len(given.teacher)}"}
        store.write(os.path.join(given.out, "student.safetensors"), ranker.arrays(), about)
        if number < given.passes:
            ranking.report(ranker, dev, device, given.out, f"figures-{number}.json")

    teachers = [scores_of(folder) for folder in given.teacher]
    taught = [teacher_scores(questions, teachers) if teachers else np.full(len(questions.right), np.nan) for _, questions in training]
    parts, scores = [], []
    for (source, questions), teacher in zip(training, taught):
        partly = sum(0 < np.isnan(teacher[questions.candidates(q, source.k)]).mean() < 1 for q in range(len(questions)) if questions.count[q])
        if partly:
            raise SystemExit(f"{questions.name}: a teacher scored only some of the first {source.k} candidates of {partly} questions; see its --score-k")
        which = teaches(questions, source.k, teacher)
        parts.append((source, questions.only(which)))
        scores.append(teacher[np.repeat(which, questions.count)])
        say(f"{questions.name}: {which.sum()} questions teach")
    column = lambda field: np.concatenate([np.full(len(q), getattr(source, field)) for source, q in parts])
    teacher = np.concatenate(scores) if given.teacher else None
    ranking.train(ranker, Questions.joined([q for _, q in parts]), column("k"), column("weight"), column("share"), teacher, given, device, after_pass)
    ranking.report(ranker, dev, device, given.out, "figures.json")


if __name__ == "__main__":
    main()
