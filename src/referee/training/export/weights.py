"""Weights of encoders out of ONNX files, under the names of torch: files of other exporters, and Referee's.

`read_onnx_weights` takes what an exporter of torch wrote. It keeps the names of biases, but matrices lose
theirs: a matrix belongs to the bias that is added to its product.

`read_graph_layers` takes the layers of an encoder.onnx that `encoder_graph` wrote; what was rounded stays
rounded. Constants have no names there, but nodes come in one order: in each layer the products with its four
matrices, and two norms, after the one that precedes all layers. `read_graph_encoder` takes its tables, too.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.exceptions import FormatError, need_package
from referee.resolvers.neural.forward import Floats
from referee.training.networks.shapes import Shape

MATRICES = ("mix", "out", "up", "down")  # of a layer, in the order of their products
PRODUCTS = ("MatMul", "MatMulIntegerToFloat")


def read_onnx_weights(path: Path) -> dict[str, Floats]:
    """Read all weights that have a name, and the matrices whose bias has one."""
    graph, constants = read_graph(path)
    turned = {
        node.output[0]: (node.input[0], node.op_type == "Transpose")
        for node in graph.node
        if node.op_type in ("Transpose", "Identity") and node.input[0] in constants
    }
    named = {name: array for name, array in constants.items() if name.startswith(("embeddings", "encoder"))}
    for node in graph.node:
        if node.op_type in ("MatMul", "Gemm"):
            matrix, is_turned = turned.get(node.input[1], (node.input[1], False))
            bias = _bias(graph, node, constants)
            if matrix in constants and bias.endswith(".bias"):
                is_turned ^= any(about.name == "transB" and about.i for about in node.attribute)
                named[bias.removesuffix("bias") + "weight"] = (
                    constants[matrix].T if not is_turned else constants[matrix]
                )
    return named


def read_graph(path: Path) -> tuple[Any, dict[str, Any]]:
    """Read a graph of nodes, and its constants by name."""
    need_package("onnx", "train")
    import onnx
    from onnx import numpy_helper

    try:
        graph = onnx.load(str(path)).graph
    except Exception as error:  # protobuf raises what it likes
        raise FormatError(f"{path}: cannot be read as ONNX: {error}") from error
    return graph, {item.name: numpy_helper.to_array(item) for item in graph.initializer}


def _bias(graph: Any, product: Any, constants: dict[str, Any]) -> str:
    """Name the bias that is added to a product."""
    if product.op_type == "Gemm":
        return str(product.input[2]) if len(product.input) > 2 else ""
    for node in graph.node:
        if node.op_type == "Add" and product.output[0] in node.input:
            return next((str(name) for name in node.input if name in constants), "")
    return ""


class GraphLayers(NamedTuple):
    """The layers of an encoder under the names that `encoder.Encoder` has, and whether they are rounded."""

    shape: Shape
    weights: dict[str, Floats]
    int8: bool


def read_graph_layers(path: Path) -> GraphLayers:
    """Read the layers of an encoder; its table of subwords is left out."""
    graph, constants = read_graph(path)
    attention = [node for node in graph.node if node.op_type == "MultiHeadAttention"]
    products = [node for node in graph.node if node.op_type in PRODUCTS]
    norms = [node for node in graph.node if node.op_type == "LayerNormalization"]
    if not attention or (len(products), len(norms)) != (4 * len(attention), 2 * len(attention) + 1):
        raise FormatError(f"{path}: not an encoder that Referee exported; export or train it again")
    weights: dict[str, Floats] = {}
    for number in range(len(attention)):
        layer = {
            f"{name}.weight": _matrix(node, constants)
            for name, node in zip(MATRICES, products[4 * number :], strict=False)
        }
        layer |= _biases(graph, attention[number], products[4 * number : 4 * number + 4], constants)
        for name, node in zip(("norm_out", "norm_down"), norms[2 * number + 1 :], strict=False):
            layer |= {f"{name}.weight": constants[node.input[1]], f"{name}.bias": constants[node.input[2]]}
        weights |= {f"layers.{number}.{name}": weight for name, weight in layer.items()}
    width = int(weights["layers.0.out.bias"].size)
    epsilon = next(about.f for about in norms[0].attribute if about.name == "epsilon")
    heads = next(about.i for about in attention[0].attribute if about.name == "num_heads")
    shape = Shape(len(attention), width, int(heads), 0, epsilon=float(epsilon))
    return GraphLayers(shape, weights, products[0].op_type == PRODUCTS[1])


def read_graph_encoder(path: Path) -> GraphLayers:
    """Read an encoder whole, with its tables of subwords and positions, but for its kinds of subwords.

    A network that is trained on top has other guidelines, and so other kinds.
    """
    graph, constants = read_graph(path)
    layers = read_graph_layers(path)
    looked_up = [node.input[0] for node in graph.node if node.op_type == "Gather" and "rows" in node.input]
    positions = next((node.input[0] for node in graph.node if node.op_type == "Slice"), "")
    if any(len(node.input) > 5 for node in graph.node if node.op_type == "MultiHeadAttention"):
        raise FormatError(
            f"{path}: encoders that know distances (MPNet's) are not read back; give its folder"
        )
    if not looked_up or positions not in constants:
        raise FormatError(f"{path}: the encoder has no table of subwords; export or train it again")
    pieces = constants[looked_up[0]].astype(np.float32)
    for size in looked_up[1:]:  # of each row, where the table is in whole steps
        pieces = pieces * constants[size]
    norm = next(node for node in graph.node if node.op_type == "LayerNormalization")
    tables = {
        "pieces.weight": pieces, "positions.weight": constants[positions],
        "norm.weight": constants[norm.input[1]], "norm.bias": constants[norm.input[2]],
    }  # fmt: skip
    shape = replace(layers.shape, pieces=len(pieces), positions=len(constants[positions]))
    return GraphLayers(shape, layers.weights | tables, layers.int8)


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
