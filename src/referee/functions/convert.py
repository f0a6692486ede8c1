"""referee.convert: from one file format to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import fspath
from typing import Any

from referee import formats
from referee.exceptions import FormatError
from referee.formats.failures import Failure, Failures, refuse_if_none_is_left
from referee.formats.fitting import Fitting
from referee.formats.format import ACROSS, Format
from referee.formats.losses import REFUSED, counted, holds_all, losses, reduced
from referee.formats.writing import left_out, write_fitted
from referee.model import Corpus, Document, SelectedDocuments
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import PathName


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion wrote, and what it left out.

    Attributes:
        target: The file or folder that was written.
        form: The name of its format.
        documents: How many documents it has.
        left_out: What the format cannot hold, and how many of it there were.
        notices: What should be known about the input.
        failures: The documents that could not be read or written.

    Examples:
        >>> import referee
        >>> referee.Conversion("a.jsonl", "jsonlines", 2).left_out
        {}
    """

    target: str
    form: str
    documents: int
    left_out: Mapping[str, int] | None = None
    notices: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    def __post_init__(self) -> None:
        """Leave nothing out unless something is named."""
        object.__setattr__(self, "left_out", dict(self.left_out or {}))


def convert(
    source: Any, target: PathName, *, to: str | None = None, kind: str = "all", role: str = "key",
    lossy: bool = False, ids: str | None = None, identity: Sequence[str] = (), strict: bool = False,
    progress: Bar = no_bar,
) -> Conversion:  # fmt: skip
    """Convert a corpus to a file of another format.

    Annotation that the new format cannot hold is refused, unless `lossy` allows it to be left out. Mentions
    that cross others, which brackets cannot hold, are always left out, and counted. A document that cannot be
    read or written is left out too: it is in `failures` of what is returned, and a `FailureWarning` names it.

    Args:
        source: A path, a corpus, documents, or what else `read` takes.
        target: The file or folder to write.
        to: The new format, if the target's ending does not say.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        role: Which clusters to take where a file has both: the `key`'s, or those of a `response`.
        lossy: Leave out what the new format cannot hold, and change names and words that it cannot write.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        identity: Names of relations that mean coreference in files of annotation tools, beside the usual
            ones.
        strict: Whether the first document that fails ends the work, and nothing is written.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        What was written, what was left out, and which documents failed.

    Raises:
        FormatError: If no document can be read, or the new format cannot hold the annotation.

    Examples:
        >>> import referee, tempfile
        >>> from pathlib import Path
        >>> document = referee.Document.of("d", ["Ann", "slept"], [(0, 2)], [])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     referee.convert(document, Path(folder, "d.jsonl")).documents
        1
    """
    failures = Failures(strict)
    read = formats.opened(source, failures, role=role, ids=ids or "document", identity=identity)
    corpus = read.of_kind(kind)
    named = formats.FORMATS[formats.form_for(target, to)]
    across = corpus.cross_document and (named.across or bool(named.counterpart and not to))
    name = formats.form_for(target, to, cross_document=across)
    form = formats.FORMATS[name]
    numbers, lost = _study(corpus, form, failures)
    if refused := {what: lost[what] for what in REFUSED if lost[what]}:
        _refuse(refused, form, target, lossy=lossy, across=across)
    unread = len(failures.found)
    with progress(len(numbers), "converting") as advance:
        documents = ReducedDocuments(corpus, numbers, form, advance)
        lost += write_fitted(documents, target, Fitting(form, failures, lossy))
    failures.warn()
    notices = (*corpus.notices, *([left_out(target, form, lost)] if lost else ()))
    written = len(numbers) - (len(failures.found) - unread)
    return Conversion(fspath(target), name, written, lost, notices, tuple(failures.found))


def _study(corpus: Corpus, form: Format, failures: Failures) -> tuple[list[int], Counter[str]]:
    """List the documents that can be read, and count what they would lose."""
    numbers: list[int] = []

    def documents() -> Iterator[Document]:
        for number, document in formats.readable(corpus, failures):
            numbers.append(number)
            yield document

    lost = losses(documents(), form, across=corpus.cross_document)
    refuse_if_none_is_left(len(numbers), failures.found)
    return numbers, lost


class ReducedDocuments(SelectedDocuments):
    """Some documents of a corpus, without what a format cannot hold."""

    def __init__(
        self, corpus: Corpus, numbers: Sequence[int], form: Format, advance: Callable[[int], None]
    ) -> None:
        """Choose documents; `advance` is called for each that is read."""
        super().__init__(corpus, numbers, [corpus.ids[number] for number in numbers])
        self._form, self._advance = form, advance

    def document(self, number: int) -> Document:
        """Read a document, and leave out what is lost."""
        self._advance(1)
        return reduced(super().document(number), self._form)


def _refuse(refused: Mapping[str, int], form: Format, target: PathName, *, lossy: bool, across: bool) -> None:
    """Refuse to lose annotation, unless loss is allowed, and name formats that hold it."""
    if lossy:
        return
    needed = [*refused, ACROSS] if across else [*refused]
    able = [name for name in formats.writable() if holds_all(needed, formats.FORMATS[name])]
    instead = f"write {' or '.join(able)} (to=…), or " if able else ""
    raise FormatError(
        f"{target}: {form.label} cannot hold {counted(refused)}; {instead}give lossy=True to leave it out"
    )
