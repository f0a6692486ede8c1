"""What a request gives to a function: texts, documents, clusters, and files by their contents.

A file has a name, which decides nothing but what messages call it and which format its ending says, and its
content. Names are put below the request's own folder; what comes back is written as if they were where the
caller has them.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.model import Document, DocumentCorpus, Mention, Span, Text
from referee.resolvers.resolved import ResolvedCorpus
from referee.service.values import unpacked

LONGEST_NAME, DEEPEST = 200, 12  # characters of a part of a path, and how many parts
MOST_FILES = 10_000


class Inputs:
    """The inputs of one request, whose files lie in a folder of its own."""

    def __init__(self, root: Path, folder: str = "") -> None:
        """Say where the caller has the files."""
        self.root, self.folder = root, folder
        self._said: dict[str, str] = {}  # what a path of this folder is called in the answer

    def given(self, value: Any, where: str) -> Any:
        """Read one input: a path of files that are put there, a corpus, documents, or bare clusters."""
        if isinstance(value, list):
            return value
        if not isinstance(value, dict):
            raise FormatError(f"{where}: must be a list of clusters, or an object with a file or documents")
        if "clusters" in value:
            return value["clusters"]
        if "documents" in value:
            return corpus_of(value, where) if "name" in value else _documents(value, where)
        return self.path(value, where)

    def path(self, value: Mapping[str, Any], where: str) -> str:
        """Put files where the library finds them, and give the path that it opens."""
        name = value.get("name")
        files = value.get("files", [value])
        if not isinstance(files, list) or len(files) > MOST_FILES:
            raise FormatError(f"{where}.files: must be a list of at most {MOST_FILES:,} files")
        target = self.target(name, where)
        for number, file in enumerate(files):
            self._put(file, f"{where}.files[{number}]" if "files" in value else where)
        return target

    def target(self, name: Any, where: str) -> str:
        """Give the path of a name below the folder of the request."""
        return str(self.root / safe_name(name, f"{where}.name"))

    def written(self, target: str) -> Path:
        """Give the path of a file or folder to be written, of which the answer has what the caller says."""
        path = self.root / "written" / str(safe_name(target.rpartition("/")[2], "target"))
        path.parent.mkdir(exist_ok=True)
        self._said[str(path)] = target
        return path

    def _put(self, file: Any, where: str) -> None:
        if not isinstance(file, dict):
            raise FormatError(f"{where}: must be an object with a name and a text")
        target = self.root / safe_name(file.get("name"), f"{where}.name")
        content = _content(file, where)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists() and target.read_bytes() != content:
                raise FormatError(f"{where}: there are two files of this name")
            target.write_bytes(content)
        except OSError as error:
            raise FormatError(f"{where}: {error.strerror or error}") from error

    def answered(self, text: str) -> str:
        """Name files as the caller does, in the JSON of an answer."""
        return self._named(text, lambda name: json.dumps(name)[1:-1])

    def said(self, words: str) -> str:
        """Name files as the caller does, in a message."""
        return self._named(words, str)

    def _named(self, text: str, written: Callable[[str], str]) -> str:
        folder = f"{self.folder.rstrip('/')}/" if self.folder else ""
        said = {**self._said, f"{self.root}/": folder, str(self.root): self.folder or "."}
        for path, name in said.items():
            text = text.replace(written(path), written(name))
        return text


def safe_name(name: Any, where: str) -> PurePosixPath:
    """Take a relative path that leads down only.

    >>> str(safe_name("dev/key.conll", "name"))
    'dev/key.conll'
    """
    parts = name.split("/") if isinstance(name, str) else []
    if not 0 < len(parts) <= DEEPEST or not all(map(_is_safe, parts)):
        raise FormatError(f"{where}: must be the name of a file, as key.conll or dev/key.conll, without ..")
    return PurePosixPath(*parts)


def _is_safe(part: str) -> bool:
    return 0 < len(encoded(part)) <= LONGEST_NAME and part.isprintable() and part not in (".", "..")


def _content(file: Mapping[str, Any], where: str) -> bytes:
    text, packed = file.get("text"), file.get("base64")
    if isinstance(text, str) and packed is None:
        return encoded(text)
    if isinstance(packed, str) and text is None:
        try:
            return base64.b64decode(encoded(packed), validate=True)
        except binascii.Error as error:
            raise FormatError(f"{where}.base64: {error}") from error
    raise FormatError(f"{where}: must have either text or base64")


def texts_of(value: Any) -> Any:
    """Read what is to be resolved: a text, several, or a corpus."""
    if isinstance(value, list):
        return [_text(each, f"texts[{number}]") for number, each in enumerate(value)]
    if isinstance(value, dict) and "documents" in value:
        return corpus_of(value, "texts")
    return _text(value, "texts")


def _text(value: Any, where: str) -> str | Text | Document:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "text" not in value:
        return _sound(Document(unpacked(Text, value, where), ()), where).text
    return _sound(unpacked(Document, value, where), where)


def corpus_of(value: Mapping[str, Any], where: str) -> DocumentCorpus:
    """Read documents that are one corpus."""
    name = unpacked(str, value.get("name"), f"{where}.name")
    across = unpacked(bool, value.get("cross_document", False), f"{where}.cross_document")
    return DocumentCorpus(_documents(value, where), name, cross_document=across)


def resolved_corpus(value: Mapping[str, Any]) -> ResolvedCorpus:
    """Read a corpus that was resolved."""
    read = corpus_of(value, "value")
    return ResolvedCorpus(read.documents, read.name, cross_document=read.cross_document)


def _documents(value: Mapping[str, Any], where: str) -> list[Document]:
    given = unpacked(list[Document], value.get("documents"), f"{where}.documents")
    return [_sound(document, f"{where}.documents[{number}]") for number, document in enumerate(given)]


def _sound(document: Document, where: str) -> Document:
    """Refuse a document whose parts do not fit together."""
    text, words = document.text, len(document.text.words)
    if len(text.zeros) > words:
        raise FormatError(f"{where}: more zeros than words")
    if not _ordered(text.sentences, text.length):
        raise FormatError(f"{where}: sentences must be spans of its {text.length} words, in order")
    if text.running is None and text.characters:
        raise FormatError(f"{where}: characters of words need the running text")
    if text.running is not None and (
        len(text.characters) != text.length or not _ordered(text.characters, len(text.running))
    ):
        raise FormatError(f"{where}: each word must be a span of characters of the running text, in order")
    if wrong := next((name for name, column in text.layers.items() if len(column) != words), None):
        raise FormatError(f"{where}: the layer {wrong} must have a value for each of the {words} words")
    if any(mention.end > words or mention.start < 0 for mention in _mentions(document)):
        raise FormatError(f"{where}: a mention is outside of its {words} words")
    return document


def _ordered(spans: tuple[Span, ...], length: int) -> bool:
    edges = [edge for span in spans for edge in span]
    return edges == sorted(edges) and all(0 <= edge <= length for edge in edges)


def _mentions(document: Document) -> list[Mention]:
    every = [*document.clusters, *document.non_referring]
    for layer in document.cluster_layers:
        every += [*layer.clusters, *layer.non_referring]
    return [mention for cluster in every for mention in cluster.mentions]
