"""Exporting a reader: what was learned becomes two files of a model's folder, an ONNX graph and weights.

The graph is the upper layers of an encoder once more, over rows of several passages. The lower layers of the
model's encoder read each passage by itself, and must give their states (`add_lower_states`). From there on
all subwords of a row attend to each other (cross-document attention, Caciularu et al. 2021); a number for
each layer and head is added where two subwords are of different passages. In the last layer, only the
subwords of mentions attend to others. The weights score pairs of mentions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.exceptions import FormatError, need_package
from referee.formats.io.saving import save_bytes
from referee.resolvers.across.reader import PAIRS, READER, WANTED
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENCODER, add_facts
from referee.training.export.encoder_graph import EncoderGraph
from referee.training.networks.shapes import Shape

LOWER, MIDDLE = "lower", "middle"  # the names of outputs, and of the facts that a model has them
LAYERS = "layers."
IN_ENCODER = f"enc.{LAYERS}"
READ_PAIRS = (
    "g.first.weight", "g.first.bias", "g.last.weight", "g.mean.weight", "kind.weight", "f.weight", "f.bias",
    "mean", "std", "w.0.weight", "w.1.weight", "w.2.weight", "o.2.weight", "o.2.bias", "o.5.weight",
    "o.5.bias",
)  # fmt: skip  # weights that score pairs


def add_lower_states(folder: Path, layers: int, name: str = LOWER) -> None:
    """Let the encoder of a model also give its states after some layers; its weights stay as they are."""
    need_package("onnx", "train")
    import onnx
    from onnx import helper

    model = onnx.load(str(folder / ENCODER))
    graph = model.graph
    if name not in {result.name for result in graph.output}:
        norms = [node.output[0] for node in graph.node if node.op_type == "LayerNormalization"]
        if not 0 <= 2 * layers < len(norms) - 1:  # one before the first layer, and two in each
            raise FormatError(
                f"{folder / ENCODER}: has {len(norms) // 2} layers; give fewer as layers=, not {layers}"
            )
        graph.node.append(helper.make_node("Identity", [norms[2 * layers]], [name]))
        graph.output.append(graph.output[0])
        graph.output[-1].name = name
        save_bytes(folder / ENCODER, model.SerializeToString())
    add_facts(folder, {name: layers})


class ReaderGraph:
    """Writes a reader's weights into a graph: lower states, marks and passages in, states out.

    The states are those of the subwords that are `WANTED`. What is added between passages is not given to
    attention as a table of all pairs, which takes longer than the products: the passage of a subword is
    added to its query and key as further columns, whose product is the same number less a constant.
    """

    def __init__(self, weights: Mapping[str, Floats], heads: int, *, int8: bool) -> None:
        """Take the weights of layers, the table of marks, and what is added between passages."""
        self.numbers = sorted({int(name.split(".")[1]) for name in weights if name.startswith(LAYERS)})
        shape = Shape(len(self.numbers), weights["mark.weight"].shape[1], heads, pieces=0)
        self.layers = EncoderGraph(shape, weights, int8=int8)
        self.graph, self.heads, self.wide = self.layers.graph, heads, shape.width // heads

    def as_bytes(self) -> bytes:
        """Write all layers; the last for the subwords alone that are wanted."""
        graph = self.graph
        marks = graph.node("Gather", self.layers.weight("mark.weight"), "marks")
        states, passages = graph.node("Add", "lower", marks), self.passages()
        for number in self.numbers:
            states = self.layer(states, passages, number, last=number == self.numbers[-1])
        graph.result(states, "states")
        width = self.layers.shape.width
        return graph.as_bytes("reader", ("marks", "passages"), ("lower",), width, WANTED)

    def layer(self, states: str, passages: str, number: int, *, last: bool) -> str:
        """Write a layer."""
        graph, name = self.graph, f"{LAYERS}{number}."
        mixed = graph.nodes_of(
            "Split", self.layers.linear(states, name + "mix"), self.layers.thirds, outputs=3, axis=2
        )
        ours = [mixed[0], states, passages]
        query, states, here = [graph.node("Gather", each, WANTED, axis=1) for each in ours] if last else ours
        added = self.layers.weights["apart"][number][None, None, :, None]
        query = self.beside(query, here, -added * self.wide**0.5)
        key = self.beside(mixed[1], passages, np.ones_like(added))
        attended = graph.onnxruntime_node(
            "MultiHeadAttention", query, key, mixed[2], num_heads=self.heads, scale=self.wide**-0.5
        )
        return self.layers.behind_attention(states, attended, name)

    def passages(self) -> str:
        """Give each subword a column for each passage: 1 for its own, or 0."""
        graph = self.graph
        most = graph.node("ReduceMax", "passages", keepdims=0)
        count = graph.node("Add", most, graph.constant(1, np.int64))
        columns = graph.node("OneHot", "passages", count, graph.constant([0, 1], np.float32), axis=-1)
        return graph.node("Unsqueeze", columns, graph.constant([2], np.int64))

    def beside(self, rows: str, passages: str, times: Floats) -> str:
        """Put the columns of passages, times a number for each head, beside the columns of each head."""
        graph = self.graph
        by_head = graph.node("Reshape", rows, graph.constant([0, 0, self.heads, self.wide], np.int64))
        further = graph.node("Mul", passages, graph.constant(times, np.float32))
        wider = graph.node("Concat", by_head, further, axis=-1)
        return graph.node("Reshape", wider, graph.constant([0, 0, -1], np.int64))


def write_reader(
    arrays: Mapping[str, npt.NDArray[np.floating]], heads: int, folder: Path, *, int8: bool
) -> None:
    """Write reader.onnx and reader.safetensors, of arrays under the names that they are trained with."""
    from safetensors.numpy import save as as_bytes

    named = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    weights = {
        name.removeprefix("enc."): array for name, array in named.items() if name.startswith(IN_ENCODER)
    }
    weights |= {name: named[name] for name in ("mark.weight", "apart")}
    kind = np.float16 if int8 else np.float32
    folder.mkdir(parents=True, exist_ok=True)
    save_bytes(folder / READER, ReaderGraph(weights, heads, int8=int8).as_bytes())
    save_bytes(folder / PAIRS, as_bytes({name: named[name].astype(kind) for name in READ_PAIRS}))
