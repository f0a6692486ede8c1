"""ECB+: its XML, the curated sentences, and the statistics that the papers print."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import corpus as corpus_folder
from referee import FormatError, Mention, Protocol, formats, score
from referee.crossdoc.corpus_statistics import corpus_statistics
from referee.formats.corpora import ecbplus
from referee.formats.corpora.ecbplus import EcbPlusCorpus, part_of
from small_corpora import cat_xml, write_ecbplus

URL, QUAKE, AFTER = "http : //x", "A quake killed six people", "It did not strike Aceh"
FIRST = cat_xml(
    [URL, QUAKE, AFTER],
    [
        ("ACTION_OCCURRENCE", [5]),  # quake
        ("ACTION_OCCURRENCE", [6]),  # killed
        ("HUMAN_PART_PER", [7, 8]),  # six people
        ("NEG_ACTION_OCCURRENCE", [10, 12]),  # did … strike
        ("LOC_GEO", [13]),  # Aceh
        ("NON_HUMAN_PART", [1]),  # in a sentence that is not curated
    ],
    [("CROSS_DOC_COREF", [1, 4], "ACT1"), ("INTRA_DOC_COREF", [2, 3], "")],
)
SECOND = cat_xml(["The tremor hit"], [("ACTION_OCCURRENCE", [2])], [("CROSS_DOC_COREF", [1], "ACT1")])
CURATED = [("1_1ecb", 1), ("1_1ecb", 2), ("1_2ecbplus", 0)]


@pytest.fixture
def small(tmp_path: Path) -> EcbPlusCorpus:
    folder = write_ecbplus(
        tmp_path, {"1_1ecb": FIRST, "1_2ecbplus": SECOND, "1_3ecb": SECOND}, CURATED
    )  # fmt: skip
    read = formats.read(folder)
    assert isinstance(read, EcbPlusCorpus)
    return read


def mentions(corpus: EcbPlusCorpus, number: int) -> dict[str, list[Mention]]:
    return {cluster.id: list(cluster.mentions) for cluster in corpus.document(number).clusters}


def test_documents_are_the_curated_sentences_in_their_topics(small: EcbPlusCorpus) -> None:
    assert small.ids == ["1_1ecb.xml", "1_2ecbplus.xml"]
    assert small.document(0).words == tuple(f"{QUAKE} {AFTER}".split())
    assert small.document(0).sentences == ((0, 5), (5, 10))
    assert [small.topic_of(number) for number in (0, 1)] == [("1", "ecb"), ("1", "ecbplus")]
    assert small.all_words(0)[:2] == ("http", ":")  # the text as a whole is there for those who want it


def test_instances_hold_across_documents_and_mentions_without_one_are_singletons(
    small: EcbPlusCorpus,
) -> None:
    events = small.of_kind("events")
    first, second = mentions(events, 0), mentions(events, 1)
    (shared,) = first.keys() & second.keys()
    assert first[shared] == [Mention.at(1, 2), Mention(((6, 7), (8, 9)))]  # quake, did … strike
    assert second[shared] == [Mention.at(1, 2)]
    assert sorted(map(len, first.values())) == [1, 2]


def test_events_and_entities_never_share_a_cluster(small: EcbPlusCorpus) -> None:
    entities = mentions(small.of_kind("entities"), 0)  # relation 2 ties an event and an entity
    assert sorted(entities.values()) == [[Mention.at(3, 5)], [Mention.at(9, 10)]]
    assert len(mentions(small, 0)) == len(mentions(small.of_kind("events"), 0)) + len(entities)


def test_what_is_left_out_is_counted_with_the_files_name(small: EcbPlusCorpus) -> None:
    said = "\n".join(small.notices)
    assert "1_3ecb.xml:1: a file without a curated sentence is left out" in said
    assert "1_1ecb.xml:13: mentions outside the curated sentences are left out" in said


def test_without_a_list_all_sentences_are_read(tmp_path: Path) -> None:
    path = tmp_path / "1_1ecb.xml"
    path.write_text(FIRST, encoding="utf-8")
    read = formats.read(path)
    assert len(read.document(0).sentences) == 3
    assert "all sentences are read" in read.notices[0]


def test_a_curated_sentence_that_is_not_there_is_told(tmp_path: Path) -> None:
    folder = write_ecbplus(tmp_path, {"1_2ecbplus": SECOND}, [("1_2ecbplus", 0), ("1_2ecbplus", 7)])
    assert "1_2ecbplus.xml:1: the file does not have the curated sentence 7" in "\n".join(
        formats.read(folder).notices
    )


BILLION_LAUGHS = '<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + SECOND


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (SECOND[:-5], "2ecbplus.xml:3: not well-formed XML"),
        (
            SECOND.replace('anchor t_id="2"', 'anchor t_id="99"'),
            "mention 1 points to token 99, which does not",
        ),
        (
            SECOND.replace('source m_id="1"', 'source m_id="55"'),
            "relation 1 has the source 55, which does not",
        ),
        (SECOND.replace('target m_id="101"', 'target m_id="7"'), r"relation 1 needs one target that exists"),
        (SECOND.replace('t_id="3"', 't_id="2"'), "two tokens have the t_id 2"),
        (SECOND.replace(' sentence="0"', "", 1), "a token needs t_id and a sentence number"),
        (BILLION_LAUGHS, "declares a document type"),
        (BILLION_LAUGHS.encode("utf-16").decode("latin-1"), "the text is UTF-16"),
        ("<Document></Document>", "has no token"),
        ('<?xml version="1.0"?><Documents/>', "expected <Document>"),
    ],
)
def test_broken_files_are_refused_by_name(tmp_path: Path, xml: str, message: str) -> None:
    folder = write_ecbplus(tmp_path, {"1_2ecbplus": xml}, CURATED)
    if not xml.isascii():
        (folder / "1" / "1_2ecbplus.xml").write_bytes(BILLION_LAUGHS.encode("utf-16"))
    with pytest.raises(FormatError, match=message) as raised:
        formats.read(folder)
    assert "1_2ecbplus.xml" in str(raised.value)


def test_files_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ecbplus, "LARGEST", 100)
    with pytest.raises(FormatError, match=r"2ecbplus\.xml: more than"):
        formats.read(write_ecbplus(tmp_path, {"1_2ecbplus": SECOND}, CURATED))


def test_a_list_without_sentences_is_refused(tmp_path: Path) -> None:
    folder = write_ecbplus(tmp_path, {"1_2ecbplus": SECOND}, [])
    with pytest.raises(FormatError, match="lists no sentence"):
        formats.read(folder)


def test_the_split_is_by_topic() -> None:
    assert [part_of(topic) for topic in ("1", "35", "36", "45", "46", "x", None)] == [
        "train", "dev", "test", "test", None, None, None,
    ]  # fmt: skip
    assert sum(map(len, ecbplus.PARTS.values())) == 45


# Table 7 of Cattan et al. (2021), but for train's documents: it prints 594, where 574 have curated sentences.
TABLE_7 = {
    ("train", "events"): (25, 574, 1037, 3808, 1116, 411),
    ("train", "entities"): (25, 574, 1037, 4758, 814, 472),
    ("dev", "events"): (8, 196, 346, 1245, 280, 129),
    ("dev", "entities"): (8, 196, 346, 1476, 205, 125),
}


@pytest.mark.parametrize("part", ["train", "dev"])
def test_statistics_equal_table_7(part: str) -> None:
    read = formats.read(corpus_folder(f"ecbplus/{part}"))
    for kind in ("events", "entities"):
        s = corpus_statistics(read, part, kind)
        found = (s.topics, s.documents, s.sentences, s.mentions, s.singletons, s.clusters)
        assert found == TABLE_7[part, kind]


def test_a_perfect_response_is_perfect_at_every_scope() -> None:
    key = formats.read(corpus_folder("ecbplus/dev"))
    for scope in ("document", "subtopic", "topic", "corpus"):
        result = score(key, key, protocol=Protocol(scope=scope, kind="entities"))
        assert {score.f1 for score in result.scores.values()} == {1.0}
