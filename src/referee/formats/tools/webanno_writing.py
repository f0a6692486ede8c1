"""Writes WebAnno TSV 3.3 afresh; `webanno` says what it means.

Identity alone is a layer of chains. With more than that there is a layer of spans, and one of relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from referee.formats.tools.marks import FLAGS_FEATURE, Ends, Flags, flattened, name_of
from referee.formats.tools.standoff import Clusters, CodeUnits, placed
from referee.formats.tools.webanno_relations import NO_VALUE
from referee.model import Document

HEAD = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n"
)
RESERVED = re.compile(r"->|[\\\[\]|_;\t\n*]")  # in values
CONTROL = re.compile(r"[\x00-\x0a\x0c-\x1f\\]")  # in texts
ESCAPES = {"\t": "t", "\n": "n", "\r": "r", "\f": "f", "\b": "b"}


SPANS, COREFERENCE_LAYER = "webanno.custom.Referent", "webanno.custom.Coref"
HEAD_OF_RELATIONS = (
    f"#FORMAT=WebAnno TSV 3.3\n#T_SP={SPANS}|entity|{FLAGS_FEATURE}\n"
    f"#T_RL={COREFERENCE_LAYER}|type|BT_{SPANS}\n\n"
)
Cells = list[str]  # the columns of each word


def written_afresh(document: Document) -> str:
    """Write a document: its words, sentences and chains, or relations."""
    beyond = document.relations or document.non_referring or document.cluster_layers
    whole, flags, ends = flattened(document)
    running, characters, clusters = placed(whole, "WebAnno TSV")
    lines = [HEAD_OF_RELATIONS if beyond else HEAD]
    if beyond:
        cells = _relations(document, clusters, flags, ends, len(characters))
    else:
        cells = _chains(document, clusters, len(characters))
    units = CodeUnits(running)
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
            lines.append(f"{number}-{word - start + 1}\t{offsets}\t{token}\t{cells[word]}\t\n")
    return "".join(lines)


def _chains(document: Document, clusters: Clusters, words: int) -> Cells:
    """Write the columns of a layer of chains."""
    cells: list[list[tuple[int, int, str]]] = [[] for _ in range(words)]  # word → chain, link, type
    ids = [cluster.id for cluster in document.clusters]
    numbered = len(set(ids)) == len(ids) and all(re.fullmatch("[1-9][0-9]{0,8}", id_) for id_ in ids)
    for number, cluster in enumerate(clusters, start=1):
        chain = int(ids[number - 1]) if numbered else number
        for link, (mention, _) in enumerate(cluster, start=1):
            for word in range(mention.start, mention.end):
                cells[word].append((chain, link, _value(mention.type)))
    return [
        _stacked([[f"*->{chain}-{link}", f"{kind}[{chain}]"] for chain, link, kind in cell], 2)
        for cell in cells
    ]


def _relations(
    document: Document, clusters: Clusters, flags: Sequence[Flags], ends: Sequence[Ends], words: int
) -> Cells:
    """Write the columns of a layer of spans, and of the relations between them.

    A relation is at the first word of its antecedent, and names the first word of its anaphor.
    """
    spans: list[list[list[str]]] = [[] for _ in range(words)]
    links: list[list[list[str]]] = [[] for _ in range(words)]
    unit = {
        word: f"{number}-{word - start + 1}"
        for number, (start, end) in enumerate(_sentences(document), start=1)
        for word in range(start, end)
    }
    number_of: dict[tuple[int, int], int] = {}
    first_of: dict[tuple[int, int], int] = {}
    for number, cluster in enumerate(clusters):
        said = " ".join(sorted(flags[number])) or NO_VALUE
        for at, (mention, _) in enumerate(cluster):
            name = number_of[number, at] = len(number_of) + 1
            first_of[number, at] = mention.start
            for word in range(mention.start, mention.end):
                spans[word].append([f"{_value(mention.type)}[{name}]", f"{said}[{name}]"])
    chained = [
        ("coref", (number, at), (number, at - 1))
        for number, cluster in enumerate(clusters)
        for at in range(1, len(cluster))
    ]
    others = [
        (RESERVED.sub(_escape, name_of(each.relation, ":")), each.anaphor, each.antecedent) for each in ends
    ]
    for value, anaphor, antecedent in chained + others:
        target = f"{unit[first_of[anaphor]]}[{number_of[anaphor]}_{number_of[antecedent]}]"
        links[first_of[antecedent]].append([value, target])
    return [f"{_stacked(some, 2)}\t{_stacked(more, 2)}" for some, more in zip(spans, links, strict=True)]


def _stacked(rows: Sequence[Sequence[str]], columns: int) -> str:
    """Stack the values of each column."""
    return "\t".join("|".join(column) for column in zip(*rows, strict=True)) or "\t".join(["_"] * columns)


def _value(kind: str | None) -> str:
    return NO_VALUE if kind is None else RESERVED.sub(_escape, kind)


def _escape(match: re.Match[str]) -> str:
    return "\\" + ESCAPES.get(match[0], match[0])


def _sentences(document: Document) -> Iterator[tuple[int, int]]:
    """Cut all written words into sentences, those between two sentences too."""
    length = document.text.length
    yield from pairwise(sorted({0, length, *(edge for span in document.sentences for edge in span)}))
