"""The types of names, decided for a whole text: taggers change their mind from one sentence to the next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.parse_view import NAME_TAGS, SUBJECTS, Parse

NAME_LABELS = frozenset(("PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "NORP"))
PLACING = frozenset(("in", "at", "near", "into", "across"))
ENOUGH = 2  # times that a first name says something, after which it is a person


class NameTypes:
    """What the names of a text that end in a word are: what most of them were taken for."""

    def __init__(self, parse: Parse, lexicon: Lexicon) -> None:
        """Count the types that names with a last word were given, longer names twice."""
        self.votes: dict[str, Counter[str]] = defaultdict(Counter)
        for name in parse.names:
            first, last = parse.lower[name.start], parse.lower[name.end - 1]
            self.votes[last][name.label] += 1 + (name.end - name.start > 1)
            if name.label == "PERSON" and name.end - name.start > 1 and parse.tags[name.start] in NAME_TAGS:
                self.votes[first][name.label] += 2  # Dorian, where Dorian Gray is a person
        for word in _speaking_names(parse, lexicon):
            self.votes[word]["PERSON"] += self.votes[word].total()

    def label(self, parse: Parse, head: int) -> str:
        """Give the type of the name that a word ends: what most of its kind in the text were taken for."""
        name = parse.name_at.get(head)
        label = name.label if name else ""
        counted = self.votes.get(parse.lower[head])
        if counted and parse.tags[head] in NAME_TAGS and (not label or label in NAME_LABELS):
            return max(counted, key=counted.__getitem__)
        return label


def _speaking_names(parse: Parse, lexicon: Lexicon) -> Iterator[str]:
    """List the first names that speak more often than anything is in them: Charlotte, if she is no city."""
    speaks: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for word, tag in enumerate(parse.tags):
        if tag not in NAME_TAGS or parse.lower[word] not in lexicon.first_names:
            continue
        governor = parse.heads[word]
        if parse.relations[word] in SUBJECTS and parse.lemmas[governor] in lexicon["speech_verbs"]:
            speaks[parse.lower[word]] += 1
        elif parse.lower[governor] in PLACING:
            places[parse.lower[word]] += 1
    return (word for word, count in speaks.items() if count >= ENOUGH and count > places[word])
