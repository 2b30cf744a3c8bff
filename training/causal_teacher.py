"""Trains the large teacher (Qwen2.5-Coder-1.5B-Instruct as a ranker) in stages, and writes its scores after each.

    python3 causal_teacher.py --files large --stage dataset,k=16+generated,k=10,share=0.4 --dev dev-dataset --score dataset,k=16 --out teacher

A stage is one pass over some files of `causal_files.py`, with a rate that rises and falls; the next one goes on from it. OUT/1/scores, OUT/2/scores, ... then
have the scores of the files of --score and --dev, for `distil.py`, and OUT/1/figures.json the accuracy. So a first stage can leave out tables
that a student is measured on, and a second one use them.
"""

import argparse
import json
import multiprocessing
import os

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import candidates as files
import store
from candidates import Questions, Source, say
from causal import Causal, Shape
from packed import unpack
from ranking import losses, matrix
from teacher import save_scores, usable


class Sheet:
    """A file of `causal_files.py`: its questions, and the pieces that the candidates of each share."""

    def __init__(self, folder, name):
        arrays = dict(np.load(os.path.join(folder, name + ".npz")))
        self.shared, length = arrays.pop("shared").astype(np.int32), arrays.pop("shared_length").astype(np.int64)
        self.questions = Questions(name, arrays)
        self.begin = np.concatenate([[0], np.cumsum(length)])

    def sequence(self, q, k):
        """Pieces of a question and its first k candidates with their positions and segments, and where each candidate ends."""
        own, shared = self.questions, self.shared[self.begin[q] : self.begin[q + 1]]
        chosen = own.candidates(q, k)
        lengths = own.length[chosen].astype(np.int64)
        first, last = own.begin[chosen[0]], own.begin[chosen[-1] + 1]
        starts = np.cumsum(lengths) - lengths
        segments = np.repeat(np.arange(1, len(chosen) + 1), lengths)
        positions = np.arange(lengths.sum()) - np.repeat(starts, lengths) + len(shared)
        ids = np.concatenate([shared, own.tokens[first:last].astype(np.int32)])
        return ids, np.concatenate([np.arange(len(shared)), positions]), np.concatenate([np.zeros(len(shared), int), segments]), len(shared) + starts + lengths - 1, chosen

    def size(self, q, k):
        chosen = self.questions.candidates(q, k)
        return int(self.begin[q + 1] - self.begin[q] + self.questions.length[chosen].sum())


class Batch:
    """Some questions as tensors."""

    def __init__(self, items, device):
        parts = [sheet.sequence(q, k) for sheet, q, k in items]
        longest = -(-max(len(part[0]) for part in parts) // 16) * 16
        grid = {name: np.full((len(parts), longest), fill, np.int64) for name, fill in (("ids", 0), ("positions", 0), ("segments", -1))}
        for row, part in enumerate(parts):
            for name, values in zip(grid, part):
                grid[name][row, : len(values)] = values
        on = lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device, non_blocking=True)
        self.ids, self.positions, self.segments = (on(grid[name]) for name in grid)
        self.ends = on(np.concatenate([row * longest + part[3] for row, part in enumerate(parts)]))
        counts = [len(part[4]) for part in parts]
        self.row, self.column = on(np.repeat(np.arange(len(parts)), counts)), on(np.concatenate([np.arange(n) for n in counts]))
        self.shape = (len(parts), max(counts))
        gather = lambda field: np.concatenate([getattr(sheet.questions, field)[part[4]] for (sheet, _, _), part in zip(items, parts)])
        self.linear, self.right = on(gather("linear")), on(gather("right"))
        self.labelled = on(np.array([sheet.questions.labelled[q] for sheet, q, _ in items]))
        self.real = sum(len(part[0]) for part in parts)

    def scores(self, ranker):
        return ranker(self.ids, self.positions, self.segments, self.ends)

    def put(self, values, fill):
        return matrix(values, self.row, self.column, self.shape, fill)


