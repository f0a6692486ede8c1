"""CoNLL-2011/2012 files and their relatives: one token a line, the coreference column last.

What is read:
* columns separated by tabs or runs of white space, any number of them from two on; `brackets` has the
  grammar of the coreference column;
* `#begin document NAME` and `#end document`, also with a space after the `#`. A document ends at its end
  line, at the next begin line, or with the file. Where there is no name, the file's name is taken, with a
  number from the second document on; a file without begin lines is one document;
* blank lines end sentences; other lines that start with `#` are comments, unless they have a coreference
  cell and as many columns as the line beside them.

CoNLL-2012's own layout (twelve columns or more) gives the layers part, pos, parse, lemma, speaker, entity.
The layer `row` is the line up to the coreference cell: writing the document again keeps it to the letter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import IO, NamedTuple

from referee.exceptions import FormatError
from referee.formats import brackets
from referee.formats.brackets import CELL, Fault, Flaw
from referee.formats.opening import SeekableFile, stem
from referee.model import Chains, Cluster, Corpus, Document, Mention, Span

CHUNK = 2**20  # bytes read at a time while looking for documents
MARK = re.compile(rb"^#\s*(begin|end)\s+document\b[ \t]*([^\r\n]*)", re.MULTILINE)
LAYOUT_2012 = {"part": 1, "pos": 4, "parse": 5, "lemma": 6, "speaker": 9, "entity": 10}
FULL_WIDTH = 12


class Entry(NamedTuple):
    """Where a document lies in its file."""

    id: str
    start: int  # byte after the begin line
    stop: int  # byte of the end line, or where the document breaks off
    ended: bool  # by an end line


def looks_like(head: bytes) -> bool:
    """Recognise a file from its first bytes: a begin line, or rows that end in a coreference cell."""
    if MARK.search(head):
        return True
    rows = [line.split() for line in head.splitlines()[:50] if line.strip() and not line.startswith(b"#")]
    return bool(rows) and all(len(row) > 1 for row in rows) and any(CELL.fullmatch(row[-1]) for row in rows)


class ConllCorpus(Corpus):
    """The documents of one or more CoNLL files, indexed first and read piece by piece."""

    def __init__(self, files: Sequence[SeekableFile], name: str, *, strict: bool = False) -> None:
        """Find where the documents are. `strict` refuses what the reference scorer passes over in silence."""
        self.name = name
        self._files = files
        self._strict = strict
        self._entries: list[tuple[SeekableFile, Entry]] = []
        self.named = False
        for file in files:
            for entry, has_name in _index(file):
                self._entries.append((file, entry))
                self.named |= has_name
            file.close()
        self.ids = [entry.id for _, entry in self._entries]
        self.reference_names = self.named

    def weight(self, number: int) -> int:
        """Count the document's bytes."""
        entry = self._entries[number][1]
        return entry.stop - entry.start

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Scan the coreference column of some documents."""
        return self.chains_in(self.scan(numbers), numbers)

    def scan(self, numbers: Sequence[int | None]) -> brackets.Scan:
        """Read the lines of some documents, and the mentions in them."""
        return brackets.scan(self.blocks(numbers))

    def chains_in(self, found: brackets.Scan, numbers: Sequence[int | None]) -> Chains:
        """Take the mentions out of a scan, and judge its flaws."""
        chains = found.chains
        missing = [i for i, number in enumerate(numbers) if number is None]
        chains.lengths[missing] = -1
        notices = []
        for flaw in found.flaws:
            number = numbers[flaw.document]
            if number is not None:
                notices.append(self._judge(number, flaw))
        return Chains(
            chains.document, chains.start, chains.end, chains.cluster, chains.cluster_document,
            chains.lengths, notices=tuple(notices),
        )  # fmt: skip

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document's coreference column, by line."""
        scan = brackets.scan(self.blocks([number]))
        first = self._first_line(number)
        return [(first + flaw.line, flaw.fault.value.format(flaw.text)) for flaw in scan.flaws]

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document, or one of its words, is: FILE:LINE."""
        line = self._first_line(number)
        if word is not None:
            line += int(brackets.scan(self.blocks([number])).token_lines[word])
        return f"{self._entries[number][0].path}:{line}"

    def _first_line(self, number: int) -> int:
        """Count the lines before a document; asked for in messages only."""
        file, entry = self._entries[number]
        chunks = (file.read(at, min(CHUNK, entry.start - at)) for at in range(0, entry.start, CHUNK))
        lines = sum(chunk.count(b"\n") for chunk in chunks)
        file.close()
        return lines + 1

    def document(self, number: int) -> Document:
        """Read a document with its words, sentences, columns and clusters."""
        _, entry = self._entries[number]
        block = self.blocks([number])[0]
        found = brackets.scan([block])
        for flaw in found.flaws:
            self._judge(number, flaw)
        lines = block.decode("utf-8", "surrogateescape").split("\n")
        rows = [_split_row(lines[line]) for line in found.token_lines.tolist()]
        return Document.of(
            entry.id,
            _words(rows),
            _sentences(lines, found.token_lines.tolist()),
            _clusters(found),
            _layers(rows),
        )

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

    def _judge(self, number: int, flaw: Flaw) -> str:
        """Raise if the flaw forbids scoring; otherwise say what was passed over."""
        file, entry = self._entries[number]
        line = self._first_line(number) + flaw.line
        where = f"{file.path}:{line}: {flaw.fault.value.format(flaw.text)}"
        if flaw.fault is Fault.UNOPENED or (flaw.fault is Fault.UNCLOSED and entry.ended):
            raise FormatError(f"{where}; mend the file (referee validate lists all such places)")
        if flaw.fault is Fault.STRAY and flaw.text.startswith("Entity="):
            raise FormatError(f"{where}; this looks like CorefUD's CoNLL-U, which is another format")
        if self._strict:
            raise FormatError(f"{where}; --protocol strict refuses it, --protocol conll passes over it")
        return f"{where}: passed over"


def _index(file: SeekableFile) -> Iterator[tuple[Entry, bool]]:
    """Find the documents of a file; also say whether each has a name of its own."""
    unnamed = 0

    def identity(name: str) -> tuple[str, bool]:
        nonlocal unnamed
        if name:
            return name, True
        unnamed += 1
        return stem(file.path) + (f"#{unnamed}" if unnamed > 1 else ""), False

    begun: tuple[str, int] | None = None  # name, first byte
    marked = False
    end = 0
    for kind, name, start, end in _marks(file):
        if kind == b"end of file":
            break
        marked = True
        if begun:
            id_, has_name = identity(begun[0])
            yield Entry(id_, begun[1], start, kind == b"end"), has_name
            begun = None
        if kind == b"begin":
            begun = (name, end)
    if not marked and end:
        begun = ("", 0)
    if begun:
        id_, has_name = identity(begun[0])
        yield Entry(id_, begun[1], end, ended=False), has_name


def _marks(file: SeekableFile) -> Iterator[tuple[bytes, str, int, int]]:
    """Yield begin and end lines: kind, name, first byte, byte after the line; then the file's end.

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
        while (found := chunk.find(b"document", search)) >= 0:
            search = found + 1
            start = chunk.rfind(b"\n", 0, found) + 1
            mark = MARK.match(chunk, start)
            if mark and mark.end() > found:
                search = chunk.find(b"\n", start) + 1 or len(chunk)
                kind, name = mark.groups()
                yield (
                    kind,
                    name.decode("utf-8", "surrogateescape").strip(),
                    position + start,
                    position + search,
                )
        position += len(chunk)
    yield b"end of file", "", position, position


