"""The history of a document's annotation: what was done, undone and can be done again, without end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.corrections.state import Change, State


@dataclass(frozen=True, slots=True)
class Step:
    """One edit that was made: what was asked for, what it changed, when and by whom."""

    number: int
    edit: Mapping[str, Any]
    change: Change
    at: str = ""
    who: str = ""
    client: str = ""

    @property
    def op(self) -> str:
        """The kind of edit."""
        return str(self.edit.get("op"))


@dataclass(frozen=True, slots=True)
class History:
    """An annotation, the edits that led to it, and those that were undone, the last one undone at the end.

    `revision` counts all that was ever done, undoing too: who edits says which revision he saw.
    """

    state: State
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    revision: int = 0
    done: bool = False  # whether a person finished the document
    base: State = field(default_factory=lambda: State({}, {}))  # the annotation as it was read

    @classmethod
    def of(cls, state: State) -> History:
        """Begin with an annotation."""
        return cls(state, base=state)

    def after(self, step: Step) -> History:
        """Make an edit; what was undone before cannot be done again."""
        state = self.state.changed(step.change)
        return replace(self, state=state, past=(*self.past, step), future=(), revision=step.number)

    def undone(self, number: int) -> History:
        """Take back the last edit."""
        step = self.past[-1]
        state = self.state.changed(step.change.inverse)
        past, future = self.past[:-1], (*self.future, step)
        return replace(self, state=state, past=past, future=future, revision=number)

    def redone(self, number: int) -> History:
        """Make the edit again that was undone last."""
        step = self.future[-1]
        state = self.state.changed(step.change)
        past, future = (*self.past, step), self.future[:-1]
        return replace(self, state=state, past=past, future=future, revision=number)

    def finished(self, number: int, *, done: bool) -> History:
        """Mark the document as finished, or as not."""
        return replace(self, done=done, revision=number)
