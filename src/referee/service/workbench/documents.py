"""A document that is open in the workbench: its text, its annotation, its journal, and what systems found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any

from referee.corrections.edits import SUGGESTED, EditError, edited
from referee.corrections.history import History, Step
from referee.corrections.journal import Journal, now
from referee.corrections.state import Change, State, to_document
from referee.corrections.suggestions import Suggestion, in_text_order, suggestions_of
from referee.curation.cases import Case
from referee.exceptions import RefereeError
from referee.model import Cluster, Document, Span
from referee.resolvers.replacing.naming import naming_rank, pronouns_of
from referee.service.workbench.columns import Columns
from referee.service.workbench.tokens import Tokens

Fields = Mapping[str, Any]


class StaleError(RefereeError):
    """An edit of an annotation that has changed since its client saw it."""

    def __init__(self, message: str, revision: int) -> None:
        """Say what happened, and where the annotation stands."""
        super().__init__(message)
        self.revision = revision


@dataclass
class OpenDocument:
    """One document, which one request at a time may read or edit: it holds `lock`."""

    index: int
    journal: Journal
    systems: Mapping[str, tuple[Cluster, ...]] = field(default_factory=dict)  # in the words of this text
    across: bool = False  # whether clusters reach across documents
    cases: tuple[Case, ...] = ()  # what annotators left undecided
    notices: tuple[str, ...] = ()
    lock: RLock = field(default_factory=RLock)
    _suggested: dict[str, tuple[str, Cluster]] = field(default_factory=dict)
    _doubtful: tuple[int, list[tuple[float, str, str]]] = (-1, [])  # at a revision
    _ranks: dict[tuple[Span, ...], tuple[Any, ...]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its name."""
        return self.journal.before.id

    @property
    def history(self) -> History:
        """Its annotation, and the edits that led to it."""
        return self.journal.history

    @property
    def state(self) -> State:
        """Its annotation."""
        return self.history.state

    @property
    def length(self) -> int:
        """The number of its words, with those that are not written."""
        return len(self.journal.before.words)

    @cached_property
    def tokens(self) -> Tokens:
        """Its words as they are shown."""
        return Tokens.of(self.journal.before)

    @cached_property
    def _chains(self) -> dict[str, list[Cluster]]:
        """What systems found, in the order of the text."""
        return {name: in_text_order(clusters) for name, clusters in self.systems.items()}

    @cached_property
    def columns(self) -> Columns:
        """Its mentions as they are scored."""
        return Columns(self.state, self.journal.before.text.length)

    def document(self) -> Document:
        """Give the document as it is now."""
        if not self.history.past:
            return self.journal.before
        return to_document(self.state, self.journal.before, across=self.across)

    def lost_relations(self) -> int:
        """Count relations between entities that are there no more."""
        return len(self.journal.before.relations) - len(self.document().relations)

    def check(self, revision: object) -> None:
        """Refuse a request of a client that has not seen the last edit."""
        if revision != self.history.revision:
            raise StaleError(
                "somebody else, or another window, has edited this document meanwhile; load it again",
                self.history.revision,
            )

    def repeated(self, client: str, step: str) -> tuple[Change, str] | None:
        """Take what a step did, if it was the last that was done, and its answer may have been lost."""
        last, history = self.journal.last, self.history
        if (last.get("client"), last.get("step")) != (client, step):
            return None
        if "undo" in last:
            return history.future[-1].change.inverse, history.future[-1].op
        if "done" in last:
            return Change(), "done"
        return history.past[-1].change, history.past[-1].op

    def edit(self, edit: Fields, client: str, step: str = "") -> Change:
        """Make an edit; it is on the disk when this returns."""
        number = self.history.revision + 1
        asked, suggestion = dict(edit), None
        if edit.get("op") in SUGGESTED:
            suggestion = self.suggestion(edit.get("suggestion"))
            asked |= {
                "system": suggestion.system, "kind": suggestion.kind, "spans": suggestion.spans,
                "antecedent": suggestion.antecedent,
            }  # fmt: skip
        elif isinstance(spans := edit.get("spans"), list):
            asked["spans"] = self._in_words(spans)
        change = edited(self.state, asked, length=self.length, number=number, suggestion=suggestion)
        self.journal.edit(Step(number, asked, change, now(), self.journal.who, client), step)
        self._follow(change)
        return change

    def _in_words(self, spans: list[Any]) -> Any:
        """Tell spans of tokens in words; what is no span stays, and is refused as such."""
        pairs = all(isinstance(span, list) and len(span) == 2 for span in spans)
        if not pairs or not all(type(edge) is int for span in spans for edge in span):
            return spans
        return self.tokens.to_words([(start, end) for start, end in spans])

    def undo(self, client: str, step_id: str = "") -> tuple[Change, str]:
        """Take back the last edit; also say which it was."""
        if not self.history.past:
            raise EditError("there is nothing to undo")
        step = self.history.past[-1]
        self.journal.undo(client, step_id)
        self._follow(step.change.inverse)
        return step.change.inverse, step.op

    def redo(self, client: str, step_id: str = "") -> tuple[Change, str]:
        """Make the edit again that was undone last."""
        if not self.history.future:
            raise EditError("there is nothing to do again")
        step = self.history.future[-1]
        self.journal.redo(client, step_id)
        self._follow(step.change)
        return step.change, step.op

    def _follow(self, change: Change) -> None:
        self.columns.change(change)

    def suggestions(self) -> list[Suggestion]:
        """List what systems found and the annotation lacks, without what was refused."""
        found = []
        for name, clusters in self._chains.items():
            by_spans = {mention.spans: cluster for cluster in clusters for mention in cluster.mentions}
            for suggestion in suggestions_of(self.state, clusters, name):
                found.append(suggestion)
                self._suggested[suggestion.id] = name, by_spans[suggestion.spans]
        return found

    def suggestion(self, id_: object) -> Suggestion:
        """Find a suggestion that holds now."""
        if id_ not in self._suggested:
            self.suggestions()  # what was listed before is known by its id
        if id_ in self._suggested:
            system, cluster = self._suggested[str(id_)]
            for suggestion in suggestions_of(self.state, [cluster], system):
                if suggestion.id == id_:
                    return suggestion
        raise EditError("this suggestion does not hold any more: the annotation has changed since")

    def doubtful(self) -> list[tuple[float, str, str]]:
        """List links by the resolver's confidence, the lowest first: confidence, mention and antecedent.

        What a person decided is not among them.
        """
        if self._doubtful[0] != self.history.revision:
            self._doubtful = self.history.revision, self._doubts()
        return self._doubtful[1]

    def _doubts(self) -> list[tuple[float, str, str]]:
        chains = sorted(self.state.mentions.items(), key=lambda item: item[1].mention.spans)
        last: dict[str, str] = {}
        found = []
        for id_, placed in chains:
            score = placed.mention.link_score
            if score is not None and not placed.confirmed and placed.entity in last:
                found.append((score, id_, last[placed.entity]))
            last[placed.entity] = id_
        return sorted(found, key=lambda link: link[0])

    def label(self, mentions: Iterable[str]) -> str:
        """Write the mention that names an entity best."""
        text = self.journal.before.text
        state = self.state.mentions
        best = min((self._rank(state[id_].mention.spans, id_) for id_ in mentions), default=None)
        return "" if best is None else text.spelled(best[-1])

    def _rank(self, spans: tuple[Span, ...], id_: str) -> tuple[Any, ...]:
        """Say how well a mention names its entity, and remember it."""
        rank = self._ranks.get(spans)
        if rank is None:
            text = self.journal.before.text
            rank = (*naming_rank(text, self.state.mentions[id_].mention, pronouns_of(text)), spans)
            self._ranks[spans] = rank
        return rank
