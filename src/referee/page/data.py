"""Makes a report's value: plain lists, numbers and words, which JSON can hold.

    title, version, key, notices
    systems     names
    sides, kinds, types, overlaps, hints    words that errors and mentions refer to by their place
    metrics     labels of the scores below
    scores      per way of matching: label, signature, and per system [recall, precision, F1] of each metric
    possible    how many recall errors there could be, and how many links each system made, by types:
                [anaphor, antecedent, count] each
    gains       per system and kind: the points of CoNLL F1 that correcting all errors of a kind would bring
    trees       how links were chosen: for recall errors, and for each system's precision errors
    documents   id, tokens (one string), sentences (their ends), speakers ([first token, name] of each turn),
                mentions ([start, end, …] each), types (of the mentions), key (entities of mentions),
                responses (per system: [number, mentions] of each entity), errors ([system, side, kind,
                anaphor, antecedent, overlap, hints …]), scores (per system: CoNLL F1)

Mentions are referred to by their place in the document's list, so that a large corpus stays small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee import __version__
from referee.errors.link_errors import SIDES, LinkError
from referee.errors.study import Study, SystemErrors
from referee.errors.transformations import CLASSES, gains
from referee.language.hints import HINTS, hints
from referee.language.mention_types import TYPES, UNTYPED
from referee.language.overlap import OVERLAPS, overlap
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS
from referee.model import Mention
from referee.page.displayed import displayed
from referee.page.link_classes import link_classes
from referee.page.numbering import Entities, entities_of, numbered
from referee.scoring.result import Result

SCHEMA = 1
TOKEN_END = "\n"  # a token that holds one is shown with a space instead
Scores = Mapping[str, Sequence[Result]]  # a way of matching → the results of all systems
Pairs = Mapping[tuple[str, str], int]  # types of anaphor and antecedent → a count


@dataclass(frozen=True, slots=True)
class Page:
    """What is to be shown of one document."""

    key: Entities
    responses: list[Entities]
    types: dict[Mention, str] = field(default_factory=dict)
    errors: list[tuple[int, str, LinkError]] = field(default_factory=list)  # system, class, error


def report_data(study: Study, scores: Scores, *, key: str, title: str = "") -> dict[str, Any]:
    """Gather all that the page shows: the errors of a study, and scores of its systems in the same order."""
    first = next(iter(scores.values()))
    pages = _pages(study)
    kinds = [kind for kind in CLASSES if any(kind == found for page in pages for _, found, _ in page.errors)]
    known = {kind for page in pages for kind in page.types.values()}
    types = [kind for kind in (*TYPES, UNTYPED) if kind in known]
    types += sorted(known.difference(types))
    names = [system.name for system in study.systems]
    notices = [notice for results in scores.values() for result in results for notice in result.notices]
    return {
        "schema": SCHEMA,
        "title": title or f"{', '.join(names)} against {key}",
        "version": __version__,
        "key": key,
        "notices": list(dict.fromkeys([*notices, *study.notices])),
        "systems": names,
        "sides": list(SIDES),
        "kinds": kinds,
        "types": types,
        "overlaps": list(OVERLAPS),
        "hints": list(HINTS),
        "metrics": [CATALOGUE[name].label for name in first[0].scores],
        "scores": [_scores(label, results) for label, results in scores.items()],
        "possible": _possible(study, types),
        "gains": [_gains(study, system, kinds) for system in study.systems],
        "trees": {"recall": study.tree, "precision": [system.precision_from for system in study.systems]},
        "documents": [
            {**_document(study, at, page, kinds, types), "scores": [_conll(result, at) for result in first]}
            for at, page in enumerate(pages)
        ],
    }


def _pages(study: Study) -> list[Page]:
    """Sort a study's entities and errors by document."""
    count = len(study.documents)
    key = entities_of(study.systems[0].comparison.key, count)
    responses = [entities_of(system.comparison.response, count) for system in study.systems]
    pages = [Page(key[at], [response[at] for response in responses]) for at in range(count)]
    place = {document.id: at for at, document in enumerate(study.documents)}
    for described in (study.mentions, *(system.mentions for system in study.systems)):
        for each in described:
            pages[place[each.document_id]].types[each.mention] = each.type
    for number, system in enumerate(study.systems):
        for error, kind in link_classes(study, system):
            pages[place[error.document]].errors.append((number, kind, error))
    return pages


def _document(
    study: Study, at: int, page: Page, kinds: Sequence[str], types: Sequence[str]
) -> dict[str, Any]:
    shown = displayed(study.documents[at])
    mentions = sorted(page.types)
    place = {mention: i for i, mention in enumerate(mentions)}
    numbers = [numbered(page.key, response) for response in page.responses]
    errors = [
        [system, SIDES.index(error.side), kinds.index(kind), *_link(error, place)]
        for system, kind, error in page.errors
    ]
    return {
        "id": study.documents[at].id,
        "tokens": TOKEN_END.join(token.replace(TOKEN_END, " ") for token in shown.tokens),
        "sentences": list(shown.ends),
        "speakers": [list(turn) for turn in shown.speakers],
        "mentions": [[offset for span in mention.spans for offset in span] for mention in mentions],
        "types": [types.index(page.types[mention]) for mention in mentions],
        "key": [[place[m] for m in entity] for entity in page.key],
        "responses": [[[number, [place[m] for m in entity]] for number, entity in each] for each in numbers],
        "errors": sorted(errors, key=lambda error: (error[3], error[4], error[1], error[0])),
    }


def _link(error: LinkError, place: Mapping[Mention, int]) -> list[int]:
    """Refer to a link's mentions, and say what they have in common."""
    anaphor, antecedent = error.link
    return [
        place[anaphor.mention],
        place[antecedent.mention],
        OVERLAPS.index(overlap(anaphor, antecedent)),
        *(HINTS.index(hint) for hint in hints(anaphor, antecedent)),
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
    """Say what correcting each class would bring (Kummerfeld & Klein 2013)."""
    scored = gains(study, system, CONLL_METRICS)
    return [_short(scored[kind].conll - scored[""].conll) for kind in kinds]


def _scores(label: str, results: Sequence[Result]) -> dict[str, Any]:
    return {
        "label": label,
        "signature": results[0].signature,
        "values": [
            [[_short(number) for number in (s.recall, s.precision, s.f1)] for s in result.scores.values()]
            for result in results
        ],
        "conll": [_short(result.conll) for result in results],
    }


def _short(number: float) -> float:
    """Keep what can be shown: a percentage with two decimals, and two more so that rounding stays right."""
    return round(number, 6)


def _conll(result: Result, unit: int) -> float:
    """Score one unit."""
    f1 = [CATALOGUE[name].scale(result.counts[name][unit])[2] for name in CONLL_METRICS]
    return _short(float(sum(f1)) / len(f1))
