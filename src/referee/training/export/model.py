"""Exporting: a trained network becomes a folder that runs without torch.

A model's folder has encoder.onnx, head.safetensors, tokenizer.json and model.json; a trained one also has
network.safetensors, from which the others are made. No torch is needed for that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, MissingExtra
from referee.formats.io.saving import save_bytes
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENCODER, HEAD, TOKENIZER, facts_in, save_facts
from referee.resolvers.neural.subwords import UNIGRAM
from referee.training.export.encoder_graph import EncoderGraph
from referee.training.networks.shapes import Shape, Sizes, lower_layers

NETWORK = "network.safetensors"  # what a trained model has beside the files that run
MARKS = frozenset(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "<pad>", "<unk>", "<s>", "</s>"))
IN_ENCODER, IN_HEAD = "encoder.", "head."


@dataclass(frozen=True, slots=True)
class Stored:
    """A network as arrays: the encoder's and the head's under the names that torch gave them."""

    shape: Shape
    sizes: Sizes
    encoder: Mapping[str, Floats]
    head: Mapping[str, Floats]
    subwords: IntArray  # their numbers in the vocabulary that it was trained with

    @property
    def parameters(self) -> int:
        """How many numbers it has."""
        return sum(weight.size for weight in (*self.encoder.values(), *self.head.values()))


def read_stored(path: Path) -> Stored:
    """Read a network's file."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as missing:
        raise MissingExtra("safetensors", "resolve") from missing
    try:
        with safe_open(path, "numpy") as file:
            about = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise FormatError(
            f"{path}: cannot be read as weights: {error}; train again, or copy it anew"
        ) from error
    if not about.keys() >= {"shape", "sizes"}:
        raise FormatError(f"{path}: the weights have no shape; Referee did not train this network")
    return Stored(
        Shape(**json.loads(about["shape"])),
        Sizes(**json.loads(about["sizes"])),
        _part(weights, IN_ENCODER),
        _part(weights, IN_HEAD),
        weights["kept"].astype(np.int64),
    )


def _part(weights: Mapping[str, Any], prefix: str) -> dict[str, Floats]:
    return {
        name.removeprefix(prefix): weight.astype(np.float32)
        for name, weight in weights.items()
        if name.startswith(prefix)
    }


def export_weights(network: Stored, folder: Path, *, int8: bool) -> None:
    """Write encoder.onnx and head.safetensors."""
    from safetensors.numpy import save as as_bytes

    folder.mkdir(parents=True, exist_ok=True)
    graph = EncoderGraph(network.shape, network.encoder, int8=int8)
    save_bytes(folder / ENCODER, graph.as_bytes())
    kind = np.float16 if int8 else np.float32
    save_bytes(folder / HEAD, as_bytes({name: weight.astype(kind) for name, weight in network.head.items()}))


def export_model(source: Path, target: Path, *, int8: bool) -> Stored:
    """Write a trained model's folder as one that runs: in eight bits, or in full precision."""
    if not (source / NETWORK).exists():
        raise FormatError(
            f"{source / NETWORK}: no such file; only a model that Referee trained can be exported"
        )
    if source.resolve() == target.resolve():
        raise FormatError(f"{target}: is the trained model itself; export it into another folder")
    network, about = read_stored(source / NETWORK), facts_in(source)
    export_weights(network, target, int8=int8)
    save_bytes(target / TOKENIZER, (source / TOKENIZER).read_bytes())
    facts = {"parameters": network.parameters, "bits": 8 if int8 else 32}
    save_facts(target, about | facts | {"lower": lower_layers(network.shape)})
    return network


def widen(network: Stored, rows: Floats, wanted: IntArray) -> Stored:
    """Give a network the wanted subwords: those that it was trained with, and others from before training."""
    table = np.array(rows, np.float32)
    table[network.subwords] = network.encoder["pieces.weight"]
    shape = replace(network.shape, pieces=wanted.size)
    return replace(
        network, shape=shape, encoder={**network.encoder, "pieces.weight": table[wanted]}, subwords=wanted
    )


def wanted_subwords(vocabulary: Sequence[str], seen: IntArray, count: int) -> IntArray:
    """Choose which subwords to keep, in order: no other script, and of the rarest those that were seen.

    A vocabulary is in the order of frequency. What is left out is cut into smaller ones, so special tokens
    and single letters always stay.

    >>> vocabulary = ["[PAD]", "[UNK]", "the", "a", "##b", "дом", "cab", "rare", "seen"]
    >>> wanted_subwords(vocabulary, np.array([2, 8]), 7).tolist()
    [0, 1, 2, 3, 4, 6, 8]
    """
    number = np.arange(len(vocabulary))
    marks = np.array([piece in MARKS for piece in vocabulary])
    short = np.array([len(piece.removeprefix("##")) == 1 for piece in vocabulary])
    latin = np.array([_is_latin(piece) for piece in vocabulary])
    needed = marks | np.isin(number, seen) | (short & latin)
    others = number[latin & ~needed & ~marks]
    return np.sort(np.r_[number[needed], others[: max(count - int(needed.sum()), 0)]])


def _is_latin(piece: str) -> bool:
    """Whether a subword has Latin letters, digits and signs alone."""
    special = piece.startswith("[") and piece.endswith("]")
    return not special and all(ord(sign) < 0x250 or 0x2000 <= ord(sign) < 0x2200 for sign in piece)


def prune_tokenizer(tokenizer: dict[str, Any], wanted: IntArray) -> dict[str, Any]:
    """Leave out the other subwords of a tokenizer's file, and number those that stay."""
    numbers = {old: new for new, old in enumerate(wanted.tolist())}
    vocabulary = tokenizer["model"]["vocab"]
    if tokenizer["model"]["type"] == UNIGRAM:
        model = tokenizer["model"] | {
            "vocab": [vocabulary[number] for number in wanted.tolist()],
            "unk_id": numbers[tokenizer["model"]["unk_id"]],
        }
    else:
        remaining = {piece: numbers[number] for piece, number in vocabulary.items() if number in numbers}
        model = tokenizer["model"] | {"vocab": remaining}
    added = [
        token | {"id": numbers[token["id"]]} for token in tokenizer["added_tokens"] if token["id"] in numbers
    ]
    return tokenizer | {
        "model": model, "added_tokens": added, "post_processor": None, "truncation": None, "padding": None
    }  # fmt: skip


def describe_model(network: Stored, folder: Path, **facts: Any) -> None:
    """Write what running needs to know."""
    about = {
        "width": network.shape.width,
        "spans_per_word": network.sizes.spans_per_word,
        "antecedents": network.sizes.antecedents,
        "parameters": network.parameters,
        "lower": lower_layers(network.shape),
        **facts,
    }
    save_facts(folder, about)
