"""KorKor (Vadász 2022): CoNLL-U Plus in which COREFHEAD leads from a word to its antecedent.

    # global.columns = ID FORM LEMMA XPOS UPOS FEATS DEPREL HEAD COREFHEAD COREFTYPE …

COREFHEAD is `SENTENCE:ID`, both from 1; COREFTYPE is the kind of pronoun, `coref`, or `holo`, which is a part
of its antecedent: bridging. Mentions are words, the heads of their phrases. A word with a type and without
an antecedent is a singleton. Each file is a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.display import number_of
from referee.encoding import encoded, lenient
from referee.exceptions import FormatError
from referee.formats.corpora import document_per_file
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.ledger import Ledger
from referee.formats.recognition import GLOBAL_COLUMNS
from referee.model import Cluster, Document, DocumentCorpus, Mention, Relation, Span, Text
from referee.model.layers import LEMMA, POS
from referee.model.mentions import BRIDGING, linked_groups

PART = "holo"
NONE = "_"


@dataclass(slots=True)
class _Rows:
    """The words of a file, and where each sentence has them."""

    words: list[dict[str, str]] = field(default_factory=list)  # column → what it says
    sentences: list[Span] = field(default_factory=list)
    place_of: dict[str, int] = field(default_factory=dict)  # SENTENCE:ID → word
    lines: list[int] = field(default_factory=list)  # word → its line


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read each file as a document."""
    del reading
    return document_per_file(files, name, _document)


def _document(file: SeekableFile, ledger: Ledger) -> Document:
    path, rows = file.path, _rows(file)
    typed = {word: row for word, row in enumerate(rows.words) if row["COREFTYPE"] != NONE}
    antecedents = {
        word: rows.place_of[row["COREFHEAD"]]
        for word, row in typed.items()
        if row["COREFHEAD"] in rows.place_of
    }
    unknown = [w for w, row in typed.items() if row["COREFHEAD"] != NONE and w not in antecedents]
    ledger.skip(
        "antecedents that are not words of the text are left out",
        *(f"{path}:{rows.lines[word]}" for word in unknown),
    )
    mentions = sorted({*typed, *antecedents.values()})
    identical = [(str(w), str(a)) for w, a in antecedents.items() if rows.words[w]["COREFTYPE"] != PART]
    groups = linked_groups(map(str, mentions), identical)
    members: dict[str, list[Mention]] = {}
    for word in mentions:
        members.setdefault(groups[str(word)], []).append(Mention(((word, word + 1),), head=word))
    parts = [(w, a) for w, a in antecedents.items() if rows.words[w]["COREFTYPE"] == PART]
    text = Text(
        stem(path),
        tuple(row["FORM"] for row in rows.words),
        tuple(rows.sentences),
        {LEMMA: tuple(row["LEMMA"] for row in rows.words), POS: tuple(row["UPOS"] for row in rows.words)},
    )
    clusters = tuple(Cluster(name, tuple(some)) for name, some in members.items())
    relations = tuple(
        Relation(BRIDGING, groups[str(w)], (groups[str(a)],), PART, ((w, w + 1),), (((a, a + 1),),))
        for w, a in parts
    )
    return Document(text, clusters, relations)


def _rows(file: SeekableFile) -> _Rows:
    path, text = file.path, lenient(file.read()).replace("\r\n", "\n")
    file.close()
    named = GLOBAL_COLUMNS.search(encoded(text))
    names = lenient(named[1]).upper().split() if named else []
    if missing := {"ID", "FORM", "LEMMA", "UPOS", "COREFHEAD", "COREFTYPE"} - {*names}:
        raise FormatError(f"{path}:1: global.columns does not name {', '.join(sorted(missing))}")
    rows, start = _Rows(), 0
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            cells = line.split("\t")
            if len(cells) != len(names):
                what = f"{number_of(len(cells), 'column')}, but global.columns names {len(names)}"
                raise FormatError(f"{path}:{number}: the line has {what}")
            row = {name: cell.strip() or NONE for name, cell in zip(names, cells, strict=True)}
            rows.place_of[f"{len(rows.sentences) + 1}:{row['ID']}"] = len(rows.words)
            rows.words.append(row)
            rows.lines.append(number)
        elif len(rows.words) > start:
            rows.sentences.append((start, len(rows.words)))
            start = len(rows.words)
    return rows
