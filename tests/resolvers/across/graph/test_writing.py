"""Graphs are read back by the readers that people use: networkx, pandas, rdflib, csv, json."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import networkx
import pandas as pd
import pytest
import rdflib

from referee.exceptions import ProtocolError, SettingError
from referee.model import Cluster, Document, Mention
from referee.resolvers.across.graph.graph import LinkGraph
from referee.resolvers.resolved import Resolved, ResolvedTexts

SCHEMA = rdflib.Namespace("https://schema.org/")
OURS = rdflib.Namespace("urn:referee:")


def documents() -> list[Document]:
    """Make two texts: who fired whom, in words that XML, CSV and JSON have to escape."""
    one = Document.of(
        "a <b>",
        ["Acme", "&", '"Sons"', *"fired Ann , Lee on Monday .".split()],  # noqa: SIM905
        [(0, 9)],
        [
            Cluster("1", (Mention(((0, 3),), score=0.5),), "entity"),
            Cluster("2", (Mention.at(3, 4),), "event"),
            Cluster("3", (Mention.at(4, 7),), "entity"),
            Cluster("4", (Mention.at(8, 9),), "entity"),
        ],
    )
    other = Document.of(
        "b;c",
        ["She", "was", "dismissed", ".", "Ann", ",", "Lee", "wept", "."],
        [(0, 4), (4, 9)],
        [
            Cluster("2", (Mention.at(2, 3),), "event"),
            Cluster("3", (Mention.at(0, 1), Mention.at(4, 7)), "entity"),
        ],
    )
    return [one, other]


@pytest.fixture
def graph() -> LinkGraph:
    return LinkGraph.of(documents())


NAME = 'Acme & "Sons" fired Ann , Lee'


def test_the_graph_says_who_did_what_to_whom_and_when(graph: LinkGraph) -> None:
    assert {(edge.event, edge.role, edge.entity) for edge in graph.edges} == {
        ("2", "who", "1"),
        ("2", "whom", "3"),
        ("2", "when", "4"),
    }
    (event,) = (node for node in graph.nodes if node.kind == "event")
    assert (event.name, event.names, event.texts) == (NAME, ("fired", "dismissed"), ["a <b>", "b;c"])
    assert graph.roles_of("2") == {"who": ["1"], "whom": ["3"], "when": ["4"]}


def test_networkx_reads_graphml(graph: LinkGraph, tmp_path: Path) -> None:
    path = tmp_path / "g.graphml"
    assert graph.write(path) == [str(path)]
    read = networkx.read_graphml(path)
    assert read.nodes["event:2"]["name"] == NAME
    assert json.loads(read.nodes["entity:3"]["names"]) == ["Ann , Lee", "She"]
    assert read.edges["event:2", "entity:3"] == {
        "role": "whom",
        "count": 2,
        "sources": json.dumps(
            [
                {"text": "a <b>", "event": [3, 4], "entity": [4, 7]},
                {"text": "b;c", "event": [2, 3], "entity": [0, 1]},
            ]
        ),
    }
    assert read.edges["entity:3", "text:b;c"]["count"] == 2
    assert read.nodes["entity:1"]["mentions"] == 1
    assert len(read) == 4 + 2


def test_pandas_reads_tables_and_neo4j_finds_its_headers(graph: LinkGraph, tmp_path: Path) -> None:
    written = graph.write(tmp_path / "g.csv")
    assert [Path(name).name for name in written] == ["g.nodes.csv", "g.edges.csv", "g.csv"]
    mentions, nodes, edges = (pd.read_csv(tmp_path / f"g{part}.csv") for part in ("", ".nodes", ".edges"))
    assert mentions[["entity", "text", "first_word", "end_word", "said"]].to_numpy().tolist() == [
        [int(node.id), source.text, *source.words, source.said]
        for node in graph.nodes
        for source in node.sources
    ]
    assert {"id:ID", ":LABEL"} <= {*nodes.columns}
    assert {":START_ID", ":END_ID", ":TYPE"} <= {*edges.columns}
    assert {*edges[":START_ID"], *edges[":END_ID"]} <= {*nodes["id:ID"]}
    assert {*edges[":TYPE"]} == {"WHO", "WHOM", "WHEN", "MENTIONED_IN"}
    with (tmp_path / "g.csv").open(encoding="utf-8", newline="") as file:
        assert next(row["said"] for row in csv.DictReader(file) if row["entity"] == "1") == 'Acme & "Sons"'


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # of rdflib's own parser
def test_rdflib_reads_json_ld(graph: LinkGraph, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonld"
    graph.write(path)
    read = rdflib.Graph().parse(path, format="json-ld")
    (event,) = read.subjects(rdflib.RDF.type, SCHEMA.Event)
    assert str(read.value(event, SCHEMA.name)) == NAME
    assert [str(read.value(who, SCHEMA.name)) for who in read.objects(event, SCHEMA.agent)] == [
        'Acme & "Sons"'
    ]
    assert {str(read.value(whom, SCHEMA.name)) for whom in read.objects(event, SCHEMA.object)} == {
        "Ann , Lee"
    }
    (when,) = read.objects(event, OURS.when)
    assert str(read.value(when, SCHEMA.name)) == "Monday"
    texts = {
        str(read.value(text, SCHEMA.name)) for text in read.subjects(rdflib.RDF.type, SCHEMA.CreativeWork)
    }
    assert texts == {"a <b>", "b;c"}
    places = {
        str(read.value(read.value(mention, OURS.text), SCHEMA.name))
        for mention in read.objects(event, OURS.mention)
    }
    assert places == texts


def test_lines_have_an_entity_each(graph: LinkGraph, tmp_path: Path) -> None:
    path = tmp_path / "g.entities.jsonl"
    graph.write(path)
    frame = pd.read_json(path, lines=True)
    assert frame["name"].tolist() == [node.name for node in graph.nodes]
    event = next(json.loads(line) for line in path.read_text("utf-8").splitlines() if '"event"' in line)
    assert event["roles"] == {"who": ["1"], "whom": ["3"], "when": ["4"]}


def test_what_no_file_may_hold_is_replaced_and_said(tmp_path: Path) -> None:
    odd = Document.of("d", ["a\x00b\ud800"], [(0, 1)], [Cluster("1", (Mention.at(0, 1),), "entity")])
    graph = LinkGraph.of([odd])
    assert graph.nodes[0].name == "a\ufffdb\ufffd"
    assert any("characters that are not text" in notice for notice in graph.notices)
    for ending in ("graphml", "csv", "jsonld", "entities.jsonl"):
        graph.write(tmp_path / f"g.{ending}")
    assert networkx.read_graphml(tmp_path / "g.graphml").nodes["entity:1"]["name"] == "a\ufffdb\ufffd"


def test_without_events_it_is_said_that_there_are_no_roles() -> None:
    alone = Document.of("d", ["Ann"], [(0, 1)], [Cluster("1", (Mention.at(0, 1),), "entity")])
    assert "no events were linked" in LinkGraph.of([alone]).notices[0]


def test_a_graph_of_nothing_is_written(tmp_path: Path) -> None:
    LinkGraph.of([Document.of("d", ["Ann"], [(0, 1)], [])]).write(tmp_path / "g.graphml")
    assert [*networkx.read_graphml(tmp_path / "g.graphml")] == ["text:d"]


def test_formats_that_there_are_not_are_refused(graph: LinkGraph, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="says no format of graphs"):
        graph.write(tmp_path / "g.gml")
    with pytest.raises(SettingError, match="three files"):
        graph.write("-", "csv")


def test_linked_texts_have_a_graph_and_others_refuse(graph: LinkGraph) -> None:
    linked = ResolvedTexts([Resolved(each) for each in documents()], linked=True)
    assert linked.graph == graph
    with pytest.raises(ProtocolError, match=r"referee\.link"):
        _ = ResolvedTexts([Resolved(each) for each in documents()]).graph
