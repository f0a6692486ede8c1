r"""brat's standoff (Stenetorp et al. 2012): a text in NAME.txt, and its annotation in NAME.ann beside it.

* `T1⇥Person 0 5⇥Maria` marks characters, the end excluded; `0 5;9 12` has a gap. The last column repeats the
  text, with a blank for a line break; it is checked, but not its white space. Some files, as some of NARC,
  have the line break itself.
* `*⇥Equiv T1 T2 T3` and `R1⇥Coreference Arg1:T2 Arg2:T1` say that marks are of one thing; so do relations of
  other names that mean the same (`standoff.IDENTITY_NAMES`, and those that are given as `identity`). Where
  such a line names an event, `E1`, its trigger is meant.
* Every mark counts as a mention, and one that is in no chain is a singleton; only triggers of events that are
  in no chain do not count. A mark's type is the mention's; `Mention` says nothing.
* `R2⇥Bridging Arg1:T5 Arg2:T3` is bridging, from the anaphor to its antecedent, as in NARC (Mæhlum et al.
  2022), and `Split_antecedent` leads to each part of a split antecedent. `Bridging_LABEL` has a label.
* `A1⇥Non_referring T4` says that a mark refers to nothing, `A2⇥Deixis T7` that it is of discourse deixis,
  with all that it is linked with. `R3⇥Discourse_deixis Arg1:T5 Arg2:T7` links two marks there; they belong to
  identity as well if other lines link them.
* All other lines (attributes, notes, normalisations, events, other relations) are kept, not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import UNPACKERS, SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.marks import (
    NON_REFERRING,
    Flags,
    MarkRelation,
    flags_of,
    flattened,
    name_of,
)
from referee.formats.tools.standoff import (
    UNTYPED,
    FiledCorpus,
    StandoffMark,
    as_it_came,
    kind_of_relation,
    linked_document,
    means_identity,
    mention_of,
    name_by_file,
    note_relation,
    placed,
    reads_as,
    whole_text,
)
from referee.model import Document, Span, Text
from referee.model.mentions import DEIXIS

ANNOTATION, TEXT = ".ann", ".txt"
BOTH = (".txt+ann", ".ann+txt")
NUMBER = re.compile(r"[0-9]{1,12}")
TYPE = re.compile(r"\S+")
START = re.compile(r"[TREAMN]\S*\t|[*#]")  # of a line
SPAN_LINE = re.compile(r"T[^\t]*\t\S+ ([0-9]{1,12}) ([0-9]{1,12})\t(.*)", re.DOTALL)
BREAK = re.compile(r"[\t\n\r\v\f]")
SHOWN_TEXT = 40  # characters
ATTRIBUTES = {DEIXIS: "Deixis", NON_REFERRING: "Non_referring"}
AGAIN = "deixis of "  # before the name of a mark that deixis links, and identity may too


def pair_of(path: Path) -> list[str]:
    """List the annotation that a name stands for: NAME, NAME.txt or NAME.txt+ann, where NAME.ann exists."""
    name = str(path)
    ending = next((ending for ending in (*BOTH, TEXT) if name.endswith(ending)), "")
    if not ending and path.exists():
        return []
    annotation = name.removesuffix(ending) + ANNOTATION
    return [annotation] if Path(annotation).is_file() else []


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read annotations, each with its text."""
    ledger = Ledger(reading)
    documents = []
    for file in files:
        annotation = whole_text(file)
        lines = _Lines(file.path, _text_beside(file.path), ledger)
        document = lines.document(name_by_file(file.path, [ANNOTATION]), annotation)
        documents.append((f"{file.path}:1", document))
    corpus = FiledCorpus(documents, name, named=False, row=_row_of)
    ledger.close(corpus)
    return corpus


def _row_of(text: Text, word: int) -> str:
    """Make the pattern of the line of a mark that begins with a word."""
    return rf"^T\d+\t\S+ {text.characters[word][0]} "


def _text_beside(path: str) -> str:
    """Read the text that an annotation is of."""
    packing = next((packing for packing in UNPACKERS if path.endswith(packing)), "")
    base = path.removesuffix(packing).removesuffix(ANNOTATION) + TEXT
    for name in dict.fromkeys([base + packing, base, *(base + other for other in UNPACKERS)]):
        if name != path and Path(name).is_file():
            return whole_text(SeekableFile(name))
    raise FormatError(
        f"{path}:1: there is no {base}, which has the text of this brat annotation; put it there"
    )


