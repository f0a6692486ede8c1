"""All rules at once on texts that were parsed before: what is found, linked and nearly linked, and why.

`tests/data/camp_parses.txt` has the texts, written for this and for `test_components`, as spaCy's small
English model parsed them; `camp_found.txt` has what the rules made of them when they were last looked at.
Where a change of a rule is meant, run this file, and read the difference:

    PYTHONPATH=src:tests python tests/resolvers/camp/test_whole_texts.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from camp_texts import by_hand
from referee.model import Text
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components

DATA = Path(__file__).parents[2] / "data"
SETTINGS = [("ontonotes", True), ("ontonotes", False), ("gum", True), ("litbank", True)]


def texts() -> list[Text]:
    return [by_hand(table) for table in (DATA / "camp_parses.txt").read_text("utf-8").split("\n\n\n")]


def found(guidelines: str, *, bold: bool) -> str:
    """Write out all that the rules find by some guidelines."""
    lines = []
    for number, text in enumerate(texts()):
        boldness = boldness_for(recall=bold)
        discourse = discourse_of(text, lexicon(), guidelines_named(guidelines), boldness)
        run_components(discourse, chosen_components())
        lines += [f"# {guidelines}, {'bold' if bold else 'careful'}, text {number}"]
        lines += told(discourse, all_of_markables=guidelines == SETTINGS[0][0] and bold)
    return "\n".join(lines)


def told(discourse: Discourse, *, all_of_markables: bool) -> Iterator[str]:
    def name(markable: Markable) -> str:
        return f"{markable.start}-{markable.end}"

    if all_of_markables:
        for m in discourse.markables:
            what = [m.kind.name, m.label, " ".join(m.name), str(m.person), str(m.properties)]
            yield f"{name(m)} {m.head} {' | '.join(what)}"
    else:
        yield " ".join(map(name, discourse.markables))
    for link in discourse.links:
        where = f"{name(link.anaphor)} {name(link.antecedent)}"
        yield f"{link.component}, {link.rule}: {where} ({link.reason}) {link.score:.4g}"
    for miss in discourse.near_misses:
        candidates = " ".join(map(name, miss.candidates))
        yield f"not {miss.component}: {name(miss.anaphor)} {candidates} ({miss.reason})"
    entities = [entity.markables for entity in discourse.entities if len(entity.markables) > 1]
    yield from sorted(" ".join(sorted(map(name, some))) for some in entities)


@pytest.mark.parametrize("number", range(len(SETTINGS)), ids=[f"{g}-{b}" for g, b in SETTINGS])
def test_what_the_rules_find_stays_as_it_is(number: int) -> None:
    expected = (DATA / "camp_found.txt").read_text("utf-8").split("\n\n")[number].strip()
    guidelines, bold = SETTINGS[number]
    assert found(guidelines, bold=bold).splitlines() == expected.splitlines()


if __name__ == "__main__":
    shown = "\n\n".join(found(guidelines, bold=bold) for guidelines, bold in SETTINGS)
    (DATA / "camp_found.txt").write_text(shown + "\n", "utf-8")
