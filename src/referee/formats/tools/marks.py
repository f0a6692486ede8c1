"""What marks in a running text say beyond identity: relations of other kinds, layers, what refers to nothing.

A relation has a mark at each end. A flag of a mark says that it refers to nothing, or that it belongs to
discourse deixis; all marks that are linked to such a mark belong there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.exceptions import FormatError
from referee.formats.ledger import Ledger
from referee.model import Cluster, ClusterLayer, Document, Mention, Relation, Span
from referee.model.anaphora import nearest
from referee.model.mentions import BRIDGING, DEIXIS, HIERARCHY, SPLIT_ANTECEDENT

NON_REFERRING = "non-referring"
Flags = frozenset[str]  # DEIXIS, NON_REFERRING
NO_FLAGS: Flags = frozenset()
FLAGS_FEATURE = "reference"  # the feature of a span that has its flags
NOTHING_NAMES = ("nonref", "pleonastic", "expletive")
WORDS = {BRIDGING: "Bridging", SPLIT_ANTECEDENT: "Split_antecedent", HIERARCHY: "Hierarchy"}
LABELLED = re.compile(r"bridging(?:[_:](.+))?", re.IGNORECASE | re.DOTALL)


class MarkRelation(NamedTuple):
    """A relation between two marks: identity is '', else a kind of `Relation`; and its name in the file."""

    kind: str
    anaphor: str
    antecedent: str
    value: str
    where: str = ""


def plain_name(name: str) -> str:
    """Write a name in lower case, without signs and digits.

    >>> plain_name("Split_antecedent-2")
    'splitantecedent'
    """
    return re.sub(r"[\W_\d]+", "", name).casefold()


def flags_of(name: str) -> Flags:
    """Say what the name of an attribute or a value flags.

    >>> [sorted(flags_of(name)) for name in ("Discourse_deixis", "deixis non-referring", "old")]
    [['deixis'], ['deixis', 'non-referring'], []]
    """
    plain = plain_name(name)
    nothing = any(word in plain for word in NOTHING_NAMES)
    return frozenset([*([DEIXIS] if "deixis" in plain else []), *([NON_REFERRING] if nothing else [])])


def kind_beyond(name: str, *, within_coreference: bool) -> str | None:
    """Say what a name means that does not mean identity: None if nothing that is read.

    `within_coreference` says that it is in a layer of coreference, where parts of names are enough.

    >>> [kind_beyond(name, within_coreference=False) for name in ("Bridging", "Split_antecedent", "splits")]
    ['bridging', 'split antecedent', None]
    >>> kind_beyond("bridge:aggr", within_coreference=True)
    'split antecedent'
    """
    plain = plain_name(name)
    if LABELLED.fullmatch(name):
        return BRIDGING
    if plain.startswith("splitante") or (within_coreference and ("aggr" in plain or "split" in plain)):
        return SPLIT_ANTECEDENT
    if plain.startswith("bridg"):
        return BRIDGING
    return HIERARCHY if plain == "hierarchy" else None


def label_of(value: str) -> str:
    """Take the label out of the name of a bridging relation; ours begin with `bridging`.

    >>> label_of("Bridging"), label_of("bridging:part_of"), label_of("bridge")
    ('', 'part_of', 'bridge')
    """
    match = LABELLED.fullmatch(value)
    return (match[1] or "") if match else value


def name_of(relation: Relation, between: str = "_") -> str:
    """Name a relation so that it is read as what it is.

    >>> name_of(Relation(BRIDGING, "1", ("2",), "part")), name_of(Relation(SPLIT_ANTECEDENT, "1", ("2",)))
    ('Bridging_part', 'Split_antecedent')
    """
    return WORDS[relation.kind] + (between + relation.label if relation.label else "")


class Group(NamedTuple):
    """The marks that are one cluster: their names, in the order of its mentions, and their flags."""

    names: Sequence[str]
    flags: Flags


def layered(
    document: Document, groups: Sequence[Group], relations: Iterable[MarkRelation], ledger: Ledger | None
) -> Document:
    """Put the clusters of a document, which correspond to groups, where they belong, and relate them."""
    relations = [relation for relation in relations if relation.kind]
    pairs = [*zip(groups, document.clusters, strict=True)]
    layer_of = {name: DEIXIS in group.flags for group in groups for name in group.names}
    if ledger:
        for each in relations:
            ends = {layer_of.get(each.anaphor), layer_of.get(each.antecedent)}
            if len(ends - {None}) > 1:
                ledger.skip("a relation between identity and discourse deixis is skipped", each.where)

    def of_layer(deixis: bool) -> ClusterLayer:
        some = [(group, cluster) for group, cluster in pairs if (DEIXIS in group.flags) == deixis]
        marks = {
            name: (cluster.id, mention)
            for group, cluster in some
            for name, mention in zip(group.names, cluster.mentions, strict=True)
        }
        refers, nothing = (
            tuple(cluster for group, cluster in some if (NON_REFERRING in group.flags) == empty)
            for empty in (False, True)
        )
        return ClusterLayer(DEIXIS, refers, tuple(relations_between(relations, marks)), nothing)

    identity, deixis = of_layer(False), of_layer(True)
    layers = (deixis,) if deixis.clusters or deixis.non_referring else ()
    return replace(
        document, clusters=identity.clusters, relations=identity.relations,
        non_referring=identity.non_referring, cluster_layers=layers,
    )  # fmt: skip


def relations_between(
    relations: Iterable[MarkRelation], marks: Mapping[str, tuple[str, Mention]]
) -> Iterator[Relation]:
    """Make relations of clusters, given the cluster and the mention of each mark.

    The parts of a split antecedent are put together, for each mention that goes back to them.
    """
    parts: dict[tuple[str, tuple[Span, ...]], dict[str, tuple[Span, ...]]] = {}
    for kind, *names, value, _ in relations:
        if not kind or not all(name in marks for name in names):
            continue
        (anaphor, bridged), (antecedent, anchor) = (marks[name] for name in names)
        if kind == SPLIT_ANTECEDENT:
            parts.setdefault((anaphor, bridged.spans), {}).setdefault(antecedent, anchor.spans)
        else:
            label = label_of(value) if kind == BRIDGING else ""
            yield Relation(kind, anaphor, (antecedent,), label, bridged.spans, (anchor.spans,))
    for (whole, spans), some in parts.items():
        yield Relation(SPLIT_ANTECEDENT, whole, tuple(some), "", spans, tuple(some.values()))


class Ends(NamedTuple):
    """A relation to be written: its name, and the numbers of cluster and mention at its ends."""

    relation: Relation
    anaphor: tuple[int, int]
    antecedent: tuple[int, int]


def flattened(document: Document) -> tuple[Document, list[Flags], list[Ends]]:
    """Give a document the clusters of all its layers, the flags of each, and the ends of relations.

    A relation that names an entity gets the mention that scores take for it: the anaphor's first, the
    anchor's last before it.
    """
    clusters: list[Cluster] = []
    flags: list[Flags] = []
    ends: list[Ends] = []
    layers: list[Document | ClusterLayer] = [document, *document.cluster_layers]
    for layer in layers:
        flag = NO_FLAGS if layer is document else frozenset([DEIXIS])
        first = len(clusters)
        clusters += [*layer.clusters, *layer.non_referring]
        flags += [flag] * len(layer.clusters) + [flag | {NON_REFERRING}] * len(layer.non_referring)
        numbers = {cluster.id: n for n, cluster in reversed([*enumerate(clusters[first:], first)])}
        for relation in layer.relations:
            ends += _ends(relation, numbers, clusters, document.id)
    return replace(document, clusters=tuple(clusters)), flags, ends


def _ends(
    relation: Relation, numbers: Mapping[str, int], clusters: Sequence[Cluster], where: str
) -> Iterator[Ends]:
    for name in (relation.anaphor, *relation.antecedents):
        if name not in numbers:
            raise FormatError(f"document {where}: a relation names the entity {name}, which has no mentions")
    whole = numbers[relation.anaphor]
    mention = _place(clusters[whole], relation.anaphor_spans) or 0
    for at, name in enumerate(relation.antecedents):
        part = numbers[name]
        spans = relation.antecedent_spans[at] if relation.antecedent_spans else ()
        anchor = _place(clusters[part], spans)
        if anchor is None:
            listed = clusters[part].mentions
            is_set = relation.kind == SPLIT_ANTECEDENT
            anchor = 0 if is_set else nearest(listed, clusters[whole].mentions[mention])
        yield Ends(relation, (whole, mention), (part, anchor))


def _place(cluster: Cluster, spans: tuple[Span, ...]) -> int | None:
    return next((n for n, mention in enumerate(cluster.mentions) if mention.spans == spans), None)
