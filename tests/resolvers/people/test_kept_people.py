"""The second pass over our fifteen texts and a long dialogue stays as it was: names, speakers, people."""

from __future__ import annotations

from functools import cache

import kept
from referee.language import english
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.characters import characters_of
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.names import name_occurrences
from referee.resolvers.people.second_pass import found_in, turns_of, with_people
from stated_texts import ROOT, TEXTS

DIALOGUE = (ROOT / "tests" / "data" / "texts" / "ferry.txt").read_text("utf-8")


@cache
def document(name: str) -> Document:
    """Make entities of all pronouns and names, as badly as a resolver might: by turns."""
    running = DIALOGUE if name == "dialogue" else TEXTS[name]
    text = cut_raw(Text(name, (), (), running=running))
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
    shown = {}
    for name in NAMES:
        layout = layout_of(document(name).text)
        names = [
            f"{each.start}-{each.end} {each.name.title} {' '.join(each.name.words)} {each.name.gender}"
            for each in layout.names
        ]
        said = [f"{word} {speaker}" for word, speaker in enumerate(layout.speakers) if word % 10 == 0]
        shown[name] = [names, layout.paragraphs, layout.labels, said, layout.hearers]
    kept.check("people_layout", shown)


def test_who_speaks_to_whom() -> None:
    shown = {}
    for name in NAMES:
        each = document(name)
        entities = [*(cluster.id for cluster in each.clusters), "-"]
        shown[name] = [
            f"{turn.start}-{turn.end} {entities[turn.speaker]} > {entities[turn.hearer]} {turn.how} "
            + " ".join(f"{quote.start}-{quote.end}" for quote in turn.quotes)
            for turn in turns_of(layout_of(each.text), found_in(each))
        ]
    kept.check("people_turns", shown)


def test_who_is_one_person() -> None:
    shown = {}
    for name in NAMES:
        each = document(name)
        shown[name] = [
            ", ".join(f"{each.text.spelled(mention.spans)} {mention.start}" for mention in person)
            for person in with_people(each)
        ]
    kept.check("people_clusters", shown)


def test_characters() -> None:
    shown = {}
    for name in NAMES:
        each = document(name)
        people = Document(
            each.text,
            tuple(Cluster(str(n), tuple(mentions)) for n, mentions in enumerate(with_people(each))),
        )
        found = characters_of(people)
        shown[name] = [
            [list(character) for character in found.characters],
            [
                f"{said.words} {said.characters} {said.speaker} > {said.addressee}"
                for said in found.quotations
            ],
        ]
    kept.check("people_characters", shown)
