"""The workbench: a corpus that is open for correction, and the answers to what its page asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import Any

from referee import __version__, formats
from referee.analysis.study import study_of
from referee.comparing.verdicts import Plan
from referee.corrections.state import Change
from referee.display import number_of
from referee.exceptions import RefereeError, did_you_mean
from referee.model import Corpus, Document, DocumentCorpus
from referee.page.data import report_data
from referee.scoring.evaluate import Bar, evaluate
from referee.scoring.task import Task
from referee.service.workbench.answers import Fragments, changes_value, standing
from referee.service.workbench.documents import OpenDocument
from referee.service.workbench.export import Convert, Exported, ending_of, exported
from referee.service.workbench.scoring import PRESENT, LiveScores, difference, score_value

KEY = "key"  # what an overlay is against, unless it names a system
Action = Callable[[OpenDocument, str, str], tuple[Change, str]]  # (document, client, step)


class UnknownError(RefereeError):
    """A document, a system or a format that is not there."""


@dataclass
class Workbench:
    """A corpus that is open for correction.

    `convert` writes documents, as `referee.convert` does; `task` scores them, if there is a key.
    """

    title: str
    folder: Path  # of the journals
    documents: Sequence[OpenDocument]
    convert: Convert
    who: str = ""
    systems: Mapping[str, Corpus] = field(default_factory=dict)
    scores: LiveScores | None = None
    cross_document: bool = False
    notices: tuple[str, ...] = ()
    _lock: RLock = field(default_factory=RLock)
    _scored: dict[int, dict[str, Any]] = field(default_factory=dict)  # document → its score now
    _fragments: dict[int, Fragments] = field(default_factory=dict)
    _all: tuple[int, dict[str, Any], dict[int, float]] | None = None  # at a revision: of all, of each

    def document(self, index: int) -> OpenDocument:
        """Take a document by its number."""
        if not 0 <= index < len(self.documents):
            raise UnknownError(f"there is no document {index}; there are {len(self.documents)}")
        return self.documents[index]

    def prepare(self, progress: Bar) -> None:
        """Make ready what the first request of each document would wait for."""
        with progress(len(self.documents), "preparing") as advance:
            for document in self.documents:
                self.whole(document.index)
                advance(1)

    def state(self) -> dict[str, Any]:
        """Tell the page what is open."""
        score, by_document = self._score_of_all()
        return {
            "version": __version__,
            "title": self.title,
            "who": self.who,
            "journal": str(self.folder),
            "notices": [*self.notices, *(self.scores.notices if self.scores else ())],
            "documents": [self._row(each, by_document.get(each.index)) for each in self.documents],
            "has_key": self.scores is not None,
            "key": self.scores.task.key.name if self.scores else None,
            "systems": [*self.systems],
            "has_cases": any(each.cases for each in self.documents),
            "formats": [
                {"name": name, "label": formats.FORMATS[name].label, "ending": ending_of(name)}
                for name in formats.writable()
            ],
            "score": score,
        }

    def _row(self, document: OpenDocument, score: float | None) -> dict[str, Any]:
        with document.lock:
            state = document.state
            return {
                "index": document.index,
                "id": document.id,
                "words": document.journal.before.text.length,
                "mentions": len(state.mentions),
                "entities": len(state.entities),
                "doubtful": len(document.doubtful()),
                "score": score,
                **standing(document),
            }

    def _score_of_all(self) -> tuple[dict[str, Any] | None, dict[int, float]]:
        """Score all documents, unless nothing has changed since."""
        if self.scores is None:
            return None, {}
        at = sum(each.history.revision for each in self.documents)
        with self._lock:
            if self._all is None or self._all[0] != at:
                result = self.scores.of_all()
                self._all = at, score_value(result), self.scores.by_document(result)
            return self._all[1:]

    def score(self, document: OpenDocument) -> dict[str, Any] | None:
        """Score a document as it is now; None if there is no key for it."""
        if self.scores is None:
            return None
        if document.index not in self._scored:
            result = self.scores.of_document(document.index)
            if result is None:
                return None
            self._scored[document.index] = score_value(result)
        return self._scored[document.index]

    def whole(self, index: int) -> bytes:
        """Tell the page a whole document, in JSON."""
        document = self.document(index)
        with document.lock:
            if index not in self._fragments:
                self._fragments[index] = Fragments(document)
            return self._fragments[index].whole(self.score(document))

    def act(self, index: int, revision: object, client: str, step: str, action: Action) -> dict[str, Any]:
        """Do something with a document; a step that was done already is only answered again."""
        document = self.document(index)
        with document.lock:
            if step and (last := document.repeated(client, step)) is not None:
                return self._delta(document, *last, None)
            document.check(revision)
            before = self.score(document)
            change, op = action(document, client, step)
            if index in self._fragments:
                self._fragments[index].forget(change)
            if self.cross_document:
                self._scored.clear()
            elif change.mentions:
                self._scored.pop(index, None)
            return self._delta(document, change, op, before)

    def _delta(
        self, document: OpenDocument, change: Change, op: str, before: dict[str, Any] | None
    ) -> dict[str, Any]:
        after = self.score(document)
        moved = difference(before, after) if before and after else None
        told = {"op": op, "changes": changes_value(document, change), "score": after, "change": moved}
        return {**standing(document), **told}

    def overlay(self, index: int, against: str) -> dict[str, Any]:
        """Compare a document with the key, or with a system, as the report does."""
        document = self.document(index)
        with document.lock:
            now = document.document()
        key = self._side(against, document.id)
        task = Task.of(
            DocumentCorpus([key], against), [DocumentCorpus([now], PRESENT)], names=[PRESENT],
            protocol=self._protocol(),
        )  # fmt: skip
        study = study_of(task.of_links())
        data = report_data(study, {"": evaluate(task)}, key=against, plan=Plan(samples=1))
        return {**data, "same_words": key.words == now.words}

    def _protocol(self) -> Any:
        """Count within the document, by the rules of the task if there is one."""
        return replace(self.scores.task.protocol, scope="document") if self.scores else None

    def _side(self, against: str, id_: str) -> Document:
        if against == KEY and self.scores:
            corpus: Corpus | None = self.scores.task.key
        else:
            corpus = self.systems.get(against)
        if corpus is None:
            known = [*self.systems, *([KEY] if self.scores else [])]
            near = did_you_mean(against, known)
            raise UnknownError(f"there is no key or system '{against}'; there are {', '.join(known)}{near}")
        if id_ not in corpus.ids:
            raise UnknownError(f"{against} does not have the document '{id_}'")
        return corpus[id_]

    def export(self, form: str, indices: Sequence[int], *, lossy: bool) -> Exported:
        """Write documents in a format."""
        some, lost = [], 0
        for document in map(self.document, indices):
            with document.lock:
                some.append(document.document())
                lost += document.lost_relations()
        name = some[0].id if len(some) == 1 else self.title
        corpus = DocumentCorpus(some, name, cross_document=self.cross_document)
        made = exported(corpus, form, self.convert, lossy=lossy)
        said = f"{number_of(lost, 'relation')} of entities that were deleted or merged left out"
        return replace(made, notices=(*made.notices, *[said] * bool(lost)))

    def close(self) -> None:
        """Close the journals."""
        for document in self.documents:
            with document.lock:
                document.journal.close()

    @property
    def was_changed(self) -> bool:
        """Whether any journal has an event."""
        return any(each.history.revision for each in self.documents)

    @property
    def edits(self) -> int:
        """How many edits are in force."""
        return sum(len(each.history.past) for each in self.documents)
