"""Pairing documents, batches, jobs, and the notices that go with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, Protocol, ProtocolError, score
from referee.matching import aligned
from referee.matching.pairing import pair_documents
from referee.scoring.evaluate import evaluate
from referee.scoring.task import Task

SAMPLE = Path(referee.__file__).parent / "sample"


def document(id_: str, *mentions: tuple[int, int], length: int = 9) -> Document:
    clusters = (Cluster("1", tuple(Mention.at(*m) for m in mentions)),) if mentions else ()
    return Document.of(id_, ("w",) * length, ((0, length),), clusters)


def corpus(*documents: Document) -> DocumentCorpus:
    return DocumentCorpus(documents)


def test_documents_pair_by_name_whatever_their_order() -> None:
    key = corpus(document("a", (0, 1), (2, 3)), document("b", (4, 5), (6, 7)))
    response = corpus(document("b", (4, 5), (6, 7)), document("a", (0, 1), (2, 3)))
    assert score(key, response).conll == 1


def test_names_of_conll_and_of_e2e_systems_mean_the_same() -> None:
    key, response = corpus(document("(nw/x); part 003")), corpus(document("nw/x_3"))
    assert pair_documents(key, response, strict=True) == ([(0, 0)], [])


def test_documents_without_names_pair_by_order() -> None:
    key, response = corpus(document("gold"), document("gold#2")), corpus(document("sys"), document("sys#2"))
    key.named = response.named = False
    assert pair_documents(key, response, strict=True)[0] == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (corpus(document("a")), "1 of the key's 2 documents missing, scored as empty: b"),
        (
            corpus(document("a"), document("b"), document("c")),
            "1 document that the key does not have, ignored: c",
        ),
        (corpus(document("a"), document("a"), document("b")), "a occurs more than once; the last one counts"),
    ],
)
def test_documents_that_do_not_pair(response: DocumentCorpus, message: str) -> None:
    key = corpus(document("a"), document("b"))
    assert message in pair_documents(key, response, strict=False)[1][0]
    with pytest.raises(FormatError, match=message.split(":")[0].split(";")[0]):
        score(key, response, protocol=Protocol(input="strict"))


def test_names_that_all_differ_are_refused() -> None:
    with pytest.raises(FormatError, match="the key has 'a', the response 'b'; give them the same names"):
        score(corpus(document("a"), document("c")), corpus(document("b"), document("d")))


def test_the_only_documents_of_both_belong_together_whatever_their_names() -> None:
    result = score(corpus(document("a", (0, 1), (2, 3))), corpus(document("b", (0, 1), (2, 3))))
    assert result.conll == 1
    assert any("taken for document a, the only one of the key" in notice for notice in result.notices)
    with pytest.raises(FormatError, match="give them the same names"):
        score(corpus(document("a")), corpus(document("b")), protocol="strict")


def test_names_that_all_differ_score_nothing_where_the_reference_scorer_does(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = f"#begin document {name}\nhe\t(1)\nhim\t(1)\n#end document\n"
        (tmp_path / f"{name}.conll").write_text(text, encoding="utf-8")
    result = referee.score(tmp_path / "a.conll", tmp_path / "b.conll")
    assert result.mentions.counts["recall_denominator"] == 2
    assert "NO DOCUMENT IS SCORED" in result.notices[1]


def test_unequal_lengths_are_told_or_refused() -> None:
    key, response = corpus(document("a", length=9)), corpus(document("a", length=8))
    assert "9 words in the key, 8 in the response" in score(key, response).notices[0]
    with pytest.raises(FormatError, match="9 words in the key"):
        score(key, response, protocol=Protocol(input="strict"))


def test_repeats_are_told_or_refused() -> None:
    key, response = corpus(document("a", (0, 1), (2, 3))), corpus(document("a", (0, 1), (0, 1)))
    assert "1 repeated mention;" in score(key, response).notices[0]
    with pytest.raises(FormatError, match="protocol='strict' refuses"):
        score(key, response, protocol=Protocol(input="strict"))


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conll"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(FormatError, match="the key has no documents"):
        referee.score(empty, SAMPLE / "key.conll")
    result = referee.score(SAMPLE / "key.conll", empty)
    assert (result.conll, result.mentions.recall) == (0, 0)
    assert any("2 of the key's 2 documents missing" in notice for notice in result.notices)


def test_unknown_metrics_are_refused() -> None:
    with pytest.raises(ProtocolError, match="no metric 'rouge'; choose from mentions, muc"):
        score(corpus(document("a")), corpus(document("a")), metric=["rouge"])


def test_offsets_beyond_any_text_do_not_overflow() -> None:
    far = 2**40
    key = corpus(document("a", (far, far + 1), (far + 2, far + 3)), document("b", (0, 1), (2, 3)))
    assert score(key, key).conll == 1


def test_batches_and_jobs_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "BATCH", 1)
    for response in ("alpha", "beta"):
        paths = SAMPLE / "key.conll", SAMPLE / f"{response}.conll"
        one, two = (referee.score(*paths, jobs=jobs).to_dict() for jobs in (1, 2))
        assert one == two


def test_progress_counts_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "BATCH", 1)
    steps: list[int] = []
    key = corpus(document("a"), document("b"), document("c"))
    evaluate(Task.of(key, key), progress=steps.append)
    assert steps == [1, 1, 1]


def test_singletons_are_dropped_from_key_and_response_alike() -> None:
    found = referee.score([["a", "b"], ["c"]], [["a", "b"], ["d"]], protocol=Protocol(singletons="drop"))
    assert found.conll == found.mentions.f1 == 1
    repeated = referee.score([["a", "a"], ["b", "c"]], [["b", "c"]], protocol=Protocol(singletons="drop"))
    assert repeated.mentions.f1 == 1
