"""Makes a document of the lines of CoNLL-U: words, layers, zeros, clusters and relations.

`Bridge=e1<e5:part` says that e5 is anchored in e1, `SplitAnte=e3<e9,e4<e9` that e9 is e3 and e4 together;
both are read at words that have `Entity`, too. The running text is put together from the forms,
`SpaceAfter=No` and multi-word tokens, whose words all have the characters of the whole token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from referee.display import number_of
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
from referee.formats.conllu.rows import FORM_COLUMN, MISC_COLUMN, NodeTable, layers_of, read_rows, zeros_of
from referee.model import Cluster, Document, Mention, Relation, Span, Text
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT, Runs

HEADER = "# global.Entity = "
RELATION_KEYS = {"Bridge": BRIDGING, "SplitAnte": SPLIT_ANTECEDENT, "Split": SPLIT_ANTECEDENT}
NO_SPACE = "SpaceAfter=No"


class ParsedLines(Protocol):
    """A document that was read from lines, and what is wrong with these."""

    @property
    def document(self) -> Document:
        """What the lines say."""

    @property
    def flaws(self) -> list[LineFlaw]:
        """What is wrong with them."""

    def line_of_word(self, word: int) -> int:
        """Say which line a word is on, from 0."""


@dataclass(frozen=True, slots=True)
class ParsedConllu:
    """A document, and where in its lines it says what."""

    document: Document
    fields: EntityFields
    table: NodeTable
    numbers: Sequence[int]  # node → word
    brackets: list[Bracketed]  # mentions, in the order of their openings
    mentions: list[Mention]  # the same, as the model has them
    links: list[tuple[int, Relation]]  # node, and what is said there
    flaws: list[LineFlaw]

    def line_of_word(self, word: int) -> int:
        """Say which line a word is on, from 0."""
        return self.table.line_of[self.numbers.index(word)]


def parse_conllu(id_: str, header: str, text: str) -> ParsedConllu:
    """Read the lines of a document, whose fields of entities the header names."""
    table = read_rows(text)
    numbers = table.numbers()
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    fields = EntityFields(header)
    cells = list(_entity_cells(table))
    reader = EntityReader(fields)
    if not header and cells:
        what = "Entity= without a header; put '# global.Entity = eid-etype-head-other' before the first word"
        table.flaws.append(LineFlaw(cells[0].line, what))
    else:
        reader.read(cells)
    maker = _MentionMaker(fields, Runs(numbers), table.flaws)
    mentions = [maker.mention(bracketed) for bracketed in reader.mentions]
    clusters = _clusters(reader.mentions, mentions)
    first_at: dict[tuple[str, int], tuple[Span, ...]] = {}
    for bracketed, mention in zip(reader.mentions, mentions, strict=True):
        first_at.setdefault((bracketed.name, bracketed.parts[0][0]), mention.spans)
    links = [
        (node, replace(link, anaphor_spans=first_at.get((link.anaphor, node), ())))
        if link.kind == BRIDGING
        else (node, link)
        for node, link in _links(table, cells, {cluster.id for cluster in clusters})
    ]
    running, characters = _running(table)
    described = Text(
        id_,
        tuple(table.nodes[node][FORM_COLUMN] for node in order),
        tuple(table.sentences),
        layers_of(table, order),
        running=running,
        characters=characters,
        zeros=zeros_of(table, numbers),
    )
    relations = tuple(relation for _, relation in links)
    document = Document(described, clusters, relations, layout=(HEADER + header, text))
    flaws = sorted([*table.flaws, *reader.flaws])
    return ParsedConllu(document, fields, table, numbers, reader.mentions, mentions, links, flaws)


def _entity_cells(table: NodeTable) -> Iterator[EntityCell]:
    """List what nodes say of entities; of several, the last counts."""
    for node, columns in enumerate(table.nodes):
        misc = columns[MISC_COLUMN]
        if "Entity=" in misc:
            said = [pair[7:] for pair in misc.split("|") if pair.startswith("Entity=")]
            if len(said) > 1:
                table.flaws.append(
                    LineFlaw(table.line_of[node], "Entity occurs twice; the last one counts", fatal=False)
                )
            if said:
                yield EntityCell(node, table.sentence_of[node], table.line_of[node], said[-1])


@dataclass(frozen=True, slots=True)
class _MentionMaker:
    """Gives mentions in the model's numbers of words."""

    fields: EntityFields
    numbers: Runs
    flaws: list[LineFlaw]

    def mention(self, bracketed: Bracketed) -> Mention:
        """Make a mention, with its head, its minimum span and its type."""
        words = numbered_words(bracketed, self.numbers)
        values = bracketed.values
        kind = values[self.fields.type] if self.fields.type < len(values) else ""
        minimum = self.fields.minimum_of(values)
        positions = minimum_positions(minimum, len(words)) if minimum else None
        if minimum and positions is None:
            what = (
                f"the minimum span '{minimum}' is not inside the mention of {bracketed.name}; it is left out"
            )
            self.flaws.append(LineFlaw(bracketed.line, what, fatal=False))
        return Mention(
            spans_of_words(words),
            spans_of_words([words[position] for position in positions]) if positions else None,
            self._head(bracketed, words),
            kind or None,
        )

    def _head(self, bracketed: Bracketed, words: Sequence[int]) -> int | None:
        head = int((bracketed.head or "0")[:9])
        if not head:
            return None
        if len(words) == 1:
            return words[0]
        if head > len(words):
            what = (
                f"the head {head} of a mention of {bracketed.name} is beyond its "
                f"{number_of(len(words), 'word')}"
            )
            self.flaws.append(LineFlaw(bracketed.line, what))
            return None
        return words[head - 1]


