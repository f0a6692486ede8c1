"""CoNLL-2011/2012 files and their relatives: one token per line, the coreference column last.

What is read:
* columns separated by tabs or runs of white space, any number of them from two on; `brackets` has the
  grammar of the coreference column, and `lines` distinguishes tokens that begin with `#` from comments;
* `#begin document NAME` and `#end document`, also with a space after the `#`. A document ends at its end
  line, at the next begin line, or with the file. Where there is no name, the file's name is taken, with a
  number from the second document on; a file without begin lines is one document. Rows outside of documents
  are not read, and a notice names their lines;
* blank lines end sentences.

CoNLL-2012's own layout (twelve columns or more) gives the layers part, pos, parse, lemma, speaker, entity.
The layer `row` is the line up to the coreference cell, and a document's `layout` all the rest: writing it
again gives the same bytes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from referee.display import number_of
from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.conll import brackets
from referee.formats.conll.brackets import Fault, Flaw, Scan, doubt
from referee.formats.conll.document_index import DocumentIndex, Entry
from referee.formats.conll.lines import find_lines, joined
from referee.formats.conll.writing import LAYOUT_2012
from referee.formats.format import Reading
from referee.formats.io.opening import BYTE_ORDER_MARK, SeekableFile, count_lines, stem
from referee.formats.ledger import OUTSIDE, Ledger
from referee.formats.recognition import DOCUMENT_MARK
from referee.model import Chains, Cluster, Corpus, Document, Mention, Text

CHUNK = 2**17  # bytes read at a time while looking for documents
END_OF_FILE = b"end of file"
BROKEN_OFF = "the file breaks off in this line, and its last document with it"
NO_END = "the document has no '#end document' line, so its end may be missing"
FULL_WIDTH = 12
COMMENT = (b"#", BYTE_ORDER_MARK + b"#")
BLANK = re.compile(r"[\x00-\x20]+")


class ConllCorpus(Corpus):
    """The documents of one or more CoNLL files, indexed first and read piece by piece."""

    def __init__(self, files: Sequence[SeekableFile], name: str, *, strict: bool = False) -> None:
        """Find where the documents are. `strict` refuses what the reference scorer silently skips."""
        self.name = name
        self._strict = strict
        self._entries = DocumentIndex()
        self._first_lines: dict[int, int] = {}  # document → its first line, if it was asked for
        self._latest: tuple[int, bytes, Scan] | None = None  # the document asked for last, and its lines
        self._has_mentions: bool | None = None
        self.named = False
        outside = Ledger()
        for file in files:
            for entry, has_name in _index(file, outside):
                self._entries.append(file, entry)
                self.named |= has_name
            file.close()
        self.ids = self._entries.ids
        self.reference_names = self.named
        self.notices: list[str] = outside.notices()
        if strict and self.notices:
            raise FormatError(f"{self.notices[0]}; strict input refuses it, protocol='conll' skips it")
        if not any(BROKEN_OFF in notice for notice in self.notices):
            self.notices += self._without_end()

    def _without_end(self) -> Iterator[str]:
        """Say so where documents lack an end line, unless all of several do: then it is the file's way."""
        begun, ended = self._entries.begun_and_ended()
        without = begun & ~ended
        count = int(without.sum())
        if count and (count == 1 or count < begun.sum()):
            more = f"; {number_of(count - 1, 'other document')} likewise" if count > 1 else ""
            yield f"{self.location(int(without.argmax()))}: {NO_END}{more}"

    def weight(self, number: int) -> int:
        """Count the document's bytes."""
        return self._entries.size(number)

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Scan the coreference column of some documents."""
        return self.chains_in(self.scan(numbers), numbers)

    def scan(self, numbers: Sequence[int | None]) -> Scan:
        """Read the lines of some documents, and the mentions in them."""
        return brackets.scan(self.blocks(numbers))

    def chains_in(self, scan: Scan, numbers: Sequence[int | None]) -> Chains:
        """Take the mentions out of a scan, and judge its flaws."""
        chains = scan.chains
        missing = [i for i, number in enumerate(numbers) if number is None]
        chains.lengths[missing] = -1
        notices = self._judged(scan, numbers)
        return Chains(
            chains.document, chains.start, chains.end, chains.cluster, chains.cluster_document,
            chains.lengths, notices=tuple(notices),
        )  # fmt: skip

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document's coreference column."""
        _, scan = self._scanned(number)
        first = self._first_line(number)
        if doubted := self._doubted(scan, [number]):
            return [(first, doubted)]
        return sorted((first + flaw.line, flaw.fault.value.format(flaw.text)) for flaw in scan.flaws)

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document, or one of its words, is: FILE:LINE."""
        line = self._first_line(number)
        if word is not None:
            line += int(self._scanned(number)[1].lines.tokens[word])
        return f"{self._entries[number][0].path}:{line}"

    def _first_line(self, number: int) -> int:
        """Count the lines before a document; asked for in messages only, and then for its whole file."""
        if number not in self._first_lines:
            file = self._entries[number][0]
            position, line = 0, 1
            for i, start in self._entries.beside(number):
                line += count_lines(file, position, start)
                self._first_lines[i], position = line, start
            file.close()
        return self._first_lines[number]

    def document(self, number: int) -> Document:
        """Read a document with its words, sentences, columns and clusters, and its layout."""
        block, scan = self._scanned(number)
        self.note(self._judged(scan, [number]))
        return self._document(number, block, scan)

    def words(self, number: int) -> Sequence[str]:
        """Read the rows of a document, and cut them into columns."""
        (block,) = self.blocks([number])
        lines = find_lines([block], joined([block]))
        cells = lines.cell_starts().tolist()
        return _words(list(map(_columns, map(_cutter(block), lines.first[lines.tokens].tolist(), cells))))

    def salvage(self, number: int) -> Document:
        """Read a document without the brackets that have no partner."""
        return self._document(number, *self._scanned(number))

    def _scanned(self, number: int) -> tuple[bytes, Scan]:
        """Read a document's lines, and remember them: who asks for one of its lines asks for others."""
        if self._latest is None or self._latest[0] != number:
            (block,) = self.blocks([number])
            self._latest = number, block, brackets.scan([block])
        return self._latest[1:]

    def __getstate__(self) -> dict[str, object]:
        """Leave out cached values when sent to another process."""
        return {**self.__dict__, "_latest": None}

    def _document(self, number: int, block: bytes, scan: Scan) -> Document:
        first = scan.lines.first[scan.lines.tokens].tolist()
        cells = scan.lines.cell_starts().tolist()
        before, after = map(_decoded, self._around(number))
        cut = _cutter(block)
        edges = [*first, len(block)]
        rows = list(map(cut, first, cells))
        layout = [before + cut(0, edges[0]), *map(cut, cells, edges[1:])]
        layout[-1] += after
        columns = list(map(_columns, rows))
        self.note(self._narrow_rows(number, columns))
        sentences = pairwise([*scan.lines.sentence_starts().tolist(), len(rows)])
        text = Text(self.ids[number], _words(columns), tuple(sentences), _layers(rows, columns))
        return Document(text, _clusters(scan), layout=tuple(layout))

    def _narrow_rows(self, number: int, rows: Sequence[Sequence[str]]) -> Iterator[str]:
        """Say so where a row ends before the column of the words."""
        word, width = _word_column(rows)
        for token, columns in enumerate(rows) if min(map(len, rows), default=width) <= word else ():
            if len(columns) <= word:
                yield (
                    f"{self.location(number, token)}: the line has {number_of(len(columns) + 1, 'column')}, "
                    f"most have {width + 1}; '{columns[-1]}' is taken for the word, and layers are not read"
                )

    def _around(self, number: int) -> tuple[bytes, bytes]:
        """Read what belongs to a document before and after its lines."""
        file, entry = self._entries[number]
        before = file.read(entry.opening, entry.start - entry.opening)
        after = file.read(entry.stop, entry.closing - entry.stop)
        file.close()
        return before, after

    def blocks(self, numbers: Sequence[int | None]) -> list[bytes]:
        """Read the lines of some documents, without their begin and end lines."""
        blocks = []
        opened: SeekableFile | None = None  # one at a time: a folder may hold thousands
        for number in numbers:
            if number is None:
                blocks.append(b"")
                continue
            file, entry = self._entries[number]
            if opened is not None and opened is not file:
                opened.close()
            opened = file
            blocks.append(file.read(entry.start, entry.stop - entry.start))
        if opened is not None:
            opened.close()
        return blocks

    def _judged(self, scan: Scan, numbers: Sequence[int | None]) -> list[str]:
        """Refuse what forbids scoring; report what else was skipped."""
        if doubted := self._doubted(scan, numbers):
            number = next(number for number in numbers if number is not None)
            raise FormatError(f"{self.location(number)}: {doubted}")
        judged = [(numbers[flaw.document], flaw) for flaw in scan.flaws]
        return [self._judge(number, flaw) for number, flaw in judged if number is not None]

    def _doubted(self, scan: Scan, numbers: Sequence[int | None]) -> str | None:
        """Say why the last column is not coreference, if no document of the corpus has mentions there."""
        if scan.chains.start.size and len(scan.flaws) < scan.chains.start.size:
            return None
        doubted = doubt(scan)
        if doubted is None:
            return None
        if self._has_mentions is None:
            others = (n for n in range(len(self._entries)) if n not in numbers)
            self._has_mentions = any(self.scan([number]).chains.start.size for number in others)
        return None if self._has_mentions else doubted

    def _judge(self, number: int, flaw: Flaw) -> str:
        """Raise if the flaw forbids scoring; otherwise say what was skipped."""
        file, entry = self._entries[number]
        line = self._first_line(number) + flaw.line
        where = f"{file.path}:{line}: {flaw.fault.value.format(flaw.text)}"
        if flaw.fault is Fault.UNOPENED or (flaw.fault is Fault.UNCLOSED and entry.ended):
            raise FormatError(f"{where}; correct the file (referee validate lists all such places)")
        if flaw.fault is Fault.STRAY and flaw.text.startswith("Entity="):
            raise FormatError(f"{where}; this looks like CorefUD's CoNLL-U, which is a different format")
        if self._strict:
            raise FormatError(f"{where}; strict input refuses it, protocol='conll' skips it")
        return f"{where}: skipped"


