"""The layers that a text may have beside its words, and the one convention of each.

A layer is a column: a string for every word. Formats convert from and to these conventions.

    pos      part of speech: the Penn Treebank's tags, or universal ones
    lemma    base form; `-` or `_` where unknown
    head     the number of the word's governor in the document, from 0; `-` for the root of a sentence
    parse    the word's part of a constituency tree, as in CoNLL-2012: `(NP*`, `*)`
    entity   named entity, as in CoNLL-2012: `(ORG*`, `*)`, `*`
    speaker  who speaks; `-` for no speaker
    upos, xpos, feats, deprel   the columns of CoNLL-U, as they are; deps too, by the IDs of its sentence
    row      the line of a CoNLL file up to the coreference cell, kept so that writing gives it back
    token, sentence   the numbers that a corpus itself gives to words and sentences

The head of a mention is a word whose governor is outside of it (`top_words`); where no tree is known, it is
found by parts of speech alone, Penn's or universal ones (`last_noun`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from referee.exceptions import FormatError
from referee.model.mentions import Span

POS, LEMMA, HEAD, PARSE, ENTITY, SPEAKER = "pos", "lemma", "head", "parse", "entity", "speaker"
ROOT = "-"  # the governor of a word that has none
NO_WORD = -1  # the same as a number


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


def governors_of(document: str, heads: Sequence[str]) -> list[int]:
    """Read the layer `head` as numbers of words, NO_WORD for a root.

    >>> governors_of("d", ["1", "-", "1"])
    [1, -1, 1]
    """
    governors = []
    for word, head in enumerate(heads):
        if head != ROOT and (not head.isdecimal() or int(head) >= len(heads)):
            raise FormatError(f"document {document}: word {word} has the head '{head}'")
        governors.append(NO_WORD if head == ROOT else int(head))
    return governors


def top_words(words: Collection[int], governors: Sequence[int]) -> list[int]:
    """List the words of a mention whose governors are outside of it; words beyond the governors have none.

    >>> top_words(range(3), [1, 3, 1, -1])
    [1]
    """
    inside = words if isinstance(words, range) else frozenset(words)
    return [word for word in words if word >= len(governors) or governors[word] not in inside]


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
