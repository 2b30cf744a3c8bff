"""Named arrays on disk, in the safetensors format, whole or in pieces.

A file `x.safetensors` may lie there as `x.safetensors.00`, `.01`, ... (as `split -d -b` or `fetch.py` cuts it); `read` takes either.
Only what is needed here: 16- and 32-bit floats, bytes, and free text about the file.
"""

import glob
import json
import os
import struct

import numpy as np

TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "U8": np.uint8}
NAMES = {np.dtype(t): name for name, t in TYPES.items()}


def bytes_of(path):
    """Contents of a file, or of its pieces joined in order."""
    parts = [path] if os.path.exists(path) else sorted(glob.glob(path + ".[0-9][0-9]"))
    if not parts:
        raise SystemExit(f"{path}: no such file, and no pieces {os.path.basename(path)}.00, .01, ... of it")
    return b"".join(open(part, "rb").read() for part in parts)


def parse(data):
    """Arrays by name, and the texts about the file. The arrays are views of `data`."""
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    about = header.pop("__metadata__", {})
    end = max((entry["data_offsets"][1] for entry in header.values()), default=0)
    if len(data) != 8 + size + end:
        raise SystemExit(f"weights are damaged or a piece is missing: {len(data)} bytes of {8 + size + end}")
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        array = np.frombuffer(data, TYPES[entry["dtype"]], (last - first) // np.dtype(TYPES[entry["dtype"]]).itemsize, 8 + size + first)
        arrays[name] = array.reshape(entry["shape"])
    return arrays, about


def read(path):
    return parse(bytes_of(path))


def write(path, arrays, about=None):
    header, at = {"__metadata__": {k: str(v) for k, v in (about or {}).items()}}, 0
    arrays = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    for name, array in arrays.items():
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.tobytes())
    os.replace(path + ".new", path)


def cut(path, size):
    """Replaces a file by pieces of at most `size` bytes; returns their paths."""
    data, parts = open(path, "rb").read(), []
    for old in glob.glob(path + ".[0-9][0-9]"):
        os.remove(old)
    for number, first in enumerate(range(0, len(data), size)):
        parts.append(f"{path}.{number:02}")
        open(parts[-1], "wb").write(data[first : first + size])
    os.remove(path)
    return parts
