"""Encoders in folders: in Hugging Face's layout, of BERT's kind or of MPNet's, or of a model of Referee's.

A folder has config.json, model.safetensors (or model.onnx) and tokenizer.json. Weights that were pickled
(pytorch_model.bin) are refused: loading them would run whatever code they contain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.exceptions import FormatError, did_you_mean
from referee.formats.io.json_file import json_object
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ABOUT, ENCODER
from referee.resolvers.neural.subwords import UNIGRAM
from referee.training.export.weights import read_graph_encoder, read_onnx_weights
from referee.training.networks.shapes import Shape

CONFIG, WEIGHTS, ONNX, TOKENIZER_FILE = "config.json", "model.safetensors", "model.onnx", "tokenizer.json"
TOKENIZERS = ("WordPiece", UNIGRAM)
LAYOUT = "a folder in Hugging Face's layout has it"


class EncoderKind(NamedTuple):
    """What a kind of encoder calls its parts."""

    mix: tuple[str, str, str]  # queries, keys and values: one matrix here
    parts: Mapping[str, str]
    before: int  # positions that are never used


FEED_FORWARD = {"up": "intermediate.dense", "down": "output.dense", "norm_down": "output.LayerNorm"}
KINDS_OF_ENCODER = {
    "bert": EncoderKind(
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        {"out": "attention.output.dense", "norm_out": "attention.output.LayerNorm", **FEED_FORWARD},
        0,
    ),
    "mpnet": EncoderKind(
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        {"out": "attention.attn.o", "norm_out": "attention.LayerNorm", **FEED_FORWARD},
        2,
    ),
}


class EncoderFolder(NamedTuple):
    """An encoder as arrays, under the names that `encoder.Encoder` has, and its tokenizer's file."""

    shape: Shape
    weights: dict[str, Floats]
    tokenizer: dict[str, Any]


def read_encoder_folder(folder: Path, layers: int = 0) -> EncoderFolder:
    """Read an encoder, or the lowest of its layers; also that of a model's folder that Referee exported."""
    if (folder / ABOUT).exists() and not (folder / CONFIG).exists():
        return _of_model(folder, layers)
    config = json_object(folder / CONFIG, LAYOUT)
    name = str(config.get("model_type"))
    if name not in KINDS_OF_ENCODER:
        known = " and ".join(KINDS_OF_ENCODER)
        raise FormatError(
            f"{folder / CONFIG}: encoders of the kind '{name}' are not supported; supported are {known}"
            f"{did_you_mean(name, KINDS_OF_ENCODER)}"
        )
    shape = _shape(folder / CONFIG, config, layers)
    stored = _stored(folder, name)
    try:
        weights = _renamed(stored, KINDS_OF_ENCODER[name], shape.layers)
    except KeyError as missing:
        raise FormatError(f"{folder}: the weights have no {missing}; they are of another kind") from missing
    tokenizer = json_object(folder / TOKENIZER_FILE, LAYOUT)
    if tokenizer.get("model", {}).get("type") not in TOKENIZERS:
        raise FormatError(
            f"{folder / TOKENIZER_FILE}: not a WordPiece or Unigram tokenizer, the only kinds that are "
            "supported"
        )
    return EncoderFolder(shape, weights, tokenizer)


def _of_model(folder: Path, layers: int) -> EncoderFolder:
    """Take the encoder out of a model that runs, rounded as it is."""
    read = read_graph_encoder(folder / ENCODER)
    if layers > read.shape.layers:
        raise FormatError(
            f"{folder}: the encoder has {read.shape.layers} layers; encoder_layers= cannot be more"
        )
    tokenizer = json_object(folder / TOKENIZER_FILE, LAYOUT)
    return EncoderFolder(replace(read.shape, layers=layers or read.shape.layers), read.weights, tokenizer)


def _shape(path: Path, config: Mapping[str, Any], layers: int) -> Shape:
    try:
        full, width = int(config["num_hidden_layers"]), int(config["hidden_size"])
        inner, positions = int(config["intermediate_size"]), int(config["max_position_embeddings"])
        heads, pieces = int(config["num_attention_heads"]), int(config["vocab_size"])
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path}: needs a number for {error}") from error
    if layers > full:
        raise FormatError(f"{path}: the encoder has {full} layers; encoder_layers= cannot be more")
    if inner != 4 * width or config.get("hidden_act", "gelu") != "gelu":
        raise FormatError(f"{path}: only inner layers that are four times as wide and use GELU are supported")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise FormatError(f"{path}: only absolute positions are supported")
    kind = KINDS_OF_ENCODER[config["model_type"]]
    buckets = int(config.get("relative_attention_num_buckets", 32)) if kind.before else 0
    epsilon = float(config.get("layer_norm_eps", 1e-12))
    return Shape(layers or full, width, heads, pieces, positions - kind.before, buckets, epsilon)


def _stored(folder: Path, name: str) -> dict[str, Floats]:
    """Read the weights under the names that they have there, without the kind's name before them."""
    if (folder / WEIGHTS).exists():
        stored = _read_safetensors(folder / WEIGHTS)
    elif (folder / ONNX).exists():
        stored = read_onnx_weights(folder / ONNX)
    else:
        raise FormatError(_why_not(folder))
    stored = {key.removeprefix(f"{name}."): weight for key, weight in stored.items()}
    return {key.replace(".gamma", ".weight").replace(".beta", ".bias"): stored[key] for key in stored}


def _why_not(folder: Path) -> str:
    if (folder / f"{WEIGHTS}.index.json").exists():
        return f"{folder}: weights in several files are not supported; save them in one"
    pickled = sorted(folder.glob("*.bin"))
    if pickled:
        return (
            f"{pickled[0]}: pickled weights are not loaded, because loading runs what they contain; "
            f"save them as {WEIGHTS}"
        )
    return f"{folder}: there is no {WEIGHTS}"


def _read_safetensors(path: Path) -> dict[str, Floats]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:  # torch knows bfloat16, numpy does not
            return {name: file.get_tensor(name).float().numpy() for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise FormatError(f"{path}: cannot be read as weights: {error}") from error


def _renamed(stored: Mapping[str, Floats], kind: EncoderKind, layers: int) -> dict[str, Floats]:
    """Give weights the names that they have here; all subwords are of the first kind of segment."""
    positions = stored["embeddings.position_embeddings.weight"][kind.before :]
    if "embeddings.token_type_embeddings.weight" in stored:
        positions = positions + stored["embeddings.token_type_embeddings.weight"][0]
    weights = {"pieces.weight": stored["embeddings.word_embeddings.weight"], "positions.weight": positions}
    if kind.before:
        weights["distances.weight"] = stored["encoder.relative_attention_bias.weight"]
    for part in ("weight", "bias"):
        weights[f"norm.{part}"] = stored[f"embeddings.LayerNorm.{part}"]
        for number in range(layers):
            old, new = f"encoder.layer.{number}.", f"layers.{number}."
            weights[f"{new}mix.{part}"] = np.concatenate([stored[f"{old}{name}.{part}"] for name in kind.mix])
            weights |= {
                f"{new}{ours}.{part}": stored[f"{old}{theirs}.{part}"] for ours, theirs in kind.parts.items()
            }
    return weights
