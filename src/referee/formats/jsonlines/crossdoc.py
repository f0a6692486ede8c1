"""Cross-document JSON lines: several documents per line; each mention names its document.

    {"id": …, "doc_ids": [NAME, …], "topics": [TOPIC, …], "subtopics": [SUBTOPIC, …],
     "tokens": [[WORD, …], …], "sentences": [[[FIRST, LAST], …], …], "layers": {NAME: [[VALUE, …], …]},
     "mentions": [[DOCUMENT, FIRST, LAST, CLUSTER], …], "documents": [{…}, …]}

A mention's DOCUMENT is a name or a number in `doc_ids`; FIRST and LAST are tokens of that document, the last
one *included*, and stand again for each further part of a mention with gaps. A cluster means the same
throughout its line. Topics, subtopics, sentences and layers may be absent; without `topics` a line's `id` is
the topic of all its documents and precedes their names, as SciCo (Cattan et al. 2021) needs it, whose
files are read as they are, with their `relations` [general, special] between clusters.

`documents` has an object for each document, with all else that is known of it, in the fields of JSON lines
(`jsonlines`): zeros, the running text, layers that not all documents have; and of its clusters, in the order
in which `mentions` has them first, types, heads, minimum spans, scores and relations.

Writes cross-document JSON lines; `crossdoc_json` says what the fields mean.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.jsonlines.fields import (
    is_table,
    name_of,
    relations_of,
    text_of,
    with_attributes,
    with_others,
)
from referee.formats.jsonlines.reading import lines_of
from referee.formats.jsonlines.writing import FIELD_OF, annotation_fields, text_fields
from referee.model import Cluster, Document, DocumentCorpus, Mention, Relation, Span, Text
from referee.model.mentions import HIERARCHY

Fields = dict[str, Any]


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read the documents of all lines."""
    del reading
    documents: list[Document] = []
    for file in files:
        for _, _, line, fields in lines_of(file):
            where = f"{file.path}:{line}"
            try:
                documents += _renamed(_documents(fields, where), documents)
            except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
                raise FormatError(f"{where}: a field has a wrong value: {error!r}") from error
        file.close()
    return DocumentCorpus(documents, name, cross_document=True)


def _renamed(documents: Sequence[Document], before: Sequence[Document]) -> Iterable[Document]:
    """Rename the clusters of a line that follows others: ids hold within a line only."""
    if not before:
        return documents
    taken = {cluster.id for document in before for cluster in document.clusters}
    prefix = f"{len(before)}:"
    while any(id_.startswith(prefix) for id_ in taken):
        prefix = f":{prefix}"
    return [_with_prefix(document, prefix) for document in documents]


def _with_prefix(document: Document, prefix: str) -> Document:
    clusters = tuple(replace(cluster, id=prefix + cluster.id) for cluster in document.clusters)
    relations = tuple(
        replace(r, anaphor=prefix + r.anaphor, antecedents=tuple(prefix + id_ for id_ in r.antecedents))
        for r in document.relations
    )
    return replace(document, clusters=clusters, relations=relations)


def _documents(fields: Fields, where: str) -> list[Document]:
    """Make the documents of a line."""
    ids, tables = fields.get("doc_ids"), fields.get("tokens")
    if not isinstance(ids, list) or not is_table(tables) or len(ids) != len(fields["tokens"]):
        raise FormatError(f"{where}: needs doc_ids, and as many lists of words in tokens")
    names = [str(id_) for id_ in ids]
    if len(set(names)) < len(names):  # SciCo repeats a paper's id for each of its paragraphs
        names = [f"{name}#{number}" for number, name in enumerate(names)]
    particulars = _listed(fields, "documents", len(ids), {}, where)
    if not all(isinstance(one, dict) for one in particulars):
        raise FormatError(f"{where}: documents must be a list of objects, one for each of doc_ids")
    texts = _texts(fields, names, particulars, where)
    clusters = _clusters(fields, names, texts, where)
    documents = [
        with_others(
            Document(
                text,
                with_attributes(
                    tuple(Cluster(id_, tuple(mentions)) for id_, mentions in its.items()), said, 1, where
                ),
                relations_of(said),
                tuple(said.get("layout", ())),
            ),
            said,
            where,
        )
        for text, its, said in zip(texts, clusters, particulars, strict=True)
    ]
    return _with_hierarchy(documents, fields.get("relations", []), where)


def _texts(fields: Fields, names: Sequence[str], particulars: Sequence[Fields], where: str) -> list[Text]:
    """Make the texts of a line."""
    size = len(names)
    topics = _listed(fields, "topics", size, fields.get("id"), where)
    subtopics = _listed(fields, "subtopics", size, None, where)
    sentences = _listed(fields, "sentences", size, [], where)
    layers = _layers(fields, size, where)
    if "topics" not in fields and fields.get("id") is not None:  # a paper may be in several topics of SciCo
        names = [f"{fields['id']}/{name}" for name in names]
    texts = []
    for i, words in enumerate(fields["tokens"]):
        one = "sentence_spans" in particulars[i]
        edges = ((0, len(words)),) if one else _sentences(sentences[i], len(words), where)
        given: Fields = {"tokens" if one else "sentences": words if one else _cut(words, edges)}
        for name, table in layers.items():
            if len(table[i]) == len(words):
                given[FIELD_OF.get(name, name)] = _cut(table[i], edges)
        given |= {**particulars[i], "topic": name_of(topics[i]), "subtopic": name_of(subtopics[i])}
        texts.append(text_of(given, names[i], where))
    return texts


def _cut(values: Sequence[str], edges: Iterable[Span]) -> list[list[str]]:
    return [list(values[start:end]) for start, end in edges]


