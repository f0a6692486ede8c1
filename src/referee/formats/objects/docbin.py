"""spaCy's DocBin files (`.spacy`): msgpack in zlib. Reading and writing them needs spaCy, for its strings.

Clusters are where `spacy_documents` looks for them: in span groups, or in the user data of extensions.
The user data has what spaCy has no field for: `id`, `topic`, `subtopic`, and `text` with `characters` where
words and single blanks do not make up the running text.

Nothing is unpickled: DocBin is plain msgpack. It is unpacked with a bound, and read by us rather than by
spaCy, which would believe the numbers in it and look for tokens outside of the document.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from types import SimpleNamespace
from typing import IO, Any

import numpy as np

from referee.arrays import IntArray
from referee.display import number_of
from referee.exceptions import FormatError, need_package
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.losses import refuse_unholdable
from referee.formats.objects.spacy_docs import GROUP, document_of_spacy
from referee.model import Document, DocumentCorpus, Text
from referee.model.layers import LEMMA, POS

LARGEST = 2**28  # bytes unpacked: as Python's objects they are some times more
SPAN = struct.Struct(">QQQllll")  # id, knowledge base, label, start, end, and these in characters
EXTENSION = "._."  # what the keys of extensions' user data begin with
COLUMNS = {"orth": "ORTH", "pos": "POS", "tag": "TAG", "lemma": "LEMMA", "dep": "DEP", "head": "HEAD",
           "start": "SENT_START"}  # fmt: skip


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read all documents of some files."""
    del reading
    need_package("spacy", "nlp", "spaCy")
    documents: list[Document] = []
    named = False
    for file in files:
        made = list(_documents(file))
        named |= any(document.id for document in made)
        documents += [
            document
            if document.id
            else document.with_text(id=stem(file.path) + (f"#{number}" if number > 1 else ""))
            for number, document in enumerate(made, 1)
        ]
    corpus = DocumentCorpus(documents, name)
    corpus.named = named
    return corpus


def _documents(file: SeekableFile) -> Iterator[Document]:
    message = _unpacked(_inflated(file), file.path)
    try:
        records = list(_records(message))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, struct.error, FormatError) as error:
        raise FormatError(f"{file.path}: not a valid DocBin: {error}") from error
    for number, record in enumerate(records, 1):
        where = f"{file.path}: document {number}"
        try:
            document = _told(document_of_spacy(record, where), record.user_data)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise FormatError(f"{where}: not a valid document of a DocBin: {error!r}") from error
        if any(mention.end > len(document.words) for mention in document.mentions):
            raise FormatError(
                f"{where}: a mention lies outside the document, which has "
                f"{number_of(len(record.tokens), 'token')}"
            )
        yield document


def _inflated(file: SeekableFile) -> bytes:
    """Unpack a file, with a bound: a small one may hold a very large one."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(file.read(0, LARGEST), LARGEST + 1)
    except zlib.error as error:
        raise FormatError(f"{file.path}: the compressed file is damaged: {error}") from error
    file.close()
    if len(data) > LARGEST:
        raise FormatError(f"{file.path}: unpacks to more than {LARGEST >> 20} MiB; write several files")
    if not unpacking.eof:
        raise FormatError(f"{file.path}: the compressed file breaks off")
    return data


def _unpacked(data: bytes, where: str, *, use_list: bool = True) -> Any:
    from srsly import msgpack  # spaCy brings it

    try:
        return msgpack.loads(data, raw=False, use_list=use_list, strict_map_key=False)
    except Exception as error:  # a decoder may raise anything on untrusted bytes
        raise FormatError(f"{where}: cannot be read as msgpack: {error!r}") from error


# ---------------------------------------------------------------------------------------------- a document
@dataclass(frozen=True, slots=True)
class _Token:
    """A token, as spaCy's would look."""

    i: int
    text: str
    idx: int
    pos_: str
    tag_: str
    lemma_: str
    dep_: str
    head: Any  # has `i`
    is_sent_start: bool


@dataclass(frozen=True, slots=True)
class _Record:
    """A document, as spaCy's would look."""

    tokens: Sequence[_Token]
    text: str
    has_unknown_spaces: bool
    spans: Mapping[str, Any]
    user_data: Mapping[Any, Any]
    _: Any

    def __iter__(self) -> Iterator[_Token]:
        """Give the tokens."""
        return iter(self.tokens)


def _records(message: Mapping[str, Any]) -> Iterator[_Record]:
    from spacy.attrs import IDS
    from spacy.strings import StringStore

    strings = StringStore([str(string) for string in message["strings"]])
    attributes = list(message["attrs"])
    lengths = np.frombuffer(message["lengths"], "<i4").astype(np.int64)
    table = np.frombuffer(message["tokens"], "<u8").reshape(-1, len(attributes))
    spaces = np.frombuffer(message["spaces"], bool)
    if lengths.min(initial=0) < 0 or lengths.sum() != len(table) or len(spaces) != len(table):
        raise FormatError("tokens, spaces and lengths do not fit each other")
    columns = {
        name: table[:, attributes.index(IDS[attribute])]
        for name, attribute in COLUMNS.items()
        if IDS[attribute] in attributes
    }
    for number, (start, end) in enumerate(pairwise(accumulate(lengths.tolist(), initial=0))):
        flags = message["flags"][number] if "flags" in message else {}
        user_data = _user_data(message, number)
        tokens = list(
            _tokens({name: c[start:end] for name, c in columns.items()}, spaces[start:end], strings)
        )
        extensions = {key[1]: value for key, value in user_data.items() if key[:1] == (EXTENSION,)}
        yield _Record(
            tokens,
            "".join(
                token.text + " " * bool(space) for token, space in zip(tokens, spaces[start:end], strict=True)
            ),
            bool(flags.get("has_unknown_spaces")),
            _groups(message, number, strings),
            {key: value for key, value in user_data.items() if isinstance(key, str)},
            SimpleNamespace(**extensions),
        )


