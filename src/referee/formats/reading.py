"""Reads coreference files of any format: opens each once, recognises it, and hands it to its reader.

Formats that cannot say themselves that a cluster's id means the same in all documents are read so with `ids`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from referee.exceptions import FormatError, SettingError
from referee.formats.catalogue import FORMATS, MARKED_ENDINGS, MARKED_TEXT
from referee.formats.failures import Failures
from referee.formats.files import format_by_ending, found_files, is_of_a_run, shown
from referee.formats.format import Format, Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.plausibility import implausible
from referee.formats.recognition import abridged_json, is_long_json, is_tagged_answer
from referee.model import Corpus, Document, DocumentCorpus

HEAD = 2**16  # bytes that a format is recognised by
LONG_HEAD = 2**22  # of JSON whose first document is longer
ANY = "conll"  # the format of files without content
PathName = str | PathLike[str]
IDS = ("document", "corpus")  # where a cluster's id means the same, unless a format says it itself


def read(
    *paths: Any,
    role: str = "key",
    strict: bool = False,
    ids: str = "document",
    identity: Sequence[str] = (),
) -> Corpus:
    """Open files or folders as one corpus. Documents are read when they are asked for.

    Args:
        *paths: Paths, of which `-` is standard input; or what other libraries have in memory: spaCy's
            documents and `DocBin`, results of fastcoref, Maverick and stanza, dictionaries, rows and data
            sets; or `Document`s.
        role: Which clusters to take where a file has both: the `key`'s, or those of a `response`.
        strict: Whether ill-formed input is refused, instead of read as the reference scorer reads it.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        identity: Names of relations that mean coreference in files of annotation tools, beside the usual
            ones (`docs/annotation-tools.md` lists them).

    Returns:
        A `Corpus`, whatever the format.

    Raises:
        FormatError: If a file is not in a known format, or files are of several formats.

    Examples:
        >>> import referee
        >>> corpus = referee.read({"tokens": ["Ann", "slept"], "clusters": [[[0, 1]]], "doc_key": "d"})
        >>> len(corpus), corpus[0].id
        (1, 'd')
    """
    return read_surviving(paths, None, role=role, strict=strict, ids=ids, identity=identity)


def read_surviving(
    paths: Sequence[Any],
    failures: Failures | None,
    *,
    role: str = "key",
    strict: bool = False,
    ids: str = "document",
    identity: Sequence[str] = (),
) -> Corpus:
    """Read as `read` does; files that cannot be read go to `failures`, if given, and the others are read."""
    if ids not in IDS:
        raise SettingError(f"ids must be {' or '.join(IDS)}, not '{ids}'")
    if given := [path for path in paths if not isinstance(path, str | PathLike | SeekableFile)]:
        if len(given) < len(paths):
            raise FormatError("give either paths or objects, not both")
        if identity:
            raise SettingError("identity= names relations in files, and objects have none")
        from referee.formats.objects.libraries import corpus_of  # most corpora are files

        made = corpus_of(given[0] if len(given) == 1 else given, role, predicted=role == "response")
        return with_shared_ids(made, ids)
    predicted = role == "response"
    how = Reading(predicted=predicted, strict=strict, failures=failures, identity=tuple(identity))
    return with_shared_ids(_read_files(paths, how), ids)


def _read_files(paths: Sequence[PathName | SeekableFile], how: Reading) -> Corpus:
    files: list[SeekableFile] = []
    notices: list[str] = []
    for path in paths:
        if isinstance(path, SeekableFile):
            files.append(path)
            continue
        found, skipped = found_files(str(path))
        files += _readable_files(found, how.failures if len(found) + len(paths) > 2 else None)
        notices += skipped
    names = [path.path if isinstance(path, SeekableFile) else str(path) for path in paths]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    formats = _formats_of(files, how, how.failures if len(files) > 1 else None)
    kinds = {kind for kind in formats.values() if kind}
    if len(kinds) > 1:
        raise FormatError(
            f"{name}: holds files of several formats ({', '.join(sorted(kinds))}); score them separately"
        )
    form = FORMATS[kinds.pop() if kinds else ANY]
    filled = [file for file in files if formats.get(file.path)]  # an empty file has no documents
    if how.identity and not form.names_links:
        able = ", ".join(each.label for each in FORMATS.values() if each.names_links)
        raise SettingError(f"{name}: identity= names relations, which {form.label} does not have; {able} do")
    corpus = _read_as(form, filled, name, how)
    if unknown := [each for each in how.identity if each not in how.met]:
        raise SettingError(f"{name}: no relation is called {', '.join(unknown)}, which identity= names")
    corpus.usual_protocol = form.usual_protocol
    corpus.empty_files = [file for file, kind in formats.items() if not kind]
    if corpus.empty_files:
        notices.append(f"{shown(corpus.empty_files)}: empty, without documents")
    corpus.about = [*corpus.about, *notices]
    corpus.notices = [*corpus.notices, *notices]
    return corpus


def _readable_files(paths: Sequence[str], failures: Failures | None) -> Iterator[SeekableFile]:
    """Open files; those that cannot be opened are failures, but not a name that stands for no file."""
    for path in paths:
        try:
            file = SeekableFile(path)
        except FormatError as error:
            if failures is None or (len(paths) == 1 and isinstance(error.__cause__, FileNotFoundError)):
                raise
            failures.add(path, error)
            continue
        yield file


def _formats_of(
    files: Sequence[SeekableFile], how: Reading, failures: Failures | None
) -> dict[str, str | None]:
    """Recognise files; those that are of no known format are failures, unless all are."""
    formats: dict[str, str | None] = {}
    unknown: list[tuple[str, FormatError]] = []
    for file in files:
        try:
            formats[file.path] = recognise(file, "response" if how.predicted else "key")
        except FormatError as error:
            if failures is None:
                raise
            unknown.append((file.path, error))
    if unknown and not formats:
        raise unknown[0][1]
    for path, fault in unknown:
        assert failures is not None
        failures.add(path, fault)
    return formats


def _read_as(form: Format, files: Sequence[SeekableFile], name: str, how: Reading) -> Corpus:
    """Read files of one format; if they cannot be read together, without those that cannot be read alone."""
    try:
        return form.read(files, name, how)
    except FormatError:
        if how.failures is None or how.failures.strict or len(files) < 2:
            raise
        alone = replace(how, failures=None)
        faults = {file.path: fault for file in files if (fault := _fault(form, file, alone))}
        if not 0 < len(faults) < len(files):
            raise
    for path, fault in faults.items():
        how.failures.add(path, fault)
    return form.read([file for file in files if file.path not in faults], name, how)


def _fault(form: Format, file: SeekableFile, how: Reading) -> FormatError | None:
    try:
        form.read([file], file.path, how)
    except FormatError as error:
        return error
    return None


def readable(corpus: Corpus, failures: Failures) -> Iterator[tuple[int, Document]]:
    """Read documents one by one, with their numbers; those that cannot be read are failures."""
    for number in range(len(corpus)):
        try:
            document = corpus.document(number)
        except Exception as error:
            failures.add(corpus.location(number), error)
            continue
        yield number, document


def salvaged(path: PathName, failures: Failures) -> Corpus:
    """Read all that can be read of a system's output; brat's lines that cannot be read are notices."""
    corpus = _read_files([path], Reading(predicted=True, gentle=True, failures=failures))
    corpus.note(implausible(corpus))
    return corpus


def opened(given: Any, failures: Failures | None = None, *, ids: str = "document", **how: Any) -> Corpus:
    """Read the annotation of a path or an object, and note what is odd about it; a corpus is one already.

    Files that cannot be read go to `failures`, if given, as in `read_surviving`.
    """
    if isinstance(given, Corpus):
        if how.get("identity"):
            raise SettingError("identity= names relations in files, and a corpus is read already")
        return with_shared_ids(given, ids)
    corpus = read_surviving([given], failures, ids=ids, **how)
    corpus.note(implausible(corpus))
    return corpus


def recognise(file: SeekableFile, role: str = "key") -> str | None:
    """Name the format of a file by its first bytes; None if it is empty.

    A response with the tags of MUC is a language model's, unless it has the rest of MUC. What lies beside the
    manifest of a run is an answer, whatever it looks like.
    """
    if file.path.endswith(MARKED_ENDINGS) and is_of_a_run(file.path):
        return MARKED_TEXT
    head = file.read(0, HEAD)
    if len(head) == HEAD and is_long_json(head):
        head = abridged_json(file.read(0, LONG_HEAD))
    file.close()
    if not head.strip():
        named = format_by_ending(file.path)
        return named if named and FORMATS[named].blank else None
    if role == "response" and is_tagged_answer(head):
        return MARKED_TEXT
    for name, form in FORMATS.items():
        if not form.part_of and form.looks_like(head):
            return name
    named = format_by_ending(file.path)
    if named and FORMATS[named].claims_ending and b"\0" not in head:
        return named
    first = head.lstrip().split(b"\n", 1)[0][:60].decode("utf-8", "replace").rstrip()
    hint = " (a compressed or binary file?)" if b"\0" in head else ""
    forms = sorted(FORMATS.values(), key=lambda form: form.claims_ending)
    known = " or ".join(form.label for form in forms if form.suffixes and not form.part_of)
    raise FormatError(f"{file.path}:1: not {known}{hint}: it starts with '{first}'")


class SharedIdCorpus(DocumentCorpus):
    """The documents of another corpus; a cluster of one id is the same in all of them."""

    def __init__(self, corpus: Corpus) -> None:
        """Read all documents, and keep what the corpus says about them."""
        super().__init__(corpus, corpus.name, cross_document=True)
        self._corpus = corpus
        self.named, self.reference_names = corpus.named, corpus.reference_names
        self.kinds, self.empty_files = corpus.kinds, corpus.empty_files
        self.usual_protocol = corpus.usual_protocol
        passed_over = [notice for number in range(len(corpus)) for notice in corpus.chains([number]).notices]
        doubts = _doubts(corpus.name, self.documents)
        self.notices = list(dict.fromkeys([*corpus.notices, *passed_over, *doubts]))
        self.about = corpus.about

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is."""
        return self._corpus.location(number, word)


