"""Numbers as GGUF files pack them: blocks of 256 with a scale for each 32 (Q4_K, with a least value too) or 16 (Q6_K), unpacked to 32-bit floats."""

import numpy as np

BLOCK = 256


def half(data):
    """A column of 16-bit floats from their bytes."""
    return np.ascontiguousarray(data).view(np.float16).astype(np.float32)


def q4_k(blocks):
    """[n, 144] bytes: two scales of the block, eight 6-bit scales and least values in 12 bytes, then 4 bits a number."""
    scale, least, packed, low = half(blocks[:, :2]), half(blocks[:, 2:4]), blocks[:, 4:16].reshape(-1, 3, 4), blocks[:, 16:]
    first, second, rest = packed[:, 0], packed[:, 1], packed[:, 2]
    scales = np.concatenate([first & 63, (rest & 15) | (first >> 6 << 4)], 1).astype(np.float32)
    leasts = np.concatenate([second & 63, (rest >> 4) | (second >> 6 << 4)], 1).astype(np.float32)
    bits = low.reshape(-1, 4, 1, 32) >> np.array([0, 4], np.uint8).reshape(1, 1, 2, 1)
    numbers = (bits & 15).reshape(-1, 8, 32).astype(np.float32)
    return ((scale * scales)[:, :, None] * numbers - (least * leasts)[:, :, None]).reshape(-1, BLOCK)


def q6_k(blocks):
    """[n, 210] bytes: the lower 4 bits, the upper 2 bits, sixteen 8-bit scales, the scale of the block."""
    low, high = blocks[:, :128].reshape(-1, 2, 1, 64), blocks[:, 128:192].reshape(-1, 2, 1, 32)
    scales, scale = np.ascontiguousarray(blocks[:, 192:208]).view(np.int8).astype(np.float32), half(blocks[:, 208:])
    low = (low >> np.array([0, 4], np.uint8).reshape(1, 1, 2, 1)) & 15
    high = (high >> np.array([0, 2, 4, 6], np.uint8).reshape(1, 1, 4, 1)) & 3
    numbers = low.reshape(-1, 8, 32).astype(np.int8) | (high.reshape(-1, 8, 32).astype(np.int8) << 4)
    numbers = (numbers - 32).reshape(-1, 16, 16).astype(np.float32)
    return ((scale * scales)[:, :, None] * numbers).reshape(-1, BLOCK)


SIZES = {"Q4_K": (144, q4_k), "Q6_K": (210, q6_k)}


def unpack(array, kind):
    """The numbers of an array: rows of bytes of one kind, or plain numbers."""
    if kind == "F32":
        return np.asarray(array, np.float32)
    size, numbers = SIZES[kind]
    return numbers(np.ascontiguousarray(array).reshape(-1, size)).reshape(len(array), -1)
