"""Finds the mentions of CoNLL-U without cutting its columns: what scoring needs, in a fraction of the time.

numpy separates rows from comments and checks their IDs; only cells `Entity=` and the rows of empty nodes are
cut. Whatever is not as it should be makes this reader give up, and the one that reads all columns judges it:
there is one reader of brackets, and one place that knows what is wrong with a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, IntArray, ragged, run_starts
from referee.encoding import lenient
from referee.formats.conll.lines import HASH, NEWLINE, TAB, Bytes
from referee.formats.conllu.document import relations_in
from referee.formats.conllu.entities import (
    Bracketed,
    EntityCell,
    EntityFields,
    EntityReader,
    LineFlaw,
    minimum_positions,
    numbered_words,
    spans_of_words,
)
from referee.formats.conllu.rows import DEPS_COLUMN, ID_COLUMN, WIDTH, arcs
from referee.model import NO_WORD, UNKNOWN, Chains, Relation, RowSpans, Span, Zero
from referee.model.corpus import digest_of_words
from referee.model.mentions import SPLIT_ANTECEDENT, Runs

DOT, HYPHEN, BAR, DIGIT = b".-|0"
LONGEST_ID = 6  # digits
SPLIT = re.compile(rb"[\t|]Split(?:Ante)?=([^|\t\n]+)(?:\|[^\t\n]*)?\r?\n")  # in the last column
CELL = re.compile(rb"Entity=([^|\t\n]*)(?:\|[^\t\n]*)?\n")  # no tab after it: it is in the last column


@dataclass(frozen=True, slots=True)
class ScannedConllu:
    """The mentions of a document, the names of their clusters, and the words that are not written."""

    chains: Chains
    cluster_names: list[str]
    zeros: tuple[Zero, ...]
    text_digest: bytes


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The rows that are words or empty nodes."""

    begin: IntArray  # node → the first byte of its row
    end: IntArray  # node → its newline
    sentence: IntArray
    is_empty: BoolArray
    value: IntArray  # node → its number in the sentence; of an empty node, that of the word before it
    text_digest: bytes

    def numbers(self) -> IntArray:
        """Number the nodes as the model does: written words first."""
        numbers = np.empty(self.begin.size, np.int64)
        order = np.argsort(self.is_empty, kind="stable")
        numbers[order] = np.arange(order.size)
        return numbers


def scan_conllu(block: bytes, header: str) -> ScannedConllu | None:
    """Find the mentions in the lines of a document; None if it has to be read with all its columns."""
    data = block if block.endswith(b"\n") else block + b"\n"
    nodes = _find_nodes(data)
    cells = None if nodes is None else _find_cells(data, nodes)
    if nodes is None or cells is None or (cells and not header):
        return None
    reader = EntityReader(EntityFields(header))
    reader.read(cells)
    numbers = nodes.numbers()
    zeros = _find_zeros(data, nodes, numbers)
    if reader.flaws or zeros is None:
        return None
    return _assembled(reader, nodes, numbers.tolist(), zeros)


def sets_in(block: bytes, names: Sequence[str]) -> list[Relation] | None:
    """Find split antecedents in the last column of words with entities; None if one has to be looked at."""
    if block.count(b"SplitAnte=") + block.count(b"Split=") == 0:
        return []
    known, flaws = set(names), list[LineFlaw]()
    relations: list[Relation] = []
    hits = list(SPLIT.finditer(block))
    if len(hits) != block.count(b"SplitAnte=") + block.count(b"Split="):
        return None
    for hit in hits:
        row = block[block.rfind(b"\n", 0, hit.start()) + 1 : hit.end()]
        if b"Entity=" in row:
            relations += relations_in(SPLIT_ANTECEDENT, lenient(hit[1]), 0, flaws)
    named = {name for relation in relations for name in (relation.anaphor, *relation.antecedents)}
    return None if flaws or named - known else relations


def _find_nodes(data: bytes) -> _Nodes | None:
    """Find rows, and check that the words of each sentence are numbered from 1."""
    text = np.frombuffer(data, np.uint8)
    end = np.flatnonzero(text == NEWLINE)
    begin = np.append(0, end[:-1] + 1)
    lead = text[begin]
    row = np.flatnonzero((lead >= DIGIT) & (lead < DIGIT + 10))
    if row.size + np.count_nonzero(lead == NEWLINE) + np.count_nonzero(lead == HASH) != begin.size:
        return None
    tab = np.flatnonzero(text == TAB)
    first_tab = np.searchsorted(tab, begin)
    if (np.diff(first_tab, append=tab.size)[row] != WIDTH - 1).any():
        return None
    first_tab = first_tab[row]
    sentence = np.cumsum(lead == NEWLINE)[row]
    value, mark = _leading_numbers(text, begin[row])
    word, empty = mark == TAB, mark == DOT
    if (~(word | empty | (mark == HYPHEN))).any() or not word.any():
        return None
    starts = run_starts(sentence)
    sentence = np.cumsum(starts) - 1
    words_before = np.cumsum(word) - word
    inside = words_before - words_before[starts][sentence]
    if (value[word] != inside[word] + 1).any() or (value[empty] != inside[empty]).any():
        return None
    if (np.bincount(sentence[word], minlength=sentence[-1] + 1) == 0).any():  # a sentence without words
        return None
    node = word | empty
    forms = text[ragged(tab[first_tab[word]] + 1, tab[first_tab[word] + 1] + 1)]  # each with its tab
    digest = digest_of_words(forms.tobytes())
    return _Nodes(begin[row][node], end[row][node], sentence[node], empty[node], value[node], digest)


