r"""brat's standoff (Stenetorp et al. 2012): a text in NAME.txt, and its annotation in NAME.ann beside it.

* `T1⇥Person 0 5⇥Maria` marks characters, the end excluded; `0 5;9 12` has a gap. The last column repeats the
  text, with a blank for a line break; it is checked, but not its white space.
* `*⇥Equiv T1 T2 T3` and `R1⇥Coreference Arg1:T2 Arg2:T1` say that marks are of one thing; so do relations of
  other names that mean the same (`standoff.IDENTITY_NAMES`, and those that are given as `identity`). Where
  such a line names an event, `E1`, its trigger is meant.
* Every mark counts as a mention, and one that is in no chain is a singleton; only triggers of events that are
  in no chain do not count. A mark's type is the mention's; `Mention` says nothing.
* All other lines (attributes, notes, normalisations, events, other relations) are kept, not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import UNPACKERS, SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.standoff import (
    UNTYPED,
    FiledCorpus,
    StandoffMark,
    as_it_came,
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

ANNOTATION, TEXT = ".ann", ".txt"
BOTH = (".txt+ann", ".ann+txt")
NUMBER = re.compile(r"[0-9]{1,12}")
TYPE = re.compile(r"\S+")
BREAK = re.compile(r"[\t\n\r\v\f]")
SHOWN_TEXT = 40  # characters


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

    def document(self, id_: str, annotation: str) -> Document:
        """Read an annotation."""
        for number, line in enumerate(annotation.split("\n"), start=1):
            with self.ledger.judging():
                if line.strip():
                    self._take(line.rstrip("\r"), f"{self.path}:{number}")
        links = list(self._links())
        linked = {name for link in links for name in link}
        silent = set(self.triggers.values()) - linked
        counted = {name: mark for name, mark in self.marks.items() if name not in silent}
        document = linked_document(id_, self.running, counted, links, self.path)
        return Document(document.text, document.clusters, layout=("brat", annotation))

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
        elif kind in "R*":
            note_relation(self.ledger, fields[0], where)
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

    def _links(self) -> Iterator[tuple[str, str]]:
        for where, names in self.chains:
            with self.ledger.judging():
                marks = [self.triggers.get(name, name) for name in names]
                if unknown := [mark for mark in marks if mark not in self.marks]:
                    raise FormatError(f"{where}: {unknown[0]} is not a mark of this file")
                if not marks:
                    raise FormatError(f"{where}: a relation without arguments")
                yield from ((marks[0], other) for other in marks)


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
    running, _, clusters = placed(document, "brat", gaps=True)
    mentions = sorted(
        (
            (spans, number, mention.type)
            for number, cluster in enumerate(clusters)
            for mention, spans in cluster
        ),
        key=lambda row: row[:2],
    )
    lines = []
    chains: dict[int, list[str]] = {}
    for name, (spans, number, kind) in enumerate(mentions, start=1):
        offsets = ";".join(f"{start} {end}" for start, end in spans)
        spelled = " ".join(running[start:end] for start, end in spans)
        lines.append(f"T{name}\t{_type(kind, document)} {offsets}\t{BREAK.sub(' ', spelled)}\n")
        chains.setdefault(number, []).append(f"T{name}")
    lines += [f"*\tEquiv {' '.join(names)}\n" for names in chains.values() if len(names) > 1]
    return {TEXT: running, ANNOTATION: "".join(lines)}


def _type(kind: str | None, document: Document) -> str:
    if kind is not None and not TYPE.fullmatch(kind):
        raise FormatError(
            f"document {document.id}: the type '{kind}' has white space or is empty, which brat cannot hold; "
            "write jsonlines instead"
        )
    return UNTYPED if kind is None else kind
