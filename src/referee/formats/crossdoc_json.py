"""Cross-document JSON lines: several documents a line, and a document for each mention.

    {"id": …, "doc_ids": [NAME, …], "topics": [TOPIC, …], "subtopics": [SUBTOPIC, …],
     "tokens": [[WORD, …], …], "sentences": [[[FIRST, LAST], …], …], "layers": {NAME: [[VALUE, …], …]},
     "mentions": [[DOCUMENT, FIRST, LAST, CLUSTER], …]}

A mention's DOCUMENT is a name or a number in `doc_ids`; FIRST and LAST are tokens of that document, the last
one *included*, and stand again for each further part of a mention with gaps. A cluster means the same
throughout its line. Topics, subtopics, sentences and layers may be absent; without `topics` a line's `id` is
the topic of all its documents and precedes their names, as SciCo (Cattan et al. 2021) needs it, whose
files are read as they are.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.format import GAPS, LAYERS, MARK_AND_SPACE, SENTENCES, TOPICS, Format, Reading
from referee.formats.jsonlines import lines_of
from referee.formats.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span
from referee.model.layers import HEAD, heads_from_sentences, heads_in_sentences


def looks_like(head: bytes) -> bool:
    """Recognise a file from its first bytes: an object with several documents."""
    start = head.lstrip(MARK_AND_SPACE)
    return start.startswith(b"{") and (b'"doc_ids"' in head or b'"flatten_tokens"' in head)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read the documents of all lines."""
    del reading
    documents: list[Document] = []
    for file in files:
        for _, _, line, fields in lines_of(file):
            documents += _documents(fields, len(documents), f"{file.path}:{line}")
        file.close()
    return DocumentCorpus(documents, name, cross_document=True)


def _documents(fields: dict[str, Any], before: int, where: str) -> list[Document]:
    """Make the documents of a line; `before` counts those of earlier lines."""
    ids, texts = fields.get("doc_ids"), fields.get("tokens")
    if not isinstance(ids, list) or not _is_table(texts) or len(ids) != len(fields["tokens"]):
        raise FormatError(f"{where}: needs doc_ids, and as many lists of words in tokens")
    names = [str(id_) for id_ in ids]
    if len(set(names)) < len(names):  # SciCo repeats a paper's id for each of its paragraphs
        names = [f"{name}#{number}" for number, name in enumerate(names)]
    topics = _listed(fields, "topics", len(ids), fields.get("id"), where)
    subtopics = _listed(fields, "subtopics", len(ids), None, where)
    sentences = _listed(fields, "sentences", len(ids), [], where)
    layers = _layers(fields, len(ids), where)
    clusters = _clusters(fields, names, fields["tokens"], before, where)
    edges = [
        _sentences(given, len(words), where) for given, words in zip(sentences, fields["tokens"], strict=True)
    ]
    if "topics" not in fields and fields.get("id") is not None:  # a paper may be in several topics of SciCo
        names = [f"{fields['id']}/{name}" for name in names]
    return [
        Document.of(
            names[i],
            tuple(words),
            edges[i],
            tuple(Cluster(id_, tuple(mentions)) for id_, mentions in clusters[i].items()),
            _own_layers(layers, i, edges[i], where),
            topic=_name(topics[i]),
            subtopic=_name(subtopics[i]),
        )
        for i, words in enumerate(fields["tokens"])
    ]


def _listed(fields: dict[str, Any], name: str, size: int, default: object, where: str) -> list[Any]:
    """Take a field that has a value for each document."""
    values = fields.get(name, [default] * size)
    if not isinstance(values, list) or len(values) != size:
        raise FormatError(f"{where}: {name} must be a list, as long as doc_ids")
    return values


def _name(value: object) -> str | None:
    return None if value is None else str(value)


