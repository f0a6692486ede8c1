"""The table of characters: names, pronouns, counts, and what is said by whom."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.model import Cluster, Document, Mention, Text
from referee.page.resolved import resolved_page
from referee.resolvers.characters import characters_of
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.resolved import Resolved
from referee.tables.characters import characters_output
from referee.tables.rendering import as_csv, as_json, as_text

RUNNING = """Mrs. Harlow came in. Nora Harlow saw her.

"I am wet," said Mrs. Harlow.

"Sit down, then," said Nora. "I will help."
"""


@pytest.fixture
def document() -> Document:
    text = cut_raw(Text("d", (), (), running=RUNNING))
    at = {word: [i for i, each in enumerate(text.words) if each == word] for word in text.words}
    harlow, nora, first = at["Mrs."], at["Nora"], at["I"]
    mother = [(each, each + 2) for each in harlow] + [
        (at["her"][0], at["her"][0] + 1),
        (first[0], first[0] + 1),
    ]
    child = [(nora[0], nora[0] + 2), (nora[1], nora[1] + 1), (first[1], first[1] + 1)]
    clusters = [
        Cluster(str(n), tuple(Mention.at(*m) for m in sorted(c))) for n, c in enumerate((mother, child))
    ]
    return Document(text, tuple(clusters))


def test_who_is_there_and_what_they_say(document: Document) -> None:
    found = characters_of(document)
    mother, child = found.characters
    assert mother == ("0", "Mrs. Harlow", (), ("she",), 4, 1, 3, (0, 11))
    assert child[1:7] == ("Nora Harlow", ("Nora",), (), 3, 2, 6)
    said = [(each.text, each.speaker, each.addressee) for each in found.quotations]
    assert said == [('"I am wet,"', "0", "1"), ('"Sit down, then,"', "1", "0"), ('"I will help."', "1", "0")]
    assert all(RUNNING[slice(*each.characters)] == each.text for each in found.quotations if each.characters)


def test_the_same_in_all_forms(document: Document) -> None:
    output = characters_output(Resolved(document).characters)
    assert "Nora Harlow" in as_text(output)
    assert as_csv(output).splitlines()[1] == "d,0,Mrs. Harlow,,she,4,1,3,0,11"
    data = json.loads(as_json(output))
    assert data["quotations"][0]["speaker"] == data["characters"][0]["entity"]
    assert list(Resolved(document).characters.to_frame()["words_said"]) == [3, 6]


def test_the_page_lists_them(document: Document) -> None:
    page = resolved_page([document], "t")
    assert "<caption>Characters</caption>" in page
    assert "<td>Nora Harlow</td>" in page
    assert "Characters" not in resolved_page([Document(document.text, ())], "t")


def test_names_are_escaped() -> None:
    text = cut_raw(Text("d", (), (), running="<b>Nora met Nora. She left."))
    mentions = tuple(Mention.at(i, i + 1) for i, word in enumerate(text.words) if word in ("Nora", "She"))
    assert "<b>" not in resolved_page([Document(text, (Cluster("0", mentions),))], "t").split("<main>")[1]


@pytest.mark.parametrize(
    "options", [("-f", "json"), ("--characters", "--replace"), ("--characters", "--to", "conll", "-o", "x")]
)
def test_options_that_do_nothing_are_refused(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["resolve", "story.txt", *options])
    assert result.exit_code == 2
