"""Tables of tokens and mentions, as FCC and HyperCoref have them (Bugert et al. 2020, 2021).

    tokens.csv                doc-id, sentence-idx, token-idx, token
    documents.csv             doc-id, collection, publish-date, seminal-event        (FCC)
    …mentions….csv            doc-id, mention-id, sentence-idx, token-idx-from, token-idx-to, event, …
    hyperlinks.csv            url-normalized, to-url-normalized, sentence-idx, token-idx-from, token-idx-to

The table of mentions is what is read: FCC's `mentions_cross_subtopic.csv` and
`cross_subtopic_mentions_action.csv` (FCC-T), HyperCoref's `hyperlinks`. Its tokens are looked for beside it
and above it, and where FCC-T lies beside FCC, in the same part of that. Columns are found by their names.

`token-idx-to` is one past the last token; FCC's mentions without tokens are whole sentences. Mentions of one
`event`, or links to one page, are a cluster in all documents. `other_event` stands for any other event: it
joins mentions within a document only, and kind="events" leaves it out, as Bugert et al. do. A document's
subtopic is its seminal event, or, without one, itself; all are of one topic.

HyperCoref comes as Parquet, which is not read: `pandas.read_parquet(x).to_csv(y)` makes these tables of it,
and the authors' export is a list of mentions (`mention_lists`).

"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.corpora.gvc import OtherEventCorpus
from referee.formats.format import Reading
from referee.formats.io.csv_file import Row, csv_rows
from referee.formats.io.opening import STDIN, SeekableFile
from referee.model import Cluster, Document, Mention

TOKENS, DOCUMENTS = "tokens.csv", "documents.csv"
PARTS = ("train", "dev", "test")
PARENTS = 3  # folders in which the tokens may lie: the table's and those above
OF_DOCUMENT = ("doc-id", "url-normalized")
OF_EVENT = ("event", "to-url-normalized")
SENTENCE, TOKEN, WORD, FROM, TO = "sentence-idx", "token-idx", "token", "token-idx-from", "token-idx-to"
OTHER = "other_event"
TOPICS = {"event": "football_tournaments", "to-url-normalized": "hyperlinks"}
NUMBER = re.compile(r"([0-9]{1,9})(?:\.0)?")  # pandas writes 3.0 where a column has gaps


@dataclass(frozen=True, slots=True)
class _Words:
    """A document's words, and where its sentences and tokens are."""

    words: tuple[str, ...]
    begins: Mapping[int, tuple[int, int]]  # sentence → its first word, one past its last
    position_of: Mapping[tuple[int, int], int]  # sentence, token → word


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> OtherEventCorpus:
    """Read tables of mentions, each with the tokens that belong to it."""
    del reading
    texts: dict[str, _Words] = {}
    subtopics: dict[str, str] = {}
    clusters: defaultdict[str, defaultdict[str, list[Mention]]] = defaultdict(lambda: defaultdict(list))
    topic = ""
    for file in files:
        tokens = tokens_of(file.path)
        texts |= _texts(SeekableFile(str(tokens)))
        subtopics |= _subtopics(tokens.with_name(DOCUMENTS))
        for where, row in csv_rows(file, (SENTENCE,)):
            document, event = _value(row, OF_DOCUMENT, where), _value(row, OF_EVENT, where)
            topic = next(TOPICS[column] for column in OF_EVENT if column in row)
            if document not in texts:
                raise FormatError(f"{where}: document {document} is not in {tokens}")
            clusters[document][event].append(_mention(row, texts[document], where))
    return OtherEventCorpus(
        (_document(id_, text, clusters[id_], topic, subtopics) for id_, text in texts.items()), name, OTHER
    )


def _document(
    id_: str,
    text: _Words,
    clusters: Mapping[str, Sequence[Mention]],
    topic: str,
    subtopics: Mapping[str, str],
) -> Document:
    return Document.of(
        id_,
        text.words,
        text.begins.values(),
        (Cluster(event, tuple(mentions)) for event, mentions in clusters.items()),
        topic=topic or None,
        subtopic=subtopics.get(id_),
    )


def tokens_of(path: str) -> Path:
    """Find the tokens of a table of mentions."""
    folders = [] if path == STDIN else list(Path(path).absolute().parents)
    options = [folder / TOKENS for folder in folders[:PARENTS]]
    for part in folders[:PARENTS]:  # FCC-T/train/…, beside FCC/train
        if part.name in PARTS:
            options += sorted(part.parent.parent.glob(f"*/{part.name}/{TOKENS}"))
    found = next((option for option in options if option.is_file()), None)
    if found is None:
        raise FormatError(
            f"{path}: a table of mentions needs its tokens: there is no {TOKENS} beside or above it"
        )
    return found


def _texts(file: SeekableFile) -> dict[str, _Words]:
    """Read the tokens of all documents."""
    read: dict[str, dict[tuple[int, int], str]] = {}
    for where, row in csv_rows(file, (SENTENCE, TOKEN, WORD)):
        number = _number(row, SENTENCE, where), _number(row, TOKEN, where)
        words = read.setdefault(_value(row, OF_DOCUMENT, where), {})
        if number in words:
            raise FormatError(f"{where}: token {number[1]} of sentence {number[0]} occurs twice")
        words[number] = row[WORD]
    return {id_: _words(words) for id_, words in read.items()}


def _words(given: Mapping[tuple[int, int], str]) -> _Words:
    ordered = sorted(given)
    starts = [i for i, (sentence, _) in enumerate(ordered) if i == 0 or sentence != ordered[i - 1][0]]
    edges = pairwise([*starts, len(ordered)])
    begins = {ordered[start][0]: (start, end) for start, end in edges}
    position_of = {number: position for position, number in enumerate(ordered)}
    return _Words(tuple(given[number] for number in ordered), begins, position_of)


def _subtopics(path: Path) -> dict[str, str]:
    """Read each document's seminal event; one without any is a subtopic by itself."""
    if not path.is_file():
        return {}
    subtopics = {}
    for where, row in csv_rows(SeekableFile(str(path)), ("seminal-event",)):
        document = _value(row, OF_DOCUMENT, where)
        subtopics[document] = row["seminal-event"] or f"singleton_subtopic_{document}"
    return subtopics


def _mention(row: Row, text: _Words, where: str) -> Mention:
    sentence = _number(row, SENTENCE, where)
    if sentence not in text.begins:
        raise FormatError(f"{where}: the document has no sentence {sentence}")
    kind = row.get("mention-type") or None
    if FROM not in row or TO not in row:
        return Mention((text.begins[sentence],), type=kind)
    first, last = _number(row, FROM, where), _number(row, TO, where) - 1
    missing = [token for token in (first, last) if (sentence, token) not in text.position_of]
    if missing or last < first:
        raise FormatError(f"{where}: tokens {first} to {last} are not in sentence {sentence}")
    span = text.position_of[sentence, first], text.position_of[sentence, last] + 1
    return Mention((span,), type=kind)


def _value(row: Row, columns: Sequence[str], where: str) -> str:
    value = next((row[column] for column in columns if row.get(column)), None)
    if value is None:
        raise FormatError(f"{where}: has no {' or '.join(columns)}")
    return value


def _number(row: Row, column: str, where: str) -> int:
    number = NUMBER.fullmatch(row[column])
    if number is None:
        raise FormatError(f"{where}: {column} must be a whole number, not '{row[column][:40]}'")
    return int(number[1])
