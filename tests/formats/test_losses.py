"""Formats hold what they say, and converting loses nothing unless it is told to, and then says what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner, Result

from every_format import lay_out
from features import FEATURES, LAYOUTS, Feature, clusters_told, document
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, MissingExtra, formats
from referee.cli import main as command_line
from referee.exceptions import LossWarning
from referee.formats import FORMATS, WRITABLE, losses
from referee.formats.fitting import MENTIONS, UNWRITABLE
from referee.formats.format import (
    ACROSS,
    ANNOTATION,
    ANTECEDENTS,
    BESIDE_ANNOTATION,
    CROSSING,
    GAPS,
    LAYERS,
    LAYOUT,
    NON_REFERRING,
    RELATIONS,
    ZEROS,
    Format,
)
from referee.formats.io.opening import SeekableFile
from referee.functions.convert import convert as converted
from referee.model import Relation, Text, Zero
from referee.model.mentions import BRIDGING
from small_corpora import cat_xml, write_ecbplus, write_gap

DATA = Path(__file__).parents[1] / "data"
CAT = cat_xml(
    ["The tremor hit", "It did"],
    [("ACTION_OCCURRENCE", [2]), ("NEG_ACTION_OCCURRENCE", [1, 3])],
    [("CROSS_DOC_COREF", [1], "ACT1")],
)
CURATED = [(id_, number) for id_ in ("1_1ecb", "1_2ecbplus") for number in (0, 1)]
READ_ONLY: dict[str, Callable[[Path], Path]] = {  # specimens with all that these formats hold
    "muc": lambda _: DATA / "muc" / "key.sgm",
    "mmax2": lambda _: DATA / "arrau",
    "gap": lambda folder: write_gap(folder / "gap.tsv"),
    "ecbplus": lambda folder: write_ecbplus(folder, {"1_1ecb": CAT, "1_2ecbplus": CAT}, CURATED),
}


def declared(form: Format) -> set[str]:
    """List what a format says that it holds, as `FEATURES` name it."""
    held = {*form.holds, *({ACROSS} if form.across else ()), *(() if form.bracketed else {CROSSING})}
    any_layer = {name for name in FEATURES if name.startswith("layer ")} if LAYERS in held else set()
    return (held | any_layer) - {LAYERS, LAYOUT}


def is_kept(name: str, feature: Feature, folder: Path) -> bool:
    """Write a feature's documents and read them back."""
    folder = Path(mkdtemp(dir=folder))
    path = folder / f"a{next(iter(FORMATS[name].suffixes), '')}"
    try:
        formats.write(feature.documents, path, name, cross_document=feature.across and FORMATS[name].across)
    except MissingExtra as missing:
        pytest.skip(str(missing))
    except (FormatError, LossWarning):  # a warning is an error here
        return False
    again = formats.read(path)
    if path.is_file():  # some make a folder of several documents
        recognised = formats.recognise(SeekableFile(str(path)))
        assert recognised is not None
        assert FORMATS[recognised].read == FORMATS[name].read
    if feature.across and not again.cross_document:
        return False
    return [feature.told(one) for one in again] == [feature.told(one) for one in feature.documents]


@pytest.mark.parametrize("name", WRITABLE)
def test_formats_hold_what_they_say(name: str, tmp_path: Path) -> None:
    if not is_whole(name, tmp_path):
        pytest.skip(f"{name} is part of a document only")
    kept = {what for what, feature in FEATURES.items() if is_kept(name, feature, tmp_path)}
    compare(name, kept)


def compare(name: str, kept: set[str]) -> None:
    """Compare what a format says that it holds with what it does hold."""
    said = declared(FORMATS[name])
    assert said <= kept, f"{name} does not hold {', '.join(said - kept)}: take it out of its holds"
    # a format that says nothing of what is beside the annotation is not asked about it
    asked = {*FEATURES} if said & {*BESIDE_ANNOTATION} else {*ANNOTATION, CROSSING, ACROSS}
    unsaid = (kept - said) & asked
    assert not unsaid, f"{name} holds {', '.join(sorted(unsaid))}: put it into its holds"


def is_whole(name: str, folder: Path) -> bool:
    """Whether a format holds words and clusters in one file; some need a second one."""
    try:
        return is_kept(name, Feature([document()], clusters_told), folder)
    except FormatError:
        return False


