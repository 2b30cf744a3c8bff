"""Encoders in plain PyTorch: BERT (the student) and MPNet (the teacher), and the ranker on top of them.

Both are stacks of the same layer (attention, then feed-forward, each followed by a norm of the sum). MPNet has no token types, a bias by
relative position in every attention, positions that begin at 2, and the numbers of BERT's pieces plus four.

Parameters are 32-bit. With `Encoder.mixed` products of matrices are computed with 16 bits and all else, the sums along the layers above all, with
32: with 16 bits throughout, the teacher's gradients are lost in rounding and it learns nothing. `quantised = True` computes with weights and
activations rounded to 8 bits as the program does, with gradients as if nothing were rounded.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import store
from wordpiece import LONGEST

BERT_FIRST, BERT_END, BERT_PAD = 101, 102, 0
MPNET_FIRST, MPNET_END, MPNET_PAD, MPNET_SHIFT = 0, 2, 1, 4


@dataclass
class Shape:
    vocabulary: int
    positions: int
    hidden: int
    heads: int
    ff: int
    layers: int
    types: int = 0
    buckets: int = 0

    @property
    def mpnet(self):
        return self.buckets > 0

    @classmethod
    def of(cls, arrays, heads=12):
        """Shape of an encoder with these weights."""
        (vocabulary, hidden), positions = arrays["words"].shape, len(arrays["positions"])
        layers = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
        types, buckets = (len(arrays[name]) if name in arrays else 0 for name in ("types", "relative"))
        return cls(vocabulary, positions, hidden, heads, len(arrays["layers.0.up.bias"]), layers, types, buckets)


def half_away(x):
    """Rounded, halves away from zero."""
    return torch.trunc(x + torch.copysign(torch.full_like(x, 0.5), x))


def rounded(x):
    """x with each row (last dimension) rounded to 8 bits; the gradient passes unchanged."""
    with torch.no_grad():
        scale = x.float().abs().amax(-1, keepdim=True) / 127
        y = half_away(x.float() / scale.clamp_min(1e-30)) * scale
    return x + (y.to(x.dtype) - x).detach()


class Linear(nn.Linear):
    quantised = False

    def forward(self, x):
        weight = self.weight
        if self.quantised:
            x, weight = rounded(x), rounded(weight)
        return F.linear(x, weight, self.bias)


class Layer(nn.Module):
    def __init__(self, shape, drop):
        super().__init__()
        self.heads, self.drop = shape.heads, drop
        eps = 1e-5 if shape.mpnet else 1e-12
        self.qkv, self.out = Linear(shape.hidden, 3 * shape.hidden), Linear(shape.hidden, shape.hidden)
        self.up, self.down = Linear(shape.hidden, shape.ff), Linear(shape.ff, shape.hidden)
        self.norm1, self.norm2 = nn.LayerNorm(shape.hidden, eps=eps), nn.LayerNorm(shape.hidden, eps=eps)

    def forward(self, x, bias):
        n, length, hidden = x.shape
        q, k, v = self.qkv(x).view(n, length, 3, self.heads, hidden // self.heads).permute(2, 0, 3, 1, 4)
        drop = self.drop if self.training else 0.0
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=drop)
        seen = self.out(seen.transpose(1, 2).reshape(n, length, hidden))
        x = self.norm1(x + F.dropout(seen, drop, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), drop, self.training))


def relative_buckets(length, buckets=32, farthest=128):
    """Number of the bias that MPNet gives to each pair of positions: one for each small distance, then wider, each direction its own."""
    at = torch.arange(length)
    distance = at[:, None] - at[None, :]
    half, near = buckets // 2, buckets // 4
    size = distance.abs()
    far = near + (torch.log(size.clamp_min(1).float() / near) / math.log(farthest / near) * (half - near)).long()
    return torch.where(distance < 0, half, 0) + torch.where(size < near, size, far.clamp_max(half - 1))


class Encoder(nn.Module):
    def __init__(self, shape, drop=0.1):
        super().__init__()
        self.shape, self.drop, self.mixed = shape, drop, False
        self.words = nn.Parameter(torch.randn(shape.vocabulary, shape.hidden) * 0.02)
        self.positions = nn.Parameter(torch.randn(shape.positions, shape.hidden) * 0.02)
        if shape.types:
            self.types = nn.Parameter(torch.randn(shape.types, shape.hidden) * 0.02)
        if shape.mpnet:
            # Not trained: a gradient for it would cost more time than it can bring.
            self.relative = nn.Parameter(torch.randn(shape.buckets, shape.heads) * 0.02, requires_grad=False)
            self.register_buffer("distances", relative_buckets(LONGEST + 8, shape.buckets), persistent=False)
        self.norm = nn.LayerNorm(shape.hidden, eps=1e-5 if shape.mpnet else 1e-12)
        self.layers = nn.ModuleList(Layer(shape, drop) for _ in range(shape.layers))
        self.quantised_words = False

    def quantise(self, on=True):
        self.quantised_words = on
        for module in self.modules():
            if isinstance(module, Linear):
                module.quantised = on

    def forward(self, ids, types, mask):
        """Outputs for sequences [n, length]. `mask` is true where there is a piece, or None if it is so everywhere."""
        length = ids.shape[1]
        words = rounded(self.words) if self.quantised_words else self.words
        x = F.embedding(ids, words)
        x = x + self.positions[2 : length + 2] if self.shape.mpnet else x + self.positions[:length] + F.embedding(types, self.types)
        x = F.dropout(self.norm(x), self.drop, self.training)
        bias = None
        if mask is not None:
            bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill(~mask, -1e4)[:, None, None, :]
        if self.shape.mpnet:
            near = self.relative[self.distances[:length, :length]].permute(2, 0, 1)[None].to(x.dtype)
            bias = near if bias is None else near + bias
        if bias is not None:
            # Attention wants rows of biases that lie in memory; heads may share them.
            bias = bias.to(torch.bfloat16) if self.mixed else bias
            bias = bias.expand(len(bias), bias.shape[1], length, length).contiguous().expand(len(ids), self.shape.heads, length, length)
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.mixed):
            for layer in self.layers:
                x = layer(x, bias)
        return x.float()


class Ranker(nn.Module):
    """Reader score of a candidate: one linear unit over half of the first output plus half of the mean of all outputs.

    The final score adds w times the linear score; w starts small, or the linear scores drown the encoder. The head starts at random,
    not at zero, or the encoder learns nothing."""

    def __init__(self, shape, drop=0.1, w=0.05):
        super().__init__()
        self.encoder, self.drop = Encoder(shape, drop), drop
        self.head = nn.Linear(shape.hidden, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.w = nn.Parameter(torch.tensor(float(w)))

    def forward(self, ids, types, mask):
        x = self.encoder(ids, types, mask).float()
        if mask is None:
            mean = x.mean(1)
        else:
            mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        pooled = F.dropout((x[:, 0] + mean) / 2, self.drop, self.training)
        return self.head(pooled).squeeze(-1)

    def arrays(self):
        """All parameters by name, as 16-bit floats."""
        return {name.removeprefix("encoder."): value.detach().half().cpu().numpy() for name, value in self.state_dict().items()}


def load(path, layers=None, keep=None, drop=0.1):
    """Ranker with the weights of a file: pretrained (the head is new then) or trained here. `layers` picks some of its layers,
    `keep` some of its vocabulary."""
    arrays, about = store.read(path)
    if layers is not None:
        kept = {name: array for name, array in arrays.items() if not name.startswith("layers.")}
        for new, old in enumerate(layers):
            own = {name: array for name, array in arrays.items() if name.startswith(f"layers.{old}.")}
            if not own:
                raise SystemExit(f"{path}: no layer {old}")
            kept.update({name.replace(f".{old}.", f".{new}.", 1): array for name, array in own.items()})
        arrays = kept
    if keep is not None:
        arrays["words"] = arrays["words"][keep]
    ranker = Ranker(Shape.of(arrays), drop)
    inner = {name if name.startswith("head.") or name == "w" else "encoder." + name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    missing, extra = ranker.load_state_dict(inner, strict=False)
    if extra or any(not name.startswith("head.") and name != "w" for name in missing):
        raise SystemExit(f"{path}: weights that do not fit: {[*missing, *extra][:5]}")
    return ranker, about
