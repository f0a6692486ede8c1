"""GAP's texts as examples: nothing is known of their clusters, but which of two names a pronoun refers to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.arrays import IntArray
from referee.formats.corpora.gap import GapCorpus, GapExample
from referee.model import Document, Span
from referee.resolvers.neural.cutting import cut_sentences, cut_words
from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.scoring.gap import (
    FEMININE,
    GENDERS,
    MASCULINE,
    Decision,
    bias,
    counted_by_gender,
    names_meant,
)
from referee.training.data.examples import Example

RIGHT, WRONG, ASKED, ASKED_IN_VAIN = 1, 2, 3, 4  # names, and pronouns that refer to one or to neither


def gap_words(document: Document) -> tuple[list[Span], list[str]]:
    """Cut a text of GAP as running text is cut."""
    text = document.text.running or ""
    spans = cut_words(text)
    return spans, [text[start:end] for start, end in spans]


def gap_examples(corpus: GapCorpus, cutter: SubwordTokenizer) -> list[Example]:
    """Make an example of each text."""
    return [_example(row, document, cutter) for row, document in zip(corpus.examples, corpus, strict=True)]


def _example(row: GapExample, document: Document, cutter: SubwordTokenizer) -> Example:
    spans, words = gap_words(document)
    columns = describe_words(words, cut_sentences(words))
    pronoun, *names = (_words_at(spans, span) for span in (row.pronoun, *row.names))
    ends = [end for name in names for end in name]
    feminine = GENDERS.get(row.word.lower()) == FEMININE
    asked = (pronoun[0], *ends, *map(int, row.coreferent), int(feminine))
    roles = name_roles(
        [word.lower() for word in words], pronoun[0], [last for _, last in names], row.coreferent
    )
    none = np.zeros((0, 6), np.int64)
    cut = cutter.cut(words)
    return Example(row.id, (columns, columns), *cut, none, roles, asked, labelled=False)


def _words_at(spans: Sequence[Span], characters: Span) -> Span:
    """Find the first and the last word that have some of the characters."""
    start, end = characters
    inside = [number for number, (first, last) in enumerate(spans) if first < end and last > start]
    return inside[0], inside[-1]


def name_roles(words: Sequence[str], pronoun: int, names: Sequence[int], right: Sequence[bool]) -> IntArray:
    """Find what part each word plays: each occurrence of a name's last word is one of the name.

    >>> name_roles("ann saw bea before ann met her".split(), 6, (0, 2), (False, True)).tolist()
    [2, 0, 1, 0, 2, 0, 3]
    """
    roles = np.zeros(len(words), np.int64)
    last = [words[name] for name in names]
    if last[0] == last[1]:
        return roles  # the names cannot be distinguished
    for name, is_right in zip(last, right, strict=True):
        roles[[word == name for word in words]] = RIGHT if is_right else WRONG
    roles[pronoun] = ASKED if any(right) else ASKED_IN_VAIN
    return roles


def gap_figures(
    asked: Sequence[tuple[int, ...]], responses: Sequence[Sequence[Sequence[Span]]]
) -> tuple[float, float, float, float]:
    """Score clusters of GAP's texts: F1, of feminine and of masculine pronouns, and bias, 0 if there is none.

    >>> asked = [(6, 0, 1, 3, 3, 1, 0, 1)]  # the pronoun, two names, which of them it means, whether feminine
    >>> gap_figures(asked, [[[(0, 1), (6, 6)], [(3, 3)]]])
    (1.0, 1.0, 0.0, 0.0)
    """
    decisions = []
    for (pronoun, *names, one, other, feminine), clusters in zip(asked, responses, strict=True):
        spans = [(names[0], names[1]), (names[2], names[3])]
        answers = names_meant(clusters, (pronoun, pronoun), spans)
        for truth, answer in zip((one, other), answers, strict=True):
            decisions.append(Decision(FEMININE if feminine else MASCULINE, bool(truth), answer))
    overall, masculine, of_feminine = counted_by_gender(decisions)
    return overall.f1, of_feminine.f1, masculine.f1, bias(masculine, of_feminine) or 0.0


def repeated_men(paragraphs: list[Example], times: int) -> list[Example]:
    """Let GAP's paragraphs about men count several times."""
    return paragraphs + (times - 1) * [example for example in paragraphs if not example.gap[-1]]