def _index(file: SeekableFile, outside: Ledger) -> Iterator[tuple[Entry, bool]]:
    """Find the documents of a file, and the rows outside of them; also say whether the file names each."""
    opening = unnamed = 0
    for (name, line, start, stop, closing, ended), (_, rest, *_, more) in pairwise(_parts(file)):
        unnamed += not name
        id_ = name or stem(file.path) + (f"#{unnamed}" if unnamed > 1 else "")
        _note_outside(file, opening, line, outside)
        if more is None:
            _note_outside(file, closing, rest, outside)
            if name and not ended and file.read(rest - 1, 1) != b"\n":
                outside.skip(BROKEN_OFF, f"{file.path}:{count_lines(file, 0, rest) + 1}")
        yield Entry(id_, opening, start, stop, rest if more is None else closing, bool(ended)), bool(name)
        opening = closing


def _note_outside(file: SeekableFile, start: int, stop: int, outside: Ledger) -> None:
    """Note the rows between two documents, where there is more than an end of a line."""
    if stop - start < 2:
        return
    rows = file.read(start, stop - start).split(b"\n")
    found = [n for n, row in enumerate(rows) if row.strip() and not row.startswith(COMMENT)]
    first = count_lines(file, 0, start) + 1 if found else 1
    outside.skip(OUTSIDE, *(f"{file.path}:{first + number}" for number in found))