def packed(items, budget):
    """Batches of questions of about the same length, each of at most `budget` pieces with padding."""
    sizes = np.array([sheet.size(q, k) for sheet, q, k in items])
    out, now = [], []
    for at in np.argsort(-sizes, kind="stable"):
        if now and (len(now) + 1) * (-(-sizes[now[0]] // 16) * 16) > budget:
            out.append(now)
            now = []
        now.append(at)
    return [[items[at] for at in batch] for batch in [*out, now] if batch]


@torch.no_grad()
def score(ranker, sheet, k, budget, device):
    """Reader scores of the first k candidates of every question of a file, NaN for the others."""
    own = sheet.questions
    out = np.full(len(own.right), np.nan, np.float32)
    items = [(sheet, q, k) for q in range(len(own)) if own.count[q]]
    found = [(np.concatenate([own.candidates(q, k) for _, q, _ in batch]), Batch(batch, device).scores(ranker).float()) for batch in packed(items, 2 * budget)]
    for chosen, scores in found:
        out[chosen] = scores.cpu().numpy()
    return out


def train(ranker, optimiser, stage, sheets, given, device):
    """One stage. Questions that teach are those with right and wrong candidates, and unanswerable ones."""
    random_ = np.random.default_rng(given.seed)
    items = []
    for source in stage:
        own = sheets[source.path].questions
        pick = np.flatnonzero(usable(own, source.k))
        pick = pick[random_.random(len(pick)) < source.share]
        items += [(sheets[source.path], int(q), source.k) for q in pick]
        say(f"{source.path}: {len(pick)} questions teach")
    batches = packed(items, given.budget)
    random_.shuffle(batches)
    rates = [group["top"] for group in optimiser.param_groups]
    summed, done = torch.zeros((), device=device), 0
    for step, batch in enumerate(batches):
        rate = min(1.0, (step + 1) / (given.warm_up * len(batches))) * (1 - step / len(batches))
        for group, top in zip(optimiser.param_groups, rates):
            group["lr"] = rate * top
        now = Batch(batch, device)
        reader = now.scores(ranker)
        final = reader + ranker.w * now.linear
        each = losses(now.put(final, -torch.inf), now.put(reader, -torch.inf), now.put(now.right, False), now.labelled, None, given)
        loss = each.sum() / given.mean
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        if not torch.isfinite(torch.nn.utils.clip_grad_norm_(ranker.parameters(), 1.0)):
            say(f"  step {step + 1}: the gradient is not finite; left out")
            continue
        optimiser.step()
        summed, done = summed + each.detach().mean(), done + now.real
        if (step + 1) % given.every == 0 or step + 1 == len(batches):
            say(f"  step {step + 1} of {len(batches)}: loss {summed.item() / (step % given.every + 1):.4f}, w {ranker.w.item():.3f}, {done / 1e6:.2f} M pieces")
            summed.zero_()
        if given.steps and step + 1 >= given.steps:
            break


def attention_of(ranker, batches, device):
    """A way to compute attention whose scores and gradients are finite for some batches: not every one can do with such masks."""
    for kind in (SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH):
        broken = 0
        for batch in batches:
            ranker.zero_grad(set_to_none=True)
            try:
                with sdpa_kernel([kind]):
                    scores = Batch(batch, device).scores(ranker)
                    scores.sum().backward()
            except RuntimeError:
                broken = len(batches)
                break
            broken += not (torch.isfinite(scores).all() and all(torch.isfinite(p.grad).all() for p in ranker.parameters() if p.grad is not None))
        say(f"{kind}: {broken} of {len(batches)} batches are not finite")
        if not broken:
            break
    ranker.zero_grad(set_to_none=True)
    return kind


def unpacked(job):
    name, array, kind = job
    return name, unpack(array, kind).astype(np.float16)


def load(path, device):
    """The ranker with the weights of `causal_files.py`."""
    arrays, about = store.read(path)
    types, shape = json.loads(about["types"]), Shape(**json.loads(about["shape"]))
    with multiprocessing.Pool(min(16, os.cpu_count())) as pool:
        jobs = [(name, array, types[name]) for name, array in arrays.items()]
        whole = {name: torch.from_numpy(array) for name, array in pool.imap_unordered(unpacked, jobs)}
    say(f"{len(whole)} arrays are unpacked")
    with torch.device(device):
        ranker = Causal(shape)
    missing, extra = ranker.load_state_dict({name: array.to(device).float() for name, array in whole.items()}, strict=False)
    if extra or any(name not in ("head.weight", "head.bias", "w") for name in missing):
        raise SystemExit(f"{path}: weights that do not fit: {[*missing, *extra][:5]}")
    ranker.mixed = device.type == "cuda"
    return ranker


def optimiser_of(ranker, given):
    inner = [p for name, p in ranker.named_parameters() if p.requires_grad and not name.startswith("head.") and name != "w"]
    groups = [{"params": inner, "top": given.rate}, {"params": list(ranker.head.parameters()), "top": given.head_rate}, {"params": [ranker.w], "top": 2e-3}]
    return torch.optim.AdamW([{**group, "lr": 0.0} for group in groups], betas=(0.9, 0.98), weight_decay=0.0, fused=given.device == "cuda")


def run(ranker, optimiser, stages, scored, sheets, given, device):
    """All stages, with scores and figures after each."""
    for number, stage in enumerate(stages, 1):
        train(ranker, optimiser, stage, sheets, given, device)
        folder, w, figures = os.path.join(given.out, str(number)), ranker.w.item(), {}
        os.makedirs(folder, exist_ok=True)
        for source in scored:
            own, reader = sheets[source.path].questions, score(ranker, sheets[source.path], source.k, given.budget, device)
            save_scores(folder, own, reader, w)
            if source.path in given.dev:
                figures[own.name] = files.figures(own, reader, w)
        with open(os.path.join(folder, "figures.json"), "w") as file:
            json.dump({"w": w, "files": figures}, file, indent=1)
        open(os.path.join(folder, "done"), "w").close()
        say(f"stage {number} done")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = options.add_argument
    add("--files", required=True, help="folder that causal_files.py wrote")
    add("--stage", action="append", default=[], metavar="NAME,k=16,share=1+NAME,...", help="files of a stage; may be repeated")
    add("--dev", action="append", default=[], metavar="NAME", help="files for figures, scored as well")
    add("--score", action="append", default=[], metavar="NAME,k=16", help="files to score after each stage")
    add("--out", required=True, help="folder for scores and figures")
    add("--rate", type=float, default=1e-5)
    add("--head-rate", type=float, default=2e-4)
    add("--warm-up", type=float, default=0.05)
    add("--budget", type=int, default=12288, help="pieces of a step, with padding")
    add("--mean", type=float, default=32, help="divisor of the summed loss of a step: about the questions of a step")
    add("--steps", type=int, default=0, help="stop a stage after so many steps (to measure speed)")
    add("--every", type=int, default=50)
    add("--confidence", type=float, default=0.1)
    add("--seed", type=int, default=1)
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.set_defaults(answers=1.0)
    given = options.parse_args()
    torch.manual_seed(given.seed)
    device = torch.device(given.device)
    stages = [[Source.parse(part) for part in stage.split("+")] for stage in given.stage]
    scored = [Source.parse(part) for part in given.score] + [Source(name, k=16) for name in given.dev]
    sheets = {name: Sheet(given.files, name) for name in sorted({source.path for source in [*scored, *sum(stages, [])]})}
    ranker = load(os.path.join(given.files, "qwen.safetensors"), device)
    say("weights are on the device")
    optimiser = optimiser_of(ranker, given)
    tried = packed([(sheets[source.path], q, source.k) for source in stages[0] for q in range(0, len(sheets[source.path].questions), 40) if sheets[source.path].questions.count[q]], given.budget)
    with sdpa_kernel([attention_of(ranker, tried, device)]):
        run(ranker, optimiser, stages, scored, sheets, given, device)


if __name__ == "__main__":
    main()
