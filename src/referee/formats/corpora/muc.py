"""MUC-6 and MUC-7 coreference files: SGML with `<COREF ID REF MIN>` around each mention.

* A file holds one `<DOC>` or more; `<DOCID>` or `<DOCNO>` names it, else the file does. All its text
  counts, headlines and dates too, since they are annotated. White space is one blank.
* `REF` names an earlier or later `ID`; mentions tied that way are one cluster. `MIN` is the string that a
  response must contain, or several with bars of which the first that occurs counts; without one the whole
  mention must be found. `STATUS="OPT"` is read like any other.
* Other tags (`<p>`, `<s>`, `<TEXT>`, names of the named-entity task) are skipped, whether they close or
  not. A `<` that begins no tag is text. Document types are not read, and of entities only the five of XML.

Words are cut from the running text. A COREF tag that never closes, or closes without opening, is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.ledger import OUTSIDE, Ledger, filled_lines
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, cut_text, linked_groups

LARGEST = 2**27  # bytes of a file; all of MUC has a few million
PIECE = re.compile(r"<!--|<[!?][^<>]*>|</?[A-Za-z][^<>]*>|&\w{1,10};|[^<&]+|[<&]")
TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)([^<>]*)>")
ATTRIBUTE = re.compile(r"""(?<![\w.-])([A-Za-z][\w.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
NAME = re.compile(r"<(?:DOCID|DOCNO)>([^<]*)</(?:DOCID|DOCNO)>", re.IGNORECASE)
DOCUMENT = re.compile(r"<DOC\b[^<>]*>(.*?)(?=</DOC>|<DOC\b|\Z)", re.DOTALL | re.IGNORECASE)
MARKUP = re.compile(r"<!--.*?-->|<[^<>]*>", re.DOTALL)  # between documents
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read files."""
    del reading
    ledger = Ledger()
    corpus = DocumentCorpus([document for file in files for document in _documents(file, ledger)], name)
    ledger.close(corpus)
    return corpus


def _documents(file: SeekableFile, ledger: Ledger) -> Iterator[Document]:
    data = file.read(0, LARGEST + 1)
    file.close()
    if len(data) > LARGEST:
        raise FormatError(f"{file.path}: more than {LARGEST >> 20} MiB; no MUC file is that large")
    text = lenient(data)
    parts = [(part[1], part.start(1)) for part in DOCUMENT.finditer(text)] or [(text, 0)]
    edges = [0, *(edge for part, start in parts for edge in (start, start + len(part))), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        first = text.count("\n", 0, start) + 1
        ledger.skip(OUTSIDE, *filled_lines(file.path, MARKUP.sub(_line_ends, text[start:end]), first))
    for number, (part, start) in enumerate(parts, start=1):
        named = NAME.search(part)
        name = named[1].strip() if named else ""
        id_ = name or stem(file.path) + (f"#{number}" if number > 1 else "")
        yield _Reading(file.path, text.count("\n", 0, start) + 1, ledger).document(id_, part)


def _line_ends(markup: re.Match[str]) -> str:
    return "\n" * markup[0].count("\n")


@dataclass(slots=True)
class _Tag:
    """A COREF tag: its attributes, where its text begins, and its line."""

    attributes: dict[str, str]
    start: int
    line: int


@dataclass(slots=True)
class _Reading:
    """What has been read of a document."""

    path: str
    line: int
    ledger: Ledger
    text: list[str] = field(default_factory=list)  # characters
    opened: list[_Tag] = field(default_factory=list)
    mentions: list[tuple[_Tag, Mention]] = field(default_factory=list)

    def document(self, id_: str, markup: str) -> Document:
        """Read a document's markup."""
        for piece in _pieces(markup):
            self._take(piece)
            self.line += piece.count("\n")
        if self.opened:
            raise FormatError(f"{self.path}:{self.opened[-1].line}: this COREF tag never closes; close it")
        return cut_text(id_, "".join(self.text), self._clusters(), self.path)

    def _take(self, piece: str) -> None:
        tag = TAG.fullmatch(piece)
        if tag is None:
            if not piece.startswith(("<!", "<?")):
                self._add(ENTITIES.get(piece, piece))
        elif tag[2].upper() == "COREF":
            self._close() if tag[1] else self._open(tag[3])

    def _add(self, words: str) -> None:
        """Add text, with one blank for any white space."""
        for character in words:
            if not character.isspace():
                self.text.append(character)
            elif self.text and self.text[-1] != " ":
                self.text.append(" ")

    def _open(self, attributes: str) -> None:
        values = {name.upper(): a or b or c for name, a, b, c in ATTRIBUTE.findall(attributes)}
        self.opened.append(_Tag(values, len(self.text), self.line))

    def _close(self) -> None:
        if not self.opened:
            raise FormatError(f"{self.path}:{self.line}: a COREF tag closes that was never opened; remove it")
        tag = self.opened.pop()
        start, end = tag.start, len(self.text)
        while start < end and self.text[start] == " ":
            start += 1
        while start < end and self.text[end - 1] == " ":
            end -= 1
        if start == end:
            self.ledger.skip("a COREF tag without text is skipped", f"{self.path}:{tag.line}")
        else:
            self.mentions.append((tag, Mention(((start, end),), self._minimum(tag, start, end))))

    def _minimum(self, tag: _Tag, start: int, end: int) -> tuple[Span, ...] | None:
        """Find the MIN string among the mention's words."""
        wanted = tag.attributes.get("MIN")
        if not wanted:
            return None
        words = "".join(self.text[start:end])
        for choice in wanted.split("|"):
            pattern = r"\s+".join(map(re.escape, _plain(choice).split()))
            hit = re.search(rf"(?<!\w){pattern}(?!\w)", words, re.IGNORECASE) if pattern else None
            hit = hit or (re.search(pattern, words, re.IGNORECASE) if pattern else None)
            if hit:
                return ((start + hit.start(), start + hit.end()),)
        self.ledger.skip(f"MIN '{wanted}' is not in '{words}', and left out", f"{self.path}:{tag.line}")
        return None

    def _clusters(self) -> Iterator[Cluster]:
        """Join mentions that refer to each other."""
        numbered = enumerate(self.mentions, 1)
        mentions = [
            (tag.attributes.get("ID") or f"mention {number}", tag, m) for number, (tag, m) in numbered
        ]
        ids: set[str] = set()
        for id_, tag, _ in mentions:
            if id_ in ids:
                what = f"the ID {id_} is that of another mention too; both are taken for one entity"
                self.ledger.skip(what, f"{self.path}:{tag.line}")
            ids.add(id_)
        links: list[tuple[str, str]] = []
        for id_, tag, _ in mentions:
            reference = tag.attributes.get("REF")
            if reference and reference not in ids:
                what = f"REF {reference} does not name a mention and is skipped"
                self.ledger.skip(what, f"{self.path}:{tag.line}")
            elif reference:
                links.append((id_, reference))
        group_of = linked_groups(ids, links)
        clusters: dict[str, list[Mention]] = {}
        for id_, _, mention in sorted(mentions, key=lambda row: row[2]):
            clusters.setdefault(group_of[id_], []).append(mention)
        yield from (Cluster(id_, tuple(some)) for id_, some in clusters.items())


def _pieces(markup: str) -> Iterator[str]:
    """Cut markup into tags, comments, entities and text."""
    position, comments = 0, True  # whether a comment may still end
    while position < len(markup):
        piece = PIECE.match(markup, position)
        assert piece is not None  # the last choices take any character
        end = piece.end()
        if piece[0] == "<!--":
            close = markup.find("-->", position) if comments else -1
            comments = close >= 0
            end = close + len("-->") if comments else position + 1
        yield markup[position:end]
        position = end


def _plain(words: str) -> str:
    return re.sub(r"&\w{1,10};", lambda entity: ENTITIES.get(entity[0], entity[0]), words)
