"""Reads XML: without entities and external files, which no corpus needs and an attack would; with lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile

LARGEST = 2**27  # bytes of a file; the largest of any corpus has a few million


@dataclass(slots=True)
class Element:
    """An XML element, its line, what is in it, and its text up to the first child, piece by piece."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    pieces: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)  # of the outermost: lines of text between elements

    @property
    def text(self) -> str:
        """The text up to the first child."""
        return "".join(self.pieces)

    def get(self, name: str) -> str:
        """Return an attribute, empty if it is absent."""
        return self.attributes.get(name, "")

    def within(self, *tags: str) -> Iterator[Element]:
        """List the elements of the last tag inside those of the tags before; `*` is any tag."""
        for child in self.children:
            if tags[0] in ("*", child.tag):
                if len(tags) == 1:
                    yield child
                else:
                    yield from child.within(*tags[1:])


def parse(file: SeekableFile, largest: int = LARGEST, *, typed: bool = True) -> Element:
    """Read a file, and return its outermost element; unless `typed`, it may not declare a document type."""
    data = file.read(0, largest + 1)
    file.close()
    if len(data) > largest:
        raise FormatError(f"{file.path}: more than {largest >> 20} MiB; no document in XML is that large")
    building = _Building(file.path)
    if not typed:
        building.parser.StartDoctypeDeclHandler = building.refuse_type
    try:
        building.parser.Parse(data, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise FormatError(f"{file.path}:{error.lineno}: not well-formed XML: {what}") from None
    except (LookupError, ValueError) as error:  # which Python's codecs raise through the parser
        raise FormatError(
            f"{file.path}:1: declares an encoding that is not read: {error}; save it as UTF-8"
        ) from None
    building.root.loose = building.loose
    return building.root


class _Building:
    """The elements that are open."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = Element("", {}, 0)
        self.opened: list[Element] = []
        self.loose: list[int] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add
        self.parser.EntityDeclHandler = self.parser.SkippedEntityHandler = self.refuse

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self.opened:
            if not self.opened[-1].children:
                self.note_loose(self.opened[-1].text)
            self.opened[-1].children.append(element)
        else:
            self.root = element
        self.opened.append(element)

    def end(self, tag: str) -> None:
        del tag
        self.opened.pop()

    def add(self, text: str) -> None:
        if self.opened[-1].children:
            self.note_loose(text)
        else:
            self.opened[-1].pieces.append(text)

    def note_loose(self, text: str) -> None:
        """Note the lines of text beside elements: it ends where the parser is."""
        if not text.strip():  # as it is nearly everywhere
            return
        first = self.parser.CurrentLineNumber - text.count("\n")
        self.loose += [first + n for n, line in enumerate(text.split("\n")) if line.strip()]

    def refuse(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise FormatError(
            f"{self.path}:{line}: declares or uses an entity, which no corpus needs; it is not read"
        )

    def refuse_type(self, name: str, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise FormatError(f"{self.path}:{line}: declares a document type, '{name}'; take the declaration out")