def _sentences(given: object, length: int, where: str) -> tuple[Span, ...]:
    """Cut where sentences begin; how a file counts their ends does not matter."""
    spans: list[Any] = given if isinstance(given, list) else [None]
    if not all(isinstance(span, list) and span and type(span[0]) is int for span in spans):
        raise FormatError(f"{where}: a document's sentences are a list of [first, last]: {_short(given)}")
    edges = sorted({0, *(span[0] for span in spans if 0 < span[0] < length)})
    return tuple(zip(edges, [*edges[1:], length], strict=True)) if length else ()


def _layers(fields: dict[str, Any], size: int, where: str) -> dict[str, list[list[str]]]:
    """Check the layers: for each document a list of strings."""
    layers = fields.get("layers", {})
    tables: list[Any] = list(layers.values()) if isinstance(layers, dict) else [None]
    if not all(_is_table(table) and len(table) == size for table in tables):
        raise FormatError(f"{where}: layers must map a name to lists of strings, one for each of doc_ids")
    return dict(layers)


def _own_layers(
    layers: dict[str, list[list[str]]], number: int, sentences: tuple[Span, ...], where: str
) -> dict[str, tuple[str, ...]]:
    """Take a document's layers, of those that are as long as it; heads are numbered as in CoNLL-U."""
    length = sentences[-1][1] if sentences else 0
    own = {name: tuple(table[number]) for name, table in layers.items() if len(table[number]) == length}
    if HEAD in own:
        own[HEAD] = tuple(heads_from_sentences(own[HEAD], sentences, where))
    return own


def _is_table(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and all(isinstance(word, str) for word in row) for row in value
    )


def _clusters(
    fields: dict[str, Any], names: Sequence[str], texts: Sequence[Sequence[str]], before: int, where: str
) -> list[defaultdict[str, list[Mention]]]:
    """Put each mention into its document and cluster; `before` keeps the clusters of lines apart."""
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
            raise FormatError(f"{where}: the mention {_short(value)} is of a document that the line lacks")
        mention = _mention(value[1:-1], len(texts[number]), f"{where}: the mention {_short(value)}")
        clusters[number][f"{before}:{value[-1]}"].append(mention)
    return clusters


def _mention(offsets: Sequence[object], length: int, what: str) -> Mention:
    numbers = [offset for offset in offsets if type(offset) is int]
    spans = sorted((first, last + 1) for first, last in zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) < len(offsets) or any(not 0 <= start < end <= length for start, end in spans):
        raise FormatError(f"{what} lies outside its document, which has {length} tokens")
    return Mention(tuple(spans))


def _short(value: object) -> str:
    return json.dumps(value)[:60]


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write all documents on one line, so that clusters may span any of them."""
    kept = list(documents)
    layers = set.intersection(*(set(document.layers) for document in kept)) if kept else set()
    fields = {
        "doc_ids": [document.id for document in kept],
        "topics": [document.text.topic for document in kept],
        "subtopics": [document.text.subtopic for document in kept],
        "tokens": [document.words for document in kept],
        "sentences": [[[start, end - 1] for start, end in document.sentences] for document in kept],
        "layers": {name: [_written(name, document) for document in kept] for name in sorted(layers)},
        "mentions": [
            [
                document.id,
                *(offset for start, end in mention.spans for offset in (start, end - 1)),
                cluster.id,
            ]
            for document in kept
            for cluster in document.clusters
            for mention in cluster.mentions
        ],
    }
    json.dump(fields, file, ensure_ascii=True)
    file.write("\n")


def _written(name: str, document: Document) -> tuple[str, ...]:
    layer = document.layers[name]
    return tuple(heads_in_sentences(layer, document.sentences)) if name == HEAD else layer


FORMATS = {
    "crossdoc-jsonlines": Format(
        label="cross-document JSON lines",
        looks_like=looks_like,
        priority=20,
        read=read,
        write=write,
        across=True,
        holds=frozenset({GAPS, SENTENCES, TOPICS, LAYERS}),
    )
}
