"""The head of a mention, from whatever layers its document has, as a word or as that word's lemma.

`head_words` serves mention types and error analysis. It asks, in this order:

* `head`, a dependency tree: the first word, not a punctuation mark, whose governor is outside of the mention;
* `parse`, a constituency tree: Collins' head, as `referee.language.minimum_spans` finds it;
* `pos` alone: the last noun before whatever follows the noun, and the output says that this was done.

All need the layer `pos`. The 's of a possessive gives way to its noun.

`head_lemma` serves the lemma baselines, on corpora that need not have tags: the first word whose governor is
outside, by the layers `lemma` and `head`. With lemmas but no governors a mention's last word is taken; a
document without lemmas is parsed with spaCy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from referee.encoding import encoded
from referee.language.added_layers import EMPTY_WORD, readable
from referee.language.minimum_spans import head_tokens
from referee.language.pipelines import load_pipeline
from referee.language.tag_sets import common_tags
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_parse_bits
from referee.model import NO_WORD, Document, Mention
from referee.model.layers import HEAD, LEMMA, PARSE, POS, PUNCTUATION, governors_of, last_noun, top_words

if TYPE_CHECKING:
    from spacy.language import Language

DEPENDENCIES, TREES, TAGS, NOTHING = "dependencies", "trees", "tags", "nothing"
EMPTY = ("-", "_", "")

LemmasAndGovernors = tuple[Sequence[str], Sequence[int]]


def head_source(document: Document) -> str:
    """Name what heads are found by."""
    layers = document.layers
    if POS not in layers:
        return NOTHING
    return DEPENDENCIES if HEAD in layers else TREES if PARSE in layers else TAGS


def head_words(document: Document, mentions: Sequence[Mention]) -> list[int | None]:
    """Find the heads of mentions; None without tags, or where a mention runs beyond the document."""
    source = head_source(document)
    if source == NOTHING:
        return [None] * len(mentions)
    tags, length = common_tags(document.layers[POS]), document.text.length
    governors = governors_of(document.id, document.layers.get(HEAD, ())[:length])
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


def _top_word(tokens: Sequence[int], governors: Sequence[int], tags: Sequence[str]) -> int:
    """Take the first word, not a punctuation mark, whose governor is outside; of a circle, the last word."""
    tops = top_words(tokens, governors)
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
    columns = [document.words, common_tags(document.layers[POS]), document.layers[PARSE]]
    cells = [encoded(cell) for column in columns for cell in column]
    edges = np.cumsum([0, *(len(cell) + 1 for cell in cells)])
    begin, end = edges[:-1].reshape(3, -1), edges[1:].reshape(3, -1) - 1
    sentences = np.array([*(start for start, _ in document.sentences), len(document.words)], np.int64)
    return read_parse_bits(
        b"\n".join(cells), words=(begin[0], end[0]), tags=(begin[1], end[1]), bits=(begin[2], end[2]),
        sentences=sentences, documents=np.array([0, len(document.words)]), skip_bad=True,
    )  # fmt: skip


def head_lemma(mention: Mention, lemmas: Sequence[str], governors: Sequence[int]) -> str:
    """Take the lemma of the first word whose governor is outside of the mention, gaps included."""
    tops = top_words(range(mention.start, mention.end), governors)
    return lemmas[tops[0] if tops else mention.end - 1].lower()


def lemmas_and_governors(documents: Iterable[Document]) -> Iterator[LemmasAndGovernors]:
    """Find the lemma and the governor of each word of documents; spaCy is loaded when the first needs it."""
    model: Language | None = None
    for document in documents:
        if LEMMA in document.layers:
            yield _lemmas(document), _governors(document)
        else:
            model = model or load_pipeline()
            yield _parse(document, model)


def _lemmas(document: Document) -> list[str]:
    """Take the column's lemmas; OntoNotes gives them to verbs only, so the others are their words."""
    lemmas = zip(document.layers[LEMMA], document.words, strict=True)
    return [word if lemma in EMPTY else lemma for lemma, word in lemmas]


def _governors(document: Document) -> Sequence[int]:
    """Read the governors of a document; without any, each word hangs on the next: the last has the head."""
    length = document.text.length
    if HEAD not in document.layers:
        return range(1, length + 1)
    return governors_of(document.id, document.layers[HEAD][:length])


def _parse(document: Document, model: Language) -> LemmasAndGovernors:
    """Parse sentence by sentence, with the document's words."""
    from spacy.tokens import Doc

    words = [readable(word) or EMPTY_WORD for word in document.words]
    sentences = (Doc(model.vocab, words=words[start:end]) for start, end in document.sentences)
    lemmas: list[str] = []
    governors: list[int] = []
    for parsed in model.pipe(sentences, disable=["ner"]):
        first = len(lemmas)
        lemmas += [token.lemma_ for token in parsed]
        governors += [NO_WORD if token.head == token else first + token.head.i for token in parsed]
    return lemmas, governors
