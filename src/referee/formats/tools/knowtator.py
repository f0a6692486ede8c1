"""Knowtator 2's XML, as CRAFT's coreference is published in it: a file for each text, which is elsewhere.

    <knowtator-project><document id="11532192" text-file="11532192.txt">
      <annotation id="1"><class id="IDENTITY chain"/><span start="0" end="3">Ann</span></annotation>
      <annotation id="2"><class id="Noun Phrase"/><span start="0" end="3">Ann</span></annotation>
      <graph-space><vertex id="n1" annotation="1"/><vertex id="n2" annotation="2"/>
        <triple subject="n1" property="Coreferring strings" object="n2"/></graph-space>

* The text is the file that `text-file` names: beside this one, in `txt` or `articles/txt` there or up to two
  folders above it. Offsets count units of UTF-16, the end excluded; several spans are one mention with gaps.
* A triple whose property begins with `coref` puts its object, a mention, into its subject, a chain. A chain
  is not a mention itself, though it has a span. Chains that share a mention are one cluster.
* Marks in no chain (noun phrases, pronouns that refer to nothing, parts of appositions) are left out, since
  CRAFT marks them for other relations; notices name their lines by their classes.

Words are cut from the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.io.xml import Element, parse
from referee.formats.ledger import Ledger
from referee.formats.tools.standoff import (
    CodeUnits,
    FiledCorpus,
    StandoffMark,
    linked_document,
    reads_as,
    whole_text,
)
from referee.model import Document

TEXT_FOLDERS = ("", "txt", "articles", "articles/txt")
LEVELS = 3  # the folder itself, and those above it
COREFERRING = "coref"  # how the property begins that leads from a chain to its mentions


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files, each with the texts that it is about."""
    del reading
    ledger = Ledger()
    documents = []
    for file in files:
        root = parse(file)
        ledger.skip("text outside of spans is not read", *(f"{file.path}:{line}" for line in root.loose))
        documents += [
            (f"{file.path}:{element.line}", _document(element, file.path, ledger))
            for element in root.within("document")
        ]
    corpus = FiledCorpus(documents, name, named=True)
    ledger.close(corpus)
    return corpus


def _document(element: Element, path: str, ledger: Ledger) -> Document:
    running = _text(element, path)
    annotations: dict[str, Element] = {}
    for each in element.within("annotation"):
        if annotations.setdefault(each.get("id"), each) is not each:
            raise FormatError(f"{path}:{each.line}: two annotations have the id '{each.get('id')}'")
    chains = list(_chains(element, annotations, path))
    chained = {name for _, name in chains}
    units = CodeUnits(running)
    marks = {
        name: _mark(annotations[name], running, units, f"{path}:{annotations[name].line}") for name in chained
    }
    subjects = {chain for chain, _ in chains}
    for name, annotation in annotations.items():
        if name not in chained and name not in subjects:
            kind = next((each.get("id") for each in annotation.within("class")), "without a class")
            ledger.leave_out(f"marks in no chain are left out: {kind}", f"{path}:{annotation.line}")
    first_of: dict[str, str] = {}
    links = [(name, first_of.setdefault(chain, name)) for chain, name in chains]
    return linked_document(element.get("id"), running, marks, links, path)


def _text(element: Element, path: str) -> str:
    """Find and read the text of a document."""
    named = Path(element.get("text-file")).name
    above = Path(path).resolve().parent
    for folder in [above, *above.parents][:LEVELS]:
        for within in TEXT_FOLDERS:
            if named and (file := folder / within / named).is_file():
                return whole_text(SeekableFile(str(file)))
    raise FormatError(
        f"{path}:{element.line}: there is no {named or 'text-file'}, which has the text of this annotation, "
        f"beside it or in articles/txt above; put it there"
    )


def _chains(element: Element, annotations: dict[str, Element], path: str) -> Iterator[tuple[str, str]]:
    """List chains and their mentions."""
    for space in element.within("graph-space"):
        annotation_of = {vertex.get("id"): vertex.get("annotation") for vertex in space.within("vertex")}
        for triple in space.within("triple"):
            if not triple.get("property").casefold().startswith(COREFERRING):
                continue
            ends = [annotation_of.get(triple.get(end), "") for end in ("subject", "object")]
            if not all(end in annotations for end in ends):
                raise FormatError(f"{path}:{triple.line}: a relation of annotations that do not exist")
            yield ends[0], ends[1]


def _mark(annotation: Element, running: str, units: CodeUnits, where: str) -> StandoffMark:
    spans = []
    for span in annotation.within("span"):
        try:
            start, end = (units.character(int(span.get(name))) for name in ("start", "end"))
        except ValueError as error:
            raise FormatError(
                f"{where}: start and end must be offsets in units of UTF-16: {error}"
            ) from error
        if not reads_as(running, [(start, end)], span.text):
            raise FormatError(
                f"{where}: the span is '{span.text[:40]}', but the text has '{running[start:end][:40]}' at "
                f"{start}-{end}; offsets count units of UTF-16"
            )
        spans.append((start, end))
    if not spans:
        raise FormatError(f"{where}: a mention without a span")
    return StandoffMark(spans, None, where)
