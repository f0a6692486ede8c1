"""A model with a reader, from texts to clusters: what is likely is looked at twice."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.arrays import FloatArray, IntArray
from referee.exceptions import FormatError
from referee.model import Cluster, Document, Mention
from referee.resolvers.across import model as model_module
from referee.resolvers.across.constants import FAINT
from referee.resolvers.across.head import AcrossHead
from referee.resolvers.across.mention_table import MentionTable
from referee.resolvers.across.mentions import MentionArrays
from referee.resolvers.across.model import AcrossModel, ComparedByModel
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.reader import Reader
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.span_words import PARTS, WIDEST_SPAN, all_spans, span_words
from referee.resolvers.neural.running import Model
from referee.training.export.reader import write_reader
from surface_scorer import SurfacePairs, SurfaceScorer, SurfaceStudy
from toy_reader import HEADS, WIDTH, toy_weights

SETTINGS = {
    kind: {"mention_threshold": 0.3, "spans_per_word": 0.5, "threshold": 0.5}
    for kind in ("events", "entities", "all")
}
PLACES, NAMES = ("Arlen", "Berit", "Cosk"), ("quake", "fire", "storm")


class Tables(Model):
    """An encoder of two tables: one for states, one for lower states."""

    def __init__(self, folder: Path | None = None, threads: int = 0) -> None:
        self.tables = dict(
            zip(("states", "lower"), np.random.default_rng(2).normal(size=(2, 97, WIDTH)), strict=True)
        )
        self.special_tokens, self.about = (1, 2, 0), {"width": WIDTH, "lower": 1}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        numbers = np.array([3 + sum(map(ord, word)) % 90 for word in words])
        return numbers, np.repeat(np.arange(numbers.size), 2).reshape(-1, 2)

    def run(self, results: Sequence[str], row: IntArray, kinds: IntArray) -> list[Any]:
        return [self.tables[result][row].astype(np.float32) for result in results]


class ThreeTables(Tables):
    """An encoder that also gives middle states."""

    def __init__(self) -> None:
        super().__init__()
        self.tables["middle"] = np.random.default_rng(3).normal(size=(97, WIDTH))
        self.about["middle"] = 2


def toy_head(beside: int = 1) -> AcrossHead:
    random = np.random.default_rng(9)
    shapes: dict[str, tuple[int, ...]] = {
        "mention.out.weight": (3, 5), "mention.out.bias": (3,), "narrow.weight": (4, 5), "narrow.bias": (4,),
        "shift": (32,), "told.weight": (6, 34), "told.bias": (6,), "kind.weight": (2, 6),
        "sum.weight": (6, 4), "apart.weight": (6, 4), "product.weight": (6, 4), "hidden.weight": (3, 6),
        "hidden.bias": (3,), "out.weight": (1, 3), "out.bias": (1,),
    }  # fmt: skip
    for name, wide in (("mention", beside), ("span", 1)):
        shapes |= {f"{name}.{part}.weight": (5, wide * WIDTH) for part in PARTS}
        shapes |= {f"{name}.width.weight": (WIDEST_SPAN, 5)}
    weights = {name: random.normal(size=shape) * 0.4 for name, shape in shapes.items()}
    return AcrossHead(weights | {"scale": np.ones(32)})


def told() -> list[Document]:
    """Twelve documents of two sentences, each with a place and an event in the first one."""
    documents = []
    for number in range(12):
        words = f"The {NAMES[number % 3]} in {PLACES[number % 2]} was strong . Nobody saw it .".split()
        clusters = [Cluster(str(at), (Mention.at(at, at + 1),)) for at in (1, 3, 7)]
        documents.append(Document.of(str(number), tuple(words), ((0, 7), (7, 11)), tuple(clusters)))
    return documents


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder = tmp_path_factory.mktemp("reader")
    write_reader(toy_weights(), HEADS, folder, int8=True)
    return Reader(folder)


def resolved(model: AcrossModel) -> Sequence[Document]:
    return AcrossResolver(model).resolve(told(), given=True).documents


def threaded(model: AcrossModel, workers: int) -> AcrossModel:
    model.workers = workers
    return model


def test_a_reader_changes_what_is_likely_the_same(reader: Reader) -> None:
    plain = AcrossModel.of(Tables(), [toy_head()], SETTINGS)
    reading = AcrossModel.of(Tables(), [toy_head()], SETTINGS, reader)
    assert resolved(plain) != resolved(reading)
    untold = AcrossModel.of(Tables(), [toy_head()], {**SETTINGS, "reader": {"most": 13, "near": 1}}, reader)
    assert resolved(untold) != resolved(reading)  # few rows are read, all of one passage


def test_threads_do_not_change_the_result(reader: Reader) -> None:
    reading = AcrossModel.of(Tables(), [toy_head()], SETTINGS, reader)
    once = resolved(reading)
    reading.workers = 2
    assert resolved(reading) == once


@pytest.mark.parametrize("reads", [True, False])
def test_a_wide_head_finds_mentions_by_the_states_of_three_layers(reader: Reader, reads: bool) -> None:
    """Pairs are compared by the last states alone, so that given mentions are linked as before."""
    encoder, head = ThreeTables(), toy_head(3)
    model = AcrossModel.of(encoder, [head], SETTINGS, reader if reads else None)
    document = told()[0]
    studied = model.study([document], [document.words])
    seen = studied.mentions(0, "events", document.mentions)
    rows = encoder.cut(document.words)[0]
    tables = [encoder.tables[name][rows].astype(np.float32) for name in ("lower", "middle", "states")]
    first = np.array([mention.start for mention in document.mentions])
    odds = head.mention_odds(np.concatenate(tables, 1), span_words(document.text, first, first))
    np.testing.assert_allclose(seen.score, np.exp(odds[:, 1]), rtol=1e-5)
    narrow = AcrossModel.of(Tables(), [toy_head()], SETTINGS)
    fewer = narrow.study([document], [document.words]).mentions(0, "events", document.mentions)
    assert (seen.vector[:, : 2 * WIDTH] == fewer.vector[:, : 2 * WIDTH]).all()
    found = studied.mentions(0, "events")
    spans = all_spans(document.text)
    likely = np.exp(head.mention_odds(np.concatenate(tables, 1), spans)[:, 1])
    assert found.score.max() == pytest.approx(likely.max(), rel=1e-5)
    empty = Document.of("none", (), (), ())
    assert model.study([empty], [()]).mentions(0, "events").size == 0


def test_a_wide_head_needs_an_encoder_that_gives_middle_states() -> None:
    with pytest.raises(FormatError, match="states that its encoder does not output"):
        AcrossModel.of(Tables(), [toy_head(3)], SETTINGS)


def test_a_large_group_has_the_same_clusters_with_any_number_of_threads(reader: Reader) -> None:
    reading = AcrossModel.of(Tables(), [toy_head()], SETTINGS, reader)
    once, twice = (
        AcrossResolver(threaded(reading, workers), together=4).resolve(told(), given=True).documents
        for workers in (1, 2)
    )
    assert once == twice
    assert any(cluster.mentions for each in once for cluster in each.clusters)


def test_cosines_are_looked_up_where_all_are_there_and_else_multiplied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = AcrossModel.of(Tables(), [toy_head(), toy_head()], SETTINGS)
    documents = told()
    studied = model.study(documents, [document.words for document in documents])
    table = MentionTable.of(studied, "all", given=True)
    chance = np.random.default_rng(3)
    every = all_pairs(table.size)
    some = np.flatnonzero(chance.random(every.size) < 0.8)
    pairs = RowPairs(every.first[some], every.second[some])
    looked_up = studied.compare(table.arrays).scores(pairs)
    for name, value in (("DENSE", -(10**9)), ("IN_CACHE", 100), ("IN_FAST_CACHE", 7)):
        monkeypatch.setattr(model_module, name, value)
    assert studied.compare(table.arrays).scores(pairs) == pytest.approx(looked_up, abs=1e-5)


def test_features_are_the_same_when_they_are_needed_again(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(ComparedByModel):
        def scores(self, pairs: RowPairs) -> FloatArray:
            odds = super().scores(pairs)
            self._asked_last = self._asked_last[0][:1], self._asked_last[1][:1]
            return odds

    model = AcrossModel.of(Tables(), [toy_head()], SETTINGS, reader)
    remembering = resolved(model)
    monkeypatch.setattr(model_module, "ComparedByModel", Forgetful)
    assert resolved(model) == remembering


def test_a_folder_without_a_reader_or_without_lower_states_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.numpy import save_file

    monkeypatch.setattr(model_module, "Encoder", Tables)
    save_file({f"0/{name}": part for name, part in toy_head().w.items()}, tmp_path / "across.safetensors")
    (tmp_path / "across.json").write_text(json.dumps(SETTINGS))
    assert AcrossModel(tmp_path).reader is None
    plain = resolved(AcrossModel(tmp_path))
    assert plain == resolved(AcrossModel.of(Tables(), [toy_head()], SETTINGS))
    write_reader(toy_weights(), HEADS, tmp_path, int8=False)
    assert AcrossModel(tmp_path, 2).reader is not None
    assert resolved(AcrossModel(tmp_path, 2)) != plain

    class Old(Tables):
        def __init__(self, folder: Path, threads: int) -> None:
            super().__init__()
            del self.about["lower"]

    monkeypatch.setattr(model_module, "Encoder", Old)
    assert AcrossModel(tmp_path).reader is None


@pytest.mark.parametrize("broken", ["across.json", "across.safetensors", "reader.onnx", "reader.safetensors"])
def test_a_folder_with_a_broken_file_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    from safetensors.numpy import save_file

    monkeypatch.setattr(model_module, "Encoder", Tables)
    save_file({f"0/{name}": part for name, part in toy_head().w.items()}, tmp_path / "across.safetensors")
    (tmp_path / "across.json").write_text(json.dumps(SETTINGS))
    write_reader(toy_weights(), HEADS, tmp_path, int8=False)
    (tmp_path / broken).write_bytes(b"{ broken")
    with pytest.raises(FormatError, match=re.escape(str(tmp_path))):
        AcrossModel(tmp_path)


class Rereader(SurfaceScorer):
    """Finds on the second look that nothing is the same."""

    def __init__(self) -> None:
        self.seen: list[FloatArray] = []

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> SurfaceStudy:
        return RereadStudy(documents, self.seen)


class RereadStudy(SurfaceStudy):
    def __init__(self, documents: Sequence[Document], seen: list[FloatArray]) -> None:
        super().__init__(documents)
        self.seen = seen

    def compare(self, mentions: MentionArrays) -> SurfacePairs:
        return RereadPairs(mentions, self.seen)


class RereadPairs(SurfacePairs):
    def __init__(self, mentions: MentionArrays, seen: list[FloatArray]) -> None:
        super().__init__(mentions)
        self.seen = seen

    def second_look(self, pairs: RowPairs, odds: FloatArray, *_: object) -> FloatArray:
        assert (np.diff(pairs.first * self.mentions.size + pairs.second) > 0).all()
        self.seen.append(odds)
        return np.full(odds.size, -9.0)


@pytest.mark.parametrize("together", [2000, 4])
def test_a_second_look_is_for_pairs_that_are_not_quite_unlikely(together: int) -> None:
    before = AcrossResolver(SurfaceScorer(), together=together).resolve(told(), given=True).documents
    assert len({cluster.id for each in before for cluster in each.clusters}) < 20
    scorer = Rereader()
    after = AcrossResolver(scorer, together=together).resolve(told(), given=True).documents
    assert len({cluster.id for each in after for cluster in each.clusters}) == 36
    odds = np.concatenate(scorer.seen)
    assert odds.size > 10
    assert (1 / (1 + np.exp(-odds)) >= FAINT).all()