def _parts(file: SeekableFile) -> Iterator[tuple[str, int, int, int, int, bool | None]]:
    """Cut a file at its marks: name, begin line, start, stop, closing, ended; at last its end, with None.

    A file may have millions of documents, so no list of them is made.
    """
    begun: tuple[str, int, int] | None = ("", 0, 0)  # without any begin line the file is one document
    named = False  # whether there was one
    for kind, name, start, end in _marks(file):
        if begun and (named or kind == END_OF_FILE) and end:
            ended = kind == b"end"
            yield (*begun, start, end if ended else start, ended)
        named |= kind == b"begin"
        if named:
            begun = (name, start, end) if kind == b"begin" else None
    yield "", end, end, end, end, None


def _marks(file: SeekableFile) -> Iterator[tuple[bytes, str, int, int]]:
    """List begin and end lines, then the file's end: kind, name, first byte, byte after the line.

    This runs over every byte of the file, and so neither cuts nor counts its lines.
    """
    position, size = 0, CHUNK
    while chunk := file.read(position, size):
        whole = chunk.rfind(b"\n") + 1
        if len(chunk) == size:
            if not whole:  # a line longer than the chunk
                size *= 2
                continue
            chunk = chunk[:whole]
        search = 0
        while (hit := chunk.find(b"document", search)) >= 0:
            start = chunk.rfind(b"\n", 0, hit) + 1
            search = chunk.find(b"\n", hit) + 1 or len(chunk)  # it is the first such word of a mark
            mark = DOCUMENT_MARK.match(chunk, start)
            if mark:
                name = _decoded(mark[2]).strip()
                yield mark[1], name, position + start, position + search
        position += len(chunk)
    yield END_OF_FILE, "", position, position


