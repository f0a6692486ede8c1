"""Weights out of an ONNX file, under the names that they had in torch.

An exporter keeps the names of biases, but matrices that are multiplied with lose theirs: a matrix belongs to
the bias that is added to its product.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.exceptions import FormatError, need_package
from referee.resolve.neural.eight_bits import Floats


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