def _split_row(line: str) -> tuple[str, list[str]]:
    """Cut a line into all before the coreference cell, and the columns there. A column may be empty."""
    before, _, cell = line.rpartition("\t")
    if "\t" in before and " " not in line and cell and cell.isprintable():  # as most lines are
        return before + "\t", before.split("\t")
    stripped = line.rstrip()
    cut = max(stripped.rfind("\t"), stripped.rfind(" ")) + 1
    row = stripped[:cut] if cut else stripped + "\t"
    columns = row.rstrip(" ").removesuffix("\t")
    return row, [column.strip() for column in columns.split("\t")] if "\t" in columns else row.split() or [""]


def _words(rows: Sequence[tuple[str, list[str]]]) -> tuple[str, ...]:
    """Find the column of the words: the fourth in CoNLL-2012, the one after a number, or the first."""

    narrowest = min((len(columns) for _, columns in rows), default=0)

    def numbers(column: int) -> bool:
        return narrowest > column + 1 and all(columns[column].isdigit() for _, columns in rows)

    word = 3 if numbers(2) else 1 if numbers(0) else 0
    return tuple(columns[word] for _, columns in rows)


def _sentences(lines: Sequence[str], token_lines: Sequence[int]) -> tuple[Span, ...]:
    """Cut where a blank line stands between two tokens."""
    cuts = [
        token
        for token, (before, here) in enumerate(pairwise(token_lines), start=1)
        if here > before + 1 and any(not lines[line].strip() for line in range(before + 1, here))
    ]
    edges = [0, *cuts, len(token_lines)] if token_lines else []
    return tuple(pairwise(edges))


