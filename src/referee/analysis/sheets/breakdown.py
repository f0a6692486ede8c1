"""Tables of errors by groups of links: by distance, genre, kind of bridging, or type and span of entity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.analysis.entities import Entities
from referee.analysis.link_errors import RECALL, LinkError
from referee.analysis.sheets.sheet import SYSTEM, Head, Sheet, Value, share
from referee.analysis.study import Study
from referee.exceptions import ProtocolError, SettingError, did_you_mean
from referee.language.entity_types import TypesOf, annotated_types
from referee.language.mention_types import UNTYPED, Described
from referee.language.strata import (
    DISTANCES,
    FARTHER,
    SPANS_ALONE,
    STRATIFICATIONS,
    WHERE_TYPES,
    WITHIN,
    SideMentions,
    Stratification,
    in_order,
    labels_of_sides,
    named_interval,
)
from referee.metrics.relations import BRIDGING, NON_REFERRING
from referee.scoring.genres import genre

Group = Callable[[LinkError], str]
BREAKDOWNS = ("distance", "genre", "label", "entity-type", "entity-span")
OTHER_DOCUMENT = "another document"  # where the antecedent is
UNKNOWN = "unknown"  # the genre of a document whose name does not show it
UNLABELLED = "none"
NO_ENTITY = "refers to nothing"  # the anchor of a bridge


def breakdown(
    study: Study,
    name: str,
    genres: Mapping[str, str] | None = None,
    types_of: TypesOf = annotated_types,
) -> Sheet:
    """Count the errors of each system by a group of their links: one of `BREAKDOWNS`."""
    layer = study.protocol.layer
    if name not in BREAKDOWNS:
        raise SettingError(
            f"errors are counted by {', '.join(BREAKDOWNS)}, not by='{name}'{did_you_mean(name, BREAKDOWNS)}"
        )
    if name == "label" and layer != BRIDGING:
        raise SettingError(f"by='label' needs layer='{BRIDGING}', whose links have labels in some corpora")
    if layer == NON_REFERRING and name != "genre":
        raise SettingError(f"by='{name}' needs links, and layer='{layer}' has none; give by='genre'")
    if name == "distance":
        return errors_by(study, name, _distance, (*DISTANCES.values(), FARTHER, OTHER_DOCUMENT))
    if name == "label":
        return errors_by(study, name, lambda error: error.label or UNLABELLED)
    if name == "genre":
        known = genres or {}
        return errors_by(
            study, name, lambda error: known.get(error.document) or genre(error.document) or UNKNOWN
        )
    return _by_entity(study, STRATIFICATIONS[name], types_of)


def _by_entity(study: Study, by: Stratification, types_of: TypesOf) -> Sheet:
    """Count errors by the type or the span of the entity; by spans alone where no type is known."""
    name, labels = by.title.lower(), _EntityLabels(study, by, types_of)
    if not labels.typed and by.title != SPANS_ALONE.title:
        raise ProtocolError(f"no entity of the key has a type; {WHERE_TYPES}")
    if labels.typed:
        return errors_by(study, name, labels, labels.order)
    labels = _EntityLabels(study, SPANS_ALONE, types_of)
    notes = [f"No entity of the key has a type, so spans are not shown within types; {WHERE_TYPES}"]
    return replace(errors_by(study, name, labels, labels.order), notes=notes)


def _distance(error: LinkError) -> str:
    if error.anaphor.document_id != error.antecedent.document_id:
        return OTHER_DOCUMENT
    words = abs(error.anaphor.mention.start - error.antecedent.mention.start)
    return named_interval(words, DISTANCES, FARTHER)


@dataclass
class _EntityLabels:
    """Says of what kind the entity of a link is, which the antecedent is a mention of."""

    study: Study
    by: Stratification
    types_of: TypesOf
    order: list[str] = field(init=False)
    _of_key: dict[Described, str] = field(init=False)
    _of_system: dict[str, dict[Described, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for system in self.study.systems:
            self._of_key, self._of_system[system.name] = self._labels(
                (system.comparison.key, self.study.mentions), (system.comparison.response, system.mentions)
            )
        several = (self._of_key, *self._of_system.values())
        sizes = Counter(self._of_key.values())
        kinds = {label: sizes[label] for labels in several for label in labels.values()}
        self.order = in_order(self.by, kinds)

    @property
    def typed(self) -> bool:
        """Whether any entity of the key has a type."""
        return any(kind.split(WITHIN)[0] != UNTYPED for kind in self._of_key.values())

    def __call__(self, error: LinkError) -> str:
        labels = self._of_key if error.side == RECALL else self._of_system[error.system]
        return labels.get(error.antecedent, NO_ENTITY)

    def _labels(
        self, *sides: tuple[Entities, Sequence[Described]]
    ) -> tuple[dict[Described, str], dict[Described, str]]:
        """Name the kind of each mention of key and response, document by document."""
        rows = [_rows_by_document(entities, len(self.study.documents)) for entities, _ in sides]
        named: tuple[dict[Described, str], dict[Described, str]] = {}, {}
        for document, here in zip(self.study.documents, zip(*rows, strict=True), strict=True):
            key, response = (
                SideMentions(
                    [entities.mention[row] for row in some],
                    [int(entities.number[row]) for row in some],
                    [int(entities.cluster[row]) for row in some],
                )
                for (entities, _), some in zip(sides, here, strict=True)
            )
            found = labels_of_sides(self.by, document, key, response, self.types_of)
            for labels, kinds, (_, described), some in zip(named, found, sides, here, strict=True):
                labels.update(zip((described[row] for row in some), kinds, strict=True))
        return named


def _rows_by_document(entities: Entities, documents: int) -> list[list[int]]:
    """List the rows of each document, those alone that can be matched: each mention once."""
    rows: list[list[int]] = [[] for _ in range(documents)]
    owners = zip(entities.document.tolist(), entities.owner.tolist(), strict=True)
    for row, (document, owner) in enumerate(owners):
        if owner:
            rows[document].append(row)
    return rows


def errors_by(study: Study, name: str, group: Group, order: Sequence[str] = ()) -> Sheet:
    """Count recall and precision errors of each system by group; groups in this order, others by name."""
    possible = Counter(map(group, study.maximum))
    counts = [
        (system.name, Counter(map(group, system.recall)), Counter(map(group, system.precision)))
        for system in study.systems
    ]
    there = {label for _, recall, precision in counts for label in (*recall, *precision)} | possible.keys()
    labels = [label for label in order if label in there] + sorted(there - {*order})
    rows: list[list[Value]] = []
    for system, recall, precision in counts:
        for label in labels:
            missed, most = recall[label], possible[label]
            rows.append([system, label, missed, most, share(missed, most), precision[label]])
    recall_heads = [("Recall", title) for title in ("errors", "possible", "%")]
    heads: list[Head] = [SYSTEM, name.capitalize(), *recall_heads, ("Precision", "errors")]
    return Sheet(f"by {name}", f"Errors by {name}.", heads, rows, words=2, grouped=True)
