"""Writes CoNLL-U: documents that came from it byte for byte, as far as they still say the same.

Lines are kept where words, zeros and sentences are the same; where clusters changed, only `Entity`, `Bridge`
and `SplitAnte` are written again, in rows that say something else. Documents from elsewhere get new rows.
Either way what is written is read again: mentions of one entity that cross would be read as nested ones,
and no mention runs over the end of a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import IO

from referee.exceptions import FormatError
from referee.formats.conllu.brackets import (
    BRIDGE_KEY,
    ENTITY_KEY,
    FORBIDDEN,
    HEAD_FIELD,
    MINIMUM_FIELD,
    SPLIT_KEY,
    MentionText,
    NameKeeper,
    Values,
    entity_cells,
    mention_texts,
    relation_cells,
)
from referee.formats.conllu.document import HEADER, ParsedConllu, parse_conllu
from referee.formats.conllu.entities import CHUNK, EntityFields
from referee.formats.conllu.heads import HeadFinder
from referee.formats.conllu.lines import is_document_line, lines_as_read, new_lines, with_pairs
from referee.formats.losses import CrossingError
from referee.model import Document, Mention, Relation

HEADER_LINE = re.compile(r"# global\.Entity\s*=")
PLAIN_HEADER = "eid-etype-head-other"


@dataclass(slots=True)
class _OutputFile:
    """What is known of the file so far: its header holds for all of its documents."""

    header: str
    alone: bool
    names: NameKeeper = field(default_factory=NameKeeper)
    has_header: bool = False
    count: int = 0


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents; the fields of the first one's entities are those of all."""
    some = iter(documents)
    start = list(islice(some, 2))
    output = _OutputFile(_first_header(start), alone=len(start) == 1)
    before = "\n\n"
    for document in chain(start, some):
        output.count += 1
        text = _document_text(document, output)
        if not before.endswith(("\n\n", "\n\r\n")):
            file.write("\n" if before.endswith("\n") else "\n\n")
        file.write(text)
        before = text


def _first_header(documents: Sequence[Document]) -> str:
    for document in documents[:1]:
        if _is_ours(document) and len(document.layout[0]) > len(HEADER):
            return document.layout[0].removeprefix(HEADER)
        mentions = (mention for cluster in document.clusters for mention in cluster.mentions)
        if any(mention.minimum for mention in mentions):
            return f"{PLAIN_HEADER}-{MINIMUM_FIELD}"
    return PLAIN_HEADER


def _is_ours(document: Document) -> bool:
    return len(document.layout) == 2 and document.layout[0].startswith(HEADER)


def _document_text(document: Document, output: _OutputFile) -> str:
    parsed = _still_fitting(document)
    fields = EntityFields(output.header)
    if parsed is None:
        names = output.names.names(document.clusters)
        lines = new_lines(document)
        line_of = [number for number, line in enumerate(lines) if line[:1].isdigit()]
    else:
        old = frozenset(bracketed.name for bracketed in parsed.brackets)
        names = output.names.names(document.clusters, old)
        lines = lines_as_read(document, parsed)
        line_of = parsed.table.line_of
    if parsed is None or parsed.fields.header != output.header or not _says_the_same(document, parsed):
        _annotate(lines, line_of, _Annotation(document, parsed, fields, names))
        _check(document, output.header, lines, names)
    _name(lines, document, output)
    return "\n".join(lines)


def _still_fitting(document: Document) -> ParsedConllu | None:
    """Read the layout again, if there is one of CoNLL-U and it has the same words, zeros and sentences."""
    if not _is_ours(document):
        return None
    parsed = parse_conllu(document.id, document.layout[0].removeprefix(HEADER), document.layout[1])
    ours, theirs = document.text, parsed.document.text
    same = (ours.words, ours.zeros, ours.sentences) == (theirs.words, theirs.zeros, theirs.sentences)
    return parsed if same else None


def _described(mention: Mention) -> tuple[object, ...]:
    return mention.spans, mention.minimum, mention.head, mention.type


def _says_the_same(document: Document, parsed: ParsedConllu) -> bool:
    ours, theirs = (
        {cluster.id: Counter(map(_described, cluster.mentions)) for cluster in some.clusters}
        for some in (document, parsed.document)
    )
    return ours == theirs and Counter(document.relations) == Counter(parsed.document.relations)


