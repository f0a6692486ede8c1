"""The lines of CoNLL-U as they are written: those that a document came with, or new ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from referee.formats.conllu.document import NO_SPACE, ParsedConllu
from referee.formats.conllu.rows import (
    DEPREL,
    DEPS_COLUMN,
    HEAD_COLUMN,
    LAYER_COLUMNS,
    MISC_COLUMN,
    UNKNOWN_VALUE,
    UPOS,
    WIDTH,
    XPOS,
)
from referee.model import NO_WORD, Document, Text
from referee.model.layers import HEAD, POS, ROOT, SPEAKER

DOCUMENT_LINE = re.compile(r"# newdoc(?:[ \t]+id[ \t]*=[ \t]*(.+?))?[ \t]*\r?")
UNIVERSAL_TAGS = frozenset((
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X", "_", "-",
))  # fmt: skip


def is_document_line(line: str) -> re.Match[str] | None:
    """Match a line that begins a document, and its name if it has one."""
    return DOCUMENT_LINE.fullmatch(line)


def with_pairs(
    line: str, pairs: Mapping[str, str], parts_of: Mapping[str, Callable[[str], list[str]]]
) -> str:
    """Set attributes of a row's last column, in alphabetical order; an empty value takes one away.

    A value that has the same parts as the old one leaves the old as it is.
    """
    end = "\r" if line.endswith("\r") else ""
    columns = line.removesuffix("\r").split("\t")
    given = [] if columns[MISC_COLUMN] == UNKNOWN_VALUE else columns[MISC_COLUMN].split("|")
    old = {
        key: value for key, mark, value in (pair.partition("=") for pair in given) if mark and key in pairs
    }
    changed = {
        key: value for key, value in pairs.items() if parts_of[key](old.get(key, "")) != parts_of[key](value)
    }
    if not changed:
        return line
    left = [pair for pair in given if pair.partition("=")[0] not in changed]
    for key, value in changed.items():
        if value:
            later = (at for at, pair in enumerate(left) if pair.partition("=")[0].lower() > key.lower())
            left.insert(next(later, len(left)), f"{key}={value}")
    columns[MISC_COLUMN] = "|".join(left) or UNKNOWN_VALUE
    return "\t".join(columns) + end


def lines_as_read(document: Document, parsed: ParsedConllu) -> list[str]:
    """Take the lines that a document came with; a cell whose layer says something else now is changed."""
    lines = list(parsed.table.lines)
    ours, theirs = document.layers, parsed.document.layers
    changed = [name for name in (*LAYER_COLUMNS, HEAD) if name in ours and ours[name] != theirs.get(name)]
    for node, number in enumerate(parsed.table.line_of) if changed else ():
        word = parsed.numbers[node]
        columns = lines[number].split("\t")
        for name in changed:
            if name not in theirs or ours[name][word] != theirs[name][word]:
                columns[LAYER_COLUMNS.get(name, HEAD_COLUMN)] = _cell(document.text, name, word)
        lines[number] = "\t".join(columns)
    return lines


def _cell(text: Text, name: str, word: int) -> str:
    """Write what a layer says of a word."""
    value = text.layers[name][word]
    if name == HEAD and word < text.length:
        start = next(start for start, end in text.sentences if start <= word < end)
        return "0" if value == ROOT else str(int(value) - start + 1)
    return UNKNOWN_VALUE if name == HEAD or value in ("", "-") else re.sub(r"[\t\r\n]+", " ", value)


def new_lines(document: Document) -> list[str]:
    """Lay out a document that came from another format."""
    text = document.text
    name = re.sub(r"[\s/]+", "_", document.id)
    lines = [f"# newdoc id = {' '.join(document.id.split())}"]
    for number, (start, end) in enumerate(text.stretches, start=1):
        lines.append(f"# sent_id = {name}-s{number}")
        lines += _speaker(text, start, end)
        lines.append(f"# text = {' '.join(text.spelled([(start, end)]).split())}")
        lines += _rows(text, number - 1, start, end)
        lines.append("")
    return [*lines, ""]


def _speaker(text: Text, start: int, end: int) -> list[str]:
    speakers = set(text.layers.get(SPEAKER, ())[start:end]) - {"-", UNKNOWN_VALUE, ""}
    return [f"# speaker = {speakers.pop()}"] if len(speakers) == 1 else []


def _rows(text: Text, sentence: int, start: int, end: int) -> Iterator[str]:
    """Write the rows of a sentence, its empty nodes among them."""
    empty = sorted(
        (zero.before, zero.ordinal, text.length + number)
        for number, zero in enumerate(text.zeros)
        if zero.sentence == sentence
    )
    for word in range(start, end):
        while empty and empty[0][0] <= word:
            yield _empty_row(text, start, *empty.pop(0))
        yield _row(text, str(word - start + 1), start, word)
    for entry in empty:
        yield _empty_row(text, start, *entry)


def _row(text: Text, id_: str, start: int, word: int) -> str:
    columns = [UNKNOWN_VALUE] * WIDTH
    columns[:2] = id_, re.sub(r"[\t\r\n]+", " ", text.words[word]).strip(" ") or UNKNOWN_VALUE
    for name, column in LAYER_COLUMNS.items():
        if name in text.layers:
            columns[column] = _cell(text, name, word)
    if POS in text.layers and not {UPOS, XPOS} & text.layers.keys():
        is_universal = UNIVERSAL_TAGS.issuperset(text.layers[POS])
        columns[LAYER_COLUMNS[UPOS if is_universal else XPOS]] = _cell(text, POS, word)
    if HEAD in text.layers and word < text.length:
        head = text.layers[HEAD][word]
        columns[HEAD_COLUMN] = "0" if head == ROOT else str(int(head) - start + 1)
        if DEPREL not in text.layers:
            columns[LAYER_COLUMNS[DEPREL]] = "root" if head == ROOT else "dep"
    if word + 1 < len(text.characters) and text.characters[word][1] == text.characters[word + 1][0]:
        columns[MISC_COLUMN] = NO_SPACE
    return "\t".join(columns)


def _empty_row(text: Text, start: int, before: int, ordinal: int, word: int) -> str:
    columns = _row(text, f"{before - start}.{ordinal}", start, word).split("\t")
    columns[DEPS_COLUMN] = "|".join(_arcs(text, start, word)) or UNKNOWN_VALUE
    return "\t".join(columns)


def _arcs(text: Text, start: int, word: int) -> Sequence[str]:
    return [
        f"{_node_id(text, start, governor)}:{relation}"
        for governor, relation in text.zeros[word - text.length].governors
    ]


def _node_id(text: Text, start: int, word: int) -> str:
    if word == NO_WORD:
        return "0"
    if word < text.length:
        return str(word - start + 1)
    zero = text.zeros[word - text.length]
    return f"{zero.before - start}.{zero.ordinal}"
