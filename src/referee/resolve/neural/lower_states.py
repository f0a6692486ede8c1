"""Lower states: what an encoder's lower layers make of a text, for models that read on from there."""

from __future__ import annotations

from pathlib import Path

from referee.exceptions import FormatError, need_package
from referee.formats.saving import save_bytes
from referee.resolve.neural.exporting import ENCODER, add_facts

LOWER, MIDDLE = "lower", "middle"  # the names of outputs, and of the facts that a model has them


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
                f"{folder / ENCODER}: has {len(norms) // 2} layers; give layers= of less, not {layers}"
            )
        graph.node.append(helper.make_node("Identity", [norms[2 * layers]], [name]))
        graph.output.append(graph.output[0])
        graph.output[-1].name = name
        save_bytes(folder / ENCODER, model.SerializeToString())
    add_facts(folder, {name: layers})
