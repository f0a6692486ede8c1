"""What annotators left undecided, as the page shows it: who says what, and what the annotation says now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.curation.cases import ENTITY, MENTION, NO, YES, Case, grouped, letters
from referee.model import Mention, Span
from referee.service.workbench.documents import OpenDocument

NONE = "none"  # of the words of a mention that is not marked
Homes = Mapping[tuple[Span, ...], str]  # the spans of a mention → its entity


def cases_value(document: OpenDocument) -> dict[str, Any]:
    """Tell the page the cases of a document."""
    homes = {placed.mention.spans: placed.entity for placed in document.state.mentions.values()}
    confirmed = {each.mention.spans for each in document.state.mentions.values() if each.confirmed}
    found = []
    for number, case in enumerate(document.cases):
        now = present(case, homes)
        seen = any(mention.spans in confirmed for part in case.parts for mention in part)
        found.append({
            "id": number,
            "kind": case.kind,
            "question": case.question,
            "parts": [
                {"letter": letter, "spans": [document.tokens.to_tokens(each.spans) for each in part]}
                for letter, part in zip(letters(), case.parts, strict=False)
            ],
            "answers": [{"answer": each, "names": names} for each, names in case.by_answer().items()],
            "now": now,
            "settled": seen or now != case.meanwhile,
        })  # fmt: skip
    return {"revision": document.history.revision, "cases": found}


def present(case: Case, homes: Homes) -> str:
    """Answer a case as the annotation does now."""
    if case.kind == MENTION:
        return YES if any(mention.spans in homes for mention in case.parts[0]) else NO
    if case.kind == ENTITY:
        return grouped([_home(part, homes) for part in case.parts])
    for letter, part in zip(letters(), case.parts, strict=False):
        if part[0].spans in homes:
            return letter
    return NONE


def _home(part: tuple[Mention, ...], homes: Homes) -> str | None:
    """Say in which entity most mentions of a part are."""
    counts = Counter(homes[mention.spans] for mention in part if mention.spans in homes)
    return max(counts, key=counts.__getitem__, default=None)