def with_shared_ids(corpus: Corpus, ids: str) -> Corpus:
    """Let ids hold in the whole corpus if that is wanted and the corpus does not say so itself."""
    if ids != "corpus":
        return corpus
    from referee.formats.marked.text import MarkedCorpus  # few corpora need it

    if isinstance(corpus, MarkedCorpus):
        return corpus.changed(corpus.answers, named=corpus.named, across=True)
    return corpus if corpus.cross_document else SharedIdCorpus(corpus)


def _doubts(name: str, documents: Sequence[Document]) -> list[str]:
    """Say so if each document seems to number its own clusters."""
    annotated = [{cluster.id for cluster in document.clusters} for document in documents if document.clusters]
    if len(annotated) < 2 or not all(map(_is_count, annotated)):
        return []
    return [
        f"{name}: ids='corpus', but every document numbers its clusters from the start, so ids seem "
        "to hold within a document only; unrelated clusters of one number are joined"
    ]


def _is_count(ids: set[str]) -> bool:
    """Whether ids are the first whole numbers, from 0 or from 1.

    >>> _is_count({"1", "0"}), _is_count({"1", "2"}), _is_count({"1", "7"})
    (True, True, False)
    """
    return any(ids == {str(number + first) for number in range(len(ids))} for first in (0, 1))