def _leading_numbers(text: Bytes, begin: IntArray) -> tuple[IntArray, IntArray]:
    """Read the decimal number at the beginning of each row, and the byte after it."""
    value = np.zeros(begin.size, np.int64)
    mark = np.zeros(begin.size, np.int64)
    going = np.arange(begin.size)
    for position in range(LONGEST_ID + 1):
        byte = text.take(begin[going] + position, mode="clip").astype(np.int64)
        is_digit = (byte >= DIGIT) & (byte < DIGIT + 10)
        mark[going[~is_digit]] = byte[~is_digit]
        going, byte = going[is_digit], byte[is_digit]
        value[going] = value[going] * 10 + byte - DIGIT
    return value, mark


def _find_cells(data: bytes, nodes: _Nodes) -> list[EntityCell] | None:
    """Cut out the cells of entities, each in the last column of a node, and one in a row."""
    hits = [(match.start(), match[1]) for match in CELL.finditer(data)]
    if not hits:
        return None if b"Entity=" in data else []
    start = np.array([hit[0] for hit in hits])
    node = np.searchsorted(nodes.begin, start, side="right") - 1
    before = np.frombuffer(data, np.uint8)[start - 1]
    apt = (node >= 0) & (start < nodes.end[node]) & ((before == TAB) | (before == BAR))
    if not apt.all() or data.count(b"Entity=") != len(hits):
        return None
    sentences = nodes.sentence[node].tolist()
    texts = [lenient(text) for _, text in hits]
    return [EntityCell(n, s, 0, text) for n, s, text in zip(node.tolist(), sentences, texts, strict=True)]


def _find_zeros(data: bytes, nodes: _Nodes, numbers: IntArray) -> tuple[Zero, ...] | None:
    """Read the rows of empty nodes: their ordinals, and what they depend on."""
    empty = np.flatnonzero(nodes.is_empty).tolist()
    if not empty:
        return ()
    rows = [lenient(data[nodes.begin[node] : nodes.end[node]]).split("\t") for node in empty]
    written = np.cumsum(~nodes.is_empty)  # words up to each node
    first_nodes = np.flatnonzero(run_starts(nodes.sentence))
    word_of = {
        (int(nodes.sentence[node]), columns[ID_COLUMN]): int(numbers[node])
        for node, columns in zip(empty, rows, strict=True)
    }
    zeros = []
    latest = (-1, 0, 0)
    for node, columns in zip(empty, rows, strict=True):
        sentence = int(nodes.sentence[node])
        ordinal = columns[ID_COLUMN].partition(".")[2]
        if not ordinal.isdigit() or ordinal.startswith("0"):
            return None
        here = (sentence, int(nodes.value[node]), int(ordinal))
        first = int(first_nodes[sentence])
        start = int(written[first]) - (not nodes.is_empty[first])
        last = int(first_nodes[sentence + 1]) if sentence + 1 < first_nodes.size else nodes.begin.size
        length = int(written[last - 1]) - start
        governors = _governors(columns[DEPS_COLUMN], start, length, sentence, word_of)
        if here <= latest or governors is None:
            return None
        latest = here
        zeros.append(Zero(int(written[node]), int(ordinal), sentence, governors))
    return tuple(zeros)


def _governors(
    deps: str, start: int, length: int, sentence: int, empty: dict[tuple[int, str], int]
) -> tuple[tuple[int, str], ...] | None:
    governors = []
    for governor, relation in arcs(deps):
        if governor == "0":
            number = NO_WORD
        elif (sentence, governor) in empty:
            number = empty[sentence, governor]
        elif (
            governor.isascii()
            and governor.isdigit()
            and len(governor) <= LONGEST_ID
            and 0 < int(governor) <= length
        ):
            number = start + int(governor) - 1
        else:
            return None
        governors.append((number, relation))
    return tuple(governors)


def _assembled(
    reader: EntityReader, nodes: _Nodes, numbers: Sequence[int], zeros: tuple[Zero, ...]
) -> ScannedConllu | None:
    """Put mentions into columns, cluster by cluster, each cluster's in the order of their openings."""
    runs = Runs(numbers)
    clusters: dict[str, list[Bracketed]] = {}
    for mention in reader.mentions:
        clusters.setdefault(mention.name, []).append(mention)
    columns: list[tuple[int, int, int, int]] = []  # start, end, cluster, head
    parts: dict[int, tuple[Span, ...]] = {}
    minimums: dict[int, tuple[Span, ...]] = {}
    for cluster, mentions in enumerate(clusters.values()):
        for mention in mentions:
            words = numbered_words(mention, runs)
            head = int(mention.head[:9]) if mention.head else 0
            if head > len(words) > 1:
                return None
            spans = ((words[0], words[-1] + 1),) if isinstance(words, range) else spans_of_words(words)
            if len(spans) > 1:
                parts[len(columns)] = spans
            if minimum := reader.fields.minimum_of(mention.values):
                positions = minimum_positions(minimum, len(words))
                if positions is None:
                    return None
                minimums[len(columns)] = spans_of_words([words[at] for at in positions])
            head_word = words[min(head, len(words)) - 1] if head else UNKNOWN
            columns.append((spans[0][0], spans[-1][1], cluster, head_word))
    start, end, cluster_column, heads = np.array(columns, np.int64).reshape(-1, 4).T
    chains = Chains(
        np.zeros(start.size, np.int64),
        start,
        end,
        cluster_column,
        np.zeros(len(clusters), np.int64),
        np.array([np.count_nonzero(~nodes.is_empty)]),
        RowSpans.of(parts),
        RowSpans.of(minimums),
        None if (heads == UNKNOWN).all() else heads,
    )
    return ScannedConllu(chains, list(clusters), zeros, nodes.text_digest)
