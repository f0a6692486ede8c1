"""Writes WebAnno TSV 3.3 afresh; `webanno` says what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from referee.formats.tools.standoff import CodeUnits, placed
from referee.model import Document

HEAD = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n"
)
RESERVED = re.compile(r"->|[\\\[\]|_;\t\n*]")  # in values
CONTROL = re.compile(r"[\x00-\x0a\x0c-\x1f\\]")  # in texts
ESCAPES = {"\t": "t", "\n": "n", "\r": "r", "\f": "f", "\b": "b"}


def written_afresh(document: Document) -> str:
    """Write a document: its words, sentences and chains."""
    running, characters, clusters = placed(document, "WebAnno TSV")
    cells: list[list[tuple[int, int, str]]] = [[] for _ in characters]  # word → chain, link, type
    ids = [cluster.id for cluster in document.clusters]
    numbered = len(set(ids)) == len(ids) and all(re.fullmatch("[1-9][0-9]{0,8}", id_) for id_ in ids)
    for number, cluster in enumerate(clusters, start=1):
        chain = int(ids[number - 1]) if numbered else number
        for link, (mention, _) in enumerate(cluster, start=1):
            kind = "*" if mention.type is None else RESERVED.sub(_escape, mention.type)
            for word in range(mention.start, mention.end):
                cells[word].append((chain, link, kind))
    units = CodeUnits(running)
    lines = [HEAD]
    for number, (start, end) in enumerate(_sentences(document), start=1):
        after = characters[end][0] if end < len(characters) else len(running)
        sentence = running[characters[start][0] : after]
        last = max(len(sentence.rstrip()), characters[end - 1][1] - characters[start][0])
        shown = [f"#Text={CONTROL.sub(_escape, line)}\n" for line in sentence[:last].split("\n")]
        lines += ["\n", *shown]
        for word in range(start, end):
            first, stop = characters[word]
            token = running[first:stop]
            token = CONTROL.sub(_escape, token) if re.search(r"[\t\n\r]", token) else token
            offsets = f"{units.before(first)}-{units.before(stop)}"
            lines.append(f"{number}-{word - start + 1}\t{offsets}\t{token}\t{_columns(cells[word])}\t\n")
    return "".join(lines)


def _columns(cell: Sequence[tuple[int, int, str]]) -> str:
    if not cell:
        return "_\t_"
    relations = "|".join(f"*->{chain}-{link}" for chain, link, _ in cell)
    return relations + "\t" + "|".join(f"{kind}[{chain}]" for chain, _, kind in cell)


def _escape(match: re.Match[str]) -> str:
    return "\\" + ESCAPES.get(match[0], match[0])


def _sentences(document: Document) -> Iterator[tuple[int, int]]:
    """Cut all written words into sentences, those between two sentences too."""
    length = document.text.length
    yield from pairwise(sorted({0, length, *(edge for span in document.sentences for edge in span)}))
