"""Training a ranker and scoring with it: what the teacher and the student have in common.

All pieces lie on the device; a batch is a list of candidate numbers. Candidates go through the encoder in groups of about the same length, and
batches are made of questions of about the same length, so little is padding.
"""

import argparse
import json
import os
import random
import zlib

import numpy as np
import torch
import torch.nn.functional as F

import candidates as files
import encoder as encoders
from candidates import Source, say
from wordpiece import read_vocabulary


class Pieces:
    """Pieces of all candidates on the device, and sequences made of them for an encoder."""

    def __init__(self, questions, shape, device):
        move = lambda array: torch.from_numpy(array.astype(np.int64)).to(device)
        self.device, self.mpnet = device, shape.mpnet
        self.tokens = torch.from_numpy(questions.tokens).to(device)
        self.begin, self.length, self.length_a = move(questions.begin[:-1]), move(questions.length), move(questions.length_a)
        self.lengths = questions.length.astype(np.int64) + (1 if self.mpnet else 0)
        if self.mpnet:
            self.numbers = torch.arange(shape.vocabulary, device=device) + encoders.MPNET_SHIFT
            self.numbers[encoders.BERT_FIRST], self.numbers[encoders.BERT_END] = encoders.MPNET_FIRST, encoders.MPNET_END

    def sequences(self, chosen, length):
        """Numbers, types and mask [candidates, length] of some candidates."""
        at = torch.arange(length, device=self.device)[None]
        second = self.length_a[chosen, None] + 2
        # MPNet wants the separator between the texts twice.
        source = at - (at >= second).long() if self.mpnet else at
        mask = at < self.length[chosen, None] + (1 if self.mpnet else 0)
        ids = self.tokens[torch.where(mask, self.begin[chosen, None] + source, 0)].long()
        ids = self.numbers[ids] if self.mpnet else ids
        ids = torch.where(mask, ids, encoders.MPNET_PAD if self.mpnet else encoders.BERT_PAD)
        return ids, ((at >= second) & mask).long(), mask

    def groups(self, chosen, step=16, least=512):
        """Places in `chosen` whose candidates go through the encoder together, with the length they are padded to."""
        lengths = self.lengths[chosen]
        order = np.argsort(lengths, kind="stable")
        slots = -(-lengths[order] // step)
        begin = 0
        for end in [*(np.flatnonzero(np.diff(slots)) + 1), len(order)]:
            if end - begin >= least or end == len(order):
                yield order[begin:end], int(-(-lengths[order[end - 1]] // 8) * 8)
                begin = end


def reader_scores(ranker, pieces, chosen):
    """Reader scores of candidates, in the order given."""
    parts, places, padded = [], [], 0
    for group, length in pieces.groups(chosen):
        ids, types, mask = pieces.sequences(torch.from_numpy(chosen[group]).to(pieces.device), length)
        full = (pieces.lengths[chosen[group]] == length).all()
        parts.append(ranker(ids, types, None if full else mask))
        places.append(group)
        padded += ids.numel()
    place = torch.from_numpy(np.argsort(np.concatenate(places))).to(pieces.device)
    return torch.cat(parts)[place], padded


@torch.no_grad()
def score(ranker, questions, device, k=1000, budget=1 << 17):
    """Reader scores of the first k candidates of every question, NaN for the others."""
    training = ranker.training
    ranker.eval()
    pieces, out = Pieces(questions, ranker.encoder.shape, device), np.full(len(questions.right), np.nan, np.float32)
    chosen = questions.first_k(k)
    chosen = chosen[np.argsort(-pieces.lengths[chosen], kind="stable")]
    at, found = 0, []
    while at < len(chosen):
        length = int(-(-pieces.lengths[chosen[at]] // 8) * 8)
        now = chosen[at : at + max(1, budget // length)]
        ids, types, mask = pieces.sequences(torch.from_numpy(now).to(device), length)
        found.append(ranker(ids, types, mask).float())
        at += len(now)
    if found:
        out[chosen] = torch.cat(found).cpu().numpy()
    ranker.train(training)
    return out


def losses(scores, reader, right, labelled, teacher, given):
    """Loss of each question. All arguments but `labelled` are [questions, candidates], with minus infinity where there is no candidate."""
    total = torch.zeros(len(scores), device=scores.device)
    real = torch.isfinite(scores)
    log_share = scores.log_softmax(1)
    good = right & real
    usable = labelled & good.any(1) & (real & ~right).any(1)
    log_right = log_share.masked_fill(~good, -1e9).logsumexp(1)
    taught = torch.zeros_like(usable)
    if teacher is not None:
        # Both softmaxes at temperature 2; times 4, so that its gradient weighs as much as the other's.
        taught = torch.isfinite(teacher).any(1)
        share = torch.where(taught[:, None], teacher, 0.0).div(2).softmax(1)
        crossed = -(share * (scores / 2).log_softmax(1).masked_fill(~real, 0.0)).sum(1)
        total = total + torch.where(taught, (1 - given.answers) * 4 * crossed, 0.0)
    total = total + torch.where(usable, torch.where(taught, given.answers, 1.0) * -log_right, 0.0)
    if given.confidence:
        # The reader score of the best candidate, by itself, says whether it is right. The softmaxes leave the bias of the head
        # free, so it becomes the threshold: zero is "as likely right as not".
        best = scores.argmax(1, keepdim=True)
        sure, is_right = reader.gather(1, best).squeeze(1), good.gather(1, best).squeeze(1)
        known = labelled & (real.any(1))
        total = total + given.confidence * torch.where(known, F.binary_cross_entropy_with_logits(sure, is_right.float(), reduction="none"), 0.0)
    return total


def batches(questions, pick, size, random_):
    """Shuffled batches of questions, each of questions of about the same length."""
    random_.shuffle(pick)
    mean = np.array([questions.length[questions.first[q]] for q in pick])
    out = []
    for i in range(0, len(pick), 32 * size):
        block = pick[i : i + 32 * size][np.argsort(mean[i : i + 32 * size], kind="stable")]
        out += [block[j : j + size] for j in range(0, len(block), size)]
    random_.shuffle(out)
    return out


def matrix(values, row, column, shape, fill):
    out = torch.full(shape, fill, dtype=values.dtype, device=values.device)
    return out.index_put((row, column), values)


def train(ranker, questions, k, weight, share, teacher, given, device, after_pass):
    """Trains on the questions. k, weight and share are per question; teacher has a score for each candidate (or NaN), or is None.
    `after_pass` is called with the number of the pass."""
    pieces = Pieces(questions, ranker.encoder.shape, device)
    on = lambda array: torch.from_numpy(array).to(device)
    linear, right = on(questions.linear), on(questions.right)
    labelled, weights = on(questions.labelled), on(weight.astype(np.float32))
    teacher = None if teacher is None else on(teacher.astype(np.float32))
    named = list(ranker.named_parameters())
    inner = [(name, p) for name, p in named if name.startswith("encoder.") and p.requires_grad]
    groups = [
        {"params": [p for _, p in inner if p.ndim > 1], "lr": given.rate, "weight_decay": 0.01},
        {"params": [p for _, p in inner if p.ndim <= 1], "lr": given.rate, "weight_decay": 0.0},
        {"params": list(ranker.head.parameters()), "lr": given.head_rate, "weight_decay": 0.0},
    ]
    if given.linear:
        groups.append({"params": [ranker.w], "lr": 2e-3, "weight_decay": 0.0})
    else:
        ranker.w.requires_grad_(False).zero_()
    optimiser = torch.optim.AdamW(groups, fused=device.type == "cuda")
    rates = [group["lr"] for group in optimiser.param_groups]
    random_ = np.random.default_rng(given.seed)
    expected = int(np.ceil(share.sum() / given.batch))
    steps = min(given.passes * expected, given.steps or 10**9)
    say(f"training on {len(questions)} questions: {given.passes} passes of about {expected} steps")
    step, done, real, summed = 0, 0, 0, torch.zeros((), device=device)
    ranker.train()
    for number in range(given.passes):
        if given.quantised_passes and number >= given.passes - given.quantised_passes:
            ranker.encoder.quantise()
        pick = np.flatnonzero(random_.random(len(questions)) < share)
        for batch in batches(questions, pick, given.batch, random_):
            rate = min(1.0, (step + 1) / (given.warm_up * steps)) * max(0.0, 1 - step / steps)
            for group, top in zip(optimiser.param_groups, rates):
                group["lr"] = rate * top
            lists = [questions.candidates(q, k[q]) for q in batch]
            chosen = np.concatenate(lists)
            row = on(np.repeat(np.arange(len(batch)), [len(c) for c in lists]))
            column = on(np.concatenate([np.arange(len(c)) for c in lists]))
            numbers, questions_now = on(chosen), on(batch)
            shape = (len(batch), max(len(c) for c in lists))
            reader, padded = reader_scores(ranker, pieces, chosen)
            final = reader + ranker.w * linear[numbers]
            put = lambda values, fill: matrix(values, row, column, shape, fill)
            taught = None if teacher is None else put(teacher[numbers].nan_to_num(nan=-torch.inf), -torch.inf)
            each = losses(put(final, -torch.inf), put(reader, -torch.inf), put(right[numbers], False), labelled[questions_now], taught, given)
            loss = (each * weights[questions_now]).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(ranker.parameters(), 1.0)
            optimiser.step()
            step, done, real, summed = step + 1, done + padded, real + int(pieces.lengths[chosen].sum()), summed + loss.detach()
            if step % given.every == 0 or step == steps:
                count = (step - 1) % given.every + 1
                say(f"  step {step} of {steps}: loss {summed.item() / count:.4f}, w {ranker.w.item():.3f}, {done / 1e6:.1f} M pieces so far, {100 * (1 - real / done):.0f} % padding")
                summed.zero_()
            if step >= steps:
                break
        say(f"pass {number + 1} of {given.passes} done")
        after_pass(number + 1)
        if step >= steps:
            break


def arguments(description, passes, rate, weights):
    """Options that teacher and student share."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = options.add_argument
    add("--train", action="append", default=[], metavar="FILE,k=24,weight=1,share=1", help="candidates to train on; may be repeated")
    add("--dev", action="append", default=[], metavar="FILE", help="candidates for figures; their tables are kept out of training")
    add("--hold", type=int, default=0, metavar="N", help="keep one in N tables of the training files for figures")
    add("--pre", default="pre", help="folder with the pretrained weights and vocab.txt")
    add("--weights", default=weights, help="file in that folder, or a path, to start from")
    add("--out", required=True, help="folder for weights, scores and figures")
    add("--cache", help="folder that keeps the pieces of the files for the next run")
    add("--k", type=int, default=40, help="candidates read from the files, for scores and figures")
    add("--drop-text", action="append", default=[], choices=["headers", "answer"], help="leave this part of the texts out (ablation)")
    add("--no-linear", dest="linear", action="store_false", help="leave the linear score out (ablation)")
    add("--passes", type=int, default=passes)
    add("--rate", type=float, default=rate, help="learning rate of the encoder")
    add("--head-rate", type=float, default=1e-3, help="learning rate of the head")
    add("--warm-up", type=float, default=0.06, help="part of the steps in which the rates rise")
    add("--batch", type=int, default=96, help="questions of a step")
    add("--steps", type=int, default=0, help="stop after so many steps (to measure speed)")
    add("--every", type=int, default=50, help="steps between lines of progress")
    add("--dropout", type=float, default=0.1)
    add("--confidence", type=float, default=0.1, help="weight of the loss on the best candidate's own score; 0: none")
    add("--seed", type=int, default=1)
    add("--compile", action="store_true", help="compile the layers (pays for long runs only)")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.set_defaults(answers=1.0, quantised_passes=0)
    return options


def held(table, n):
    return zlib.crc32(table.encode()) % n == 0


def read_files(given, pieces):
    """Training files (source and questions each) and files for figures. No table is in both."""
    sources = [Source.parse(text) for text in given.train]
    read = lambda path: files.read(path, pieces, given.k, tuple(given.drop_text), given.cache)
    training, dev = [(source, read(source.path)) for source in sources], [read(path) for path in given.dev]
    kept = {table for questions in dev for table in questions.table}
    out = []
    for source, questions in training:
        if given.hold:
            apart = np.array([held(table, given.hold) for table in questions.table])
            if apart.any():
                dev.append(questions.only(apart, questions.name + "-held"))
            questions = questions.only(~apart)
        clash = np.array([table in kept for table in questions.table], dtype=bool)
        if clash.any():
            say(f"{questions.name}: {clash.sum()} questions on tables of the files for figures are left out")
            questions = questions.only(~clash)
        out.append((source, questions))
    return out, dev


def prepare(given):
    """Fixes seeds and the device."""
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    os.makedirs(given.out, exist_ok=True)
    return torch.device(given.device)


def place(ranker, given, device):
    ranker.to(device)
    ranker.encoder.mixed = device.type == "cuda"
    if given.compile:
        for layer in ranker.encoder.layers:
            layer.compile(dynamic=True)
    return ranker


def path_of(given, name):
    inside = os.path.join(given.pre, name)
    return name if os.path.exists(name) or os.path.exists(name + ".00") else inside


def vocabulary_of(given):
    return read_vocabulary(os.path.join(given.pre, "vocab.txt"))


def report(ranker, dev, device, folder, name):
    """Figures of each file, printed and kept; returns the reader scores."""
    out, scores, w = {}, [], ranker.w.item()
    for questions in dev:
        scores.append(score(ranker, questions, device))
        out[questions.name] = files.figures(questions, scores[-1], w)
    with open(os.path.join(folder, name), "w") as file:
        json.dump({"w": w, "files": out}, file, indent=1)
    return scores
