"""The minimum span of each mention of a key, and how they compare with maximum and annotated spans.

A running text has no words that trees could be laid over, so that it is counted in the tokens of its trees
first: both have the same characters, but for white space.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from os import PathLike, fspath

import numpy as np

from referee import formats
from referee.arrays import IntArray
from referee.display import Rows
from referee.exceptions import FormatError, ProtocolError, SettingError
from referee.language.dependencies import Dependencies, Syntax
from referee.language.minimum_spans import UNREAD, head_tokens, mina_spans, reasons
from referee.language.trees.parse_files import ParseFiles, TreeText, tree_files
from referee.language.trees.parses import Parses, parses_of
from referee.language.trees.phrase_trees import Trees
from referee.language.trees.treebank import read_penn
from referee.model import Corpus, Document, DocumentCorpus, Mention, Span, Text, word_edges

CONTEXT = 30  # characters that an error quotes
MATCHINGS = ("mina", "head", "min")  # that compare minimum spans
LONG = 3  # tokens; the paper asks how many spans are longer
AT_ONCE = 64  # documents whose trees are read at a time


@dataclass(frozen=True, slots=True)
class MinimumSpan:
    """A mention with its minimum span: tokens of the document, and why it is these."""

    document: str
    mention: Mention
    tokens: tuple[int, ...]
    reason: str
    words: str  # of the mention
    minimum_words: str

    @property
    def unread(self) -> bool:
        """Whether the whole mention is its minimum because its tree cannot be read."""
        return self.reason == UNREAD

    @property
    def length(self) -> int:
        """How many tokens the mention has."""
        return sum(end - start for start, end in self.mention.spans)

    @property
    def contains_annotated(self) -> bool | None:
        """Whether the minimum span contains the annotated MIN; None if there is none."""
        if self.mention.minimum is None:
            return None
        return set(_tokens(self.mention.minimum)) <= set(self.tokens)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long some spans are."""

    label: str
    counts: Counter[int]  # length → spans

    @property
    def spans(self) -> int:
        """How many spans there are."""
        return self.counts.total()

    @property
    def mean(self) -> float:
        """The mean length."""
        return sum(length * count for length, count in self.counts.items()) / max(self.spans, 1)

    @property
    def share_long(self) -> float:
        """The share that is longer than three tokens."""
        return sum(count for length, count in self.counts.items() if length > LONG) / max(self.spans, 1)


@dataclass(frozen=True, slots=True, repr=False)
class SpanStatistics(Rows):
    """Lengths of maximum and minimum spans, and what the minimum spans do (sections 5 and 6 of the paper).

    Its rows, in `to_frame` and `to_polars`, are the two kinds of span.
    """

    _output = "spans:statistics_output"

    maximum: Lengths
    minimum: Lengths
    colliding: int  # distinct mentions that share a minimum span with another one of their document
    containing: int  # minimum spans that contain the annotated MIN
    annotated: int  # mentions that have one
    notices: Sequence[str] = ()


class MinimumSpans(Rows, list[MinimumSpan]):
    """The minimum spans of a corpus: a list of `MinimumSpan`, one for each distinct mention.

    `match` is the kind of minimum span. Its rows, in `to_frame` and `to_polars`, are the mentions.
    """

    _output = "spans:minimum_spans_output"

    def __init__(self, spans: Iterable[MinimumSpan], match: str, notices: Sequence[str] = ()) -> None:
        """Keep the spans, what kind they are, and what should be known about how the corpus was read."""
        super().__init__(spans)
        self.match, self.notices = match, list(notices)

    def statistics(self) -> SpanStatistics:
        """Count lengths, collisions, and minimum spans that contain the annotated ones."""
        shared = Counter((span.document, span.tokens) for span in self)
        compatible = [span.contains_annotated for span in self if span.contains_annotated is not None]
        return SpanStatistics(
            Lengths("maximum", Counter(span.length for span in self)),
            Lengths(self.match, Counter(len(span.tokens) for span in self)),
            sum(count for count in shared.values() if count > 1),
            sum(compatible),
            len(compatible),
            self.notices,
        )


def minimum_spans(
    key: Corpus | str | PathLike[str],
    match: str = "mina",
    parses: str | PathLike[str] | None = None,
    *,
    skip_bad: bool = False,
) -> MinimumSpans:
    """Find the minimum span of each distinct mention of a corpus or path, in document order."""
    corpus = formats.opened(key)
    spans = list(_each_span(corpus, match, parses, skip_bad=skip_bad))
    return MinimumSpans(spans, match, corpus.notices)


