"""I and you of those who talk in French and Dutch novels."""

from __future__ import annotations

from referee.language.word_classes import classes_of
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.dialogues import _says_own_name, with_dialogues

FRENCH = "« Je viens », dit Paul. « Tu mens », répondit Anne. « Je ne mens jamais. » « Je te connais. »"


def named(running: str, language: str, clusters: list[list[tuple[str, int]]]) -> list[list[str]]:
    """Give the words of clusters as they come out; each mention is a word and which of its kind it is."""
    text = cut_raw(Text("d", (), (), running=running), language)
    places: dict[str, list[int]] = {}
    for place, word in enumerate(text.words):
        places.setdefault(word, []).append(place)
    given = [
        Cluster(str(n), tuple(Mention.at(places[word][k], places[word][k] + 1) for word, k in each))
        for n, each in enumerate(clusters)
    ]
    result = with_dialogues(Document(text, tuple(given)), language)
    return [[text.words[mention.start] for mention in cluster] for cluster in result]


def test_i_and_you_are_those_who_talk_by_turns() -> None:
    """Also of turns beside which nobody is named: two people talk by turns."""
    wrong = [[("Je", 0), ("Je", 1), ("Je", 2), ("te", 0), ("Anne", 0)], [("Paul", 0), ("Tu", 0)]]
    assert named(FRENCH, "fr", wrong) == [["Je", "Paul", "Tu", "Je"], ["Anne", "Je", "te"]]


def test_who_is_called_is_you() -> None:
    """A name set off by a mark and a comma, though somebody else spoke before."""
    text = "« Je pars », dit Paul. « Louise, vous restez », dit Anne."
    assert named(text, "fr", [[("Paul", 0), ("vous", 0)], [("Louise", 0)], [("Anne", 0)]]) == [
        ["Paul"], ["Louise", "vous"], ["Anne"],
    ]  # fmt: skip


def test_pronouns_beside_a_turn_name_nobody() -> None:
    """Whom he means was decided by what is less sure than a name."""
    text = "« Je pars », dit-il à Paul."
    assert named(text, "fr", [[("Je", 0), ("Paul", 0)]]) == [["Je", "Paul"]]


def test_a_language_without_verbs_of_speech_stays_as_it_is() -> None:
    """Japanese has no table of them."""
    text = Document.of("d", list("abc"), [(0, 3)], [Cluster("0", (Mention.at(0, 1), Mention.at(2, 3)))])
    assert with_dialogues(text, "ja") == [list(text.clusters[0].mentions)]


TOLD_NAMES = "Ik heet Sanne . Mijn broer heet Joris . Mijn heet Piet heet"
ASKED = "« Qui es - tu ? » demanda - elle . « Je suis meunier . » Elle"


def test_who_says_her_own_name_is_she_and_her_brother_is_not() -> None:
    said = "« Je m' appelle Anne . » « Mon frère s' appelle Jean ."
    assert _says_own_name(said.split(), Mention.at(4, 5), classes_of("fr"))
    assert not _says_own_name(said.split(), Mention.at(12, 13), classes_of("fr"))
    dutch = TOLD_NAMES.split()
    named = [
        at for at in range(len(dutch)) if _says_own_name(dutch, Mention.at(at, at + 1), classes_of("nl"))
    ]
    assert [dutch[at] for at in named] == ["Sanne"]


def test_who_was_asked_answers() -> None:
    words = ASKED.split()
    spans = [(9, 10), (12, 13), (17, 18)], [(4, 5)]
    wrong = [Cluster(str(n), tuple(Mention.at(*span) for span in each)) for n, each in enumerate(spans)]
    both = with_dialogues(Document.of("d", words, [(0, 11), (11, 17), (17, 18)], wrong), "fr")
    assert [[words[mention.start] for mention in cluster] for cluster in both] == [
        ["tu", "Je"],
        ["elle", "Elle"],
    ]
