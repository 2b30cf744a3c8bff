"""A causal language model as a ranker: Qwen2 in plain PyTorch, with one number for each candidate in place of words.

All candidates of a question are one sequence: what they share (headers, question) comes first, then the candidates one after the other. A candidate
sees what is shared and itself, and its positions go on from what is shared, so its score does not depend on the others and the shared part is
computed once. The score is one linear unit over the output at the candidate's last piece.

Parameters and the sums along the layers are 32-bit, products of matrices 16-bit (`mixed`).
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Shape:
    vocabulary: int
    hidden: int
    heads: int
    pairs: int
    ff: int
    layers: int
    base: float = 1e6
    eps: float = 1e-6

    @property
    def width(self):
        return self.hidden // self.heads


class Norm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x):
        return F.rms_norm(x, x.shape[-1:], self.weight, self.eps)


def turned(x, cos, sin):
    """Rotary positions: halves of each head are turned by an angle that grows with the position."""
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        own = shape.pairs * shape.width
        self.norm1, self.norm2 = Norm(shape.hidden, shape.eps), Norm(shape.hidden, shape.eps)
        self.q, self.k, self.v = (nn.Linear(shape.hidden, size) for size in (shape.hidden, own, own))
        self.out = nn.Linear(shape.hidden, shape.hidden, bias=False)
        self.gate, self.up = (nn.Linear(shape.hidden, shape.ff, bias=False) for _ in range(2))
        self.down = nn.Linear(shape.ff, shape.hidden, bias=False)

    def attend(self, x, cos, sin, bias):
        n, length, _ = x.shape
        split = lambda y, heads: y.view(n, length, heads, self.shape.width).transpose(1, 2)
        q, k, v = split(self.q(x), self.shape.heads), split(self.k(x), self.shape.pairs), split(self.v(x), self.shape.pairs)
        q, k = turned(q, cos, sin).to(v.dtype), turned(k, cos, sin).to(v.dtype)
        k, v = (y.repeat_interleave(self.shape.heads // self.shape.pairs, 1) for y in (k, v))
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        return self.out(seen.transpose(1, 2).reshape(n, length, -1))

    def forward(self, x, cos, sin, bias):
        x = x + self.attend(self.norm1(x), cos, sin, bias)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Causal(nn.Module):
    """The ranker. `w` is the weight of the linear score, as in `encoder.Ranker`."""

    def __init__(self, shape, w=0.05):
        super().__init__()
        self.shape, self.mixed = shape, False
        # Rows of the vocabulary that the texts use. They are not trained: most are too rare to learn anything.
        self.words = nn.Parameter(torch.zeros(shape.vocabulary, shape.hidden), requires_grad=False)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.hidden, shape.eps)
        self.head = nn.Linear(shape.hidden, 1)
        nn.init.normal_(self.head.weight, std=0.005)
        nn.init.zeros_(self.head.bias)
        self.w = nn.Parameter(torch.tensor(float(w)))

    def outputs(self, ids, positions, bias):
        """Outputs [n, length, hidden] of sequences. `bias` is added in attention: minus infinity where a piece is not seen."""
        x = F.embedding(ids, self.words)
        rates = self.shape.base ** (-torch.arange(0, self.shape.width, 2, device=x.device).float() / self.shape.width)
        angles = positions[:, None, :, None].float() * rates
        cos, sin = angles.cos(), angles.sin()
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.mixed):
            for layer in self.layers:
                x = layer(x, cos, sin, bias)
        return self.norm(x.float())

    def forward(self, ids, positions, segments, ends):
        """Reader scores of the candidates whose last pieces are at `ends`, places in the batch laid end to end. `segments` is 0 for what is
        shared, 1, 2, ... for candidates, -1 for padding."""
        length = ids.shape[1]
        earlier = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        seen = earlier & ((segments[:, None, :] == 0) | (segments[:, None, :] == segments[:, :, None]))
        bias = torch.zeros(seen.shape, dtype=torch.bfloat16 if self.mixed else torch.float32, device=ids.device)
        bias = bias.masked_fill(~seen, -1e4 if self.mixed else -math.inf)[:, None]
        x = self.outputs(ids, positions, bias.expand(-1, self.shape.heads, -1, -1))
        return self.head(x.flatten(0, 1)[ends]).squeeze(-1)
