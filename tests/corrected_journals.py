"""Journals of the workbench, in which what a system found was corrected to a key, edit by edit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.corrections import Step, edited
from referee.corrections.edits import EditError
from referee.corrections.journal import Journal, journal_folder, opened_journal
from referee.model import Document


class Corrector:
    """A person who knows the key."""

    def __init__(self, journal: Journal, length: int) -> None:
        """Take a journal that is open."""
        self.journal, self.length = journal, length

    def edit(self, **asked: Any) -> None:
        """Make an edit, unless it is so already."""
        state, number = self.journal.history.state, self.journal.history.revision + 1
        try:
            change = edited(state, asked, length=self.length, number=number)
        except EditError:
            return
        self.journal.edit(Step(number, asked, change, who="ann", client="test"))

    def ids(self) -> dict[Any, str]:
        """Find the mentions by their spans."""
        return {placed.mention.spans: id_ for id_, placed in self.journal.history.state.mentions.items()}

    def correct(self, key: Document) -> None:
        """Make the annotation that of the key."""
        wanted = {mention.spans for mention in key.mentions}
        for spans, id_ in self.ids().items():
            if spans not in wanted:
                self.edit(op="delete", mention=id_)
        for cluster in key.clusters:
            entity = None
            for mention in cluster.mentions:
                known = self.ids().get(mention.spans)
                if known is None:
                    self.edit(op="add", spans=[list(span) for span in mention.spans], entity=entity)
                elif entity is None:
                    self.edit(op="detach", mention=known)
                else:
                    self.edit(op="move", mention=known, entity=entity)
                placed = self.journal.history.state.mentions[self.ids()[mention.spans]]
                entity = placed.entity


def write_corrected(
    folder: Path, pairs: Iterable[tuple[Document, Document]], *, finished: bool = True
) -> list[int]:
    """Write a journal for each pair of what was found and its key; give the number of edits of each."""
    edits = []
    with journal_folder(folder):
        for found, key in pairs:
            journal = opened_journal(folder, found, made_by="neural", source="test", who="ann")
            Corrector(journal, len(found.words)).correct(key)
            if finished:
                journal.finish("test", done=True)
            journal.close()
            edits.append(len(journal.history.past))
    return edits
