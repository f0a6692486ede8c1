"""Shows who and what occurs in several documents, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.model import Document
from referee.resolve.across.recurring import Recurring, recurring
from referee.tables.layout import Look, shortened

SHOWN_THINGS = 200
SHOWN_DOCUMENTS = 12
WIDTH = 110  # of a line in a file


def recurring_view(documents: Sequence[Document], look: Look) -> str:
    """List what is in several documents: its name, and what each document says for it."""
    things = recurring(documents)
    head = f"{len(documents):,} documents; {len(things):,} entities and events in several of them"
    parts = [_shown(number, thing, look) for number, thing in enumerate(things[:SHOWN_THINGS], start=1)]
    rest = [f"… and {len(things) - SHOWN_THINGS:,} more; write them to a file"] * (len(things) > SHOWN_THINGS)
    return "\n\n".join([head, *parts, *rest])


def _shown(number: int, thing: Recurring, look: Look) -> str:
    homes = thing.documents
    count = f"{len(thing.mentions)} mentions in {len(homes)} documents"
    lines = [f"{number:>3}  {thing.name} ({count})"]
    texts = {document.id: document.text for document, _ in thing.mentions}
    for id_, mentions in list(homes.items())[:SHOWN_DOCUMENTS]:
        said = Counter(" ".join(texts[id_].spelled(mention.spans).split()) for mention in mentions)
        told = ", ".join(words if times == 1 else f"{words} ({times})" for words, times in said.items())
        lines.append(shortened(f"       {id_}: {told}", look.width or WIDTH))
    if len(homes) > SHOWN_DOCUMENTS:
        lines.append(f"       … and {len(homes) - SHOWN_DOCUMENTS} documents more")
    return "\n".join(lines)
