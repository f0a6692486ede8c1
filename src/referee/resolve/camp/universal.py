"""Makes the trees that the rules read (spaCy's, after ClearNLP) of Universal Dependencies.

In UD content words govern: a preposition and a copula hang on the noun, and the first word of a name governs
the others. Here prepositions and copulas govern, and of a name the last word does.
"""

from __future__ import annotations

from collections.abc import Sequence

RENAMED = {
    "obj": "dobj", "iobj": "dative", "nsubj:pass": "nsubjpass", "csubj:pass": "csubj", "nmod:poss": "poss",
    "acl:relcl": "relcl", "aux:pass": "auxpass", "det:predet": "predet", "cc:preconj": "preconj",
    "discourse": "intj", "vocative": "npadvmod", "nmod:npmod": "npadvmod", "obl:npmod": "npadvmod",
    "obl:tmod": "npadvmod", "nmod:tmod": "npadvmod", "obl:unmarked": "npadvmod", "nmod:unmarked": "npadvmod",
    "compound:prt": "prt", "root": "ROOT", "flat": "compound", "flat:name": "compound",
    "nsubj:outer": "nsubj", "reparandum": "dep", "list": "dep", "orphan": "dep", "goeswith": "compound",
}  # fmt: skip
OF_THE_CLAUSE = frozenset(
    ("nsubj", "nsubjpass", "csubj", "aux", "auxpass", "mark", "advmod", "advcl", "neg", "expl", "punct", "cc",
     "intj", "parataxis", "prep", "npadvmod", "conj")
)  # fmt: skip
FLAT = frozenset(("flat", "flat:name"))


def as_clear_trees(heads: Sequence[int], relations: Sequence[str]) -> tuple[list[int], list[str]]:
    """Turn heads (a root is its own) and relations of UD into those that the rules read.

    >>> as_clear_trees([1, 1, 3, 1], ["nsubj", "root", "case", "obl"])  # she lives in Leeds
    ([1, 1, 1, 2], ['nsubj', 'ROOT', 'prep', 'pobj'])
    """
    new, names = list(heads), list(relations)
    _turn_names(new, names)
    for word, relation in enumerate(relations):
        if relation == "case" and names[new[word]] != "nmod:poss":
            _raise_preposition(new, names, word)
    named = [RENAMED.get(name, name.split(":")[0] if name.startswith("obl") else name) for name in names]
    named = ["npadvmod" if name == "obl" else "nmod" if name.startswith("nmod") else name for name in named]
    for word, relation in enumerate(relations):
        if relation == "cop":
            _raise_copula(new, named, word)
    return new, named


def _turn_names(heads: list[int], relations: list[str]) -> None:
    """Let the last word of a name govern the others."""
    last: dict[int, int] = {}
    for word, relation in enumerate(relations):
        if relation in FLAT:
            last[heads[word]] = word
    for first, word in last.items():
        for other, head in enumerate(list(heads)):
            if head == first and other not in (first, word):
                heads[other] = word
        heads[word] = word if heads[first] == first else heads[first]
        relations[word], relations[first] = relations[first], "compound"
        heads[first] = word


def _raise_preposition(heads: list[int], relations: list[str], word: int) -> None:
    """Put a preposition between a noun and what the noun hangs on."""
    noun = heads[word]
    if relations[noun] == "pobj":  # a second preposition: out of
        relations[word] = "prep"
        return
    heads[word] = word if heads[noun] == noun else heads[noun]
    relations[word] = "ROOT" if heads[word] == word else "conj" if relations[noun] == "conj" else "prep"
    heads[noun], relations[noun] = word, "pobj"


def _raise_copula(heads: list[int], relations: list[str], word: int) -> None:
    """Let a copula govern its clause, and the predicate be its complement."""
    noun = predicate = heads[word]
    governor = heads[noun]
    if relations[noun] == "pobj":  # is in Leeds: the preposition is the predicate
        predicate, governor = governor, heads[governor]
    heads[word] = word if governor == predicate else governor
    relations[word] = relations[predicate]
    for other, head in enumerate(list(heads)):
        in_clause = relations[other] in OF_THE_CLAUSE
        if head in (noun, predicate) and other not in (word, noun, predicate) and in_clause:
            heads[other] = word
    heads[predicate], relations[predicate] = word, "attr" if predicate == noun else "prep"
