"""Prodigy's JSON lines of a relation task: one text per line, its tokens, spans, and relations between them.

    {"text": "Ann lost her hat.", "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0, "ws": true}, …],
     "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "Person"}, …],
     "relations": [{"head": 2, "child": 0, "head_span": {…}, "child_span": {…}, "label": "COREF"}],
     "answer": "accept"}

Offsets count characters, the end excluded. A relation's ends are its `head_span` and `child_span`, or,
without these, the tokens that `head` and `child` number. Relations whose names mean identity
(`standoff.IDENTITY_NAMES`) tie spans together; a span in none is a singleton. Two of one span differ in
their label and, where we write it, an `id`. Tasks that were rejected or ignored are skipped. The label
`Mention` says nothing. All else on a line is kept, not read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import IO

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.relations import (
    Fields,
    Task,
    corpus_of_lines,
    fields_of,
    given_name,
    objects,
    offsets,
    short,
    steps,
    string_field,
)
from referee.formats.tools.standoff import (
    UNTYPED,
    FiledCorpus,
    StandoffMark,
    as_it_came,
    means_identity,
    placed,
)
from referee.model import Document, Span

COREF = "COREF"  # as Prodigy's own recipe has it


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files."""
    return corpus_of_lines(files, name, "prodigy", _accepted, reading)


def _accepted(fields: Fields, unnamed: str, where: str, ledger: Ledger) -> Document | None:
    if fields.get("answer", "accept") != "accept":
        ledger.leave_out("tasks that were rejected or ignored are skipped", where)
        return None
    return _document(fields, unnamed, where, ledger)


def _document(fields: Fields, unnamed: str, where: str, ledger: Ledger) -> Document:
    task = Task(string_field(fields, "text", where), where, ledger)
    for span in objects(fields, "spans", where):
        task.marks[_name(span, where)] = _mark(span, where)
    tokens = objects(fields, "tokens", where)
    for relation in objects(fields, "relations", where):
        ends = [_end(relation, side, tokens, where) for side in ("child", "head")]
        names = [_name(end, where) for end in ends]
        for name, end in zip(names, ends, strict=True):
            if means_identity(str(relation.get("label")), ledger.reading):
                task.marks.setdefault(name, _mark(end, where))
        task.link(names[0], names[1], str(relation.get("label")))
    return task.document(given_name(fields, fields.get("meta")) or unnamed)


def _name(span: Fields, where: str) -> str:
    start, end = offsets(span, ("start", "end"), where)
    return f"{start}-{end} {span.get('label')} {span.get('id', '')}"


def _mark(span: Fields, where: str) -> StandoffMark:
    label = span.get("label")
    if not isinstance(label, str | None):
        raise FormatError(f"{where}: the label of a span must be a string: {short(span)}")
    return StandoffMark([offsets(span, ("start", "end"), where)], None if label == UNTYPED else label, where)


def _end(relation: Fields, side: str, tokens: Sequence[Fields], where: str) -> Fields:
    """Find a relation's head or child."""
    span, number = relation.get(f"{side}_span"), relation.get(side)
    if isinstance(span, dict):
        return span
    if type(number) is not int or not 0 <= number < len(tokens):
        raise FormatError(
            f"{where}: a relation has neither a {side}_span nor a {side} that is a token's number"
        )
    start, end = offsets(tokens[number], ("start", "end"), where)
    return {"start": start, "end": end}


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents, one per line; what recognises the format comes before long texts."""
    for document in documents:
        line = as_it_came(
            document, "prodigy", lambda line, id_: _document(fields_of(line), id_, f"{id_}:1", Ledger())
        )
        file.write((json.dumps(_fields(document)) if line is None else line) + "\n")


def _fields(document: Document) -> Fields:
    running, characters, clusters = placed(document, "Prodigy")
    times = Counter(mention.spans for cluster in clusters for mention, _ in cluster)
    spans: list[Fields] = []
    relations = []
    for cluster in clusters:
        chain = []
        for mention, ((start, end),) in cluster:
            chain.append(_span((start, end), (mention.start, mention.end - 1), mention.type))
            if times[mention.spans] > 1:
                chain[-1]["id"] = len(spans) + len(chain)
        spans += chain
        relations += [
            {"head": head["token_end"], "child": child["token_end"]}
            | {"head_span": head, "child_span": child, "label": COREF}
            for child, head in steps(chain)
        ]
    tokens = [
        {"text": running[start:end], "start": start, "end": end, "id": number}
        | {"ws": running[end : end + 1].isspace()}
        for number, (start, end) in enumerate(characters)
    ]
    shared = {"meta": {"doc_key": document.id}, "spans": spans, "relations": relations}
    return shared | {"tokens": tokens, "text": running, "answer": "accept"}


def _span(characters: Span, tokens: Span, kind: str | None) -> Fields:
    fields = {"start": characters[0], "end": characters[1], "token_start": tokens[0], "token_end": tokens[1]}
    return fields | {"label": UNTYPED if kind is None else kind}
