"""Bridging, split antecedents, deixis and what refers to nothing, in files of annotation tools."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import referee
from corpora import DATA
from noisy_anaphora import random_document
from referee import Cluster, Document, FormatError, Mention
from referee.formats import FORMATS
from referee.model import ClusterLayer, Relation
from referee.model.anaphora import nearest
from referee.model.mentions import BRIDGING, DEIXIS, SPLIT_ANTECEDENT
from tool_specimens import put

TOOLS = ("brat", "webanno", "cas-json")
TEXT = "Ola og Kari gikk . Bilen stoppet ,\nog motoren var varm . De lo .\n"
NARC = """\
T1\tMarkable 0 3\tOla
T2\tMarkable 7 11\tKari
T3\tMarkable 19 24\tBilen
T4\tMarkable 38 45\tmotoren
T5\tMarkable 57 59\tDe
T6\tMarkable 0 11\tOla og Kari
T7\tMarkable 25 45\tstoppet ,
og motoren
R1\tBridging Arg1:T4 Arg2:T3\t
R2\tSplit_antecedent Arg1:T5 Arg2:T1\t
R3\tSplit_antecedent Arg1:T5 Arg2:T2\t
R4\tCoref Arg1:T5 Arg2:T6\t
"""


def brat(folder: Path, annotation: str, text: str = TEXT) -> Document:
    return referee.read(laid_out(folder, annotation, text))[0]


def laid_out(folder: Path, annotation: str, text: str = TEXT) -> Path:
    (folder / "a.ann").write_bytes(annotation.encode())
    (folder / "a.txt").write_bytes(text.encode())
    return folder / "a.ann"


def spelled(document: Document, layer: Document | ClusterLayer | None = None) -> list[list[str]]:
    text = document.text
    return [[text.spelled(m.spans) for m in c.mentions] for c in (layer or document).clusters]


def test_relations_of_narc(tmp_path: Path) -> None:
    """Bridging goes from an anaphor to its antecedent, a split antecedent from its anaphor to each part."""
    document = brat(tmp_path, NARC)
    clusters = ["Ola og Kari", "De"], ["Ola"], ["Kari"], ["Bilen"], ["stoppet ,\nog motoren"], ["motoren"]
    assert sorted(spelled(document)) == sorted(clusters)
    by_spelling = {c.id: document.text.spelled(c.mentions[0].spans) for c in document.clusters}
    bridge, split = document.relations
    assert (bridge.kind, by_spelling[bridge.anaphor]) == (BRIDGING, "motoren")
    assert [document.text.spelled(s) for s in bridge.antecedent_spans] == ["Bilen"]
    assert split.kind == SPLIT_ANTECEDENT
    assert document.text.spelled(split.anaphor_spans) == "De"
    assert [by_spelling[name] for name in split.antecedents] == ["Ola", "Kari"]


def test_narc_is_scored_and_comes_back(tmp_path: Path) -> None:
    document = brat(tmp_path, NARC)
    without = replace(document, relations=document.relations[1:], layout=())
    scores = referee.score(document, without, layer="bridging", protocol="ua")
    assert scores.bridging_entity.counts["recall_denominator"] == 1
    assert scores.bridging_entity.recall == 0
    referee.convert(tmp_path / "a.ann", tmp_path / "b.ann", to="brat")
    assert (tmp_path / "b.ann").read_text() == NARC


def test_a_line_break_in_a_text_is_not_taken_for_one_where_the_text_is_whole(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.ann:2: 'og mer' is not a line of brat"):
        brat(tmp_path, "T1\tMarkable 0 3\tOla\nog mer\n")


def test_attributes_and_relations_of_deixis_in_brat(tmp_path: Path) -> None:
    text = "Ann won . That surprised Bo . It rained .\n"
    annotation = """\
