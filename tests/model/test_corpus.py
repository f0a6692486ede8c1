"""A view of a corpus forgets nothing: whatever it does not change, it asks of the corpus itself."""

from __future__ import annotations

import pytest

from referee.model import Chains, Corpus, CorpusView, Document, DocumentCorpus, Topic, Zero

CALLS: dict[str, tuple[object, ...]] = {
    "document": (0,), "salvage": (0,), "chains": ([0],), "weight": (0,), "topic_of": (0,), "block_of": (0,),
    "only": ("events",), "all_words": (0,), "zeros": (0,), "text_digest": (0,), "location": (0, 1),
    "flaws": (0,),
}  # fmt: skip
PUBLIC = sorted(name for name in {*vars(Corpus), *Corpus.__annotations__} if not name.startswith("_"))


class _Marked(Corpus):
    """A corpus each of whose members says its own name."""

    name, ids, cut, named = "marked", ("d",), True, False
    reference_names, cross_document = True, True
    kinds, notices, empty_files = ("events",), ("said",), ("empty",)

    def document(self, number: int) -> Document:
        return Document.of(f"document {number}", (), (), ())

    def salvage(self, number: int) -> Document:
        return Document.of(f"salvage {number}", (), (), ())

    def chains(self, numbers: object) -> Chains:
        del numbers
        return Chains.of([None, None])

    def weight(self, number: int) -> int:
        return 100 + number

    def topic_of(self, number: int) -> Topic:
        return Topic("topic", str(number))

    def block_of(self, number: int) -> str:
        return f"block {number}"

    def all_words(self, number: int) -> tuple[str, ...]:
        return ("all", str(number))

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
    if name == "only":
        assert view.only("events") is view
        return
    own, theirs = (getattr(side, name)(*CALLS[name]) for side in (view, corpus))
    if isinstance(own, Chains):
        assert own.lengths.tolist() == theirs.lengths.tolist() == [-1, -1]
    else:
        assert own == theirs


def test_a_view_of_a_choice_is_a_view() -> None:
    class Choosing(DocumentCorpus):
        def only(self, kind: str) -> Corpus:
            return DocumentCorpus([], kind)

    chosen = CorpusView(Choosing([])).only("events")
    assert isinstance(chosen, CorpusView)
    assert chosen.name == "events"
