"""A second view of the same errors: what would turn the response into the key (Kummerfeld & Klein 2013).

The classes, in the order in which they are corrected:

    span error          a mention whose boundaries are wrong
    conflated entities  a response entity that holds mentions of several key entities: split it
    extra mention       a mention that the key lacks, in an entity that it has: remove it
    extra entity        an entity without any mention of the key: remove it
    missing entity      a key entity of which the response has no mention: add it
    missing mention     a mention that the response lacks, of an entity that it has: add it
    divided entity      a key entity whose mentions are in several response entities: merge them

Corrected one after the other they end at the key. Corrected alone, a class shows what it costs: as in the
authors' own tool, a merge joins response entities as they are. An extra mention stays with the largest part
of what is split, and a missing one goes to the response entity that has most of its own.

What counts as the entity, whether pronouns count, and which spans are the same: `transformation_rules`.
`link_causes` says which of these steps would correct a wrong link; the causes have names of their own.

Entities are a partition here: a repeated mention belongs where the reference scorer puts it (`entities`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.analysis.span_pairing import MergedMentions
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import (
    CAUSES,
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    REFEREE,
    SIDES_OF,
    SPAN,
    is_pronoun,
)
from referee.arrays import BoolArray, IntArray, best_member, connected_parts
from referee.exceptions import RefereeError
from referee.language.mention_types import Described
from referee.metrics.contingency import Membership
from referee.metrics.standard import DEFAULT_METRICS
from referee.scoring.evaluate import tally
from referee.scoring.result import Result


@dataclass(frozen=True, slots=True)
class Transformation:
    """One step from response to key: its class, and the mentions that it changes."""

    kind: str
    system: str
    mentions: tuple[Described, ...]  # for a span error: the response's, then the key's
    key_entity: int  # counted from 0 in the document; −1 if there is none
    response_entity: int

    @property
    def document(self) -> str:
        """The document of the first mention."""
        return self.mentions[0].document_id


class _Cells(NamedTuple):
    """How many mentions each key entity and each response entity share."""

    key: IntArray
    response: IntArray
    size: IntArray


def _cells(key: IntArray, response: IntArray) -> _Cells:
    both = (key >= 0) & (response >= 0)
    width = int(response.max(initial=0)) + 1
    code, size = np.unique(key[both] * width + response[both], return_counts=True)
    return _Cells(*np.divmod(code, width), size)


def _main_key(key: IntArray, response: IntArray) -> IntArray:
    """The key entity that each mention's response entity has most of; −1 for none."""
    cells = _cells(key, response)
    main = best_member(cells.response, cells.key, cells.size, int(response.max(initial=-1)) + 2)
    return main[response]  # −1 takes the last one, which is −1 too


def _main_response(key: IntArray, response: IntArray) -> IntArray:
    """The response entity that has most of each mention's key entity; −1 for none."""
    cells = _cells(key, response)
    main = best_member(cells.key, cells.response, cells.size, int(key.max(initial=-1)) + 2)
    return main[key]


def _split(key: IntArray, response: IntArray) -> IntArray:
    piece = np.where(key >= 0, key, _main_key(key, response))
    code = response * (int(piece.max(initial=0)) + 2) + piece + 1
    return np.where(response >= 0, np.unique(code, return_inverse=True)[1], -1)


def _merge(key: IntArray, response: IntArray) -> IntArray:
    cells = _cells(key, response)
    keys, responses = int(key.max(initial=-1)) + 1, int(response.max(initial=-1)) + 1
    if not responses:
        return response
    merged = connected_parts(cells.key, keys + cells.response, keys + responses)[keys:]
    return np.where(response >= 0, merged[response], -1)


def _remove_mentions(key: IntArray, response: IntArray) -> IntArray:
    return np.where((key < 0) & (_main_key(key, response) >= 0), -1, response)


def _remove_entities(key: IntArray, response: IntArray) -> IntArray:
    return np.where((key < 0) & (_main_key(key, response) < 0), -1, response)


def _add_entities(key: IntArray, response: IntArray) -> IntArray:
    lost = (key >= 0) & (_main_response(key, response) < 0)
    return np.where(lost, int(response.max(initial=-1)) + 1 + key, response)


def _add_mentions(key: IntArray, response: IntArray) -> IntArray:
    return np.where((key >= 0) & (response < 0), _main_response(key, response), response)


