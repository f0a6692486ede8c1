"""WebAnno TSV 3.2 and 3.3, as WebAnno and INCEpTION export it: one document per file, one token per line.

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType


    #Text=Ann lost her hat.
    1-1⇥0-3⇥Ann⇥coref->1-1⇥name[1]⇥
    1-2⇥4-8⇥lost⇥_⇥_⇥

* Offsets count units of UTF-16: an emoji takes two. The text is that of the `#Text=` lines; between sentences
  it is white space.
* Layers are declared at the head (`T_SP` spans, `T_CH` chains, `T_RL` relations), a column for each feature.
  Of chain layers `relation->CHAIN-LINK` in the column referenceRelation says which mention a token is part
  of, and `type[CHAIN]` in referenceType its type; `|` stacks several, `_` is nothing, `*` no value.
* Layers of relations between spans may be coreference too: `webanno_relations` says which, and how.
* A mention reaches from the first of its lines to the last. `1-3.1` is a part of the token 1-3: a token in
  which a mention begins or ends is cut there, and the document's words count as cut by us. Links without any
  character are skipped.
* All other columns are kept, not read.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.marks import FLAGS_FEATURE, NO_FLAGS, Group, MarkRelation, layered
from referee.formats.tools.standoff import (
    LETTER,
    CodeUnits,
    FiledCorpus,
    as_it_came,
    is_called_coreference,
    name_by_file,
    note_relation,
    note_spans,
    whole_text,
)
from referee.formats.tools.webanno_relations import (
    BASE,
    SYNTAX,
    RelationLayer,
    SpanMark,
    stacked,
    unescaped,
)
from referee.formats.tools.webanno_writing import written_afresh
from referee.model import Cluster, Document, Mention, Span, Text, linked_groups

FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3\.[23]\s*")
LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]*)(.*)")
UNIT = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")
LINK = re.compile(r"(?:.*[^\\]|)->([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
TYPED = re.compile(r"(.*)\[([0-9]{1,9})\]", re.DOTALL)
RELATION, TYPE = "referenceRelation", "referenceType"
SUFFIXES = (".tsv",)
LinkKey = tuple[int, int, int]  # layer, chain, link
LARGEST_GAP = 2**20  # units of white space in all between sentences


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files, each of which is a document."""
    ledger = Ledger(reading)
    documents = []
    for file in files:
        table = _Table(file.path, ledger)
        documents.append(
            (f"{file.path}:1", table.document(name_by_file(file.path, SUFFIXES), whole_text(file)))
        )
    corpus = FiledCorpus(documents, name, named=False, row=_row_of)
    ledger.close(corpus)
    return corpus


def _row_of(text: Text, word: int) -> str:
    """Make the pattern of a word's line."""
    return rf"^\d+-\d+\S*\t{CodeUnits(text.running or '').before(text.characters[word][0])}-"


def contents(document: Document) -> dict[str, str]:
    """Write a document as its file."""
    before = as_it_came(document, "webanno", lambda content, id_: _Table("", Ledger()).document(id_, content))
    return {SUFFIXES[0]: written_afresh(document) if before is None else before}


