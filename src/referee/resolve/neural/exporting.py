"""Exporting: a trained network becomes a folder that runs without torch."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from referee.resolve.neural.encoder import Encoder
from referee.resolve.neural.network import Network

INPUTS = ("rows", "kinds", "used")


def export_encoder(encoder: Encoder, path: Path) -> None:
    """Write the encoder as ONNX, for any number of windows of any length."""
    encoder = encoder.cpu().float().eval()
    rows = torch.zeros(2, 16, dtype=torch.long)
    example = (rows, rows, torch.ones(2, 16, dtype=torch.bool))
    axes = {name: {0: "windows", 1: "columns"} for name in (*INPUTS, "states")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of itself
        torch.onnx.export(
            encoder, example, str(path), input_names=list(INPUTS), output_names=["states"], dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip


def quantise(source: Path, target: Path) -> None:
    """Write an ONNX file's matrices in eight bits, each with a scale per column."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True)


def export_head(network: Network, path: Path) -> None:
    """Write the head's weights."""
    from safetensors.numpy import save_file

    save_file({name: weight.numpy() for name, weight in network.head.state_dict().items()}, path)


def widen(encoder: Encoder, kept: Any, rows: Any) -> Encoder:
    """Give an encoder back the pieces that its training texts did not have; `rows` are all of them."""
    full = torch.from_numpy(np.array(rows, np.float32))
    full[torch.from_numpy(kept)] = encoder.pieces.weight.detach().float()
    encoder.pieces = torch.nn.Embedding.from_pretrained(full)
    return encoder


def describe_model(network: Network, path: Path, **facts: Any) -> None:
    """Write what running needs to know."""
    sizes = network.head.sizes
    about = {
        "width": network.encoder.shape.width,
        "kept": sizes.kept,
        "antecedents": sizes.antecedents,
        **facts,
    }
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
