"""The encoder in torch: six BERT layers, features added to the pieces, one head a scheme."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (the name that torch's users know)

from extractors.word_features import NAMES, SHAPES

WIDTH, HEADS, LAYERS, INNER, POSITIONS = 384, 12, 6, 1536, 258
EPSILON = 1e-12


class Layer(nn.Module):
    """One transformer layer, normalised after each half as in BERT."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm_1 = nn.LayerNorm(WIDTH, EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm_2 = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Map ``(texts, pieces, width)`` to the same shape."""
        batch, length, _ = hidden.shape
        qkv = self.qkv(hidden).view(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5 + mask
        mixed = scores.softmax(-1).to(value.dtype) @ value
        mixed = mixed.transpose(1, 2).reshape(batch, length, WIDTH)
        hidden = self.norm_1(hidden + self.dropout(self.out(mixed)))
        inner = self.dropout(self.down(F.gelu(self.up(hidden))))
        result: Tensor = self.norm_2(hidden + inner)
        return result


class Network(nn.Module):
    """The shared encoder and its heads.

    Args:
        pieces: Size of the vocabulary.
        tags: Number of tags of each head.
        dropout: Rate within the layers.
        head_dropout: Rate before the heads.
    """

    def __init__(
        self, pieces: int, tags: Mapping[str, int], dropout: float = 0.1, head_dropout: float = 0.3
    ) -> None:
        super().__init__()
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.shapes = nn.Embedding(SHAPES, WIDTH)
        self.names = nn.Embedding(NAMES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.head_dropout = nn.Dropout(head_dropout)
        self.heads = nn.ModuleDict({name: nn.Linear(WIDTH, n) for name, n in tags.items()})
        nn.init.zeros_(self.shapes.weight)
        nn.init.zeros_(self.names.weight)

    def forward(self, pieces: Tensor, shapes: Tensor, names: Tensor, mask: Tensor) -> Tensor:
        """Return the last hidden states ``(texts, pieces, width)``; the mask is True for pieces."""
        positions = torch.arange(pieces.shape[1])
        hidden = self.pieces(pieces) + self.positions(positions)
        hidden = hidden + self.shapes(shapes) + self.names(names)
        result: Tensor = self.dropout(self.norm(hidden))
        unseen = torch.where(mask, 0.0, -1e4)[:, None, None, :]
        for layer in self.layers:
            result = layer(result, unseen)
        return result

    @property
    def stack(self) -> list[Layer]:
        """The layers from below."""
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def logits(self, hidden: Tensor, scheme: str) -> Tensor:
        """Return a head's scores of each tag for hidden states of words."""
        scores: Tensor = self.heads[scheme](self.head_dropout(hidden))
        return scores


def load_minilm(network: Network, weights: Mapping[str, Tensor], kept: Tensor) -> None:
    """Fill the shared part of a network from MiniLM's weights.

    Args:
        network: Whose heads and features stay as they are.
        weights: MiniLM's tensors by their published names.
        kept: The row in MiniLM's vocabulary of each piece of ours.
    """
    read = _Reader(weights)
    rows = weights["embeddings.word_embeddings.weight"][kept]
    with torch.no_grad():
        network.pieces.weight.copy_(rows)
        marks = weights["embeddings.token_type_embeddings.weight"][0]
        positions = weights["embeddings.position_embeddings.weight"][:POSITIONS]
        network.positions.weight.copy_(positions + marks)
        read.into(network.norm, "embeddings.LayerNorm")
        for number, layer in enumerate(network.stack):
            read.layer(layer, f"encoder.layer.{number}")


class _Reader:
    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        self.weights = weights

    def into(self, module: nn.Module, *names: str) -> None:
        """Copy weight and bias; several names are stacked."""
        for kind in ("weight", "bias"):
            stacked = torch.cat([self.weights[f"{name}.{kind}"] for name in names])
            getattr(module, kind).copy_(stacked)

    def layer(self, layer: Layer, prefix: str) -> None:
        attention = f"{prefix}.attention"
        own = [f"{attention}.self.{part}" for part in ("query", "key", "value")]
        self.into(layer.qkv, *own)
        self.into(layer.out, f"{attention}.output.dense")
        self.into(layer.norm_1, f"{attention}.output.LayerNorm")
        self.into(layer.up, f"{prefix}.intermediate.dense")
        self.into(layer.down, f"{prefix}.output.dense")
        self.into(layer.norm_2, f"{prefix}.output.LayerNorm")
