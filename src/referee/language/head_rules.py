"""Which child of a phrase is its head: Collins' rules, for many phrases at once.

The rules for noun phrases are those that Moosavi et al. (2019, section 3) list; "the last word" is the
last one that is in the phrase directly. All other phrases follow appendix A of Collins (1999): its
table, and its rule for coordination, by which a head right after a conjunction gives way to the conjunct
before it. Collins takes punctuation out of the tree; here it is a head only where there is nothing else.

Four labels that Collins has no rule for count as noun phrases: NX, NML (which came later), MWU (words that
Alpino's Dutch trees take as one), and X, the dummy root of a mention that is not a phrase. X is searched as a
verb phrase too before its last word is taken. Any other label has its first child as head.
"""

from __future__ import annotations

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.language.trees.phrase_trees import PUNCTUATION, Codes, code

LEFT, RIGHT = 1, -1  # the side that a search starts from
NOUN_PHRASE = (
    (RIGHT, "NN NNP NNPS NNS NX NML MWU POS JJR"),
    (LEFT, "NP"),
    (RIGHT, "$ ADJP PRN"),
    (RIGHT, "CD"),
    (RIGHT, "JJ JJS RB QP"),
)
VERB_PHRASE = "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"
OTHER_PHRASES = {
    "ADJP": (LEFT, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": (RIGHT, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": (RIGHT, "CC RB IN"),
    "FRAG": (RIGHT, ""),
    "INTJ": (LEFT, ""),
    "LST": (RIGHT, "LS :"),
    "NAC": (LEFT, "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "PP": (RIGHT, "IN TO VBG VBN RP FW"),
    "PRN": (LEFT, ""),
    "PRT": (RIGHT, "RP"),
    "QP": (LEFT, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": (RIGHT, "VP NP ADVP ADJP PP"),
    "S": (LEFT, "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": (LEFT, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": (LEFT, "SQ S SINV SBARQ FRAG"),
    "SINV": (LEFT, "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": (LEFT, "VBZ VBD VBP VB MD VP SQ"),
    "UCP": (RIGHT, ""),
    "VP": (LEFT, VERB_PHRASE),
    "WHADJP": (LEFT, "CC WRB JJ ADJP"),
    "WHADVP": (RIGHT, "CC WRB"),
    "WHNP": (LEFT, "WDT WP WHADJP WHPP WHNP"),  # WP is WP$ too: labels are letters
    "WHPP": (RIGHT, "IN TO FW"),
}
DUMMY_ROOT = "X"

Steps = tuple[tuple[int, str], ...]
RULES: dict[str, Steps] = {
    **{
        label: tuple((side, child) for child in children.split())
        for label, (side, children) in OTHER_PHRASES.items()
    },
    **dict.fromkeys(("NP", "NML", "NX", "MWU"), NOUN_PHRASE),
    DUMMY_ROOT: (*NOUN_PHRASE, *((LEFT, child) for child in VERB_PHRASE.split())),
}
NOMINAL = ("NP", "NML", "NX", DUMMY_ROOT)
LABELS = sorted(
    {
        "CC",
        *PUNCTUATION,
        *RULES,
        *(child for steps in RULES.values() for _, named in steps for child in named.split()),
    },
    key=code,
)
CODES = np.array([code(label) for label in LABELS])
LAST_POSSESSIVE, LAST_WORD, ANY, MARK = 0, 97, 98, 99  # ranks before and after those of the steps


def _tables() -> tuple[IntArray, IntArray]:
    """Write the rules as tables over phrase and child: rank, and the side from which a rank is searched."""
    rank = np.full((len(LABELS) + 1, len(LABELS) + 1), ANY)
    side = np.full_like(rank, LEFT)
    rank[:, [LABELS.index(label) for label in PUNCTUATION]] = MARK
    for label, steps in RULES.items():
        phrase = LABELS.index(label)
        side[phrase] = OTHER_PHRASES.get(label, (RIGHT, ""))[0]
        for number, (direction, named) in reversed(list(enumerate(steps, start=1))):
            children = [LABELS.index(child) for child in named.split()]
            rank[phrase, children], side[phrase, children] = number, direction
    return rank, side


RANK, SIDE = _tables()
IS_NOMINAL = np.isin(np.arange(len(LABELS) + 1), [LABELS.index(label) for label in NOMINAL])
IS_MARK = np.isin(np.arange(len(LABELS) + 1), [LABELS.index(label) for label in PUNCTUATION])
CONJUNCTION, POSSESSIVE = LABELS.index("CC"), LABELS.index("POS")


def head_children(phrase: Codes, first: IntArray, child: Codes, is_word: BoolArray) -> IntArray:
    """Choose a head for each phrase among its children.

    `phrase` are the phrases' labels, `first` says where the children of each begin; `child` are the
    children's labels or tags, phrase by phrase and from left to right. Returns indices of `child`.
    """
    position, size = np.arange(child.size), np.diff(first, append=child.size)
    rule, name = np.repeat(_rule_of(phrase), size), _rule_of(child)
    rank = RANK[rule, name]
    nominal = IS_NOMINAL[rule]
    rank[nominal & is_word & (rank == ANY)] = LAST_WORD
    last = np.maximum.reduceat(np.where(is_word, position, -1), first)
    rank[nominal & (name == POSSESSIVE) & (position == np.repeat(last, size))] = LAST_POSSESSIVE
    score = rank * 2 * child.size + SIDE[rule, name] * position
    head = np.flatnonzero(score == np.repeat(np.minimum.reduceat(score, first), size))
    return np.where(nominal[head], head, _first_conjunct(head, first, name))


def _first_conjunct(head: IntArray, first: IntArray, name: IntArray) -> IntArray:
    """Move a head that follows a conjunction to what comes before it, punctuation left aside."""
    moved = np.flatnonzero((head - 2 >= first) & (name[head - 1] == CONJUNCTION))
    target = head.copy()
    target[moved] -= 2
    while moved.size:
        moved = moved[IS_MARK[name[target[moved]]] & (target[moved] > first[moved])]
        target[moved] -= 1
    return target


def _rule_of(labels: Codes) -> IntArray:
    """Number labels as in the tables; one that no rule names has the last number."""
    number = np.searchsorted(CODES, labels)
    return np.where(CODES[np.minimum(number, CODES.size - 1)] == labels, number, CODES.size)
