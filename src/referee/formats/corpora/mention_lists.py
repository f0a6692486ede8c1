"""`mentions.json` of the code of Cattan et al. (2021): a list of mentions, beside a file with the documents.

    dev_events.json   [{"doc_id": "12_1ecb.xml", "topic": "12", "subtopic": "12_1", "m_id": "3",
                        "sentence_id": "0", "tokens_ids": [4, 5], "tokens": "set off", "cluster_id": 17,
                        "cluster_desc": "", "singleton": false}, …]
    dev.json          {"12_1ecb.xml": [[SENTENCE, TOKEN, WORD, CURATED], …], …}

The list is what is read; the documents are looked for beside it, under its name without `_events`,
`_entities`, `_mixed` or `_mentions`, under that name with `_documents`, or as `documents.json`. Of a mention
`doc_id`, `tokens_ids` and `cluster_id` must be there. Tokens are named by the numbers that their documents
give them; mentions with gaps list the tokens that they have. Words that are not curated are left out, and
mentions of such words with them. HyperCoref's export and that of other corpora have the same shape.

A list that is written here can be read alone: its first mention has all documents, as a field `documents`,
which programs that look for the file ignore.

A topic is what the mentions say, or the document's name up to its first underscore.

Writes lists of mentions, and the documents beside them; `mention_lists` says what the fields mean.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_items, json_value
from referee.formats.io.opening import STDIN, SeekableFile
from referee.formats.ledger import Ledger
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text, joined_spans

KINDS = ("_events", "_entities", "_mixed", "_mentions")
ECB_NAME = re.compile(r"\d+(ecb|ecbplus)(?:\.xml)?")
DOCUMENTS = "documents"  # a field of the first mention, where there is no file of documents
OUTSIDE = -1  # the position of a word that is not curated
SHOWN = 40  # characters of a mention
Row = tuple[int, int, str, bool]


@dataclass(frozen=True, slots=True)
class _Source:
    """A document's curated words, and where each of its tokens is among them."""

    text: Text
    position_of: Mapping[int, int]


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read lists of mentions, each with the documents beside it."""
    del reading
    sources: dict[str, _Source] = {}
    paths: set[Path] = set()
    clusters: defaultdict[str, defaultdict[str, list[Mention]]] = defaultdict(lambda: defaultdict(list))
    topics: dict[str, tuple[str | None, str | None]] = {}
    ledger = Ledger()
    for file in files:
        items = list(json_items(file))
        within = items[0][1].get(DOCUMENTS) if items and isinstance(items[0][1], dict) else None
        path = Path(file.path) if within is not None else documents_beside(file.path)
        if within is not None:
            sources |= _sources_of(within, file.path)
        elif path not in paths:
            sources |= _sources(SeekableFile(str(path)))
            paths.add(path)
        for where, fields in items:
            document, mention, cluster = _mention(fields, sources, where, str(path))
            topics.setdefault(document, _topic(document, fields))
            if mention is None:
                ledger.leave_out("mentions of words that are not curated are left out", where)
                continue
            clusters[document][cluster].append(mention)
            here, said = sources[document].text.spelled(mention.spans), fields.get("tokens")
            if isinstance(said, str) and "".join(said.split()) != "".join(here.split()):
                ledger.skip(f"the mention is '{said[:SHOWN]}', but its tokens are '{here[:SHOWN]}'", where)
        file.close()
    corpus = DocumentCorpus(
        (_document(id_, source, clusters[id_], topics) for id_, source in sources.items()),
        name,
        cross_document=True,
    )
    ledger.close(corpus)
    return corpus


def read_documents(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read documents alone, which have no mentions."""
    del reading
    texts = [source.text for file in files for source in _sources(file).values()]
    documents = [_document(text.id, _Source(text, {}), {}, {}) for text in texts]
    corpus = DocumentCorpus(documents, name, cross_document=True)
    corpus.notices = corpus.about = [
        f"{name}: has documents without mentions; the mentions are in a file beside it"
    ]
    return corpus


