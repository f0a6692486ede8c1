"""Brings layers to documents that lack them: from CoNLL-U files beside the corpus, or from spaCy.

Layers that come in: `pos`, `head` and, from spaCy, `lemma` and `entity`; `model.layers` has their
conventions. A layer that a document has already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.display import number_of
from referee.encoding import SURROGATE
from referee.exceptions import FormatError
from referee.formats.io.opening import read_text
from referee.language.languages import ENGLISH
from referee.language.pipelines import load_pipeline
from referee.language.recognition import other_than_english
from referee.model import Corpus, CorpusView, Document, Span
from referee.model.layers import ENTITY, HEAD, LEMMA, POS, ROOT, heads_from_sentences

if TYPE_CHECKING:
    from spacy.tokens import Doc

NEW_DOCUMENT = re.compile(r"^# newdoc id\s*=(.*)$", re.MULTILINE)
CELL = r"([^\t\n]*)\t"
ROW = re.compile(rf"^(\d+)\t{CELL}[^\t\n]*\t{CELL}{CELL}[^\t\n]*\t(\d+)\t", re.MULTILINE)
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
EMPTY_WORD = "_"  # what spaCy is given for a word that a file leaves empty

Fill = Callable[[Document], Document]
Take = Callable[[Document, str, str], Document]  # a document, its lines, and their file


class LayeredCorpus(CorpusView):
    """Another corpus whose documents get more layers when they are read; its mentions are the same."""

    def __init__(self, corpus: Corpus, fill: Fill) -> None:
        """Fill each document that is asked for."""
        super().__init__(corpus)
        self._fill = fill

    def document(self, number: int) -> Document:
        """Read a document and fill in its layers."""
        document = self.corpus.document(number)
        return document if document.text.cut else self._fill(document)

    def over(self, corpus: Corpus) -> Corpus:
        """Fill the documents of another corpus."""
        return LayeredCorpus(corpus, self._fill)


class ConlluLayers:
    """Fills documents from a CoNLL-U file or folder, found by document name or file name."""

    def __init__(self, path: str, take: Take | None = None) -> None:
        """Find the files; they are read when a document asks for them. `take` says which layers are taken."""
        files = sorted(Path(path).rglob("*.conllu")) if Path(path).is_dir() else [Path(path)]
        if not files:
            raise FormatError(f"{path}: the folder has no file that ends in .conllu")
        self._path = path
        self._take = take or _with_layers
        self._files = {file.stem: file for file in files}
        self._texts: dict[str, str] = {}  # document → its lines, where a file holds several

    def __call__(self, document: Document) -> Document:
        """Fill a document."""
        file = self._files.get(document.id)
        if file:  # most corpora have a file for each document: nothing else is read
            return self._take(document, read_text(file), str(file))
        if not self._texts:
            for path in self._files.values():
                self._texts.update(_documents(path))
        if document.id not in self._texts:
            raise FormatError(
                f"{self._path}: no document '{document.id}' among the CoNLL-U files, neither by a line "
                f"'# newdoc id = {document.id}' nor by a file's name"
            )
        return self._take(document, self._texts[document.id], self._path)


def _documents(file: Path) -> dict[str, str]:
    """Cut a file into documents at its `# newdoc id` lines."""
    text = read_text(file)
    begins = list(NEW_DOCUMENT.finditer(text))
    edges = pairwise([*(match.start() for match in begins), len(text)])
    return {match[1].strip(): text[start:end] for match, (start, end) in zip(begins, edges, strict=False)}


def _with_layers(document: Document, text: str, path: str) -> Document:
    """Take the layers out of CoNLL-U; lines of contractions and empty nodes are not tokens."""
    rows = ROW.findall(text)
    if not rows:
        raise FormatError(f"{path}: no line of document '{document.id}' looks like CoNLL-U")
    numbers, words, universal, tags, governors = zip(*rows, strict=True)
    compare_words(document, words, path)
    starts = [token for token, number in enumerate(numbers) if number == "1"]
    sentences = list(pairwise([*starts, len(numbers)]))
    layers = {
        POS: tags if set(tags) - {"_"} else universal,
        HEAD: tuple(heads_from_sentences(governors, sentences, path)),
    }
    return filled_document(document, layers, sentences)


def filled_document(
    document: Document, layers: Mapping[str, tuple[str, ...]], sentences: Sequence[Span]
) -> Document:
    """Add layers that are not there yet, and sentences if the document is all in one."""
    unwritten = [ROOT] * len(document.text.zeros)
    whole = {name: (*layer, *unwritten) for name, layer in layers.items()}
    given = document.sentences if len(document.sentences) > 1 else tuple(sentences)
    return document.with_text(layers={**whole, **document.layers}, sentences=given)


def compare_words(document: Document, words: Sequence[str], path: str) -> None:
    """See that both have the same words."""
    written = document.words[: document.text.length]
    if written == tuple(words):
        return
    if len(words) != len(written):
        raise FormatError(
            f"{path}: document '{document.id}' has {number_of(len(words), 'word')}, but the key has "
            f"{len(written)}"
        )
    for number, (word, token) in enumerate(zip(words, written, strict=True)):
        if token and token not in (word, BRACKETS.get(word), "_".join(word.split())):
            raise FormatError(
                f"{path}: document '{document.id}' has '{word}' where the key has '{token}' (token {number})"
            )


class SpacyLayers:
    """Fills documents with spaCy's tags, lemmas, dependencies and entities."""

    def __init__(self, model: str | None = None) -> None:
        """Load a model, the best that is installed unless one is named."""
        self._model = model
        self._nlp = load_pipeline(model)

    def __call__(self, document: Document) -> Document:
        """Parse a document's words, in its sentences if it has any."""
        from spacy.tokens import Doc

        written = document.words[: document.text.length]
        if not written:
            return document
        if self._nlp.lang == ENGLISH and (other := other_than_english(document.text)):
            raise FormatError(
                f"{document.id}: this looks like {other}, and the pipeline {self._nlp.meta['name']} is for "
                f"English; name one for {other} by nlp=, or give layers="
            )
        starts = {start for start, _ in document.sentences} if len(document.sentences) > 1 else None
        given: list[bool | int | None] | None
        given = None if starts is None else [word in starts for word in range(len(written))]
        words = [readable(word) or EMPTY_WORD for word in written]
        parsed = self._nlp(Doc(self._nlp.vocab, words=words, sent_starts=given))
        return filled_document(
            document, spacy_layers(parsed), [(sentence.start, sentence.end) for sentence in parsed.sents]
        )

    def __getstate__(self) -> str | None:
        """Send only the model's name to another process."""
        return self._model

    def __setstate__(self, model: str | None) -> None:
        """Load the model again there."""
        self._model, self._nlp = model, load_pipeline(model)


