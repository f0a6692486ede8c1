"""referee.convert: from one file format to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import fspath
from typing import Any

from referee import formats
from referee.exceptions import FormatError
from referee.formats.format import ACROSS, Format
from referee.formats.losses import REFUSED, counted, holds_all, losses, reduced
from referee.model import Document
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

    def __post_init__(self) -> None:
        """Leave nothing out unless something is named."""
        object.__setattr__(self, "left_out", dict(self.left_out or {}))


def convert(
    source: Any, target: PathName, *, to: str | None = None, kind: str = "all", role: str = "key",
    lossy: bool = False, ids: str | None = None, progress: Bar = no_bar,
) -> Conversion:  # fmt: skip
    """Convert a corpus to a file of another format.

    Annotation that the new format cannot hold is refused, unless `lossy` allows it to be left out.

    Args:
        source: A path, a corpus, documents, or what else `read` takes.
        target: The file or folder to write.
        to: The new format, if the target's ending does not say.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        role: Which clusters to take where a file has both: the `key`'s, or those of a `response`.
        lossy: Leave out what the new format cannot hold.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        What was written, and what was left out.

    Raises:
        FormatError: If a file cannot be read, or the new format cannot hold the annotation.

    Examples:
        >>> import referee, tempfile
        >>> from pathlib import Path
        >>> document = referee.Document.of("d", ["Ann", "slept"], [(0, 2)], [])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     referee.convert(document, Path(folder, "d.jsonl")).documents
        1
    """
    corpus = formats.opened(source, role=role, ids=ids or "document").of_kind(kind)
    named = formats.FORMATS[formats.form_for(target, to)]
    across = corpus.cross_document and (named.across or bool(named.counterpart and not to))
    name = formats.form_for(target, to, cross_document=across)
    form = formats.FORMATS[name]
    lost = losses(corpus, form)
    if refused := {what: lost[what] for what in REFUSED if lost[what]}:
        _refuse(refused, form, target, lossy=lossy, across=across)
    with progress(len(corpus), "converting") as advance:

        def documents() -> Iterator[Document]:
            for document in corpus:
                yield reduced(document, form)
                advance(1)

        formats.write(documents(), target, to, cross_document=across)
    said = f"{target}: left out, since {form.label} cannot hold it: {counted(lost)}" if lost else ""
    notices = (*corpus.notices, *([said] if said else ()))
    return Conversion(fspath(target), name, len(corpus), lost, notices)


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
