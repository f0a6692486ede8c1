"""JSON lines, one document per line, in the two dialects that neural systems exchange.

* e2e: `sentences` (lists of words) and `clusters` of [first, last] token offsets, the last one *included*,
  counted through the document. Instead of `sentences` there may be a flat list, `tokens`.
* fastcoref: `text`, and `clusters` of [start, end] *character* offsets, the end *excluded*.

The name is `doc_key`, `doc_id` or `id`. A response's `predicted_clusters` are taken before its `clusters`,
which hold the key in the files that e2e systems write; Maverick's `clusters_token_offsets` are read where
there is neither. A mention of several spans is a list of pairs. Lists
that run parallel to the sentences (speakers, pos, …) become layers, and are written back; `head` counts as
in CoNLL-U, from 1 in the sentence, 0 for the root.

All else that a document can have is in further fields, each absent where there is nothing to say:

    cluster_ids, cluster_types       for each cluster its id and type; without ids, its number
    minimum_spans                    for each mention of each cluster a list of pairs, or null
    mention_heads, mention_types     the same: an offset, a string, or null
    mention_scores, link_scores      the same: how sure a system is of the mention, and of its link, or null
    relations                        [{"kind", "anaphor", "antecedents", "label"}], by the ids of clusters; of
                                     bridging also "anaphor_mention" and "antecedent_mentions", lists of
                                     [first, last] words, where a corpus names the mentions
    non_referring                    {"clusters", "cluster_ids", …}: expressions that refer to nothing, each
                                     in a cluster of its own, counted as the others and in words
    cluster_layers                   {"deixis": {"clusters", "cluster_ids", "relations", …}}: other layers
    zeros                            [{"word", "before", "ordinal", "sentence", "governors", "layers"}],
                                     numbered on after the written words
    sentence_spans                   [first, last] of sentences, beside `tokens`, where they have gaps
    text, characters, cut            beside words: the running text, [start, end] of each word in it, and
                                     whether the words were cut from it by us
    topic, subtopic                  where the text belongs in a cross-document corpus
    layout                           how a file of another format wrote the annotation
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import BYTE_ORDER_MARK, SeekableFile, stem
from referee.formats.jsonlines.fields import document_of, has_words, is_table, name_of
from referee.formats.jsonlines.outside import outside, without_outside
from referee.formats.jsonlines.writing import LAYER_FIELDS, OWN_FIELDS
from referee.formats.ledger import Ledger
from referee.model import Chains, Corpus, Document, Topic

NAMES = ("doc_key", "doc_id", "id")
WORDS, CHARACTERS = "e2e", "fastcoref"  # what the two dialects are called, and count
CHUNK = 2**20  # bytes
OUTSIDE_TEXT = "outside the document and left out"
LARGEST_LINE = 2**30  # bytes


class JsonCorpus(Corpus):
    """The documents of one or more files of JSON lines."""

    def __init__(self, files: Sequence[SeekableFile], name: str, reading: Reading) -> None:
        """Find where the documents are, and which dialect they speak.

        Of a response mentions outside the document are left out, as a language model may count badly.
        """
        self.name = name
        self._predicted = reading.predicted
        self._tolerant = reading.predicted and not reading.strict
        ledger = Ledger()
        self._entries: list[tuple[SeekableFile, int, int, int, str]] = []  # file, start, size, line, id
        self._topics: list[Topic] = []
        self.named = False
        dialects = set()
        seen: set[str] = set()  # fields
        others: list[str] = []  # of these, those that are not read
        for file in files:
            for count, (start, size, line, text) in enumerate(_lines(file), start=1):
                with reading.surviving(where := f"{file.path}:{line}"):
                    fields = _fields(text, file.path, line)
                    dialects.add(_dialect(fields, where))
                    given = name_in(fields)
                    self.named |= bool(given)
                    id_ = given or stem(file.path) + (f"#{count}" if count > 1 else "")
                    self._entries.append((file, start, size, line, id_))
                    self._topics.append(Topic(name_of(fields.get("topic")), name_of(fields.get("subtopic"))))
                    others += [field for field in fields.keys() - seen if _is_unread(field, fields[field])]
                    seen |= fields.keys()
                    for mention in outside(fields, predicted=self._predicted) if self._tolerant else ():
                        ledger.skip(f"mention {mention}: {OUTSIDE_TEXT}", where)
            file.close()
        if len(dialects) > 1:
            raise FormatError(
                f"{name}: some lines have sentences, others text; convert them to one of the two"
            )
        dialect = dialects.pop() if dialects else WORDS
        self.cut = dialect == CHARACTERS
        counted = "character offsets, end excluded" if self.cut else "token offsets, end included"
        unread = f"; fields that are not read: {', '.join(sorted(others))}" if others else ""
        ledger.close(self, [f"{name}: JSON lines of the {dialect} kind ({counted}){unread}"])
        self.ids = [entry[4] for entry in self._entries]

    def topic_of(self, number: int) -> Topic:
        """Return a document's topic and subtopic."""
        return self._topics[number]

    def weight(self, number: int) -> int:
        """Count the line's bytes."""
        return self._entries[number][2]

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read the clusters of some documents."""
        return Chains.of(None if number is None else self.document(number) for number in numbers)

    def document(self, number: int) -> Document:
        """Read one line."""
        fields, id_, where = self._line(number)
        if self._tolerant:
            fields = without_outside(fields, predicted=self._predicted)
        document = document_of(fields, id_, where, predicted=self._predicted)
        self.note(_unread_layers(document, fields, where))
        return document

    def _line(self, number: int) -> tuple[dict[str, Any], str, str]:
        file, start, size, line, id_ = self._entries[number]
        fields = _fields(file.read(start, size), file.path, line)
        file.close()
        return fields, id_, f"{file.path}:{line}"

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document, by line."""
        fields, id_, where = self._line(number)
        line = self._entries[number][3]
        flaws = [
            (line, f"the mention {mention} lies outside the document")
            for mention in outside(fields, predicted=self._predicted)
        ]
        try:
            document_of(
                without_outside(fields, predicted=self._predicted), id_, where, predicted=self._predicted
            )
        except FormatError as error:
            flaws.append((line, str(error).split(": ", 1)[-1]))
        return flaws

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is: FILE:LINE. A line holds all its tokens."""
        del word
        file, _, _, line, _ = self._entries[number]
        return f"{file.path}:{line}"


def _is_unread(name: str, value: object) -> bool:
    """Whether nothing is made of a field; lists of words are layers, or a notice says that they are not."""
    return name not in OWN_FIELDS and not (is_table(value) and value)


def name_in(fields: dict[str, Any]) -> str:
    """Take the name of a line's document; '' if it has none."""
    return next((str(fields[field]) for field in NAMES if fields.get(field) is not None), "")


