"""Cross-document CoNLL, as the systems of Cattan et al. (2021) and their successors exchange it.

One `#begin document` block holds many documents: all of a topic (topic level) or of the corpus (corpus
level). The columns, with tabs between them, are

    topic  subtopic  document  sentence  token  word  curated  coreference

`curated` is True or False; rows with False are left out, and so are mentions that touch them. Files without
a subtopic column, or with neither topic nor subtopic, are read too: the columns are found from the right.
A cluster's name means the same throughout its block; where another block has the same name, the number of
the block comes before it. Names that cannot be written in a cell become numbers. Names of documents and
topics keep their blanks. A mention with gaps is written from its first word to its last, as the code of
Cattan et al. does it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import IO

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.conll.reading import ConllCorpus
from referee.formats.conll.writing import check_readable, coreference_cells
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention

FLAGS = ("True", "False")
DOCUMENT, SENTENCE, TOKEN, WORD, CURATED = -5, -4, -3, -2, -1  # columns, without the coreference cell
WIDTHS = (5, 6, 7)  # without topic and subtopic; without subtopic; in full


@dataclass(slots=True)
class _Text:
    """A document while its rows come in."""

    columns: Sequence[str]  # of its first row
    rows: list[Sequence[str]] = field(default_factory=list)
    clusters: defaultdict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))

    def document(self, id_: str) -> Document:
        """Make the document of the rows."""
        edges = [
            i
            for i, row in enumerate(self.rows)
            if i == 0 or row[SENTENCE] != self.rows[i - 1][SENTENCE]
        ]  # fmt: skip
        topic = self.columns[0] if len(self.columns) > WIDTHS[0] else None
        subtopic = self.columns[1].removeprefix(f"{topic}_") if len(self.columns) == WIDTHS[-1] else None
        return Document.of(
            id_,
            tuple(row[WORD] for row in self.rows),
            tuple(zip(edges, [*edges[1:], len(self.rows)], strict=True)),
            tuple(Cluster(name, tuple(mentions)) for name, mentions in self.clusters.items()),
            {name: tuple(row[at] for row in self.rows) for name, at in LAYERS.items()},
            topic=topic,
            subtopic=subtopic,
        )


CLUSTER_NAME = re.compile(r"[^()|\x00-\x20]+")
CONTROL = re.compile(r"[\x00-\x1f]")
LAYERS = {"sentence": SENTENCE, "token": TOKEN}  # the numbers that the corpus itself gives to them


class BlockCorpus(DocumentCorpus):
    """Documents that came in blocks; a cluster ends with its block."""

    def __init__(self, blocks: Sequence[tuple[str, Sequence[Document]]], name: str) -> None:
        """Keep the documents of blocks, each with its name."""
        super().__init__((document for _, some in blocks for document in some), name, cross_document=True)
        self._blocks = [block for block, some in blocks for _ in some]

    def block_of(self, number: int) -> str | None:
        """Name the block that a document is in."""
        return self._blocks[number]


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> BlockCorpus:
    """Read all documents of some files."""
    blocks = ConllCorpus(files, name, strict=reading.strict)
    documents: list[tuple[str, list[Document]]] = []
    about: list[str] = []
    blocks_of: Counter[str] = Counter()  # cluster → how many blocks have one of that name
    for number, block_name in enumerate(blocks.ids):
        texts, outside = _read_block(blocks, number)
        blocks_of.update({name for text in texts.values() for name in text.clusters})
        documents.append((block_name, [text.document(id_) for id_, text in texts.items() if text.rows]))
        if outside:
            about.append(
                f"{blocks.location(number)}: {number_of(outside, 'mention')} in rows that are not "
                f"curated left out ({block_name})"
            )
    corpus = BlockCorpus(_with_own_names(documents, blocks_of), name)
    corpus.notices, corpus.about = [*blocks.notices, *about], about
    return corpus


def _with_own_names(
    blocks: Sequence[tuple[str, Sequence[Document]]], blocks_of: Mapping[str, int]
) -> list[tuple[str, list[Document]]]:
    """Put the block's number before names that other blocks have too: there they are other clusters."""

    def renamed(document: Document, block: int) -> Document:
        clusters = (
            replace(cluster, id=f"{block}:{cluster.id}") if blocks_of[cluster.id] > 1 else cluster
            for cluster in document.clusters
        )
        return replace(document, clusters=tuple(clusters))

    return [(name, [renamed(each, block) for each in some]) for block, (name, some) in enumerate(blocks)]