def _tokens(columns: Mapping[str, IntArray], spaces: IntArray, strings: Any) -> Iterator[_Token]:
    offset, count = 0, len(spaces)

    def string(name: str, token: int) -> str:
        return str(strings[int(columns[name][token])]) if name in columns else ""

    heads = columns["head"].astype(np.int64) if "head" in columns else np.zeros(count, np.int64)
    for token in range(count):
        head = token + int(heads[token])
        if not 0 <= head < count:
            raise FormatError(f"token {token} has its head outside the document")
        word = string("orth", token)
        pos, tag, lemma, dep = (string(name, token) for name in ("pos", "tag", "lemma", "dep"))
        starts = "start" in columns and int(columns["start"][token]) == 1
        yield _Token(token, word, offset, pos, tag, lemma, dep, SimpleNamespace(i=head), starts)
        offset += len(word) + bool(spaces[token])


class _Group(list[Any]):
    """A span group, as spaCy's would look."""

    attrs: Mapping[str, Any]


def _groups(message: Mapping[str, Any], number: int, strings: Any) -> dict[str, _Group]:
    """Read the span groups of a document: a mapping of groups to their names, or in old files a list."""
    packed = message["span_groups"][number] if "span_groups" in message else b""
    listed = _unpacked(packed, "span groups") if packed else []
    pairs = listed.items() if isinstance(listed, Mapping) else ((group, None) for group in listed)
    groups = {}
    for data, names in pairs:
        stored = _unpacked(data, "a span group")
        group = _Group()
        for span in stored["spans"]:
            _, _, label, start, end, _, _ = SPAN.unpack(span)
            group.append(SimpleNamespace(start=start, end=end, label_=str(strings[label]) if label else ""))
        group.attrs = dict(stored["attrs"])
        groups.update(dict.fromkeys(names or [stored["name"]], group))
    return groups


def _user_data(message: Mapping[str, Any], number: int) -> Mapping[Any, Any]:
    packed = message["user_data"][number] if "user_data" in message else None
    data = _unpacked(packed, "user data", use_list=False) if packed else {}
    if not isinstance(data, Mapping):
        raise FormatError("user data is not a mapping")
    return data


def _told(document: Document, data: Mapping[str, Any]) -> Document:
    """Add what the user data says of the text."""
    changes: dict[str, Any] = {
        name: str(data[name]) for name in ("topic", "subtopic") if data.get(name) is not None
    }
    if "text" in data and "characters" in data:
        characters = tuple((int(start), int(end)) for start, end in data["characters"])
        if len(characters) != len(document.words):
            raise ValueError("characters in the user data do not fit the tokens")
        changes |= {"running": str(data["text"]), "characters": characters}
    return document.with_text(**changes) if changes else document


# ------------------------------------------------------------------------------------------------- writing
def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write all documents."""
    need_package("spacy", "nlp", "spaCy")
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    binary = getattr(file, "buffer", None)
    if binary is None:
        raise FormatError("a DocBin is not text: write it to a file")
    packed, vocabulary = DocBin(store_user_data=True), Vocab()
    for document in documents:
        refuse_unholdable(document, "DocBin")
        try:
            packed.add(_spacy_document(document, vocabulary))
        except ValueError as error:
            raise FormatError(f"document {document.id}: spaCy cannot hold it: {error}") from error
    binary.write(packed.to_bytes())


def _spacy_document(document: Document, vocabulary: Any) -> Any:
    from spacy.tokens import Doc, Span, SpanGroup

    text = document.text
    words = list(text.words[: text.length])
    spaces = _spaces(text)
    starts = {start for start, _ in text.stretches}
    made = Doc(
        vocabulary,
        words=words,
        spaces=spaces,
        sent_starts=[number in starts for number in range(len(words))],
        tags=list(text.layers[POS][: text.length]) if POS in text.layers else None,
        lemmas=list(text.layers[LEMMA][: text.length]) if LEMMA in text.layers else None,
    )
    known = {"id": text.id, "topic": text.topic, "subtopic": text.subtopic}
    made.user_data.update({name: value for name, value in known.items() if value is not None})
    if text.running is not None and spaces is None:
        made.user_data.update({"text": text.running, "characters": list(map(list, text.characters))})
    ids = [cluster.id for cluster in document.clusters]
    usable = len(set(ids)) == len(ids) and all(re.fullmatch(r"\w+", id_) for id_ in ids)
    for number, cluster in enumerate(document.clusters, 1):
        spans = [Span(made, m.start, m.end, label=m.type or "") for m in cluster.mentions]
        name = f"{GROUP}{cluster.id if usable else number}"
        attributes = {} if cluster.type is None else {"type": cluster.type}
        made.spans[name] = SpanGroup(made, name=name, attrs=attributes, spans=spans)
    return made


def _spaces(text: Text) -> list[bool] | None:
    """Say which words a blank comes after; None if blanks are not all that is between them."""
    if text.running is None:
        return None
    starts = [start for start, _ in text.characters[1 : text.length]]
    spaces = [
        end < start for (_, end), start in zip(text.characters, [*starts, len(text.running)], strict=False)
    ]
    again = "".join(word + " " * space for word, space in zip(text.words, spaces, strict=False))
    return spaces if again == text.running else None
