"""Writes graphs: GraphML, tables (CSV) as Neo4j and pandas read them, JSON-LD, and JSON lines of entities."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from referee.exceptions import SettingError, did_you_mean
from referee.formats.io.opening import STDIN
from referee.formats.io.saving import save
from referee.resolvers.across import EVENT
from referee.resolvers.across.graph.graph import LinkGraph, Node, Source

MENTIONED_IN = "mentioned_in"
TEXT = "text"
Contents = dict[str, str]  # ending → content; the one without an ending is the file that was named


class GraphFormat(NamedTuple):
    """A way to write graphs."""

    label: str
    suffix: str
    contents: Callable[[LinkGraph], Contents]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _graphml(graph: LinkGraph) -> Contents:
    """Write nodes and edges; attributes of GraphML are single values, so that lists are JSON in a string."""
    keys = [
        ("node", "kind", "string"), ("node", "name", "string"), ("node", "names", "string"),
        ("node", "mentions", "int"), ("node", "sources", "string"),
        ("edge", "role", "string"), ("edge", "count", "int"), ("edge", "sources", "string"),
    ]  # fmt: skip
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    lines += [
        f'<key id="{what}-{name}" for="{what}" attr.name="{name}" attr.type="{kind}"/>'
        for what, name, kind in keys
    ]
    lines += ['<graph id="linked" edgedefault="directed">']
    for row in _node_rows(graph):
        lines.append(_xml("node", f"id={quoteattr(row.pop('id'))}", row))
    for row in _edge_rows(graph):
        ends = f"source={quoteattr(row.pop('source'))} target={quoteattr(row.pop('target'))}"
        lines.append(_xml("edge", ends, row))
    return {"": "\n".join([*lines, "</graph>", "</graphml>", ""])}


def _xml(element: str, attributes: str, row: dict[str, Any]) -> str:
    data = "".join(f'<data key="{element}-{name}">{escape(str(value))}</data>' for name, value in row.items())
    return f"<{element} {attributes}>{data}</{element}>"


def _node_rows(graph: LinkGraph) -> Iterator[dict[str, Any]]:
    """List entities and events, and the texts that mention them."""
    for node in graph.nodes:
        yield {
            "id": f"{node.kind}:{node.id}", "kind": node.kind, "name": node.name, "names": _json(node.names),
            "mentions": len(node.sources), "sources": _json([source.to_dict() for source in node.sources]),
        }  # fmt: skip
    for text in graph.texts:
        yield {
            "id": f"{TEXT}:{text}", "kind": TEXT, "name": text, "names": "[]", "mentions": 0, "sources": "[]",
        }  # fmt: skip


def _edge_rows(graph: LinkGraph) -> Iterator[dict[str, Any]]:
    """List the roles of entities, and which text mentions what, how often and where."""
    ids = {node.id: f"{node.kind}:{node.id}" for node in graph.nodes}
    for edge in graph.edges:
        yield {
            "source": ids[edge.event], "target": ids[edge.entity], "role": edge.role,
            "count": len(edge.sources), "sources": _json(edge.to_dict()["sources"]),
        }  # fmt: skip
    for node in graph.nodes:
        for text in node.texts:
            spans = [list(source.words) for source in node.sources if source.text == text]
            yield {
                "source": ids[node.id], "target": f"{TEXT}:{text}", "role": MENTIONED_IN,
                "count": len(spans), "sources": _json(spans),
            }  # fmt: skip


def _tables(graph: LinkGraph) -> Contents:
    """Write one table of mentions, and the two that neo4j-admin imports, with its headers."""
    mentions = [
        [node.id, node.kind, node.name, *_place(source), source.said, source.sentence, source.score]
        for node in graph.nodes
        for source in node.sources
    ]
    head = "entity kind name text first_word end_word first_character end_character said sentence score"
    nodes = [[*row.values(), row["kind"].capitalize()] for row in _node_rows(graph)]
    edges = [
        [row["source"], row["target"], row["role"].upper(), row["count"], row["sources"]]
        for row in _edge_rows(graph)
    ]
    return {
        ".nodes.csv": _table(["id:ID", "kind", "name", "names", "mentions:int", "sources", ":LABEL"], nodes),
        ".edges.csv": _table([":START_ID", ":END_ID", ":TYPE", "count:int", "sources"], edges),
        "": _table(head.split(), mentions),
    }


def _place(source: Source) -> list[Any]:
    return [source.text, *source.words, *(source.characters or ("", ""))]


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return file.getvalue()


_SCHEMA = "https://schema.org/"
_OURS = "urn:referee:"
CONTEXT = {
    "schema": _SCHEMA,
    "referee": _OURS,
    "name": "schema:name",
    "names": {"@id": "schema:alternateName", "@container": "@set"},
    "who": {"@id": "schema:agent", "@type": "@id", "@container": "@set"},
    "whom": {"@id": "schema:object", "@type": "@id", "@container": "@set"},
    "with": {"@id": "schema:participant", "@type": "@id", "@container": "@set"},
    "where": {"@id": "schema:location", "@type": "@id", "@container": "@set"},
    "when": {"@id": "referee:when", "@type": "@id", "@container": "@set"},
    "beside": {"@id": "referee:beside", "@type": "@id", "@container": "@set"},
    "mentions": {"@id": "referee:mention", "@container": "@set"},
    "text": {"@id": "referee:text", "@type": "@id"},
    "said": "referee:said",
    "firstWord": "referee:firstWord",
    "endWord": "referee:endWord",
    "firstCharacter": "referee:firstCharacter",
    "endCharacter": "referee:endCharacter",
    "score": "referee:score",
}


def _jsonld(graph: LinkGraph) -> Contents:
    """Write JSON-LD with terms of schema.org, and terms of our own (`urn:referee:`) for what it lacks."""
    ids = {node.id: _iri(node.kind, node.id) for node in graph.nodes}
    things: list[dict[str, Any]] = []
    found = _roles_by_event(graph)
    for node in graph.nodes:
        thing = {
            "@id": ids[node.id], "@type": _type(node), "name": node.name, "names": list(node.names),
        }  # fmt: skip
        thing |= {role: [ids[entity] for entity in some] for role, some in found.get(node.id, {}).items()}
        things.append(thing | {"mentions": [_mention(source) for source in node.sources]})
    texts = [{"@id": _iri(TEXT, text), "@type": "schema:CreativeWork", "name": text} for text in graph.texts]
    value = {"@context": CONTEXT, "@graph": [*things, *texts]}
    return {"": json.dumps(value, ensure_ascii=False, indent=1) + "\n"}


def _roles_by_event(graph: LinkGraph) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for edge in graph.edges:
        found.setdefault(edge.event, {}).setdefault(edge.role, []).append(edge.entity)
    return found


def _iri(kind: str, name: str) -> str:
    return f"#{quote(f'{kind}-{name}', safe='')}"


def _type(node: Node) -> str:
    return "schema:Event" if node.kind == EVENT else "schema:Thing"


def _mention(source: Source) -> dict[str, Any]:
    value: dict[str, Any] = {
        "text": _iri(TEXT, source.text), "said": source.said, "firstWord": source.words[0],
        "endWord": source.words[1],
    }  # fmt: skip
    if source.characters is not None:
        value |= {"firstCharacter": source.characters[0], "endCharacter": source.characters[1]}
    return value | ({} if source.score is None else {"score": source.score})


def _lines(graph: LinkGraph) -> Contents:
    """Write an entity or event a line; an event names the ids of those who have a role in it."""
    found = _roles_by_event(graph)
    lines = [_json(node.to_dict() | {"roles": found.get(node.id, {})}) for node in graph.nodes]
    return {"": "".join(f"{line}\n" for line in lines)}


GRAPH_FORMATS = {
    "graphml": GraphFormat("GraphML", ".graphml", _graphml),
    "csv": GraphFormat("tables of mentions, nodes and edges", ".csv", _tables),
    "jsonld": GraphFormat("JSON-LD", ".jsonld", _jsonld),
    "entities": GraphFormat("JSON lines, an entity in each", ".entities.jsonl", _lines),
}


def graph_form(path: str | PathLike[str], form: str | None = None) -> str | None:
    """Name the format of graphs that is meant, if one is.

    >>> graph_form("news.graphml"), graph_form("-", "jsonld"), graph_form("news.conll")
    ('graphml', 'jsonld', None)
    """
    if form is not None:
        return form if form in GRAPH_FORMATS else None
    return next((name for name, each in GRAPH_FORMATS.items() if str(path).endswith(each.suffix)), None)


def check_graph_output(path: str | PathLike[str], form: str) -> None:
    """Refuse several files where there is only one way out."""
    if str(path) == STDIN and form == "csv":
        raise SettingError("csv writes three files; name one, NAME.csv, instead of standard output")


def write_graph(graph: LinkGraph, path: str | PathLike[str], form: str) -> list[str]:
    """Write a graph: the files that were written, the one that was named last, when the others are there."""
    if form not in GRAPH_FORMATS:
        near = did_you_mean(form, GRAPH_FORMATS)
        raise SettingError(f"there is no format of graphs '{form}'; write {', '.join(GRAPH_FORMATS)}{near}")
    check_graph_output(path, form)
    chosen, written = GRAPH_FORMATS[form], list[str]()
    for ending, content in chosen.contents(graph).items():
        target = f"{str(path).removesuffix(chosen.suffix)}{ending}" if ending else str(path)
        save(target, lambda file, content=content: file.write(content))  # type: ignore[misc]
        written.append(target)
    return written