@pytest.mark.parametrize("name", [name for name in WRITABLE if LAYOUT in FORMATS[name].holds])
def test_layout_is_held(name: str, tmp_path: Path) -> None:
    assert name in LAYOUTS, f"give LAYOUTS in tests/features.py a specimen of {name}"
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(LAYOUTS[name], encoding="utf-8")
    documents = list(formats.read(one))
    assert any(document.layout for document in documents)
    formats.write(documents, other, name)
    assert other.read_text(encoding="utf-8") == LAYOUTS[name]


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if not form.write and form.suffixes])
def test_formats_that_are_read_only_hold_what_they_say(name: str, tmp_path: Path) -> None:
    if name not in READ_ONLY:
        pytest.skip(f"READ_ONLY has no specimen of {name}")
    corpus = formats.read(READ_ONLY[name](tmp_path))
    nothing = replace(FORMATS["conll"], holds=frozenset(), bracketed=False)
    present = set(losses.losses(corpus, nothing, across=corpus.cross_document))
    assert formats.recognise(SeekableFile(corpus_file(READ_ONLY[name](tmp_path)))) == name
    compare(name, present | {CROSSING})  # which no reader refuses


def corpus_file(path: Path) -> str:
    """Name a file of a corpus by which its format is recognised."""
    return str(path if path.is_file() else min(path.rglob("*.xml")))


def test_all_that_can_be_held_has_a_document() -> None:
    assert {*ANNOTATION, *BESIDE_ANNOTATION, CROSSING, ACROSS} - {LAYERS, LAYOUT} <= FEATURES.keys()
    assert {what for form in FORMATS.values() for what in form.holds} <= {*FEATURES, LAYERS, LAYOUT}


# -------------------------------------------------------------------------------------------- what is lost
def everything() -> Document:
    """A document with every kind of annotation."""
    characters = tuple((2 * number, 2 * number + 1) for number in range(6))
    text = Text("d", tuple("abcdefg"), ((0, 6),), {"pos": tuple("ABCDEFG")}, "a b c d e f", characters,
                zeros=(Zero(2),))  # fmt: skip
    clusters = (
        Cluster("e1", (Mention(((0, 1), (2, 3)), minimum=((0, 1),), head=2, type="t", score=0.5),
                       Mention.at(1, 5), Mention.at(6, 7)), "person"),
        Cluster("e2", (Mention(((3, 4), (6, 7)), head=6, minimum=((6, 7),)), Mention.at(5, 6))),
        Cluster("e3", (Mention.at(6, 7),)),
    )  # fmt: skip
    return Document(text, clusters, (Relation(BRIDGING, "e2", ("e1",)),))


def test_what_is_lost_is_counted() -> None:
    lost = losses.losses([everything(), everything().with_text(id="e")], FORMATS["conll"], across=False)
    assert losses.counted(lost) == (
        "mentions of several spans (4), annotated minimum spans (4), annotated heads (4), types (4), scores "
        "(2), relations between clusters (2), words that are not written (2), mentions that cross another of "
        "their cluster (2), running text (2)"
    )
    assert not losses.losses([everything()], FORMATS["jsonlines"], across=False)


def test_what_cannot_be_held_is_left_out_and_all_else_kept() -> None:
    left = losses.reduced(everything(), FORMATS["conll"])
    assert [(cluster.id, cluster.type, cluster.mentions) for cluster in left.clusters] == [
        ("e1", None, (Mention.at(0, 3),)),  # from the first word to the last; its neighbour crosses it
        ("e2", None, (Mention.at(3, 4), Mention.at(5, 6))),  # what is written of it
    ]
    assert left.words == tuple("abcdef")
    assert left.layers == {"pos": tuple("ABCDEF")}
    assert (left.relations, left.text.zeros) == ((), ())
    assert not any(mention.head or mention.minimum or mention.type for mention in left.mentions)


def test_the_mention_of_an_antecedent_is_lost_in_conllu_and_counted(tmp_path: Path) -> None:
    formats.write(FEATURES[ANTECEDENTS].documents, source := tmp_path / "a.jsonl")
    done = convert(source, tmp_path / "a.conllu")
    assert done.exit_code == 0
    assert f"{ANTECEDENTS} (1)" in done.stderr
    assert len(next(iter(formats.read(tmp_path / "a.conllu"))).relations) == 1
    assert ANTECEDENTS not in convert(source, tmp_path / "a.conllua", "--lossy").stderr


