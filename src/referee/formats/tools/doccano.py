"""doccano's JSON lines of a relation project: one text per line, entities in it, and relations between them.

    {"id": 1, "text": "Ann lost her hat.",
     "entities": [{"id": 10, "label": "Person", "start_offset": 0, "end_offset": 3}, …],
     "relations": [{"id": 1, "from_id": 11, "to_id": 10, "type": "Coreference"}]}

Offsets count characters, the end excluded. Relations whose names mean identity (`standoff.IDENTITY_NAMES`)
tie entities together; an entity in none is a singleton. The label `Mention` says nothing. All else on a line
is kept, not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import count
from typing import IO, Any

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
    steps,
    string_field,
)
from referee.formats.tools.standoff import COREFERENCE, UNTYPED, FiledCorpus, StandoffMark, as_it_came, placed
from referee.model import Document


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files."""
    return corpus_of_lines(files, name, "doccano", _document, reading)


def _document(fields: Fields, unnamed: str, where: str, ledger: Ledger) -> Document:
    task = Task(string_field(fields, "text", where), where, ledger)
    for entity in objects(fields, "entities", where):
        label, id_ = entity.get("label"), str(entity.get("id"))
        if not isinstance(label, str | None) or id_ in task.marks:
            raise FormatError(f"{where}: entity {id_[:40]} occurs twice, or its label is not a string")
        span = offsets(entity, ("start_offset", "end_offset"), where)
        task.marks[id_] = StandoffMark([span], None if label == UNTYPED else label, where)
    for relation in objects(fields, "relations", where):
        task.link(str(relation.get("from_id")), str(relation.get("to_id")), str(relation.get("type")))
    return task.document(given_name(fields) or unnamed)


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents, one per line; what recognises the format comes before long texts."""
    ids = count(1)
    for document in documents:
        line = as_it_came(
            document, "doccano", lambda line, id_: _document(fields_of(line), id_, f"{id_}:1", Ledger())
        )
        file.write((json.dumps(_fields(document, ids)) if line is None else line) + "\n")


def _fields(document: Document, ids: Iterable[int]) -> Fields:
    running, _, clusters = placed(document, "doccano")
    fresh = iter(ids)
    entities: list[dict[str, Any]] = []
    relations = []
    for cluster in clusters:
        chain = []
        for mention, ((start, end),) in cluster:
            chain.append(next(fresh))
            label = UNTYPED if mention.type is None else mention.type
            entities.append({"id": chain[-1], "label": label, "start_offset": start, "end_offset": end})
        relations += [
            {"id": next(fresh), "from_id": one, "to_id": other, "type": COREFERENCE}
            for one, other in steps(chain)
        ]
    return {"doc_key": document.id, "entities": entities, "relations": relations, "text": running}
