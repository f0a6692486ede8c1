"""The head of a mention by parts of speech alone, Penn's or universal ones, where no tree tells it."""

from __future__ import annotations

from collections.abc import Sequence

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
