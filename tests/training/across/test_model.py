"""From a toy model within documents to one that reads across them: trained, exported, opened, tuned."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from referee.cli import main
from referee.exceptions import FormatError
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.reader import marked_row
from referee.resolvers.neural.running import Model
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.across import model as across_training
from referee.training.across import reader as reader_learning
from referee.training.across.heads import HeadSettings
from referee.training.across.model import learn_to_read, train_across
from referee.training.across.reader import ReaderSettings, block_odds, train_reader
from referee.training.data.passages import (
    ReaderMaterial,
    StateSource,
    SubwordSource,
    annotated_texts,
    passage_pairs,
    with_inputs,
)
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.export.model import export_model, read_stored
from referee.training.export.weights import read_graph_layers
from referee.training.networks.encoder import Encoder
from referee.training.networks.int8 import WEIGHT_STEPS
from referee.training.networks.reader import ReaderNetwork, ReaderSizes, ReaderStart
from referee.training.within import train_model
from three_topics import three_topics, write_topics
from toy_encoder import write_encoder
from toy_training import settings, training_data

QUICK = ReaderSettings(steps=4, subwords=200, lengths=(100,), sizes=ReaderSizes(8, 8))
HEADS = HeadSettings(epochs=4, seeds=(1,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a model within documents, which need not know anything."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    made = tmp_path_factory.mktemp("made")
    train_model(
        training_data(), write_encoder(made / "encoder"), made / "model", settings(epochs=1, measures=1)
    )
    yield made / "model"
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def across(folder: Path) -> Path:
    """Train a model across documents once."""
    out = folder.parent / "across"
    train, dev = three_topics(["quake", "theft"]), three_topics(["strike"])
    train_across(train, dev, folder, out, HEADS, reading=QUICK)
    return out


def material(model: Model) -> ReaderMaterial:
    known, told = annotated_texts(three_topics(["quake"]))
    source = StateSource(model, known.texts)
    return with_inputs(passage_pairs(known, told, source.cut), source)


def test_layers_are_read_back_from_a_graph(folder: Path, tmp_path: Path) -> None:
    stored = read_stored(folder / "network.safetensors")
    full = read_graph_layers(folder / "encoder.onnx")
    layers = {name: weight for name, weight in stored.encoder.items() if name.startswith("layers.")}
    assert (full.shape.layers, full.shape.width, full.shape.heads) == (2, 16, 2)
    assert full.weights.keys() == layers.keys()
    for name, weight in full.weights.items():
        np.testing.assert_array_equal(weight, layers[name])
    export_model(folder, tmp_path, int8=True)
    small = read_graph_layers(tmp_path / "encoder.onnx")
    assert (full.int8, small.int8) == (False, True)
    for name, weight in small.weights.items():
        assert np.abs(weight - layers[name]).max() <= np.abs(layers[name]).max() / WEIGHT_STEPS / 2 + 1e-6


def test_a_graph_that_was_not_written_here_is_refused(tmp_path: Path) -> None:
    (tmp_path / "encoder.onnx").write_bytes(b"no graph")
    with pytest.raises(FormatError, match=r"encoder\.onnx: (cannot be read as ONNX|not an encoder)"):
        read_graph_layers(tmp_path / "encoder.onnx")


def test_a_passage_alone_is_read_as_the_encoder_reads_it(folder: Path) -> None:
    model = Model(folder)
    layers = read_graph_layers(folder / "encoder.onnx")
    start = ReaderStart(layers.shape, layers.weights, model.about["lower"])
    network = ReaderNetwork.beginning(start, ReaderSizes()).eval()
    own = material(model)
    rows, _ = reader_learning._collated(own, [[0]], 0)
    text = next(iter(three_topics(["quake"]))).text
    ends = model.cut(text.words)[1]
    with torch.no_grad():
        states = network.states(rows)[0].numpy()[1:-1]
    wanted = word_states(model, text)
    np.testing.assert_allclose((states[ends[:, 0]] + states[ends[:, 1]]) / 2, wanted, atol=5e-3)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_whole_encoder_reads_pieces(kind: str, tmp_path: Path) -> None:
    encoder = read_encoder_folder(write_encoder(tmp_path, kind))
    known, told = annotated_texts(three_topics(["quake"]))
    source = SubwordSource(SubwordTokenizer(encoder.tokenizer, str(tmp_path)), known.texts)
    own = with_inputs(passage_pairs(known, told, lambda text: [(0, text.length)]), source)
    start = ReaderStart(encoder.shape, encoder.weights, lower=0)
    network = ReaderNetwork.beginning(start, ReaderSizes(8, 8)).eval()
    rows, _ = reader_learning._collated(own, [[0]], 0)
    with torch.no_grad():
        whole = Encoder.of(encoder.shape, encoder.weights, 0.0).eval()
        alone = whole(rows.inputs[..., 0], rows.inputs[..., 1], rows.passage >= 0)
        torch.testing.assert_close(network.states(rows), alone)
        both, _ = reader_learning._collated(own, [[0, 1]], 0)
        assert not torch.allclose(network.states(both)[:, : alone.shape[1]], alone)
    trained = train_reader(
        start, own, ReaderSettings(steps=2, two=True, subwords=200, sizes=ReaderSizes(8, 8))
    )
    moved = [
        name for name, weight in trained.as_arrays().items() if (weight != network.as_arrays()[name]).any()
    ]
    assert ("begin.distances.weight" in moved) == (kind == "mpnet")
    assert {"begin.pieces.weight", "enc.layers.0.mix.weight", "apart", "mark.weight"} <= {*moved}


def test_what_was_trained_is_what_answers(folder: Path, across: Path) -> None:
    """The files give the odds that the network in torch has: in full precision, to rounding."""
    model = Model(folder)
    train = three_topics(["quake", "theft"])
    known, told = annotated_texts(train)
    source = StateSource(model, known.texts)
    layers = read_graph_layers(folder / "encoder.onnx")
    lesson = with_inputs(passage_pairs(known, told, source.cut), source)
    start = ReaderStart(layers.shape, layers.weights, model.about["lower"])
    network = train_reader(start, lesson, replace(QUICK, rounded=False))
    own, block = material(model), [2, 0, 5]
    odds, times = block_odds(network, own, [block])
    rows = np.flatnonzero(times)
    begins = np.cumsum([0, *(len(own.inputs[number]) for number in block)])
    mentions = np.flatnonzero(np.isin(own.pairs.home, block))
    before = begins[[block.index(home) for home in own.pairs.home[mentions]]]
    spans = np.column_stack([own.pairs.mentions.kind[mentions], own.ends[mentions] + before[:, None]])
    reader = AcrossModel(across).reader
    assert reader is not None
    read = marked_row([own.inputs[number] for number in block], spans)
    vectors = reader.pairs.vectors(*reader.states(read, spans[:, 1], spans[:, 2]))
    pairs = RowPairs(*(np.searchsorted(mentions, side[rows]) for side in own.pairs.pairs))
    features = own.pairs.features[rows].astype(np.float32)
    ours = reader.pairs.odds(vectors, spans[:, 0], features, pairs)
    np.testing.assert_allclose(ours, odds[rows], atol=1e-4)


def test_a_trained_folder_resolves_with_its_reader(across: Path) -> None:
    facts = json.loads((across / "across.json").read_text())
    assert {*facts} == {"events", "entities", "all", "reader"}
    assert facts["reader"]["most"] in (256, 384, 512)
    assert (across / "reader.onnx").exists()
    assert AcrossModel(across).reader is not None


def test_in_eight_bits_where_the_encoder_is(folder: Path, tmp_path: Path) -> None:
    export_model(folder, tmp_path / "small", int8=True)
    for source in (folder, tmp_path / "small"):
        learn_to_read(three_topics(["quake"]), Model(source), source, tmp_path / source.name, QUICK)
    sizes = [(tmp_path / source / "reader.safetensors").stat().st_size for source in ("small", "model")]
    assert sizes[0] < sizes[1]


def run(*words: object) -> Any:
    return CliRunner().invoke(main, [*map(str, words)])


def test_by_commands_with_a_reader_and_without(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across_training, "SPANS_PER_WORD", (0.4,))  # others take time
    monkeypatch.setattr(reader_learning, "ReaderSettings", partial(ReaderSettings, steps=2, subwords=100))
    train, dev = (
        write_topics(tmp_path / "train.jsonl", ["quake"]),
        write_topics(tmp_path / "dev.jsonl", ["strike"]),
    )
    words = (
        "train",
        train,
        "--dev",
        dev,
        "--resolver",
        "across",
        "--encoder",
        folder,
        "--epochs",
        2,
        "--device",
        "cpu",
        "-o",
    )
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "reader.onnx").write_text("of an earlier training")
    told = run(*words, tmp_path / "plain", "--no-reader")
    assert told.exit_code == 0, told.output
    assert "reader" not in json.loads((tmp_path / "plain" / "across.json").read_text())
    assert not (tmp_path / "plain" / "reader.onnx").exists()
    told = run(*words, tmp_path / "reading")
    assert told.exit_code == 0, told.output
    gold = ("--mentions", "gold")
    settings_file = tmp_path / "reading" / "across.json"
    facts = json.loads(settings_file.read_text())
    settings_file.write_text(json.dumps(facts | {"reader": {"most": 9, "near": 8}}))
    told = run("tune", tmp_path / "reading", "--resolver", "across", "--dev", dev, "--kind", "events", *gold)
    assert json.loads(settings_file.read_text())["reader"]["most"] == 9  # it is one for all kinds
    told = run("tune", tmp_path / "reading", "--resolver", "across", "--dev", dev, *gold)
    assert "reader: rows of 256 subwords" in told.output  # here all rows are shorter: the least is as good
    assert json.loads(settings_file.read_text())["reader"] == {"most": 256, "near": 8}


def test_an_encoder_without_lower_states_gets_no_reader(folder: Path, tmp_path: Path) -> None:
    old = Path(shutil.copytree(folder, tmp_path / "old"))
    about = json.loads((old / "model.json").read_text())
    del about["lower"]
    (old / "model.json").write_text(json.dumps(about))
    train, dev = (
        write_topics(tmp_path / "train.jsonl", ["quake"]),
        write_topics(tmp_path / "dev.jsonl", ["strike"]),
    )
    told = run(
        "train",
        train,
        "--dev",
        dev,
        "--resolver",
        "across",
        "--encoder",
        old,
        "--epochs",
        1,
        "-o",
        tmp_path / "new",
    )
    assert told.exit_code == 0, told.output
    assert "its encoder gives no lower states, so there is no reader" in told.output
    assert not (tmp_path / "new" / "reader.onnx").exists()
