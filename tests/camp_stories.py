"""All that camp finds in some texts, each of one kind: mentions with their properties, links, near misses.

The texts are parsed once and for all (`data/camp/parses.txt`), so that no version of a parser matters. After
a change that is meant, `python tests/camp_stories.py` writes what is expected again: read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from camp_texts import by_hand, discourse_by_rules
from referee.model import Text
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components

DATA = Path(__file__).parent / "data" / "camp"
EXPECTED = DATA / "found.txt"


def blocks(path: Path) -> dict[str, str]:
    """Cut a file at its lines `=== name`."""
    parts = path.read_text("utf-8").removeprefix("=== ").split("\n=== ")
    return {name: body.strip("\n") for name, _, body in (part.partition("\n") for part in parts)}


STORIES = {name: by_hand(table) for name, table in blocks(DATA / "parses.txt").items()}


def named(markable: Markable) -> str:
    """Write a mention with the number of its first word."""
    return f"{' '.join(markable.words)} {markable.start}"


def described(markable: Markable) -> str:
    """Write all that is known of a mention."""
    facts = {
        "kind": markable.kind.value, "label": markable.label, "head": str(markable.head - markable.start),
        "determiner": markable.determiner or "",
        "person": "" if markable.person == 3 else str(markable.person),
        "possessor": "" if markable.possessor is None else str(markable.possessor),
        "name": " ".join(markable.name), "titles": " ".join(markable.titles),
        "modifiers": " ".join(sorted(markable.modifiers)),
        "complements": " ".join(sorted(markable.complements)),
        "coordinated": "yes" if markable.coordinated else "",
        "overloaded": "yes" if markable.overloaded else "",
        "depth": str(markable.depth) if markable.depth else "",
    }  # fmt: skip
    told = "; ".join(f"{name} {value}" for name, value in facts.items() if value)
    return f"{named(markable)}: {told}; {markable.properties}"


def decided(discourse: Discourse) -> Iterator[str]:
    """Write links and near misses."""
    for link in discourse.links:
        pair = f"{named(link.anaphor)} -> {named(link.antecedent)}"
        yield f"{link.component}, {link.rule}: {pair} {link.score:.4f}"
    for miss in discourse.near_misses:
        candidates = " | ".join(map(named, miss.candidates))
        yield f"{miss.component}, missed: {named(miss.anaphor)} ({candidates}) {miss.reason}"


def changed(old: list[str], new: list[str]) -> Iterator[str]:
    """Write the lines of two lists that only one of them has."""
    yield from (f"  - {line}" for line in old if line not in new)
    yield from (f"  + {line}" for line in new if line not in old)


def found(text: Text) -> Iterator[str]:
    """Write what the rules find boldly under OntoNotes' guidelines, and what changes otherwise."""
    mentions: list[str] = []
    decisions: list[str] = []
    for guidelines in ("ontonotes", "gum", "litbank"):
        discourse = discourse_by_rules(text, guidelines=guidelines)
        described_mentions, own = [described(m) for m in discourse.markables], list(decided(discourse))
        yield guidelines
        yield from changed(mentions, described_mentions)
        yield from changed(decisions, own)
        annotated = [" | ".join(map(named, entity.markables)) for entity in discourse.annotated()]
        yield from (f"  entity: {line}" for line in annotated if " | " in line and guidelines != "gum")
        yield f"  {len(annotated)} entities of {len(described_mentions)} mentions"
        mentions, decisions = described_mentions, own
    cautious = discourse_of(text, lexicon(), guidelines_named("litbank"), boldness_for())
    run_components(cautious, chosen_components())
    yield "litbank, with the default precision"
    yield from changed(decisions, list(decided(cautious)))


if __name__ == "__main__":
    lines = [line for name, text in STORIES.items() for line in (f"=== {name}", *found(text))]
    EXPECTED.write_text("\n".join(lines) + "\n", "utf-8")
