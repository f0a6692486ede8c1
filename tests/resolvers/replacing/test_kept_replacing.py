"""What phrases are called, who is a person, and what is replaced in our fifteen texts stays as it was."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import pytest

import kept
from referee.language import english
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.names import name_occurrences
from referee.resolvers.replacing.edits import edited
from referee.resolvers.replacing.naming import Called, called, is_pronominal, naming_rank, possessive
from referee.resolvers.replacing.people import is_person
from referee.resolvers.replacing.pronouns import replace_pronouns
from referee.resolvers.replacing.pseudonyms import pseudonymise
from referee.resolvers.replacing.words import WordsOf
from stated_texts import TEXTS
from varied_running import RUNNING, resolved_at_random


@cache
def text(name: str) -> Text:
    return cut_raw(Text(name, (), (), running=RUNNING[name]))


def vars_of(found: Called) -> tuple[object, ...]:
    return found.name, found.words, found.is_name, found.is_several


def test_what_phrases_are_called() -> None:
    kept.check("naming", {name: shown_naming(text(name)) for name in RUNNING})


def shown_naming(text: Text) -> list[str]:
    words = WordsOf(text)
    lines = []
    for first, last in text.sentences:
        for start in range(first, last, 2):
            width = 1 + (start * 5 + first) % 6
            mention = Mention.at(start, min(start + width, last))
            cluster = Cluster("0", (mention,))
            found = called(words, cluster)
            lines.append(
                f"{text.spelled(mention.spans)}: {naming_rank(text, mention)} "
                f"{is_pronominal(text, mention):d} {is_person(words, cluster):d} "
                f"{[*vars_of(found), possessive(found)] if found else ''}"
            )
    return lines


def resolved(name: str) -> Document:
    """Put names with one last word together, and pronouns with the name before them."""
    begins = [False] * text(name).length
    for start, _ in text(name).sentences:
        begins[start] = True
    clusters: dict[str, list[Mention]] = {}
    names = {found.start: found for found in name_occurrences(text(name).words, begins)}
    last = ""
    for word, spelled in enumerate(text(name).words):
        if word in names:
            last = names[word].name.words[-1]
            clusters.setdefault(last, []).append(Mention.at(names[word].start, names[word].end))
        elif spelled.lower() in english.PERSONAL and last:
            clusters[last].append(Mention.at(word, word + 1))
    return Document(text(name), tuple(Cluster(key, tuple(some)) for key, some in clusters.items()))


def shown_replacing(document: Document) -> list[list[str]]:
    plain, invented = replace_pronouns(document), pseudonymise(document, 3)
    assert edited(invented.text, invented.undoing) == document.text.running
    return [
        [f"{change}" for change in plain.changes],
        [f"{each}" for each in plain.left],
        [f"{change}" for change in invented.changes],
        [f"{each}" for each in invented.left],
    ]


@pytest.fixture
def english_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what recognises languages, which takes long to load."""
    for module in ("pronouns", "pseudonyms"):
        monkeypatch.setattr(f"referee.resolvers.replacing.{module}.refuse_unless_english", lambda *_: None)


@pytest.mark.usefixtures("english_only")
def test_what_is_replaced() -> None:
    names = [*[*TEXTS][::2], "dialogue"]
    kept.check("replacing", {name: shown_replacing(resolved(name)) for name in names})


VARIANTS = 16


@pytest.mark.usefixtures("english_only")
@pytest.mark.parametrize("name", RUNNING)
def test_a_text_with_changes_at_random(name: str) -> None:
    """What is called how and what is replaced, summed up: the tests above show it."""
    shown = []
    for number in range(VARIANTS):
        document = resolved_at_random(name, number, phrases=number % 2 > 0)
        people = [str(is_person(WordsOf(document.text), cluster)) for cluster in document.clusters]
        each = shown_naming(document.text), people, *shown_replacing(document)
        shown.append([crc32("\n".join(part).encode()) for part in each])
    kept.check_one("replacing_varied", name, shown)