def test_a_relation_to_what_refers_to_nothing_is_lost_with_it() -> None:
    whole = document(Cluster("e1", (Mention.at(0, 1),)), Cluster("e2", (Mention.at(1, 2),)))
    bridges = (Relation(BRIDGING, "e2", ("e1",)), Relation(BRIDGING, "e2", ("e9-Pseudo",)))
    whole = replace(whole, non_referring=(Cluster("e9-Pseudo", (Mention.at(3, 4),)),), relations=bridges)
    lost = losses.lost_of(whole, FORMATS["conllu"])
    assert (lost[RELATIONS], lost[NON_REFERRING]) == (1, 1)
    assert losses.reduced(whole, FORMATS["conllu"]).relations == bridges[:1]
    assert not losses.lost_of(whole, FORMATS["conllua"])[RELATIONS]


def test_relations_go_with_their_clusters() -> None:
    able = replace(FORMATS["conll"], holds=FORMATS["conll"].holds | {"relations between clusters"})
    relations = (Relation(BRIDGING, "e2", ("e1",)), Relation(BRIDGING, "e1", ("e3",)))
    left = losses.reduced(replace(everything(), relations=relations), able)
    assert left.relations == relations[:1]  # nothing is left of e3


def test_what_loses_nothing_stays_as_it_is() -> None:
    assert losses.reduced(whole := document(), FORMATS["conll"]) is whole


def test_crossing_mentions_are_seen_whatever_their_order() -> None:
    mentions = (Mention.at(4, 9), Mention.at(2, 6), Mention.at(2, 3), Mention.at(5, 6), Mention.at(4, 9))
    crossing = document(Cluster("e1", mentions))
    assert losses.lost_of(crossing, FORMATS["conll"])[CROSSING] == 2
    left = losses.reduced(crossing, FORMATS["conll"])
    assert left.clusters[0].mentions == (Mention.at(2, 6), Mention.at(2, 3), Mention.at(5, 6))


