"""Blocks of cross-document CoNLL are what other scorers take for documents."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee import Protocol, ProtocolError, formats
from referee.cli import main
from referee.matching.units import default_scope, unit_labels
from referee.model import CorpusView, Document, DocumentCorpus, SelectedDocuments


def block(name: str, documents: int, seed: int) -> str:
    """Write a topic of some documents; clusters are drawn for the whole of it."""
    draw = random.Random(seed)
    lines = [f"#begin document {name}"]
    for document in range(documents):
        for word in range(8):
            cell = f"({draw.randrange(4)})" if draw.random() < 0.6 else "-"
            row = (name, f"{name}_s", f"{name}_{document}", "0", str(word), f"w{word}", "True", cell)
            lines.append("\t".join(row))
    return "\n".join([*lines, "#end document", ""])


def plain(text: str) -> str:
    """Keep word and cell: the same blocks, as any other scorer reads them."""
    rows = (line.split("\t") for line in text.splitlines())
    return "".join(f"{row[0]}\n" if len(row) == 1 else f"{row[5]}\t{row[7]}\n" for row in rows)


def files(folder: Path) -> dict[str, Path]:
    paths = {}
    for side in (1, 2):
        text = "".join(block(f"t{topic}", 3, 10 * side + topic) for topic in range(4))
        for kind, content in ((f"crossed{side}", text), (f"plain{side}", plain(text))):
            paths[kind] = folder / f"{kind}.conll"
            paths[kind].write_text(content, encoding="utf-8")
    return paths


def test_a_block_scores_as_one_document(tmp_path: Path) -> None:
    paths = files(tmp_path)
    expected = referee.score(paths["plain1"], paths["plain2"])
    blocks = referee.score(
        paths["crossed1"], paths["crossed2"], protocol=Protocol(scope="block"), metric=[*expected.scores]
    )
    assert blocks.units == expected.units == ["t0", "t1", "t2", "t3"]
    assert len(blocks.scores.keys() & expected.scores.keys()) >= 4  # some are usual across documents only
    for metric in blocks.scores.keys() & expected.scores.keys():
        counts = [list(result.scores[metric].counts.values()) for result in (blocks, expected)]
        assert counts[0] == pytest.approx(counts[1])
    inner = referee.score(paths["crossed1"], paths["crossed2"], protocol=Protocol(scope="document"))
    assert len(inner.units) == 12
    assert inner.conll != pytest.approx(expected.conll)
    assert any("each block is scored as one unit" in notice for notice in blocks.notices)


def test_the_default_scope_is_the_block_where_there_are_blocks(tmp_path: Path) -> None:
    paths = files(tmp_path)
    crossed = formats.read(paths["crossed1"])
    assert default_scope(crossed, Protocol()).scope == "block"
    assert default_scope(CorpusView(crossed), Protocol()).scope == "block"
    assert default_scope(SelectedDocuments(crossed, [0], crossed.ids[:1]), Protocol()).scope == "block"
    assert default_scope(crossed, Protocol(scope="topic")).scope == "topic"
    assert default_scope(formats.read(paths["plain1"]), Protocol()).scope == "document"
    assert default_scope(DocumentCorpus([]), Protocol()).scope == "document"


def test_blocks_are_named_or_refused(tmp_path: Path) -> None:
    crossed = formats.read(files(tmp_path)["crossed1"])
    assert unit_labels(crossed, "block") == [f"t{topic}" for topic in range(4) for _ in range(3)]
    with pytest.raises(ProtocolError, match="has no blocks of documents"):
        unit_labels(DocumentCorpus([Document.of("d", (), (), ())], cross_document=True), "block")


def test_from_python_blocks_are_the_units_unless_a_scope_is_chosen(tmp_path: Path) -> None:
    paths = files(tmp_path)
    expected = referee.score(paths["plain1"], paths["plain2"])
    for protocol in ("conll", "strict", "singletons:keep"):
        scored = referee.score(paths["crossed1"], paths["crossed2"], protocol=protocol)
        assert scored.conll == pytest.approx(expected.conll)
        assert "scope:block" in scored.signature
    for chosen in ("scope:document", Protocol()):
        assert len(referee.score(paths["crossed1"], paths["crossed2"], protocol=chosen).units) == 12


def test_errors_and_data_sets_take_blocks_for_units_too(tmp_path: Path) -> None:
    paths = files(tmp_path)
    key, response = paths["crossed1"], paths["crossed2"]
    assert referee.errors(key, response).units == ["t0", "t1", "t2", "t3"]
    assert len(referee.errors(key, response, protocol="scope:document").units) == 12
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / key.name).write_bytes(response.read_bytes())
    words = ["score", str(key), "--response", str(tmp_path / "runs"), "-f", "json"]
    (result,) = json.loads(CliRunner().invoke(main, words).stdout)["results"]
    assert result["conll"] == pytest.approx(referee.score(paths["plain1"], paths["plain2"]).conll)
