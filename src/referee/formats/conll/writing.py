"""Writes CoNLL: documents that came from it byte for byte, as far as their clusters are still the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO

from referee.encoding import encoded
from referee.formats.conll import brackets
from referee.formats.losses import CrossingError, refuse_unholdable
from referee.model import Document

LAYOUT_2012 = {"part": 1, "pos": 4, "parse": 5, "lemma": 6, "speaker": 9, "entity": 10}
BEGIN = re.compile(r"^\ufeff?#[ \t]*begin[ \t]+document\b[ \t]*([^\r\n]*)", re.MULTILINE)
END = re.compile(r"^#[ \t]*end[ \t]+document\b", re.MULTILINE)
DELIMITER = re.compile(r"([()|])")
BLANK = re.compile(r"[\x00-\x20]")
EMPTY = ("-", "_", "*")


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents; those that came from CoNLL keep all that is not coreference.

    A document alone in its file may go without a name, as it came; beside others it needs one.
    """
    some = iter(documents)
    start = list(islice(some, 2))
    for document in chain(start, some):
        if len(document.layout) == document.text.length + 1 and "row" in document.layers:
            text = _as_it_was(document, alone=len(start) == 1)
        else:
            text = _afresh(document)
        file.write(text if text.endswith("\n") else text + "\n")


def _begin_line(document: Document) -> str:
    return f"#begin document {' '.join(document.id.split())}"


def _afresh(document: Document) -> str:
    """Lay out a document that has no layout."""
    rows = document.layers.get("row") or new_rows(document)
    ends = {end for _, end in document.text.stretches}
    cells = [
        f"{cell}\n\n" if token in ends else f"{cell}\n"
        for token, cell in enumerate(coreference_cells(document), 1)
    ]
    body = "".join(map(_joined, rows, cells))
    check_readable(document, body)
    return f"{_begin_line(document)}\n{body}#end document\n"


def _joined(row: str, cell: str) -> str:
    """Put a cell behind its row; a word alone on its line has no gap yet."""
    gap = "" if row[-1:] <= " " or cell[:1] <= " " else "\t"
    return row + gap + cell


def _as_it_was(document: Document, *, alone: bool) -> str:
    """Fill a document's layout: cells that say something else than before are written afresh."""
    head, *pieces = document.layout
    rows = document.layers["row"]
    filled = list(map(_joined, rows, _filled(pieces, coreference_cells(document))))
    tail = END.search(pieces[-1]) if pieces else END.search(head)
    begin = [*BEGIN.finditer(head)][-1:]
    check_readable(document, _body(head[begin[0].end() :] if begin else head, filled, tail))
    text = "".join([head, *filled])
    if not begin:  # the file had no such lines: others need them
        return f"{_begin_line(document)}\n{text}" + ("" if text.endswith("\n") else "\n") + "#end document\n"
    name = begin[0][1].strip()
    if name == document.id or (alone and not name):
        return text
    return text[: begin[0].start()] + _begin_line(document) + text[begin[0].end() :]


def _body(head: str, filled: Sequence[str], tail: re.Match[str] | None) -> str:
    """Take the rows, without the begin and end line."""
    body = "".join([head, *filled])
    return body[: len(body) - len(tail.string) + tail.start()] if tail else body


def _filled(pieces: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """Put cells into the pieces of a layout, each of which begins with the old one."""
    old_cells = [BLANK.split(piece, maxsplit=1)[0] for piece in pieces]
    empty = next((cell for cell in old_cells if cell in EMPTY), EMPTY[0])
    for piece, old, new in zip(pieces, old_cells, cells, strict=True):
        if old == new or _events(old) == _events(new):
            yield piece
        else:
            yield (empty if new in EMPTY else new) + piece[len(old) :]


def _events(cell: str) -> list[tuple[bool, str, bool]]:
    """List what a cell says, whatever the order: which names it opens, closes, or both."""
    if "(" not in cell and ")" not in cell:
        return []
    parts = ["", *DELIMITER.split(cell), ""]
    named = zip(parts[:-1:2], parts[1::2], parts[2::2], strict=True)
    events = ((left == "(", name, right == ")") for left, name, right in named if name)
    return sorted(event for event in events if event[0] or event[2])


def coreference_cells(document: Document) -> list[str]:
    """Write each token's brackets: openings in the order of the clusters, then closings, the shortest first.

    It keeps the order of the clusters, on which the treatment of repeated mentions depends.
    """
    refuse_unholdable(document, "CoNLL")
    opened: list[list[str]] = [[] for _ in range(document.text.length)]
    closed: list[list[tuple[int, str]]] = [[] for _ in range(document.text.length)]
    plain = all(re.fullmatch(r"[^()|\x00-\x20]+", cluster.id) for cluster in document.clusters)
    for number, cluster in enumerate(document.clusters):
        name = cluster.id if plain else str(number)
        for mention in cluster.mentions:
            last = mention.end - 1
            if mention.start == last:
                opened[last].append(f"({name})")
            else:
                opened[mention.start].append(f"({name}")
                closed[last].append((mention.start, f"{name})"))
    return [
        "|".join(begin + [bracket for _, bracket in sorted(end, key=lambda b: -b[0])]) or "-"
        for begin, end in zip(opened, closed, strict=True)
    ]


def new_rows(document: Document) -> list[str]:
    """Lay out the columns of CoNLL-2012 for a document that came from another format."""
    empty = ("-",) * len(document.words)
    layer = {name: document.layers.get(name, empty) for name in LAYOUT_2012}
    named = re.fullmatch(r"\((.*)\); part (\d+)", document.id)
    name, part = (named[1], str(int(named[2]))) if named else (document.id, "0")
    name = re.sub(r"\s+", "_", name)
    rows = []
    for start, end in document.text.stretches:
        for token in range(start, end):
            word = re.sub(r"\s+", "_", document.words[token])
            columns = [
                name, part, str(token - start), word, layer["pos"][token], layer["parse"][token],
                layer["lemma"][token], "-", "-", layer["speaker"][token], layer["entity"][token], "",
            ]  # fmt: skip
            rows.append("\t".join(columns))
    return rows


def check_readable(document: Document, body: str) -> None:
    """Read back what is to be written: mentions of one cluster that cross would be read as nested ones."""
    chains = brackets.scan([encoded(body)]).chains
    read = sorted(zip(chains.start.tolist(), chains.end.tolist(), strict=True))
    meant = sorted(mention.spans[0] for cluster in document.clusters for mention in cluster.mentions)
    if read != meant:
        start, end = next(iter(sorted(set(meant) - set(read))), meant[0] if meant else (0, 1))
        raise CrossingError(
            f"document {document.id}: the mention of words {start}-{end - 1} crosses or touches another of "
            "its cluster, which CoNLL cannot hold; write jsonlines instead"
        )
