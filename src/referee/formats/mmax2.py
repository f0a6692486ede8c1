"""MMAX2 as in ARRAU: words in one XML file, markables beside them in others.

* `Basedata/NAME_words.xml` has `<word id="word_1">` in order. `markables/NAME_coref_level.xml` (or
  `Markables`, or the same folder) has `<markable span coref_set min_ids min_words reference>`;
  `NAME_sentence_level.xml` has the sentences, where there is one.
* A span is `word_1..word_4`, or several with commas: the mention is then discontinuous.
* Markables of one `coref_set` are a cluster; `empty`, or no set at all, is a cluster of its own. Those whose
  `reference` is `non_referring` are no mentions.
* `min_ids` are the words of the annotated minimum span; where only `min_words` says it, those words are
  looked for in the mention.

XML is read without external files; a document type may stand there, as MMAX2 writes it, but it may not
declare entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.parsers import expat

from referee.exceptions import FormatError
from referee.formats.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span

LARGEST = 2**27  # bytes of a file
WORDS = "_words.xml"
FOLDERS = ("markables", "Markables")
NO_SET = ("", "empty")


@dataclass(frozen=True, slots=True)
class Element:
    """An XML element without those inside it."""

    tag: str
    attributes: Mapping[str, str]
    text: str
    line: int


def looks_like(head: bytes) -> bool:
    """Recognise a file of words from its first bytes."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<words" in head


def read(files: Iterable[SeekableFile], name: str) -> DocumentCorpus:
    """Read files of words, each with the levels beside it."""
    notices: list[str] = []
    corpus = DocumentCorpus([_document(file, notices) for file in files], name)
    corpus.notices = notices
    return corpus


def _document(file: SeekableFile, notices: list[str]) -> Document:
    data = file.read(0, LARGEST + 1)
    file.close()
    words = [element for element in elements(data, file.path) if element.tag == "word"]
    place = {word.attributes.get("id", ""): number for number, word in enumerate(words)}
    path = Path(file.path)
    id_ = path.name.removesuffix(WORDS) if path.name.endswith(WORDS) else path.stem
    level = _level(path, id_, "coref")
    if level is None:
        raise FormatError(
            f"{file.path}: there is no {id_}_coref_level.xml in {' or '.join(FOLDERS)} beside it, where "
            "MMAX2 keeps coreference"
        )
    tokens = tuple("".join(word.text.split()) or "_" for word in words)
    reading = _Markables(str(level), place, tokens, notices)
    clusters = tuple(reading.clusters(_elements_of(level)))
    return Document.of(id_, tokens, _sentences(path, id_, place, len(tokens)), clusters)


def _level(words: Path, id_: str, level: str) -> Path | None:
    """Find the file of a level."""
    folders = [above / name for above in (words.parent.parent, words.parent) for name in FOLDERS]
    paths = (folder / f"{id_}_{level}_level.xml" for folder in (*folders, words.parent))
    return next((path for path in paths if path.is_file()), None)


def _elements_of(path: Path) -> list[Element]:
    file = SeekableFile(str(path))
    data = file.read(0, LARGEST + 1)
    file.close()
    return [element for element in elements(data, str(path)) if element.tag == "markable"]


def _sentences(words: Path, id_: str, place: Mapping[str, int], length: int) -> tuple[Span, ...]:
    """Read the sentences; without any, the document is one."""
    level = _level(words, id_, "sentence")
    starts = {0, length}
    for element in _elements_of(level) if level else ():
        spans = spans_of(element.attributes.get("span", ""), place, f"{level}:{element.line}")
        starts |= {spans[0][0], spans[-1][1]}
    return tuple(pairwise(sorted(starts)))


def spans_of(text: str, place: Mapping[str, int], where: str) -> tuple[Span, ...]:
    """Read a span such as `word_1..word_4,word_7`; spans that touch are one."""
    found: list[Span] = []
    try:
        for part in text.split(","):
            first, _, last = part.strip().partition("..")
            found.append((place[first], place[last or first] + 1))
    except KeyError as error:
        raise FormatError(f"{where}: the span '{text}' names {error}, which is no word") from error
    joined: list[Span] = []
    for start, end in sorted(found):
        if end <= start:
            raise FormatError(f"{where}: the span '{text}' ends before it begins")
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


@dataclass(frozen=True, slots=True)
class _Markables:
    """Makes clusters of markables."""

    path: str
    place: Mapping[str, int]
    tokens: Sequence[str]
    notices: list[str]

    def clusters(self, markables: Sequence[Element]) -> Iterator[Cluster]:
        """Put markables of one set together."""
        found: dict[str, list[Mention]] = {}
        left_out = 0
        for number, markable in enumerate(markables):
            if markable.attributes.get("reference") == "non_referring":
                left_out += 1
                continue
            name = markable.attributes.get("coref_set", "")
            name = markable.attributes.get("id", f"markable {number}") if name in NO_SET else name
            found.setdefault(name, []).append(self._mention(markable))
        if left_out:
            self.notices.append(f"{self.path}: {left_out} markables that refer to nothing are no mentions")
        yield from (Cluster(name, tuple(sorted(mentions))) for name, mentions in found.items())

    def _mention(self, markable: Element) -> Mention:
        where = f"{self.path}:{markable.line}"
        spans = spans_of(markable.attributes.get("span", ""), self.place, where)
        ids, words = (markable.attributes.get(name, "").strip() for name in ("min_ids", "min_words"))
        if ids:
            return self._within(spans, spans_of(ids, self.place, where), where)
        if words:
            return Mention(spans, self._looked_for(spans, words, where))
        return Mention(spans)

    def _within(self, spans: tuple[Span, ...], minimum: tuple[Span, ...], where: str) -> Mention:
        try:
            return Mention(spans, minimum)
        except FormatError:
            self.notices.append(f"{where}: min_ids are not inside the markable: left out")
            return Mention(spans)

    def _looked_for(self, spans: tuple[Span, ...], words: str, where: str) -> tuple[Span, ...] | None:
        """Find words in a row in one of the mention's spans."""
        wanted = words.casefold().split()
        for start, end in spans:
            for first in range(start, end - len(wanted) + 1):
                if [token.casefold() for token in self.tokens[first : first + len(wanted)]] == wanted:
                    return ((first, first + len(wanted)),)
        self.notices.append(f"{where}: min_words '{words}' are not in the markable: left out")
        return None


def elements(data: bytes, path: str) -> Iterator[Element]:
    """Read the elements of an XML file, in the order in which they end."""
    if len(data) > LARGEST:
        raise FormatError(f"{path}: more than {LARGEST >> 20} MiB; no MMAX2 file is that large")
    found: list[Element] = []
    opened: list[tuple[str, dict[str, str], int, list[str]]] = []
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        opened.append((tag, attributes, parser.CurrentLineNumber, []))

    def end(tag: str) -> None:
        _, attributes, line, text = opened.pop()
        found.append(Element(tag, attributes, "".join(text), line))

    def refuse(*_: object) -> None:
        line = parser.CurrentLineNumber
        raise FormatError(f"{path}:{line}: declares or uses an entity, which MMAX2 does not; it is not read")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: opened[-1][3].append(text)
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FormatError(
            f"{path}:{error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}"
        ) from None
    return iter(found)
