"""The Gun Violence Corpus (Vossen et al. 2018), and what else has its columns (SemEval-2018 Task 5).

    #begin document (DOC);
    DOC.DCT     2017-03-16   DCT     -
    DOC.t1.1    Shooting     TITLE   (22)
    DOC.b1.0    Two          BODY    -
    #end document

The columns, with tabs between them, are the token's name, the word, DCT, TITLE or BODY, and the chain; in
`verbose.conll` INCIDENT.EVENTTYPE.PARTICIPANTS comes before the chain, and is read for the type of a
mention. A chain's number holds in all documents. The row with the date (DCT) is not a part of the text, nor
are the rows NEWLINE. A token's name says its sentence.

Chain 0 stands for any other event: it joins mentions within a document, as for other scorers, and never
documents; kind="events" leaves it out, as Bugert et al. (2021) do. `gvc_doc_to_event.csv` (doc-id,
event-id), in the folder or above it, says each document's incident, which is its subtopic; there is one
topic, gun_violence.

`OtherEventCorpus` is any corpus with such a name for the mentions of all other events.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.conll.reading import ConllCorpus
from referee.formats.format import Reading
from referee.formats.io.csv_file import csv_rows
from referee.formats.io.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention


class OtherEventCorpus(DocumentCorpus):
    """Documents in which a name stands for any other event.

    Such mentions are a cluster in each document, as for every scorer that reads the file, and not
    across documents. `only("events")` leaves them out.
    """

    def __init__(
        self, documents: Iterable[Document], name: str, other: str, notices: Sequence[str] = ()
    ) -> None:
        """Rename the clusters that are called `other`, so that they join no documents."""
        super().__init__(
            (_joined_within(document, other) for document in documents), name, cross_document=True
        )
        self._documents_without = [_without(document, other) for document in self.documents]
        dropped = [
            len(all_.clusters) - len(without.clusters)
            for all_, without in zip(self.documents, self._documents_without, strict=True)
        ]
        self._others, self._other = sum(dropped), other
        self.about = self._said()
        self.notices = [*notices, *self.about]

    def _said(self) -> list[str]:
        return [
            f"{self.name}: '{self._other}' stands for any other event: its mentions are joined within their "
            f"document only ({number_of(self._others, 'document')}), and left out by kind='events'"
        ] * bool(self._others)

    def of_kind(self, kind: str) -> DocumentCorpus:
        """Leave out mentions of no event that the corpus knows, if events are wanted."""
        if kind != "events" or not self._others:
            return self
        chosen = DocumentCorpus(self._documents_without, self.name, cross_document=True)
        chosen.notices = [notice for notice in self.notices if notice not in self._said()]
        return chosen


def _joined_within(document: Document, other: str) -> Document:
    clusters = (
        replace(cluster, id=_name_within(document, other)) if cluster.id == other else cluster
        for cluster in document.clusters
    )
    return replace(document, clusters=tuple(clusters))


def _without(document: Document, other: str) -> Document:
    name = _name_within(document, other)
    return replace(document, clusters=tuple(cluster for cluster in document.clusters if cluster.id != name))


def _name_within(document: Document, other: str) -> str:
    return f"{other} in {document.id}"


NAME = re.compile(r"\((.*)\);?")
DATE, NEWLINE = "DCT", "NEWLINE"
OTHER = "0"
TOPIC = "gun_violence"
INCIDENTS = "gvc_doc_to_event.csv"
PARENTS = 2  # folders in which that list may lie: the file's, and the one above
SKIPPED = -1  # the position of a row that is not a word of the text


@dataclass(slots=True)
class _Rows:
    """A document while its rows come in."""

    words: list[str] = field(default_factory=list)
    sentences: list[tuple[str, str]] = field(default_factory=list)  # word → its sentence
    tokens: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)  # row → word
    types: list[str | None] = field(default_factory=list)  # row → what the verbose column says

    def add(self, columns: Sequence[str], where: str) -> None:
        """Take a row in."""
        if len(columns) not in (3, 4):
            raise FormatError(f"{where}: expected a token, a word, DCT, TITLE or BODY, and the chain")
        token, word, part = columns[:3]
        skipped = part == DATE or word == NEWLINE
        self.positions.append(SKIPPED if skipped else len(self.words))
        incident = columns[3].split(".") if len(columns) == 4 else []
        self.types.append(incident[1] if len(incident) > 1 and incident[1] else None)
        if skipped:
            return
        named = token.rsplit(".", 2)
        if len(named) != 3:
            raise FormatError(f"{where}: a token is named DOCUMENT.SENTENCE.NUMBER, not '{token}'")
        self.words.append(word)
        self.sentences.append((part, named[1]))
        self.tokens.append(token)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> OtherEventCorpus:
    """Read all documents of some files."""
    blocks = ConllCorpus(files, name, strict=reading.strict)
    incidents: dict[str, str] = {}
    for file in files:
        incidents |= _incidents(Path(file.path))
    documents = [_document(blocks, number, incidents) for number in range(len(blocks))]
    return OtherEventCorpus(documents, name, OTHER, blocks.notices)


def _incidents(file: Path) -> Mapping[str, str]:
    """Read which incident each document reports, if there is a list of them."""
    paths = (folder / INCIDENTS for folder in list(file.absolute().parents)[:PARENTS])
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        return {}
    rows = csv_rows(SeekableFile(str(path)), ("doc-id", "event-id"))
    return {row["doc-id"]: row["event-id"] for _, row in rows}


def _document(blocks: ConllCorpus, number: int, incidents: Mapping[str, str]) -> Document:
    """Make a document of a block."""
    block = blocks.document(number)
    rows = _Rows()
    for token, row in enumerate(block.layers["row"]):
        columns = row.rstrip("\r\n\t ").split("\t") if "\t" in row else row.split()
        rows.add(columns, blocks.location(number, token))
    clusters: defaultdict[str, list[Mention]] = defaultdict(list)
    for cluster in block.clusters:
        for mention in cluster.mentions:
            positions = [at for at in rows.positions[mention.start : mention.end] if at != SKIPPED]
            if not positions:
                where = blocks.location(number, mention.start)
                raise FormatError(f"{where}: a mention of chain {cluster.id} has no word of the text")
            kind = rows.types[mention.start]
            clusters[cluster.id].append(Mention(((positions[0], positions[-1] + 1),), type=kind))
    named = NAME.fullmatch(block.id)
    id_ = named[1] if named else block.id
    starts = [i for i, sentence in enumerate(rows.sentences) if i == 0 or sentence != rows.sentences[i - 1]]
    made = tuple(Cluster(name, tuple(mentions)) for name, mentions in clusters.items())
    return Document.of(
        id_,
        rows.words,
        pairwise([*starts, len(rows.words)]),
        made,
        {"token": tuple(rows.tokens)},
        topic=TOPIC,
        subtopic=incidents.get(id_),
    )
