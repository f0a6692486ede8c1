"""CONLL-UA, the exploded format of Universal Anaphora (CODI-CRAC, ARRAU): CoNLL-U Plus with more columns.

`# global.columns = ID FORM … IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM` names the columns, which
tabs or runs of blanks separate. What is read, by Universal Anaphora's proposal 1.1 and its scorer:
* IDENTITY: `(EntityID=3|MarkableID=markable_7|Min=4,5|ElementOf=9` opens a markable, `)` closes the one that
  was opened last, `markable_7)` that one; between two there may be an `@`. A MarkableID that opens again is
  another part of a discontinuous mention. `Min` counts words from 1 through the document: one, or the first
  and the last;
* entities that end in `-Pseudo` refer to nothing: their markables are not mentions;
* the entities of markables that are ElementOf=9 are together the split antecedent of 9;
* BRIDGING: `(MarkableID=markable_7|Rel=poss|MentionAnchor=markable_1|EntityAnchor=1)`, where the mention
  counts, and the entity if no mention is named;
* rows with the ID 5.1 are zeros: mentions by themselves, and not a part of those around them; rows with the
  ID 0 and without a form describe a scene, and are not words; with one, they are the first words of
  files that count from 0;
* DISCOURSE_DEIXIS has markables and entities of its own, written as in IDENTITY: they are the layer `deixis`.

REFERENCE and NOM_SEM are kept in the layout.

The scorer of CODI-CRAC 2021 and 2022 read some of this differently (`first_version`): every row is a word, of
a discontinuous mention the last part is the mention, and what a markable says last about Min holds, of which
it takes two numbers or the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from referee.formats.conllu.entities import LineFlaw
from referee.formats.conllu.reading import ConlluCorpus
from referee.formats.conllu.rows import UNKNOWN_VALUE, UPOS, XPOS, arcs
from referee.formats.conllua.markables import (
    IDENTITY_COLUMN,
    Markable,
    MarkableReader,
    Rows,
    attributes_of,
    read_lines,
)
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.recognition import GLOBAL_COLUMNS
from referee.model import (
    NO_WORD,
    Anaphora,
    Cluster,
    ClusterLayer,
    Document,
    Mention,
    Relation,
    RowSpans,
    Span,
    Text,
    Zero,
    joined_spans,
)
from referee.model.anaphora import cycle_in
from referee.model.layers import HEAD, LEMMA, POS, ROOT
from referee.model.mentions import BRIDGING, DEIXIS, SPLIT_ANTECEDENT

COLUMNS_LINE = "# global.columns = "
BRIDGING_COLUMN, DEIXIS_COLUMN = "BRIDGING", "DISCOURSE_DEIXIS"
UA_LAYERS = {"LEMMA": LEMMA, "UPOS": UPOS, "XPOS": XPOS, "FEATS": "feats", "DEPREL": "deprel"}
FIRST_VERSION = "ua-2021"  # the way of counting that reads files as the first version of the scorer did
PSEUDO = re.compile(r"[-_]pseudo$", re.IGNORECASE)


@dataclass(slots=True)
class ParsedConllua:
    """A document of CONLL-UA, and where in its lines it says what."""

    document: Document
    markables: list[Markable]
    flaws: list[LineFlaw]
    lines: list[int]  # word → its line, from 0
    minimums: dict[int, tuple[Span, ...]] | None = None  # mention → minimum span, as the first version has it

    def line_of_word(self, word: int) -> int:
        """Say which line a word is on, from 0."""
        return self.lines[word]


def parse_conllua(id_: str, header: str, text: str, *, first_version: bool = False) -> ParsedConllua:
    """Read the lines of a document, whose columns the header names."""
    flaws: list[LineFlaw] = []
    rows = Rows(header.upper().split(), flaws, first_version)
    if IDENTITY_COLUMN not in rows.names:
        flaws.append(LineFlaw(0, f"the columns '{header}' do not include {IDENTITY_COLUMN}"))
        rows.names.append(IDENTITY_COLUMN)
    read_lines(rows, text.split("\n"))
    markables = MarkableReader(rows, flaws, IDENTITY_COLUMN).read()
    described = Text(
        id_,
        tuple(columns.get("FORM", UNKNOWN_VALUE) for columns in _all_columns(rows)),
        tuple(rows.sentences),
        _layers(rows),
        zeros=tuple(_zeros(rows)),
    )
    clusters, non_referring = _clusters(markables, described, flaws)
    relations = (*_split_antecedents(markables, flaws), *_bridging(rows, markables, flaws))
    document = Document(
        described,
        clusters,
        relations,
        (COLUMNS_LINE + header, text),
        non_referring,
        tuple(_deixis(rows, described, flaws)),
    )
    lines = [line for line, _ in rows.words] + [zero[0] for zero in rows.zeros]
    minimums = _first_minimums(document, markables) if first_version else None
    return ParsedConllua(document, markables, sorted(flaws), lines, minimums)


def _all_columns(rows: Rows) -> list[dict[str, str]]:
    return [columns for _, columns in rows.words] + [zero[1] for zero in rows.zeros]


def _deixis(rows: Rows, text: Text, flaws: list[LineFlaw]) -> Iterator[ClusterLayer]:
    """Read the layer of discourse deixis, if the document has any."""
    if markables := MarkableReader(rows, flaws, DEIXIS_COLUMN).read():
        clusters, non_referring = _clusters(markables, text, flaws)
        yield ClusterLayer(DEIXIS, clusters, tuple(_split_antecedents(markables, flaws)), non_referring)


def _clusters(
    markables: Sequence[Markable], text: Text, flaws: list[LineFlaw]
) -> tuple[tuple[Cluster, ...], tuple[Cluster, ...]]:
    """Put markables of one entity together; list apart those that refer to nothing."""
    members: dict[str, list[Mention]] = {}
    for markable in markables:
        spans = joined_spans(markable.spans)
        said = markable.attributes[0].get("min", "")
        minimum = _minimum(said, spans, text.length)
        if said and minimum is None:
            what = f"Min={said} is not inside markable {markable.name}; it is left out"
            flaws.append(LineFlaw(markable.line, what, fatal=False))
        members.setdefault(markable.entity, []).append(Mention(spans, minimum))
    clusters = [Cluster(entity, tuple(mentions)) for entity, mentions in members.items()]
    return (
        tuple(cluster for cluster in clusters if not PSEUDO.search(cluster.id)),
        tuple(cluster for cluster in clusters if PSEUDO.search(cluster.id)),
    )


def _first_minimums(document: Document, markables: Sequence[Markable]) -> dict[int, tuple[Span, ...]]:
    """List minimum spans by the number of their mention, inside of it or not."""
    by_entity: dict[str, list[Markable]] = {}
    for markable in markables:
        by_entity.setdefault(markable.entity, []).append(markable)
    clusters = (*document.clusters, *document.non_referring)
    ordered = [markable for cluster in clusters for markable in by_entity[cluster.id]]
    minimums: dict[int, tuple[Span, ...]] = {}
    for number, markable in enumerate(ordered):
        numbers = markable.attributes[-1].get("min", "").split(",")
        if all(each.isascii() and each.isdigit() and len(each) < 10 for each in numbers):
            last = numbers[1] if len(numbers) == 2 else numbers[0]
            minimums[number] = ((int(numbers[0]) - 1, int(last)),)
    return minimums


def _minimum(said: str, spans: Sequence[Span], length: int) -> tuple[Span, ...] | None:
    """Read a minimum span: the words from its first number to its last that the markable has."""
    numbers = re.split(r"[,-]", said)
    if not all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers):
        return None
    first, last = int(numbers[0]) - 1, int(numbers[:2][-1])  # the scorer ignores further numbers
    if not 0 <= first < last <= length:
        return None
    inside = [(max(first, start), min(last, end)) for start, end in spans if start < last and first < end]
    is_whole = inside and inside[0][0] == first and inside[-1][1] == last
    return tuple(inside) if is_whole else None


def _split_antecedents(markables: Sequence[Markable], flaws: list[LineFlaw]) -> Iterator[Relation]:
    elements: dict[str, dict[str, None]] = {}
    entities = {markable.entity for markable in markables}
    for markable in markables:
        said = [attributes.get("elementof", "") for attributes in markable.attributes]
        for whole in filter(None, ",".join(said).split(",")):
            elements.setdefault(whole, {})[markable.entity] = None
            if whole not in entities:
                what = f"ElementOf={whole} names an entity that has no markable"
                flaws.append(LineFlaw(markable.line, what, fatal=False))
    for whole, parts in elements.items():
        yield Relation(SPLIT_ANTECEDENT, whole, tuple(parts))
    if cycle := cycle_in({whole: list(parts) for whole, parts in elements.items()}):
        line = next(markable.line for markable in markables if markable.entity == cycle[0])
        what = f"entity {' is an element of '.join(cycle)}: this set contains itself, so no set is scored"
        flaws.append(LineFlaw(line, what, fatal=False))


def _bridging(rows: Rows, markables: Sequence[Markable], flaws: list[LineFlaw]) -> Iterator[Relation]:
    by_name = {markable.name: markable for markable in markables}
    for line, columns in sorted([*rows.words, *(zero[:2] for zero in rows.zeros)], key=lambda row: row[0]):
        cell = columns.get(BRIDGING_COLUMN, UNKNOWN_VALUE)
        for chunk in filter(None, re.split(r"[()@]+", "" if cell == UNKNOWN_VALUE else cell)):
            said = attributes_of(chunk)
            anaphor = by_name.get(said.get("markableid", ""))
            anchor = by_name.get(said.get("mentionanchor", ""))
            antecedent = anchor.entity if anchor else said.get("entityanchor", "")
            if anaphor and (anchor or (antecedent and not said.get("mentionanchor"))):
                yield Relation(
                    BRIDGING,
                    anaphor.entity,
                    (antecedent,),
                    said.get("rel", ""),
                    joined_spans(anaphor.spans),
                    (joined_spans(anchor.spans),) if anchor else (),
                )
            else:
                flaws.append(
                    LineFlaw(line, f"'{chunk}' does not connect markables; it is left out", fatal=False)
                )


def _layers(rows: Rows) -> dict[str, tuple[str, ...]]:
    columns = _all_columns(rows)
    layers = {
        layer: tuple(row.get(name, UNKNOWN_VALUE) for row in columns) for name, layer in UA_LAYERS.items()
    }
    layers = {name: layer for name, layer in layers.items() if set(layer) - {UNKNOWN_VALUE}}
    tags = layers.get(XPOS) or layers.get(UPOS)
    layers |= {POS: tags} if tags else {}
    heads = _governors(rows)
    return layers | ({HEAD: (*heads, *[ROOT] * len(rows.zeros))} if heads else {})


def _words_by_id(rows: Rows) -> list[dict[str, int]]:
    """Look up words by their IDs in each sentence: files number them by sentence or through the document."""
    return [
        {rows.words[word][1]["ID"]: word for word in range(start, end)}
        | {"0": NO_WORD, UNKNOWN_VALUE: NO_WORD}
        for start, end in rows.sentences
    ]


def _governors(rows: Rows) -> list[str]:
    """Number governors through the document; none if a HEAD names no word of its sentence."""
    heads: list[str] = []
    for (start, end), word_of in zip(rows.sentences, _words_by_id(rows), strict=True):
        for word in range(start, end):
            governor = word_of.get(rows.words[word][1].get("HEAD", UNKNOWN_VALUE))
            if governor is None:
                return []
            heads.append(ROOT if governor == NO_WORD else str(governor))
    return heads if set(heads) - {ROOT} else []


def _zeros(rows: Rows) -> Iterator[Zero]:
    """Place the zeros; several in one position are numbered from 1."""
    words_by_id = [*_words_by_id(rows), {}] if rows.zeros else []
    latest, ordinal = (-1, -1), 0
    for _, columns, before, sentence in rows.zeros:
        ordinal = ordinal + 1 if (before, sentence) == latest else 1
        latest = (before, sentence)
        word_of = words_by_id[sentence]
        named = arcs(columns.get("DEPS", UNKNOWN_VALUE))
        governors = [(word_of[number], relation) for number, relation in named if number in word_of]
        yield Zero(before, ordinal, sentence, tuple(governors))


class ConlluaCorpus(ConlluCorpus):
    """The documents of one or more files of CONLL-UA."""

    header_line = GLOBAL_COLUMNS
    mark = b"EntityI"
    ids_hold_across = False
    has_deixis = True
    _first_version = False

    def read_as(self, counting: str) -> ConlluaCorpus:
        """Read the files as the first version of the scorer did, if scores are to be its."""
        if counting != FIRST_VERSION:
            return self
        other = copy(self)
        other._first_version, other._latest, other._noted = True, None, {}
        return other

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read the mentions of some documents with what goes beyond identity."""
        del bridging
        documents: list[Document | None] = []
        notices: list[str] = []
        minimums: dict[int, tuple[Span, ...]] = {}
        rows = 0
        for number in numbers:
            if number is None:
                documents.append(None)
                continue
            parsed = self._parsed(number)
            assert isinstance(parsed, ParsedConllua)  # made by `parse`
            documents.append(parsed.document)
            notices += self._judged(number, parsed)
            minimums |= {rows + row: spans for row, spans in (parsed.minimums or {}).items()}
            rows += sum(len(c.mentions) for c in (*parsed.document.clusters, *parsed.document.non_referring))
        made = Anaphora.of(documents)
        chains = replace(made.chains, notices=tuple(notices))
        if self._first_version:
            chains = replace(chains, minimums=RowSpans.of(minimums))
        return replace(made, chains=chains)

    def scanned(self, number: int) -> None:
        """Read all columns: there is no other way."""

    def parse(self, id_: str, header: str, text: str) -> ParsedConllua:
        """Read the lines of a document."""
        return parse_conllua(id_, header, text, first_version=self._first_version)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> ConlluaCorpus:
    """Find the documents of all files."""
    return ConlluaCorpus(files, name, strict=reading.strict)
