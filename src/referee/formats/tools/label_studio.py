"""Label Studio's JSON export, and what it imports: tasks with a text, labelled regions and relations.

    [{"id": 1, "data": {"text": "Ann lost her hat."},
      "annotations": [{"result": [
          {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
           "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["Person"]}}, …,
          {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["Coreference"]}]}]}]

* Of several annotations of a task that were not cancelled the one marked `ground_truth` counts, or else the
  first, and a notice says so. A response's `predictions` come before them; a key's only where it has no
  annotation.
* Regions tied by a relation without a label, or with one whose name means identity
  (`standoff.IDENTITY_NAMES`), are of one thing; a region in none is a singleton. The label `Mention` says
  nothing.
* Offsets count characters, the end excluded; old versions counted units of UTF-16, which is seen from the
  text that regions repeat.
* The text is `data.text`, or the only string of `data`, or the one that has the regions' texts in place.
* All else of a task is kept, not read. JSON-MIN and CSV have no relations, and are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_items, json_value
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.ledger import Ledger
from referee.formats.recognition import MARK_AND_SPACE
from referee.formats.tools.relations import Fields, Task, given_name, objects, offsets, short, steps
from referee.formats.tools.standoff import (
    COREFERENCE,
    UNTYPED,
    CodeUnits,
    FiledCorpus,
    StandoffMark,
    as_it_came,
    placed,
    reads_as,
)
from referee.model import Document, Span

SOURCES = ("annotations", "completions", "predictions")  # completions is the old name of annotations
MINIMAL = "Label Studio's JSON-MIN has no relations, and so no coreference; export the project as JSON"


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read the tasks of all files."""
    ledger = Ledger(reading)
    documents = []
    for file in files:
        for count, (where, task) in enumerate(_tasks(file), start=1):
            unnamed = stem(file.path) + (f"#{count}" if count > 1 else "")
            with reading.surviving(where):
                document = _document(task, unnamed, where, ledger, predicted=reading.predicted)
                layout = ("label-studio", json.dumps(task))
                documents.append((where, Document(document.text, document.clusters, layout=layout)))
        file.close()
    corpus = FiledCorpus(documents, name, named=True)
    ledger.close(corpus)
    return corpus


def _tasks(file: SeekableFile) -> Iterator[tuple[str, Any]]:
    """List the tasks of a file, or the only one."""
    if file.read(0, 64).lstrip(MARK_AND_SPACE).startswith(b"["):
        yield from json_items(file)
    else:
        yield f"{file.path}:1", json_value(file)


def _document(fields: Any, unnamed: str, where: str, ledger: Ledger, *, predicted: bool) -> Document:
    if not isinstance(fields, dict) or not isinstance(fields.get("data"), dict):
        is_minimal = isinstance(fields, dict) and "data" not in fields and "annotator" in fields
        wanted = MINIMAL if is_minimal else f"expected a task with data and annotations: {short(fields)}"
        raise FormatError(f"{where}: {wanted}")
    result = _result(fields, where, ledger, predicted=predicted)
    regions = [one for one in result if str(one.get("type")).endswith("labels")]
    for region in regions:
        if not isinstance(region.get("value"), dict):
            raise FormatError(f"{where}: a region without a value: {short(region)}")
    spans = [offsets(region["value"], ("start", "end"), where) for region in regions]
    running = _text(fields["data"], regions, spans, where)
    task = Task(running, where, ledger)
    for region, span in zip(regions, _in_characters(task, regions, spans), strict=True):
        task.marks.setdefault(str(region.get("id")), _mark(region, span, where))
    for relation in result:
        if relation.get("type") == "relation":
            labels = relation.get("labels")
            label = ", ".join(map(str, labels)) if isinstance(labels, list) and labels else COREFERENCE
            task.link(str(relation.get("from_id")), str(relation.get("to_id")), label)
    return task.document(given_name(fields["data"], fields) or unnamed)


