"""What the JSON of annotation tools has in common: texts with marks in them, and relations between marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.jsonlines.reading import NAMES, lines_of
from referee.formats.ledger import Ledger
from referee.formats.tools.standoff import (
    FiledCorpus,
    StandoffMark,
    linked_document,
    means_identity,
    note_relation,
    whole_text,
)
from referee.model import Document, Span

Fields = dict[str, Any]


@dataclass(slots=True)
class Task:
    """A text with marks and links, as far as it has been read."""

    running: str
    where: str
    ledger: Ledger
    marks: dict[str, StandoffMark] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)

    def link(self, one: str, other: str, label: str) -> None:
        """Tie two marks together, if the relation's name says that they are of one thing."""
        if not means_identity(label, self.ledger.reading):
            note_relation(self.ledger, label, self.where)
            return
        for name in (one, other):
            if name not in self.marks:
                raise FormatError(
                    f"{self.where}: a relation names the mark {name[:40]}, which does not exist"
                )
        self.links.append((one, other))

    def document(self, id_: str) -> Document:
        """Put marks and links together."""
        return linked_document(id_, self.running, self.marks, self.links, self.where)


def offsets(fields: Mapping[str, Any], names: tuple[str, str], where: str) -> Span:
    """Take two offsets of an object."""
    start, end = (fields.get(name) for name in names)
    if type(start) is not int or type(end) is not int:
        raise FormatError(f"{where}: {names[0]} and {names[1]} must be whole numbers: {short(fields)}")
    return start, end


def objects(fields: Mapping[str, Any], name: str, where: str) -> list[Fields]:
    """Take a field that is a list of objects, or absent."""
    listed = fields.get(name)
    listed = [] if listed is None else listed
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise FormatError(f"{where}: {name} must be a list of objects: {short(listed)}")
    return listed


def string_field(fields: Mapping[str, Any], name: str, where: str) -> str:
    """Take a field that is a string."""
    if not isinstance(fields.get(name), str):
        raise FormatError(f"{where}: has no {name} that is a string; fields: {', '.join(fields) or 'none'}")
    return str(fields[name])


def short(value: object) -> str:
    """Show the beginning of a value."""
    return json.dumps(value)[:60]


def given_name(*places: object) -> str | None:
    """Find a document's name in objects that may have one; numbers are names too."""
    known = [fields for fields in places if isinstance(fields, dict)]
    named = (fields[name] for fields in known for name in NAMES if isinstance(fields.get(name), str | int))
    return next(map(str, named), None)


Make = Callable[[Fields, str, str, Ledger], Document | None]


def corpus_of_lines(
    files: Sequence[SeekableFile], name: str, form: str, make: Make, reading: Reading
) -> FiledCorpus:
    """Read a document from each line; `make` takes fields, a default name, where, and the ledger."""
    ledger = Ledger(reading)
    corpus = FiledCorpus(_documents_by_line(files, form, make, reading, ledger), name, named=True)
    ledger.close(corpus)
    return corpus


def _documents_by_line(
    files: Sequence[SeekableFile], form: str, make: Make, reading: Reading, ledger: Ledger
) -> Iterator[tuple[str, Document]]:
    for file in files:
        for count, (start, size, line, fields) in enumerate(lines_of(file), start=1):
            unnamed = stem(file.path) + (f"#{count}" if count > 1 else "")
            where, document = f"{file.path}:{line}", None
            with reading.surviving(where):
                document = make(fields, unnamed, where, ledger)
            if document is not None:
                raw = whole_text(file, start, size)
                yield where, Document(document.text, document.clusters, layout=(form, raw))
        file.close()


def fields_of(line: str) -> Fields:
    """Read a line's fields once more."""
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise FormatError("expected a JSON object")
    return fields


def steps(chain: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
    """Pair each of a chain with the one before it: an anaphor, and its antecedent."""
    return zip(chain[1:], chain, strict=False)
