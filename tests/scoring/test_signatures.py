"""A signature tells the trees and groups that a score was made with; and no score is 0 in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, Mention, Protocol, ProtocolError, Result, score
from referee.matching import aligned
from small_corpora import DOCUMENTS, corpus

SAMPLE = Path(referee.__file__).parent / "sample"
FLAT = "(S (NP (DT the) (NN end)) (PP (IN of) (NP (NN it))))"
DEEP = "(S (NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN it)))))"


def document(*mentions: tuple[int, int], id_: str = "d") -> Document:
    clusters = [Cluster("0", tuple(Mention.at(*mention) for mention in mentions))] * bool(mentions)
    return Document.of(id_, ("the", "end", "of", "it"), [(0, 4)], clusters)


def scored(folder: Path, tree: str, response: Document | None = None) -> Result:
    (folder / "trees.ptb").write_text(tree, encoding="utf-8")
    key = DocumentCorpus([document((0, 4), (3, 4))])
    answer = DocumentCorpus([response or document((0, 2), (3, 4))])
    return score(key, answer, protocol=Protocol(match="mina"), parses=folder / "trees.ptb")


def test_other_trees_have_another_signature_and_are_not_compared(tmp_path: Path) -> None:
    flat, deep = scored(tmp_path, FLAT), scored(tmp_path, DEEP)
    assert flat.signature != deep.signature
    assert f"|trees:{flat.trees}|" in flat.signature
    with pytest.raises(ProtocolError, match="trees"):
        referee.compare(flat, deep)


def test_the_same_trees_have_one_signature_whatever_the_response_and_the_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = scored(tmp_path, DEEP)
    other = scored(tmp_path, DEEP.replace(" ", "  "), document((0, 4), (1, 2)))
    assert one.signature == other.signature
    whole = referee.score(SAMPLE / "key.conll", SAMPLE / "alpha.conll", protocol=Protocol(match="mina"))
    monkeypatch.setattr(aligned, "BATCH", 1)
    cut = referee.score(SAMPLE / "key.conll", SAMPLE / "beta.conll", protocol=Protocol(match="mina"))
    assert whole.signature == cut.signature
    assert whole.trees


def test_trees_that_nobody_reads_are_not_named() -> None:
    assert not referee.score(SAMPLE / "key.conll", SAMPLE / "alpha.conll").trees


def test_other_groups_have_another_signature() -> None:
    key = corpus({"a": [("1_ecb_1", 0), ("2_ecb_4", 0)]}, DOCUMENTS)
    signatures = set()
    for groups in (dict.fromkeys(DOCUMENTS, "all"), {id_: id_[0] for id_ in DOCUMENTS}):
        for order in (groups, dict(reversed(groups.items()))):
            signatures.add(score(key, key, scope=order).signature)
    assert len(signatures) == 2
    assert "groups:" not in score(key, key, protocol=Protocol(scope="topic")).signature


@pytest.mark.parametrize(
    ("key", "response", "said"),
    [
        (document(), document((0, 2)), "THE KEY HAS NO MENTION"),
        (document((0, 2)), document(), "THE RESPONSE HAS NO MENTION"),
        (document((0, 2)), document((1, 2)), "NO MENTION IN COMMON"),
    ],
)
@pytest.mark.parametrize("protocol", [Protocol(), Protocol(singletons="drop")])
def test_a_zero_is_said_loudly(key: Document, response: Document, said: str, protocol: Protocol) -> None:
    others = [document((0, 1), id_="e")] if "COMMON" in said and protocol == Protocol() else []
    result = score(DocumentCorpus([key, *others]), DocumentCorpus([response]), protocol=protocol)
    assert any("NO MENTION" in notice for notice in result.notices)
    if protocol == Protocol():
        assert any(said in notice for notice in result.notices)
    assert any("NO MENTION" in notice for notice in result.to_dict()["notices"])


def test_what_has_something_in_common_is_not_warned_about() -> None:
    key = DocumentCorpus([document((0, 2)), document(id_="e")])
    response = DocumentCorpus([document((0, 2)), document((1, 2), id_="e")])
    assert not score(key, response).notices
