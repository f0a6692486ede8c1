"""Joins clusters that are called by one full name, which average linkage leaves apart where texts differ.

Two texts about different things that both mention Deborah Lin have little in common, so that her mentions are
hardly alike on average. A cluster has a name if most of its names are that one. A surname alone stands for
the full name of its text, or for the only one in all texts; so does the first word of an organisation's name,
if some text calls it by both; an acronym stands for the only name that it abbreviates.
What is ambiguous joins nothing: a name of one word that is part of people's names, a town with two states.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from referee.arrays import IntArray
from referee.language.first_names import first_names, frequent_first_names
from referee.resolvers.across.compatibility.names import MentionName, NamedMention, Words
from referee.resolvers.across.linkage import Join

SHARE = 2 / 3  # of the names of a cluster: so many are its own
CERTAIN = 1.0  # what joins by name are told to have, as there is no average that decided
SHORTEST = 3  # letters of an acronym
_ORGANISATIONS = """
    group bank inc incorporated corp corporation ltd limited plc llc co company motors partners holdings labs
    laboratories systems industries foods airlines airways air energy pharma technologies
"""
ORGANISATIONS = frozenset(_ORGANISATIONS.split())  # last words of their names, which are often left out
FORMS = {
    form: tuple(forms[0].split())
    for forms in (
        ("united states", "us", "usa", "united states america"),
        ("united kingdom", "uk", "great britain", "britain"),
        ("european union", "eu"),
        ("united nations", "un"),
        ("united arab emirates", "uae"),
    )
    for form in forms
}


def joins_by_name(label: IntArray, names: Sequence[NamedMention | None]) -> list[Join]:
    """Say which clusters are called by one name, by their first mentions.

    >>> import numpy as np
    >>> def named(*words):
    ...     return NamedMention(MentionName(words, frozenset([words] if words[1:] else []), False))
    >>> names = [named("deborah", "lin"), None, named("oslo"), named("deborah", "lin"), named("oslo")]
    >>> [tuple(join) for join in joins_by_name(np.array([0, 0, 1, 2, 3]), names)]
    [(0, 3, 1.0), (2, 4, 1.0)]
    """
    sure = _resolved([_own(named.name) for named in names if named], _short_names(names))
    members: dict[int, list[int]] = {}
    for row, cluster in enumerate(label.tolist()):
        members.setdefault(cluster, []).append(row)
    called: dict[tuple[Words, Words], list[int]] = defaultdict(list)
    for rows in members.values():
        if name := _dominant([names[row] for row in rows], sure):
            called[name].append(rows[0])
    of_name: dict[Words, list[Words]] = defaultdict(list)
    for words, behind in called:
        of_name[words] += [behind] if behind else []
    groups: dict[tuple[Words, Words], list[int]] = defaultdict(list)
    for (words, behind), rows in called.items():
        if behind or len(of_name[words]) < 2:
            groups[words, behind or next(iter(of_name[words]), ())] += rows
    return [Join(min(rows), row, CERTAIN) for rows in groups.values() for row in sorted(rows)[1:]]


def initials_of(words: Iterable[str]) -> str:
    """Give the first letters of words.

    >>> initials_of(("world", "fisheries", "council"))
    'wfc'
    """
    return "".join(word[:1] for word in words)


def _own(name: MentionName) -> Words:
    """Give the name that a mention has by its own text; none if there are several."""
    if len(name.words) > 1:
        words = name.words
    else:
        words = next(iter(name.full)) if len(name.full) == 1 else () if name.full else name.words
    return FORMS.get(" ".join(words), words)


def _short_names(names: Iterable[NamedMention | None]) -> dict[str, set[Words]]:
    """List the organisations that some text also calls by the first word of their name."""
    short = defaultdict[str, set[Words]](set)
    for named in names:
        if named and len(named.name.words) == 1:
            (word,) = named.name.words
            short[word] |= {full for full in named.name.full if full[0] == word and full[-1] in ORGANISATIONS}
    return short


def _resolved(names: Iterable[Words], short: Mapping[str, set[Words]]) -> Callable[[Words], Words]:
    """Say by all names of the texts which one each is; none if that is not certain."""
    full = {words for words in names if len(words) > 1}
    people = {words for words in full if words[0] in first_names()}
    surnames, initials = defaultdict[str, set[Words]](set), defaultdict[str, set[Words]](set)
    for words in full:
        initials[initials_of(words)].add(words)
    for words in people:
        surnames[words[-1]].add(words)
    ambiguous = {words[0] for words in people} | {word for word, own in surnames.items() if len(own) > 1}

    def sure(words: Words) -> Words:
        if len(words) != 1:
            return words
        (word,) = words
        if word in ambiguous or word in frequent_first_names():
            return ()
        if word in surnames:
            return next(iter(surnames[word]))
        if len(short.get(word, ())) == 1:
            return next(iter(short[word]))
        if len(word) >= SHORTEST and len(initials.get(word, ())) == 1:
            return next(iter(initials[word]))
        return words

    return sure


def _dominant(
    names: Sequence[NamedMention | None], sure: Callable[[Words], Words]
) -> tuple[Words, Words] | None:
    """Give the name that most names of a cluster are, and what stands behind it."""
    votes, behind = Counter[Words](), defaultdict[Words, set[Words]](set)
    for named in names:
        if named:
            words = sure(_own(named.name))
            votes[words] += 1
            behind[words] |= {named.behind} if named.behind else set()
    if not votes:
        return None
    (words, most), every = votes.most_common(1)[0], votes.total()
    if not words or most < SHARE * every or len(behind[words]) > 1:
        return None
    return words, next(iter(behind[words]), ())
