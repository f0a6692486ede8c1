"""Universal Dependencies become the trees that the rules read."""

from __future__ import annotations

import pytest

import referee
from camp_texts import by_hand
from referee.exceptions import ProtocolError
from referee.model import Document
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.spacy_parsing import as_clear_trees

# words, UD heads (from 1, 0 the root) and relations; and what the rules read
TREES = [
    ("she lives in Leeds", "2 0 4 2", "nsubj root case obl", "2 0 2 3", "nsubj ROOT prep pobj"),
    ("Clara 's dog barks", "3 1 4 0", "nmod:poss case nsubj root", "3 1 4 0", "poss case nsubj ROOT"),
    ("Clara is a painter", "4 4 4 0", "nsubj cop det root", "2 0 4 2", "nsubj ROOT det attr"),
    ("Nora Finch saw it", "3 1 0 3", "nsubj flat root obj", "2 3 0 3", "compound nsubj ROOT dobj"),
    ("she is in Leeds", "4 4 4 0", "nsubj cop case root", "2 0 2 3", "nsubj ROOT prep pobj"),
    ("dogs were seen", "3 3 0", "nsubj:pass aux:pass root", "3 3 0", "nsubjpass auxpass ROOT"),
]


def counted(heads: str) -> list[int]:
    return [number if head == "0" else int(head) - 1 for number, head in enumerate(heads.split())]


@pytest.mark.parametrize(("words", "heads", "relations", "new", "named"), TREES, ids=lambda value: value[:20])
def test_content_words_no_longer_govern(words: str, heads: str, relations: str, new: str, named: str) -> None:
    made, names = as_clear_trees(counted(heads), relations.split())
    assert (made, names) == (counted(new), named.split()), words


def test_a_text_brings_its_own_trees() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    words = ["Clara", "smiled", ".", "She", "lives", "in", "Leeds", "."]
    layers = {
        "head": ("1", "-", "1", "4", "-", "6", "4", "4"),
        "deprel": ("nsubj", "root", "punct", "nsubj", "root", "case", "obl", "punct"),
    }
    document = Document.of("d", words, [(0, 3), (3, 8)], [], layers)
    result = referee.resolve(document, layers=["head", "deprel"])
    assert result.get_clusters() == [["Clara", "She"]]
    with pytest.raises(ProtocolError, match="a tree is both of the layers head and deprel"):
        referee.resolve(document, layers=["head"])


def test_a_circle_is_cut() -> None:
    text = by_hand("a DT a 2 det\nb NN b 1 dobj\nc NN c 2 dobj")
    parse = Parse(text)
    assert parse.clause(2) in (0, 1, 2)
    assert sorted(parse.below(2)) == [2]
