"""What a store has, as it is worked with: texts, mentions in columns, joins, decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.exceptions import FormatError
from referee.model import Document, DocumentCorpus, Text
from referee.resolvers.across.explaining import ExplainedJoin, Explainer, JoinedMentions, MentionKey
from referee.resolvers.across.linkage import Join
from referee.resolvers.across.mention_table import MentionTable
from referee.resolvers.across.mentions import MentionArrays
from referee.resolvers.across.neighbours import RowPairs, Vectors
from referee.resolvers.across.store import files
from referee.resolvers.across.store.decisions import (
    MERGE,
    RENAME,
    SPLIT,
    Decision,
    read_decisions,
)
from referee.resolvers.across.store.entities import entity_labels

GONE = "gone"
HALF = np.dtype("<f2")


def digest_of(text: Text) -> str:
    """Say by which a text is recognised: its words, whatever it is called."""
    return blake2b("\x00".join(text.words).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def text_line(text: Text, whole: Sequence[str]) -> dict[str, Any]:
    """Write a text for its file, and all words of it where only some are annotated; layers are left out."""
    value: dict[str, Any] = {
        "id": text.id, "digest": digest_of(text), "words": text.words, "topic": text.topic,
        "sentences": [edge for span in text.sentences for edge in span], "subtopic": text.subtopic,
    }  # fmt: skip
    if tuple(whole) != text.words:
        value["whole"] = list(whole)
    if text.running is not None:
        value |= {"running": text.running, "characters": [edge for span in text.characters for edge in span]}
    return value


def _text(line: Mapping[str, Any]) -> Text:
    characters = line.get("characters", [])
    return Text(
        line["id"], tuple(line["words"]), _spans(line["sentences"]), running=line.get("running"),
        characters=_spans(characters), cut="running" in line, topic=line["topic"], subtopic=line["subtopic"],
    )  # fmt: skip


def _spans(edges: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True)
class Contents:
    """A store that was read: nothing of it changes."""

    folder: Path
    manifest: files.Manifest
    texts: tuple[Text, ...]  # also those that were replaced
    whole: tuple[Sequence[str], ...]  # all words of each, annotated or not
    digests: tuple[str, ...]
    gone: frozenset[int]
    decisions: tuple[Decision, ...]

    @classmethod
    def read(cls, folder: Path, manifest: files.Manifest) -> Contents:
        """Read a store."""
        texts, digests, gone = list[Text](), list[str](), set[int]()
        whole = list[Sequence[str]]()
        for number, line in enumerate(files.text_lines(folder, manifest), start=1):
            try:
                if GONE in line:
                    gone.add(line[GONE])
                else:
                    texts.append(_text(line))
                    digests.append(line["digest"])
                    whole.append(line.get("whole", texts[-1].words))
            except (KeyError, TypeError, ValueError) as error:
                raise FormatError(
                    f"{folder / files.TEXTS}:{number}: not a text of a store: {error!r}"
                ) from error
        path = folder / files.DECISIONS
        decisions = tuple(read_decisions(path)) if path.exists() else ()
        return cls(folder, manifest, tuple(texts), tuple(whole), tuple(digests), frozenset(gone), decisions)

    @cached_property
    def rows(self) -> files.Rows:
        """The mentions."""
        kind = files.mention_type(self.manifest.widths.get("places", 0))
        return np.array(files.stored_rows(self.folder, self.manifest, files.MENTIONS, kind))

    @cached_property
    def joins(self) -> files.Rows:
        """What was joined, step by step."""
        return np.array(files.stored_rows(self.folder, self.manifest, files.JOINS, files.JOIN_TYPE))

    @cached_property
    def taken_back(self) -> files.Rows:
        """Which joins were taken back, and in which addition."""
        kind = files.TAKEN_BACK_TYPE
        return np.array(files.stored_rows(self.folder, self.manifest, files.TAKEN_BACK, kind))

    @cached_property
    def held(self) -> BoolArray:
        """Which joins were not taken back."""
        held = np.ones(self.joins.size, np.bool_)
        held[self.taken_back["join"]] = False
        return held

    def vectors(self, name: str, width: str) -> Vectors:
        """The vectors of mentions, or states of passages, read when they are asked for."""
        wide = self.manifest.widths.get(width, 0)
        return files.stored_rows(self.folder, self.manifest, name, HALF, wide)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each text that was not replaced, by its name."""
        return {text.id: number for number, text in enumerate(self.texts) if number not in self.gone}

    @cached_property
    def alive(self) -> BoolArray:
        """Which mentions are of texts that were not replaced."""
        return ~np.isin(self.rows["document"], sorted(self.gone))

    @cached_property
    def known(self) -> dict[MentionKey, int]:
        """The row of each mention of a text that was not replaced."""
        rows = np.flatnonzero(self.alive)
        columns = zip(*(self.rows[name][rows].tolist() for name in ("document", "start", "end")), strict=True)
        return {
            MentionKey(self.texts[document].id, start, end + 1): row
            for row, (document, start, end) in zip(rows.tolist(), columns, strict=True)
        }

    @cached_property
    def _explainer(self) -> Explainer:
        document, start, end, kind = (self.rows[name] for name in ("document", "start", "end", "kind"))
        return Explainer(JoinedMentions(self.texts, document, start, end, kind, self.label, entity_id))

    def explained(self, addition: int | None = None) -> list[ExplainedJoin]:
        """Explain what was joined to what; all, or what was joined in one addition, counted from 1."""
        added = self.joins["addition"]
        return self._explained(range(added.size) if addition is None else np.flatnonzero(added == addition))

    def explained_taken_back(self, addition: int) -> list[ExplainedJoin]:
        """Explain the joins that were taken back in one addition."""
        return self._explained(self.taken_back["join"][self.taken_back["addition"] == addition])

    def _explained(self, numbers: Iterable[int]) -> list[ExplainedJoin]:
        rows, explain = self.joins, self._explainer.explained
        return [
            explain(
                number, Join(*rows[number].tolist()[:3]), int(rows["addition"][number]),
                taken_back=not self.held[number],
            )
            for number in map(int, numbers)
        ]  # fmt: skip

    @cached_property
    def label(self) -> IntArray:
        """The entity of each mention: the first row of it."""
        return self._labels(self.decisions)

    @cached_property
    def parts(self) -> IntArray:
        """The same without the merges of people: a mention may be like one part of what they merged."""
        return self._labels(self._apart_from_merges)

    def parts_of(self, joins: RowPairs, size: int) -> IntArray:
        """The same by other joins, of so many mentions."""
        return entity_labels(joins, self._apart_from_merges, self.known, size)

    @property
    def _apart_from_merges(self) -> list[Decision]:
        return [each for each in self.decisions if each.kind != MERGE]

    def label_without(self, first: int, second: int) -> IntArray:
        """The same if people split the mentions of two rows, which may be of texts that were replaced."""
        one, other = MentionKey("", first, first), MentionKey("", second, second)
        split = Decision(SPLIT, (other,), (one,))
        return self._labels([*self.decisions, split], self.known | {one: first, other: second})

    def _labels(
        self, decisions: Sequence[Decision], known: Mapping[MentionKey, int] | None = None
    ) -> IntArray:
        first, second = (self.joins[name][self.held].astype(np.int64) for name in ("first", "second"))
        pairs = RowPairs(first, second)
        return entity_labels(pairs, decisions, self.known if known is None else known, self.rows.size)

    @property
    def names(self) -> dict[str, str]:
        """What people called entities: id → name."""
        found = {}
        for decision in self.decisions:
            if decision.kind == RENAME and (
                rows := [self.known[k] for k in decision.mentions if k in self.known]
            ):
                found[entity_id(int(self.label[rows[0]]))] = decision.name
        return found

    def mentions(self) -> MentionArrays:
        """The mentions in columns; the last word is included, as scorers have it."""
        rows = self.rows
        vectors = self.vectors(files.VECTORS, "vectors")
        return MentionArrays(
            rows["start"].astype(np.int64), rows["end"].astype(np.int64), rows["score"].astype(np.float64),
            vectors, rows["document"].astype(np.int64), rows["kind"].astype(np.int64),
            rows["places"].astype(np.int64),
        )  # fmt: skip

    def documents(self, *, singletons: bool = False) -> DocumentCorpus:
        """Give the texts with their entities."""
        alive = np.flatnonzero(self.alive)
        numbers = np.array(sorted(self.numbers.values()), np.int64)
        arrays = self.mentions()._replace(vector=np.zeros((self.rows.size, 0), np.float16)).chosen(alive)
        arrays = arrays._replace(document=np.searchsorted(numbers, arrays.document))
        table = MentionTable(
            [Document(self.texts[number], ()) for number in numbers.tolist()], arrays, given=False
        )
        label = self.label[alive]
        return table.clustered(label, table.linked(label, singletons=singletons), entity_id)


def entity_id(label: int) -> str:
    """Name an entity by its first mention: the id stays when mentions are added.

    >>> entity_id(0)
    'e1'
    """
    return f"e{label + 1}"


def places_of(passages: files.Rows) -> dict[tuple[int, int], int]:
    """Say where the states of each passage begin: document, first subword → row."""
    columns = (passages[name].tolist() for name in ("document", "begin", "row"))
    return {(document, begin): row for document, begin, row in zip(*columns, strict=True)}
