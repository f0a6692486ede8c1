"""The second pass over our fifteen texts and a long dialogue stays as it was: names, speakers, people."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import pytest

import kept
from referee.language import english
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.characters import characters_of
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.names import name_occurrences
from referee.resolvers.people.second_pass import found_in, turns_of, with_people
from stated_texts import TEXTS
from varied_running import RUNNING, resolved_at_random


@cache
def document(name: str) -> Document:
    """Make entities of all pronouns and names, as badly as a resolver might: by turns."""
    text = cut_raw(Text(name, (), (), running=RUNNING[name]))
    begins = [False] * text.length
    for start, _ in text.sentences:
        begins[start] = True
    places = {
        (found.start, found.end): found.name.words[-1] for found in name_occurrences(text.words, begins)
    }
    for word, spelled in enumerate(text.words):
        if spelled.lower() in english.PERSONAL:
            places[word, word + 1] = ("it", "he", "she")[word % 3] if word % 4 else spelled.lower()
    clusters: dict[str, list[Mention]] = {}
    for (start, end), entity in sorted(places.items()):
        clusters.setdefault(entity, []).append(Mention.at(start, end))
    return Document(text, tuple(Cluster(entity, tuple(each)) for entity, each in clusters.items()))


NAMES = ["dialogue", *TEXTS]


def test_names_and_paragraphs_and_labels() -> None:
    kept.check("people_layout", {name: shown_layout(document(name)) for name in NAMES})


def shown_layout(document: Document) -> list[object]:
    layout = layout_of(document.text)
    names = [
        f"{each.start}-{each.end} {each.name.title} {' '.join(each.name.words)} {each.name.gender}"
        for each in layout.names
    ]
    said = [f"{word} {speaker}" for word, speaker in enumerate(layout.speakers) if word % 10 == 0]
    return [names, layout.paragraphs, layout.labels, said, layout.hearers]


def test_who_speaks_to_whom() -> None:
    kept.check("people_turns", {name: shown_turns(document(name)) for name in NAMES})


def shown_turns(document: Document) -> list[str]:
    entities = [*(cluster.id for cluster in document.clusters), "-"]
    return [
        f"{turn.start}-{turn.end} {entities[turn.speaker]} > {entities[turn.hearer]} {turn.how} "
        + " ".join(f"{quote.start}-{quote.end}" for quote in turn.quotes)
        for turn in turns_of(layout_of(document.text), found_in(document))
    ]


def test_who_is_one_person() -> None:
    kept.check("people_clusters", {name: shown_people(document(name)) for name in NAMES})


def shown_people(document: Document) -> list[str]:
    return [
        ", ".join(f"{document.text.spelled(mention.spans)} {mention.start}" for mention in person)
        for person in with_people(document)
    ]


def test_characters() -> None:
    kept.check("people_characters", {name: shown_characters(document(name)) for name in NAMES})


def shown_characters(document: Document) -> list[list[object]]:
    people = Document(
        document.text,
        tuple(Cluster(str(n), tuple(mentions)) for n, mentions in enumerate(with_people(document))),
    )
    found = characters_of(people)
    return [
        [list(character) for character in found.characters],
        [f"{said.words} {said.characters} {said.speaker} > {said.addressee}" for said in found.quotations],
    ]


VARIANTS = 20


@pytest.mark.parametrize("name", RUNNING)
def test_a_text_with_changes_at_random(name: str) -> None:
    """Names, turns, people and characters, summed up: the tests above show them."""
    shown = []
    for number in range(VARIANTS):
        document = resolved_at_random(name, number)
        each = [
            shown_layout(document), shown_turns(document), shown_people(document), shown_characters(document),
        ]  # fmt: skip
        shown.append([crc32(repr(part).encode()) for part in each])
    kept.check_one("people_varied", name, shown)
