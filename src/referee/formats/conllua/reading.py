"""CONLL-UA, the exploded format of Universal Anaphora (CODI-CRAC, ARRAU): CoNLL-U Plus with more columns.

`# global.columns = ID FORM … IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM` names the columns, which
tabs or runs of blanks separate. What is read, by Universal Anaphora's proposal 1.1 and its scorer:
* IDENTITY: `(EntityID=3|MarkableID=markable_7|Min=4,5|ElementOf=9` opens a markable, `)` closes the one that
  was opened last, `markable_7)` that one; between two there may be an `@`. A MarkableID that opens again is
  another part of a discontinuous mention. `Min` counts words from 1 through the document: one, or the first
  and the last;
* entities that end in `-Pseudo` refer to nothing, and are not mentions;
* the entities of markables that are ElementOf=9 are together the split antecedent of 9;
* BRIDGING: `(MarkableID=markable_7|Rel=poss|MentionAnchor=markable_1|EntityAnchor=1)`;
* rows with the ID 5.1 are zeros: mentions by themselves, and not a part of those around them; rows with the
  ID 0 and without a form describe a scene, and are not words; with one, they are the first words of
  files that count from 0.

DISCOURSE_DEIXIS and the columns after it have other entities, which are kept in the layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.display import number_of
from referee.formats.conllu.entities import LineFlaw
from referee.formats.conllu.reading import ConlluCorpus
from referee.formats.conllu.rows import UNKNOWN_VALUE, UPOS, XPOS, arcs
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.recognition import GLOBAL_COLUMNS
from referee.model import NO_WORD, Cluster, Document, Mention, Relation, Span, Text, Zero, joined_spans
from referee.model.layers import HEAD, LEMMA, POS, ROOT
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT

COLUMNS_LINE = "# global.columns = "
ROW_ID = re.compile(r"(\d{1,9})(\.\d{1,9}|-\d{1,9})?", re.ASCII)
EVENT = re.compile(r"\(([^()]*)|([^()]*)\)")
IDENTITY_COLUMN, BRIDGING_COLUMN = "IDENTITY", "BRIDGING"
UA_LAYERS = {"LEMMA": LEMMA, "UPOS": UPOS, "XPOS": XPOS, "FEATS": "feats", "DEPREL": "deprel"}
PSEUDO = re.compile(r"[-_]pseudo$", re.IGNORECASE)


@dataclass(slots=True)
class _Markable:
    """A mention as its brackets say it."""

    name: str
    entity: str
    attributes: dict[str, str]
    spans: list[Span]
    line: int
    is_open: bool = False


@dataclass(slots=True)
class ParsedConllua:
    """A document of CONLL-UA, and where in its lines it says what."""

    document: Document
    markables: list[_Markable]
    flaws: list[LineFlaw]
    lines: list[int]  # word → its line, from 0

    def line_of_word(self, word: int) -> int:
        """Say which line a word is on, from 0."""
        return self.lines[word]


@dataclass(slots=True)
class _Rows:
    """The rows of a document, by columns."""

    names: list[str]
    flaws: list[LineFlaw]
    words: list[tuple[int, dict[str, str]]] = field(default_factory=list)  # line, and what the columns say
    zeros: list[tuple[int, dict[str, str], int, int]] = field(
        default_factory=list
    )  # and words before, sentence
    order: list[tuple[bool, int]] = field(default_factory=list)  # of all rows: whether a zero, and which
    sentences: list[Span] = field(default_factory=list)


def parse_conllua(id_: str, header: str, text: str) -> ParsedConllua:
    """Read the lines of a document, whose columns the header names."""
    flaws: list[LineFlaw] = []
    rows = _Rows(header.upper().split(), flaws)
    if IDENTITY_COLUMN not in rows.names:
        flaws.append(LineFlaw(0, f"the columns '{header}' do not include {IDENTITY_COLUMN}"))
        rows.names.append(IDENTITY_COLUMN)
    _read_lines(rows, text.split("\n"))
    reader = _MarkableReader(rows, flaws)
    markables = reader.read()
    referring = [markable for markable in markables if not PSEUDO.search(markable.entity)]
    described = Text(
        id_,
        tuple(columns.get("FORM", UNKNOWN_VALUE) for columns in _all_columns(rows)),
        tuple(rows.sentences),
        _layers(rows),
        zeros=tuple(_zeros(rows)),
    )
    clusters = _clusters(referring, described, flaws)
    relations = (*_split_antecedents(referring), *_bridging(rows, markables, flaws))
    document = Document(described, clusters, relations, layout=(COLUMNS_LINE + header, text))
    lines = [line for line, _ in rows.words] + [zero[0] for zero in rows.zeros]
    return ParsedConllua(document, markables, sorted(flaws), lines)


def _all_columns(rows: _Rows) -> list[dict[str, str]]:
    return [columns for _, columns in rows.words] + [zero[1] for zero in rows.zeros]


def cut_row(line: str, width: int) -> list[str]:
    """Cut a row at its tabs, if that gives all columns, or at white space."""
    cells = line.rstrip("\r").split("\t")
    return cells if len(cells) == width else line.split()


def _read_lines(rows: _Rows, lines: Sequence[str]) -> None:
    start, identity = 0, rows.names.index(IDENTITY_COLUMN)
    for number, line in enumerate([*lines, ""]):
        if line.startswith("#"):
            continue
        if not line.strip():
            if len(rows.words) > start:
                rows.sentences.append((start, len(rows.words)))
                start = len(rows.words)
            continue
        cells = cut_row(line, len(rows.names))
        id_ = ROW_ID.fullmatch(cells[0]) if cells else None
        if id_ is None:
            rows.flaws.append(LineFlaw(number, f"'{line.strip()[:40]}' does not begin with a word's number"))
        elif id_[0] == "0" and (len(cells) < 2 or _named(rows, cells).get("FORM") == UNKNOWN_VALUE):
            continue  # a scene
        elif len(cells) <= identity:
            what = f"the line has {number_of(len(cells), 'column')}, but IDENTITY is column {identity + 1}"
            rows.flaws.append(LineFlaw(number, what))
        elif id_[2] and id_[2].startswith("."):
            rows.order.append((True, len(rows.zeros)))
            rows.zeros.append((number, _named(rows, cells), len(rows.words), len(rows.sentences)))
        elif not id_[2]:
            rows.order.append((False, len(rows.words)))
            rows.words.append((number, _named(rows, cells)))


def _named(rows: _Rows, cells: Sequence[str]) -> dict[str, str]:
    return {name: cell.strip() or UNKNOWN_VALUE for name, cell in zip(rows.names, cells, strict=False)}


def attributes_of(chunk: str) -> dict[str, str]:
    """Cut what an opening says into its parts; only the letters of a name count.

    >>> attributes_of("EntityID=3|Markable_ID=m1|Min=4,5@")
    {'entityid': '3', 'markableid': 'm1', 'min': '4,5'}
    """
    pairs = (pair.partition("=") for pair in chunk.strip("@ ").split("|"))
    return {key.lower().replace("_", "").replace("mentionid", "markableid"): value for key, _, value in pairs}


class _MarkableReader:
    """Takes the cells of IDENTITY in order, and lists the markables."""

    def __init__(self, rows: _Rows, flaws: list[LineFlaw]) -> None:
        self._rows = rows
        self._flaws = flaws
        self._stack: list[_Markable] = []
        self._by_name: dict[str, _Markable] = {}

    def read(self) -> list[_Markable]:
        """Read all cells; markables that never close are left out."""
        written = len(self._rows.words)
        for is_zero, number in self._rows.order:
            entry = self._rows.zeros[number] if is_zero else self._rows.words[number]
            cell = entry[1].get(IDENTITY_COLUMN, UNKNOWN_VALUE)
            if cell != UNKNOWN_VALUE:
                self._cell(entry[0], cell, written + number if is_zero else number, is_zero=is_zero)
        for markable in self._stack:
            what = f"markable {markable.name} is opened but never closed"
            self._flaws.append(LineFlaw(markable.line, what, fatal=False))
        return [markable for markable in self._by_name.values() if not markable.is_open]

    def _cell(self, line: int, cell: str, word: int, *, is_zero: bool) -> None:
        before = len(self._stack)
        for event in EVENT.finditer(cell):
            if event[1] is not None:
                self._open(line, event[1], word)
            else:
                self._close(line, event[2].strip("@ "), word)
        rest = EVENT.sub("", cell).strip("@ ")
        if rest:
            self._flaws.append(LineFlaw(line, f"'{rest}' is not a markable", fatal=False))
        if is_zero and len(self._stack) != before:
            self._flaws.append(LineFlaw(line, "a zero begins or ends a markable of several words"))

    def _open(self, line: int, chunk: str, word: int) -> None:
        said = attributes_of(chunk)
        entity = said.get("entityid", "")
        if not entity:
            self._flaws.append(LineFlaw(line, f"'({chunk}' has no EntityID"))
        name = said.get("markableid") or f"word {word}, {len(self._by_name)}"
        markable = self._by_name.setdefault(name, _Markable(name, entity, said, [], line))
        if markable.entity != entity:
            what = f"markable {name} belongs to entity {markable.entity} and to {entity}"
            self._flaws.append(LineFlaw(line, what))
        if markable.is_open:
            self._flaws.append(LineFlaw(line, f"markable {name} is opened again before it is closed"))
            return
        markable.spans.append((word, word + 1))
        markable.is_open = True
        self._stack.append(markable)

    def _close(self, line: int, name: str, word: int) -> None:
        """Close the markable of this name, or the one that was opened last."""
        named = (i for i in range(len(self._stack) - 1, -1, -1) if not name or self._stack[i].name == name)
        at = next(named, None)
        if at is None:
            self._flaws.append(LineFlaw(line, f"markable {name or ')'} is closed but never opened"))
            return
        markable = self._stack.pop(at)
        markable.is_open = False
        start = markable.spans[-1][0]
        markable.spans[-1] = start, max(word, start) + 1


def _clusters(markables: Sequence[_Markable], text: Text, flaws: list[LineFlaw]) -> tuple[Cluster, ...]:
    members: dict[str, list[Mention]] = {}
    for markable in markables:
        spans = joined_spans(markable.spans)
        minimum = _minimum(markable, spans, text.length)
        if markable.attributes.get("min") and minimum is None:
            what = f"Min={markable.attributes['min']} is not inside markable {markable.name}; it is left out"
            flaws.append(LineFlaw(markable.line, what, fatal=False))
        members.setdefault(markable.entity, []).append(Mention(spans, minimum))
    return tuple(Cluster(entity, tuple(mentions)) for entity, mentions in members.items())


def _minimum(markable: _Markable, spans: Sequence[Span], length: int) -> tuple[Span, ...] | None:
    """Read a minimum span: the words from its first number to its last that the markable has."""
    numbers = re.split(r"[,-]", markable.attributes.get("min", ""))
    if not all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers):
        return None
    first, last = int(numbers[0]) - 1, int(numbers[-1])
    if not 0 <= first < last <= length:
        return None
    inside = [(max(first, start), min(last, end)) for start, end in spans if start < last and first < end]
    is_whole = inside and inside[0][0] == first and inside[-1][1] == last
    return tuple(inside) if is_whole else None


def _split_antecedents(markables: Sequence[_Markable]) -> Iterator[Relation]:
    elements: dict[str, dict[str, None]] = {}
    for markable in markables:
        for whole in filter(None, markable.attributes.get("elementof", "").split(",")):
            elements.setdefault(whole, {})[markable.entity] = None
    for whole, parts in elements.items():
        yield Relation(SPLIT_ANTECEDENT, whole, tuple(parts))


def _bridging(rows: _Rows, markables: Sequence[_Markable], flaws: list[LineFlaw]) -> Iterator[Relation]:
    by_name = {markable.name: markable for markable in markables}
    for line, columns in [*rows.words, *((zero[0], zero[1]) for zero in rows.zeros)]:
        cell = columns.get(BRIDGING_COLUMN, UNKNOWN_VALUE)
        for chunk in filter(None, re.split(r"[()@]+", "" if cell == UNKNOWN_VALUE else cell)):
            said = attributes_of(chunk)
            anaphor = by_name.get(said.get("markableid", ""))
            anchor = by_name.get(said.get("mentionanchor", ""))
            antecedent = said.get("entityanchor") or (anchor.entity if anchor else "")
            if anaphor and antecedent:
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


def _layers(rows: _Rows) -> dict[str, tuple[str, ...]]:
    columns = _all_columns(rows)
    layers = {
        layer: tuple(row.get(name, UNKNOWN_VALUE) for row in columns) for name, layer in UA_LAYERS.items()
    }
    layers = {name: layer for name, layer in layers.items() if set(layer) - {UNKNOWN_VALUE}}
    tags = layers.get(XPOS) or layers.get(UPOS)
    layers |= {POS: tags} if tags else {}
    heads = _governors(rows)
    return layers | ({HEAD: (*heads, *[ROOT] * len(rows.zeros))} if heads else {})


def _words_by_id(rows: _Rows) -> list[dict[str, int]]:
    """Look up words by their IDs in each sentence: files number them by sentence or through the document."""
    return [
        {rows.words[word][1]["ID"]: word for word in range(start, end)}
        | {"0": NO_WORD, UNKNOWN_VALUE: NO_WORD}
        for start, end in rows.sentences
    ]


def _governors(rows: _Rows) -> list[str]:
    """Number governors through the document; none if a HEAD names no word of its sentence."""
    heads: list[str] = []
    for (start, end), word_of in zip(rows.sentences, _words_by_id(rows), strict=True):
        for word in range(start, end):
            governor = word_of.get(rows.words[word][1].get("HEAD", UNKNOWN_VALUE))
            if governor is None:
                return []
            heads.append(ROOT if governor == NO_WORD else str(governor))
    return heads if set(heads) - {ROOT} else []


def _zeros(rows: _Rows) -> Iterator[Zero]:
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

    def scanned(self, number: int) -> None:
        """Read all columns: there is no other way."""

    def parse(self, id_: str, header: str, text: str) -> ParsedConllua:
        """Read the lines of a document."""
        return parse_conllua(id_, header, text)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> ConlluaCorpus:
    """Find the documents of all files."""
    return ConlluaCorpus(files, name, strict=reading.strict)