def readable(words: str) -> str:
    r"""Write what is not Unicode as the sign for it, a character for a character.

    >>> readable("d\udcf6g")
    'd�g'
    """
    return SURROGATE.sub("\ufffd", words)


def spacy_layers(parsed: Doc) -> dict[str, tuple[str, ...]]:
    """Write what spaCy found in a text as layers."""
    return {
        POS: tuple(token.tag_ for token in parsed),
        LEMMA: tuple(token.lemma_ for token in parsed),
        HEAD: tuple(ROOT if token.head == token else str(token.head.i) for token in parsed),
        ENTITY: tuple(_entity_cell(token) for token in parsed),
    }


def _entity_cell(token: Any) -> str:
    """Write a token's entity as CoNLL-2012 does."""
    last = token.i + 1 == len(token.doc) or token.nbor().ent_iob_ != "I"
    if token.ent_iob_ == "B":
        return f"({token.ent_type_})" if last else f"({token.ent_type_}*"
    return "*)" if token.ent_iob_ == "I" and last else "*"


def layered(corpus: Corpus, layers: str | None = None, nlp: str | None = None) -> Corpus:
    """Fill in a corpus's layers from CoNLL-U files (`layers`), or with spaCy.

    `nlp` is a pipeline's name, or "spacy" for the best that is installed.
    """
    if layers:
        corpus = LayeredCorpus(corpus, ConlluLayers(layers))
    if nlp:
        corpus = LayeredCorpus(corpus, SpacyLayers(nlp))
    return corpus
