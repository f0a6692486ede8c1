"""Gives a running text the tokens of its parse trees: both have the same characters, white space apart."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from referee.exceptions import FormatError, ProtocolError
from referee.language.parse_files import ParseFiles, TreeText, tree_files
from referee.language.phrase_trees import Trees
from referee.language.treebank import read_penn
from referee.model import Corpus, Document, DocumentCorpus, Mention, Span, Text, word_edges

CONTEXT = 30  # characters that an error quotes


def in_tree_tokens(key: Corpus, parses: str | None) -> DocumentCorpus:
    """Recount a corpus of running texts in the tokens of its trees."""
    if parses is None:
        raise ProtocolError(
            f"{key.name}: running text has no parse trees; give parses=FILE|DIR (Penn brackets)"
        )
    if len(key) > 1:
        _refuse_one_file(parses, key)
    texts = ParseFiles(parses, key).texts(range(len(key)))
    documents = [_recounted(document, text) for document, text in zip(key, texts, strict=True)]
    return DocumentCorpus(documents, key.name)


def _refuse_one_file(parses: str, key: Corpus) -> None:
    """One file for several running texts cannot be cut by counting tokens that only the trees have."""
    files = tree_files(parses)
    if len(files) == 1:
        raise FormatError(
            f"{files[0]}: one file of trees for {len(key)} running texts; give a folder with one for each"
        )


def _recounted(document: Document, text: TreeText) -> Document:
    trees = read_penn([text.data], skip_bad=True)
    words = [trees.words[token] for token in range(trees.holder.size)]
    _check("".join("".join(document.words).split()), words, trees, text, document.id)
    own, before = word_edges(document.text).tolist(), [0, *accumulate(map(len, words))]
    clusters = tuple(
        replace(cluster, mentions=tuple(_moved(mention, own, before) for mention in cluster.mentions))
        for cluster in document.clusters
    )
    edges = sorted({0, *trees.sentences.tolist()})
    return Document(Text(document.id, tuple(words), tuple(pairwise(edges))), clusters)


def _check(characters: str, words: Sequence[str], trees: Trees, text: TreeText, id_: str) -> None:
    """See that the words are the text, and name the first sentence that does not align."""
    at = 0
    for token, word in enumerate(words):
        if characters[at : at + len(word)] != word:
            sentence = bisect_right(trees.sentences.tolist(), token) - 1
            raise FormatError(
                f"{text.location(sentence)}: sentence {sentence + 1} of {id_} does not align with the key: "
                f"the tree has '{word}', the key '{characters[at : at + CONTEXT]}'"
            )
        at += len(word)
    if at < len(characters):
        left = characters[at : at + CONTEXT]
        raise FormatError(f"{text.path}: the trees of {id_} end before the key's text does: '{left}' is left")


def _moved(mention: Mention, own: Sequence[int], before: Sequence[int]) -> Mention:
    """Move a mention from words with so many characters before them to tokens with so many before them."""

    def covering(spans: Sequence[Span]) -> tuple[Span, ...]:
        return _covering([(own[start], own[end]) for start, end in spans], before)

    return Mention(covering(mention.spans), mention.minimum and covering(mention.minimum))


def _covering(spans: Sequence[Span], before: Sequence[int]) -> tuple[Span, ...]:
    """Find the tokens that cover spans of characters."""
    covering: list[Span] = []
    for start, end in spans:
        first, last = bisect_right(before, start) - 1, bisect_right(before, end - 1)
        if covering and first <= covering[-1][1]:
            first = covering.pop()[0]
        covering.append((first, last))
    return tuple(covering)