def _listed(fields: Fields, name: str, size: int, default: object, where: str) -> list[Any]:
    """Take a field that has a value for each document."""
    values = fields.get(name, [default] * size)
    if not isinstance(values, list) or len(values) != size:
        raise FormatError(f"{where}: {name} must be a list, as long as doc_ids")
    return values


def _sentences(given: object, length: int, where: str) -> tuple[Span, ...]:
    """Cut where sentences begin; how a file counts their ends does not matter."""
    spans: list[Any] = given if isinstance(given, list) else [None]
    if not all(isinstance(span, list) and span and type(span[0]) is int for span in spans):
        raise FormatError(f"{where}: a document's sentences are a list of [first, last]: {_short(given)}")
    edges = sorted({0, *(span[0] for span in spans if 0 < span[0] < length)})
    return tuple(zip(edges, [*edges[1:], length], strict=True)) if length else ()


def _layers(fields: Fields, size: int, where: str) -> Mapping[str, list[list[str]]]:
    """Check the layers: for each document a list of strings."""
    layers = fields.get("layers", {})
    tables: list[Any] = list(layers.values()) if isinstance(layers, dict) else [None]
    if not all(is_table(table) and len(table) == size for table in tables):
        raise FormatError(f"{where}: layers must map a name to lists of strings, one for each of doc_ids")
    return dict(layers)


def _clusters(
    fields: Fields, names: Sequence[str], texts: Sequence[Text], where: str
) -> list[defaultdict[str, list[Mention]]]:
    """Put each mention into its document and cluster."""
    given = fields.get("mentions")
    if not isinstance(given, list):
        raise FormatError(f"{where}: has no list of mentions")
    numbers = {name: number for number, name in enumerate(names)}
    clusters: list[defaultdict[str, list[Mention]]] = [defaultdict(list) for _ in names]
    for value in given:
        if not isinstance(value, list) or len(value) < 4 or len(value) % 2:
            raise FormatError(f"{where}: a mention is [document, first, last, cluster], not {_short(value)}")
        number = value[0] if type(value[0]) is int else numbers.get(str(value[0]), -1)
        if not 0 <= number < len(names):
            raise FormatError(
                f"{where}: the mention {_short(value)} is of a document that is not on the line"
            )
        mention = _mention(value[1:-1], len(texts[number].words), f"{where}: the mention {_short(value)}")
        clusters[number][str(value[-1])].append(mention)
    return clusters


def _mention(offsets: Sequence[object], length: int, what: str) -> Mention:
    numbers = [offset for offset in offsets if type(offset) is int]
    spans = sorted((first, last + 1) for first, last in zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) < len(offsets) or any(not 0 <= start < end <= length for start, end in spans):
        raise FormatError(f"{what} lies outside its document, which has {number_of(length, 'token')}")
    return Mention(tuple(spans))


def _with_hierarchy(documents: list[Document], pairs: object, where: str) -> list[Document]:
    """Put each of SciCo's relations into the first document that mentions the more special concept."""
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise FormatError(f"{where}: relations are pairs of clusters, [general, special]")
    firsts: dict[str, int] = {}
    for number, document in enumerate(documents):
        for cluster in document.clusters:
            firsts.setdefault(cluster.id, number)
    for general, special in pairs:
        number = firsts.get(str(special), 0)
        relation = Relation(HIERARCHY, str(special), (str(general),))
        documents[number] = replace(
            documents[number], relations=(*documents[number].relations, relation)
        )  # fmt: skip
    return documents


def _short(value: object) -> str:
    return json.dumps(value)[:60]


IN_THE_LINE = ("sentences", "tokens", "clusters", "cluster_ids")  # what the line itself has for all documents


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write all documents on one line, so that clusters may span any of them."""
    joined = [_with_joined_clusters(document) for document in documents]
    texts = [text_fields(document.text) for document in joined]
    shared = set.intersection(*(set(document.layers) for document in joined)) if joined else set()
    ids: list[str] = [document.id for document in joined]
    names: Sequence[str | int] = ids if len(set(ids)) == len(ids) else range(len(ids))
    elsewhere = {*IN_THE_LINE, *(FIELD_OF.get(name, name) for name in shared)}
    particulars = [
        {
            name: value
            for name, value in (of_text | annotation_fields(document)).items()
            if name not in elsewhere
        }
        for document, of_text in zip(joined, texts, strict=True)
    ]
    fields = {
        "doc_ids": ids,
        "topics": [document.text.topic for document in joined],
        "subtopics": [document.text.subtopic for document in joined],
        "tokens": [document.words[: document.text.length] for document in joined],
        "sentences": [[[start, end - 1] for start, end in document.sentences] for document in joined],
        "layers": {name: [_in_a_row(of_text, name) for of_text in texts] for name in sorted(shared)},
        "mentions": [
            [name, *(offset for start, end in mention.spans for offset in (start, end - 1)), cluster.id]
            for name, document in zip(names, joined, strict=True)
            for cluster in document.clusters
            for mention in cluster.mentions
        ],
    }
    json.dump(fields | ({"documents": particulars} if any(particulars) else {}), file, ensure_ascii=True)
    file.write("\n")


def _in_a_row(fields: dict[str, Any], layer: str) -> list[str]:
    return [value for sentence in fields[FIELD_OF.get(layer, layer)] for value in sentence]


def _with_joined_clusters(document: Document) -> Document:
    """Join clusters of one id, which a line cannot distinguish; those without mentions are left out."""
    joined: dict[str, Cluster] = {}
    for cluster in document.clusters:
        before = joined.get(cluster.id, Cluster(cluster.id, ()))
        joined[cluster.id] = Cluster(
            cluster.id, before.mentions + cluster.mentions, before.type or cluster.type
        )
    return replace(document, clusters=tuple(cluster for cluster in joined.values() if cluster.mentions))
