"""The head word of a mention, from whatever layers its document has. In this order:

* `head`, a dependency tree: the first word that hangs on nothing inside the mention;
* `parse`, a constituency tree: Collins' head, as `referee.language.minimum_spans` finds it;
* `pos` alone: the last noun before whatever follows the noun, and the output says that this was done.

All need the layer `pos`. The 's of a possessive gives way to its noun.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.formats.saving import encoded
from referee.language.minimum_spans import head_tokens
from referee.language.phrase_trees import Trees
from referee.language.treebank import read_parse_bits
from referee.model import Document, Mention
from referee.model.tag_heads import PUNCTUATION, last_noun

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
