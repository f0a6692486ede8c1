"""The encoder as an ONNX graph, in full precision or with matrices of eight bits.

The graph is written down here and not traced, so that it has no more than it needs: attention is one node, of
which onnxruntime has a fast version as long as nothing is masked. All rows of a batch are therefore equally
long, as the windows of one text are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.exceptions import need_package
from referee.resolvers.neural.forward import Floats
from referee.training.networks.int8 import SMALLEST, STATE_STEPS, TABLE_STEPS, WEIGHT_STEPS, rounded_rows
from referee.training.networks.shapes import Shape, distance_buckets, lower_layers

ONNXRUNTIME = "com.microsoft"  # the domain of operations that it alone has
OPSET, FORMAT = 18, 9
ZERO = STATE_STEPS + 1  # states are whole numbers from 1 to 255


class Graph:
    """Nodes and constants; what a node gives is named by its number."""

    def __init__(self) -> None:
        """Begin with none."""
        need_package("onnx", "train")
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.results: list[str] = []

    def constant(self, array: Any, kind: Any = None) -> str:
        """Keep an array."""
        from onnx import numpy_helper

        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(np.asarray(array, kind)), name))
        return name

    def nodes_of(self, operation: str, *inputs: str, outputs: int = 1, **about: Any) -> list[str]:
        """Add a node that gives several results."""
        from onnx import helper

        names = [f"value{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operation, list(inputs), names, **about))
        return names

    def node(self, operation: str, *inputs: str, **about: Any) -> str:
        """Add a node that gives one result."""
        return self.nodes_of(operation, *inputs, **about)[0]

    def result(self, value: str, name: str) -> None:
        """Give a value out under a name."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [value], [name]))
        self.results.append(name)

    def onnxruntime_node(self, operation: str, *inputs: str, **about: Any) -> str:
        """Add a node that only onnxruntime knows."""
        return self.node(operation, *inputs, domain=ONNXRUNTIME, **about)

    def as_bytes(
        self, name: str, whole: Sequence[str], states: Sequence[str], width: int, columns: str = ""
    ) -> bytes:
        """Give the file, for any number of rows of any length: inputs of whole numbers, and of states.

        `columns`, if named, is an input that says of which columns there are results.
        """
        from onnx import TensorProto, helper

        size = ["windows", "columns"]
        given = [helper.make_tensor_value_info(each, TensorProto.INT64, size) for each in whole]
        given += [helper.make_tensor_value_info(each, TensorProto.FLOAT, [*size, width]) for each in states]
        given += [helper.make_tensor_value_info(columns, TensorProto.INT64, ["chosen"])] * bool(columns)
        shape = ["windows", "chosen" if columns else "columns", width]
        results = [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each in self.results]
        graph = helper.make_graph(self.nodes, name, given, results, self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(ONNXRUNTIME, 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=FORMAT, producer_name="referee")
        content: bytes = model.SerializeToString()
        return content


class EncoderGraph:
    """Writes an encoder's weights into a graph."""

    def __init__(self, shape: Shape, weights: Mapping[str, Floats], *, int8: bool) -> None:
        """Take the weights under the names that `encoder.Encoder` gives them."""
        self.shape, self.weights, self.int8 = shape, weights, int8
        self.graph = Graph()
        self.thirds = self.graph.constant([shape.width] * 3, np.int64)
        if int8:
            self.last = self.graph.constant([-1], np.int64)
            self.smallest = self.graph.constant(SMALLEST, np.float32)
            self.step = self.graph.constant(1 / STATE_STEPS, np.float32)
            self.zero = self.graph.constant(ZERO, np.uint8)

    def as_bytes(self) -> bytes:
        """Write all layers."""
        graph = self.graph
        none = graph.constant([0], np.int64)
        columns = graph.node("Gather", graph.node("Shape", "rows"), graph.constant([1], np.int64))
        places = graph.node("Slice", self.weight("positions.weight"), none, columns, none)
        states = graph.node("Add", self.pieces(), places)
        states = graph.node("Add", states, graph.node("Gather", self.weight("kinds.weight"), "kinds"))
        states = self.normed(states, "norm")
        bias = self.bias(columns) if self.shape.buckets else ""
        for number in range(self.shape.layers):
            if number == lower_layers(self.shape):
                lower = states
            states = self.layer(states, f"layers.{number}.", bias)
        graph.result(states, "states")
        graph.result(lower, "lower")
        return graph.as_bytes("encoder", ("rows", "kinds"), (), self.shape.width)

    def weight(self, name: str) -> str:
        """Keep a weight as it is."""
        return self.graph.constant(self.weights[name], np.float32)

    def pieces(self) -> str:
        """Look up the subwords."""
        from onnx import TensorProto

        if not self.int8:
            return self.graph.node("Gather", self.weight("pieces.weight"), "rows")
        whole, size = (self.graph.constant(part) for part in self.rounded("pieces.weight", TABLE_STEPS))
        looked_up = self.graph.node("Cast", self.graph.node("Gather", whole, "rows"), to=TensorProto.FLOAT)
        return self.graph.node("Mul", looked_up, self.graph.node("Gather", size, "rows"))

    def rounded(self, name: str, steps: int) -> tuple[Any, Floats]:
        """Round a weight's rows."""
        return rounded_rows(self.weights[name].astype(np.float32), steps)

    def layer(self, states: str, name: str, bias: str) -> str:
        """Write attention and the feed-forward part."""
        graph = self.graph
        mixed = graph.nodes_of("Split", self.product(states, name + "mix"), self.thirds, outputs=3, axis=2)
        inputs = [*mixed, self.weight(name + "mix.bias"), *(["", bias] if bias else [])]
        attended = graph.onnxruntime_node("MultiHeadAttention", *inputs, num_heads=self.shape.heads)
        return self.behind_attention(states, attended, name)

    def behind_attention(self, states: str, attended: str, name: str) -> str:
        """Write what follows attention in a layer."""
        graph = self.graph
        states = self.normed(
            graph.node("Add", self.linear(attended, name + "out"), states), name + "norm_out"
        )
        inner = graph.onnxruntime_node(
            "BiasGelu", self.product(states, name + "up"), self.weight(name + "up.bias")
        )
        return self.normed(graph.node("Add", self.linear(inner, name + "down"), states), name + "norm_down")

    def normed(self, states: str, name: str) -> str:
        """Write a layer norm."""
        given = self.weight(name + ".weight"), self.weight(name + ".bias")
        return self.graph.node("LayerNormalization", states, *given, axis=-1, epsilon=self.shape.epsilon)

    def linear(self, states: str, name: str) -> str:
        """Write a linear layer."""
        return self.graph.node("Add", self.product(states, name), self.weight(name + ".bias"))

    def product(self, states: str, name: str) -> str:
        """Write a product with a matrix: each row of states is divided by its largest number before."""
        graph = self.graph
        if not self.int8:
            return graph.node("MatMul", states, graph.constant(self.weights[name + ".weight"].T, np.float32))
        whole, size = self.rounded(name + ".weight", WEIGHT_STEPS)
        largest = graph.node("ReduceMax", graph.node("Abs", states), self.last, keepdims=1)
        largest = graph.node("Max", largest, self.smallest)
        steps = graph.node("QuantizeLinear", graph.node("Div", states, largest), self.step, self.zero)
        given = steps, graph.constant(whole.T), self.step, graph.constant(size[:, 0]), self.zero
        return graph.node("Mul", graph.onnxruntime_node("MatMulIntegerToFloat", *given), largest)

    def bias(self, columns: str) -> str:
        """Write what MPNet adds to attention: a number for each head and distance."""
        graph, positions = self.graph, self.shape.positions
        by_distance = self.weights["distances.weight"][distance_buckets(positions, self.shape.buckets)].T
        zero, one, none = (graph.constant(number, np.int64) for number in (0, 1, [0]))
        order = graph.node("Range", zero, graph.node("Squeeze", columns, none), one)
        down = graph.node("Unsqueeze", order, graph.constant([1], np.int64))
        apart = graph.node("Sub", graph.node("Add", order, graph.constant(positions - 1, np.int64)), down)
        biases = graph.node("Gather", graph.constant(by_distance, np.float32), apart, axis=1)
        return graph.node("Unsqueeze", biases, none)
