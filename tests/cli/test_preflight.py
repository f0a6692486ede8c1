"""What the pre-flight finds is a notice wherever something is scored, and repaired on request."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee import Protocol
from referee.cli import main
from referee.model import Cluster, Document, DocumentCorpus, Mention

WORDS = 1_000


def written(path: Path, name: str, cells: dict[int, str]) -> str:
    rows = [f"{name} 0 {place} w{place} {cells.get(place, '-')}" for place in range(WORDS)]
    path.write_text("\n".join([f"#begin document {name}", *rows, "", "#end document", ""]))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A key without singletons, and a response that has them."""
    pairs = {place: f"({place % 150})" for place in range(300)}
    more = {place: f"({place})" for place in range(400, 500)}
    key = written(tmp_path / "key.conll", "(a/doc); part 000", pairs)
    return key, written(tmp_path / "response.conll", "(a/doc); part 000", pairs | more)


def test_score_says_what_differs(files: tuple[str, str]) -> None:
    result = referee.score(*files)
    (notice,) = [each for each in result.notices if "CONVENTION" in each]
    assert "(singletons)" in notice
    assert "0.0 % in the key, 40.0 % in the response; give singletons='drop'" in notice
    assert not [each for each in referee.score(*files, singletons="drop").notices if "CONVENTION" in each]


def test_repair_says_so_in_the_signature(files: tuple[str, str]) -> None:
    assert referee.score(*files).conll < 1
    result = referee.score(*files, repair=True)
    assert result.conll == 1
    assert {"singletons:drop", "repair:yes"} <= {*result.signature.split("|")}
    assert any("REPAIRED (singletons)" in notice for notice in result.notices)
    assert referee.score(*files, protocol=result.signature).conll == 1


@pytest.mark.parametrize("command", ["score", "compare", "errors"])
def test_commands_say_it_in_text_and_json(command: str, files: tuple[str, str]) -> None:
    key, response = files
    responses = [response, key] if command == "compare" else [response]
    said = CliRunner().invoke(main, [command, key, *responses, "--format", "json"])
    assert "CONVENTION" in said.stderr
    assert "give --singletons drop" in said.stderr
    assert any("(singletons)" in notice for notice in json.loads(said.stdout)["notices"])
    said = CliRunner().invoke(main, [command, key, *responses, "--format", "json", "--repair"])
    assert any("REPAIRED (singletons)" in notice for notice in json.loads(said.stdout)["notices"])


def test_the_report_says_it(files: tuple[str, str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert "CONVENTION" in CliRunner().invoke(main, ["report", *files, "-o", str(page)]).stderr
    assert "REPAIRED" in CliRunner().invoke(main, ["report", *files, "-o", str(page), "--repair"]).stderr


def test_names_are_repaired(tmp_path: Path) -> None:
    cells = {place: f"({place % 5})" for place in range(50)}
    key = written(tmp_path / "key.conll", "(a/Doc); part 000", cells)
    response = written(tmp_path / "response.conll", "out/doc.conll", cells)
    result = referee.score(key, response)
    assert result.conll == 0
    assert any("(names)" in notice for notice in result.notices)
    assert referee.score(key, response, repair=True).conll == 1


def test_offsets_are_repaired() -> None:
    words = [f"w{number}" for number in range(900)]
    spans = [((3 * n, 3 * n + 2), (3 * n + 450, 3 * n + 451)) for n in range(140)]
    clusters = [Cluster(str(n), tuple(Mention.at(*span) for span in pair)) for n, pair in enumerate(spans)]
    key = Document.of("d", words, [(0, 900)], clusters)
    shifted = replace(key, clusters=tuple(
        Cluster(c.id, tuple(Mention.at(m.start + 1, m.end + 1) for m in c.mentions)) for c in key.clusters
    ))  # fmt: skip
    assert referee.score(key, shifted).conll < 0.1
    result = referee.score(key, shifted, repair=True)
    assert result.conll == 1
    assert "repair:yes" in result.signature
    assert any("REPAIRED (offsets)" in notice for notice in result.notices)


def test_systems_that_are_compared_are_repaired_alike(files: tuple[str, str]) -> None:
    key, response = files
    results = referee.score(key, response, key, repair=True)
    assert len({each.signature for each in results}) == 1


def test_other_words_are_said_and_shown(tmp_path: Path) -> None:
    cells = {place: f"({place % 5})" for place in range(50)}
    key = written(tmp_path / "key.conll", "doc", cells)
    response = Path(written(tmp_path / "response.conll", "doc", cells))
    response.write_text(response.read_text().replace(" w", " other"))
    notices = referee.score(key, str(response)).notices
    assert any("1000 of 1000 words" in notice and "'other0' for 'w0'" in notice for notice in notices)


@pytest.mark.parametrize(("topic", "scope"), [("1", "topic"), (None, "corpus")])
def test_a_cross_document_key_has_its_protocol_with_a_note(topic: str | None, scope: str) -> None:
    mentions = [Cluster("c", (Mention.at(0, 1),))]
    texts = [Document.of(name, ("a", "b"), [(0, 2)], mentions, topic=topic) for name in ("one", "two")]
    key = DocumentCorpus(texts, "key", cross_document=True)
    made = referee.score(key, key)
    assert made.protocol == replace(Protocol.parse("crossdoc"), scope=scope)
    assert len(made.units) == 1
    assert any("its clusters span documents, so it is scored by" in notice for notice in made.notices)
    assert referee.score(key, key, singletons="keep").protocol.singletons == "keep"
    chosen = [referee.score(key, key, scope="document"), referee.score(key, key, protocol="conll")]
    for one in chosen:
        assert one.protocol.scope == "document"
        assert not any("clusters span documents" in notice for notice in one.notices)


def test_one_document_of_a_cross_document_key_is_scored_by_itself() -> None:
    text = Document.of("one", ("a", "b"), [(0, 2)], [Cluster("c", (Mention.at(0, 1),))])
    key = DocumentCorpus([text], "key", cross_document=True)
    assert referee.score(key, key).protocol.scope == "document"
