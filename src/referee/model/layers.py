"""The layers that a text may have beside its words, and the one convention of each.

A layer is a column: a string for every word. Formats convert from and to these conventions.

    pos      part of speech: the Penn Treebank's tags, or universal ones
    lemma    base form; `-` or `_` where unknown
    head     the number of the word's governor in the document, from 0; `-` for the root of a sentence
    parse    the word's part of a constituency tree, as in CoNLL-2012: `(NP*`, `*)`
    entity   named entity, as in CoNLL-2012: `(ORG*`, `*)`, `*`
    speaker  who speaks; `-` for nobody
    upos, xpos, feats, deprel   the columns of CoNLL-U, as they are; deps too, by the IDs of its sentence
    row      the line of a CoNLL file up to the coreference cell, kept so that writing gives it back
    token, sentence   the numbers that a corpus itself gives to words and sentences

The head of a mention by parts of speech alone, Penn's or universal ones, where no tree tells it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.exceptions import FormatError
from referee.model.mentions import Span

POS, LEMMA, HEAD, PARSE, ENTITY, SPEAKER = "pos", "lemma", "head", "parse", "entity", "speaker"
ROOT = "-"  # the governor of a word that has none


def heads_from_sentences(heads: Sequence[str], sentences: Sequence[Span], where: str) -> Iterator[str]:
    """Number governors through the document, given CoNLL-U's numbers: from 1 in the sentence, 0 for none.

    >>> list(heads_from_sentences(["2", "0", "0"], [(0, 2), (2, 3)], "file:1"))
    ['1', '-', '-']
    """
    for start, end in sentences:
        for word in range(start, end):
            number = heads[word]
            if not number.isascii() or not number.isdigit() or int(number) > end - start:
                raise FormatError(
                    f"{where}: word {word - start + 1} of a sentence of {end - start} words has the head "
                    f"'{number}'; heads count from 1 in the sentence, 0 is the root"
                )
            yield str(start + int(number) - 1) if int(number) else ROOT


def heads_in_sentences(heads: Sequence[str], sentences: Sequence[Span]) -> Iterator[str]:
    """Number governors as CoNLL-U does: from 1 in the sentence, 0 for none.

    >>> list(heads_in_sentences(["1", "-", "-"], [(0, 2), (2, 3)]))
    ['2', '0', '0']
    """
    for start, end in sentences:
        for head in heads[start:end]:
            yield "0" if head == ROOT else str(int(head) - start + 1)


PUNCTUATION = frozenset((",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "PUNCT", "SYM"))
NOMINAL = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "NOUN", "PROPN", "PRON"))
VERBAL = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "VERB", "AUX"))
AFTER_A_NOUN = frozenset(("IN", "TO", "WDT", "WP", "WRB", "ADP", "SCONJ")) | PUNCTUATION | VERBAL


def last_noun(tokens: Sequence[int], tags: Sequence[str]) -> int:
    """Take the last noun of the first run of words that ends before a preposition, a clause or a comma.

    >>> last_noun(range(4), ["DT", "NN", "IN", "NNP"])  # the king of Spain
    1
    """
    noun: int | None = None
    for token in tokens:
        if tags[token] in NOMINAL:
            noun = token
        elif noun is not None and tags[token] in AFTER_A_NOUN:
            break
    return tokens[-1] if noun is None else noun
