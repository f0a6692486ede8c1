"""Writes lists of mentions, and the documents beside them; `mention_lists` says what the fields mean."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from referee.exceptions import FormatError
from referee.model import Document, Mention

NUMBER = re.compile(r"[1-9][0-9]{0,15}")  # ids that the paper's code can take: 0 means no cluster there


def write_mentions(documents: Iterable[Document], file: IO[str]) -> None:
    """Write the mentions of all documents, one a line."""
    kept = list(documents)
    sizes = Counter(
        cluster.id for document in kept for cluster in document.clusters for _ in cluster.mentions
    )
    numbers = _cluster_numbers(list(sizes))
    lines = [
        json.dumps(fields | _of_cluster(name, numbers[name], sizes[name]))
        for document in kept
        for name, fields in _listed(document)
    ]
    file.write("[\n" + ",\n".join(lines) + "\n]\n")


def write_documents(documents: Iterable[Document], file: IO[str]) -> None:
    """Write the words of all documents, one document a line."""
    lines: dict[str, str] = {}
    for document in documents:
        if document.id in lines:
            raise FormatError(f"document {document.id} is there twice, which this format cannot hold")
        rows = [
            [sentence, token, word, True]
            for (sentence, token), word in zip(_word_numbers(document), document.words, strict=False)
        ]
        lines[document.id] = f"{json.dumps(document.id)}: {json.dumps(rows)}"
    file.write("{\n" + ",\n".join(lines.values()) + "\n}\n")


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
    """Give each word the numbers of its sentence and itself: the corpus's own where it has such numbers."""
    length = document.text.length
    own = [document.layers.get(name, ())[:length] for name in ("sentence", "token")]
    if all(len(layer) == length and all(map(NUMERAL.fullmatch, layer)) for layer in own):
        tokens = list(map(int, own[1]))
        if len(set(tokens)) == length:
            return list(zip(map(int, own[0]), tokens, strict=True))
    starts = [start for start, _ in document.sentences]
    return [(max(bisect_right(starts, word) - 1, 0), word + 1) for word in range(length)]


NUMERAL = re.compile(r"[0-9]{1,9}")