@dataclass(slots=True)
class _Table:
    """What has been read of a file."""

    path: str
    ledger: Ledger
    chains: list[tuple[int, int]] = field(default_factory=list)  # columns: relation, type
    spans: dict[str, range] = field(default_factory=dict)  # layer of spans → its columns
    references: dict[str, int] = field(default_factory=dict)  # → the one with what spans refer to
    layers: list[RelationLayer] = field(default_factory=list)
    doubtful: dict[str, list[str]] = field(default_factory=dict)  # span layer called coreference → its lines
    columns: int = 3
    text: list[str] = field(default_factory=list)
    length: int = 0  # of the text, in units
    padded: int = 0
    tokens: list[tuple[int, int, int]] = field(default_factory=list)  # units, and the line
    shown: list[str] = field(default_factory=list)  # tokens as their lines have them
    sentences: list[int] = field(default_factory=list)  # numbers of their first tokens
    text_lines: list[int] = field(default_factory=list)  # of the sentences' texts
    header: list[str] = field(default_factory=list)  # the text of the sentence that begins
    text_line: int = 0  # where that is
    links: dict[LinkKey, SpanMark] = field(default_factory=dict)
    relations: list[MarkRelation] = field(default_factory=list)  # between the keys of links

    def document(self, id_: str, content: str) -> Document:
        """Read a file."""
        lines = content.split("\n")
        body = self._head([line.rstrip("\r") for line in lines[:1000]])
        for number, line in enumerate(lines[body:], start=body + 1):
            self._take(line.rstrip("\r"), number)
        if self.header:
            raise FormatError(f"{self.path}:{len(lines)}: a sentence without tokens; the file breaks off")
        self.layers = [layer for layer in self.layers if self._is_read(layer)]
        self._note_doubtful()
        for number, layers in enumerate(self._layers_by_spans(), start=len(self.chains)):
            self._join(layers, number)
        document = _Cutting(self).document(id_)
        return replace(document, layout=("webanno", content))

    def _head(self, lines: Sequence[str]) -> int:
        """Read what layers there are, and return how many lines that takes."""
        first = next((number for number, line in enumerate(lines) if line.strip()), 0)
        if not FORMAT.fullmatch(lines[first].lstrip("\ufeff ")):
            raise FormatError(
                f"{self.path}:{first + 1}: expected #FORMAT=WebAnno TSV 3.2 or 3.3; export it as such"
            )
        for number, line in enumerate(lines[first + 1 :], start=first + 2):
            layer = LAYER.fullmatch(line)
            if layer is None:
                return number - 1
            names = [name for name in layer[3].split("|") if name] or [""]
            if layer[1] == "CH":
                if not {RELATION, TYPE} <= set(names):
                    raise FormatError(f"{self.path}:{number}: a chain layer needs {RELATION} and {TYPE}")
                self.chains.append((self.columns + names.index(RELATION), self.columns + names.index(TYPE)))
            self._layer(layer[1], layer[2], names)
            self.columns += len(names)
        return len(lines)

    def _layer(self, kind: str, name: str, names: Sequence[str]) -> None:
        """Keep where the columns of a layer of spans, or of relations between such spans, are."""
        columns = range(self.columns, self.columns + len(names))
        base = next((each for each in names if each.startswith(BASE)), "").removeprefix(BASE)
        if kind == "SP":
            self.spans[name] = columns
            if FLAGS_FEATURE in names:
                self.references[name] = self.columns + names.index(FLAGS_FEATURE)
            if is_called_coreference(name):
                self.doubtful[name] = []
        elif kind == "RL" and base in self.spans and not name.startswith(SYNTAX):
            target = self.columns + names.index(BASE + base)
            values = range(self.columns, target)
            spans, reference = self.spans[base], self.references.get(base)
            self.layers.append(RelationLayer(name, spans, reference, values, target, self.ledger.reading))

    def _take(self, line: str, number: int) -> None:
        if line.startswith("#Text="):
            self.text_line = self.text_line if self.header else number
            self.header.append(line.removeprefix("#Text="))
        elif not line.strip() or line.startswith("#"):
            if line.startswith("#T_") or (self.header and not line):
                raise FormatError(f"{self.path}:{number}: expected the tokens of a sentence")
        else:
            self._row(line.split("\t"), number)

    def _row(self, cells: list[str], number: int) -> None:
        unit, offsets = UNIT.fullmatch(cells[0]), OFFSETS.fullmatch(cells[1] if len(cells) > 1 else "")
        if unit is None or offsets is None or len(cells) < self.columns:
            raise FormatError(
                f"{self.path}:{number}: expected a token: SENTENCE-TOKEN, START-END, the token and "
                f"{self.columns - 3} columns, with tabs between"
            )
        start, end = int(offsets[1]), int(offsets[2])
        if not unit[3]:
            self._token(start, end, cells[2], number)
        elif not self.tokens or not self.tokens[-1][0] <= start <= end <= self.tokens[-1][1]:
            raise FormatError(f"{self.path}:{number}: {start}-{end} is not inside the token before it")
        for layer, (relation, kind) in enumerate(self.chains):
            if (cells[relation], cells[kind]) != ("_", "_"):
                self._links(layer, cells[relation], cells[kind], (start, end), number)
        for name, places in self.doubtful.items():
            if any(cells[column] != "_" for column in self.spans[name]):
                places.append(f"{self.path}:{number}")
        for relations in self.layers:
            relations.take(cells, cells[0], (start, end), f"{self.path}:{number}", number)

    def _token(self, start: int, end: int, token: str, number: int) -> None:
        if self.header:
            self._sentence(start, number)
        before = self.tokens[-1][1] if self.tokens else 0
        if not before <= start <= end <= self.length:
            raise FormatError(
                f"{self.path}:{number}: the token {start}-{end} overlaps the one before it, or is not inside "
                f"the text of its sentence, which ends at {self.length}; offsets count units of UTF-16"
            )
        self.tokens.append((start, end, number))
        self.shown.append(token)

    def _sentence(self, start: int, number: int) -> None:
        """Put the text of a sentence, which begins with its first token, after white space."""
        self.padded += start - self.length
        if start < self.length or self.padded > LARGEST_GAP:
            raise FormatError(
                f"{self.path}:{number}: the sentence begins at {start}, but the text before it ends at "
                f"{self.length}; offsets count units of UTF-16"
            )
        line = unescaped("\n".join(self.header))
        self.text += [" " * (start - self.length - 1) + "\n" if start > self.length else "", line]
        self.length = start + CodeUnits(line).length
        self.sentences.append(len(self.tokens))
        self.text_lines.append(self.text_line)
        self.header = []

    def _links(self, layer: int, relations: str, types: str, span: Span, number: int) -> None:
        where = f"{self.path}:{number}"
        values = [stacked(cell) for cell in (relations, types)]
        if len(values[0]) != len(values[1]):
            raise FormatError(f"{where}: {RELATION} and {TYPE} stack different numbers of values")
        for relation, kind in zip(*values, strict=True):
            link, typed = LINK.fullmatch(relation), TYPED.fullmatch(kind)
            if link is None or typed is None:
                raise FormatError(f"{where}: expected coref->1-1 and type[1], not '{relation}' and '{kind}'")
            if int(link[1]) != int(typed[2]):
                raise FormatError(f"{where}: '{relation}' and '{kind}' belong to two chains")
            key = (layer, int(link[1]), int(link[2]))
            type_ = None if typed[1] == "*" else unescaped(typed[1])
            known = self.links.setdefault(key, SpanMark(*span, type_, number))
            known.start, known.end = min(known.start, span[0]), max(known.end, span[1])

    def _note_doubtful(self) -> None:
        """Note layers of spans that are called after coreference, unless relations between them are read."""
        read = [layer.spans for layer in self.layers]
        for name, places in self.doubtful.items():
            if self.spans[name] not in read:
                note_spans(self.ledger, name, *places)

    def _is_read(self, layer: RelationLayer) -> bool:
        if layer.relations and not layer.is_read:
            for relation in layer.relations:
                note_relation(self.ledger, relation.value or layer.kind, f"{self.path}:{relation.line}")
        return layer.is_read

    def _layers_by_spans(self) -> list[list[RelationLayer]]:
        """Put layers of relations between the same spans together."""
        by_spans: dict[range, list[RelationLayer]] = {}
        for layer in self.layers:
            by_spans.setdefault(layer.spans, []).append(layer)
        return [*by_spans.values()]

    def _join(self, layers: Sequence[RelationLayer], number: int) -> None:
        """Make chains of the spans of layers that are tied by identity, and keep other relations."""
        for layer in layers:
            layer.check(self.path)
        relations = [(layer.kind_of(each), each) for layer in layers for each in layer.relations]
        marks = layers[0].marks
        group_of = linked_groups(
            marks, [(each.anaphor, each.antecedent) for kind, each in relations if kind == ""]
        )
        chain_of: dict[str, int] = {}
        key_of: dict[str, LinkKey] = {}
        for name, mark in sorted(marks.items(), key=lambda item: (item[1].start, item[1].end)):
            chain = chain_of.setdefault(group_of[name], len(chain_of) + 1)
            key_of[name] = (number, chain, len(key_of) + 1)
            self.links[key_of[name]] = mark
        for kind, each in relations:
            ends = str(key_of[each.anaphor]), str(key_of[each.antecedent])
            if kind:
                self.relations.append(MarkRelation(kind, *ends, each.value, f"{self.path}:{each.line}"))


