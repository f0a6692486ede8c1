"""Cuts a document into the words that a page shows: its tokens, or pieces of a running text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.model import Cluster, Document, Mention
from referee.model.characters import in_tokens

NOBODY = "-"  # CoNLL's word for no speaker


@dataclass(frozen=True, slots=True)
class Displayed:
    """A text in words, and where the document's mentions are in it."""

    tokens: Sequence[str]
    ends: Sequence[int]  # of the sentences
    speakers: Sequence[tuple[int, str]]  # the first token of each turn, and who speaks
    moved: dict[Mention, Mention] | None  # where mentions are; None if they are where they were

    def offsets(self, mention: Mention) -> list[int]:
        """List a mention's spans, one after the other."""
        there = mention if self.moved is None else self.moved[mention]
        return [offset for span in there.spans for offset in span]


def displayed(document: Document, mentions: Iterable[Mention]) -> Displayed:
    """Cut a running text at every mention, and at its lines; leave a tokenised one as it is."""
    if document.text is None:
        return Displayed(document.tokens, [end for _, end in document.sentences], _turns(document), None)
    listed = list(mentions)
    one_by_one = tuple(Cluster(str(i), (mention,)) for i, mention in enumerate(listed))
    cut = in_tokens(replace(document, clusters=one_by_one))
    moved = {mention: cluster.mentions[0] for mention, cluster in zip(listed, cut.clusters, strict=True)}
    return Displayed(cut.tokens, [end for _, end in cut.sentences], (), moved)


def _turns(document: Document) -> list[tuple[int, str]]:
    speakers = document.layers.get("speaker", ())
    changes = [
        (token, name) for token, name in enumerate(speakers) if not token or speakers[token - 1] != name
    ]
    return changes if {name for _, name in changes} - {NOBODY} else []
