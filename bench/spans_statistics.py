"""Lengths and collisions of minimum spans in OntoGUM (Moosavi et al., 2019: Table 1, Figure 8, section 5).

Then how many noun phrases keep their minimum span when they are cut inside a post-modifier, wherever a phrase
in it ends: what an attachment error does to a mention.

python bench/spans_statistics.py FOLDER     # with train/conll, train/ptb, dev/conll, dev/ptb
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from referee.arrays import IntArray, spread
from referee.formats import read
from referee.language.minimum_spans import ACCEPTABLE, NOMINAL, NP, MinimumSpans, head_tokens, mina_spans
from referee.language.trees.phrase_trees import Trees, code
from referee.language.trees.treebank import read_penn
from referee.model import Corpus


def main(folder: Path) -> None:
    """Print the figures."""
    parts = [folder / part for part in ("train", "dev")]
    texts = [file.read_bytes() for part in parts for file in sorted((part / "ptb").glob("*.ptb"))]
    before = perf_counter()
    trees = read_penn(texts)
    read_at = perf_counter()
    starts, ends = distinct_mentions(read(*(part / "conll" for part in parts)), trees)
    found_at = perf_counter()
    spans = mina_spans(trees, starts, ends)
    mina_at = perf_counter()
    head = head_tokens(trees, starts, ends)
    head_at = perf_counter()
    print(f"{len(texts)} documents, {trees.documents[-1]} tokens, {starts.size} distinct mentions")
    print_lengths("maximum", ends - starts)
    print_lengths("MINA", np.diff(spans.offsets))
    print_lengths("head", np.ones_like(head))
    print_reasons(ends - starts, spans)
    print_collisions("MINA", spans.identity)
    print_collisions("head", head)
    print_cuts(trees, starts, spans)
    print(
        f"seconds: trees {read_at - before:.3f}, MINA {mina_at - found_at:.3f}, heads {head_at - mina_at:.3f}"
    )


def distinct_mentions(corpus: Corpus, trees: Trees) -> tuple[IntArray, IntArray]:
    """Read the spans of the mentions, each once, as tokens of the trees."""
    chains = corpus.chains(range(len(corpus)))
    if not np.array_equal(chains.lengths, np.diff(trees.documents)):
        raise SystemExit("the trees have other tokens than the mentions")
    first = trees.documents[chains.document]
    starts, ends = np.unique([first + chains.start, first + chains.end], axis=1)
    return starts, ends


def print_lengths(name: str, lengths: IntArray) -> None:
    """Print the mean length, the share longer than three, and how many are of one, two, three, more words."""
    counts = np.bincount(np.minimum(lengths, 4), minlength=5)[1:]
    print(
        f"{name:8} mean {lengths.mean():.2f}  over three {(lengths > 3).mean():6.2%}  1, 2, 3, ≥ 4: {counts}"
    )


def print_reasons(lengths: IntArray, spans: MinimumSpans) -> None:
    """Print how many mentions of several words are no phrases, and how many keep their maximum span."""
    several = lengths > 1
    cut, whole = several & (spans.root < 0), several & (spans.depth < 0)
    print(f"of {several.sum()} mentions of several words {cut.sum()} are not a phrase,")
    print(f"nothing is acceptable in {whole.sum()}, {(cut & whole).sum()} of them not a phrase")


def print_collisions(name: str, identity: IntArray) -> None:
    """Print how many distinct mentions share their minimum span, and so overlap."""
    counts = np.unique(identity, return_counts=True)[1]
    shared = int(counts[counts > 1].sum())
    print(f"{name:8} {shared} mentions share a minimum span with another one: {shared / identity.size:.3%}")


def print_cuts(trees: Trees, starts: IntArray, spans: MinimumSpans) -> None:
    """Print how many noun phrases keep their minimum span when they are cut inside a post-modifier."""
    is_noun_phrase = np.append(trees.label == NP, False)[spans.root]
    mention, end = cuts(trees, np.flatnonzero(is_noun_phrase), spans.root)
    cut = mina_spans(trees, starts[mention], end)
    kept = [cut[row] == spans[of] for row, of in enumerate(mention.tolist())]
    print(
        f"of {mention.size} noun phrases cut inside a post-modifier {np.mean(kept):.1%} keep their MINA span"
    )


def cuts(trees: Trees, mentions: IntArray, root: IntArray) -> tuple[IntArray, IntArray]:
    """List mentions with the ends of phrases that are inside one of their post-modifiers.

    A post-modifier is a phrase directly in the mention's, after one that may hold its minimum span.
    """
    is_nominal = np.isin(trees.label, [code(label) for label in ACCEPTABLE[NOMINAL]])
    first = trees.first_child[root[mentions]]
    index, child = spread(first, first + trees.children[root[mentions]])
    child = trees.breadth_first[child]
    nominal_before = np.zeros(mentions.size, np.int64)
    pairs = set()
    for of, phrase in zip(index.tolist(), child.tolist(), strict=True):
        if is_nominal[phrase]:
            nominal_before[of] += 1
        elif nominal_before[of]:
            inner = np.arange(phrase + 1, np.searchsorted(trees.start, trees.end[phrase]))
            inside = trees.end[inner] < trees.end[phrase]
            pairs |= {(int(mentions[of]), end) for end in trees.end[inner[inside]].tolist()}
    mention, end = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return mention, end


if __name__ == "__main__":
    main(Path(sys.argv[1]))
