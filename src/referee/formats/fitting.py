"""Fits documents to a format, one by one, so that one that cannot be written does not end a run.

Mentions that cross others, which brackets cannot hold, are left out and counted. Where loss is allowed,
nothing else is refused either: other mentions are left out, and words, names and topics that the format
cannot write are replaced. Otherwise such a document is a failure.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import BytesIO, TextIOWrapper
from itertools import combinations
from urllib.parse import quote

from referee.encoding import ODD, SURROGATE, is_unicode
from referee.exceptions import FormatError
from referee.formats.failures import Failures
from referee.formats.format import CROSSING, ZEROS, Format
from referee.formats.losses import CrossingError, nested, reduced
from referee.model import Document, Mention

PLAIN = " !#$&'()+,;=@[]{}"  # characters of a document's name that a file's may have, beside letters
LONGEST_NAME = 255  # bytes of a file's name on all usual disks
SHORTENED = 40  # characters that stay of a name that is too long
MENTIONS = "mentions"  # of a format that has them in a file beside it
UNWRITABLE = "mentions that would not be read back"
ODD_WORDS = "texts with words that it cannot write, which are replaced"
NAMES = "names of documents, which are changed"
NO_TOPIC = "documents without a topic, which get one"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
Row = tuple[int, Mention]  # a cluster's index and one of its mentions


@dataclass
class Fitting:
    """Fits documents to a format, and remembers which failed, and what was left out of the others."""

    form: Format
    failures: Failures
    lossy: bool = False
    tries: bool = True  # whether each document is written to nowhere first
    lost: Counter[str] = field(default_factory=Counter)
    _columns: str = ""  # of the first document
    _names: set[str] = field(default_factory=set)  # of files, as file systems compare them

    @property
    def untried(self) -> Fitting:
        """Another one that takes it that documents can be written, for a first attempt."""
        return Fitting(self.form, Failures(strict=True), self.lossy, tries=False)

    def documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Give those documents that can be written, as far as they can be."""
        for document in documents:
            try:
                named = self._named(document)
                fitted = self._writable(named)
                fitted = fitted if fitted.id == named.id else self._named(fitted)
                self._refuse_other_columns(fitted)
            except FormatError as error:
                self.failures.add(document.id, error)
                continue
            self.lost[MENTIONS] += len(_rows(fitted)) if self.form.texts_only else 0
            yield fitted

    def _refuse_other_columns(self, document: Document) -> None:
        """See that a document has the columns of the first one, where a file has one kind."""
        if self.form.columns_of is None:
            return
        columns = self.form.columns_of(document)
        self._columns = self._columns or columns
        if columns != self._columns:
            raise FormatError(
                f"it has the columns '{columns}', but documents before it '{self._columns}'; write them to "
                "separate files"
            )

    def _named(self, document: Document) -> Document:
        """See that a name can be a file's, and differs from those before, where the format needs that."""
        if not (self.form.contents or self.form.distinct_names):
            return document
        fault = self._fault_of_name(document.id)
        if fault and not self.lossy:
            raise FormatError(fault)
        named, number = document.id, 1
        while fault:
            digest = blake2b(f"{document.id}\0{number}".encode("utf-8", "surrogatepass"), digest_size=4)
            named = f"{document.id[:SHORTENED]}#{number if number > 1 else digest.hexdigest()}"
            fault, number = self._fault_of_name(named), number + 1
        self.lost[NAMES] += named != document.id
        self._names.add(self._compared(named))
        return document.with_text(id=named)

    def _compared(self, name: str) -> str:
        """Write a name as it is compared with others: some file systems take `a` and `A` for one."""
        return file_name(name).casefold() if self.form.contents else name

    def _fault_of_name(self, name: str) -> str:
        if self._compared(name) in self._names:
            return f"two documents are called '{name}'; give them other names, or lossy=True"
        size = len(os.fsencode(file_name(name) + max(self.form.suffixes, key=len, default="")))
        if self.form.contents and size > LONGEST_NAME:
            return (
                f"its name has {size} bytes as that of a file, which may have {LONGEST_NAME}; give it a "
                "shorter one, or lossy=True"
            )
        return ""

    def _writable(self, document: Document) -> Document:
        fault = fault_of(document, self.form) if self.tries else None
        if fault is None:
            return document
        if isinstance(fault, CrossingError):
            fitted = self._with(document, nested_rows(document, across=fault.across), CROSSING)
            fault, document = fault_of(fitted, self.form), fitted
        if fault is None:
            return document
        if not self.lossy:
            if isinstance(fault, CrossingError):
                return self._without_faults(document)
            raise fault
        return self._without_faults(self._plain(document))

    def _plain(self, document: Document) -> Document:
        """Replace what the format cannot write even without mentions: as few of words, name, topic, zeros."""
        steps = {
            ODD_WORDS: _plain_text,
            NAMES: _plain_name,
            NO_TOPIC: _with_topic,
            ZEROS: self._zeroless,
        }
        for count in range(len(steps) + 1):
            for kinds in combinations(steps, count):
                changed = document
                for kind in kinds:
                    changed = steps[kind](changed)
                if fault_of(replace(changed, clusters=(), relations=()), self.form) is None:
                    zeros = {ZEROS: len(document.text.zeros)}
                    self.lost.update({kind: zeros.get(kind, 1) for kind in kinds})
                    return changed
        return document

    def _zeroless(self, document: Document) -> Document:
        """Leave out words that are not written, though the format holds some."""
        return reduced(document, replace(self.form, holds=self.form.holds - {ZEROS}))

    def _without_faults(self, document: Document) -> Document:
        """Leave out mentions until the rest can be written; halves are tried, so a fault is found quickly."""
        kept: list[Row] = []

        def add(some: Sequence[Row]) -> None:
            if fault_of(_with_mentions(document, [*kept, *some]), self.form) is None:
                kept.extend(some)
            elif len(some) > 1:
                add(some[: len(some) // 2])
                add(some[len(some) // 2 :])

        add(_rows(document))
        fitted = self._with(document, kept, UNWRITABLE)
        if fault := fault_of(fitted, self.form):
            raise fault
        return fitted

    def _with(self, document: Document, rows: Sequence[Row], what: str) -> Document:
        self.lost[what] += len(_rows(document)) - len(rows)
        return _with_mentions(document, rows)


def fault_of(document: Document, form: Format) -> FormatError | None:
    """Write a document alone, to nowhere: the error if it cannot be written."""
    try:
        if form.contents is not None:
            for content in form.contents(document).values():
                refuse_odd_characters(document, content, form)
        elif form.write is not None:
            form.write([document], TextIOWrapper(BytesIO(), encoding="utf-8", errors=ODD))
    except FormatError as error:
        return error
    return None


def refuse_odd_characters(document: Document, content: str, form: Format) -> None:
    """Refuse content that is not Unicode, for formats of which other programs read every file."""
    if not is_unicode(content):
        what = "bytes that are not UTF-8"
        raise FormatError(f"document {document.id}: it has {what}, which {form.label} cannot hold")


def file_name(name: str) -> str:
    """Write a document's name so that a file can have it, and no file is hidden or outside of its folder.

    >>> file_name("nw/wsj_01"), file_name(".")
    ('nw%2Fwsj_01', '%2E')
    """
    written = quote(name, safe=PLAIN, errors="surrogateescape" if _is_of_bytes(name) else "surrogatepass")
    return f"%2E{written[1:]}" if written.startswith(".") else written


def _is_of_bytes(name: str) -> bool:
    """Whether all lone surrogates of a name stand for bytes that are not UTF-8."""
    return all("\udc80" <= odd <= "\udcff" for odd in SURROGATE.findall(name))


def nested_rows(document: Document, *, across: bool) -> list[Row]:
    """List mentions that cross no other of their cluster that stays, or with `across` of any cluster."""
    rows = _rows(document)
    if across:
        return [rows[number] for number in nested([mention for _, mention in rows])]
    return [
        (number, cluster.mentions[kept])
        for number, cluster in enumerate(document.clusters)
        for kept in nested(cluster.mentions)
    ]


def _rows(document: Document) -> list[Row]:
    """List mentions from the first word on, the longest first, each with its cluster's index."""
    rows = [(number, m) for number, cluster in enumerate(document.clusters) for m in cluster.mentions]
    return sorted(rows, key=lambda row: (row[1].start, -row[1].end))


def _with_mentions(document: Document, rows: Sequence[Row]) -> Document:
    """Keep some mentions, in the order that they have in their clusters, and what relates their clusters."""
    kept = Counter(rows)
    clusters = []
    for number, cluster in enumerate(document.clusters):
        mentions = []
        for mention in cluster.mentions:
            if kept[number, mention] > 0:
                kept[number, mention] -= 1
                mentions.append(mention)
        clusters.append(replace(cluster, mentions=tuple(mentions)))
    some = tuple(cluster for cluster in clusters if cluster.mentions)
    ids = {cluster.id for cluster in some}
    relations = tuple(r for r in document.relations if {r.anaphor, *r.antecedents} <= ids)
    return replace(document, clusters=some, relations=relations)


def _plain_text(document: Document) -> Document:
    """Replace what is not Unicode, and words that are empty or begin as marks of other words do."""
    words = [SURROGATE.sub(REPLACEMENT, word) for word in document.words]
    if document.text.running is not None:
        return document.with_text(
            words=tuple(words), running=SURROGATE.sub(REPLACEMENT, document.text.running)
        )
    return document.with_text(words=tuple(word.lstrip("#").strip() or "_" for word in words))


def _plain_name(document: Document) -> Document:
    """Write a name in Unicode on one line, with single blanks."""
    return document.with_text(id=" ".join(SURROGATE.sub(REPLACEMENT, document.id).split()) or "_")


def _with_topic(document: Document) -> Document:
    return document.with_text(topic=document.text.topic or "-")
