"""Small cross-document corpora: in memory, and as ECB+ writes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from hypothesis import strategies as st

from referee.model import Cluster, Document, DocumentCorpus, Mention

LENGTH = 12  # tokens of a document in memory
Place = tuple[str, int]  # a mention: its document, and the one token that it has


def corpus(clusters: Mapping[str, Sequence[Place]], documents: Sequence[str]) -> DocumentCorpus:
    """Make a corpus whose clusters span documents; a document's name is topic_subtopic_number."""
    made = []
    for id_ in documents:
        own = {
            name: tuple(Mention.at(token, token + 1) for document, token in mentions if document == id_)
            for name, mentions in clusters.items()
        }
        topic, subtopic, _ = id_.split("_")
        found = tuple(Cluster(name, mentions) for name, mentions in own.items() if mentions)
        words = tuple(f"w{i}" for i in range(LENGTH))
        made.append(Document.of(id_, words, ((0, LENGTH),), found, topic=topic, subtopic=subtopic))
    return DocumentCorpus(made, cross_document=True)


DOCUMENTS = ["1_ecb_1", "1_ecb_2", "1_ecbplus_3", "2_ecb_4", "2_ecb_5"]
Clusters = Mapping[str, list[Place]]


@st.composite
def crossing_clusters(draw: st.DrawFn) -> Clusters:
    """Draw clusters that may span documents."""
    drawn = st.tuples(st.sampled_from(DOCUMENTS), st.integers(0, 3))
    labels = draw(st.dictionaries(drawn, st.sampled_from("abcd"), max_size=14))
    clusters: defaultdict[str, list[Place]] = defaultdict(list)
    for mention, label in labels.items():
        clusters[label].append(mention)
    return clusters


MARKABLE = '<{tag} m_id="{id}">{anchors}</{tag}>'
INSTANCE = '<{tag} m_id="{id}" RELATED_TO="" TAG_DESCRIPTOR="" instance_id="{instance}"/>'
RELATION = '<{tag} r_id="{id}">{sources}<target m_id="{target}"/></{tag}>'


def cat_xml(
    sentences: Sequence[str],
    mentions: Sequence[tuple[str, Sequence[int]]],
    relations: Sequence[tuple[str, Sequence[int], str]] = (),
) -> str:
    """Write a document as CAT does. Mentions are a tag and tokens; relations: tag, mentions, instance."""
    tokens, number = [], 0
    for sentence, words in enumerate(sentences):
        for word in words.split():
            number += 1
            tokens.append(f'<token t_id="{number}" sentence="{sentence}">{escape(word)}</token>')
    marks = [
        MARKABLE.format(
            tag=tag, id=id_, anchors="".join(f'<token_anchor t_id="{token}"/>' for token in anchors)
        )
        for id_, (tag, anchors) in enumerate(mentions, start=1)
    ]
    links = []
    for id_, (tag, sources, instance) in enumerate(relations, start=1):
        target = 100 + id_
        marks.append(INSTANCE.format(tag="ACTION_OCCURRENCE", id=target, instance=instance))
        given = "".join(f'<source m_id="{source}"/>' for source in sources)
        links.append(RELATION.format(tag=tag, id=id_, sources=given, target=target))
    parts = ["\n".join(tokens), "<Markables>", *marks, "</Markables><Relations>", *links, "</Relations>"]
    return f"<Document>{''.join(parts)}</Document>"


def write_ecbplus(folder: Path, files: Mapping[str, str], curated: Sequence[tuple[str, int]]) -> Path:
    """Lay out files named 1_2ecb in folders of their topics, the list of curated sentences above them."""
    for name, xml in files.items():
        path = folder / "dev" / name.split("_")[0] / f"{name}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(xml, encoding="utf-8")
    rows = [f"{name.split('_')[0]},{name.split('_')[1]},{sentence}" for name, sentence in curated]
    lines = "\n".join(["Topic,File,Sentence Number", *rows])
    (folder / "ECBplus_coreference_sentences.csv").write_text(lines + "\n", encoding="utf-8")
    return folder / "dev"


def write_gap(path: Path) -> Path:
    """Write GAP's data: one text."""
    heads = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
    row = "v-1\tAnn and Bea sang; she cried.\tshe\t18\tAnn\t0\tTRUE\tBea\t8\tFALSE\tu"
    path.write_text(f"{heads}\n{row}\n", encoding="utf-8")
    return path


COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def write_plural(path: Path, *, element: str, bridge: str = "") -> None:
    """Write a story in CONLL-UA: they are Ann and Bo, if both are elements of 3; that is what they did."""
    identity = {
        1: f"(EntityID=1|MarkableID=ann|ElementOf={element})", 3: "(EntityID=2|MarkableID=bo|ElementOf=4)",
        5: "(EntityID=4|MarkableID=they)", 7: "(EntityID=5|MarkableID=team)",
        9: "(EntityID=6-Pseudo|MarkableID=it)", 13: "(EntityID=1|MarkableID=she)",
    }  # fmt: skip
    bridging = {7: bridge or "(MarkableID=team|Rel=set|MentionAnchor=bo|EntityAnchor=2)"}
    deixis = {
        1: "(EntityID=1-DD|MarkableID=dd_1", 7: ")", 9: "(EntityID=2-DD|MarkableID=dd_2)",
        10: f"(EntityID={'1' if element == '4' else '2'}-DD|MarkableID=dd_3)",
    }  # fmt: skip
    words = ["Ann", "and", "Bo", ".", "They", "won", "gold", ".", "It", "made", "that", "possible", "she"]
    rows = [
        "\t".join(
            [
                str(n),
                word,
                *["_"] * 8,
                *(column.get(n, "_") for column in (identity, bridging, deixis)),
                "_",
                "_",
            ]
        )
        for n, word in enumerate(words, start=1)
    ]
    lines = [f"# global.columns = {COLUMNS}", "# newdoc id = story", *rows, "", ""]
    path.write_text("\n".join(lines), "utf-8")