def _read_block(blocks: ConllCorpus, number: int) -> tuple[dict[str, _Text], int]:
    """Sort a block's rows and mentions into its documents; also count mentions outside the curated rows."""
    block = blocks.document(number)
    texts: dict[str, _Text] = {}
    origin: list[tuple[str, int]] = []  # row → document, position; −1 if it is not curated
    begins: list[int] = []  # row → the first of the rows before it, without a gap, that are of its document
    left_out = [0]  # row → how many rows before it are not curated
    for token, row in enumerate(block.layers["row"]):
        columns = row.rstrip("\r\n\t ").split("\t") if "\t" in row else row.split()
        if len(columns) not in WIDTHS or columns[CURATED] not in FLAGS:
            raise FormatError(
                f"{blocks.location(number, token)}: expected topic, subtopic, document, sentence, token, "
                "word, True or False, and the coreference cell"
            )
        text = texts.setdefault(columns[DOCUMENT], _Text(columns))
        curated = columns[CURATED] == FLAGS[0]
        same = token > 0 and origin[-1][0] == columns[DOCUMENT]
        begins.append(begins[-1] if same else token)
        left_out.append(left_out[-1] + (not curated))
        origin.append((columns[DOCUMENT], len(text.rows) if curated else -1))
        if curated:
            text.rows.append(columns)
    outside = 0
    for cluster in block.clusters:
        for mention in cluster.mentions:
            if begins[mention.end - 1] > mention.start:
                where = blocks.location(number, mention.start)
                raise FormatError(f"{where}: a mention of cluster {cluster.id} runs into another document")
            if left_out[mention.end] > left_out[mention.start]:
                outside += 1
                continue
            (document, first), (_, last) = origin[mention.start], origin[mention.end - 1]
            texts[document].clusters[cluster.id].append(Mention.at(first, last + 1))
    return texts, outside


def write_corpus(documents: Iterable[Document], file: IO[str]) -> None:
    """Write all documents as one block."""
    _write_block("corpus", list(documents), file)


def write_topics(documents: Iterable[Document], file: IO[str]) -> None:
    """Write a block for each topic. A cluster of two topics becomes two: blocks do not share clusters."""
    by_topic = sorted(documents, key=lambda document: document.text.topic or "")
    for topic, members in groupby(by_topic, key=lambda document: document.text.topic):
        if topic is None:
            raise FormatError(
                "documents without a topic cannot be written at topic level; write corpus-conll"
            )
        _write_block(topic, list(members), file)


def _write_block(name: str, documents: Sequence[Document], file: IO[str]) -> None:
    ids = {cluster.id: None for document in documents for cluster in document.clusters}
    plain = all(map(CLUSTER_NAME.fullmatch, ids))
    names = {id_: id_ if plain else str(number) for number, id_ in enumerate(ids)}
    counts = Counter(document.id for document in documents)
    if twice := [id_ for id_, count in counts.items() if count > 1]:
        raise FormatError(f"document {twice[0]} occurs twice, which cross-document CoNLL cannot hold")
    file.write(f"#begin document {name}\n")
    for document in documents:
        clusters = tuple(
            replace(
                cluster,
                id=names[cluster.id],
                mentions=tuple(Mention.at(mention.start, mention.end) for mention in cluster.mentions),
            )
            for cluster in document.clusters
        )
        file.write(_body(replace(document, clusters=clusters)))
    file.write("#end document\n")


def _body(document: Document) -> str:
    topic, subtopic = document.text.topic, document.text.subtopic
    labels = (topic, subtopic and f"{topic}_{subtopic}", document.id)
    ids = [_label(label, document) for label in labels if label is not None]
    cells = coreference_cells(document)
    lines = []
    for sentence, (start, end) in enumerate(document.text.stretches):
        for token in range(start, end):
            numbers = (str(sentence), str(token + 1))
            if LAYERS.keys() <= document.layers.keys():
                numbers = (document.layers["sentence"][token], document.layers["token"][token])
            word = "_".join(document.words[token].split()) or "_"
            lines.append("\t".join([*ids, *numbers, word, FLAGS[0], cells[token]]) + "\n")
    body = "".join(lines)
    check_readable(document, body)
    return body


def _label(label: str, document: Document) -> str:
    """Write a name into its column, with the blanks that it has."""
    if not label.strip() or label != label.strip() or CONTROL.search(label):
        raise FormatError(
            f"document {document.id}: the name {label!r} is blank, has a tab or a line end, or a blank at "
            "one of its ends, which cross-document CoNLL cannot hold; write crossdoc-jsonlines"
        )
    return label
