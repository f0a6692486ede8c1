"""Makes a report's value: plain lists, numbers and words, which JSON can hold.

    title, version, key, scope, notices
    systems     names
    sides, kinds, types, overlaps, hints, likenesses    words that errors and mentions refer to by position
    metrics     labels of the scores below
    layer       identity, deixis, bridging or non-referring; links of the last two are as they are annotated
    measure     what units, gains and systems are judged by: the CoNLL average, or a metric of the layer
    scores      per way of matching: label, signature, per system [recall, precision, F1] of each metric, the
                CoNLL averages (null in layers without clusters), and intervals and tests (see `judged`)
    judging     how intervals and tests were made
    possible    how many recall errors there could be, and how many links each system made, by types:
                [anaphor, antecedent, count] each
    entityScores    by the type and the span of entities (see `entity_scores`), or null without types
    gains       per system and kind: the points of the measure's F1 that correcting what causes it would bring
    trees       how links were chosen: for recall errors, and for each system's precision errors; or empty
    units       label, entities (how many the key has), scores (per system: the measure's F1)
    documents   id, unit, tokens (one string), sentences (their ends), speakers ([first token, name] of each
                turn), mentions ([start, end, …] each), types (of the mentions), key ([number, mentions] of
                each entity), responses (per system the same), errors ([system, side, kind, anaphor,
                antecedent, how many documents back the antecedent is, overlap, hints …]), likeness (of each
                error, in `likenesses`: the evidence for the link; if units have several documents)

Mentions are referred to by their position in the document's list, so that a large corpus stays small. An
entity has one number in all documents of its unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from referee import __version__
from referee.analysis.link_errors import RECALL, SIDES, LinkError
from referee.analysis.link_evidence import EVIDENCE, LinkEvidence
from referee.analysis.listing import link_causes
from referee.analysis.relation_links import LAYER_CAUSES, MEASURES
from referee.analysis.sheets.relations import relation_gains
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import CAUSES
from referee.analysis.transformations import gains
from referee.comparing.significance import cautions, compare_results, intervals_of
from referee.comparing.verdicts import TESTS, Interval, Plan, Verdict
from referee.language.hints import HINTS, hints
from referee.language.mention_types import TYPES, UNTYPED
from referee.language.overlap import OVERLAPS, overlap
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS
from referee.model import Mention
from referee.page.documents import (
    Numbered,
    displayed,
    entities_of,
    key_numbers,
    response_numbers,
)
from referee.scoring.result import SCHEMA, Result

TOKEN_END = "\n"  # a token that holds one is shown with a space instead
Scores = Mapping[str, Sequence[Result]]  # a way of matching → the results of all systems
Pairs = Mapping[tuple[str, str], int]  # types of anaphor and antecedent → a count
Lane = list[tuple[int, list[Mention]]]  # the entities of one side in a document, with their numbers


@dataclass(frozen=True, slots=True)
class Page:
    """What is to be shown of one document."""

    key: Lane
    responses: list[Lane]
    types: dict[Mention, str] = field(default_factory=dict)
    errors: list[tuple[int, str, LinkError]] = field(default_factory=list)  # system, cause, error


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words that errors and mentions refer to, and where each document is."""

    kinds: Sequence[str]
    types: Sequence[str]
    documents: Mapping[str, int]
    mentions: Sequence[Mapping[Mention, int]]  # document → mention → its position

    @classmethod
    def of(cls, study: Study, pages: Sequence[Page]) -> PageWords:
        """Collect the words that occur, in their usual order."""
        causes = {cause for page in pages for _, cause, _ in page.errors}
        known = {kind for page in pages for kind in page.types.values()}
        usual = [kind for kind in (*TYPES, UNTYPED) if kind in known]
        return cls(
            [cause for cause in study.causes if cause in causes],
            [*usual, *sorted(known.difference(usual))],
            {document.id: number for number, document in enumerate(study.documents)},
            [{mention: i for i, mention in enumerate(sorted(page.types))} for page in pages],
        )


