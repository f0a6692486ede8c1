"""The people of a resolved text: their names, how often they are mentioned, and what they say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.display import Rows
from referee.language import english
from referee.language.recognition import refuse_unless_english
from referee.model import Document, Span, in_characters
from referee.resolvers.people.conversations import NOBODY
from referee.resolvers.people.layout import Layout, layout_of
from referee.resolvers.people.second_pass import found_in, people_of, turns_of
from referee.resolvers.people.settling import Found, named_mentions
from referee.resolvers.people.speakers import Turn
from referee.resolvers.replacing.naming import representative

_SUBJECT_FORMS = {  # their → they
    form: next(iter(forms & (english.SUBJECTS | english.NEW_SUBJECTS)))
    for forms in (
        english.MASCULINE,
        english.FEMININE,
        english.NEUTER,
        english.THIRD_PLURAL,
        *english.NEOPRONOUNS,
    )
    for form in forms
}
MENTIONED = 2  # times at least that one without a name is mentioned


class Character(NamedTuple):
    """A person: the entity's number, names, pronouns, how often mentioned, and how much is said."""

    entity: str
    name: str
    other_names: tuple[str, ...]  # the most frequent first
    pronouns: tuple[str, ...]  # of the third person: he, she, it, they; the most frequent first
    mentions: int
    quotations: int
    words_said: int
    first: Span  # the first mention: characters of a running text, else words; the end is excluded


class Quotation(NamedTuple):
    """What is said, with its marks: where, by which entity, and to whom; '' where that is not known."""

    text: str
    words: Span
    characters: Span | None
    speaker: str
    addressee: str


@dataclass(frozen=True, repr=False)
class Characters(Rows):
    """The people of one text, the most mentioned first, and its quotations. Its rows are the people.

    >>> from referee.model import Cluster, Document, Mention
    >>> pair = Cluster("0", (Mention.at(0, 2), Mention.at(4, 5)))
    >>> found = characters_of(Document.of("d", "Nora Finch slept ; she snored".split(), [(0, 6)], [pair]))
    >>> [(each.name, each.pronouns, each.mentions) for each in found.characters]
    [('Nora Finch', ('she',), 2)]
    """

    _output = "characters:characters_output"

    id: str
    characters: tuple[Character, ...]
    quotations: tuple[Quotation, ...]


def characters_of(document: Document) -> Characters:
    """List the people of a document that a resolver has resolved, and who says what."""
    refuse_unless_english(document.text, "people and their speech are listed")
    layout, found = layout_of(document.text), found_in(document)
    turns = turns_of(layout, found)
    names, pronouns = _names(document, layout, found), _pronouns(layout, found)
    said: dict[int, list[int]] = defaultdict(list)  # entity → words of each quotation
    for turn in turns:
        said[turn.speaker] += [_words_in(layout, quote.start, quote.end) for quote in turn.quotes]
    people = [
        _character(document, number, names[number], pronouns[number], said[number])
        for number in sorted(people_of(layout, found))
        if names[number] or len(document.clusters[number].mentions) >= MENTIONED
    ]
    ordered = sorted(people, key=lambda each: (-each.mentions, each.first))
    return Characters(document.id, tuple(ordered), tuple(_quotations(document, turns)))


def _words_in(layout: Layout, start: int, end: int) -> int:
    return sum(word[:1].isalnum() for word in layout.words[start : end + 1])


def _quotations(document: Document, turns: Sequence[Turn]) -> Iterator[Quotation]:
    text = document.text
    for turn in turns:
        speaker, addressee = (
            "" if who == NOBODY else document.clusters[who].id for who in (turn.speaker, turn.hearer)
        )
        for quote in turn.quotes:
            span = quote.start, quote.end + 1
            characters = None if text.running is None else in_characters(text, [span])[0]
            yield Quotation(text.spelled([span]), span, characters, speaker, addressee)


def _names(document: Document, layout: Layout, found: Sequence[Found]) -> dict[int, Counter[str]]:
    """Count the names of each person."""
    names: dict[int, Counter[str]] = defaultdict(Counter)
    known = people_of(layout, found)
    for mention, occurrence in named_mentions(layout, found).items():
        start, end, _ = layout.names[occurrence]
        if found[mention].entity in known:
            spelled = " ".join(document.text.spelled([(start, end)]).split())
            names[found[mention].entity][spelled] += 1
    return names


def _pronouns(layout: Layout, found: Sequence[Found]) -> dict[int, Counter[str]]:
    """Count he, she, it and they in each entity, in all their forms."""
    counted: dict[int, Counter[str]] = defaultdict(Counter)
    for start, end, entity in found:
        if end - start == 1 and layout.lower[start] in _SUBJECT_FORMS:
            counted[entity][_SUBJECT_FORMS[layout.lower[start]]] += 1
    return counted


def _character(
    document: Document, number: int, names: Counter[str], pronouns: Counter[str], said: Sequence[int]
) -> Character:
    text, cluster = document.text, document.clusters[number]
    described = " ".join(text.spelled(representative(text, cluster).spans).split())
    name, *others = [name for name, _ in names.most_common()] or [described]
    used = tuple(pronoun for pronoun, _ in pronouns.most_common())
    first = min((mention.start, mention.end) for mention in cluster.mentions)
    place = first if text.running is None else in_characters(text, [first])[0]
    counts = len(cluster.mentions), len(said), sum(said)
    return Character(cluster.id, name, tuple(others), used, *counts, place)
