"""Reads the rows of CoNLL-U: words, empty nodes, ranges of words, sentences and the columns beside them.

A row has ten columns. Its ID is a word's number in the sentence, from 1; `3-4` for a multi-word token; `3.1`
for an empty node after word 3 (`0.1` before the first). In the model empty nodes are zeros: the last words.
`# speaker = NAME` before the rows names who says the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.formats.conllu.entities import LineFlaw
from referee.model import NO_WORD, Span, Zero
from referee.model.layers import HEAD, LEMMA, POS, ROOT, SPEAKER

ID_COLUMN, FORM_COLUMN, HEAD_COLUMN, DEPS_COLUMN, MISC_COLUMN, WIDTH = 0, 1, 6, 8, 9, 10
UPOS, XPOS, FEATS, DEPREL, DEPS = "upos", "xpos", "feats", "deprel", "deps"
LAYER_COLUMNS = {LEMMA: 2, UPOS: 3, XPOS: 4, FEATS: 5, DEPREL: 7, DEPS: 8}  # as they are written
NODE_ID = re.compile(r"(0|[1-9]\d{0,8})(?:([-.])([1-9]\d{0,8}))?", re.ASCII)
SPEAKER_LINE = re.compile(r"#\s*speaker\s*=\s*(.*\S)")
NOBODY = "-"  # where nobody is named, as in CoNLL-2012
SENTENCE_ID = re.compile(r"# sent_id\s*=?\s*(\S+)")
UNKNOWN_VALUE = "_"
PENN_TAGS = frozenset((  # the Penn Treebank's, with those that English treebanks added
    ".", ",", ":", "``", "''", "$", "#", "-LRB-", "-RRB-", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW",
    "HYPH", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP",
    "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP",
    "WP$", "WRB", "XX", "_",
))  # fmt: skip


@dataclass(slots=True)
class NodeTable:
    """The nodes of a document in the order of its rows, and what is wrong with them."""

    lines: list[str]
    nodes: list[list[str]] = field(default_factory=list)  # node → its columns
    line_of: list[int] = field(default_factory=list)  # node → its line, from 0
    sentence_of: list[int] = field(default_factory=list)  # node → its sentence, from 0
    empty: list[tuple[int, int, int]] = field(default_factory=list)  # node, written words before it, ordinal
    ranges: list[tuple[int, int, int]] = field(default_factory=list)  # line, first and last written word
    sentences: list[Span] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)  # of each sentence
    flaws: list[LineFlaw] = field(default_factory=list)

    def numbers(self) -> list[int]:
        """Number the nodes as the model does: written words first, then empty nodes."""
        empty = [node for node, _, _ in self.empty]
        known = set(empty)
        order = [node for node in range(len(self.nodes)) if node not in known] + empty
        numbers = [0] * len(order)
        for number, node in enumerate(order):
            numbers[node] = number
        return numbers


def read_rows(text: str) -> NodeTable:
    """Read the rows of a document; what cannot be read is left out, and is among the flaws."""
    table = NodeTable(text.split("\n"))
    reader = _SentenceReader(table)
    for number, line in enumerate(table.lines):
        if line.startswith("#"):
            reader.comment(number, line)
        elif line.strip():
            reader.row(number, line.rstrip("\r"))
        else:
            reader.end()
    reader.end()
    return table


class _SentenceReader:
    """Takes lines one by one, and knows where it is in a sentence."""

    def __init__(self, table: NodeTable) -> None:
        self._table = table
        self._written = 0  # words so far, in the document
        self._start = 0  # the first word of the sentence
        self._ordinal = 0  # of the last empty node after the last word
        self._first_node = 0
        self._latest_id = ""
        self._speaker = NOBODY

    def comment(self, number: int, line: str) -> None:
        """Read the speaker; see that sentences have distinct ids, as the official scorer does."""
        if speaks := SPEAKER_LINE.match(line):
            self._speaker = speaks[1]
        if named := SENTENCE_ID.match(line):
            if named[1] == self._latest_id:
                self._flaw(number, f"the sentence before has the same sent_id {named[1]}", fatal=False)
            if "/" in named[1]:
                self._flaw(number, f"the sent_id {named[1]} has a slash, as zones have", fatal=False)
            self._latest_id = named[1]

    def _flaw(self, number: int, what: str, *, fatal: bool = True) -> None:
        self._table.flaws.append(LineFlaw(number, what, fatal))

    def row(self, number: int, line: str) -> None:
        """Take a row: a word, an empty node, or a range of words."""
        columns = line.split("\t")
        id_ = NODE_ID.fullmatch(columns[0])
        if id_ is None:
            self._flaw(
                number,
                f"'{columns[0][:40]}' is not an ID of CoNLL-U, whose ten columns are separated by tabs",
            )
            return
        if len(columns) != WIDTH:
            self._flaw(number, f"CoNLL-U has ten columns, but this line has {len(columns)}", fatal=False)
            columns = [*columns, *[UNKNOWN_VALUE] * WIDTH][:WIDTH]
        before = self._written - self._start
        if id_[2] == "-":
            self._range(number, int(id_[1]), int(id_[3]), columns)
        elif id_[2] == ".":
            self._empty(number, before, int(id_[1]), int(id_[3]), columns)
        elif int(id_[1]) != before + 1:
            self._flaw(number, f"word {id_[1]} comes where word {before + 1} of the sentence is expected")
        else:
            self._add(number, columns)
            self._written += 1
            self._ordinal = 0

    def _add(self, number: int, columns: list[str]) -> None:
        self._table.nodes.append(columns)
        self._table.line_of.append(number)
        self._table.sentence_of.append(len(self._table.sentences))

    def _range(self, number: int, first: int, last: int, columns: Sequence[str]) -> None:
        if not self._written - self._start + 1 == first <= last:
            what = f"the range {first}-{last} does not begin with the word after it; it is skipped"
            self._flaw(number, what, fatal=False)
        else:
            self._table.ranges.append((number, self._start + first - 1, self._start + last - 1))
        if any(pair.startswith("Entity=") for pair in columns[MISC_COLUMN].split("|")):
            self._flaw(number, "Entity on a range of words is skipped; put it on a word", fatal=False)

    def _empty(self, number: int, before: int, after: int, ordinal: int, columns: list[str]) -> None:
        if after != before or ordinal <= self._ordinal:
            self._flaw(number, f"the empty node {after}.{ordinal} is not in its order")
            return
        self._ordinal = ordinal
        self._table.empty.append((len(self._table.nodes), self._written, ordinal))
        self._add(number, columns)

    def end(self) -> None:
        """End a sentence; one that has no written word is skipped."""
        table = self._table
        if self._written > self._start:
            table.sentences.append((self._start, self._written))
            table.speakers.append(self._speaker)
        elif len(table.nodes) > self._first_node:
            self._flaw(
                table.line_of[self._first_node],
                "the sentence has no written word and is skipped",
                fatal=False,
            )
            del table.nodes[self._first_node :], table.line_of[self._first_node :]
            del table.sentence_of[self._first_node :]
            table.empty = [entry for entry in table.empty if entry[0] < self._first_node]
        for number, _, last in reversed(table.ranges):
            if last >= self._written:
                what = "the range of words runs over the end of the sentence; it is skipped"
                self._flaw(number, what, fatal=False)
                table.ranges.pop()
        self._start, self._ordinal, self._first_node = self._written, 0, len(table.nodes)
        self._speaker = NOBODY


def zeros_of(table: NodeTable, numbers: Sequence[int]) -> tuple[Zero, ...]:
    """Place the empty nodes, and find the words that they depend on; a DEPS that names none is a flaw."""
    ids = _numbers_by_id(table, numbers) if table.empty else {}
    zeros = []
    for node, before, ordinal in table.empty:
        sentence = table.sentence_of[node]
        governors = []
        for governor, relation in arcs(table.nodes[node][DEPS_COLUMN]):
            number = NO_WORD if governor == "0" else ids.get((sentence, governor))
            if number is None:
                table.flaws.append(
                    LineFlaw(table.line_of[node], f"DEPS names {governor}, which is not a node")
                )
            else:
                governors.append((number, relation))
        zeros.append(Zero(before, ordinal, sentence, tuple(governors)))
    return tuple(zeros)


def arcs(deps: str) -> list[tuple[str, str]]:
    """Cut enhanced dependencies into governors and relations.

    >>> arcs("5:nsubj|5.1:obl:por")
    [('5', 'nsubj'), ('5.1', 'obl:por')]
    """
    if deps == UNKNOWN_VALUE:
        return []
    return [(governor, relation) for governor, _, relation in (arc.partition(":") for arc in deps.split("|"))]


def _numbers_by_id(table: NodeTable, numbers: Sequence[int]) -> dict[tuple[int, str], int]:
    """Look up nodes by sentence and ID, in sentences that have empty nodes."""
    wanted = {table.sentence_of[node] for node, _, _ in table.empty}
    return {
        (sentence, table.nodes[node][ID_COLUMN]): numbers[node]
        for node, sentence in enumerate(table.sentence_of)
        if sentence in wanted
    }


def layers_of(table: NodeTable, order: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Take the columns as layers, where a file fills them; `order` lists the nodes as the model does."""
    nodes = [table.nodes[node] for node in order]
    layers = {name: tuple(node[column] for node in nodes) for name, column in LAYER_COLUMNS.items()}
    layers = {name: layer for name, layer in layers.items() if set(layer) - {UNKNOWN_VALUE}}
    tags, universal = layers.get(XPOS), layers.get(UPOS)
    if tags and (not universal or PENN_TAGS.issuperset(tags)):
        layers[POS] = tags
    elif universal:
        layers[POS] = universal
    if heads := _governors(table, order):
        layers[HEAD] = heads
    if set(table.speakers) - {NOBODY}:
        layers[SPEAKER] = tuple(table.speakers[table.sentence_of[node]] for node in order)
    return layers


def _governors(table: NodeTable, order: Sequence[int]) -> tuple[str, ...]:
    """Number governors through the document; a file without any has no such layer."""
    written = len(table.nodes) - len(table.empty)
    if all(table.nodes[node][HEAD_COLUMN] == UNKNOWN_VALUE for node in order[:written]):
        return ()
    heads = []
    for node in order[:written]:
        head = table.nodes[node][HEAD_COLUMN]
        start, end = table.sentences[table.sentence_of[node]]
        if head in ("0", UNKNOWN_VALUE):
            heads.append(ROOT)
        elif head.isascii() and head.isdigit() and len(head) < 10 and 0 < int(head) <= end - start:
            heads.append(str(start + int(head) - 1))
        else:
            table.flaws.append(
                LineFlaw(table.line_of[node], f"HEAD is '{head}', which is not a word of the sentence")
            )
            heads.append(ROOT)
    return (*heads, *[ROOT] * len(table.empty))