def report_data(
    study: Study,
    scores: Scores,
    *,
    key: str,
    title: str = "",
    units: Mapping[str, str] | None = None,
    plan: Plan | None = None,
    entity_scores: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Gather all that the page shows: the errors of a study, and scores of its systems in the same order.

    `units` says each document's unit, where a unit is more than a document; `plan` how scores are judged;
    `entity_scores` are those by the types of entities, if they are known.
    """
    first, plan = next(iter(scores.values())), plan or Plan()
    pages = _pages(study)
    words = PageWords.of(study, pages)
    likeness = None if study.protocol.scope == "document" else LinkEvidence(study)
    names = [system.name for system in study.systems]
    notices = [notice for results in scores.values() for result in results for notice in result.notices]
    return {
        "schema": SCHEMA,
        "title": title or f"{', '.join(names)} against {key}",
        "version": __version__,
        "key": key,
        "scope": study.protocol.scope,
        "notices": list(dict.fromkeys([*notices, *study.notices, *(entity_scores or {}).get("notices", ())])),
        "systems": names,
        "sides": list(SIDES),
        "kinds": words.kinds,
        "types": words.types,
        "overlaps": list(OVERLAPS),
        "hints": list(HINTS),
        "likenesses": list(EVIDENCE),
        "layer": study.protocol.layer,
        "measure": _label_of_measure(study.protocol.layer),
        "metrics": [CATALOGUE[name].label for name in first[0].scores],
        "scores": [_scores(label, results) | judged(results, plan) for label, results in scores.items()],
        "judging": described(first, plan),
        "possible": _possible(study, words.types),
        "entityScores": entity_scores,
        "gains": [_gains(study, system, words.kinds) for system in study.systems],
        "trees": {
            "recall": study.spanning_tree,
            "precision": [system.precision_from for system in study.systems],
        },
        "units": _units(study, first),
        "documents": [
            {"unit": unit, **_document(study, number, page, words, likeness)}
            for number, (page, unit) in enumerate(zip(pages, _unit_numbers(study, units), strict=True))
        ],
    }


def _pages(study: Study) -> list[Page]:
    """Sort a study's entities and errors by document."""
    count, units = len(study.documents), len(study.units)
    key = entities_of(study.systems[0].comparison.key, units)
    responses = [entities_of(system.comparison.response, units) for system in study.systems]
    key_lanes = _lanes((key_numbers(entities) for entities in key), count)
    lanes = [
        _lanes((response_numbers(*both) for both in zip(key, response, strict=True)), count)
        for response in responses
    ]
    pages = [Page(key_lanes[number], [lane[number] for lane in lanes]) for number in range(count)]
    number_of = {document.id: number for number, document in enumerate(study.documents)}
    for mentions in (study.mentions, *(system.mentions for system in study.systems)):
        for each in mentions:
            pages[number_of[each.document_id]].types[each.mention] = each.type
    for system_number, system in enumerate(study.systems):
        for error, cause in link_causes(study, system):
            page = pages[number_of[error.document]]
            page.errors.append((system_number, cause, error))
            if study.protocol.layer in LAYER_CAUSES:
                _show(error, page, page.key if error.side == RECALL else page.responses[system_number])
    return pages


def _show(error: LinkError, page: Page, lane: Lane) -> None:
    """Give a mention of a relation that is in no entity a number, so that it is seen in the text."""
    for each in dict.fromkeys(error.link):
        page.types[each.mention] = each.type
        if all(each.mention not in mentions for _, mentions in lane):
            lane.append((1 + max((number for number, _ in lane), default=0), [each.mention]))


def _lanes(units: Iterable[Numbered], documents: int) -> list[Lane]:
    """Give each document its part of the numbered entities."""
    lanes: list[Lane] = [[] for _ in range(documents)]
    for entities in units:
        for number, located in entities:
            parts: dict[int, list[Mention]] = {}
            for document, mention in located:
                parts.setdefault(document, []).append(mention)
            for document, mentions in parts.items():
                lanes[document].append((number, mentions))
    return lanes


def _unit_numbers(study: Study, units: Mapping[str, str] | None) -> list[int]:
    """Number each document's unit; a document is one unless `units` are given."""
    if units is None:
        return list(range(len(study.documents)))
    number_of = {label: number for number, label in enumerate(study.units)}
    return [number_of[units[document.id]] for document in study.documents]


def _units(study: Study, results: Sequence[Result]) -> list[dict[str, Any]]:
    sizes = [len(entities) for entities in entities_of(study.systems[0].comparison.key, len(study.units))]
    return [
        {"label": label, "entities": sizes[unit], "scores": [_measure(result, unit) for result in results]}
        for unit, label in enumerate(study.units)
    ]


def _document(
    study: Study, number: int, page: Page, words: PageWords, likeness: LinkEvidence | None
) -> dict[str, Any]:
    position = words.mentions[number]
    shown = displayed(study.documents[number])

    def lane(entities: Lane) -> list[list[Any]]:
        return [[entity, [position[mention] for mention in mentions]] for entity, mentions in entities]

    errors = [
        ([system, SIDES.index(error.side), words.kinds.index(cause), *_link(error, words)], error)
        for system, cause, error in page.errors
    ]
    errors.sort(key=lambda each: [each[0][3], -each[0][5], each[0][4], each[0][1], each[0][0]])
    return {
        "id": study.documents[number].id,
        "tokens": TOKEN_END.join(token.replace(TOKEN_END, " ") for token in shown.tokens),
        "sentences": list(shown.ends),
        "speakers": [list(turn) for turn in shown.speakers],
        "mentions": [shown.offsets(mention) for mention in position],
        "types": [words.types.index(page.types[mention]) for mention in position],
        "key": lane(page.key),
        "responses": [lane(response) for response in page.responses],
        "errors": [row for row, _ in errors],
        "likeness": [EVIDENCE.index(likeness.of(error)) for _, error in errors] if likeness else [],
    }


def _link(error: LinkError, words: PageWords) -> list[int]:
    """Refer to a link's mentions, and say what they have in common."""
    anaphor, antecedent = error.link
    here, there = words.documents[anaphor.document_id], words.documents[antecedent.document_id]
    return [
        words.mentions[here][anaphor.mention],
        words.mentions[there][antecedent.mention],
        here - there,
        OVERLAPS.index(overlap(anaphor, antecedent)),
        *(HINTS.index(hint) for hint in ([] if error.alone else hints(anaphor, antecedent))),
    ]


def _possible(study: Study, types: Sequence[str]) -> dict[str, Any]:
    """Count what errors are to be measured against: the paper's maximum, and the links that a system made."""

    def listed(pairs: Pairs) -> list[list[int]]:
        return [
            [types.index(anaphor), types.index(other), count] for (anaphor, other), count in pairs.items()
        ]

    return {
        "recall": listed(Counter(error.types for error in study.maximum)),
        "precision": [listed(system.decisions) for system in study.systems],
    }


def _gains(study: Study, system: SystemErrors, kinds: Sequence[str]) -> list[float]:
    """Say what correcting each cause would bring (Kummerfeld & Klein 2013)."""
    if study.protocol.layer in LAYER_CAUSES:
        gained = relation_gains(study, system)
        return [_short(gained[kind]) for kind in kinds]
    scored = gains(study, system, CONLL_METRICS)
    gained = {CAUSES[step]: result.conll - scored[""].conll for step, result in scored.items() if step}
    return [_short(gained[kind]) for kind in kinds]


def _scores(label: str, results: Sequence[Result]) -> dict[str, Any]:
    return {
        "label": label,
        "signature": results[0].signature,
        "values": [
            [[_short(number) for number in (s.recall, s.precision, s.f1)] for s in result.scores.values()]
            for result in results
        ],
        "conll": [_short(result.conll) for result in results] if results[0].has_conll else None,
    }


def _short(number: float) -> float:
    """Keep what can be shown: a percentage with two decimals, and two more so that rounding stays right."""
    return round(number, 6)


def _label_of_measure(layer: str) -> str:
    return CATALOGUE[MEASURES[layer]].label if layer in MEASURES else "CoNLL"


def _measure(result: Result, unit: int) -> float:
    """Score one unit by what it is judged by."""
    names = [MEASURES[result.protocol.layer]] if result.protocol.layer in MEASURES else CONLL_METRICS
    f1 = [CATALOGUE[name].scale(result.counts[name][unit])[2] for name in names]
    return _short(float(sum(f1)) / len(f1))


def judged(results: Sequence[Result], plan: Plan) -> dict[str, Any]:
    """Give each system's measures an interval; judge those after the first against it.

    intervals   per system and measure: [low, high], or null where there are too few units
    against     per system after the first, and measure: [gain, low, high, p, sign], the sign ↑, ↓ or empty
    """
    if len(results) == 1:
        measures = intervals_of(results[0], plan).values()
        return {"intervals": [[_pair(f1) for _, _, f1 in measures]], "against": []}
    verdicts = compare_results(results, plan).verdicts
    return {
        "intervals": [[_pair(verdict.interval) for verdict in system.values()] for system in verdicts],
        "against": [[_gain(verdict) for verdict in system.values()] for system in verdicts[1:]],
    }


def described(results: Sequence[Result], plan: Plan) -> Mapping[str, Any]:
    """Say how it was judged, and what to be careful with."""
    return {
        "test": TESTS[plan.test],
        "samples": plan.samples,
        "level": plan.level,
        "corrected": plan.corrects(len(results)),
        "units": len(results[0].units),
        "cautions": cautions(len(results[0].units), plan, results[0].protocol.scope),
    }


def _pair(interval: Interval) -> list[float] | None:
    edges = [round(interval.low, 6), round(interval.high, 6)]
    return edges if all(map(isfinite, edges)) else None  # JSON has no word for "not a number"


def _gain(verdict: Verdict) -> list[Any]:
    low, high = (verdict.gain_interval and _pair(verdict.gain_interval)) or (None, None)
    p = verdict.p if verdict.adjusted is None else verdict.adjusted
    return [round(verdict.gain, 6), low, high, None if p is None else round(p, 6), verdict.mark]