def _decoded(some: bytes) -> str:
    return lenient(some)


def _cutter(block: bytes) -> Callable[[int, int], str]:
    """Make a function that decodes the bytes from one position to another."""
    if not block.isascii():
        return lambda start, end: _decoded(block[start:end])
    text = block.decode("ascii")
    return lambda start, end: text[start:end]


def _columns(row: str) -> list[str]:
    """Cut what is before the coreference cell into columns. One may be empty between tabs."""
    before = row.rstrip(" ").removesuffix("\t")
    if "\t" in before:
        columns = before.split("\t")
        return [column.strip() for column in columns] if " " in before else columns
    return [column for column in BLANK.split(row) if column] or [""]


def _words(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Take the words out of the columns."""
    word, _ = _word_column(rows)
    return tuple(columns[word] if word < len(columns) else columns[-1] for columns in rows)


def _word_column(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Find the column of the words: the fourth in CoNLL-2012, the one after a number, or the first.

    Most rows decide, so that a damaged one does not; also return how many columns these have.
    """
    widths = Counter(map(len, rows))
    width = max(widths, key=lambda each: (widths[each], each), default=0)
    usual = [columns for columns in rows if len(columns) == width]

    def numbers(column: int) -> bool:
        return width > column + 1 and all(columns[column].isdigit() for columns in usual)

    return (3 if numbers(2) else 1 if numbers(0) else 0), width


def _clusters(scan: Scan) -> tuple[Cluster, ...]:
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    columns = (scan.chains.cluster, scan.chains.start, scan.chains.end)
    for cluster, start, end in sorted(zip(*(column.tolist() for column in columns), strict=True)):
        mentions[cluster].append(Mention.at(start, end))
    return tuple(
        Cluster(scan.cluster_names[cluster], tuple(mentions[cluster])) for cluster in sorted(mentions)
    )


def _layers(rows: Sequence[str], columns: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Take the columns that CoNLL-2012 names, where a file has them and fills them."""
    layers = {"row": tuple(rows)}
    if min(map(len, columns), default=0) + 1 >= FULL_WIDTH:
        for name, column in LAYOUT_2012.items():
            layer = tuple(row[column] for row in columns)
            if set(layer) - {"-", "_"}:
                layers[name] = layer
    return layers


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> ConllCorpus:
    """Find the documents of all files."""
    return ConllCorpus(files, name, strict=reading.strict)
