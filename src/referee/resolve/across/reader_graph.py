"""The reader as an ONNX graph: the encoder's upper layers once more, over passages of several documents.

A row holds several passages, one after the other. Their states come from the lower layers, which read each by
itself; here all pieces of a row attend to each other (cross-document attention, Caciularu et al. 2021), and
a number for each layer and head is added where two pieces are of different passages.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.resolve.neural.eight_bits import Floats
from referee.resolve.neural.encoder_graph import EncoderGraph
from referee.resolve.neural.shapes import Shape

LAYERS = "layers."


class ReaderGraph:
    """Writes a reader's weights into a graph: lower states, marks and passages in, states out."""

    def __init__(self, weights: Mapping[str, Floats], heads: int, *, eight_bits: bool) -> None:
        """Take the weights of layers, the table of marks, and what is added between passages."""
        self.numbers = sorted({int(name.split(".")[1]) for name in weights if name.startswith(LAYERS)})
        shape = Shape(len(self.numbers), weights["mark.weight"].shape[1], heads, pieces=0)
        self.layers = EncoderGraph(shape, weights, eight_bits=eight_bits)

    def as_bytes(self) -> bytes:
        """Write all layers."""
        graph = self.layers.graph
        marks = graph.node("Gather", self.layers.weight("mark.weight"), "marks")
        states, others = graph.node("Add", "lower", marks), self.others()
        for number in self.numbers:
            added = self.layers.weights["apart"][number][None, :, None, None]
            bias = graph.node("Mul", others, graph.constant(added, np.float32))
            states = self.layers.layer(states, f"{LAYERS}{number}.", bias)
        graph.result(states, "states")
        return graph.as_bytes("reader", ("marks", "passages"), ("lower",), self.layers.shape.width)

    def others(self) -> str:
        """Say of each two pieces of a row whether they are of different passages: 1 or 0."""
        from onnx import TensorProto

        graph = self.layers.graph
        down, along = (
            graph.node("Unsqueeze", "passages", graph.constant(axes, np.int64)) for axes in ([1, 3], [1, 2])
        )
        return graph.node("Cast", graph.node("Not", graph.node("Equal", down, along)), to=TensorProto.FLOAT)
