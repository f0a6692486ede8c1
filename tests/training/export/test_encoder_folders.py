"""Encoders in folders: the weights that people have, under our names, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from referee.exceptions import FormatError
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.export.encoder_graph import EncoderGraph
from referee.training.networks.encoder import Encoder
from toy_encoder import LAYERS, WIDTH, toy_weights, write_encoder


def change(folder: Path, **changes: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_weights_get_our_names(tmp_path: Path, kind: str) -> None:
    folder = read_encoder_folder(write_encoder(tmp_path, kind))
    stored = {
        name.removeprefix("bert."): weight for name, weight in toy_weights(kind, folder.shape.pieces).items()
    }
    query = "attention.self.query" if kind == "bert" else "attention.attn.q"
    mix = folder.weights["layers.1.mix.weight"]
    assert (mix[:WIDTH] == stored[f"encoder.layer.1.{query}.weight"]).all()
    assert (
        mix[2 * WIDTH :]
        == stored[f"encoder.layer.1.{query.replace('query', 'value').replace('.q', '.v')}.weight"]
    ).all()
    positions = stored["embeddings.position_embeddings.weight"]
    if kind == "bert":
        positions = positions + stored["embeddings.token_type_embeddings.weight"][0]
        assert folder.shape.buckets == 0
    else:
        positions = positions[2:]  # MPNet counts from behind its padding
        assert (folder.weights["distances.weight"] == stored["encoder.relative_attention_bias.weight"]).all()
    assert np.allclose(folder.weights["positions.weight"], positions)
    encoder = Encoder.of(folder.shape, folder.weights, 0.0)
    assert encoder.shape.layers == LAYERS
    assert not encoder.kinds.weight.any()


def test_the_lowest_layers_may_be_enough(tmp_path: Path) -> None:
    folder = read_encoder_folder(write_encoder(tmp_path), layers=1)
    assert folder.shape.layers == 1
    assert not [name for name in folder.weights if name.startswith("layers.1.")]
    with pytest.raises(FormatError, match=r"config\.json: the encoder has 2 layers; encoder_layers= cannot"):
        read_encoder_folder(tmp_path, layers=3)


def test_weights_of_an_onnx_file_are_the_same(tmp_path: Path) -> None:
    """As exporters write it: matrices are turned round and have lost their names."""
    whole = read_encoder_folder(write_encoder(tmp_path))
    stored = {
        name.removeprefix("bert."): weight for name, weight in toy_weights("bert", whole.shape.pieces).items()
    }
    nodes, constants = [], {}
    for number, (name, weight) in enumerate(stored.items()):
        if name.startswith("encoder") and weight.ndim == 2:
            bias = name.replace("weight", "bias")
            constants[f"matrix{number}"] = weight.T if number % 2 else weight
            matrix = f"matrix{number}"
            if not number % 2:
                nodes.append(onnx.helper.make_node("Transpose", [matrix], [f"turned{number}"]))
                matrix = f"turned{number}"
            nodes.append(onnx.helper.make_node("MatMul", ["x", matrix], [f"product{number}"]))
            nodes.append(onnx.helper.make_node("Add", [bias, f"product{number}"], [f"sum{number}"]))
        else:
            constants[name] = weight
    initializers = [
        onnx.numpy_helper.from_array(np.ascontiguousarray(a), name) for name, a in constants.items()
    ]
    graph = onnx.helper.make_graph(nodes, "encoder", [], [], initializers)
    onnx.save(onnx.helper.make_model(graph), str(tmp_path / "model.onnx"))
    (tmp_path / "model.safetensors").unlink()
    again = read_encoder_folder(tmp_path)
    assert again.weights.keys() == whole.weights.keys()
    assert all((again.weights[name] == weight).all() for name, weight in whole.weights.items())


def test_pickled_weights_are_refused_with_the_reason(tmp_path: Path) -> None:
    write_encoder(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(FormatError, match=r"pytorch_model\.bin: pickled weights are not loaded, because"):
        read_encoder_folder(tmp_path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"model_type": "roberta"},
            "encoders of the kind 'roberta' are not supported; supported are bert and mpnet",
        ),
        ({"intermediate_size": 3 * WIDTH}, "four times as wide and use GELU"),
        ({"hidden_act": "relu"}, "use GELU"),
        ({"position_embedding_type": "relative_key"}, "only absolute positions"),
        ({"hidden_size": None}, "needs a number for"),
        ({"num_hidden_layers": 3}, "the weights have no 'encoder.layer.2"),
    ],
)
def test_what_is_not_known_is_said(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    change(write_encoder(tmp_path), **changes)
    with pytest.raises(FormatError, match=said):
        read_encoder_folder(tmp_path)


def test_files_that_are_missing_or_broken_are_named(tmp_path: Path) -> None:
    write_encoder(tmp_path)
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "BPE"}}')
    with pytest.raises(FormatError, match=r"tokenizer\.json: not a WordPiece or Unigram tokenizer"):
        read_encoder_folder(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\x80\x04")
    with pytest.raises(FormatError, match=r"model\.safetensors: cannot be read as weights"):
        read_encoder_folder(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(FormatError, match=r"there is no model\.safetensors"):
        read_encoder_folder(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(FormatError, match=r"config\.json: not a JSON object"):
        read_encoder_folder(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(FormatError, match=r"config\.json: No such file"):
        read_encoder_folder(tmp_path)


@pytest.mark.parametrize("int8", [False, True])
def test_the_encoder_of_a_model_is_read_back(tmp_path: Path, *, int8: bool) -> None:
    whole = read_encoder_folder(write_encoder(tmp_path / "given"))
    kinds = {"kinds.weight": np.zeros((6, WIDTH), np.float32)}
    model = tmp_path / "model"
    model.mkdir()
    graph = EncoderGraph(replace(whole.shape, kinds=6), whole.weights | kinds, int8=int8)
    (model / "encoder.onnx").write_bytes(graph.as_bytes())
    (model / "tokenizer.json").write_text(json.dumps(whole.tokenizer))
    (model / "model.json").write_text("{}")
    back = read_encoder_folder(model)
    assert (back.shape.pieces, back.shape.positions, back.shape.layers) == (
        whole.shape.pieces, whole.shape.positions, whole.shape.layers
    )  # fmt: skip
    assert back.tokenizer == whole.tokenizer
    assert back.weights.keys() == whole.weights.keys()
    for name, weight in whole.weights.items():
        off = np.abs(back.weights[name] - weight).max()
        assert off <= (np.abs(weight).max() / 60 if int8 else 1e-6), name
    assert read_encoder_folder(model, layers=1).shape.layers == 1
    with pytest.raises(FormatError, match="the encoder has 2 layers"):
        read_encoder_folder(model, layers=3)


def test_an_encoder_that_knows_distances_is_not_read_back(tmp_path: Path) -> None:
    whole = read_encoder_folder(write_encoder(tmp_path / "given", "mpnet"))
    kinds = {"kinds.weight": np.zeros((6, WIDTH), np.float32)}
    graph = EncoderGraph(replace(whole.shape, kinds=6), whole.weights | kinds, int8=False)
    (tmp_path / "encoder.onnx").write_bytes(graph.as_bytes())
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(FormatError, match="know distances"):
        read_encoder_folder(tmp_path)
