"""Exporting a reader: what was learned becomes two files of a model's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from referee.formats.saving import save_bytes
from referee.resolve.across.reader import PAIRS, READER
from referee.resolve.across.reader_graph import LAYERS, ReaderGraph

IN_ENCODER = f"enc.{LAYERS}"
READ_PAIRS = (
    "g.first.weight", "g.first.bias", "g.last.weight", "g.mean.weight", "kind.weight", "f.weight", "f.bias",
    "mean", "std", "w.0.weight", "w.1.weight", "w.2.weight", "o.2.weight", "o.2.bias", "o.5.weight",
    "o.5.bias",
)  # fmt: skip


def write_reader(
    arrays: Mapping[str, npt.NDArray[np.floating]], heads: int, folder: Path, *, eight_bits: bool
) -> None:
    """Write reader.onnx and reader.safetensors, of arrays under the names that they are trained with."""
    from safetensors.numpy import save as as_bytes

    named = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    weights = {name.removeprefix("enc."): own for name, own in named.items() if name.startswith(IN_ENCODER)}
    weights |= {name: named[name] for name in ("mark.weight", "apart")}
    kind = np.float16 if eight_bits else np.float32
    folder.mkdir(parents=True, exist_ok=True)
    save_bytes(folder / READER, ReaderGraph(weights, heads, eight_bits=eight_bits).as_bytes())
    save_bytes(folder / PAIRS, as_bytes({name: named[name].astype(kind) for name in READ_PAIRS}))
