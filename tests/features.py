"""A document for each thing that only some formats can hold, and what to compare after it was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee import Cluster, Document, Mention
from referee.formats import format as names
from referee.model import ClusterLayer, Relation, Text, Zero
from referee.model.mentions import BRIDGING, DEIXIS, SPLIT_ANTECEDENT

WORDS = ("ann", "saw", "the", "old", "cat", "and", "she", "fed", "it")
ANN, CAT, SHE, IT = Mention.at(0, 1), Mention.at(2, 5), Mention.at(6, 7), Mention.at(8, 9)
COLUMNS = {
    "pos": ("NNP", "VBD", "DT", "JJ", "NN", "CC", "PRP", "VBD", "PRP"),
    "lemma": ("ann", "see", "the", "old", "cat", "and", "she", "feed", "it"),
    "head": ("1", "-", "4", "4", "1", "7", "7", "1", "7"),
    "parse": ("(TOP(S(S(NP*)", "(VP*", "(NP*", "*", "*)))", "*", "(S(NP*)", "(VP*", "(NP*)))))"),
    "entity": ("(PERSON)", *"********"),
    "speaker": ("ann",) * 9,
    "upos": ("PROPN", "VERB", "DET", "ADJ", "NOUN", "CCONJ", "PRON", "VERB", "PRON"),
    "xpos": ("NNP", "VBD", "DT", "JJ", "NN", "CC", "PRP", "VBD", "PRP"),
    "feats": ("Number=Sing", *["_"] * 8),
    "deprel": ("nsubj", "root", "det", "amod", "obj", "cc", "nsubj", "conj", "obj"),
    "deps": ("2:nsubj", "0:root", *["_"] * 7),
    "mood": tuple("abcdefghi"),  # none that anybody knows
}
LAYOUTS = {  # files of a layout that nobody would choose, by format
    "conllu": "# odd = yes\n# newdoc id = d\n# global.Entity = eid-odd\n1-2\tannsaw" + "\t_" * 8
    + "\n1\tann" + "\t_" * 7 + "\tEntity=(e1-x)|A=1\n2\tsaw" + "\t_" * 8 + "\n\n\n# the end\n",
    "conllua": "# global.columns = ID FORM IDENTITY X\n# newdoc id = d\n1   ann  (EntityID=1|Odd=y)  x\n\n\n",
    "conll": "# a note\n\n#begin document d\n 0   ann (1)\n# middle\n 1   saw *\n\n\n#end document\n\n",
    "jsonlines": '{"doc_key": "d", "sentences": [["ann"]], "clusters": [[[0, 0]]], "layout": ["x", "y"]}\n',
}  # fmt: skip


@dataclass(frozen=True)
class Feature:
    """Documents that have something, and how to see whether it is still there."""

    documents: Sequence[Document]
    told: Callable[[Document], Any]
    across: bool = False


def document(*clusters: Cluster, id: str = "d", **changes: Any) -> Document:
    """Make a document that every format can hold, but for the changes."""
    given = {"sentences": ((0, 9),), "topic": "1", "subtopic": "a"} | changes
    return Document(
        Text(id, WORDS, **given), clusters or (Cluster("e1", (ANN, SHE)), Cluster("e2", (CAT, IT)))
    )


def _by_spans(value: Callable[[Mention, Cluster], Any]) -> Callable[[Document], Any]:
    return lambda document: {
        m.spans: value(m, cluster) for cluster in document.clusters for m in cluster.mentions
    }


def clusters_told(document: Document | ClusterLayer) -> set[frozenset[tuple[tuple[int, int], ...]]]:
    """Tell clusters by the spans of their mentions."""
    return {frozenset(mention.spans for mention in cluster.mentions) for cluster in document.clusters}


def _relations(document: Document | ClusterLayer) -> Any:
    by_id = {c.id: c.mentions for c in (*document.clusters, *document.non_referring)}
    return {
        (r.kind, by_id.get(r.anaphor), frozenset(by_id.get(id_) for id_ in r.antecedents), r.label)
        for r in document.relations
    }


def _non_referring(document: Document | ClusterLayer) -> Any:
    return [cluster.mentions for cluster in document.non_referring]


def _layers(document: Document) -> Any:
    """Tell the other layers, and what has not gone into them."""
    told = [
        (layer.name, clusters_told(layer), _relations(layer), _non_referring(layer))
        for layer in document.cluster_layers
    ]
    return told, clusters_told(document), _relations(document), _non_referring(document)


def _with(**changes: Any) -> Document:
    return document(Cluster("e1", (Mention(ANN.spans, **changes), SHE)))


def _related() -> Document:
    clusters = (Cluster("e1", (ANN, SHE)), Cluster("e2", (CAT,)), Cluster("e3", (IT,)))
    relations = (Relation(BRIDGING, "e2", ("e1",), "part"), Relation(SPLIT_ANTECEDENT, "e3", ("e1", "e2")))
    return Document(document().text, clusters, relations)


def _bridged() -> Document:
    relation = Relation(BRIDGING, "e2", ("e1",), "part", CAT.spans, (SHE.spans,))
    return replace(document(), relations=(relation,))


def _set_of_mentions() -> Document:
    parts = (SHE.spans, CAT.spans)
    clusters = (Cluster("e1", (ANN, SHE)), Cluster("e2", (CAT,)), Cluster("e3", (IT,)))
    return Document(
        document().text, clusters, (Relation(SPLIT_ANTECEDENT, "e3", ("e1", "e2"), "", IT.spans, parts),)
    )


def _whole_anchor() -> Document:
    clusters = (Cluster("e1", (ANN, SHE)), Cluster("e2", (CAT,)))
    return Document(document().text, clusters, (Relation(BRIDGING, "e2", ("e1",), "part", CAT.spans),))


def _zero() -> Document:
    zero = Zero(8, governors=((7, "nsubj"),))  # after its governor, where some formats put it anyway
    text = Text("d", (*WORDS, "pro"), ((0, 9),), zeros=(zero,), topic="1", subtopic="a")
    return Document(text, (Cluster("e1", (ANN, Mention.at(9, 10))),))


def _running() -> Document:
    starts = [sum(len(word) + 2 for word in WORDS[:number]) for number in range(len(WORDS))]
    characters = tuple((start, start + len(word)) for start, word in zip(starts, WORDS, strict=True))
    return document(running="  ".join(WORDS), characters=characters)


def _with_deixis() -> Document:
    elements = Relation(SPLIT_ANTECEDENT, "e1", ("e2",))
    clusters = (Cluster("e1", (Mention.at(0, 5), SHE)), Cluster("e2", (Mention.at(6, 8),)))
    nothing = (Cluster("e9-Pseudo", (IT,)),)
    return replace(document(), cluster_layers=(ClusterLayer(DEIXIS, clusters, (elements,), nothing),))


def _layer(name: str) -> Callable[[Document], Any]:
    return lambda document: document.layers.get(name)


FEATURES: dict[str, Feature] = {
    names.GAPS: Feature([document(Cluster("e1", (Mention(((0, 1), (3, 5))), SHE)))], clusters_told),
    names.MINIMUMS: Feature(
        [document(Cluster("e2", (Mention(CAT.spans, ((4, 5),)), IT)))], _by_spans(lambda m, _: m.minimum)
    ),
    names.MINIMUM_PARTS: Feature(
        [document(Cluster("e2", (Mention(CAT.spans, ((2, 3), (4, 5))), IT)))],
        _by_spans(lambda m, _: m.minimum),
    ),
    names.HEADS: Feature(
        [document(Cluster("e2", (Mention(CAT.spans, head=3), Mention(IT.spans, head=8))))],
        _by_spans(lambda m, _: m.head),  # some formats give every mention a head
    ),
    names.TYPES: Feature(
        [document(Cluster("e1", tuple(Mention(m.spans, type="person") for m in (ANN, SHE)), "person"))],
        _by_spans(lambda m, cluster: m.type or cluster.type),
    ),
    names.SCORES: Feature([_with(score=0.25)], _by_spans(lambda m, _: m.score)),
    names.LINK_SCORES: Feature([_with(link_score=0.25)], _by_spans(lambda m, _: m.link_score)),
    names.RELATIONS: Feature([_related()], _relations),
    names.NON_REFERRING: Feature(
        [replace(document(), non_referring=(Cluster("e9-Pseudo", (IT,)),))], _non_referring
    ),
    names.CLUSTER_LAYERS: Feature([_with_deixis()], _layers),
    names.ANTECEDENTS: Feature(
        [_bridged()], lambda d: {r.antecedent_spans for r in d.relations if any(r.antecedent_spans)}
    ),
    names.SET_PARTS: Feature(
        [_set_of_mentions()], lambda d: {spans for r in d.relations for spans in r.antecedent_spans}
    ),
    names.WHOLE_ANCHORS: Feature([_whole_anchor()], lambda d: {any(r.antecedent_spans) for r in d.relations}),
    names.ZEROS: Feature(
        [_zero()],
        lambda d: ([(z.before, z.ordinal, z.sentence) for z in d.text.zeros], d.words, clusters_told(d)),
    ),
    names.GOVERNORS: Feature([_zero()], lambda d: [zero.governors for zero in d.text.zeros]),
    names.CROSSING: Feature(
        [document(Cluster("e1", (Mention.at(0, 4), Mention.at(2, 5))))], clusters_told
    ),
    names.ACROSS: Feature(
        [document(id=id_) for id_ in ("d1", "d2")], lambda d: (d.id, clusters_told(d)), across=True
    ),
    names.CLUSTER_IDS: Feature(
        [document(Cluster("e7", (ANN,)), Cluster("e3", (CAT,)))], lambda d: {c.id for c in d.clusters}
    ),
    names.SENTENCES: Feature([document(sentences=((0, 5), (5, 9)))], lambda d: d.sentences),
    names.RUNNING_TEXT: Feature([_running()], lambda d: d.text.running),
    names.TOPICS: Feature([document()], lambda d: (d.text.topic, d.text.subtopic)),
    **{
        f"layer {name}": Feature([document(layers={name: layer})], _layer(name))
        for name, layer in COLUMNS.items()
    },
}  # fmt: skip