@dataclass(slots=True)
class _Lines:
    """What has been read of an annotation."""

    path: str
    running: str
    ledger: Ledger
    marks: dict[str, StandoffMark] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)  # event → its trigger
    chains: list[tuple[str, list[str]]] = field(default_factory=list)  # where, and what is of one thing
    beyond: list[tuple[str, str, list[str]]] = field(default_factory=list)  # the same of other relations
    flags: list[tuple[str, str, Flags]] = field(default_factory=list)  # where, mark, what its attribute says

    def document(self, id_: str, annotation: str) -> Document:
        """Read an annotation."""
        for number, line in _whole_lines(annotation):
            with self.ledger.judging():
                if line.strip():
                    self._take(line.rstrip("\r"), f"{self.path}:{number}")
        links = [(names[0], other) for names in map(self._ends, self.chains) for other in names]
        relations, deixis = self._relations()
        named = {name for link in links for name in link}
        named |= {name for each in relations for name in (each.anaphor, each.antecedent)}
        self._flag()
        silent = {*self.triggers.values(), *(name for link in deixis for name in link)} - named
        counted = {name: mark for name, mark in self.marks.items() if name not in silent}
        for link in deixis:
            counted |= {AGAIN + name: self.marks[name]._replace(flags=frozenset([DEIXIS])) for name in link}
        links += [(AGAIN + one, AGAIN + other) for one, other in deixis]
        document = linked_document(id_, self.running, counted, links, self.path, relations, self.ledger)
        return replace(document, layout=("brat", annotation))

    def _take(self, line: str, where: str) -> None:
        kind, columns = line[0], line.split("\t", 2)
        fields = columns[1].split(" ") if len(columns) > 1 else [""]
        if kind == "T":
            self._mark(columns, where)
        elif kind == "E":
            self.triggers[columns[0]] = self._argument(fields[0], where)
        elif kind == "*" and means_identity(fields[0], self.ledger.reading):
            self.chains.append((where, [name for name in fields[1:] if name]))
        elif kind == "R" and means_identity(fields[0], self.ledger.reading):
            self.chains.append((where, [self._argument(field, where) for field in fields[1:] if field]))
        elif kind == "R" and (flags_of(fields[0]) == {DEIXIS} or kind_of_relation(fields[0])):
            ends = [self._argument(field, where) for field in fields[1:] if field]
            self.beyond.append((where, fields[0], ends))
        elif kind in "R*":
            note_relation(self.ledger, fields[0], where)
        elif kind in "AM" and len(fields) > 1 and (flags := flags_of(fields[-1 if len(fields) > 2 else 0])):
            self.flags.append((where, fields[1], flags))
        elif kind not in "AMN#":
            raise FormatError(
                f"{where}: '{line[:40]}' is not a line of brat, which begins with one of T R * E A M N #"
            )

    def _argument(self, field: str, where: str) -> str:
        role, colon, name = field.partition(":")
        if not colon or not role or not name:
            raise FormatError(f"{where}: expected ROLE:NAME, such as Arg1:T1, not '{field[:40]}'")
        return name

    def _mark(self, columns: list[str], where: str) -> None:
        name = columns[0]
        kind, _, offsets = columns[1].partition(" ") if len(columns) > 1 else ("", "", "")
        spans = [_span(pair, where) for pair in offsets.split(";")]
        if not kind:
            raise FormatError(f"{where}: {name} has no type")
        if name in self.marks:
            raise FormatError(f"{where}: {name} occurs twice; give one of them another number")
        mark = StandoffMark(spans, None if kind == UNTYPED else kind, where)
        mention_of(mark, self.running)  # which refuses spans that are not inside the text
        self.marks[name] = mark
        start, end = spans[0]
        here = BREAK.sub(" ", self.running[start : min(end, start + SHOWN_TEXT)])
        if len(columns) > 2 and not reads_as(self.running, spans, columns[2]):
            raise FormatError(
                f"{where}: {name} is '{columns[2][:SHOWN_TEXT]}', but the text has '{here}' at {offsets}; "
                "offsets count characters of the text file, line ends as they are"
            )

    def _ends(self, chain: tuple[str, Sequence[str]]) -> list[str]:
        """Find the marks that a line names; none, and a fault, if one does not exist."""
        where, names = chain
        with self.ledger.judging():
            marks = [self.triggers.get(name, name) for name in names]
            if unknown := [mark for mark in marks if mark not in self.marks]:
                raise FormatError(f"{where}: {unknown[0]} is not a mark of this file")
            if not marks:
                raise FormatError(f"{where}: a relation without arguments")
            return marks
        return []

    def _relations(self) -> tuple[list[MarkRelation], list[tuple[str, str]]]:
        """List the relations beyond identity, and apart from them the links of discourse deixis."""
        relations, deixis = [], []
        for where, value, names in self.beyond:
            ends = self._ends((where, names))
            with self.ledger.judging():
                if ends and len(ends) != 2:
                    raise FormatError(f"{where}: {value} has {len(ends)} arguments; two are expected")
            if len(ends) != 2:
                continue
            if flags_of(value):
                deixis.append((ends[0], ends[1]))
            else:
                relations.append(MarkRelation(kind_of_relation(value) or "", ends[0], ends[1], value, where))
        return relations, deixis

    def _flag(self) -> None:
        for where, name, flags in self.flags:
            for mark in self._ends((where, [name])):
                self.marks[mark] = self.marks[mark]._replace(flags=self.marks[mark].flags | flags)


