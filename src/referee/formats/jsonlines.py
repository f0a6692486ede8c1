"""JSON lines, one document a line, in the two dialects that neural systems exchange.

* e2e: `sentences` (lists of words) and `clusters` of [first, last] token offsets, the last one *included*,
  counted through the document. Instead of `sentences` there may be a flat list, `tokens`.
* fastcoref: `text`, and `clusters` of [start, end] *character* offsets, the end *excluded*.

The name is `doc_key`, `doc_id` or `id`. A response's `predicted_clusters` are taken before its `clusters`,
which hold the key in the files that e2e systems write. Lists that run parallel to the sentences (speakers,
pos, …) become layers, and are written back; `head` counts as in CoNLL-U, from 1 in the sentence, 0 for the
root. `minimum_spans` runs parallel to `clusters`: for each mention its
annotated minimum span, a list of pairs, or null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.opening import SeekableFile, stem
from referee.model import Chains, Cluster, Corpus, Document, Mention, Span, cut_text, in_characters
from referee.model.layers import HEAD, heads_from_sentences, heads_in_sentences

NAMES = ("doc_key", "doc_id", "id")
MINIMUM = "minimum_spans"
LARGEST_LINE = 2**30  # bytes
LAYER_FIELDS = {"speakers": "speaker"}  # field → layer, where they differ
FIELDS = {layer: name for name, layer in LAYER_FIELDS.items()}


def looks_like(head: bytes) -> bool:
    """Recognise a file from its first bytes: an object."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


class JsonCorpus(Corpus):
    """The documents of one or more files of JSON lines."""

    def __init__(self, files: Sequence[SeekableFile], name: str, *, predicted: bool = False) -> None:
        """Find where the documents are, and which dialect they speak."""
        self.name = name
        self._predicted = predicted
        self._entries: list[tuple[SeekableFile, int, int, int, str]] = []  # file, start, size, line, id
        self.named = False
        dialects = set()
        for file in files:
            for count, (start, size, line, fields) in enumerate(lines_of(file), start=1):
                given = next((str(fields[field]) for field in NAMES if fields.get(field) is not None), "")
                self.named |= bool(given)
                id_ = given or stem(file.path) + (f"#{count}" if count > 1 else "")
                self._entries.append((file, start, size, line, id_))
                dialects.add(_dialect(fields, f"{file.path}:{line}"))
            file.close()
        if len(dialects) > 1:
            raise FormatError(
                f"{name}: some lines have sentences, others text; convert them to one of the two"
            )
        dialect = dialects.pop() if dialects else "e2e"
        self.cut = dialect == "fastcoref"
        counted = (
            "character offsets, end excluded" if dialect == "fastcoref" else "token offsets, end included"
        )
        self.notices = [f"{name}: JSON lines of the {dialect} kind ({counted})"]
        self.ids = [entry[4] for entry in self._entries]

    def weight(self, number: int) -> int:
        """Count the line's bytes."""
        return self._entries[number][2]

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read the clusters of some documents."""
        return Chains.of(None if number is None else self.document(number) for number in numbers)

    def document(self, number: int) -> Document:
        """Read one line."""
        file, start, size, line, id_ = self._entries[number]
        fields = json.loads(file.read(start, size))
        file.close()
        return _document(fields, id_, f"{file.path}:{line}", predicted=self._predicted)

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document, by line."""
        try:
            self.document(number)
        except FormatError as error:
            return [(self._entries[number][3], str(error).split(": ", 1)[-1])]
        return []

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document stands: FILE:LINE. A line holds all its tokens."""
        del word
        file, _, _, line, _ = self._entries[number]
        return f"{file.path}:{line}"


def lines_of(file: SeekableFile) -> Iterable[tuple[int, int, int, dict[str, Any]]]:
    """Yield each document's place in the file and its fields."""
    position, number, buffer = 0, 0, b""
    start = 0
    while True:
        chunk = file.read(position, 2**20)
        position += len(chunk)
        *whole, buffer = (buffer + chunk).split(b"\n") if chunk else [buffer, b""]
        if len(buffer) > LARGEST_LINE:
            raise FormatError(f"{file.path}:{number + 1}: a line of more than {LARGEST_LINE >> 30} GiB")
        for line in whole:
            number += 1
            if line.strip():
                yield start, len(line), number, _fields(line, f"{file.path}:{number}")
            start += len(line) + 1
        if not chunk:
            return


def _fields(line: bytes, where: str) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where}: not a JSON object on one line: {error}") from error
    if not isinstance(fields, dict):
        raise FormatError(f"{where}: expected a JSON object with sentences or text, and clusters")
    return fields


def _dialect(fields: dict[str, Any], where: str) -> str:
    if "sentences" in fields or "tokens" in fields:
        return "e2e"
    if "text" in fields:
        return "fastcoref"
    raise FormatError(
        f"{where}: has neither sentences, tokens nor text; fields: {', '.join(fields) or 'none'}"
    )