Correction = Callable[[IntArray, IntArray], IntArray]  # (key, response) entities → new response entities
CORRECTIONS: dict[str, Correction] = {
    CONFLATED: _split,
    EXTRA_MENTION: _remove_mentions,
    EXTRA_ENTITY: _remove_entities,
    MISSING_ENTITY: _add_entities,
    MISSING_MENTION: _add_mentions,
    DIVIDED: _merge,
}
CLASSES = (SPAN, *CORRECTIONS)


def corrected(alignment: MergedMentions, kinds: Collection[str] = CLASSES) -> tuple[IntArray, BoolArray]:
    """Correct some classes, in order: each mention's response entity, and whether its span is still wrong."""
    response = alignment.response
    for kind, correct in CORRECTIONS.items():
        if kind in kinds:
            response = correct(alignment.key, response)
    return response, alignment.moved & (SPAN not in kinds)


def score_corrected(
    study: Study, system: SystemErrors, kinds: Collection[str] = (), metrics: Sequence[str] = DEFAULT_METRICS
) -> Result:
    """Score a system as if it made no errors of these classes."""
    _refuse_other_rules(study)
    return _score(study, system, kinds, metrics, _key_side(study, system))


def _score(
    study: Study, system: SystemErrors, kinds: Collection[str], metrics: Sequence[str], key_side: Membership
) -> Result:
    alignment = study.merged[system.name]
    response, moved = corrected(alignment, kinds)
    mention = np.arange(response.size) + moved * response.size
    response_side = _membership(mention, response, alignment.unit, key_side.units)
    counts, _ = tally(key_side, response_side, study.protocol, metrics)
    return Result(system.name, study.units, counts, study.protocol)


def _key_side(study: Study, system: SystemErrors) -> Membership:
    alignment = study.merged[system.name]
    return _membership(np.arange(alignment.key.size), alignment.key, alignment.unit, len(study.units))


def _membership(mention: IntArray, label: IntArray, unit: IntArray, units: int) -> Membership:
    """Number the clusters unit by unit."""
    there = label >= 0
    unit_of_label = np.full(int(label.max(initial=-1)) + 1, -1)
    unit_of_label[label[there]] = unit[there]
    used = np.flatnonzero(unit_of_label >= 0)
    used = used[np.argsort(unit_of_label[used], kind="stable")]
    number = np.zeros_like(unit_of_label)
    number[used] = np.arange(used.size)
    return Membership(mention[there], number[label[there]], unit_of_label[used], units)


def gains(study: Study, system: SystemErrors, metrics: Sequence[str] = DEFAULT_METRICS) -> dict[str, Result]:
    """Score a system as it is (under the empty name), and with one class corrected at a time."""
    _refuse_other_rules(study)
    concerned, key_side = _concerned(study, system), _key_side(study, system)
    results = {"": _score(study, system, (), metrics, key_side)}
    for kind in CLASSES:
        occurs = concerned[kind][0].any()  # a class without errors changes nothing
        results[kind] = _score(study, system, {kind}, metrics, key_side) if occurs else results[""]
    return results


def _refuse_other_rules(study: Study) -> None:
    if study.classes != REFEREE:
        raise RefereeError(
            f"with classes='{study.classes.name}' the steps do not lead to the key one by one; "
            f"scores of corrections need classes='{REFEREE.name}'"
        )


def transformations(study: Study, system: SystemErrors) -> list[Transformation]:
    """List the steps from a system's response to the key, class by class.

    Of a study of some errors only, these are the steps that such an error needs: a wrong link of theirs.
    """
    alignment = study.merged[system.name]
    steps = [
        _step(kind, group, alignment, study, system)
        for kind, (concerned, label) in _concerned(study, system).items()
        for group in _grouped(concerned, label)
    ]
    return _needed(steps, study, system) if study.selection else steps


def count_transformations(study: Study, system: SystemErrors) -> dict[str, int]:
    """Count the steps from a system's response to the key, by class."""
    if study.selection:
        steps = Counter(step.kind for step in transformations(study, system))
        return {kind: steps[kind] for kind in CLASSES}
    concerned = _concerned(study, system)
    return {kind: np.unique(label[some]).size for kind, (some, label) in concerned.items()}


