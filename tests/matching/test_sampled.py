"""The documents that the pre-flight looks at, and what its repairs make of their names and words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.matching.preflight import Finding, _has_before
from referee.matching.repairs import repaired
from referee.matching.sampled import Sample, Side
from referee.model import Cluster, Document, DocumentCorpus, Mention

PLAIN = [f"w{number % 97}" for number in range(60)]


def made(
    *names: str, words: Sequence[str] = PLAIN, mentions: Sequence[tuple[int, int]] = ()
) -> DocumentCorpus:
    clusters = [Cluster("1", tuple(Mention.at(*each) for each in mentions))] if mentions else []
    return DocumentCorpus([Document.of(name, words, [(0, len(words))], clusters) for name in names], "made")


@pytest.mark.parametrize(("sizes", "chosen", "whole"), [
    ([3000] * 4, 4, True), ([3000] * 5, 4, False), ([2999] * 5, 5, True), ([1] * 1000, 1000, True),
    ([1] * 1001, 1000, False), ([4000, 0, 4000], 3, True), ([12_000, 1], 1, False), ([], 0, True),
])  # fmt: skip
def test_as_many_documents_are_read_as_have_words_enough(sizes: list[int], chosen: int, whole: bool) -> None:
    documents = [made(f"d{number}", words=["w"] * size).document(0) for number, size in enumerate(sizes)]
    corpus = DocumentCorpus(documents, "made")
    sample = Sample.of(corpus, corpus, [(number, number) for number in range(len(sizes))])
    assert (len(sample.ids), sample.whole) == (chosen, whole)
    assert len({*sample.ids}) == chosen
    if chosen == 1000:
        assert {"d0", "d999" if whole else "d1000"} <= {*sample.ids}
    missing = Sample.of(corpus, corpus, [(number, number or None) for number in range(len(sizes))])
    assert "d0" not in missing.ids
    assert missing.whole == (not sizes)


def test_what_ends_the_document_before_is_not_before_a_mention() -> None:
    two = made("d", "e", mentions=[(0, 1), (4, 5)])
    side = Side.of(two.chains([0, 1]), [PLAIN, PLAIN])
    assert _has_before(side).tolist() == [False, True, False, True]


def test_names_and_words_that_are_repaired_are_the_keys() -> None:
    def named(*names: str, words: Sequence[str] = PLAIN) -> DocumentCorpus:
        corpus = made(*names, words=words, mentions=[(0, 2), (7, 9)])
        corpus.cross_document, corpus.notices, corpus.usual_protocol = True, ["read so"], "crac"
        return corpus

    upper, other = [word.upper() for word in PLAIN], ["x", *PLAIN[1:]]
    key = named("a", "b", "c")
    names, case = (Finding(rule, "", "", repair=rule) for rule in ("names", "case"))
    for response, found, ids, words in (
        (named("out/C.conll", "x", "out/a.txt"), [names], ["c", "x", "a"], PLAIN),
        (named("out/C.conll", "x", "out/a.txt", words=upper), [names, case], ["c", "x", "a"], PLAIN),
        (named("c", "a", words=upper), [case], ["c", "a"], PLAIN),
        (named("c", "a", words=other), [case], ["c", "a"], other),
        (named("c", "A", words=upper), [names], ["c", "a"], upper),
    ):
        mended = repaired(key, response, found)
        assert mended.ids == ids
        unknown = {"x": upper if case in found else PLAIN}
        assert [[*mended.words(n)] for n, _ in enumerate(ids)] == [unknown.get(id_, words) for id_ in ids]
        assert (mended.cross_document, mended.notices, mended.usual_protocol) == (True, ["read so"], "crac")
        assert [d.clusters for d in mended] == [d.clusters for d in response]
    assert repaired(key, key, []) is key