def _document(fields: dict[str, Any], id_: str, where: str, *, predicted: bool) -> Document:
    field = "predicted_clusters" if predicted and "predicted_clusters" in fields else "clusters"
    if not isinstance(fields.get(field), list):
        raise FormatError(f"{where}: has no list of {field}")
    if _dialect(fields, where) == "fastcoref":
        text = fields["text"]
        if not isinstance(text, str):
            raise FormatError(f"{where}: text must be a string")
        clusters = _with_minimums(_clusters(fields[field], len(text), 0, where), fields, 0, where)
        return cut_text(id_, text, clusters, where)
    sentences = fields.get("sentences", [fields.get("tokens")])
    if not _is_table(sentences):
        raise FormatError(f"{where}: sentences must be a list of lists of words")
    tokens = tuple(word for sentence in sentences for word in sentence)
    layers = {
        LAYER_FIELDS.get(name, name): tuple(value for row in table for value in row)
        for name, table in fields.items()
        if name != "sentences" and _is_table(table) and list(map(len, table)) == list(map(len, sentences))
    }
    clusters = _with_minimums(_clusters(fields[field], len(tokens), 1, where), fields, 1, where)
    edges = _edges(sentences)
    if HEAD in layers:  # numbered as in CoNLL-U
        layers[HEAD] = tuple(heads_from_sentences(layers[HEAD], edges, where))
    return Document.of(id_, tokens, edges, clusters, layers)


def _is_table(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and all(isinstance(word, str) for word in row) for row in value
    )


def _edges(sentences: Sequence[Sequence[str]]) -> tuple[Span, ...]:
    edges, start = [], 0
    for sentence in sentences:
        if sentence:
            edges.append((start, start + len(sentence)))
        start += len(sentence)
    return tuple(edges)


def _clusters(value: list[Any], length: int, included: int, where: str) -> tuple[Cluster, ...]:
    """Check offsets and make them half-open; a mention may be a list of several spans."""

    def span(pair: object) -> Span:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(offset) is int for offset in pair)):
            raise FormatError(f"{where}: a mention is a pair of offsets, not {json.dumps(pair)[:60]}")
        start, end = pair[0], pair[1] + included
        if not 0 <= start < end <= length:
            raise FormatError(
                f"{where}: the mention {pair} lies outside the document, which ends at {length}"
            )
        return start, end

    def mention(value: object) -> Mention:
        pairs = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
        return Mention(tuple(sorted(map(span, pairs))))

    clusters = []
    for number, cluster in enumerate(value):
        if not isinstance(cluster, list):
            raise FormatError(f"{where}: cluster {number} is not a list of mentions")
        if cluster:
            clusters.append(Cluster(str(number), tuple(mention(pair) for pair in cluster)))
    return tuple(clusters)


def _with_minimums(
    clusters: tuple[Cluster, ...], fields: dict[str, Any], included: int, where: str
) -> tuple[Cluster, ...]:
    """Add annotated minimum spans, if the line has them."""
    given = fields.get(MINIMUM)
    if given is None:
        return clusters

    def least(mention: Mention, pairs: Any) -> Mention:
        return replace(
            mention, minimum=tuple((start, end + included) for start, end in pairs) if pairs else None
        )

    try:
        return tuple(
            Cluster(c.id, tuple(least(m, p) for m, p in zip(c.mentions, given[int(c.id)], strict=True)))
            for c in clusters
        )
    except (TypeError, ValueError, IndexError, FormatError) as error:
        raise FormatError(f"{where}: {MINIMUM} do not fit the clusters: {error}") from error


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents: with words, or as running text if we cut the words ourselves."""
    for document in documents:
        json.dump(_fields_of(document), file, ensure_ascii=True)
        file.write("\n")


def _fields_of(document: Document) -> dict[str, Any]:
    text = document.text
    fields: dict[str, Any] = {"doc_key": document.id}
    if text.cut:
        fields["text"] = text.running
    else:
        fields["sentences"] = [list(text.words[start:end]) for start, end in text.sentences]

    def offsets(spans: Iterable[Span]) -> list[list[int]]:
        if text.cut:
            return [list(span) for span in in_characters(text, spans)]
        return [[start, end - 1] for start, end in spans]

    def mention_offsets(mention: Mention) -> list[int] | list[list[int]]:
        pairs = offsets(mention.spans)
        return pairs[0] if len(pairs) == 1 else pairs

    mentions = [cluster.mentions for cluster in document.clusters]
    fields["clusters"] = [list(map(mention_offsets, some)) for some in mentions]
    if any(mention.minimum for some in mentions for mention in some):
        fields[MINIMUM] = [[m.minimum and offsets(m.minimum) for m in some] for some in mentions]
    for name, layer in text.layers.items():
        if name == HEAD:
            layer = tuple(heads_in_sentences(layer, text.sentences))
        fields[FIELDS.get(name, name)] = [list(layer[start:end]) for start, end in text.sentences]
    return fields
