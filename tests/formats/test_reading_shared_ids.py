"""Cluster ids that hold in all documents, in formats that cannot say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given

import referee
from referee import Protocol, formats, score
from referee.cli import main
from referee.exceptions import ProtocolError
from referee.formats.reading import SharedIdCorpus, with_shared_ids
from referee.model import DocumentCorpus
from small_corpora import DOCUMENTS, Clusters, corpus, crossing_clusters

FIRST = "#begin document a\nThey\t(12)\nwon\t(5\nit\t5)\n#end document\n"
SECOND = "#begin document b\nThe\t(5\nvictory\t5)\nof\t-\nothers\t(9)\n#end document\n"
KEY = FIRST + SECOND


def put(folder: Path, words: str = KEY, name: str = "key.conll") -> str:
    (folder / name).write_text(words, encoding="utf-8")
    return str(folder / name)


def test_a_cluster_of_one_id_is_joined(tmp_path: Path) -> None:
    path = put(tmp_path)
    assert not formats.read(path).cross_document
    read = formats.read(path, ids="corpus")
    assert read.cross_document
    entity = read.chains([0, 1]).entity
    assert entity is not None
    assert entity.tolist() == [0, 1, 1, 2]
    assert list(read) == list(formats.read(path))
    assert read.location(1, 1) == f"{path}:8"


def test_ids_hold_across_files(tmp_path: Path) -> None:
    put(tmp_path, FIRST, "a.conll")
    put(tmp_path, SECOND, "b.conll")
    read = formats.read(tmp_path, ids="corpus")
    result = score(read, read, protocol=Protocol(scope="corpus", ids="corpus"), metric=("links",))
    assert result.counts["links"][0].tolist()[:1] == [1]


def test_a_corpus_that_says_it_itself_stays_as_it_is() -> None:
    made = corpus({"a": [("1_ecb_1", 0)]}, DOCUMENTS)
    assert with_shared_ids(made, "corpus") is made
    plain = DocumentCorpus(made.documents)
    assert with_shared_ids(plain, "document") is plain


def test_only_two_values_exist(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="ids must be document or corpus, not 'all'"):
        formats.read(put(tmp_path), ids="all")
    with pytest.raises(ProtocolError, match="ids must be document or corpus"):
        Protocol(ids="all")


def test_the_key_needs_it_for_a_scope_and_the_signature_has_it(tmp_path: Path) -> None:
    path = put(tmp_path)
    with pytest.raises(ProtocolError, match="give ids='corpus' if its ids hold in all documents"):
        referee.score(path, path, protocol="scope:corpus")
    result = referee.score(path, path, protocol="scope:corpus|ids:corpus", metric=("muc", "links"))
    assert "|ids:corpus|" in result.signature
    assert Protocol.parse(result.signature).ids == "corpus"
    assert result.links.f1 == 1.0
    assert "ids:" not in Protocol(scope="corpus").signature


def test_documents_and_corpora_from_python_are_joined_too(tmp_path: Path) -> None:
    path = put(tmp_path)
    read = formats.read(path)
    chosen = Protocol(scope="corpus", ids="corpus")
    by_path = referee.score(path, path, protocol=chosen).counts["muc"].tolist()
    assert referee.score(read, read, protocol=chosen).counts["muc"].tolist() == by_path
    assert referee.score(list(read), list(read), protocol=chosen).counts["muc"].tolist() == by_path


@given(crossing_clusters())
def test_scores_are_those_of_a_cross_document_corpus(clusters: Clusters) -> None:
    made = corpus(clusters, DOCUMENTS)
    shared = SharedIdCorpus(DocumentCorpus(made.documents))
    for scope in ("topic", "corpus"):
        counts = [score(key, made, protocol=Protocol(scope=scope)).counts for key in (made, shared)]
        assert all((counts[0][name] == counts[1][name]).all() for name in counts[0])


DOUBT = "every document numbers its clusters from the start"


@pytest.mark.parametrize(
    ("first", "second", "doubted"),
    [
        (("0", "1"), ("0",), True),
        (("1", "2"), ("1",), True),
        (("1", "3"), ("1",), False),
        (("0",), (), False),
    ],
)
def test_ids_that_count_from_the_beginning_are_doubted(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], doubted: bool
) -> None:
    blocks = [
        f"#begin document {name}\n" + "".join(f"w\t({id_})\n" for id_ in ids) + "x\t-\n#end document\n"
        for name, ids in (("a", first), ("b", second))
    ]
    notices = formats.read(put(tmp_path, "".join(blocks)), ids="corpus").notices
    assert any(DOUBT in notice for notice in notices) == doubted


def test_notices_about_the_files_are_kept(tmp_path: Path) -> None:
    stray = KEY.replace("of\t-", "of\tx")
    read = formats.read(put(tmp_path, stray), ids="corpus")
    assert any("'x' is not a coreference annotation" in notice for notice in read.notices)


def test_every_command_takes_it(tmp_path: Path) -> None:
    key, runner = put(tmp_path), CliRunner()
    response = put(tmp_path, KEY.replace("(5\nvic", "(7\nvic").replace("y\t5)", "y\t7)"), "response.conll")
    across = ["--scope", "corpus", "--ids", "corpus"]
    scored = runner.invoke(main, ["score", key, response, *across, "-f", "json"])
    assert scored.exit_code == 0, scored.output
    assert "ids:corpus" in scored.output
    for command in (["compare", key, response, key], ["errors", key, response]):
        done = runner.invoke(main, [*command, *across, "-q"])
        assert done.exit_code == 0, done.output
    page = str(tmp_path / "page.html")
    assert runner.invoke(main, ["report", key, response, *across, "-o", page]).exit_code == 0
    made = str(tmp_path / "made.jsonl")
    assert runner.invoke(main, ["convert", key, made, "--ids", "corpus"]).exit_code == 0
    assert json.loads(Path(made).read_text(encoding="utf-8"))["mentions"][1] == ["a", 1, 2, "5"]
    counted = runner.invoke(main, ["stats", key, "--ids", "corpus", "-f", "csv"])
    assert counted.exit_code == 0
    assert counted.output != runner.invoke(main, ["stats", key, "-f", "csv"]).output
    linked = ["baseline", "one-cluster", key, "-o", str(tmp_path / "b.conll"), "--ids", "corpus"]
    assert runner.invoke(main, linked).exit_code == 0
    assert formats.read(tmp_path / "b.conll").cross_document