def _result(fields: Fields, where: str, ledger: Ledger, *, predicted: bool) -> list[Fields]:
    """Choose one of a task's annotations."""
    given = {name: objects(fields, name, where) for name in SOURCES}
    made = [one for one in given["annotations"] + given["completions"] if not one.get("was_cancelled")]
    made.sort(key=lambda one: one.get("ground_truth") is not True)
    chosen = given["predictions"] or made if predicted else made or given["predictions"]
    if not chosen:
        ledger.skip("a task without an annotation is read as one without mentions", where)
        return []
    if len(chosen) > 1:
        ledger.leave_out("of a task with several annotations the first is read", where)
    return objects(chosen[0], "result", where)


def _text(data: Fields, regions: Sequence[Fields], spans: Sequence[Span], where: str) -> str:
    """Find the text among a task's data."""
    if isinstance(data.get("text"), str):
        return str(data["text"])
    strings = {name: value for name, value in data.items() if isinstance(value, str)}
    fitting = [value for value in strings.values() if _fits(value, regions, spans) == len(spans)]
    chosen = list(strings.values()) if len(strings) == 1 else fitting
    if len(chosen) != 1:
        raise FormatError(
            f"{where}: data has no text, and it is not clear which of {', '.join(data) or 'nothing'} is meant"
        )
    return str(chosen[0])


def _fits(running: str, regions: Sequence[Fields], spans: Sequence[Span]) -> int:
    """Count the regions whose text is where they say."""
    said = [region["value"].get("text") for region in regions]
    return sum(reads_as(running, [span], str(text)) for text, span in zip(said, spans, strict=True))


def _in_characters(task: Task, regions: Sequence[Fields], spans: Sequence[Span]) -> Sequence[Span]:
    """Give offsets in characters, if a file counts units of UTF-16; say how many texts are elsewhere."""
    running = task.running
    units = CodeUnits(running)
    try:
        others = [(units.character(start), units.character(end)) for start, end in spans]
    except ValueError:
        others = list(spans)
    best = max([spans, others], key=lambda some: _fits(running, regions, some))
    repeated = sum("text" in region["value"] for region in regions)
    if repeated > (fitting := _fits(running, regions, best)):
        task.ledger.skip("the text of a region is not at its offsets", *[task.where] * (repeated - fitting))
    return best


def _mark(region: Fields, span: Span, where: str) -> StandoffMark:
    labels: Any = region["value"].get(region["type"], [])
    score: Any = region.get("score")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise FormatError(f"{where}: the labels of a region must be a list of strings: {short(region)}")
    kind = ", ".join(labels)
    sure = float(score) if type(score) in (int, float) and 0 <= score <= 1 else None
    return StandoffMark([span], None if kind in ("", UNTYPED) else kind, where, sure)


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents as a list of tasks, one per line."""
    file.write("[")
    for number, document in enumerate(documents):
        task = as_it_came(document, "label-studio", _again)
        file.write((",\n" if number else "\n") + (json.dumps(_fields(document)) if task is None else task))
    file.write("\n]\n")


def _again(task: str, id_: str) -> Document:
    """Read a task once more, as others will; predictions that were read are written as annotations."""
    return _document(json.loads(task), id_, f"{id_}:1", Ledger(), predicted=False)


def _fields(document: Document) -> Fields:
    running, _, clusters = placed(document, "Label Studio")
    result: list[Fields] = []
    for number, cluster in enumerate(clusters, start=1):
        names = [f"{number}-{link}" for link in range(1, len(cluster) + 1)]
        for name, (mention, ((start, end),)) in zip(names, cluster, strict=True):
            labels = [UNTYPED if mention.type is None else mention.type]
            value = {"start": start, "end": end, "text": running[start:end], "labels": labels}
            region = {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}
            result.append(region | ({} if mention.score is None else {"score": mention.score}))
        result += [
            {
                "type": "relation",
                "from_id": one,
                "to_id": other,
                "direction": "right",
                "labels": [COREFERENCE],
            }
            for one, other in steps(names)
        ]
    return {"annotations": [{"result": result}], "data": {"doc_key": document.id, "text": running}}
