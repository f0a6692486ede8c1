"""UIMA CAS JSON 0.4, as INCEpTION exports it and dkpro-cassis reads it: one document per file.

* `%FEATURE_STRUCTURES` is a list of objects with `%ID` and `%TYPE`, or an object by id; a `uima.cas.Sofa` has
  the text, `sofaString`; features that refer to another structure begin with `@`.
* A type that ends in `Chain` has its first link in `@first`; `@next` leads from link to link. Links have
  `begin` and `end`, which count units of UTF-16 (an emoji takes two), and a mention's type as
  `referenceType`. A link in no chain begins one. A chain that comes back to one of its links, or shares one
  with another chain, is an error; links without text are skipped.
* A relation has `@Governor`, the anaphor, and `@Dependent`, its antecedent. A layer of relations whose type's
  name has `coref` in it, or means identity, is read, and other relations with a feature whose value means
  identity; `webanno_relations` says what values mean, and what a span's feature `reference` does. All spans
  of the types at their ends are mentions, of which the first string among their features is the type.
* Everything else (types, tokens, other layers, views) is kept, not read; words are cut from the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_value
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.marks import (
    FLAGS_FEATURE,
    NO_FLAGS,
    Ends,
    Flags,
    MarkRelation,
    flags_of,
    flattened,
    kind_beyond,
    name_of,
)
from referee.formats.tools.standoff import (
    COREFERENCE,
    LETTER,
    Clusters,
    CodeUnits,
    FiledCorpus,
    StandoffMark,
    as_it_came,
    is_called_coreference,
    is_coreference_layer,
    kind_of_relation,
    linked_document,
    name_by_file,
    note_relation,
    note_spans,
    placed,
    whole_text,
)
from referee.formats.tools.webanno_relations import SYNTAX
from referee.formats.tools.webanno_writing import COREFERENCE_LAYER, SPANS
from referee.model import Document

CHAIN = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain"
LINK = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
GOVERNOR, DEPENDENT = "@Governor", "@Dependent"
STRUCTURES = "%FEATURE_STRUCTURES"
VIEW = "_InitialView"
SUFFIXES = (".cas.json",)
ID = re.compile(r'"%ID"\s*:\s*([0-9]{1,18})|"([0-9]{1,18})"\s*:\s*\{')
Structure = dict[str, Any]


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> FiledCorpus:
    """Read files, each of which is a document."""
    ledger = Ledger(reading)
    documents = []
    for file in files:
        id_ = name_by_file(file.path, (*SUFFIXES, ".json"))
        cas = _Cas(file.path, ledger, json_value(file), whole_text(file))
        documents.append((f"{file.path}:1", cas.document(id_)))
    corpus = FiledCorpus(documents, name, named=False)
    ledger.close(corpus)
    return corpus


@dataclass(slots=True)
class _Cas:
    """What is in a file."""

    path: str
    ledger: Ledger
    value: Any
    content: str
    structures: dict[str, Structure] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)  # structure → its line

    def document(self, id_: str) -> Document:
        """Read the text and its chains."""
        self.structures = dict(self._structures())
        self._number_lines()
        chains = list(self._chains())
        relations = list(self._relations())
        spans = self._ends(relations)
        used = [*(link for chain in chains for link in chain), *spans]
        self._note_unread({*used})
        running = self._text(used)
        marks = self._marks(used, running)
        links = [(chain[0], link) for chain in _chains_of_marks(chains, marks) for link in chain]
        ends = [relation for relation in relations if {relation.anaphor, relation.antecedent} <= marks.keys()]
        links += [(each.anaphor, each.antecedent) for each in ends if each.kind == ""]
        document = linked_document(id_, running, marks, links, self.path, ends, self.ledger)
        return replace(document, layout=("cas-json", self.content))

    def _relations(self) -> Iterator[MarkRelation]:
        """List the relations that mean coreference, bridging or a split antecedent."""
        for id_, structure in self.structures.items():
            name = str(structure.get("%TYPE"))
            if not {GOVERNOR, DEPENDENT} <= structure.keys() or name.startswith(SYNTAX):
                continue
            ends = self._target(id_, GOVERNOR), self._target(id_, DEPENDENT)
            value = _first_string(structure) or ""
            beyond = kind_beyond(name.rsplit(".", 1)[-1], within_coreference=False)
            by_value = kind_of_relation(
                value, self.ledger.reading, within_coreference=is_coreference_layer(name) and not beyond
            )
            kind = beyond if by_value is None else by_value
            if ends[0] is None or ends[1] is None:
                self.ledger.skip("a relation without two ends is skipped", self._place(id_))
            elif kind is None:
                note_relation(self.ledger, value or name.rsplit(".", 1)[-1], self._place(id_))
            else:
                yield MarkRelation(kind, ends[0], ends[1], value, self._place(id_))

    def _ends(self, relations: Sequence[MarkRelation]) -> list[str]:
        """List the structures of all types that relations end at."""
        ends = {end for each in relations for end in (each.anaphor, each.antecedent)}
        types = {self.structures[end].get("%TYPE") for end in ends} | set(self._declared_ends())
        return [id_ for id_, structure in self.structures.items() if structure.get("%TYPE") in types]

    def _note_unread(self, used: set[str]) -> None:
        """Note the spans whose type is called after coreference, but which are not read as mentions."""
        for id_, structure in self.structures.items():
            name, features = str(structure.get("%TYPE")), structure.keys()
            is_span = features & {"begin", "^begin"} and not {GOVERNOR, DEPENDENT} <= features
            if is_span and id_ not in used and is_called_coreference(name):
                note_spans(self.ledger, name, self._place(id_))

    def _declared_ends(self) -> Iterator[str]:
        """List the types that layers of coreference are declared to end at: there may be no relation."""
        declared = self.value.get("%TYPES") if isinstance(self.value, dict) else None
        for name, features in declared.items() if isinstance(declared, dict) else ():
            feature = features.get(GOVERNOR[1:]) if isinstance(features, dict) else None
            if is_coreference_layer(name) and isinstance(feature, dict) and "%RANGE" in feature:
                yield str(feature["%RANGE"])

    def _structures(self) -> Iterator[tuple[str, Structure]]:
        listed = self.value.get(STRUCTURES) if isinstance(self.value, dict) else None
        if isinstance(listed, dict):
            listed = [{"%ID": id_, **_checked(one, self.path)} for id_, one in listed.items()]
        if not isinstance(listed, list):
            raise FormatError(f"{self.path}:1: expected a UIMA CAS with a list or object of {STRUCTURES}")
        seen: set[str] = set()
        for structure in listed:
            id_ = str(_checked(structure, self.path).get("%ID"))
            if id_ in seen:
                raise FormatError(f"{self.path}:1: two feature structures have the %ID {id_}")
            seen.add(id_)
            yield id_, structure

    def _number_lines(self) -> None:
        line, counted = 1, 0
        for match in ID.finditer(self.content):
            line, counted = line + self.content.count("\n", counted, match.start()), match.start()
            self.lines.setdefault(match[1] or match[2], line)

    def _place(self, id_: str) -> str:
        return f"{self.path}:{self.lines.get(id_, 1)}"

    def _where(self, id_: str) -> str:
        return f"{self._place(id_)}: feature structure {id_}"

    def _target(self, id_: str, feature: str) -> str | None:
        """Follow a reference; none, or null, leads nowhere."""
        target = self.structures[id_].get(feature)
        if target is not None and str(target) not in self.structures:
            raise FormatError(
                f"{self._where(id_)}: {feature} refers to {str(target)[:40]}, which does not exist"
            )
        return None if target is None else str(target)

    def _chains(self) -> Iterator[list[str]]:
        """List the links of each chain, and those that are in none."""
        chains = [id_ for id_, one in self.structures.items() if str(one.get("%TYPE")).endswith("Chain")]
        firsts = [self._target(id_, "@first") for id_ in chains]
        kinds = {self.structures[id_].get("%TYPE") for id_ in firsts if id_ is not None} | {LINK}
        links = [id_ for id_, structure in self.structures.items() if structure.get("%TYPE") in kinds]
        nexts = {self._target(id_, "@next") for id_ in links}
        seen: set[str] = set()
        alone = [link for link in links if link not in nexts]
        for first in dict.fromkeys([*firsts, *alone]):
            if first is not None and not (first in seen and first not in firsts):
                yield list(self._walk(first, seen))
        if left := [link for link in links if link not in seen]:
            raise FormatError(f"{self._where(left[0])}: a chain of links that comes back to itself")

    def _walk(self, first: str, seen: set[str]) -> Iterator[str]:
        link: str | None = first
        while link is not None:
            if link in seen:
                raise FormatError(f"{self._where(link)}: a link that is in two chains, or twice in one")
            seen.add(link)
            yield link
            link = self._target(link, "@next")

    def _text(self, links: Sequence[str]) -> str:
        """Find the text of the links; without any, that of the first view."""
        sofas = [id_ for id_, structure in self.structures.items() if "sofaString" in structure]
        used = sorted({str(self._target(link, "@sofa")) for link in links})
        if len(used) > 1:
            raise FormatError(f"{self.path}:1: chains in several views of the text; export one of them")
        sofas.sort(key=lambda id_: self.structures[id_].get("sofaID") != VIEW)
        running = self.structures.get((used or sofas or [""])[0], {}).get("sofaString")
        if not isinstance(running, str):
            raise FormatError(f"{self.path}:1: has no text: no sofaString is a string")
        return running

    def _marks(self, used: Sequence[str], running: str) -> dict[str, StandoffMark]:
        units = CodeUnits(running)
        marks = {}
        for id_ in dict.fromkeys(used):
            structure, where = self.structures[id_], self._where(id_)
            offsets: list[Any] = [structure.get(name, structure.get(f"^{name}")) for name in ("begin", "end")]
            if not all(type(offset) is int and 0 <= offset <= units.length for offset in offsets):
                raise FormatError(f"{where}: begin and end are not inside the text of {units.length} units")
            try:
                start, end = map(units.character, offsets)
            except ValueError as error:
                raise FormatError(f"{where}: {error}; offsets count units of UTF-16") from error
            is_link = "@next" in structure or str(structure.get("%TYPE")).endswith("Link")
            kind = structure.get("referenceType") if is_link else _first_string(structure)
            if kind is not None and not isinstance(kind, str):
                raise FormatError(f"{where}: referenceType is not a string")
            if start <= end and not LETTER.search(running, start, end):
                self.ledger.skip("a link without text is skipped", self._place(id_))
            else:
                marks[id_] = StandoffMark([(start, end)], kind, where, flags=_flags(structure))
        return marks


def _first_string(structure: Structure) -> str | None:
    """Take the value of the first feature that is a string."""
    flagged = FLAGS_FEATURE if _flags(structure) else None
    values = (value for name, value in structure.items() if name[:1] not in "%@^" and name != flagged)
    return next((value for value in values if isinstance(value, str)), None)


def _flags(structure: Structure) -> Flags:
    value = structure.get(FLAGS_FEATURE)
    return flags_of(value) if isinstance(value, str) else NO_FLAGS


def _checked(structure: object, path: str) -> Structure:
    if not isinstance(structure, dict):
        raise FormatError(f"{path}:1: a feature structure is not an object: {json.dumps(structure)[:40]}")
    if not isinstance(structure.get("%TYPE", ""), str):
        raise FormatError(f"{path}:1: %TYPE is not a string: {json.dumps(structure['%TYPE'])[:40]}")
    return structure


def _chains_of_marks(
    chains: Sequence[Sequence[str]], marks: Mapping[str, StandoffMark]
) -> Iterator[list[str]]:
    for chain in chains:
        if known := [link for link in chain if link in marks]:
            yield known


def contents(document: Document) -> dict[str, str]:
    """Write a document as its file, one feature structure per line."""
    before = as_it_came(
        document,
        "cas-json",
        lambda content, id_: _Cas("", Ledger(), json.loads(content), content).document(id_),
    )
    if before is not None:
        return {SUFFIXES[0]: before}
    beyond = document.relations or document.non_referring or document.cluster_layers
    whole, flags, ends = flattened(document)
    running, _, clusters = placed(whole, "UIMA CAS JSON")
    units = CodeUnits(running)
    structures: list[Structure] = [
        {"%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": VIEW, "mimeType": "text", "sofaString": running},
        {"%TYPE": "uima.tcas.DocumentAnnotation", "@sofa": 1, "begin": 0, "end": units.length}
        | {"language": "x-unspecified"},
    ]
    structures += (
        _related(clusters, flags, ends, units, len(structures))
        if beyond
        else _chained(clusters, units, len(structures))
    )
    lines = ",\n".join(json.dumps({"%ID": id_} | one) for id_, one in enumerate(structures, start=1))
    members = list(range(2, len(structures) + 1))
    views = json.dumps({VIEW: {"%SOFA": 1, "%MEMBERS": members}})
    types = json.dumps(_related_types() if beyond else _types())
    content = f'{{"%TYPES": {types},\n"{STRUCTURES}": [\n{lines}\n],\n"%VIEWS": {views}}}\n'
    return {SUFFIXES[0]: content}


def _chained(clusters: Clusters, units: CodeUnits, before: int) -> list[Structure]:
    """Write clusters as chains of links, after so many structures."""
    structures: list[Structure] = []
    for cluster in clusters:
        structures.append({"%TYPE": CHAIN, "@sofa": 1, "@first": before + len(structures) + 2})
        for number, (mention, ((start, end),)) in enumerate(cluster, start=1):
            link = {"%TYPE": LINK, "@sofa": 1, "begin": units.before(start), "end": units.before(end)}
            link |= {} if mention.type is None else {"referenceType": mention.type}
            following = {"@next": before + len(structures) + 2} if number < len(cluster) else {}
            structures.append(link | following)
    return structures


def _related(
    clusters: Clusters, flags: Sequence[Flags], ends: Sequence[Ends], units: CodeUnits, before: int
) -> list[Structure]:
    """Write mentions as spans, and relations between them."""
    spans: list[Structure] = []
    id_of: dict[tuple[int, int], int] = {}
    for number, cluster in enumerate(clusters):
        said = {FLAGS_FEATURE: " ".join(sorted(flags[number]))} if flags[number] else {}
        for at, (mention, ((start, end),)) in enumerate(cluster):
            id_of[number, at] = before + len(spans) + 1
            place = {"@sofa": 1, "begin": units.before(start), "end": units.before(end)}
            kind = {} if mention.type is None else {"entity": mention.type}
            spans.append({"%TYPE": SPANS} | place | kind | said)
    links = [
        (COREFERENCE, (number, at), (number, at - 1))
        for number, cluster in enumerate(clusters)
        for at in range(1, len(cluster))
    ]
    links += [(name_of(each.relation, ":"), each.anaphor, each.antecedent) for each in ends]
    relations = [
        {"%TYPE": COREFERENCE_LAYER, "type": value, GOVERNOR: id_of[anaphor], DEPENDENT: id_of[antecedent]}
        | {name: spans[id_of[antecedent] - before - 1][name] for name in ("@sofa", "begin", "end")}
        for value, anaphor, antecedent in links
    ]
    return [*spans, *relations]


def _related_types() -> dict[str, Any]:
    string = "uima.cas.String"
    features = {SPANS: {"entity": string, FLAGS_FEATURE: string}}
    features[COREFERENCE_LAYER] = {GOVERNOR[1:]: SPANS, DEPENDENT[1:]: SPANS, "type": string}
    return {
        layer: {"%NAME": layer, "%SUPER_TYPE": "uima.tcas.Annotation"}
        | {name: {"%NAME": name, "%RANGE": kind} for name, kind in some.items()}
        for layer, some in features.items()
    }


def _types() -> dict[str, Any]:
    ranges = {"next": LINK, "referenceType": "uima.cas.String", "referenceRelation": "uima.cas.String"}
    chain = {"%NAME": CHAIN, "%SUPER_TYPE": "uima.cas.AnnotationBase"}
    link = {"%NAME": LINK, "%SUPER_TYPE": "uima.tcas.Annotation"}
    return {
        CHAIN: chain | {"first": {"%NAME": "first", "%RANGE": LINK}},
        LINK: link | {name: {"%NAME": name, "%RANGE": kind} for name, kind in ranges.items()},
    }
