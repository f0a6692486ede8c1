"""What annotation tools keep: one story in all formats, random documents, broken files, a whole corpus."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import corpus
from referee import Cluster, Document, FormatError, Mention, Protocol, formats, score
from referee.formats import FORMATS
from referee.formats.format import ANNOTATION, GAPS
from referee.formats.io.opening import SeekableFile
from referee.formats.losses import lost_of
from referee.formats.tools.standoff import CodeUnits, means_identity, placed, reads_as
from referee.model import Text, Zero, cut_text
from tool_specimens import SPECIMENS, SPELLED, STORY, put

TOOLS = tuple(SPECIMENS)
ENDINGS = {name: FORMATS[name].suffixes[0] for name in TOOLS}


def told(document: Document) -> list[list[tuple[str, str | None]]]:
    """List what is spelled in each cluster, and its types, whatever the order of clusters."""
    spelled = document.text.spelled
    return sorted([(spelled(m.spans), m.type or "") for m in c.mentions] for c in document.clusters)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_story_is_the_same_in_all_of_them(tmp_path: Path, tool: str) -> None:
    path = put(tmp_path, *SPECIMENS[tool])
    assert formats.recognise(SeekableFile(str(path))) == tool
    (document,) = formats.read(path)
    assert document.id == "story"
    spelled = document.text.spelled
    assert sorted([spelled(m.spans) for m in c.mentions] for c in document.clusters) == sorted(SPELLED)
    types = {spelled(m.spans): m.type for c in document.clusters for m in c.mentions}
    assert types == dict.fromkeys(("Ann", "her", "The mayor"), "Person") | {"her red hat": None, "it": None}
    assert (document.text.running or "").strip() == STORY.strip()
    assert document.words[:3] == ("Ann", "\U0001f60a", "lost")


@pytest.mark.parametrize("tool", TOOLS)
def test_what_was_read_is_written_byte_for_byte(tmp_path: Path, tool: str) -> None:
    name, content = SPECIMENS[tool]
    (document,) = formats.read(put(tmp_path, name, content))
    formats.write([document], tmp_path / "a.jsonl", "jsonlines")
    (carried,) = formats.read(tmp_path / "a.jsonl")
    target = tmp_path / "again" / f"story{ENDINGS[tool]}"
    target.parent.mkdir()
    formats.write([carried], target, tool)
    if tool == "label-studio":  # the same values: blanks between them are our own
        assert formats.read(target).document(0).layout == document.layout
    else:
        assert target.read_text(encoding="utf-8") == content
    if tool == "brat":
        assert target.with_suffix(".txt").read_text(encoding="utf-8") == STORY


@pytest.mark.parametrize("tool", TOOLS)
def test_clusters_that_changed_are_written_afresh(tmp_path: Path, tool: str) -> None:
    (document,) = formats.read(put(tmp_path, *SPECIMENS[tool]))
    changed = Document(document.text, document.clusters[1:], layout=document.layout)
    target = tmp_path / f"changed{ENDINGS[tool]}"
    formats.write([changed], target, tool)
    (again,) = formats.read(target)
    assert told(again) == told(changed) != told(document)
    retyped = Document(document.text, tuple(Cluster(c.id, c.mentions, "Thing") for c in changed.clusters))
    formats.write([retyped], target, tool)
    kinds = {m.type for c in formats.read(target).document(0).clusters for m in c.mentions}
    assert kinds == {m.type or "Thing" for c in changed.clusters for m in c.mentions}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_layout_that_somebody_made_up_is_not_written(tmp_path: Path, tool: str) -> None:
    document = cut_text("d", "Ann is here", [Cluster("1", (Mention.at(0, 3),))])
    for layout in ((tool, "nonsense"), (tool, "[" * 100_000), (tool, SPECIMENS[tool][1]), ("other", "x")):
        target = tmp_path / f"d{ENDINGS[tool]}"
        formats.write([Document(document.text, document.clusters, layout=layout)], target, tool)
        assert told(formats.read(target).document(0)) == [[("Ann", "")]]


LETTERS = "ab.é中\U0001f60a \n\t\\_[|*->;#\u2028\x85\r"
KINDS = st.none() | st.text("ab_[]|\\*->;é:", min_size=1, max_size=4)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Documents of words, with or without a running text, or of a running text that was cut."""
    words = draw(st.lists(st.text(LETTERS.replace("\r", ""), min_size=1, max_size=4), min_size=1, max_size=8))
    words = [word for word in words if word.strip()] or ["a"]
    edges = sorted({0, len(words), *draw(st.sets(st.integers(0, len(words)), max_size=2))})
    text = Text("d", tuple(words), tuple(pairwise(edges)))
    clusters = []
    for number in range(draw(st.integers(0, 3))):
        mentions = []
        for _ in range(draw(st.integers(1, 3))):
            start = draw(st.integers(0, len(words) - 1))
            mentions.append(Mention(((start, draw(st.integers(start + 1, len(words)))),), type=draw(KINDS)))
        clusters.append(Cluster(str(number + 1), tuple(mentions)))
    document = Document(text, tuple(clusters))
    if draw(st.booleans()):
        running, characters, _ = placed(document, "")
        document = document.with_text(running=running, characters=tuple(characters))
    return document


