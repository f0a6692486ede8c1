"""LitBank's own files (Bamman et al. 2020): mentions and their entities, beside a text of words.

    MENTION	T0	0	7	0	8	Kellynch Hall	FAC	PROP
    COREF	T0	Kellynch_Hall-1

A mention has its first sentence and word, then its last ones, from 0, the last *included*; its words; the
type of its entity; and its form, which is not read. `NAME.txt` beside it has a sentence on each line, with
blanks between the words. A mention without COREF is a singleton, as in LitBank's CoNLL files. COP and APPOS,
which tie attributes to mentions, are not identity; a notice names their lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.corpora import document_per_file
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, read_text, stem
from referee.formats.ledger import Ledger
from referee.model import Cluster, Document, DocumentCorpus, Mention

WIDTH = 9  # columns of a mention
NOT_IDENTITY = ("COP", "APPOS")


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read files of mentions, each with the text beside it."""
    del reading
    return document_per_file(files, name, _document)


def _document(file: SeekableFile, ledger: Ledger) -> Document:
    beside = Path(file.path).with_suffix(".txt")
    if not beside.is_file():
        raise FormatError(f"{file.path}: LitBank's mentions need their text, and there is no {beside.name}")
    sentences = [line.split() for line in read_text(beside).split("\n")]
    words = [word for sentence in sentences for word in sentence]
    starts = list(accumulate(map(len, sentences), initial=0))
    mentions: dict[str, Mention] = {}
    entities: dict[str, str] = {}
    lines = lenient(file.read()).replace("\r\n", "\n").split("\n")
    file.close()
    for number, line in enumerate(lines, start=1):
        kind, *columns = line.split("\t")
        where = f"{file.path}:{number}"
        if kind == "MENTION" and len(columns) == WIDTH - 1:
            if columns[0] in mentions:
                raise FormatError(f"{where}: the mention {columns[0]} occurs twice")
            mentions[columns[0]] = mention = _mention(columns, sentences, starts, where)
            here = " ".join(words[mention.start : mention.end])
            if columns[5].split() != here.split():
                ledger.skip(f"the mention is '{columns[5]}', but the text has '{here}' there", where)
        elif kind == "COREF" and len(columns) == 2:
            entities[columns[0]] = columns[1]
        elif kind in NOT_IDENTITY:
            ledger.leave_out("ties of COP or APPOS are not identity, and left out", where)
        elif line.strip():
            raise FormatError(f"{where}: neither MENTION with {WIDTH} columns nor COREF with 3: {line[:40]}")
    if unknown := [name for name in entities if name not in mentions]:
        raise FormatError(f"{file.path}: COREF names {unknown[0]}, which is not a mention")
    edges = [edge for edge in pairwise(starts) if edge[0] < edge[1]]
    return Document.of(stem(file.path), words, edges, _clusters(mentions, entities))


def _clusters(mentions: Mapping[str, Mention], entities: Mapping[str, str]) -> list[Cluster]:
    members: dict[str, list[Mention]] = {}
    for name, mention in mentions.items():
        members.setdefault(entities.get(name, name), []).append(mention)
    return [Cluster(name, tuple(sorted(some)), some[0].type) for name, some in members.items()]


def _mention(
    columns: Sequence[str], sentences: Sequence[Sequence[str]], starts: Sequence[int], where: str
) -> Mention:
    try:
        first_sentence, first, last_sentence, last = map(int, columns[1:5])
    except ValueError as error:
        raise FormatError(f"{where}: sentences and words of a mention are numbers") from error
    for sentence, word in ((first_sentence, first), (last_sentence, last)):
        if not (0 <= sentence < len(sentences) and 0 <= word < len(sentences[sentence])):
            raise FormatError(f"{where}: the text has no word {word} in sentence {sentence}, counted from 0")
    start, end = starts[first_sentence] + first, starts[last_sentence] + last + 1
    if end <= start:
        raise FormatError(f"{where}: the mention {columns[0]} ends before it begins")
    return Mention(((start, end),), type=columns[6] or None)
