"""What each component links, what of it is wrong, and how it scores alone and with earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from camp_texts import by_hand
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.component_study import ComponentRow, study_components

TABLE = """
Clara    NNP  Clara   2 nsubj (PERSON)
smiled   VBD  smile   0 ROOT
.        .    .       2 punct

Clara    NNP  Clara   2 nsubj (PERSON)
opened   VBD  open    0 ROOT
the      DT   the     4 det
letter   NN   letter  2 dobj
.        .    .       2 punct

She      PRP  she     2 nsubj
read     VBD  read    0 ROOT
it       PRP  it      2 dobj
.        .    .       2 punct
"""
CLARA, AGAIN, LETTER, SHE, IT = (Mention.at(*span) for span in ((0, 1), (3, 4), (5, 7), (8, 9), (10, 11)))


class HandParsed(Camp):
    """Camp over texts that are parsed by hand."""

    def parsed(self, texts: Iterable[Text]) -> Iterator[tuple[Text, Text]]:
        return ((text, by_hand(TABLE) if text.words else text) for text in texts)


def key() -> DocumentCorpus:
    """Two texts, one of them empty; in the key the letter is not what she read."""
    text = by_hand(TABLE)
    clusters = [Cluster("0", (CLARA, AGAIN, SHE)), Cluster("1", (LETTER,)), Cluster("2", (IT,))]
    return DocumentCorpus([Document(text, tuple(clusters)), Document(Text("empty", (), ()), ())])


def test_each_component_has_its_links_and_its_wrong_ones() -> None:
    progress: list[int] = []
    rows = study_components(key(), HandParsed(recall=True), progress.append)
    assert progress == [1, 1]
    links = {row.name: row.links for row in rows if row.links}
    assert links == {"names": 1, "pronouns": 2}
    assert [dict(row.wrong) for row in rows if row.links] == [{}, {"pronoun": 1}]


def test_a_component_is_scored_alone_and_with_earlier_ones() -> None:
    names, pronouns = study_components(key(), HandParsed(recall=True, only=("names", "pronouns")))
    assert (names.name, pronouns.name) == ("names", "pronouns")

    def muc(row: ComponentRow) -> list[float]:
        return [round(score.scores["muc"].recall, 3) for score in row.scores]

    assert muc(names) == [0.5, 0.5]  # Clara, Clara
    assert muc(pronouns) == [0.5, 1.0]  # she with the nearer Clara; with names, all three
