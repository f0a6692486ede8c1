"""Layers out of an encoder.onnx that `encoder_graph` has written: what was rounded stays rounded.

Constants have no names there, but nodes are written in one order: in each layer the products with its four
matrices, and two norms after the one that precedes all layers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.exceptions import FormatError
from referee.resolve.neural.eight_bits import Floats
from referee.resolve.neural.onnx_weights import read_graph
from referee.resolve.neural.shapes import Shape

MATRICES = ("mix", "out", "up", "down")
PRODUCTS = ("MatMul", "MatMulIntegerToFloat")


class GraphLayers(NamedTuple):
    """The layers of an encoder under the names that `encoder.Encoder` has, and whether they are rounded."""

    shape: Shape
    weights: dict[str, Floats]
    eight_bits: bool


def read_graph_layers(path: Path) -> GraphLayers:
    """Read the layers of an encoder; its table of pieces is left out."""
    graph, constants = read_graph(path)
    attention = [node for node in graph.node if node.op_type == "MultiHeadAttention"]
    products = [node for node in graph.node if node.op_type in PRODUCTS]
    norms = [node for node in graph.node if node.op_type == "LayerNormalization"]
    if not attention or (len(products), len(norms)) != (4 * len(attention), 2 * len(attention) + 1):
        raise FormatError(f"{path}: not an encoder that was exported here; export or train it again")
    weights: dict[str, Floats] = {}
    for number in range(len(attention)):
        own = {
            f"{name}.weight": _matrix(node, constants)
            for name, node in zip(MATRICES, products[4 * number :], strict=False)
        }
        own |= _biases(graph, attention[number], products[4 * number : 4 * number + 4], constants)
        for name, node in zip(("norm_out", "norm_down"), norms[2 * number + 1 :], strict=False):
            own |= {f"{name}.weight": constants[node.input[1]], f"{name}.bias": constants[node.input[2]]}
        weights |= {f"layers.{number}.{name}": weight for name, weight in own.items()}
    width = int(weights["layers.0.out.bias"].size)
    epsilon = next(about.f for about in norms[0].attribute if about.name == "epsilon")
    heads = next(about.i for about in attention[0].attribute if about.name == "num_heads")
    shape = Shape(len(attention), width, int(heads), 0, epsilon=float(epsilon))
    return GraphLayers(shape, weights, products[0].op_type == PRODUCTS[1])


def _matrix(product: Any, constants: dict[str, Any]) -> Floats:
    """Give the matrix of a product as torch has it; one in whole steps times their size."""
    whole = constants[product.input[1]].astype(np.float32)
    if product.op_type == PRODUCTS[1]:
        whole = whole * constants[product.input[3]][None]
    matrix: Floats = np.ascontiguousarray(whole.T)
    return matrix


def _biases(graph: Any, attention: Any, products: Any, constants: dict[str, Any]) -> dict[str, Floats]:
    """Find what is added to the four products of a layer: two are inputs of the nodes that follow."""
    after = {name: node for node in graph.node for name in node.input}
    biases = {"mix.bias": constants[attention.input[3]]}
    for name, product in zip(MATRICES[1:], products[1:], strict=True):
        node = after[product.output[0]]
        if node.op_type == "Mul":  # by the size of the row that was divided by it
            node = after[node.output[0]]
        biases[f"{name}.bias"] = next(constants[other] for other in node.input if other in constants)
    return biases