class _Annotation:
    """What a document says of entities and relations, and what its layout said of them."""

    def __init__(
        self, document: Document, parsed: ParsedConllu | None, fields: EntityFields, names: dict[str, str]
    ) -> None:
        self.texts = mention_texts(document, names)
        self._fields = fields
        self._heads: HeadFinder | None = None
        self._document = document
        self._old: dict[tuple[str, Mention], tuple[Values, Mention]] = {}
        self._old_links: list[tuple[int, Relation]] = []
        if parsed:
            for bracketed, mention in zip(parsed.brackets, parsed.mentions, strict=True):
                values = dict(zip(parsed.fields.names, bracketed.values, strict=False))
                self._old.setdefault((bracketed.name, mention), (values, mention))
            self._old_links = list(parsed.links)
        self.entities = entity_cells(self.texts, fields, self._values)
        links = [(self._node(relation), relation) for relation in document.relations]
        self.relations = relation_cells(links, self.texts, names)

    def _node(self, relation: Relation) -> int | None:
        """Find where a relation was said, if its anaphor is still mentioned there."""
        firsts = {text.parts[0][0] for text in self.texts if text.cluster.id == relation.anaphor}
        for link in self._old_links:
            if link[1] == relation and link[0] in firsts:
                self._old_links.remove(link)
                return link[0]
        return None

    def _values(self, text: MentionText) -> Values:
        """Say what is known of a mention, and what its layout said that still holds."""
        mention = text.mention
        values, old = self._old.get((text.cluster.id, mention), ({}, None))
        values = dict(values)
        kind = mention.type or (None if old else text.cluster.type)
        if old is None or kind != old.type:
            values = {key: value for key, value in values.items() if key not in ("etype", "entity")}
            values["etype"] = FORBIDDEN.sub("_", kind or "")
        if old is None or mention.minimum != old.minimum:
            values[MINIMUM_FIELD] = _positions(text.words, mention)
        if old is None or mention.head != old.head or not values.get(HEAD_FIELD):
            values[HEAD_FIELD] = self._head(text)
        if HEAD_FIELD not in self._fields.names:
            del values[HEAD_FIELD]
        return values

    def _head(self, text: MentionText) -> str:
        head = text.mention.head
        if head is None:
            self._heads = self._heads or HeadFinder(self._document.text)
            head = self._heads.head(text.words)
        return str(text.words.index(head) + 1)


def _positions(words: Sequence[int], mention: Mention) -> str:
    """Count the words of a minimum span in its mention, from 1."""
    if not mention.minimum:
        return ""
    inside = {word for span in mention.minimum for word in range(*span)}
    return ",".join(str(position) for position, word in enumerate(words, start=1) if word in inside)


def _annotate(lines: list[str], line_of: Sequence[int], annotation: _Annotation) -> None:
    """Put the cells of entities and relations into the rows, where they say something else than before."""
    for node, number in enumerate(line_of):
        line = lines[number]
        new = annotation.entities.get(node, "")
        if not new and "Entity=" not in line:
            continue
        pairs = {
            ENTITY_KEY: new,
            BRIDGE_KEY: annotation.relations.get((node, BRIDGE_KEY), ""),
            SPLIT_KEY: annotation.relations.get((node, SPLIT_KEY), ""),
        }
        lines[number] = with_pairs(line, pairs, {ENTITY_KEY: _chunks, BRIDGE_KEY: _some, SPLIT_KEY: _some})


def _chunks(cell: str) -> list[str]:
    return sorted(match[0] for match in CHUNK.finditer(cell))


def _some(cell: str) -> list[str]:
    return sorted(cell.split(","))


def _check(document: Document, header: str, lines: Sequence[str], names: dict[str, str]) -> None:
    """Read back what is to be written."""
    parsed = parse_conllu(document.id, header, "\n".join(lines))
    named = zip((bracketed.name for bracketed in parsed.brackets), parsed.mentions, strict=True)
    read = [(name, mention.spans, mention.minimum or (), mention.type or "") for name, mention in named]
    meant = [
        (names[cluster.id], mention.spans, mention.minimum or (), mention.type or "")
        for cluster in document.clusters
        for mention in cluster.mentions
    ]
    if Counter(row[::3] for row in read) != Counter(row[::3] for row in meant):
        read, meant = (
            [(*row[:3], "") for row in rows] for rows in (read, meant)
        )  # types are written otherwise
    fatal = next((flaw.what for flaw in parsed.flaws if flaw.fatal), "")
    has_zeros = len(parsed.table.empty) == len(document.text.zeros)
    if not has_zeros:
        fatal = "a word that is not written belongs to no sentence"
    missing = Counter(meant) - Counter(read)
    if missing or len(read) != len(meant) or fatal:
        lost = min(missing, default=None)
        what = fatal or (
            f"mention {lost[1]} of {lost[0]} crosses another of its cluster"
            if lost
            else "brackets do not fit"
        )
        kind = CrossingError if has_zeros else FormatError  # brackets are read back wrongly, or zeros
        raise kind(f"document {document.id}: {what}, which CoNLL-U cannot hold; write jsonlines instead")


def _name(lines: list[str], document: Document, output: _OutputFile) -> None:
    """See that the document has its name, and the file its header: the last one of a file holds for all."""
    newline = "\r" if lines[0].endswith("\r") else ""
    new = f"# newdoc id = {' '.join(document.id.split())}{newline}"
    begins = [(number, named[1]) for number, line in enumerate(lines) if (named := is_document_line(line))]
    if not begins and not output.alone:
        lines.insert(0, new)
    elif begins and (begins[0][1] or str(output.count)) != document.id:
        lines[begins[0][0]] = new
    header = f"{HEADER}{output.header}{newline}"
    headers = [number for number, line in enumerate(lines) if HEADER_LINE.match(line)]
    for number in headers:
        if HEADER_LINE.sub("", lines[number]).strip() != output.header:
            lines[number] = header
    if not headers and not output.has_header and any("Entity=" in line for line in lines):
        lines.insert(begins[0][0] + 1 if begins else not output.alone, header)
        headers = [0]
    output.has_header |= bool(headers)
