"""A corpus seen by another layer of clusters: discourse deixis, for whatever works on identity."""

from __future__ import annotations

from collections.abc import Sequence

from referee.model.anaphora import Anaphora
from referee.model.chains import Chains
from referee.model.corpus import Corpus, CorpusView
from referee.model.text import Document


class LayerView(CorpusView):
    """The clusters of another layer of the documents, as of discourse deixis, instead of identity."""

    def __init__(self, corpus: Corpus, layer: str) -> None:
        """Choose the layer."""
        super().__init__(corpus)
        self.layer = layer

    def document(self, number: int) -> Document:
        """Read a document with the clusters of the layer."""
        return self.corpus.document(number).of_layer(self.layer)

    def salvage(self, number: int) -> Document:
        """Read what can be read of a document."""
        return self.corpus.salvage(number).of_layer(self.layer)

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read the mentions of the layer."""
        return Chains.of(None if number is None else self.document(number) for number in numbers)

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read the mentions of the layer, with its sets."""
        del bridging
        return Anaphora.of(None if number is None else self.document(number) for number in numbers)

    def over(self, corpus: Corpus) -> Corpus:
        """Look at the same layer of another corpus."""
        return LayerView(corpus, self.layer)
