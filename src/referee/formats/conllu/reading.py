"""CoNLL-U with coreference in its last column, as CorefUD and GUM have it.

What is read, by the rules of the official CorefUD scorer:
* rows by `conllu_rows`, entity brackets by `conllu_entities`, relations by `conllu_document`;
* a document starts at `# newdoc id = NAME`, with the comments before it up to the blank line; without a name
  it is called by its number, and a file without such lines is one document, named after the file. Documents
  of one name are one document;
* the last `# global.Entity` of a file applies to the whole file; an entity in two documents is one in each.

A document's `layout` is the header and all its lines: writing it again gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.conllu.document import ParsedLines, parse_conllu
from referee.formats.conllu.scan import ScannedConllu, scan_conllu, sets_in
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, count_lines, stem
from referee.model import Anaphora, Chains, Corpus, Document, Zero

CHUNK = 2**20  # bytes read at a time while looking for documents
FIRST_ROW = re.compile(rb"(?:\A|\n)\d")
NEW_DOCUMENT = re.compile(rb"# newdoc(?:[ \t]+id[ \t]*=[ \t]*([^\r\n]+?))?[ \t]*\r?(?:\n|\Z)")
GLOBAL_ENTITY = re.compile(rb"# global\.Entity[ \t]*=[ \t]*([^\s]+)")
OLD_MARK = b"ClusterId"  # of CorefUD 0.x, in the last column
OLD_ANNOTATION = (
    ". Some have ClusterId, as in CorefUD 0.x, which is not read; take the corpus of CorefUD 1.0 or later, "
    "or convert the file with Udapi (read.OldCorefUD)"
)
ADVICE = "correct the file (referee validate lists all such places)"


@dataclass(slots=True)
class _Entry:
    """Where a document is: usually one piece of one file."""

    id: str
    pieces: list[tuple[SeekableFile, int, int]]  # file, first byte, byte after the last


@dataclass(slots=True)
class _Index:
    """What a pass over a file finds."""

    documents: list[tuple[str | None, int]] = field(default_factory=list)  # name, first byte
    headers: list[str] = field(default_factory=list)
    has_entities: bool = False
    has_old_entities: bool = False
    size: int = 0


class ConlluCorpus(Corpus):
    """The documents of one or more CoNLL-U files, indexed first and read when asked for."""

    header_line = GLOBAL_ENTITY  # what says how the annotation is written, once for a file
    mark = b"Entity="  # what a file has that is annotated
    ids_hold_across = True  # whether an entity's id should occur in one document only

    def __init__(self, files: Sequence[SeekableFile], name: str, *, strict: bool = False) -> None:
        """Find where the documents are. `strict` refuses what the official scorer skips."""
        self.name = name
        self._strict = strict
        self._entries: list[_Entry] = []
        self._headers: dict[str, str] = {}  # file → the fields of its entities
        self._latest: tuple[int, ParsedLines] | None = None
        self._noted: dict[int, tuple[tuple[Zero, ...], bytes]] = {}  # of documents whose mentions were read
        self._document_of: dict[str, int] = {}  # entity → the document that it was first seen in
        self._has_noted_entity = False
        self._first_lines: dict[int, list[tuple[int, str, int]]] = {}  # of documents that messages name
        self.named = False
        self.notices: list[str] = []
        by_id: dict[str, _Entry] = {}
        for file in files:
            index = _index(file, self.header_line, self.mark)
            self._headers[file.path] = index.headers[-1] if index.headers else ""
            self._note_header(file, index)
            for id_, start, stop in self._documents(file, index, alone=len(files) == 1):
                self._add(by_id, id_, file, start, stop)
            file.close()
        self.ids = [entry.id for entry in self._entries]

    def _note_header(self, file: SeekableFile, index: _Index) -> None:
        if not index.has_entities:
            what = f"{file.path}: CoNLL-U without coreference: no word has {lenient(self.mark)}"
            self.notices.append(what + (OLD_ANNOTATION if index.has_old_entities else ""))
        if len(set(index.headers)) > 1:
            name = index.headers[-1]
            self._note(f"{file.path}: has several headers; the last one applies to all: {name}")

    def _note(self, what: str) -> None:
        if self._strict:
            raise FormatError(f"{what}; strict refuses it")
        self.notices.append(what)

    def _documents(self, file: SeekableFile, index: _Index, *, alone: bool) -> Iterator[tuple[str, int, int]]:
        """Name the documents of a file: those without a name by their number, or the file's name."""
        begun = index.documents or [(None, 0)]
        stops = [*(start for _, start in begun[1:]), index.size]
        for number, ((name, start), stop) in enumerate(zip(begun, stops, strict=True), start=1):
            if name == "" and alone:
                name = str(number)
            self.named |= bool(name)
            yield name or stem(file.path) + (f"#{number}" if number > 1 else ""), start, stop

    def _add(self, by_id: dict[str, _Entry], id_: str, file: SeekableFile, start: int, stop: int) -> None:
        if id_ in by_id:
            self._note(f"{file.path}: document {id_} occurs twice; both are read as one")
            by_id[id_].pieces.append((file, start, stop))
        else:
            by_id[id_] = _Entry(id_, [(file, start, stop)])
            self._entries.append(by_id[id_])

    def weight(self, number: int) -> int:
        """Count the document's bytes."""
        return sum(stop - start for _, start, stop in self._entries[number].pieces)

    def block(self, number: int) -> bytes:
        """Read the lines of a document."""
        blocks = []
        for file, start, stop in self._entries[number].pieces:
            blocks.append(file.read(start, stop - start))
            file.close()
        return b"".join(blocks)

    def header(self, number: int) -> str:
        """Give the fields that entities of a document have."""
        return self._headers[self._entries[number].pieces[0][0].path]

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read the mentions of some documents; only what is odd is read with all its columns."""
        return Chains.joined([self._chains(number) for number in numbers]) if numbers else Chains.of([])

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read mentions with what goes beyond identity; all columns only for bridging and what is odd."""
        made = [self._anaphora(number, bridging=bridging) for number in numbers]
        return Anaphora.joined(made) if made else Anaphora.of([])

    def _anaphora(self, number: int | None, *, bridging: bool) -> Anaphora:
        if number is None:
            return Anaphora.of([None])
        scanned = None if bridging else self.scanned(number)
        sets = None if scanned is None else sets_in(self.block(number), scanned.cluster_names)
        if scanned is None or sets is None:
            document = self.document(number)
            names = [cluster.id for cluster in document.clusters]
            made = Anaphora.of([document])
            return replace(made, chains=replace(made.chains, notices=self._shared_entity(number, names)))
        self._noted[number] = scanned.zeros, scanned.text_digest
        notices = self._shared_entity(number, scanned.cluster_names)
        chains = replace(scanned.chains, notices=notices)
        return Anaphora.with_sets(chains, scanned.cluster_names, sets, self.ids[number])

    def _chains(self, number: int | None) -> Chains:
        if number is None:
            return Chains.of([None])
        if scanned := self.scanned(number):
            self._noted[number] = scanned.zeros, scanned.text_digest
            return replace(scanned.chains, notices=self._shared_entity(number, scanned.cluster_names))
        parsed = self._parsed(number)
        notices = self._judged(number, parsed)
        names = [cluster.id for cluster in parsed.document.clusters]
        return replace(Chains.of([parsed.document]), notices=(*notices, *self._shared_entity(number, names)))

    def _shared_entity(self, number: int, names: Sequence[str]) -> tuple[str, ...]:
        """Say once that an entity is in two documents."""
        shared = self._seen_before(number, names)
        if not shared or self._has_noted_entity:
            return ()
        self._has_noted_entity = True
        name, other = shared[0]
        what = f"entity {name} is in {self.ids[other]} and in {self.ids[number]}, and is one entity in each"
        return (f"{self.name}: {what}",)

    def _seen_before(self, number: int, names: Sequence[str]) -> list[tuple[str, int]]:
        """List the entities that another document has, too, and which one."""
        if not self.ids_hold_across or "GRP" in self.header(number).split("-"):
            return []
        firsts = ((name, self._document_of.setdefault(name, number)) for name in names)
        return [(name, first) for name, first in firsts if first != number]

    def scanned(self, number: int) -> ScannedConllu | None:
        """Read only mentions and zeros of a document, if nothing about it is odd."""
        return None if self._strict else scan_conllu(self.block(number), self.header(number))

    def zeros(self, number: int) -> tuple[Zero, ...]:
        """Read only the words of a document that are not written."""
        return self._note_of(number)[0]

    def text_digest(self, number: int) -> bytes:
        """Sum up the words of a document that are written."""
        return self._note_of(number)[1]

    def _note_of(self, number: int) -> tuple[tuple[Zero, ...], bytes]:
        """Look up what reading the mentions of a document found beside them."""
        if number not in self._noted:
            scanned = self.scanned(number)
            self._noted[number] = (
                (self.document(number).text.zeros, super().text_digest(number))
                if scanned is None
                else (scanned.zeros, scanned.text_digest)
            )
        return self._noted[number]

    def document(self, number: int) -> Document:
        """Read a document with all its columns, and its layout."""
        parsed = self._parsed(number)
        self.note(self._judged(number, parsed))
        return parsed.document

    def salvage(self, number: int) -> Document:
        """Read what can be read of a document."""
        return self._parsed(number).document

    def _parsed(self, number: int) -> ParsedLines:
        if self._latest is None or self._latest[0] != number:
            text = lenient(self.block(number))
            self._latest = number, self.parse(self.ids[number], self.header(number), text)
        return self._latest[1]

    def parse(self, id_: str, header: str, text: str) -> ParsedLines:
        """Read the lines of a document with all their columns."""
        return parse_conllu(id_, header, text)

    def _judged(self, number: int, parsed: ParsedLines) -> list[str]:
        """Refuse what the official scorer refuses; report what else was skipped."""
        notices = []
        for line, what, fatal in parsed.flaws:
            where = self._where(number, line)
            if fatal:
                raise FormatError(f"{where}: {what}; {ADVICE}")
            if self._strict:
                raise FormatError(f"{where}: {what}; strict refuses it")
            notices.append(f"{where}: {what}")
        return notices

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document's lines."""
        parsed = self._parsed(number)
        listed = [(line, what) for line, what, _ in parsed.flaws]
        starts = {cluster.id: cluster.mentions[0].start for cluster in parsed.document.clusters}
        for name, first in self._seen_before(number, list(starts)):
            what = f"entity {name} is in {self.ids[first]} too, and is one entity in each"
            listed.append((parsed.line_of_word(starts[name]), what))
        return [(int(self._where(number, line).rsplit(":", 1)[1]), what) for line, what in sorted(listed)]

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document, or one of its words, is: FILE:LINE."""
        if word is None:
            return self._where(number, 0)
        return self._where(number, self._parsed(number).line_of_word(word))

    def _where(self, number: int, line: int) -> str:
        """Say FILE:LINE of a line, counted from 0 in the document."""
        if number not in self._first_lines:
            self._first_lines[number] = list(_first_lines(self._entries[number]))
        first, path, before = max(entry for entry in self._first_lines[number] if entry[0] <= line)
        return f"{path}:{before + line - first + 1}"

    def __getstate__(self) -> dict[str, object]:
        """Leave out cached values when sent to another process."""
        return {**self.__dict__, "_latest": None, "_noted": {}}


def _first_lines(entry: _Entry) -> Iterator[tuple[int, str, int]]:
    """Say of each piece of a document which of its lines is the first, its file, and the lines before it."""
    line = 0
    for file, start, stop in entry.pieces:
        yield line, file.path, count_lines(file, 0, start)
        line += count_lines(file, start, stop)
        file.close()


def _index(file: SeekableFile, header_line: re.Pattern[bytes], mark: bytes) -> _Index:
    """Find documents and headers in one pass over a file, some sentences at a time."""
    index = _Index()
    for start, piece in _sentences(file):
        index.has_entities |= mark in piece
        if not index.has_entities:
            index.has_old_entities |= OLD_MARK in piece
        _find_documents(piece, start, index)
        for header in header_line.finditer(piece):
            if _begins_line(piece, header.start()):
                index.headers.append(lenient(header[1]))
        index.size = start + len(piece)
    return index


def _sentences(file: SeekableFile) -> Iterator[tuple[int, bytes]]:
    """Read a file in pieces that end where a sentence does."""
    position, size = 0, CHUNK
    while piece := file.read(position, size):
        if len(piece) == size:
            whole = max(piece.rfind(b"\n\n") + 2, piece.rfind(b"\n\r\n") + 3)
            if whole < 3:  # a sentence longer than the piece
                size *= 2
                continue
            piece = piece[:whole]
        yield position, piece
        position += len(piece)


def _find_documents(piece: bytes, start: int, index: _Index) -> None:
    """Find the comments that begin documents; words before the first are a separate document."""
    has_returns = b"\n\r\n" in piece  # asked once: a search that finds nothing goes through the whole piece
    for begin in NEW_DOCUMENT.finditer(piece):
        hit = begin.start()
        if not _begins_line(piece, hit):
            continue
        blank = piece.rfind(b"\n\n", 0, hit) + 2
        blank = max(blank, piece.rfind(b"\n\r\n", 0, hit) + 3) if has_returns else blank
        first = blank if blank > 2 else 0
        if not index.documents and FIRST_ROW.search(piece, 0, first):
            index.documents.append((None, 0))
        name = lenient(begin[1] or b"")
        index.documents.append((name, start + first if index.documents else 0))
    if not index.documents and FIRST_ROW.search(piece):
        index.documents.append((None, 0))


def _begins_line(piece: bytes, at: int) -> bool:
    return at == 0 or piece[at - 1 : at] == b"\n"


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> ConlluCorpus:
    """Find the documents of all files."""
    return ConlluCorpus(files, name, strict=reading.strict)
