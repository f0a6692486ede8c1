"""Shows on a terminal what a resolver found: a text with its entities by number, and what documents share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from referee.display import number_of
from referee.model import Document, Mention
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Markable
from referee.resolvers.resolved import Recurring, named_clusters, recurring, scores_told, words_with_gaps
from referee.tables.layout import Look, shortened

COLOURS = (36, 35, 32, 33, 34, 31, 96, 95, 92, 93, 94, 91)  # of a terminal
SHOWN_MENTIONS = 12


def resolved_view(document: Document, look: Look) -> str:
    """Show a text with its entities, and under it a line for each."""
    mentions = sum(len(cluster.mentions) for cluster in document.clusters)
    head = f"{document.id}: {number_of(len(document.clusters), 'entity')}, {number_of(mentions, 'mention')}"
    return "\n\n".join(part for part in (head, marked_text(document, look), _listing(document, look)) if part)


def marked_text(document: Document, look: Look) -> str:
    """Write the text with each mention in brackets, behind them the number of its entity."""
    text = document.text
    opening: dict[int, list[tuple[int, str]]] = defaultdict(
        list
    )  # word → brackets before it, the outer first
    closing: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, cluster in enumerate(document.clusters, start=1):
        for mention in cluster.mentions:
            for start, end in mention.spans:
                opening[start].append((-end, _coloured("[", number, look)))
                closing[end].append((-start, _coloured(f"]{number}", number, look)))
    pieces = []
    for word, (gap, written) in enumerate(words_with_gaps(text)):
        before = "".join(mark for _, mark in sorted(opening[word], key=lambda at: at[0]))
        behind = "".join(mark for _, mark in sorted(closing[word + 1], key=lambda at: at[0]))
        pieces.append(f"{gap}{before}{written}{behind}")
    return "".join(pieces).strip("\n")


def _coloured(words: str, number: int, look: Look) -> str:
    return f"\x1b[{COLOURS[number % len(COLOURS)]}m{words}\x1b[0m" if look.colour else words


def _listing(document: Document, look: Look) -> str:
    lines = []
    for number, (name, cluster) in enumerate(named_clusters(document), start=1):
        said = [_said(document, mention) for mention in cluster.mentions]
        more = f", … {len(said) - SHOWN_MENTIONS} more" if len(said) > SHOWN_MENTIONS else ""
        named = _coloured(f"{number:>3}  {' '.join(name.split())}", number, look)
        lines.append(f"{named} ({len(said)}): {', '.join(said[:SHOWN_MENTIONS])}{more}")
    return "\n".join(lines)


def _said(document: Document, mention: Mention) -> str:
    """Quote a mention, with its scores where they are known."""
    quoted = " ".join(document.text.spelled(mention.spans).split())
    return f"{quoted} ({told})" if (told := scores_told(mention)) else quoted


def link_explanation(name: str, discourse: Discourse | None) -> str:
    """List every link with its component, rule and reason, and the anaphors that were left alone."""
    if discourse is None:
        return f"{name}: no words"
    links = [
        f"  {link.component:<9} {link.rule:<20} {_told(discourse, link.anaphor)} → "
        f"{_told(discourse, link.antecedent)}   [{link.reason}]"
        for link in sorted(discourse.links, key=lambda link: link.anaphor.number)
    ]
    misses = [
        f"  {miss.component:<9} {_told(discourse, miss.anaphor)}, nearly "
        f"{' or '.join(_told(discourse, other) for other in miss.candidates)}   [{miss.reason}]"
        for miss in discourse.near_misses
    ]
    parts = [f"{name}: {number_of(len(links), 'link')}", *links, f"near misses: {len(misses)}", *misses]
    return "\n".join(parts)


def _told(discourse: Discourse, markable: Markable) -> str:
    """Quote a markable with its position and what is believed of its entity."""
    quoted = discourse.parse.text.spelled([(markable.start, markable.end)])
    believed = discourse.entity_of[markable].properties
    return f"‘{' '.join(quoted.split())}’ {markable.start} ({believed})"


SHOWN_THINGS = 200
SHOWN_DOCUMENTS = 12
WIDTH = 110  # of a line in a file


def recurring_view(documents: Sequence[Document], look: Look) -> str:
    """List what is in several documents: its name, and what each document says for it."""
    things = recurring(documents)
    head = f"{number_of(len(documents), 'document')}; entities and events in several of them: {len(things):,}"
    parts = [_shown(number, thing, look) for number, thing in enumerate(things[:SHOWN_THINGS], start=1)]
    rest = [f"… and {len(things) - SHOWN_THINGS:,} more; write them to a file"] * (len(things) > SHOWN_THINGS)
    return "\n\n".join([head, *parts, *rest])


def _shown(number: int, thing: Recurring, look: Look) -> str:
    homes = thing.documents
    count = f"{number_of(len(thing.mentions), 'mention')} in {number_of(len(homes), 'document')}"
    lines = [f"{number:>3}  {thing.name} ({count})"]
    texts = {document.id: document.text for document, _ in thing.mentions}
    for id_, mentions in list(homes.items())[:SHOWN_DOCUMENTS]:
        said = Counter(" ".join(texts[id_].spelled(mention.spans).split()) for mention in mentions)
        told = ", ".join(words if times == 1 else f"{words} ({times})" for words, times in said.items())
        lines.append(shortened(f"       {id_}: {told}", look.width or WIDTH))
    if len(homes) > SHOWN_DOCUMENTS:
        lines.append(f"       … and {number_of(len(homes) - SHOWN_DOCUMENTS, 'more document')}")
    return "\n".join(lines)