def documents_beside(path: str) -> Path:
    """Find the documents of a list of mentions."""
    mentions = Path(path)
    stem = mentions.name.removesuffix(".gz").removesuffix(".json")
    base = next((stem.removesuffix(kind) for kind in KINDS if stem.endswith(kind)), stem)
    names = [f"{base}.json", f"{base}_documents.json", f"{stem}_documents.json", "documents.json"]
    options = [mentions.with_name(name) for name in dict.fromkeys(names) if name != mentions.name]
    found = next((option for option in options if path != STDIN and option.is_file()), None)
    if found is None:
        raise FormatError(
            f"{path}: a list of mentions needs its documents beside it: there is no "
            f"{' or '.join(option.name for option in options)}"
        )
    return found


def _sources(file: SeekableFile) -> dict[str, _Source]:
    value = json_value(file)
    file.close()
    return _sources_of(value, file.path)


def _sources_of(value: Any, path: str) -> dict[str, _Source]:
    if not isinstance(value, dict):
        raise FormatError(f"{path}:1: expected an object that maps documents to their tokens")
    return {id_: _source(id_, rows, path) for id_, rows in value.items()}


def _source(id_: str, rows: object, path: str) -> _Source:
    where = f"{path}: document {id_}"
    if not isinstance(rows, list):
        raise FormatError(f"{where}: expected a list of tokens")
    position_of: dict[int, int] = {}
    taken: list[Row] = []
    for number, row in enumerate(rows, start=1):
        sentence, token, word, curated = _row(row, f"{where}, row {number}")
        if token in position_of:
            raise FormatError(f"{where}, row {number}: two tokens have the number {token}")
        position_of[token] = len(taken) if curated else OUTSIDE
        taken += [(sentence, token, word, curated)] * curated
    starts = [i for i, row in enumerate(taken) if i == 0 or row[0] != taken[i - 1][0]]
    layers = {"sentence": tuple(str(row[0]) for row in taken), "token": tuple(str(row[1]) for row in taken)}
    sentences = tuple(pairwise([*starts, len(taken)]))
    return _Source(Text(id_, tuple(row[2] for row in taken), sentences, layers), position_of)


def _row(row: object, where: str) -> Row:
    if isinstance(row, list) and len(row) == 4:
        sentence, token, word, curated = row
        if type(sentence) is type(token) is int and isinstance(word, str) and isinstance(curated, bool):
            return sentence, token, word, curated
    raise FormatError(f"{where}: a token is [sentence, number, word, true or false], not {str(row)[:60]}")


def _mention(
    fields: Any, sources: Mapping[str, _Source], where: str, path: str
) -> tuple[str, Mention | None, str]:
    """Read a mention: its document, where it is, and its cluster; None if it is not curated."""
    missing = [name for name in ("doc_id", "tokens_ids", "cluster_id") if name not in _object(fields, where)]
    if missing:
        raise FormatError(f"{where}: the mention has no {missing[0]}")
    document, tokens, cluster = str(fields["doc_id"]), fields["tokens_ids"], fields["cluster_id"]
    if document not in sources:
        raise FormatError(f"{where}: the mention is of document {document}, which {path} does not have")
    if not isinstance(tokens, list) or not tokens or not all(type(token) is int for token in tokens):
        raise FormatError(f"{where}: tokens_ids must be a list of whole numbers, not {str(tokens)[:60]}")
    if not isinstance(cluster, int | str) or isinstance(cluster, bool):
        raise FormatError(f"{where}: cluster_id must be a number or a name, not {str(cluster)[:60]}")
    position_of = sources[document].position_of
    if unknown := [token for token in tokens if token not in position_of]:
        raise FormatError(f"{where}: document {document} has no token {unknown[0]} ({path})")
    positions = [position_of[token] for token in tokens]
    if OUTSIDE in positions:
        return document, None, str(cluster)
    spans = joined_spans([(position, position + 1) for position in positions])
    return document, Mention(spans), str(cluster)


def _object(fields: Any, where: str) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise FormatError(f"{where}: a mention is an object, not {str(fields)[:60]}")
    return fields