def _clusters(brackets: Sequence[Bracketed], mentions: Sequence[Mention]) -> tuple[Cluster, ...]:
    """Put mentions of one name together, in the order of the openings; the first type counts."""
    members: dict[str, list[Mention]] = {}
    types: dict[str, str] = {}
    for bracketed, mention in zip(brackets, mentions, strict=True):
        members.setdefault(bracketed.name, []).append(mention)
        if mention.type:
            types.setdefault(bracketed.name, mention.type)
    return tuple(Cluster(name, tuple(some), types.get(name)) for name, some in members.items())


def _links(table: NodeTable, cells: Sequence[EntityCell], names: set[str]) -> Iterator[tuple[int, Relation]]:
    """List the relations that nodes name, those of split antecedents once for each anaphor."""
    for cell in cells:
        for pair in table.nodes[cell.node][MISC_COLUMN].split("|"):
            key, _, value = pair.partition("=")
            if key in RELATION_KEYS:
                for relation in relations_in(RELATION_KEYS[key], value, cell.line, table.flaws):
                    yield cell.node, relation
                    for name in {relation.anaphor, *relation.antecedents} - names:
                        what = f"{key} names the entity {name}, which has no mention"
                        table.flaws.append(LineFlaw(cell.line, what, fatal=False))


def relations_in(kind: str, value: str, line: int, flaws: list[LineFlaw]) -> Iterator[Relation]:
    """Read what a word says of relations of one kind."""
    together: dict[str, list[str]] = {}
    for link in value.split(","):
        antecedent, mark, anaphor = link.partition("<")
        if not (antecedent and mark and anaphor):
            flaws.append(
                LineFlaw(line, f"'{link}' is not a relation such as e1<e5; it is left out", fatal=False)
            )
        elif kind == BRIDGING:
            anaphor, _, label = anaphor.partition(":")
            yield Relation(kind, anaphor, (antecedent,), label)
        else:
            together.setdefault(anaphor, []).append(antecedent)
    for anaphor, antecedents in together.items():
        yield Relation(kind, anaphor, tuple(antecedents))


def _running(table: NodeTable) -> tuple[str | None, tuple[Span, ...]]:
    """Put the running text together, where a file says more than blanks between words."""
    empty = {node for node, _, _ in table.empty}
    rows = [columns for node, columns in enumerate(table.nodes) if node not in empty]
    ranges = {first: (last, table.lines[line].rstrip("\r").split("\t")) for line, first, last in table.ranges}
    if not ranges and not any(NO_SPACE in columns[MISC_COLUMN] for columns in rows):
        return None, ()
    pieces: list[str] = []
    characters: list[Span] = []
    at = word = 0
    while word < len(rows):
        last, columns = ranges.get(word, (word, rows[word]))
        form = columns[FORM_COLUMN]
        characters += [(at, at + len(form))] * (last - word + 1)
        piece = form if NO_SPACE in columns[MISC_COLUMN].split("|") else form + " "
        pieces.append(piece)
        at += len(piece)
        word = last + 1
    return "".join(pieces).rstrip(" "), tuple(characters)
