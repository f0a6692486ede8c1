"""What a document would lose in another format, and the document without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import zip_longest

from referee.exceptions import FormatError
from referee.formats.catalogue import OURS
from referee.formats.format import (  # fmt: skip
    ACROSS,
    ANNOTATION,
    ANTECEDENTS,
    CLUSTER_IDS,
    CLUSTER_LAYERS,
    CROSSING,
    GAPS,
    GOVERNORS,
    HEADS,
    LAYERS,
    LAYOUT,
    LINK_SCORES,
    MINIMUM_PARTS,
    MINIMUMS,
    NON_REFERRING,
    RELATIONS,
    RUNNING_TEXT,
    SCORES,
    SENTENCES,
    SET_PARTS,
    TOPICS,
    TYPES,
    WHOLE_ANCHORS,
    ZEROS,
    Format,
    layers,
)
from referee.model import Cluster, ClusterLayer, Document, Mention, Relation, Span
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT

OWN_LAYERS = (
    "row",
    "part",
    "token",
    "sentence",
)  # how a file numbered and laid out its words: no layer of the text
REFUSED = (*ANNOTATION, ACROSS)  # crossing mentions are left out, and counted
# Of a mention.
OPTIONAL = {"minimum": MINIMUMS, "head": HEADS, "type": TYPES, "score": SCORES, "link_score": LINK_SCORES}


class CrossingError(FormatError):
    """A document has mentions that cross, which a format with brackets cannot hold."""

    def __init__(self, message: str, *, across: bool = False) -> None:
        """Say whether mentions of two clusters must not cross either."""
        super().__init__(message)
        self.across = across


def losses(documents: Iterable[Document], form: Format, *, across: bool) -> Counter[str]:
    """Count what documents have and a format cannot hold; whether their clusters reach `across` them."""
    lost: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for document in documents:
        lost.update(lost_of(document, form))
        seen.update({cluster.id for cluster in document.clusters})
    if across and not form.across:
        lost[ACROSS] = sum(count > 1 for count in seen.values())
    return +lost


def lost_of(document: Document, form: Format) -> Counter[str]:
    """Count what a document has and a format cannot hold; clusters across documents are not counted."""
    if _comes_out_as_it_came(document, form):
        return Counter()
    text, mentions = document.text, _all_mentions(document)
    kinds = [*(mention.type for mention in mentions), *(cluster.type for cluster in document.clusters)]
    told_layers = layers(*(name for name in text.layers if name not in OWN_LAYERS))
    has = {
        GAPS: sum(len(mention.spans) > 1 for mention in mentions),
        MINIMUMS: sum(mention.minimum is not None for mention in mentions),
        HEADS: sum(mention.head is not None for mention in mentions),
        TYPES: sum(kind is not None for kind in kinds),
        SCORES: sum(mention.score is not None for mention in mentions),
        LINK_SCORES: sum(mention.link_score is not None for mention in mentions),
        RELATIONS: len(document.relations) if RELATIONS not in form.holds else 0,
        ANTECEDENTS: _antecedents(document, True, BRIDGING) if RELATIONS in form.holds else 0,
        SET_PARTS: _antecedents(document, True, SPLIT_ANTECEDENT) if RELATIONS in form.holds else 0,
        WHOLE_ANCHORS: _antecedents(document, False, BRIDGING) if RELATIONS in form.holds else 0,
        MINIMUM_PARTS: _broken_minimums(mentions) if MINIMUMS in form.holds else 0,
        ZEROS: len(text.zeros),
        NON_REFERRING: sum(len(each.mentions) for each in document.non_referring),
        CLUSTER_LAYERS: sum(len(c.mentions) for layer in document.cluster_layers for c in layer.clusters),
        GOVERNORS: sum(bool(zero.governors) for zero in text.zeros) if ZEROS in form.holds else 0,
        CROSSING: _crossing(document) if form.bracketed else 0,
        CLUSTER_IDS: len(document.clusters),
        SENTENCES: len(text.sentences) if len(text.sentences) > 1 else 0,
        RUNNING_TEXT: int(text.running is not None),
        TOPICS: int(text.topic is not None),
        LAYOUT: int(bool(document.layout)),
        **dict.fromkeys(sorted(told_layers), text.length),
    }
    holds = form.holds | told_layers if LAYERS in form.holds else form.holds
    lost = Counter({what: count for what, count in has.items() if count and what not in holds})
    if lost[NON_REFERRING] and RELATIONS in holds:
        lost[RELATIONS] = _relations_to_nothing(document)
    return +lost


def _all_mentions(document: Document) -> list[Mention]:
    """List the mentions of all layers, and what refers to nothing."""
    layers: list[Document | ClusterLayer] = [document, *document.cluster_layers]
    clusters = [cluster for layer in layers for cluster in (*layer.clusters, *layer.non_referring)]
    return [mention for cluster in clusters for mention in cluster.mentions]


def _comes_out_as_it_came(document: Document, form: Format) -> bool:
    """Whether a document came from this very format, whose writer gives back what was read."""
    if len(document.layout) != 2 or OURS.get(document.layout[0]) is not form:
        return False
    try:
        if form.contents is not None:
            return document.layout[1] in form.contents(document).values()
        written = StringIO()
        assert form.write is not None  # what has no contents
        form.write([document], written)
        return document.layout[1] in written.getvalue()
    except FormatError:  # it was changed, and the format cannot hold it
        return False


def reduced(document: Document, form: Format) -> Document:
    """Leave out of a document what a format cannot hold of its annotation.

    A mention of several spans becomes one from its first written word to its last, beside words that are not
    written. These are left out where the format lacks them, and mentions of nothing else; so is a mention
    that crosses another of its cluster where brackets cannot distinguish.
    """
    lost = lost_of(document, form)
    if not any(lost[what] for what in (*REFUSED, CROSSING)):
        return document
    length = document.text.length if lost[ZEROS] else len(document.words)
    reduce = partial(_reduced_cluster, written=document.text.length, length=length, lost=lost)
    clusters = [reduce(cluster) for cluster in document.clusters]
    if form.bracketed:
        clusters = [_nested_cluster(cluster, document.text.length) for cluster in clusters]
    with_mentions = tuple(cluster for cluster in clusters if cluster.mentions)
    held = document.relations if RELATIONS in form.holds else ()
    empty = () if lost[NON_REFERRING] else _reduced_clusters(document.non_referring, reduce)
    relations = _reduced_relations(held, (*with_mentions, *empty))
    others = () if lost[CLUSTER_LAYERS] else document.cluster_layers
    cut = {name: layer[:length] for name, layer in document.layers.items()}
    zeros = () if lost[ZEROS] else document.text.zeros
    changed = replace(
        document, clusters=with_mentions, relations=relations, non_referring=empty,
        cluster_layers=tuple(_reduced_layer(each, reduce) for each in others),
    )  # fmt: skip
    return changed.with_text(words=document.words[:length], layers=cut, zeros=zeros)


Reduce = Callable[[Cluster], Cluster]


def _reduced_clusters(clusters: Iterable[Cluster], reduce: Reduce) -> tuple[Cluster, ...]:
    return tuple(cluster for cluster in map(reduce, clusters) if cluster.mentions)


def _reduced_relations(relations: Iterable[Relation], clusters: Iterable[Cluster]) -> tuple[Relation, ...]:
    ids = {cluster.id for cluster in clusters}
    return tuple(r for r in relations if {r.anaphor, *r.antecedents} <= ids)


def _reduced_layer(layer: ClusterLayer, reduce: Reduce) -> ClusterLayer:
    clusters = _reduced_clusters(layer.clusters, reduce)
    empty = _reduced_clusters(layer.non_referring, reduce)
    return ClusterLayer(layer.name, clusters, _reduced_relations(layer.relations, (*clusters, *empty)), empty)


def _reduced_cluster(cluster: Cluster, written: int, length: int, lost: Counter[str]) -> Cluster:
    """Leave out of a cluster what is lost, and all words from `length` on; `written` words come first."""
    dropped = {name: None for name, what in OPTIONAL.items() if lost[what]}
    mentions = []
    for mention in filter(None, (_written(mention, length) for mention in cluster.mentions)):
        spans = _without_gaps(mention.spans, written) if lost[GAPS] else mention.spans
        mentions.append(replace(mention, spans=spans, **dropped))
    return Cluster(cluster.id, tuple(mentions), None if lost[TYPES] else cluster.type)


def _without_gaps(spans: Sequence[Span], written: int) -> tuple[Span, ...]:
    """Fill the gaps between written words; others have numbers that do not say where they are.

    >>> _without_gaps([(2, 4), (6, 7), (50, 51)], written=40)
    ((2, 7), (50, 51))
    """
    ends = [end for start, end in spans if start < written]
    return (*([(spans[0][0], max(ends))] if ends else ()), *(span for span in spans if span[0] >= written))


def _written(mention: Mention, length: int) -> Mention | None:
    """Take the part of a mention that is before a word; None if there is none."""
    if mention.end <= length:
        return mention
    spans, minimum = (
        tuple((start, min(end, length)) for start, end in some or () if start < length)
        for some in (mention.spans, mention.minimum)
    )
    head = mention.head if mention.head is not None and mention.head < length else None
    return replace(mention, spans=spans, minimum=minimum or None, head=head) if spans else None


def _relations_to_nothing(document: Document) -> int:
    """Count relations that name an expression that refers to nothing."""
    empty = {cluster.id for cluster in document.non_referring}
    return sum(bool({relation.anaphor, *relation.antecedents} & empty) for relation in document.relations)


def _broken_minimums(mentions: Iterable[Mention]) -> int:
    """Count minimum spans of several parts."""
    return sum(mention.minimum is not None and len(mention.minimum) > 1 for mention in mentions)


def _antecedents(document: Document, named: bool, kind: str) -> int:
    """Count the antecedents of relations of a kind that are one mention of a cluster, or all of it."""
    return sum(
        bool(spans) == named
        for relation in document.relations
        if relation.kind == kind
        for _, spans in zip_longest(relation.antecedents, relation.antecedent_spans)
    )


def _crossing(document: Document) -> int:
    """Count mentions that cross another of their cluster."""
    length = document.text.length
    return sum(len(c.mentions) - len(_nested_cluster(c, length).mentions) for c in document.clusters)


def _nested_cluster(cluster: Cluster, length: int) -> Cluster:
    """Leave out mentions of which the written words, those before `length`, cross those of others."""
    written = {n: part for n, m in enumerate(cluster.mentions) if (part := _written(m, length))}
    numbers = [*written]
    staying = {numbers[kept] for kept in nested([*written.values()])}
    crossing = written.keys() - staying
    return replace(cluster, mentions=tuple(m for n, m in enumerate(cluster.mentions) if n not in crossing))


def nested(mentions: Sequence[Mention]) -> list[int]:
    """List those mentions, by their numbers, that cross no other that stays; the first word decides.

    >>> nested([Mention.at(0, 2), Mention.at(1, 3), Mention.at(2, 3)])
    [0, 2]
    """
    around: list[Mention] = []  # those that the next one begins in, each inside the one before
    crossing: set[int] = set()
    for number in sorted(range(len(mentions)), key=lambda n: (mentions[n].start, -mentions[n].end)):
        mention = mentions[number]
        while around and around[-1].end <= mention.start:
            around.pop()
        if around and around[-1].end < mention.end:
            crossing.add(number)
        else:
            around.append(mention)
    return [number for number in range(len(mentions)) if number not in crossing]


def refuse_unholdable(document: Document, label: str) -> None:
    """Refuse mentions that are not one span of written words, for formats that hold no others."""
    for cluster in document.clusters:
        for mention in cluster.mentions:
            what = ""
            if len(mention.spans) > 1:
                what = "a mention of several spans"
            elif mention.end > document.text.length:
                what = "a mention of a word that is not written"
            if what:
                raise FormatError(
                    f"document {document.id}: cluster {cluster.id} has {what}, which {label} cannot hold; "
                    "write jsonlines instead"
                )


def holds_all(lost: Iterable[str], form: Format) -> bool:
    """Whether a format can hold these kinds of annotation."""
    held = {*form.holds, *({ACROSS} if form.across else ()), *(() if form.bracketed else {CROSSING})}
    return held.issuperset(lost)


def counted(lost: Mapping[str, int]) -> str:
    """List what is lost, and how much.

    >>> counted({"annotated heads": 12, "types": 3})
    'annotated heads (12), types (3)'
    """
    return ", ".join(f"{what} ({count:,})" for what, count in lost.items())