def _topic(document: str, fields: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Say a document's topic and subtopic: as a mention has it, or by its name, as the paper's code does."""
    topic, _, rest = document.partition("_")
    ecb = ECB_NAME.fullmatch(rest)
    given = fields.get("topic")
    topic_name = str(given) if given is not None else (topic if rest else None)
    subtopic = ecb[1] if ecb else fields.get("subtopic")
    return topic_name, None if subtopic is None else str(subtopic).removeprefix(f"{topic_name}_")


def _document(
    id_: str,
    source: _Source,
    clusters: Mapping[str, Sequence[Mention]],
    topics: Mapping[str, tuple[str | None, str | None]],
) -> Document:
    topic, subtopic = topics.get(id_) or _topic(id_, {})
    made = tuple(Cluster(name, tuple(mentions)) for name, mentions in clusters.items())
    return Document(source.text, made).with_text(topic=topic, subtopic=subtopic)


NUMBER = re.compile(r"[1-9][0-9]{0,15}")  # ids that the paper's code can take: 0 means no cluster there


def write_mentions(documents: Iterable[Document], file: IO[str]) -> None:
    """Write the mentions of all documents, one per line; the first has the documents."""
    listed = list(documents)
    sizes = Counter(
        cluster.id for document in listed for cluster in document.clusters for _ in cluster.mentions
    )
    numbers = _cluster_numbers(list(sizes))
    mentions = [
        fields | _of_cluster(name, numbers[name], sizes[name])
        for document in listed
        for name, fields in _listed(document)
    ]
    if mentions:
        mentions[0][DOCUMENTS] = _rows_of(listed)
    lines = map(json.dumps, mentions)
    file.write("[\n" + ",\n".join(lines) + "\n]\n")


def write_documents(documents: Iterable[Document], file: IO[str]) -> None:
    """Write the words of all documents, one document per line."""
    lines = [f"{json.dumps(id_)}: {json.dumps(rows)}" for id_, rows in _rows_of(documents).items()]
    file.write("{\n" + ",\n".join(lines) + "\n}\n")


def _rows_of(documents: Iterable[Document]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for document in documents:
        if document.id in rows:
            raise FormatError(f"document {document.id} occurs twice, which this format cannot hold")
        rows[document.id] = [
            (sentence, token, word, True)
            for (sentence, token), word in zip(_word_numbers(document), document.words, strict=False)
        ]
    return rows


def _listed(document: Document) -> list[tuple[str, dict[str, Any]]]:
    """List the mentions of a document, each with its cluster."""
    numbers = _word_numbers(document)
    listed = [(cluster.id, mention) for cluster in document.clusters for mention in cluster.mentions]
    return [
        (name, _fields(document, mention, numbers) | {"m_id": str(number)})
        for number, (name, mention) in enumerate(listed, start=1)
    ]


def _cluster_numbers(ids: Sequence[str]) -> Mapping[str, int]:
    """Number clusters, as the paper's code needs it, unless their ids are numbers already."""
    if all(NUMBER.fullmatch(id_) for id_ in ids):
        return {id_: int(id_) for id_ in ids}
    return {id_: number for number, id_ in enumerate(ids, start=1)}


def _of_cluster(name: str, number: int, size: int) -> dict[str, Any]:
    return {"cluster_id": number, "cluster_desc": "" if str(number) == name else name, "singleton": size == 1}


def _fields(document: Document, mention: Mention, numbers: Sequence[tuple[int, int]]) -> dict[str, Any]:
    text = document.text
    if mention.end > text.length:
        raise FormatError(
            f"document {document.id}: a mention of a word that is not written, which a list of mentions "
            "cannot hold; write crossdoc-jsonlines instead"
        )
    topic, subtopic = text.topic, text.subtopic
    return {
        "doc_id": document.id,
        "topic": topic,
        "subtopic": subtopic and f"{topic}_{subtopic}",
        "sentence_id": str(numbers[mention.start][0]),
        "tokens_ids": [numbers[word][1] for start, end in mention.spans for word in range(start, end)],
        "tokens": text.spelled(mention.spans),
    }


def _word_numbers(document: Document) -> list[tuple[int, int]]:
    """Give each word the numbers of its sentence and itself: those of the corpus where it has them."""
    length = document.text.length
    numbers = [document.layers.get(name, ())[:length] for name in ("sentence", "token")]
    if all(len(layer) == length and all(map(NUMERAL.fullmatch, layer)) for layer in numbers):
        tokens = list(map(int, numbers[1]))
        if len(set(tokens)) == length:
            return list(zip(map(int, numbers[0]), tokens, strict=True))
    starts = [start for start, _ in document.sentences]
    return [(max(bisect_right(starts, word) - 1, 0), word + 1) for word in range(length)]


NUMERAL = re.compile(r"[0-9]{1,9}")
