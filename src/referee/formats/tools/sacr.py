"""SACR (Oberle 2018): running text in which braces mark mentions, with the names of their chains.

    #textid: story

    {M1:type="person" Ann} took {M2:type="object",new=yes {M1:type="person" her} hat} .

* A mention is `{CHAIN:FEATURES TEXT}`, or `{CHAIN TEXT}`; mentions nest, and those of one chain are a
  cluster. Features are `name=value` or `name="value"`, with commas between them; the first that has a value
  is the mention's type. All others are left out, and a notice names them.
* Lines that begin with `#` at the start of a paragraph are directives, of which `#textid:` names the
  document; a line of five asterisks or more is a comment. A blank line separates paragraphs.

Words are cut from the running text. A brace without its partner is an error.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.standoff import FiledCorpus, name_by_file, whole_text
from referee.model import Cluster, Document, Mention, cut_text

SUFFIXES = (".sacr",)
FEATURE = r'[^\s{}=:,"]+=(?:"[^"{}\n]*"|[^\s{}=,"]+)'
OPENING = re.compile(rf"\{{([^\s{{}}:]+)(?::((?:{FEATURE}(?:,{FEATURE})*)?))?[ \t\n]")
VALUE = re.compile(r'([^\s=,]+)=(?:"([^"]*)"|([^\s,]+))')
PIECE = re.compile(r"[{}]|[^{}]+")
WRITTEN = re.compile(r"\S+")
TEXT_ID = re.compile(r"#[ \t]*text_?id:[ \t]*(.*\S)", re.IGNORECASE)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files, each of which is a document."""
    del reading
    ledger = Ledger()
    documents = []
    named = bool(files)
    for file in files:
        scan = _Scan(file.path, ledger, whole_text(file).removeprefix("\ufeff").replace("\r\n", "\n"))
        documents.append((f"{file.path}:1", scan.document(name_by_file(file.path, SUFFIXES))))
        named &= scan.text_id is not None
    corpus = FiledCorpus(documents, name, named=named)
    ledger.close(corpus)
    return corpus


class _Mark(NamedTuple):
    """A mention: characters of the text, the line of its brace, and what it says."""

    chain: str
    type: str | None
    start: int
    line: int
    end: int = 0


@dataclass(slots=True)
class _Scan:
    """What has been read of a file."""

    path: str
    ledger: Ledger
    content: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    opened: list[_Mark] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)
    text_id: str | None = None

    def document(self, id_: str) -> Document:
        """Read the text and its mentions."""
        body = "\n".join(self._without_directives(self.content.split("\n")))
        position, line = 0, 1
        while position < len(body):
            opening = OPENING.match(body, position)
            piece = opening or PIECE.match(body, position)
            assert piece is not None  # PIECE takes any character
            if opening:
                self._open(opening, line)
            else:
                self._take(piece[0], line)
            line += piece[0].count("\n")
            position = piece.end()
        if self.opened:
            last = self.opened[-1]
            raise FormatError(f"{self.path}:{last.line}: this mention of {last.chain} never closes; close it")
        return cut_text(self.text_id or id_, "".join(self.pieces), self._clusters(), self.path)

    def _without_directives(self, lines: Sequence[str]) -> Iterator[str]:
        """Empty the lines of directives and comments, so that the others keep their numbers."""
        begins = True  # whether a paragraph begins
        for line in lines:
            is_directive = begins and line.startswith(("#", "*****"))
            if is_directive and (given := TEXT_ID.match(line)):
                self.text_id = given[1]
            yield "" if is_directive else line
            begins = is_directive or not line.strip()

    def _open(self, opening: re.Match[str], line: int) -> None:
        features = {name: quoted or plain for name, quoted, plain in VALUE.findall(opening[2] or "")}
        typed = next((name for name, value in features.items() if value), None)
        for name in features.keys() - {typed}:
            self.ledger.leave_out(f"features beside the type are left out: {name}", f"{self.path}:{line}")
        self.opened.append(_Mark(opening[1], features[typed] if typed else None, self.length, line))

    def _take(self, piece: str, line: int) -> None:
        if piece == "{":
            raise FormatError(f"{self.path}:{line}: expected a mention, {{CHAIN TEXT}}, after a brace")
        if piece == "}":
            if not self.opened:
                raise FormatError(f"{self.path}:{line}: a brace closes that was never opened; remove it")
            self.marks.append(self.opened.pop()._replace(end=self.length))
        else:
            self.pieces.append(piece)
            self.length += len(piece)

    def _clusters(self) -> Iterator[Cluster]:
        """Take white space off the ends of mentions; those that are nothing else are skipped."""
        written = [match.span() for match in WRITTEN.finditer("".join(self.pieces))]
        starts, ends = [start for start, _ in written], [end for _, end in written]
        chains: dict[str, list[Mention]] = {}
        for mark in sorted(self.marks, key=lambda mark: (mark.start, -mark.end)):
            first, last = bisect_right(ends, mark.start), bisect_left(starts, mark.end) - 1
            if first > last:
                self.ledger.skip("a mention without text is skipped", f"{self.path}:{mark.line}")
                continue
            span = max(mark.start, starts[first]), min(mark.end, ends[last])
            chains.setdefault(mark.chain, []).append(Mention((span,), type=mark.type))
        yield from (Cluster(chain, tuple(sorted(some))) for chain, some in chains.items())
