"""A person's hour of work in the workbench, replayed in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import referee
from bench_page import workbench_page
from chromium import Browser
from referee.corrections import edited, state_of
from referee.corrections.state import to_document
from referee.model import Document
from replayed_hour import replay

KEY = Path(referee.__file__).parent / "sample" / "key.conll"


def damaged(document: Document) -> Document:
    """Make errors of all kinds in an annotation."""
    state, length = state_of(document), document.text.length
    one, two, *rest = sorted(state.entities, key=lambda id_: -len(state.members_of(id_)))
    edits: list[dict[str, Any]] = [
        *({"op": "split", "entity": each, "mentions": state.members_of(each)[::2]} for each in (one, two)),
        *({"op": "merge", "entity": rest[i], "into": rest[i + 1]} for i in (0, 2)),
        *({"op": "move", "mention": state.members_of(rest[i])[1], "entity": one} for i in (4, 5, 6)),
        *({"op": "delete", "mention": state.members_of(rest[i])[-1]} for i in (7, 8)),
        *({"op": "add", "spans": [[start, start + 2]], "entity": one} for start in (9, length - 9)),
    ]
    for number, edit in enumerate(edits, 1):
        state = state.changed(edited(state, edit, length=length, number=number))
    return to_document(state, document)


def test_what_was_corrected_in_an_hour_scores_as_the_page_showed(chromium: Browser, tmp_path: Path) -> None:
    key = referee.read(KEY)
    source = tmp_path / "system.conll"
    longest, *others = key
    referee.write([damaged(longest), *others], source)
    with workbench_page(chromium, source, key=KEY) as hands:
        replay(hands, longest, tmp_path, "conll")
