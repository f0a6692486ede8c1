"""What phrases are called, who is a person, and what is replaced in our fifteen texts stays as it was."""

from __future__ import annotations

from functools import cache

import pytest

import kept
from referee.language import english
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.names import name_occurrences
from referee.resolvers.replacing.naming import Called, called, is_pronominal, naming_rank, possessive
from referee.resolvers.replacing.people import is_person
from referee.resolvers.replacing.pronouns import replace_pronouns
from referee.resolvers.replacing.pseudonyms import pseudonymise
from referee.resolvers.replacing.words import WordsOf
from stated_texts import ROOT, TEXTS

FERRY = (ROOT / "tests" / "data" / "texts" / "ferry.txt").read_text("utf-8")
RUNNING = {**TEXTS, "ferry": FERRY}


@cache
def text(name: str) -> Text:
    return cut_raw(Text(name, (), (), running=RUNNING[name]))


def vars_of(found: Called) -> tuple[object, ...]:
    return found.name, found.words, found.is_name, found.is_several


def test_what_phrases_are_called() -> None:
    shown = {}
    for name in RUNNING:
        words = WordsOf(text(name))
        lines = []
        for first, last in text(name).sentences:
            for start in range(first, last, 2):
                width = 1 + (start * 5 + first) % 6
                mention = Mention.at(start, min(start + width, last))
                cluster = Cluster("0", (mention,))
                found = called(words, cluster)
                lines.append(
                    f"{text(name).spelled(mention.spans)}: {naming_rank(text(name), mention)} "
                    f"{is_pronominal(text(name), mention):d} {is_person(words, cluster):d} "
                    f"{[*vars_of(found), possessive(found)] if found else ''}"
                )
        shown[name] = lines
    kept.check("naming", shown)


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


def test_what_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pronouns", "pseudonyms"):  # which would load what recognises languages
        monkeypatch.setattr(f"referee.resolvers.replacing.{module}.refuse_unless_english", lambda *_: None)
    shown = {}
    for name in [*[*TEXTS][::2], "ferry"]:
        plain, invented = replace_pronouns(resolved(name)), pseudonymise(resolved(name), 3)
        shown[name] = [
            [f"{change}" for change in plain.changes],
            [f"{each}" for each in plain.left],
            [f"{change}" for change in invented.changes],
            [f"{each}" for each in invented.left],
        ]
    kept.check("replacing", shown)