def _each_span(
    key: Corpus, match: str, parses: str | PathLike[str] | None, *, skip_bad: bool
) -> Iterator[MinimumSpan]:
    if match not in MATCHINGS:
        raise SettingError(f"minimum spans are {', '.join(MATCHINGS)}, not '{match}'")
    if key.cut and match != "min":
        key = in_tree_tokens(key, parses)
    source = None
    if match != "min":
        source = parses_of(key, parses, skip_bad=skip_bad, match=match)
    for first in range(0, len(key), AT_ONCE):
        indices = range(first, min(first + AT_ONCE, len(key)))
        trees = _trees(source, indices) if source else None
        for position, index in enumerate(indices):
            document = key.document(index)
            mentions = document.mentions
            if trees is None:
                reduced = [_annotated(mention) for mention in mentions]
            else:
                reduced = list(_from_trees(trees, int(trees.documents[position]), mentions, match))
            yield from _described(document, mentions, reduced)


def _trees(source: Parses, indices: Sequence[int]) -> Syntax:
    chains, rows = source.chains_and_rows(indices)
    return source.trees(indices, (chains,), rows)


def _annotated(mention: Mention) -> tuple[tuple[int, ...], str]:
    if mention.minimum is None:
        return tuple(_tokens(mention.spans)), "whole: no MIN is annotated"
    return tuple(_tokens(mention.minimum)), "annotated MIN"


def _from_trees(
    trees: Syntax, first: int, mentions: Sequence[Mention], match: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Find the minimum spans of one document's mentions; discontinuous ones are not part of a tree."""
    starts, ends = _columns(mentions, first)
    if isinstance(trees, Dependencies):
        reduced: list[tuple[int, ...]] = [(token - first,) for token in trees.heads(starts, ends).tolist()]
        said, unread = ["head"] * len(mentions), [False] * len(mentions)
    elif match == "head":
        unread = (trees.unread()[starts] & (ends - starts > 1)).tolist()
        reduced = [(token - first,) for token in head_tokens(trees, starts, ends).tolist()]
        said = [UNREAD if bad else "head" for bad in unread]
    else:
        spans = mina_spans(trees, starts, ends)
        unread = [False] * len(mentions)  # MINA keeps the whole span itself
        reduced = [tuple(token - first for token in spans[row]) for row in range(len(mentions))]
        said = reasons(trees, starts, ends, spans)
    for mention, tokens, why, bad in zip(mentions, reduced, said, unread, strict=True):
        if len(mention.spans) > 1:
            yield tuple(_tokens(mention.spans)), "whole: a mention of several spans"
        else:
            yield (tuple(_tokens(mention.spans)) if bad else tokens), why


def _columns(mentions: Sequence[Mention], first: int) -> tuple[IntArray, IntArray]:
    spans = np.array([(mention.start, mention.end) for mention in mentions], np.int64).reshape(-1, 2)
    return spans[:, 0] + first, spans[:, 1] + first


def _described(
    document: Document, mentions: Sequence[Mention], reduced: Sequence[tuple[tuple[int, ...], str]]
) -> Iterator[MinimumSpan]:
    for mention, (tokens, reason) in zip(mentions, reduced, strict=True):
        yield MinimumSpan(
            document.id,
            mention,
            tokens,
            reason,
            _spelled(document, _tokens(mention.spans)),
            _spelled(document, tokens),
        )


def _spelled(document: Document, tokens: Sequence[int]) -> str:
    """Write tokens out, with dots where some are left out."""
    words: list[str] = []
    previous = None
    for token in tokens:
        if previous is not None and token != previous + 1:
            words.append("…")
        words.append(document.words[token])
        previous = token
    return " ".join(words)


def _tokens(spans: Sequence[Span]) -> list[int]:
    return [token for start, end in spans for token in range(start, end)]


def in_tree_tokens(key: Corpus, parses: str | PathLike[str] | None) -> DocumentCorpus:
    """Recount a corpus of running texts in the tokens of its trees."""
    if parses is None:
        raise ProtocolError(f"{key.name}: running text has no parse trees; give parses=PATH (Penn brackets)")
    if len(key) > 1:
        _refuse_one_file(fspath(parses), key)
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
    before_words, before_tokens = word_edges(document.text).tolist(), [0, *accumulate(map(len, words))]
    clusters = tuple(
        replace(cluster, mentions=tuple(_moved(m, before_words, before_tokens) for m in cluster.mentions))
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


def _moved(mention: Mention, before_words: Sequence[int], before_tokens: Sequence[int]) -> Mention:
    """Move a mention from words to tokens, by how many characters come before each."""

    def covering(spans: Sequence[Span]) -> tuple[Span, ...]:
        return _covering([(before_words[start], before_words[end]) for start, end in spans], before_tokens)

    return Mention(covering(mention.spans), mention.minimum and covering(mention.minimum))


def _covering(spans: Sequence[Span], before_tokens: Sequence[int]) -> tuple[Span, ...]:
    """Find the tokens that cover spans of characters."""
    covering: list[Span] = []
    for start, end in spans:
        first, last = bisect_right(before_tokens, start) - 1, bisect_right(before_tokens, end - 1)
        if covering and first <= covering[-1][1]:
            first = covering.pop()[0]
        covering.append((first, last))
    return tuple(covering)