def _concerned(study: Study, system: SystemErrors) -> dict[str, tuple[BoolArray, IntArray]]:
    """For each class the mentions concerned, and what groups them into one step."""
    merged, rules = study.merged[system.name], study.classes
    key, response = merged.key, merged.response
    each, both = np.arange(key.size), (key >= 0) & (response >= 0)
    cell = np.where(both, key * (int(response.max(initial=0)) + 1) + response, -1)
    pronoun = _pronouns(study, system) if rules != REFEREE else np.zeros(key.size, np.bool_)
    evidence = both & ~(pronoun & rules.pronouns_prove_nothing)
    needed = 2 if rules.pronouns_prove_nothing else 1
    lost = _without(key, evidence, response < 0, needed)
    invented = _without(response, evidence, key < 0, needed)
    if rules.first_is_entity:
        order = _in_order(study, system)
        kept_key, kept_response = (_with_leader(side, cell, pronoun, order) for side in (key, response))
    else:
        kept_key, kept_response = _main_response(key, response) == response, _main_key(key, response) == key
        kept_key, kept_response = kept_key & both, kept_response & both
    return {
        SPAN: (merged.moved, each),
        CONFLATED: (both & ~kept_response, cell),
        EXTRA_MENTION: ((key < 0) & ~invented & ~kept_response, each),
        EXTRA_ENTITY: ((key < 0) & invented, response),
        MISSING_ENTITY: ((response < 0) & lost, key),
        MISSING_MENTION: ((response < 0) & ~lost & ~kept_key, each),
        DIVIDED: (both & ~kept_key, cell),
    }


def _without(entity: IntArray, evidence: BoolArray, absent: BoolArray, needed: int) -> BoolArray:
    """Say of each mention whether the other side has no evidence of its entity, and lacks enough of it."""
    size = int(entity.max(initial=-1)) + 1
    there = np.bincount(entity[evidence], minlength=size)
    lacking = np.bincount(entity[absent & (entity >= 0)], minlength=size)
    return np.append((there == 0) & (lacking >= needed), False)[entity]


def _with_leader(entity: IntArray, cell: IntArray, pronoun: BoolArray, order: IntArray) -> BoolArray:
    """Say of each mention whether its part of the entity has the first mention that is not a pronoun."""
    rows = order[entity[order] >= 0]
    rows = rows[np.argsort(pronoun[rows], kind="stable")]
    leader = best_member(entity[rows], rows, -np.arange(rows.size), int(entity.max(initial=-1)) + 2)[entity]
    alone = cell[leader] < 0  # the other side lacks the leader: it is a part by itself
    same: BoolArray = np.where(alone, leader == np.arange(entity.size), cell[leader] == cell)
    return same & (entity >= 0)


def _described(study: Study, system: SystemErrors) -> list[Described]:
    merged = study.merged[system.name]
    rows = zip(merged.key_row.tolist(), merged.response_row.tolist(), strict=True)
    return [study.mentions[key] if key >= 0 else system.mentions[response] for key, response in rows]


def _pronouns(study: Study, system: SystemErrors) -> BoolArray:
    return np.array([is_pronoun(mention) for mention in _described(study, system)], np.bool_)


def _in_order(study: Study, system: SystemErrors) -> IntArray:
    """Sort the mentions by document, then position."""
    index = {document.id: number for number, document in enumerate(study.documents)}
    mentions = [(index[each.document_id], each.mention) for each in _described(study, system)]
    return np.array(sorted(range(len(mentions)), key=mentions.__getitem__), np.int64)


def _needed(steps: Iterable[Transformation], study: Study, system: SystemErrors) -> list[Transformation]:
    """Choose the steps that a wrong link which is looked at needs: it has a mention of theirs.

    If links are chosen by class, the step must have the link's.
    """
    by_class = "class" in study.selection.fields
    wanted = {
        (mention, error.side, error.cause if by_class else "")
        for error in (*system.recall, *system.precision)
        for mention in error.link
    }
    return [
        step
        for step in steps
        if any(
            (mention, side, CAUSES[step.kind] if by_class else "") in wanted
            for mention in step.mentions
            for side in SIDES_OF[step.kind]
        )
    ]


def _grouped(concerned: BoolArray, label: IntArray) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for mention in np.flatnonzero(concerned).tolist():
        groups.setdefault(int(label[mention]), []).append(mention)
    return list(groups.values())


def _step(
    kind: str, group: Sequence[int], alignment: MergedMentions, study: Study, system: SystemErrors
) -> Transformation:
    keys, responses = alignment.key_row[group].tolist(), alignment.response_row[group].tolist()
    mentions = tuple(
        study.mentions[key] if key >= 0 else system.mentions[response]
        for key, response in zip(keys, responses, strict=True)
    )
    if kind == SPAN:
        mentions = (system.mentions[responses[0]], *mentions)
    comparison = system.comparison
    key_entity = int(comparison.key.entity[keys[0]]) if keys[0] >= 0 else -1
    response_entity = int(comparison.response.entity[responses[0]]) if responses[0] >= 0 else -1
    return Transformation(kind, system.name, mentions, key_entity, response_entity)
