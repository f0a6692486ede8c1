"""A text as the rules see it: words with tags, lemmas, governors and relations; names; sentences.

Relations are spaCy's (ClearNLP's). Everything comes from the layers of a text, wherever they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.exceptions import ProtocolError
from referee.model import Text
from referee.model.layers import ENTITY, HEAD, LEMMA, POS, ROOT, SPEAKER

RELATION = "deprel"  # the layer of relations
NOBODY = "-"
NOUN_TAGS = frozenset(("NN", "NNS", "NNP", "NNPS"))
NAME_TAGS = frozenset(("NNP", "NNPS"))
PRONOUN_TAGS = frozenset(("PRP", "PRP$"))
SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))


class Named(NamedTuple):
    """A named entity: its words and its label."""

    start: int
    end: int
    label: str


class Parse:
    """The columns of a text, its dependency tree, its names and its sentences."""

    def __init__(self, text: Text) -> None:
        """Look at a text that has the layers."""
        missing = [layer for layer in (POS, LEMMA, HEAD, RELATION) if layer not in text.layers]
        if missing:
            raise ProtocolError(f"{text.id}: rules need the layers {', '.join(missing)}; give nlp=spacy")
        length = text.length
        self.text = text
        self.words = list(text.words[:length])
        self.lower = [word.lower() for word in self.words]
        self.tags = list(text.layers[POS][:length])
        self.lemmas = [lemma.lower() for lemma in text.layers[LEMMA][:length]]
        self.heads = [
            word if head == ROOT else int(head) for word, head in enumerate(text.layers[HEAD][:length])
        ]
        self.relations = list(text.layers[RELATION][:length])
        self._cut_circles()
        self.speakers = list(text.layers.get(SPEAKER, (NOBODY,) * length)[:length])
        self.sentences = list(text.sentences)
        self.sentence_of = [0] * length
        for number, (start, end) in enumerate(self.sentences):
            self.sentence_of[start:end] = [number] * (end - start)
        self.children: list[list[int]] = [[] for _ in self.words]
        for word, head in enumerate(self.heads):
            if head != word:
                self.children[head].append(word)
        self.names = list(named_entities(text.layers.get(ENTITY, ())[:length]))
        self.name_at: dict[int, Named] = {
            word: name for name in self.names for word in range(name.start, name.end)
        }

    def _cut_circles(self) -> None:
        """Make a root of a word that depends on itself in the end, where a tree has a circle."""
        seen = [0] * len(self.heads)  # the walk that a word was met on
        for start in range(len(self.heads)):
            word = start
            while not seen[word]:
                seen[word] = start + 1
                if not 0 <= self.heads[word] < len(self.heads):
                    self.heads[word] = word
                word = self.heads[word]
            if seen[word] == start + 1:
                self.heads[word] = word

    def below(self, word: int, skip: frozenset[int] = frozenset()) -> list[int]:
        """List a word and all that depends on it, without the branches to skip."""
        listed, waiting = [], [word]
        while waiting:
            listed.append(waiting.pop())
            waiting += [child for child in self.children[listed[-1]] if child not in skip]
        return listed

    def child(self, word: int, *relations: str) -> int | None:
        """Find the first dependent of a word with one of these relations."""
        return next((child for child in self.children[word] if self.relations[child] in relations), None)

    def clause(self, word: int) -> int:
        """Find the verb that a word depends on, or the root of its sentence."""
        while self.heads[word] != word:
            word = self.heads[word]
            if self.tags[word].startswith("V") or self.tags[word] == "MD":
                return word
        return word


def named_entities(cells: Sequence[str]) -> Iterator[Named]:
    """Read named entities from cells as CoNLL-2012 has them.

    >>> list(named_entities(["(PERSON*", "*)", "*", "(GPE)"]))
    [Named(start=0, end=2, label='PERSON'), Named(start=3, end=4, label='GPE')]
    """
    start, label = 0, ""
    for word, cell in enumerate(cells):
        if cell.startswith("("):
            start, label = word, cell.strip("(*)")
        if cell.endswith(")") and label:
            yield Named(start, word + 1, label)
            label = ""