class _Cutting:
    """Makes words of tokens, cut further where a mention begins or ends inside of one."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._running = "".join(table.text)
        self._units = CodeUnits(self._running)
        self._spans = [self._characters(start, end, line) for start, end, line in table.tokens]
        for (start, end), shown, (*_, line) in zip(self._spans, table.shown, table.tokens, strict=True):
            here = self._running[start:end]
            if here in (shown, unescaped(shown)):
                continue
            if here.casefold() == shown.casefold():
                what = f"the token is '{shown[:40]}', but the text, which counts, has '{here[:40]}'"
                table.ledger.skip(what, f"{table.path}:{line}")
            else:
                raise FormatError(
                    f"{table.path}:{line}: the token is '{shown[:40]}', but the text has '{here[:40]}' "
                    "there; offsets count units of UTF-16"
                )
        self._note_uncovered()

    def _note_uncovered(self) -> None:
        """Note the sentences whose text has more than their tokens."""
        ends = [0, *(end for _, end in self._spans)]
        starts = [*(start for start, _ in self._spans), len(self._running)]
        for token, gap in enumerate(zip(ends, starts, strict=True)):
            if LETTER.search(self._running, *gap):
                sentence = bisect_left(self._table.sentences, token) - 1
                where = f"{self._table.path}:{self._table.text_lines[max(sentence, 0)]}"
                self._table.ledger.skip("the text has words without a token, which are not read", where)

    def _characters(self, start: int, end: int, line: int) -> Span:
        try:
            return self._units.character(start), self._units.character(end)
        except ValueError as error:
            raise FormatError(f"{self._table.path}:{line}: {error}; offsets count units of UTF-16") from error

    def document(self, id_: str) -> Document:
        """Put words, sentences and clusters together."""
        mentions = [(key, *self._extent(link)) for key, link in sorted(self._table.links.items())]
        edges = sorted({edge for _, start, end in mentions if start < end for edge in (start, end)})
        pieces = [list(_pieces(span, edges)) for span in self._spans]
        words = [piece for parts in pieces for piece in parts]
        before = list(accumulate(map(len, pieces), initial=0))
        firsts = [before[token] for token in self._table.sentences]
        text = Text(
            id_,
            tuple(self._running[start:end] for start, end in words),
            tuple(pairwise([*firsts, len(words)])),
            running=self._running,
            characters=tuple(words),
            cut=len(words) > len(self._spans),
        )
        found = dict(self._mentions(mentions, words))
        clusters: dict[str, list[LinkKey]] = {}
        for key in sorted(found, key=lambda key: found[key]):
            clusters.setdefault(self._id(key), []).append(key)
        order = sorted(clusters, key=lambda id_: min(clusters[id_]))
        made = tuple(Cluster(id_, tuple(found[key] for key in clusters[id_])) for id_ in order)
        groups = [
            Group(
                [*map(str, clusters[id_])],
                NO_FLAGS.union(*(self._table.links[key].flags for key in clusters[id_])),
            )
            for id_ in order
        ]
        return layered(Document(text, made), groups, self._table.relations, self._table.ledger)

    def _extent(self, link: SpanMark) -> Span:
        return self._characters(link.start, link.end, link.line)

    def _mentions(
        self, mentions: Sequence[tuple[LinkKey, int, int]], words: Sequence[Span]
    ) -> Iterator[tuple[LinkKey, Mention]]:
        """Find the words of links; those without text are skipped."""
        starts, ends = [start for start, _ in words], [end for _, end in words]
        for key, start, end in mentions:
            link = self._table.links[key]
            first, last = bisect_left(ends, start + 1), bisect_right(starts, end - 1)
            if first < last and LETTER.search(self._running, start, end):
                yield key, Mention(((first, last),), type=link.type)
            else:
                where = f"{self._table.path}:{link.line}"
                self._table.ledger.skip(f"a link of chain {key[1]} without text is skipped", where)

    def _id(self, key: LinkKey) -> str:
        """Name a chain; if there are several layers, also by its layer."""
        layered = len(self._table.chains) + len(self._table.layers) > 1
        return f"{key[0] + 1}-{key[1]}" if layered else str(key[1])


def _pieces(span: Span, edges: Sequence[int]) -> Iterator[Span]:
    """Cut a span at the edges inside of it."""
    start, end = span
    for edge in edges[bisect_right(edges, start) : bisect_left(edges, end)]:
        yield start, edge
        start = edge
    yield start, end