def lines_of(file: SeekableFile) -> Iterator[tuple[int, int, int, dict[str, Any]]]:
    """Yield where each document is in the file, its line, and its fields."""
    for start, size, number, line in _lines(file):
        yield start, size, number, _fields(line, file.path, number)


def _lines(file: SeekableFile) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield where each line that is not blank is in the file, its number, and its bytes."""
    position = start = number = 0
    pieces: list[bytes] = []  # of the line that has not ended yet
    while chunk := file.read(position, CHUNK):
        position += len(chunk)
        first, *others = chunk.split(b"\n")
        pieces.append(first)
        for piece in others:
            line = b"".join(pieces)
            number += 1
            if line.strip():
                yield start, len(line), number, line
            start += len(line) + 1
            pieces = [piece]
        if position - start > LARGEST_LINE:
            raise FormatError(f"{file.path}:{number + 1}: a line of more than {LARGEST_LINE >> 30} GiB")
    line = b"".join(pieces)
    if line.strip():
        yield start, len(line), number + 1, line


def _unread_layers(document: Document, fields: dict[str, Any], where: str) -> Iterator[str]:
    """Name the fields that look like layers of words and do not fit them."""
    for name, table in fields.items():
        known = name in OWN_FIELDS or LAYER_FIELDS.get(name, name) in document.layers
        if not known and is_table(table) and any(table):
            yield f"{where}: {name} does not have an item for each word, and is not read"


def _fields(line: bytes, path: str, number: int) -> dict[str, Any]:
    where = f"{path}:{number}"
    try:
        fields = json.loads(decoded(line.removeprefix(BYTE_ORDER_MARK), path, number))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where}: not a JSON object on one line: {error}") from error
    if not isinstance(fields, dict):
        raise FormatError(f"{where}: expected a JSON object with sentences or text, and clusters")
    return fields


def _dialect(fields: dict[str, Any], where: str) -> str:
    if has_words(fields):
        return CHARACTERS if fields.get("cut") is True else WORDS
    if "text" in fields:
        return CHARACTERS
    raise FormatError(
        f"{where}: has neither sentences, tokens nor text; fields: {', '.join(fields) or 'none'}"
    )


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> JsonCorpus:
    """Find the documents of all files; of a response, what is outside a document is left out."""
    return JsonCorpus(files, name, reading)