def _whole_lines(annotation: str) -> Iterator[tuple[int, str]]:
    """List lines with their numbers; a mark's line goes on if its text, as some files have it, has breaks."""
    first, whole = 1, ""
    for number, line in enumerate(annotation.split("\n"), start=1):
        mark = SPAN_LINE.fullmatch(whole)
        if mark and len(mark[3]) < int(mark[2]) - int(mark[1]) and not START.match(line):
            whole = f"{whole}\n{line}"
            continue
        yield first, whole
        first, whole = number, line
    yield first, whole


def _span(pair: str, where: str) -> Span:
    offsets = pair.split(" ")
    if len(offsets) != 2 or not all(NUMBER.fullmatch(offset) for offset in offsets):
        raise FormatError(f"{where}: expected offsets such as '0 5' or '0 5;9 12', not '{pair[:40]}'")
    return int(offsets[0]), int(offsets[1])


def contents(document: Document) -> dict[str, str]:
    """Write a document as its two files."""
    text = document.text.running or ""
    annotation = as_it_came(
        document, "brat", lambda before, id_: _Lines("", text, Ledger()).document(id_, before)
    )
    if annotation is not None:
        return {TEXT: text, ANNOTATION: annotation}
    whole, flags, ends = flattened(document)
    running, _, clusters = placed(whole, "brat", gaps=True)
    mentions = sorted(
        (spans, number, at, mention.type)
        for number, cluster in enumerate(clusters)
        for at, (mention, spans) in enumerate(cluster)
    )
    lines, attributes = [], []
    chains: dict[int, list[str]] = {}
    named: dict[tuple[int, int], str] = {}
    for name, (spans, number, at, kind) in enumerate(mentions, start=1):
        offsets = ";".join(f"{start} {end}" for start, end in spans)
        spelled = " ".join(running[start:end] for start, end in spans)
        lines.append(f"T{name}\t{_type(kind, document)} {offsets}\t{BREAK.sub(' ', spelled)}\n")
        chains.setdefault(number, []).append(f"T{name}")
        named[number, at] = f"T{name}"
        attributes += [f"{ATTRIBUTES[flag]} T{name}\n" for flag in sorted(flags[number])]
    lines += [f"*\tEquiv {' '.join(names)}\n" for names in chains.values() if len(names) > 1]
    lines += [f"A{number}\t{said}" for number, said in enumerate(attributes, start=1)]
    for number, (relation, anaphor, antecedent) in enumerate(ends, start=1):
        kind = _word(name_of(relation), "relation", document)
        lines.append(f"R{number}\t{kind} Arg1:{named[anaphor]} Arg2:{named[antecedent]}\n")
    return {TEXT: running, ANNOTATION: "".join(lines)}


def _type(kind: str | None, document: Document) -> str:
    return UNTYPED if kind is None else _word(kind, "type", document)


def _word(name: str, what: str, document: Document) -> str:
    if not TYPE.fullmatch(name):
        raise FormatError(
            f"document {document.id}: the {what} '{name}' has white space or is empty, which brat cannot "
            "hold; write jsonlines instead"
        )
    return name
