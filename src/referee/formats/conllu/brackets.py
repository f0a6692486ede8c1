"""Writes the cells `Entity=`, `Bridge=` and `SplitAnte=` of a document, in the order that CorefUD has them.

At a word come closings, the inner ones first, then openings, the longest first, then mentions of one word;
where none opens, mentions of one word come first, in reverse order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.exceptions import FormatError
from referee.formats.conllu.entities import ID_FIELDS, TYPE_FIELDS, EntityFields
from referee.model import Cluster, Document, Mention, Relation, Span, joined_spans
from referee.model.mentions import BRIDGING, Runs

FORBIDDEN = re.compile(r"[-=|()\[\]<>,:\s\x00-\x20]+")  # in ids and types: they delimit something
HEAD_FIELD, MINIMUM_FIELD, OTHER_FIELD = "head", "minspan", "other"
ENTITY_KEY, BRIDGE_KEY, SPLIT_KEY = "Entity", "Bridge", "SplitAnte"
Values = dict[str, str]  # field → what is said of a mention


@dataclass(slots=True)
class NameKeeper:
    """Gives entities names that occur in one document of a file only: an entity in two is cut in two."""

    used: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)  # name → how often it was wanted already

    def names(self, clusters: Sequence[Cluster], from_file: frozenset[str] = frozenset()) -> dict[str, str]:
        """Name the clusters of a document; those that come `from_file` had their names in it."""
        names: dict[str, str] = {}
        taken: set[str] = set()
        for id_ in dict.fromkeys(cluster.id for cluster in clusters):
            plain = FORBIDDEN.sub("_", id_) or "e"
            name = plain
            while name in taken or (name in self.used and id_ not in from_file):
                self.counts[plain] = self.counts.get(plain, 1) + 1
                name = f"{plain}_{self.counts[plain]}"
            names[id_] = name
            taken.add(name)
        self.used |= taken
        return names


@dataclass(frozen=True, slots=True)
class MentionText:
    """A mention to be written: its entity's name, its words, and the nodes of each of its parts."""

    name: str
    cluster: Cluster
    mention: Mention
    words: Sequence[int]  # in the order of the text
    parts: list[tuple[int, int]]  # first and last node


def mention_texts(document: Document, names: Mapping[str, str]) -> list[MentionText]:
    """Find the nodes of all mentions; nodes are words in the order of the text."""
    order = document.text.reading_order()
    words_of, nodes_of = Runs(order), Runs(sorted(range(len(order)), key=order.__getitem__))
    texts = []
    for cluster in document.clusters:
        for mention in cluster.mentions:
            nodes = joined_spans([run for span in mention.spans for run in nodes_of.spans(*span)])
            runs = [run for some in nodes for run in words_of.spans(*some)]
            words = range(*runs[0]) if len(runs) == 1 else [word for run in runs for word in range(*run)]
            parts = [(first, beyond - 1) for first, beyond in nodes]
            texts.append(MentionText(names[cluster.id], cluster, mention, words, parts))
    return texts


def opening_chunk(fields: EntityFields, name: str, values: Values) -> str:
    """Write the fields of a mention in the header's order; what it has no field for goes into `other`."""
    known = {*fields.names, *ID_FIELDS, *TYPE_FIELDS}
    extra = [
        f"{key}:{value.replace(',', '%2C')}" for key, value in values.items() if value and key not in known
    ]
    if extra and OTHER_FIELD not in fields.names:
        raise FormatError(
            f"a mention of {name} has {', '.join(extra)}, but the header '{fields.header}' has no field "
            "for it; write the documents to separate files"
        )
    said = []
    for field_name in fields.names:
        if field_name in ID_FIELDS:
            said.append(name)
        elif field_name in TYPE_FIELDS:
            said.append(next((values[key] for key in TYPE_FIELDS if key in values), ""))
        elif field_name == OTHER_FIELD:
            said.append(",".join(filter(None, [values.get(OTHER_FIELD, ""), *extra])))
        else:
            said.append(values.get(field_name, ""))
    return "(" + "-".join(said).rstrip("-")


def entity_cells(
    texts: Sequence[MentionText], fields: EntityFields, values_of: Callable[[MentionText], Values]
) -> dict[int, str]:
    """Write what each node says of entities, for those that say anything."""
    spans = []
    for text in texts:
        values = values_of(text)
        for index, (first, last) in enumerate(text.parts, start=1):
            name = text.name if len(text.parts) == 1 else f"{text.name}[{index}/{len(text.parts)}]"
            spans.append((first, first - last, last, name, opening_chunk(fields, name, values)))
    openings: dict[int, list[str]] = defaultdict(list)
    singles: dict[int, list[str]] = defaultdict(list)
    closings: dict[int, list[str]] = defaultdict(list)
    for first, length, last, name, chunk in sorted(spans):
        if length:
            openings[first].append(chunk)
            closings[last].append(f"{name})")
        else:
            singles[first].append(f"{chunk})")
    cells = {}
    for node in {*openings, *singles, *closings}:
        closed, opened, single = closings[node][::-1], openings[node], singles[node]
        cells[node] = "".join([*closed, *opened, *single] if opened else [*reversed(single), *closed])
    return cells


def relation_cells(
    relations: Sequence[tuple[int | None, Relation]], texts: Sequence[MentionText], names: Mapping[str, str]
) -> dict[tuple[int, str], str]:
    """Write what nodes say of relations, each at the node given, or where its anaphor is mentioned."""
    firsts: dict[str, int] = {}
    nodes: dict[tuple[str, tuple[Span, ...]], int] = {}
    for text in texts:
        firsts[text.cluster.id] = min(text.parts[0][0], firsts.get(text.cluster.id, text.parts[0][0]))
        nodes[text.cluster.id, text.mention.spans] = text.parts[0][0]
    cells: dict[tuple[int, str], list[str]] = defaultdict(list)
    for given, relation in relations:
        node = given
        if node is None:
            first = firsts.get(relation.anaphor)
            node = nodes.get((relation.anaphor, relation.anaphor_spans), first)
        if node is None:
            raise FormatError(
                f"a relation of {relation.anaphor}, which has no mention, cannot be written in CoNLL-U; "
                "write jsonlines instead"
            )
        anaphor = names.get(relation.anaphor, relation.anaphor)
        label = re.sub(r"[,|<\s]", "_", relation.label)
        is_bridge = relation.kind == BRIDGING
        target = f"{anaphor}:{label}" if is_bridge and label else anaphor
        links = [f"{names.get(antecedent, antecedent)}<{target}" for antecedent in relation.antecedents]
        cells[node, BRIDGE_KEY if is_bridge else SPLIT_KEY] += links
    return {key: ",".join(links) for key, links in cells.items()}
