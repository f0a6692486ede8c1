"""Networks and encoders in files: arrays in, arrays out."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from referee.arrays import IntArray
from referee.formats.io.saving import save_bytes
from referee.training.export.encoder_folders import EncoderFolder
from referee.training.networks.encoder import KINDS, Encoder
from referee.training.networks.resolver import Network
from referee.training.networks.shapes import Shape, Sizes
from referee.training.settings import Settings


def load_encoder(paths: list[str], layers: int, dropout: float) -> tuple[Encoder, IntArray]:
    """Read an encoder's arrays, and which pieces it knows."""
    stored: dict[str, Any] = {}
    for path in paths:
        with np.load(path) as file:
            stored |= {name: file[name] for name in file.files}
    full, width, heads, positions, buckets = stored.pop("shape").tolist()
    kept = stored.pop("kept").astype(np.int64)
    epsilon = 1e-5 if buckets else 1e-12
    layers = min(layers, full)
    encoder = Encoder(Shape(layers, width, heads, kept.size, positions, buckets, epsilon), dropout)
    state = {}
    for name in encoder.state_dict():
        if name == "kinds.weight":  # new: no encoder was trained with it
            state[name] = torch.zeros(KINDS, width)
        elif name in stored:
            state[name] = torch.from_numpy(stored[name].astype(np.float32))
        else:
            scale = stored[name + ".s"].astype(np.float32)
            state[name] = torch.from_numpy(stored[name + ".q"].astype(np.float32) * scale)
    encoder.load_state_dict(state)
    return encoder, kept


def encoder_of(folder: EncoderFolder, dropout: float) -> Encoder:
    """Make an encoder of the weights of a folder."""
    encoder = Encoder(folder.shape, dropout)
    state = {name: torch.from_numpy(np.array(weight, np.float32)) for name, weight in folder.weights.items()}
    encoder.load_state_dict(state | {"kinds.weight": torch.zeros(KINDS, folder.shape.width)})
    return encoder


def save_network(network: Network, kept: IntArray, settings: Settings, path: Path) -> None:
    """Write all weights in half precision, with what is needed to build the network again."""
    from safetensors.torch import save

    state = {name: weight.detach().half().cpu().contiguous() for name, weight in network.state_dict().items()}
    state["kept"] = torch.from_numpy(kept.astype(np.int32))
    shape = asdict(network.encoder.shape)
    about = {"shape": json.dumps(shape), "sizes": json.dumps(network.head.sizes.as_dict())}
    save_bytes(path, save(state, {**about, "settings": json.dumps(asdict(settings))}))


def load_network(path: Path, device: str, dropout: float = 0.0) -> Network:
    """Read a network back, ready to answer."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        about = file.metadata()
        state = {name: file.get_tensor(name).float() for name in file.keys() if name != "kept"}  # noqa: SIM118
    network = Network(
        Encoder(Shape(**json.loads(about["shape"])), dropout), Sizes(**json.loads(about["sizes"]))
    )
    network.load_state_dict(state)
    return network.to(device).eval()
