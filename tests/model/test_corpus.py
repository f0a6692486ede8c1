"""A view of a corpus forgets nothing: whatever it does not change, it asks of the corpus itself."""

from __future__ import annotations

import pytest

from referee.model import Anaphora, Chains, Corpus, CorpusView, Document, DocumentCorpus, Topic, Zero

CALLS: dict[str, tuple[object, ...]] = {
    "document": (0,), "salvage": (0,), "chains": ([0],), "weight": (0,), "topic_of": (0,), "block_of": (0,),
    "of_kind": ("events",), "all_words": (0,), "zeros": (0,), "text_digest": (0,), "location": (0, 1),
    "flaws": (0,), "words": (0,), "note": (["more"],), "anaphora": ([0],), "read_as": ("ua-2021",),
}  # fmt: skip
PUBLIC = sorted(name for name in {*vars(Corpus), *Corpus.__annotations__} if not name.startswith("_"))


class _Marked(Corpus):
    """A corpus each of whose members says its own name."""

    name, ids, cut, named = "marked", ("d",), True, False
    reference_names, cross_document = True, True
    kinds, notices, empty_files, about = ("events",), ("said",), ("empty",), ("said",)
    has_deixis = True

    def document(self, number: int) -> Document:
        return Document.of(f"document {number}", (), (), ())

    def salvage(self, number: int) -> Document:
        return Document.of(f"salvage {number}", (), (), ())

    def chains(self, numbers: object) -> Chains:
        del numbers
        return Chains.of([None, None])

    def anaphora(self, numbers: object, *, bridging: bool = True) -> Anaphora:
        del numbers, bridging
        return Anaphora.of([None, None])

    def weight(self, number: int) -> int:
        return 100 + number

    def topic_of(self, number: int) -> Topic:
        return Topic("topic", str(number))

    def block_of(self, number: int) -> str:
        return f"block {number}"

    def all_words(self, number: int) -> tuple[str, ...]:
        return ("all", str(number))

    def words(self, number: int) -> tuple[str, ...]:
        return ("words", str(number))

    def zeros(self, number: int) -> tuple[Zero, ...]:
        return (Zero(number, 7),)

    def location(self, number: int, word: int | None = None) -> str:
        return f"{number}, {word}"

    def flaws(self, number: int) -> list[tuple[int, str]]:
        return [(number, "flaw")]


def test_every_public_member_is_tested_here() -> None:
    values = {name for name in PUBLIC if name not in CALLS}
    assert values == set(Corpus.__annotations__)
    assert CALLS.keys() <= set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_view_defines_every_member(name: str) -> None:
    corpus = _Marked()
    view = CorpusView(corpus)
    if name not in CALLS:
        assert getattr(view, name) == getattr(corpus, name)
        assert name in vars(view)
        return
    assert name in vars(CorpusView)
    if name in ("of_kind", "read_as"):
        assert getattr(view, name)(*CALLS[name]) is view
        return
    own, theirs = (getattr(side, name)(*CALLS[name]) for side in (view, corpus))
    if isinstance(own, Anaphora):
        own, theirs = own.chains, theirs.chains
    if isinstance(own, Chains):
        assert own.lengths.tolist() == theirs.lengths.tolist() == [-1, -1]
    else:
        assert own == theirs


def test_a_view_of_a_choice_is_a_view() -> None:
    class Choosing(DocumentCorpus):
        def of_kind(self, kind: str) -> Corpus:
            return DocumentCorpus([], kind)

    chosen = CorpusView(Choosing([])).of_kind("events")
    assert isinstance(chosen, CorpusView)
    assert chosen.name == "events"


def small(*names: str) -> DocumentCorpus:
    return DocumentCorpus([Document.of(name, ("w",), ((0, 1),), ()) for name in names], "small")


@pytest.mark.parametrize("kind", ["in memory", "a view"])
def test_corpora_index_and_slice(kind: str) -> None:
    corpus: Corpus = small("a", "b", "c")
    corpus = corpus if kind == "in memory" else CorpusView(corpus)
    assert [corpus[0].id, corpus[-1].id, corpus["b"].id] == ["a", "c", "b"]
    assert [corpus[1:].ids, corpus[::-1].ids, corpus[:0].ids] == [["b", "c"], ["c", "b", "a"], []]
    assert isinstance(corpus[1:], Corpus)
    assert [document.id for document in corpus[1:]] == ["b", "c"]
    assert corpus[1:][0] == corpus[1]
    assert ("b" in corpus, "d" in corpus, corpus[0] in corpus, corpus[0] in corpus[1:]) == (
        *(True, False),
        *(True, False),
    )


def test_what_a_corpus_does_not_have() -> None:
    with pytest.raises(IndexError, match="small has 2 documents, numbered from 0: none is 2"):
        small("a", "b")[2]
    with pytest.raises(KeyError, match=r"small has no document 'interviw'; did you mean interview\?"):
        small("a", "interview")["interviw"]


def test_a_slice_in_memory_is_a_value() -> None:
    assert small("a", "b", "c")[:2] == small("a", "b")


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"note"}))  # which is asked of no document
def test_a_slice_asks_for_the_document_that_it_means(name: str) -> None:
    """Its first document is the second of the corpus, whichever member is asked."""

    class Two(_Marked):
        ids = ("c", "d")  # type: ignore[assignment]

    whole = Two()
    kept = {"of_kind": ("events",), "read_as": ("ua-2021",)}
    moved = {"chains": ([1],), "anaphora": ([1],), "location": (1, 1), **kept}.get(name, (1,))
    found, expected = getattr(whole[1:], name)(*CALLS[name]), getattr(whole, name)(*moved)
    if name in kept:
        assert found.ids == ["d"]
    elif name == "anaphora":
        assert found.chains.start.tolist() == expected.chains.start.tolist()
    elif name == "chains":
        assert found.start.tolist() == expected.start.tolist()
    else:
        assert found == expected