T1\tClause 0 7\tAnn won
T2\tMention 10 14\tThat
T3\tMention 0 3\tAnn
T4\tMention 30 32\tIt
A1\tNon_referring T4
"""
    by_relation = brat(tmp_path, annotation + "R1\tDiscourse_deixis Arg1:T2 Arg2:T1\n", text)
    by_attribute = brat(tmp_path, annotation + "A2\tDeixis T1\n*\tEquiv T1 T2\n", text)
    for document in (by_relation, by_attribute):
        assert spelled(document) == [["Ann"]]
        assert [document.text.spelled(c.mentions[0].spans) for c in document.non_referring] == ["It"]
        (layer,) = document.cluster_layers
        assert (layer.name, spelled(document, layer)) == (DEIXIS, [["Ann won", "That"]])
        assert layer.clusters[0].mentions[0].type == "Clause"
    both = brat(tmp_path, annotation + "R1\tdeixis Arg1:T2 Arg2:T1\nR2\tCoref Arg1:T2 Arg2:T3\n", text)
    assert spelled(both) == [["Ann", "That"]]  # identity links it as well
    assert spelled(both, both.cluster_layers[0]) == [["Ann won", "That"]]
    valued = brat(tmp_path, annotation.replace("Non_referring T4", "Reference T4 expletive"), text)
    assert len(valued.non_referring) == 1
    assert not brat(tmp_path, annotation.replace("Non_referring", "Sure"), text).non_referring


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A1\tDeixis T9", "T9 is not a mark of this file"),
        ("R1\tBridging Arg1:T1 Arg2:T9", "T9 is not a mark of this file"),
        ("R1\tBridging Arg1:T1", "Bridging has 1 arguments; two are expected"),
        ("R1\tDeixis Arg1:T1 Arg2:T1 Arg3:T1", "Deixis has 3 arguments; two are expected"),
        ("R1\tBridging T1 T1", "expected ROLE:NAME"),
    ],
)
def test_what_is_wrong_in_brat_is_said_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=rf"a\.ann:2: {message}"):
        brat(tmp_path, f"T1\tMarkable 0 3\tOla\n{line}\n")


def test_a_relation_between_layers_is_skipped_and_noted(tmp_path: Path) -> None:
    lines = "T1\tMarkable 0 3\tOla\nT2\tMarkable 7 11\tKari\nA1\tDeixis T1\nR1\tBridging Arg1:T2 Arg2:T1\n"
    corpus = referee.read(laid_out(tmp_path, lines))
    (notice,) = corpus.notices
    assert notice.startswith(f"{tmp_path / 'a.ann'}:4: a relation between identity and discourse deixis is")
    assert not corpus[0].relations


def test_several_webanno_layers_between_the_same_spans(tmp_path: Path) -> None:
    """Spans are not read once for each layer; a layer called after bridging needs no value."""
    rows = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Referent|entity|reference
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent
#T_RL=webanno.custom.Bridging|kind|BT_webanno.custom.Referent


#Text=Ann 's car : she , the engine , it .
1-1\t0-3\tAnn\tperson[1]|*[2]\t*[1]|*[2]\tcoref\t1-5[3_1]\t_\t_\t
1-2\t4-6\t's\t*[2]\t*[2]\t_\t_\t_\t_\t
1-3\t7-10\tcar\t*[2]\t*[2]\t_\t_\tpart\\_of\t1-7[4_2]\t
1-4\t11-12\t:\t_\t_\t_\t_\t_\t_\t
1-5\t13-16\tshe\tperson[3]\tnew[3]\t_\t_\t_\t_\t
1-6\t17-18\t,\t_\t_\t_\t_\t_\t_\t
1-7\t19-22\tthe\tob\\_ject[4]\t*[4]\t_\t_\t_\t_\t
1-8\t23-29\tengine\tob\\_ject[4]\t*[4]\t_\t_\t_\t_\t
1-9\t30-31\t,\t_\t_\t_\t_\t_\t_\t
1-10\t32-34\tit\t*\tnon-referring\t_\t_\t_\t_\t
1-11\t35-36\t.\t_\t_\t_\t_\t_\t_\t
"""
    (document,) = referee.read(put(tmp_path, "a.tsv", rows))
    assert spelled(document) == [["Ann", "she"], ["Ann 's car"], ["the engine"]]
    assert [cluster.mentions for cluster in document.non_referring] == [(Mention.at(9, 10),)]
    types = [m.type for c in document.clusters for m in c.mentions]
    assert types == ["person", "person", None, "ob_ject"]
    (bridge,) = document.relations
    assert (bridge.label, bridge.anaphor_spans, bridge.antecedent_spans) == (
        "part_of",
        ((6, 8),),
        (((0, 3),),),
    )


# --------------------------------------------------------------------------------------------- round trips
def told(document: Document) -> Iterator[Any]:
    """Tell all layers and relations in characters; whole entities by the mentions that are taken for them."""
    edges = [0, *accumulate(map(len, document.words))]
    layers: list[Document | ClusterLayer] = [document, *document.cluster_layers]
    for layer in layers:
        some = {c.id: c for c in (*layer.clusters, *layer.non_referring)}
        names = {
            name: tuple(sorted(tuple((edges[a], edges[b]) for a, b in m.spans) for m in cluster.mentions))
            for name, cluster in some.items()
        }
        yield Counter(names[c.id] for c in layer.clusters)
        yield Counter(names[c.id] for c in layer.non_referring)
        ends: Counter[Any] = Counter()
        for r in layer.relations:
            anaphor = Mention(r.anaphor_spans or some[r.anaphor].mentions[0].spans)
            for n, name in enumerate(r.antecedents):
                anchor = r.antecedent_spans[n] if any(r.antecedent_spans) else ()
                listed = some[name].mentions
                usual = listed[nearest(listed, anaphor) if r.kind == BRIDGING else 0].spans
                spans = [tuple((edges[a], edges[b]) for a, b in s) for s in (anaphor.spans, anchor or usual)]
                ends[r.kind, r.label, names[r.anaphor], names[name], *spans] += 1
        yield ends


