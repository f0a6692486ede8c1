"""Exporting: a trained network becomes a folder that runs without torch."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from referee.arrays import FloatArray, IntArray
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


def widen(encoder: Encoder, kept: IntArray, rows: FloatArray, wanted: IntArray) -> Encoder:
    """Give an encoder the wanted pieces: those that it was trained with, and others from before training."""
    full = torch.from_numpy(np.array(rows, np.float32))
    full[torch.from_numpy(kept)] = encoder.pieces.weight.detach().float().cpu()
    encoder.pieces = torch.nn.Embedding.from_pretrained(full[torch.from_numpy(wanted)])
    return encoder


def wanted_pieces(vocabulary: Sequence[str], seen: IntArray, count: int) -> IntArray:
    """Choose which pieces to keep, in order: no other script, and of the rarest those that were seen.

    A vocabulary is in the order of frequency. What is left out is cut into smaller pieces, so marks and
    single letters always stay.

    >>> vocabulary = ["[PAD]", "[UNK]", "the", "a", "##b", "дом", "cab", "rare", "seen"]
    >>> wanted_pieces(vocabulary, np.array([2, 8]), 7).tolist()
    [0, 1, 2, 3, 4, 6, 8]
    """
    number = np.arange(len(vocabulary))
    marks = np.array([piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]") for piece in vocabulary])
    short = np.array([len(piece.removeprefix("##")) == 1 for piece in vocabulary])
    latin = np.array([_is_latin(piece) for piece in vocabulary])
    needed = marks | np.isin(number, seen) | (short & latin)
    others = number[latin & ~needed & ~marks]
    return np.sort(np.r_[number[needed], others[: max(count - int(needed.sum()), 0)]])


def _is_latin(piece: str) -> bool:
    """Whether a piece has Latin letters, digits and signs alone."""
    special = piece.startswith("[") and piece.endswith("]")
    return not special and all(ord(sign) < 0x250 or 0x2000 <= ord(sign) < 0x2200 for sign in piece)


def prune_tokenizer(tokenizer: dict[str, Any], wanted: IntArray) -> dict[str, Any]:
    """Leave out the other pieces of a WordPiece tokenizer's file, and number those that stay."""
    numbers = {old: new for new, old in enumerate(wanted.tolist())}
    vocabulary = tokenizer["model"]["vocab"]
    kept = {piece: numbers[number] for piece, number in vocabulary.items() if number in numbers}
    added = [
        token | {"id": numbers[token["id"]]} for token in tokenizer["added_tokens"] if token["id"] in numbers
    ]
    model = tokenizer["model"] | {"vocab": kept}
    return tokenizer | {
        "model": model, "added_tokens": added, "post_processor": None, "truncation": None, "padding": None
    }  # fmt: skip


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
