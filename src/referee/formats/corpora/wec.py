"""WEC-Eng (Eirew et al. 2021): a JSON list of mentions, each with the paragraph that it occurs in.

    [{"coref_chain": 2293469, "doc_id": "A page's title", "mention_context": [WORD, …],
      "tokens_number": [50, 51], "mention_head": "Tour", "mention_id": "108172", …}, …]

A document is a page: its paragraphs, in the order in which mentions bring them, each a sentence of it.
`tokens_number` are words of the paragraph; where a corpus in this shape has `tokens_number_context`, it is
they. `mention_head` is the head if the mention has one such word. A response's `predicted_coref_chain` is
taken before `coref_chain`, unless all are null or `UNK`, which the published files have there: neither names
a chain, and a mention without one is a singleton. `topic_id` and `subtopic_id` are the topic, unless −1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_items
from referee.formats.io.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, joined_spans

GOLD, PREDICTED = "coref_chain", "predicted_coref_chain"
NO_CHAIN = (None, "", "UNK")  # what stands where no chain is named
Item = tuple[str, dict[str, Any]]  # where a mention is, and its fields


@dataclass(slots=True)
class _Page:
    """A page while its mentions come in."""

    topic: str | None
    subtopic: str | None
    words: list[str] = field(default_factory=list)
    paragraphs: dict[tuple[str, ...], int] = field(default_factory=dict)  # → its first word
    clusters: defaultdict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))

    def begin_of(self, paragraph: tuple[str, ...]) -> int:
        """Say where a paragraph begins; a new one comes after all others."""
        if paragraph not in self.paragraphs:
            self.paragraphs[paragraph] = len(self.words)
            self.words += paragraph
        return self.paragraphs[paragraph]

    def document(self, id_: str) -> Document:
        """Make the document."""
        edges: list[Span] = [(begin, begin + len(words)) for words, begin in self.paragraphs.items()]
        clusters = (Cluster(name, tuple(mentions)) for name, mentions in self.clusters.items())
        return Document.of(id_, self.words, edges, clusters, topic=self.topic, subtopic=self.subtopic)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read the mentions of all files, and make pages of their paragraphs."""
    pages: dict[str, _Page] = {}
    for file in files:
        items = [(where, _checked(fields, where)) for where, fields in json_items(file)]
        file.close()
        predicted = reading.predicted and any(_has_chain(fields, PREDICTED) for _, fields in items)
        _put(pages, items, PREDICTED if predicted else GOLD)
    return DocumentCorpus((page.document(id_) for id_, page in pages.items()), name, cross_document=True)


def _checked(fields: Any, where: str) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise FormatError(f"{where}: a mention is an object, not {str(fields)[:60]}")
    for name in (GOLD, "doc_id", "mention_context", "tokens_number"):
        if name not in fields:
            raise FormatError(f"{where}: the mention has no {name}")
    words = fields["mention_context"]
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise FormatError(f"{where}: mention_context must be a list of words")
    return fields


def _put(pages: dict[str, _Page], items: Iterable[Item], chain: str) -> None:
    """Put mentions into their pages; one without a chain is a singleton."""
    for number, (where, fields) in enumerate(items):
        id_ = str(fields["doc_id"])
        page = pages.setdefault(id_, _Page(_topic(fields, "topic_id"), _topic(fields, "subtopic_id")))
        name = str(fields[chain]) if _has_chain(fields, chain) else f"alone {number}"
        page.clusters[name].append(_mention(fields, page, where))


def _has_chain(fields: dict[str, Any], chain: str) -> bool:
    return fields.get(chain) not in NO_CHAIN


def _topic(fields: dict[str, Any], name: str) -> str | None:
    return None if fields.get(name) in (None, -1, "-1") else str(fields[name])


def _mention(fields: dict[str, Any], page: _Page, where: str) -> Mention:
    words = fields["mention_context"]
    numbers = fields.get("tokens_number_context", fields["tokens_number"])
    if (
        not isinstance(numbers, list)
        or not numbers
        or not all(type(number) is int and 0 <= number < len(words) for number in numbers)
    ):
        raise FormatError(
            f"{where}: tokens_number {str(numbers)[:60]} are not all words of mention_context, which has "
            f"{len(words)}"
        )
    begin = page.begin_of(tuple(words))
    heads = [number for number in sorted(set(numbers)) if words[number] == fields.get("mention_head")]
    spans = joined_spans([(begin + number, begin + number + 1) for number in numbers])
    return Mention(spans, head=begin + heads[0] if len(heads) == 1 else None)
