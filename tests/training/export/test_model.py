"""A network as a folder that runs without torch: the same numbers, in full precision and in eight bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch

from referee.exceptions import FormatError
from referee.resolvers.neural.models import facts_in
from referee.training.export.encoder_graph import EncoderGraph
from referee.training.export.model import Stored, prune_tokenizer, read_stored, widen
from referee.training.export.reader import MIDDLE, add_lower_states
from referee.training.networks.encoder import Encoder, Linear
from referee.training.networks.shapes import Shape, Sizes

BERT = Shape(2, 16, 2, 40, positions=64)
MPNET = Shape(2, 16, 2, 40, positions=64, buckets=32, epsilon=1e-5)


def toy_encoder(shape: Shape) -> Encoder:
    torch.manual_seed(1)
    encoder: Encoder = Encoder(shape, 0.0).eval()
    for weight in encoder.parameters():
        weight.data = torch.randn_like(weight) * 0.3
    encoder.layers[0].down.bias.data[3] += 5.0  # as real ones have it: one column is much larger than others
    return encoder


def rows(count: int = 3, columns: int = 20) -> dict[str, Any]:
    random = np.random.default_rng(1)
    return {
        "rows": random.integers(0, 40, (count, columns)),
        "kinds": random.integers(0, 6, (count, columns)),
    }


def by_torch(encoder: Encoder, given: dict[str, Any]) -> Any:
    with torch.no_grad():
        used = torch.ones(given["rows"].shape, dtype=torch.bool)
        return encoder(*map(torch.from_numpy, given.values()), used).numpy()


def session(encoder: Encoder, *, int8: bool, threads: int = 1) -> Any:
    weights = {name: weight.numpy() for name, weight in encoder.state_dict().items()}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    graph = EncoderGraph(encoder.shape, weights, int8=int8)
    return onnxruntime.InferenceSession(graph.as_bytes(), options)


@pytest.mark.parametrize("shape", [BERT, MPNET], ids=["BERT", "MPNet"])
def test_the_graph_computes_what_torch_computes(shape: Shape) -> None:
    encoder = toy_encoder(shape)
    for given in (rows(), rows(1, 64)):
        states = session(encoder, int8=False).run(None, given)[0]
        assert np.allclose(states, by_torch(encoder, given), atol=1e-4)


@pytest.mark.parametrize("shape", [BERT, MPNET], ids=["BERT", "MPNet"])
def test_eight_bits_round_as_training_rounds(shape: Shape) -> None:
    encoder = toy_encoder(shape)
    states = session(encoder, int8=True).run(None, rows())[0]
    exact = by_torch(encoder, rows())
    for module in encoder.modules():
        if isinstance(module, Linear):
            module.rounded = True
    table = encoder.pieces.weight
    steps = table.abs().amax(1, keepdim=True) / 127
    table.data = (table / steps).round() * steps
    off, rounding = np.abs(states - by_torch(encoder, rows())), np.abs(states - exact)
    assert np.median(off) < 1e-5
    assert 1e-3 < np.median(rounding) < 0.1
    assert off.mean() < rounding.mean() / 5  # where a number is half way, the two may round it otherwise


@pytest.mark.parametrize("shape", [BERT, MPNET], ids=["BERT", "MPNet"])
def test_lower_states_are_those_of_an_encoder_with_half_the_layers(shape: Shape) -> None:
    encoder = toy_encoder(shape)
    states, lower = session(encoder, int8=False).run(["states", "lower"], rows())
    encoder.layers = encoder.layers[:1]
    assert np.allclose(lower, by_torch(encoder, rows()), atol=1e-4)
    assert np.abs(states - lower).max() > 0.1


def test_an_encoder_without_lower_states_gets_them(tmp_path: Path) -> None:
    import onnx

    encoder = toy_encoder(BERT)
    weights = {name: weight.numpy() for name, weight in encoder.state_dict().items()}
    model = onnx.load_model_from_string(EncoderGraph(BERT, weights, int8=True).as_bytes())
    del model.graph.output[1], model.graph.node[-1]
    onnx.save(model, str(tmp_path / "encoder.onnx"))
    (tmp_path / "model.json").write_text('{"width": 16}')
    for layers in (2, -1):
        with pytest.raises(FormatError, match=r"encoder\.onnx: has 2 layers; give fewer as layers=, not"):
            add_lower_states(tmp_path, layers)
    for _ in range(2):
        add_lower_states(tmp_path, 1)
    opened = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"))
    wanted = session(encoder, int8=True).run(["states", "lower"], rows())
    assert [(a == b).all() for a, b in zip(opened.run(None, rows()), wanted, strict=True)] == [True, True]
    assert facts_in(tmp_path) == {"width": 16, "lower": 1}
    add_lower_states(tmp_path, 0, MIDDLE)
    opened = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"))
    given = dict(zip(("states", "lower"), wanted, strict=True))
    for name in ("states", "lower"):
        assert (opened.run([name], rows())[0] == given[name]).all()
    encoder.layers = encoder.layers[:0]
    assert np.allclose(opened.run(["middle"], rows())[0], by_torch(encoder, rows()), atol=0.1)
    assert facts_in(tmp_path) == {"width": 16, "lower": 1, "middle": 0}


def test_a_window_has_the_same_bits_in_any_company_and_on_any_number_of_threads() -> None:
    encoder, given = toy_encoder(BERT), rows()
    together = session(encoder, int8=True).run(None, given)[0]
    for number in range(3):
        alone = {name: values[number : number + 1] for name, values in given.items()}
        for threads in (1, 2):
            states = session(encoder, int8=True, threads=threads).run(None, alone)[0]
            assert (states[0] == together[number]).all()


def test_no_sum_of_two_products_can_be_cut_off_in_sixteen_bits() -> None:
    from onnx import load_model_from_string, numpy_helper

    encoder = toy_encoder(BERT)
    weights = {name: weight.numpy() for name, weight in encoder.state_dict().items()}
    graph = load_model_from_string(EncoderGraph(BERT, weights, int8=True).as_bytes()).graph
    constants = {constant.name: numpy_helper.to_array(constant) for constant in graph.initializer}
    matrices = [constants[node.input[1]] for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
    assert len(matrices) == 4 * BERT.layers
    for matrix in matrices:
        assert matrix.dtype == np.int8
        assert 2 * 255 * int(np.abs(matrix.astype(int)).max()) <= np.iinfo(np.int16).max
        assert (np.abs(matrix).max(0) == 63).all()  # and each output uses all of its range


def test_more_pieces_come_from_before_training() -> None:
    kept, before = np.array([1, 3]), np.arange(10.0, dtype=np.float32).reshape(5, 2)
    trained = np.array([[-1, -1], [-3, -3]], np.float32)
    network = Stored(BERT, Sizes(), {"pieces.weight": trained}, {}, kept)
    wide = widen(network, before, np.array([0, 1, 3]))
    assert wide.encoder["pieces.weight"].tolist() == [[0, 1], [-1, -1], [-3, -3]]
    assert (wide.shape.pieces, wide.subwords.tolist(), wide.parameters) == (3, [0, 1, 3], 6)


def test_a_pruned_tokenizer_numbers_what_stays() -> None:
    tokenizer = {
        "model": {"type": "WordPiece", "vocab": {"[PAD]": 0, "a": 1, "b": 2, "[SEP]": 3}},
        "added_tokens": [{"id": 0, "content": "[PAD]"}, {"id": 3, "content": "[SEP]"}],
        "truncation": {"max_length": 9},
    }
    pruned = prune_tokenizer(tokenizer, np.array([0, 2, 3]))
    assert pruned["model"]["vocab"] == {"[PAD]": 0, "b": 1, "[SEP]": 2}
    assert [token["id"] for token in pruned["added_tokens"]] == [0, 2]
    assert pruned["truncation"] is None


def test_a_pruned_unigram_tokenizer_keeps_scores_and_the_unknown_piece() -> None:
    pieces = [["<s>", 0.0], ["<unk>", 0.0], ["▁a", -1.0], ["b", -2.0]]
    tokenizer = {"model": {"type": "Unigram", "unk_id": 1, "vocab": pieces}, "added_tokens": []}
    model = prune_tokenizer(tokenizer, np.array([0, 1, 3]))["model"]
    assert (model["vocab"], model["unk_id"]) == ([["<s>", 0.0], ["<unk>", 0.0], ["b", -2.0]], 1)


def test_a_file_that_is_no_network_says_so(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"\x80\x04pickle")
    with pytest.raises(FormatError, match=r"broken\.safetensors: cannot be read as weights"):
        read_stored(broken)
    save_file({"a": np.zeros(1)}, tmp_path / "other.safetensors")
    with pytest.raises(FormatError, match="the weights have no shape"):
        read_stored(tmp_path / "other.safetensors")
