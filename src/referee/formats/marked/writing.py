"""Writes documents as marked text, in the notations that `marked_text` reads: for prompts, and for models.

Words are separated by blanks, sentences by lines, unless the text is known as it was written. Each of
several documents begins with a line `# newdoc id = NAME`; CRAC's plain text has one per line, JSON a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import chain, islice
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.losses import CrossingError
from referee.formats.marked.crac import crac_word
from referee.formats.marked.markings import ZERO_MARK
from referee.model import Document, Mention, Span

BRACKETED_ID = re.compile(r"[A-Za-z#]{0,20}[_-]?\d{1,12}")
LINKED_ID = re.compile(r"[^()\[\]\s\\]{1,200}")
CRAC_ID = re.compile(r"[^\s\[\],|]+")
SIGNS = re.compile(r"[\[\]\\]|\*(?=\*)")  # two asterisks would make words bold
Wrap = Callable[[str], tuple[str, str]]  # an id → what comes before and after a mention


def _escaped(words: str) -> str:
    return SIGNS.sub(r"\\\g<0>", words)


def _as_entities(words: str) -> str:
    return escape(words, quote=False).replace("**", "*&#42;")


def _as_link(id_: str) -> tuple[str, str]:
    return "[", f"](#{id_})"


def _as_tag(id_: str) -> tuple[str, str]:
    return f'<m id="{escape(id_)}">', "</m>"


def _as_bracket(id_: str) -> tuple[str, str]:
    return "[", f": {id_}]"


def write_markdown(documents: Iterable[Document], file: IO[str]) -> None:
    """Write mentions as links."""
    _write_inline(documents, file, _as_link, _escaped, LINKED_ID)


def write_tags(documents: Iterable[Document], file: IO[str]) -> None:
    """Write mentions as tags."""
    _write_inline(documents, file, _as_tag, _as_entities, re.compile(r".+", re.DOTALL))


def write_brackets(documents: Iterable[Document], file: IO[str]) -> None:
    """Write mentions in brackets, with their ids."""
    _write_inline(documents, file, _as_bracket, _escaped, BRACKETED_ID)


def _write_inline(
    documents: Iterable[Document],
    file: IO[str],
    wrap: Wrap,
    plain: Callable[[str], str],
    usable: re.Pattern[str],
) -> None:
    given = iter(documents)
    first = list(islice(given, 2))
    for document in chain(first, given):
        if len(first) > 1:
            file.write(f"# newdoc id = {_heading(document.id)}\n")
        for piece in _inline(document, wrap, plain, _ids(document, usable)):
            file.write(piece)
        file.write("\n")


def _heading(name: str) -> str:
    """Write a name on one line, with single blanks, as CoNLL does."""
    return " ".join(name.split()) or "_"


def _ids(document: Document, usable: re.Pattern[str], prefix: str = "") -> dict[str, str]:
    """Give clusters ids that a notation can write: those they have, or numbers if one cannot be written."""
    given = [cluster.id for cluster in document.clusters]
    if all(usable.fullmatch(id_) and id_ == id_.strip() for id_ in given):
        return {id_: id_ for id_ in given}
    return {id_: f"{prefix}{number}" for number, id_ in enumerate(given, 1)}


def _inline(
    document: Document, wrap: Wrap, plain: Callable[[str], str], ids: dict[str, str]
) -> Iterable[str]:
    """Write the words, and what marks mentions between them."""
    text = document.text
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    for mention, id_ in _nested(document):
        before, after = wrap(ids[id_])
        opening.setdefault(mention.start, []).append(before)
        closing.setdefault(mention.end - 1, []).insert(0, after)
    gaps = _gaps(document)
    for word in range(text.length):
        yield plain(gaps[word])
        yield "".join(opening.get(word, ()))
        start, end = text.characters[word] if text.running is not None else (0, 0)
        yield plain(text.words[word] if text.running is None else text.running[start:end])
        yield "".join(closing.get(word, ()))


def _gaps(document: Document) -> Sequence[str]:
    """Say what comes between words: what the running text has, else a blank, or a line end."""
    text = document.text
    if text.running is not None:
        ends = [0, *(end for _, end in text.characters)]
        starts = (start for start, _ in text.characters)
        return [text.running[end:start] for end, start in zip(ends, starts, strict=False)]
    gaps = [" "] * text.length
    for start, _ in text.sentences:
        gaps[start : start + 1] = ["\n"]
    return ["", *gaps[1:]] if gaps else []


def _nested(document: Document) -> list[tuple[Mention, str]]:
    """Sort mentions from the outermost in, those of zeros left out; refuse mentions that cross."""
    written = document.text.length
    listed = [
        (mention, cluster.id)
        for cluster in document.clusters
        for mention in cluster.mentions
        if mention.start < written
    ]
    ordered = [(_whole(mention, written), id_) for mention, id_ in listed]
    ordered.sort(key=lambda each: (each[0].start, -each[0].end))
    waiting: list[Mention] = []
    for mention, _ in ordered:
        while waiting and waiting[-1].end <= mention.start:
            waiting.pop()
        if waiting and waiting[-1].end < mention.end:
            shown = [f"'{document.text.spelled(m.spans)}'" for m in (waiting[-1], mention)]
            raise CrossingError(
                f"document {document.id}: {shown[0]} and {shown[1]} cross, which this notation cannot hold; "
                "crac-text and json-answer can",
                across=True,
            )
        waiting.append(mention)
    return ordered


def _whole(mention: Mention, written: int) -> Mention:
    """Write a mention from its first written word to its last; what lies in a gap is then inside."""
    last = max(end for start, end in mention.spans if start < written)
    return Mention.at(mention.start, min(last, written))


def write_crac(documents: Iterable[Document], file: IO[str]) -> None:
    """Write words with tags, one document per line."""
    for document in documents:
        ids = _ids(document, CRAC_ID, "e")
        tokens, spans = _tokens(document)
        tags: dict[int, list[str]] = {}
        for cluster, mentions in zip(document.clusters, spans, strict=True):
            for first, last in mentions:
                id_ = ids[cluster.id]
                if first == last:
                    tags.setdefault(first, []).append(f"[{id_}]")
                else:
                    tags.setdefault(first, []).append(f"[{id_}")
                    tags.setdefault(last, []).append(f"{id_}]")
        words = (
            f"{token}|{','.join(tags[number])}" if number in tags else _untagged(token)
            for number, token in enumerate(tokens)
        )
        file.write(" ".join(words) + "\n")


def _untagged(token: str) -> str:
    """Write a word without tags so that it is read without any."""
    return token if crac_word(token) == (token, []) else f"{token}|"


def _tokens(document: Document) -> tuple[list[str], list[list[Span]]]:
    """List words and zeros in the order of CRAC's plain text, and each cluster's mentions as tokens."""
    text = document.text
    order: list[tuple[int, int, int]] = [(word, 0, word) for word in range(text.length)]
    for number, zero in enumerate(text.zeros):
        parent = next((word for word, _ in zero.governors if 0 <= word < text.length), zero.before - 1)
        order.append((parent, 1 + number, text.length + number))
    order.sort()
    position_of = {word: position for position, (_, _, word) in enumerate(order)}
    tokens = [_token(document, word) for _, _, word in order]

    def span(mention: Mention) -> Span:
        words = [
            word  # of words that are written the ends are enough: they are in order
            for start, end in mention.spans
            for word in (range(start, end) if end > text.length else (start, end - 1))
        ]
        positions = [position_of[word] for word in words]
        return min(positions), max(positions)

    return tokens, [list(map(span, cluster.mentions)) for cluster in document.clusters]


def _token(document: Document, word: int) -> str:
    text = document.text
    form = "_".join(text.words[word].split()) or "_"
    if word >= text.length:
        return ZERO_MARK + ("" if form == "_" else form)
    if form.startswith(ZERO_MARK):
        raise FormatError(
            f"document {document.id}: the word '{form}' would be read as one that is not written; write "
            "another notation"
        )
    return form


def write_json(documents: Iterable[Document], file: IO[str]) -> None:
    """Write a list of documents: words, and clusters as offsets of words and as strings."""
    separator = "["
    for document in documents:
        file.write(f"{separator}\n{json.dumps(_fields(document), ensure_ascii=False)}")
        separator = ","
    file.write(f"{separator if separator == '[' else ''}\n]\n")


def _fields(document: Document) -> dict[str, Any]:
    tokens, spans = _tokens(document)

    def strings(mentions: Sequence[Span]) -> list[str]:
        return [" ".join(tokens[first : last + 1]) for first, last in mentions]

    return {
        "doc_id": document.id,
        "tokens": tokens,
        "clusters_token_offsets": [[list(span) for span in mentions] for mentions in spans],
        "clusters_text_mentions": [strings(mentions) for mentions in spans],
    }