# ------------------------------------------------------------------------------------------------ convert
def convert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command_line, ["convert", *map(str, arguments)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    formats.write([everything()], tmp_path / "source.jsonl")
    return tmp_path / "source.jsonl"


def test_convert_refuses_to_lose_annotation(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.conll"
    target.write_text("old", encoding="utf-8")
    result = convert(source, target)
    assert result.exit_code == 1
    assert (
        "b.conll: CoNLL cannot hold mentions of several spans (2), annotated minimum spans (2)"
        in result.output
    )
    assert "running text" not in result.output
    assert re.search(r"; write .*\bjsonlines\b", result.output)
    assert "or give --lossy to leave it out" in result.output
    assert target.read_text(encoding="utf-8") == "old"


def test_convert_loses_what_it_may_and_says_so(source: Path, tmp_path: Path) -> None:
    result = convert(source, tmp_path / "b.conll", "--lossy")
    assert result.exit_code == 0
    assert "left out, since CoNLL cannot hold it: mentions of several spans (2)" in result.output
    assert "mentions that cross another of their cluster (1), running text (1)" in result.output
    (again,) = formats.read(tmp_path / "b.conll")
    assert clusters_told(again) == clusters_told(losses.reduced(everything(), FORMATS["conll"]))


def test_convert_tells_of_layers_and_goes_on(tmp_path: Path) -> None:
    formats.write(FEATURES["layer mood"].documents, tmp_path / "a.jsonl")
    result = convert(tmp_path / "a.jsonl", tmp_path / "b.conll")
    assert result.exit_code == 0
    assert "left out, since CoNLL cannot hold it: topics (1), layer mood (9)" in result.output
    assert "left out" not in convert(tmp_path / "b.conll", tmp_path / "c.jsonl").output


def test_convert_refuses_to_cut_clusters_that_span_documents(tmp_path: Path) -> None:
    documents = FEATURES[ACROSS].documents
    formats.write(documents, tmp_path / "a.jsonl", cross_document=True)
    able = convert(tmp_path / "a.jsonl", tmp_path / "b.conll")
    assert able.exit_code == 0
    assert formats.read(tmp_path / "b.conll").cross_document
    refused = convert(tmp_path / "a.jsonl", tmp_path / "c.conll", "--to", "conll")
    assert refused.exit_code == 1
    assert "CoNLL cannot hold clusters that span documents (2); write corpus-conll or" in refused.output
    cut = convert(tmp_path / "a.jsonl", tmp_path / "c.conll", "--to", "conll", "--lossy")
    assert cut.exit_code == 0
    assert "clusters that span documents (2)" in cut.output
    assert not formats.read(tmp_path / "c.conll").cross_document


@pytest.mark.parametrize("name", WRITABLE)
def test_every_format_takes_what_is_left(name: str, tmp_path: Path) -> None:
    text = everything().with_text(topic="1", subtopic="a").text
    apart = Mention(((0, 1), (2, 3)), minimum=((0, 1),), head=2, type="t", score=0.5)
    crossing = Cluster("e2", (Mention.at(3, 5), Mention.at(4, 6)))
    clusters = (Cluster("e1", (apart, Mention.at(3, 4), Mention.at(6, 7)), "t"), crossing)
    whole = Document(text, clusters, (Relation(BRIDGING, "e2", ("e1",)),))
    left = losses.reduced(whole, FORMATS[name])
    if not is_whole(name, tmp_path):
        pytest.skip(f"{name} is part of a document only")
    assert not {*losses.REFUSED} & losses.lost_of(left, FORMATS[name]).keys()
    try:
        formats.write([left], tmp_path / "a", name)
    except MissingExtra as missing:
        pytest.skip(str(missing))
    assert sum(map(len, map(clusters_told, formats.read(tmp_path / "a")))) == len(left.clusters)


def test_a_gap_is_kept_by_formats_that_hold_it() -> None:
    with_gap = FEATURES[GAPS].documents[0]
    assert losses.reduced(with_gap, FORMATS["jsonlines"]) is with_gap


@pytest.mark.parametrize("form", ["brat", "webanno", "cas-json", "label-studio", "doccano", "prodigy"])
def test_what_comes_out_as_it_came_loses_nothing(form: str, tmp_path: Path) -> None:
    before = lay_out(form, tmp_path)
    shown = convert(before, tmp_path / f"out{FORMATS[form].suffixes[0]}", "--to", form)
    assert shown.exit_code == 0
    assert "left out" not in shown.output


def with_all_that_is_hard() -> list[Document]:
    """Make mentions with gaps, of zeros and other words, that cross, beside a document without mentions."""
    words = ("w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "_", "_")
    text = Text("a", words, ((0, 8),), zeros=(Zero(before=4, governors=((3, "nsubj"),)), Zero(before=8)))
    spans = [[(0, 4)], [(2, 6)], [(6, 7), (8, 9)], [(1, 2), (5, 6)], [(8, 9)], [(9, 10)], [(0, 1), (9, 10)]]
    clusters = [
        Cluster(str(n), tuple(Mention(tuple(each)) for each in some))
        for n, some in enumerate((spans[:3], spans[3:5], spans[5:]))
    ]
    return [Document(text, tuple(clusters)), Document.of("b", ["w0", "w1"], [(0, 2)], [])]


@pytest.mark.parametrize("name", [name for name in WRITABLE if name != "docbin"])
def test_documents_and_mentions_are_read_back_or_counted(name: str, tmp_path: Path) -> None:
    """What is left out whole are mentions that cross, that cannot be written, or of zeros alone."""
    form = FORMATS[name]
    made = converted(DocumentCorpus(with_all_that_is_hard(), "d"), tmp_path / f"d{(*form.suffixes, '.x')[0]}",
                   to=name, lossy=True)  # fmt: skip
    read = list(formats.read(made.target))
    assert [document.id for document in read] == ["a", "b"] or not form.distinct_names
    assert (len(read), made.documents) == (2, 2)
    lost = Counter(made.left_out)
    of_zeros = 2 if lost[ZEROS] else 0
    counted = lost[CROSSING] + lost[UNWRITABLE] + lost[MENTIONS] + of_zeros
    assert sum(len(cluster.mentions) for document in read for cluster in document.clusters) == 7 - counted


def test_a_gap_is_filled_with_written_words_only() -> None:
    """The numbers of zeros come after those of all words: they do not say where a zero is."""
    document, _ = with_all_that_is_hard()
    left = losses.reduced(document, FORMATS["json-answer"])
    assert [[mention.spans for mention in cluster.mentions] for cluster in left.clusters] == [
        [((0, 4),), ((2, 6),), ((6, 7), (8, 9))],
        [((1, 6),), ((8, 9),)],
        [((9, 10),), ((0, 1), (9, 10))],
    ]
