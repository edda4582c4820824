"""Writes a trained network as ONNX with eight-bit weights, for onnxruntime on a CPU.

The graph is built node by node: each row of a matrix and of the pieces' embeddings is
whole numbers with a scale of its own. Activations are rounded at run time with one scale
for the whole window, so a window is run alone: then a text answers alone as among others.

    python -m extractors.training.encoder.export --network network.safetensors …
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

from extractors.training.encoder.batches import WINDOW
from extractors.training.encoder.network import EPSILON, HEADS, LAYERS, WIDTH
from extractors.training.encoder.sources import SCHEMES

WEIGHT_RANGE = 63
"""Seven bits: products of two neighbours then fit 16 bits, so that no sum is
cut off on a processor without instructions for eight-bit networks."""

OPSETS = (("", 17), ("com.microsoft", 1))

Array = npt.NDArray[np.generic]
Weights = Mapping[str, npt.NDArray[np.float32]]


class Graph:
    """Collects nodes and constants; every call returns the name of what it computes."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: Array) -> str:
        """Add a constant."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: Iterable[str], name: str, /, **attributes: Any) -> str:
        """Add an operation; ``kind`` is an operator, after ``domain:`` if it is no standard one."""
        domain, _, operator = kind.rpartition(":")
        self.nodes.append(
            helper.make_node(operator, list(inputs), [name], name, domain=domain, **attributes)
        )
        return name

    def linear(self, hidden: str, weights: Weights, name: str) -> str:
        """Add a matrix of whole-number weights, without its bias."""
        numbers, scales = whole_numbers(weights[f"{name}.weight"], WEIGHT_RANGE)
        constants = [
            self.constant(f"{name}.numbers", numbers.T),
            self.constant(f"{name}.scales", scales[:, 0]),
        ]
        product = f"{name}.product"
        return self.node("com.microsoft:DynamicQuantizeMatMul", [hidden, *constants], product)

    def plus(self, hidden: str, weights: Weights, name: str) -> str:
        """Add a bias."""
        return self.node("Add", [hidden, self.constant(name, weights[name])], f"{name}.sum")

    def norm(self, hidden: str, weights: Weights, name: str) -> str:
        """Add a normalisation of each row."""
        parts = [f"{name}.weight", f"{name}.bias"]
        constants = [self.constant(part, weights[part]) for part in parts]
        inputs = [hidden, *constants]
        return self.node("LayerNormalization", inputs, f"{name}.norm", epsilon=EPSILON, axis=-1)


def whole_numbers(
    rows: npt.NDArray[np.float32], most: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return whole numbers in ``-most..most`` and the scale of each row that restores it."""
    scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True) / most, 1e-12).astype(np.float32)
    return np.round(rows / scales).astype(np.int8), scales


def build(weights: Weights) -> onnx.ModelProto:
    """Return the network as an ONNX model with one output a scheme, and ``hidden``."""
    graph = Graph()
    graph.constant("thirds", np.array([WIDTH] * 3))
    hidden = _embeddings(graph, weights)
    for number in range(LAYERS):
        hidden = _layer(graph, weights, hidden, f"layers.{number}")
    graph.node("Identity", [hidden], "hidden")
    for scheme in SCHEMES:
        head = [
            graph.constant(f"{scheme}.weight", weights[f"heads.{scheme}.weight"].T),
            graph.constant(f"{scheme}.bias", weights[f"heads.{scheme}.bias"]),
        ]
        product = graph.node("MatMul", [hidden, head[0]], f"{scheme}.product")
        graph.node("Add", [product, head[1]], scheme)
    sizes = {scheme: len(weights[f"heads.{scheme}.bias"]) for scheme in SCHEMES} | {"hidden": WIDTH}
    return _model(graph, sizes)


def _model(graph: Graph, sizes: Mapping[str, int]) -> onnx.ModelProto:
    rows = ["texts", "length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, rows)
        for name in ("pieces", "shapes", "names")
    ]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [*rows, size])
        for name, size in sizes.items()
    ]
    body = helper.make_graph(graph.nodes, "encoder", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS]
    return helper.make_model(body, opset_imports=opsets, ir_version=9, producer_name="paperkg")


def _embeddings(graph: Graph, weights: Weights) -> str:
    numbers, scales = whole_numbers(weights["pieces.weight"], 127)
    rows = graph.node("Gather", [graph.constant("pieces.numbers", numbers), "pieces"], "piece_rows")
    scale = graph.node(
        "Gather", [graph.constant("pieces.scales", scales), "pieces"], "piece_scales"
    )
    rows = graph.node("Cast", [rows], "piece_floats", to=TensorProto.FLOAT)
    hidden = graph.node("Mul", [rows, scale], "piece_vectors")
    for feature in ("shapes", "names"):
        table = graph.constant(f"{feature}.table", weights[f"{feature}.weight"])
        vectors = graph.node("Gather", [table, feature], f"{feature}_vectors")
        hidden = graph.node("Add", [hidden, vectors], f"with_{feature}")
    hidden = graph.node("Add", [hidden, _positions(graph, weights)], "with_positions")
    return graph.norm(hidden, weights, "norm")


def _positions(graph: Graph, weights: Weights) -> str:
    length = graph.node("Shape", ["pieces"], "length", start=1, end=2)
    bounds = [graph.constant("zero", np.array([0])), length, graph.constant("axis", np.array([0]))]
    table = graph.constant("positions.table", weights["positions.weight"])
    return graph.node("Slice", [table, *bounds], "position_vectors")


def _layer(graph: Graph, weights: Weights, hidden: str, name: str) -> str:
    qkv = graph.plus(graph.linear(hidden, weights, f"{name}.qkv"), weights, f"{name}.qkv.bias")
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [qkv, "thirds"], parts, axis=-1))
    mixed = graph.node("com.microsoft:MultiHeadAttention", parts, f"{name}.mixed", num_heads=HEADS)
    hidden = _residual(graph, weights, hidden, graph.linear(mixed, weights, f"{name}.out"))
    inner = graph.linear(hidden, weights, f"{name}.up")
    bias = graph.constant(f"{name}.up.bias", weights[f"{name}.up.bias"])
    inner = graph.node("com.microsoft:BiasGelu", [inner, bias], f"{name}.gelu")
    return _residual(graph, weights, hidden, graph.linear(inner, weights, f"{name}.down"))


def _residual(graph: Graph, weights: Weights, hidden: str, change: str) -> str:
    linear = change.removesuffix(".product")
    norm = linear.replace("out", "norm_1").replace("down", "norm_2")
    total = graph.node(
        "Add", [hidden, graph.plus(change, weights, f"{linear}.bias")], f"{linear}.total"
    )
    return graph.norm(total, weights, norm)


def describe(tokenizer: Path) -> dict[str, object]:
    """Return what the run time must know besides the weights."""
    pieces = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    return {
        "schemes": SCHEMES,
        "window": WINDOW,
        "begin": pieces["[CLS]"],
        "end": pieces["[SEP]"],
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True, help="network.safetensors")
    parser.add_argument("--pruned", type=Path, required=True, help="the pruned tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="folder of the shipped model")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model = build(load_file(str(options.network)))
    onnx.checker.check_model(model)
    onnx.save(model, options.out / "encoder.onnx")
    shutil.copyfile(options.pruned, options.out / "tokenizer.json")
    about = json.dumps(describe(options.pruned), indent=1)
    (options.out / "encoder.json").write_text(about + "\n", encoding="utf-8")
    for path in sorted(options.out.iterdir()):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(digest, path.stat().st_size, path.name)  # noqa: T201 (a command's output)


if __name__ == "__main__":
    main()
