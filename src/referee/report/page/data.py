"""Makes a report's value: plain lists, numbers and words, which JSON can hold.

    title, version, key, notices
    systems     names
    sides, kinds, types      words that errors and mentions refer to by their place
    metrics     labels of the scores below
    scores      per way of matching: label, signature, and per system [recall, precision, F1] of each metric
    documents   id, tokens (one string), sentences (their ends), mentions ([start, end, …] each), types (of the
                mentions), key (entities of mentions), responses (per system: [number, mentions] of each entity),
                errors ([system, side, kind, anaphor, antecedent]), scores (per system: CoNLL F1)

Mentions are referred to by their place in the document's list, so that a large corpus stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee import __version__
from referee.errors import FormatError
from referee.evaluate import pair
from referee.formats.characters import in_tokens
from referee.metrics import CONLL_METRICS, METRICS
from referee.model import Cluster, Corpus, Document, Mention
from referee.report.page.entities import in_order, numbered
from referee.report.page.links import SIDES, LinkError, link_errors, mention_type
from referee.result import Result

SCHEMA = 1
TOKEN_END = "\n"  # no token holds one
Scores = Mapping[str, Sequence[Result]]  # a way of matching → the results of all systems


@dataclass(slots=True)
class Words:
    """Words that get a number when they are first met."""

    place: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, word: str) -> int:
        """Return a word's number."""
        return self.place.setdefault(word, len(self.place))


def report_data(
    key: Corpus,
    responses: Sequence[Corpus],
    scores: Scores,
    *,
    title: str = "",
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Gather all that the page shows. `progress` is told how many documents have just been done."""
    first = next(iter(scores.values()))
    kinds, types = Words(), Words()
    documents = []
    for at, (document, answers) in enumerate(_documents(key, responses)):
        value = _document(document, answers, kinds, types)
        value["scores"] = [_conll(result, at) for result in first]
        documents.append(value)
        if progress:
            progress(1)
    return {
        "schema": SCHEMA,
        "title": title or f"{key.name}: {', '.join(result.system for result in first)}",
        "version": __version__,
        "key": key.name,
        "notices": list(dict.fromkeys(notice for result in first for notice in result.notices)),
        "systems": [result.system for result in first],
        "sides": list(SIDES),
        "kinds": list(kinds.place),
        "types": list(types.place),
        "metrics": [METRICS[name].label for name in first[0].scores],
        "scores": [_scores(label, results) for label, results in scores.items()],
        "documents": documents,
    }


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
    f1 = [METRICS[name].scale(result.counts[name][unit])[2] for name in CONLL_METRICS]
    return _short(float(sum(f1)) / len(f1))


def _documents(
    key: Corpus, responses: Sequence[Corpus]
) -> Iterable[tuple[Document, list[Document | None]]]:
    """Bring key and responses together, in the order in which they are scored."""
    for response in responses:
        if response.offsets != key.offsets:
            raise FormatError(
                f"{key.name} counts {key.offsets}, {response.name} {response.offsets}; a report needs one of them: "
                "convert one file with referee convert"
            )
    pairs = [dict(pair(key, response, strict=False)[0]) for response in responses]
    for number in pairs[0]:
        answers = [
            None if (found := places[number]) is None else response.document(found)
            for places, response in zip(pairs, responses, strict=True)
        ]
        yield _cut_alike(key.document(number), answers)


def _cut_alike(
    key: Document, answers: Sequence[Document | None]
) -> tuple[Document, list[Document | None]]:
    """Cut a running text into tokens at every mention of any side; tokenised documents stay as they are."""
    if key.text is None:
        return key, list(answers)
    sides = [key, *answers]
    every = [
        Cluster(str(number), cluster.mentions)
        for number, side in enumerate(sides)
        for cluster in (side.clusters if side else ())
    ]
    whole = in_tokens(replace(key, clusters=tuple(every)))
    cut = [
        side and replace(whole, clusters=tuple(c for c in whole.clusters if c.id == str(number)))
        for number, side in enumerate(sides)
    ]
    return replace(whole, clusters=tuple(c for c in whole.clusters if c.id == "0")), cut[1:]


def _document(
    key: Document, answers: Sequence[Document | None], kinds: Words, types: Words
) -> dict[str, Any]:
    entities = in_order(key)
    numbers = [numbered(entities, in_order(answer)) for answer in answers]
    errors = [list(link_errors(key, answer)) for answer in answers]
    mentions = sorted(
        {m for entity in entities for m in entity}
        | {m for response in numbers for _, entity in response for m in entity}
    )
    place = {mention: i for i, mention in enumerate(mentions)}
    return {
        "id": key.id,
        "tokens": TOKEN_END.join(key.tokens),
        "sentences": [end for _, end in key.sentences],
        "mentions": [[offset for span in mention.spans for offset in span] for mention in mentions],
        "types": [types[mention_type(key, mention)] for mention in mentions],
        "key": [[place[m] for m in entity] for entity in entities],
        "responses": [[[number, [place[m] for m in entity]] for number, entity in each] for each in numbers],
        "errors": [
            [system, *_error(error, kinds, place)] for system, found in enumerate(errors) for error in found
        ],
    }


def _error(error: LinkError, kinds: Words, place: Mapping[Mention, int]) -> list[int]:
    side = SIDES.index(error.side)
    return [side, kinds[error.kind], place[error.anaphor], place[error.antecedent]]
