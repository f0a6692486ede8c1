"""Who and what occurs in several documents: clusters across documents, each with a name and its mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from referee.model import Document, Mention
from referee.resolvers.replacing import naming_rank

Located = tuple[Document, Mention]


class Recurring(NamedTuple):
    """An entity or event, and where it is mentioned."""

    id: str
    name: str
    mentions: tuple[Located, ...]

    @property
    def documents(self) -> dict[str, list[Mention]]:
        """Its mentions by document, in order."""
        own: dict[str, list[Mention]] = {}
        for document, mention in self.mentions:
            own.setdefault(document.id, []).append(mention)
        return own


def recurring(documents: Sequence[Document], least: int = 2) -> list[Recurring]:
    """List what is mentioned in so many documents at least, the most widespread first."""
    located: dict[str, list[Located]] = {}
    for document in documents:
        for cluster in document.clusters:
            located.setdefault(cluster.id, []).extend((document, mention) for mention in cluster.mentions)
    things = [
        Recurring(id_, _name(mentions), tuple(mentions))
        for id_, mentions in located.items()
        if len({document.id for document, _ in mentions}) >= least
    ]
    return sorted(things, key=lambda thing: (-len(thing.documents), -len(thing.mentions)))


def _name(mentions: Sequence[Located]) -> str:
    """Take the mention that names it best, and of equally good ones the most frequent."""
    said = [" ".join(document.text.spelled(mention.spans).split()) for document, mention in mentions]
    often = Counter(words.lower() for words in said)
    ranks = [
        (naming_rank(document.text, mention), -often[words.lower()], index)
        for index, ((document, mention), words) in enumerate(zip(mentions, said, strict=True))
    ]
    return said[min(ranks)[-1]]
