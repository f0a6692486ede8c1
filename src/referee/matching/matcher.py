"""Matches mentions as a protocol says, with the parse trees or annotated minimum spans that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from referee.exceptions import ProtocolError
from referee.matching.matchings import MATCHINGS, Numbers
from referee.matching.protocol import Protocol
from referee.model import Chains, Corpus

if TYPE_CHECKING:  # most are matched without trees
    from referee.formats.conll.rows import Rows
    from referee.language.trees.parses import Parses

PathName = str | PathLike[str]


class Matched(NamedTuple):
    """Numbers for the mentions of a batch, and what the trees were that they were found by, if any."""

    numbers: Numbers
    unread: int  # mentions whose tree cannot be read
    trees: Sequence[bytes]  # a digest of each document's trees


@dataclass(frozen=True, slots=True)
class Matcher:
    """Matches the mentions of a key with those of responses, batch by batch."""

    key: Corpus
    match: str
    parses: Parses | None

    @classmethod
    def of(cls, key: Corpus, protocol: Protocol, parses: PathName | None = None) -> Matcher:
        """Find what the matching needs, or say what is missing and how to get it."""
        if protocol.by_corefud or protocol.by_ua:
            return cls(key, protocol.match, None)
        if MATCHINGS[protocol.match].needs_minimums and not has_minimum_spans(key):
            raise ProtocolError(
                f"{key.name}: has no annotated minimum spans, which match='{protocol.match}' needs: "
                "MUC's SGML (MIN), MMAX2 as in ARRAU (min_ids), CONLL-UA (Min) and GUM's CoNLL-U (minspan) "
                "have them; match='mina' finds them in trees"
            )
        if not protocol.needs_trees:
            return cls(key, protocol.match, None)
        from referee.language.trees.parses import parses_of

        skip_bad = protocol.bad_parses == "skip"
        return cls(key, protocol.match, parses_of(key, parses, skip_bad=skip_bad, match=protocol.match))

    def read_key(self, numbers: Sequence[int]) -> tuple[Chains, Rows | None]:
        """Read the key's mentions, and its rows if trees are to be found for them."""
        return self.parses.chains_and_rows(numbers) if self.parses else (self.key.chains(numbers), None)

    def number(self, numbers: Sequence[int], key: Chains, response: Chains, rows: Rows | None) -> Matched:
        """Number mentions so that those that are the same have the same number."""
        trees = self.parses.trees(numbers, (key, response), rows) if self.parses and rows else None
        matched = MATCHINGS[self.match].number(key, response, trees)
        if trees is None:
            return Matched(matched, 0, ())
        from referee.language.trees.parses import skipped_mentions

        return Matched(matched, skipped_mentions(trees, (key, response)), trees.digests())


def has_minimum_spans(key: Corpus) -> bool:
    """Look for an annotated minimum span."""
    return any(mention.minimum for document in key for mention in document.mentions)