def full_document(chance: random.Random) -> Document:
    """Make a random document with types, deixis, what refers to nothing, and labels of every kind."""
    document = random_document(chance)
    labels = ("", "part", "bridge", "split-up", "coref", "a_b:c", "x|y[1]\\")
    relations = [
        replace(r, label=chance.choice(labels) if r.kind == BRIDGING else "")
        for r in document.relations
        if r.kind == BRIDGING or len(r.antecedents) > 0
    ]
    other = random_document(chance)
    taken = {m.spans for c in document.clusters for m in c.mentions}
    free = [m for m in map(Mention.at, range(30), range(1, 31)) if m.spans not in taken]
    nothing = tuple(Cluster(f"n{n}", (m,)) for n, m in enumerate(chance.sample(free, min(len(free), 2))))
    layer = ClusterLayer(DEIXIS, other.clusters, other.relations, nothing[:1])
    bridged = Relation(BRIDGING, document.clusters[0].id, ("n1",)) if len(nothing) > 1 else None
    document = replace(
        document, relations=(*relations, *([bridged] if bridged else ())), non_referring=nothing[1:],
        cluster_layers=(layer,) if chance.random() < 0.7 else (),
    )  # fmt: skip
    words = tuple(chance.choice(["w", "ab", "\U0001f600", "x_y", "[1]"]) for _ in range(30))
    return document.with_text(words=words, sentences=((0, 11), (11, 30)))


@pytest.mark.parametrize("tool", TOOLS)
def test_random_documents_come_back_whole(tool: str, tmp_path: Path) -> None:
    chance = random.Random(29)
    documents = [full_document(chance).with_text(id=f"d{n}") for n in range(25)]
    referee.write(documents, tmp_path / "out", tool)
    again = referee.read(tmp_path / "out")
    assert not again.notices
    read = {document.id: document for document in again}
    for document in documents:
        assert [*told(read[document.id])] == [*told(document)]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_mention_that_is_chosen_for_an_anchor_is_said(tool: str, tmp_path: Path) -> None:
    document = Document.of(
        "d", list("abcd"), [(0, 4)], [Cluster("1", (Mention.at(0, 1),)), Cluster("2", (Mention.at(2, 3),))]
    )
    document = replace(document, relations=(Relation(BRIDGING, "2", ("1",)),))
    target = tmp_path / f"d{FORMATS[tool].suffixes[0]}"
    made = referee.convert(document, target, to=tool)
    assert made.left_out is not None
    said = "antecedents of bridging that are entities (the last mention before the anaphor is named)"
    assert made.left_out[said] == 1
    (again,) = referee.read(target)
    assert again.relations[0].antecedent_spans == (((0, 1),),)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_relation_without_a_mention_at_its_end_is_refused(tool: str, tmp_path: Path) -> None:
    document = Document.of("d", ["a"], [(0, 1)], [Cluster("1", (Mention.at(0, 1),))])
    document = replace(document, relations=(Relation(BRIDGING, "1", ("9",)),))
    with pytest.raises(FormatError, match="document d: a relation names the entity 9, which has no mentions"):
        referee.write([document], tmp_path / "d", tool)


def test_a_label_with_blanks_is_refused_in_brat(tmp_path: Path) -> None:
    clusters = [Cluster("1", (Mention.at(0, 1),)), Cluster("2", (Mention.at(1, 2),))]
    document = Document.of("d", ["a", "b"], [(0, 2)], clusters)
    document = replace(document, relations=(Relation(BRIDGING, "2", ("1",), "part of"),))
    with pytest.raises(FormatError, match="the relation 'Bridging_part of' has white space"):
        referee.write([document], tmp_path / "d.ann")


GUM = DATA / "gum" / "dev"


@pytest.mark.skipif(not GUM.is_dir(), reason="no GUM")
@pytest.mark.parametrize("form", [*TOOLS, "conllua", "conllu", "jsonlines"])
def test_relations_of_gum_come_back(form: str, tmp_path: Path) -> None:
    """Types, minimum spans, zeros and gaps may go, and are counted; no relation goes."""
    documents = [*referee.read(GUM)][::10]
    assert sum(len(document.relations) for document in documents) > 10
    target = tmp_path / (f"d{FORMATS[form].suffixes[0]}" if not FORMATS[form].contents else "d")
    referee.convert(documents, target, to=form, lossy=True)
    read = {document.id: document for document in referee.read(target)}
    for document in documents:
        assert [*told(read[document.id])][2] == [*told(document)][2]