def _clusters(found: brackets.Scan) -> tuple[Cluster, ...]:
    mentions: defaultdict[int, list[Mention]] = defaultdict(list)
    columns = (found.chains.cluster, found.chains.start, found.chains.end)
    for cluster, start, end in sorted(zip(*(column.tolist() for column in columns), strict=True)):
        mentions[cluster].append(Mention.at(start, end))
    return tuple(
        Cluster(found.cluster_names[cluster], tuple(mentions[cluster])) for cluster in sorted(mentions)
    )


def _layers(rows: Sequence[tuple[str, list[str]]]) -> dict[str, tuple[str, ...]]:
    """Take the columns that CoNLL-2012 names, where a file has them and fills them."""
    layers = {"row": tuple(row for row, _ in rows)}
    if min((len(columns) for _, columns in rows), default=0) + 1 >= FULL_WIDTH:
        for name, column in LAYOUT_2012.items():
            layer = tuple(columns[column] for _, columns in rows)
            if set(layer) - {"-", "_"}:
                layers[name] = layer
    return layers


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents; those that came from CoNLL keep all their other columns."""
    for document in documents:
        file.write(f"#begin document {' '.join(document.id.split())}\n")
        file.write(_body(document))
        file.write("#end document\n")


def _body(document: Document) -> str:
    cells = coreference_cells(document)
    rows = document.layers.get("row") or new_rows(document)
    ends = {end for _, end in document.sentences}
    lines = []
    for token, (row, cell) in enumerate(zip(rows, cells, strict=True), start=1):
        lines.append(f"{row}{cell}\n")
        if token in ends:
            lines.append("\n")
    body = "".join(lines)
    check_readable(document, body)
    return body


def coreference_cells(document: Document) -> list[str]:
    """Write each token's brackets: openings in the order of the clusters, then closings, the shortest first.

    That order keeps the clusters' own, on which the treatment of repeated mentions depends.
    """
    opened: list[list[str]] = [[] for _ in document.words]
    closed: list[list[tuple[int, str]]] = [[] for _ in document.words]
    plain = all(re.fullmatch(r"[^()|\s]+", cluster.id) for cluster in document.clusters)
    for number, cluster in enumerate(document.clusters):
        name = cluster.id if plain else str(number)
        for mention in cluster.mentions:
            if len(mention.spans) > 1:
                raise FormatError(
                    f"document {document.id}: cluster {cluster.id} has a mention of several spans, "
                    "which CoNLL cannot hold; write jsonlines instead"
                )
            last = mention.end - 1
            if mention.start == last:
                opened[last].append(f"({name})")
            else:
                opened[mention.start].append(f"({name}")
                closed[last].append((mention.start, f"{name})"))
    return [
        "|".join(begin + [bracket for _, bracket in sorted(end, key=lambda b: -b[0])]) or "-"
        for begin, end in zip(opened, closed, strict=True)
    ]


def new_rows(document: Document) -> list[str]:
    """Lay out the columns of CoNLL-2012 for a document that came from another format."""
    empty = ("-",) * len(document.words)
    layer = {name: document.layers.get(name, empty) for name in LAYOUT_2012}
    named = re.fullmatch(r"\((.*)\); part (\d+)", document.id)
    name, part = (named[1], str(int(named[2]))) if named else (document.id, "0")
    name = re.sub(r"\s+", "_", name)
    rows = []
    for start, end in document.sentences:
        for token in range(start, end):
            word = re.sub(r"\s+", "_", document.words[token])
            columns = [
                name, part, str(token - start), word, layer["pos"][token], layer["parse"][token],
                layer["lemma"][token], "-", "-", layer["speaker"][token], layer["entity"][token], "",
            ]  # fmt: skip
            rows.append("\t".join(columns))
    return rows


def check_readable(document: Document, body: str) -> None:
    """Read back what is to be written: mentions of one cluster that cross cannot be told from nested ones."""
    chains = brackets.scan([body.encode("utf-8", "surrogateescape")]).chains
    read = sorted(zip(chains.start.tolist(), chains.end.tolist(), strict=True))
    meant = sorted(mention.spans[0] for cluster in document.clusters for mention in cluster.mentions)
    if read != meant:
        start, end = sorted(set(meant) - set(read))[0]
        raise FormatError(
            f"document {document.id}: the mention of tokens {start}-{end - 1} crosses or touches another of "
            "its cluster, which CoNLL cannot hold; write jsonlines instead"
        )