@pytest.mark.parametrize("tool", TOOLS)
@settings(max_examples=80)
@given(data=st.data())
def test_random_documents_come_back(
    tmp_path_factory: pytest.TempPathFactory, tool: str, data: st.DataObject
) -> None:
    document = data.draw(documents())
    path = tmp_path_factory.getbasetemp() / f"random{ENDINGS[tool]}"
    assert not lost_of(document, FORMATS[tool]).keys() & set(ANNOTATION)
    formats.write([document], path, tool)
    (again,) = formats.read(path)
    meant, (running, _, clusters) = placed(document, ""), placed(again, "")
    assert "".join(running.split()) == "".join(meant.running.split())

    def spans(own: list[tuple[Mention, list[tuple[int, int]]]], text: str) -> list[tuple[int, int, str]]:
        return sorted(
            (len("".join(text[:start].split())), len("".join(text[:end].split())), mention.type or "")
            for mention, ((start, end),) in own
        )

    assert sorted(spans(own, running) for own in clusters) == sorted(
        spans(own, meant.running) for own in meant.clusters
    )
    formats.write([again], path.with_suffix(".second"), tool)
    first = path if path.is_file() else path / f"d{ENDINGS[tool]}"
    second = path.with_suffix(".second")
    second = second if second.is_file() else second / f"random{ENDINGS[tool]}"
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("tool", TOOLS)
def test_500_random_edits_give_an_error_with_a_line_or_a_reading(tmp_path: Path, tool: str) -> None:
    name, content = SPECIMENS[tool]
    data = content.encode()
    chance = random.Random(11)
    outcomes = {True: 0, False: 0}
    unlocated: list[str] = []
    for _ in range(500):
        edited = bytearray(data)
        for _ in range(chance.choice([1, 1, 1, 2, 5])):
            at = chance.randrange(len(edited))
            match chance.randrange(5):
                case 0:
                    edited[at] = chance.randrange(256)
                case 1:
                    del edited[at : at + chance.choice([1, 3, 40])]
                case 2:
                    edited[at:at] = chance.choice(
                        [b"9" * 30, b"-1", b"\t", b"\n", b"null", b'"', b"{", b"T1"]
                    )
                case 3:
                    del edited[max(at, 20) :]
                case 4:
                    edited[at : at + 1] = edited[at : at + 20]
            edited = edited or bytearray(b" ")
        path = put(tmp_path, name, bytes(edited))
        try:
            for document in formats.read(path):
                formats.write([document], tmp_path / f"out{ENDINGS[tool]}", tool)
                outcomes[True] += 1
        except FormatError as error:
            outcomes[False] += 1
            unlocated += [] if re.search(rf"{name}:\d+: ", str(error)) else [str(error)]
    assert min(outcomes.values()) > 20
    assert unlocated == []


@pytest.mark.parametrize("tool", TOOLS)
def test_what_a_format_cannot_hold_is_refused(tmp_path: Path, tool: str) -> None:
    text = Text("d", ("a", " ", "b", "pro"), ((0, 3),), zeros=(Zero(1),))
    mentions = {
        "a word that is not written": Mention.at(3, 4),
        "a mention without letters": Mention.at(1, 2),
        "a mention of several spans": Mention(((0, 1), (2, 3))),
    }
    for what, mention in mentions.items():
        document = Document(text, (Cluster("1", (mention,)),))
        if len(mention.spans) > 1 and GAPS in FORMATS[tool].holds:
            continue  # brat's gaps: see its own tests
        with pytest.raises(FormatError, match=rf"document d: cluster 1 has .*{what}.*cannot hold"):
            formats.write([document], tmp_path / f"d{ENDINGS[tool]}", tool)


@pytest.mark.parametrize("tool", TOOLS)
def test_clusters_that_span_documents_are_refused(tmp_path: Path, tool: str) -> None:
    document = cut_text("d", "Ann", [Cluster("1", (Mention.at(0, 3),))])
    with pytest.raises(FormatError, match=f"{tool} only holds clusters within a document; write .*crossdoc-"):
        formats.write([document], tmp_path / "d", tool, cross_document=True)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_corpus_comes_back_with_the_same_scores(tmp_path: Path, tool: str) -> None:
    key = formats.read(corpus("ontogum") / "dev" / "conll")
    target = tmp_path / f"dev{ENDINGS[tool]}"
    formats.write(key, target, tool)
    again = formats.read(target)
    assert sorted(again.ids) == sorted(key.ids)
    protocol = Protocol()
    assert score(key, again, protocol=protocol).to_dict()["scores"] == score(key, key).to_dict()["scores"]


def test_words_are_joined_where_their_places_are_not_known() -> None:
    words = Text("d", ("a", "b", "c"), ((0, 2), (2, 3)))
    assert placed(Document(words, ()), "").running == "a b\nc"
    swapped = replace(words, running="c b a", characters=((4, 5), (2, 3), (0, 1)))
    assert placed(Document(swapped, ()), "").running == "a b\nc"
    outside = replace(words, running="a b", characters=((0, 1), (2, 3), (4, 5)))
    assert placed(Document(outside, ()), "").running == "a b\nc"


def test_texts_that_marks_repeat() -> None:
    assert reads_as("a  b", [(0, 4)], "a b")
    assert not reads_as("a" + " " * 400, [(0, 401)], "a")  # more than anybody repeats: not even looked at
    assert not reads_as("ab", [(-1, 2)], "b")


def test_names_that_mean_identity() -> None:
    assert all(map(means_identity, ["Coref", "COREFERENCE", "co-reference", "Same_As", "Anaphora2", "Ident"]))
    assert not any(map(means_identity, ["", "Part-of", "bridging", "Reference", "non_identity"]))


def test_units_of_utf_16() -> None:
    text = "a\U0001f60a\U0001f60ab\u4e2d"
    units = CodeUnits(text)
    assert [units.before(i) for i in range(6)] == [len(text[:i].encode("utf-16-le")) // 2 for i in range(6)]
    assert [units.character(units.before(i)) for i in range(6)] == list(range(6))
    for inside in (2, 4):
        with pytest.raises(ValueError, match="middle of a character"):
            units.character(inside)
    assert units.length == 7
